"""What comes in is taken as it is or refused with 4xx, at every depth, and what is refused changes nothing.

Regressions 16 (a ``player_id`` in the body was believed) and 32 (odd bytes became 500).
The fields are those of the contract, read from its file: a new one is tested without a new line here.
"""

from __future__ import annotations

import json

import pytest
from support.bench import Bench, assert_names
from support.bodies import Body, Place, bodies, wrong_values
from support.clients import Client
from support.contract import document, operations, validator
from support.truth import Truth

BODIES = bodies()
IDS = [f"{body.operation}-{body.label}" if body.label else body.operation for body in BODIES]
PLACES = [
    pytest.param(body, place, id=f"{name}{place.pointer or '-all'}")
    for body, name in zip(BODIES, IDS, strict=True)
    for place in body.places
]
FIELDS = [param for param in PLACES if param.values[1].path]
OBJECTS = [param for param in PLACES if param.values[1].schema["type"] == "object"]
LIMIT = 16 * 1024


def short(value: str) -> str:
    """A readable id for a test with an odd text."""
    return ascii(value)[:24]


# --- the table itself ---


def test_every_field_of_the_contract_is_in_the_table():
    """A literal list of Verräter's, so that a table that misses fields does not pass unnoticed."""
    options = [
        "first_strategist",
        "traitor_point_in_draw",
        "trading_posts_need_own_house",
        "early_end",
        "landscape_points",
        "landscape_points/0",
        "landscape_points/0/0",
    ]
    in_the_table = {(param.values[0].operation, param.values[1].pointer) for param in FIELDS}
    assert in_the_table >= {
        ("createPlayer", "/name"),
        *(("createMatch", f"/{name}") for name in ("game", "seats", "visibility", "name", "options")),
        *(("createMatch", f"/options/{name}") for name in options),
        ("joinMatch", "/seat"),
        ("joinMatch", "/entropy"),
        ("playMove", "/decision"),
        ("playMove", "/move"),
        *(
            ("playMove", f"/move/{name}")
            for name in ("type", "landscape", "border", "action", "cards", "cards/0", "side", "from", "to")
        ),
    }
    moves = [body.value["move"]["type"] for body in BODIES if body.operation == "playMove"]
    assert moves == list(document()["components"]["schemas"]["Move"]["discriminator"]["mapping"])


@pytest.mark.parametrize("body", BODIES, ids=IDS)
def test_the_bodies_of_the_table_are_good_ones(body: Body):
    path = operations()[body.operation].path.replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    schema = validator(f"/paths/{path}/post/requestBody/content/application~1json/schema")
    assert [error.message for error in schema.iter_errors(body.value)] == []


# --- fields ---


@pytest.mark.parametrize(("body", "place"), OBJECTS)
@pytest.mark.parametrize("name", ["unknown", "player_id", "player", "a/b~c", ""])
def test_an_unknown_field_is_refused_at_every_depth(bench: Bench, body: Body, place: Place, name: str):
    """Regression 16: nobody says in a body who they are."""
    answer = bench.send(body, body=body.with_value((*place.path, name), 0))
    assert_names(answer, f"{place.pointer}/{name.replace('~', '~0').replace('/', '~1')}")


@pytest.mark.parametrize(("body", "place"), [param for param in FIELDS if param.values[1].required])
def test_a_missing_field_is_refused(bench: Bench, body: Body, place: Place):
    assert_names(bench.send(body, body=body.without(place.path)), place.pointer)


@pytest.mark.parametrize(
    ("body", "place", "value"),
    [
        pytest.param(*param.values, value, id=f"{param.id}: {label}")
        for param in FIELDS
        for label, value in wrong_values(param.values[1].schema).items()
    ],
)
def test_a_wrong_value_is_refused(bench: Bench, body: Body, place: Place, value):
    assert_names(bench.send(body, body=body.with_value(place.path, value)), place.pointer)


# --- odd JSON ---


@pytest.mark.parametrize(("body", "place"), FIELDS)
@pytest.mark.parametrize(
    "token",
    [
        *["NaN", "Infinity", "-Infinity", "-NaN", "1" * 5000, "-" + "1" * 5000],
        *[r'"\ud800"', r'"a\udfffb"', r'"\udc00\ud800"', '"\x00"', '"a\nb"', '"\\x41"'],
        *["[" * 9000, "[" * 7000 + "]" * 7000, '{"a":' * 2500 + "1" + "}" * 2500],
        *["01", "+1", "0x1", "1.", ".5", "'a'", "undefined", ",", "/**/1"],
    ],
    ids=short,
)
def test_what_is_no_json_is_refused_wherever_it_stands(bench: Bench, body: Body, place: Place, token: str):
    answer = bench.send(body, raw=body.with_token(place.path, token))
    assert (answer.status, answer.code) == (400, "malformed-json")


@pytest.mark.parametrize(("body", "place"), FIELDS)
@pytest.mark.parametrize("token", ["1e999", "-1e999", "1e0", "1E2", "1e-999"])
def test_a_number_with_an_exponent_is_no_integer_and_no_infinity(bench: Bench, body: Body, place: Place, token: str):
    assert_names(bench.send(body, raw=body.with_token(place.path, token)), place.pointer)


@pytest.mark.parametrize(("body", "place"), OBJECTS)
def test_a_key_that_stands_twice_is_refused(bench: Bench, body: Body, place: Place):
    """Also with the same value: which one counts must not depend on the reader."""
    name, value = next(iter(body.at(place.path).items()), ("unknown", 0))
    member = f"{json.dumps(name)}: {json.dumps(value)}"
    twice = member if body.at(place.path) else f"{member}, {member}"
    answer = bench.send(body, raw=body.with_member(place.path, twice))
    assert (answer.status, answer.code) == (400, "malformed-json")


@pytest.mark.parametrize(("body", "place"), OBJECTS)
@pytest.mark.parametrize("key", [r'"\ud800"', r'"\udfff"', "NaN", "1", "''"])
def test_an_odd_key_is_refused(bench: Bench, body: Body, place: Place, key: str):
    answer = bench.send(body, raw=body.with_member(place.path, f"{key}: 0"))
    assert (answer.status, answer.code) == (400, "malformed-json")


@pytest.mark.parametrize("body", BODIES, ids=IDS)
@pytest.mark.parametrize(
    "raw",
    [
        *[b"", b" ", b"{", b"{} {}", b"{},", b"[", b"nul", b"{'name': 'Ada'}", b'{"name": "Ada",}', b'{"na'],
        *[b"\x00", b'{"name": "\xff"}', b'{"name": "\xc0\xaf"}', b'{"name": "\xed\xa0\x80"}', b"\xef\xbb\xbf{}"],
        *['{"name": "Ada"}'.encode("utf-16"), '{"name": "Ada"}'.encode("utf-32"), b"\x1f\x8b\x08\x00", b"name=Ada"],
    ],
)
def test_a_body_that_is_no_json_is_refused(bench: Bench, body: Body, raw: bytes):
    answer = bench.send(body, raw=raw)
    assert (answer.status, answer.code) == (400, "malformed-json")


@pytest.mark.parametrize("body", BODIES, ids=IDS)
@pytest.mark.parametrize("raw", [b"null", b"[]", b"[{}]", b'"x"', b"5", b"true", b"1e999"])
def test_a_body_that_is_no_object_is_refused(bench: Bench, body: Body, raw: bytes):
    assert_names(bench.send(body, raw=raw), "")


# --- how it is sent ---


@pytest.mark.parametrize("body", BODIES, ids=IDS)
def test_a_body_over_16_kib_is_refused(bench: Bench, body: Body):
    raw = json.dumps(body.value).encode().ljust(LIMIT + 1)
    answer = bench.send(body, raw=raw)
    assert (answer.status, answer.code) == (413, "too-large")


@pytest.mark.parametrize("body", BODIES, ids=IDS)
def test_100_000_brackets_are_refused(bench: Bench, body: Body):
    """Regression 32: they were an overflow of the stack elsewhere. Here they are too long to be looked at."""
    answer = bench.send(body, raw=b"[" * 100_000)
    assert (answer.status, answer.code) == (413, "too-large")


def test_a_body_of_exactly_16_kib_is_read(visitor: Client):
    assert visitor.call("createPlayer", raw=b'{"name": "Ada"}'.ljust(LIMIT)).status == 201


@pytest.mark.parametrize("body", BODIES, ids=IDS)
@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": ""},
        {"Content-Type": "text/plain"},
        {"Content-Type": "text/json"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "application/jsonp"},
        {"Content-Type": "application/problem+json"},
        {"Content-Type": "application/json, text/plain"},
        {"Content-Encoding": "gzip"},
        {"Content-Encoding": "br"},
        {"Content-Encoding": "identity, gzip"},
    ],
    ids=str,
)
def test_a_body_that_is_not_sent_as_json_is_refused(bench: Bench, body: Body, headers: dict[str, str]):
    answer = bench.send(body, body=body.value, headers=headers)
    assert (answer.status, answer.code) == (415, "unsupported-media-type")


@pytest.mark.parametrize("body", BODIES, ids=IDS)
def test_a_request_without_a_body_is_refused(bench: Bench, body: Body):
    """The contract requires one, if only an empty object."""
    answer = bench.send(body)
    assert (answer.status, answer.code) == (415, "unsupported-media-type")


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/JSON", "application/json;"])
def test_json_may_be_announced_in_several_ways(visitor: Client, content_type: str):
    answer = visitor.call("createPlayer", {"name": "Ada"}, headers={"Content-Type": content_type})
    assert answer.status == 201


# --- text ---

GOOD_NAMES = [
    *["A", "Ada", " Ada ", "Ada Lovelace", "Ödön von Horváth", "李白", "a" * 40, "🂡" * 40, "é" * 40, "e\u0301"],
    *["👩‍👩‍👧", "o'Neill <b>&amp;", "'; DROP TABLE players; --", "{{7*7}}", "../../etc/passwd", "null", "0"],
]
BAD_NAMES = [
    *["", " ", "\u00a0", "\u3000", " \u2003 ", "\ufeff", "a" * 41, "🂡" * 41, "é" * 2000],
    *["Ada\n", "\nAda", "Ada\r", "A\tda", "Ada\x00", "\x1b[31mAda", "A\x7fda", "A\x85da", "Ada\u2028", "Ada\u2029"],
    *[f"A{turn}da" for turn in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"],
]


@pytest.mark.parametrize("name", GOOD_NAMES, ids=short)
def test_a_name_comes_back_as_it_was_given(visitor: Client, name: str):
    player = visitor.become(name)
    assert player.call("getMe").body["name"] == name
    match = player.create(name=name)
    card = visitor.card(match)
    assert (card["name"], card["seats"][0]["name"]) == (name, name)


@pytest.mark.parametrize("name", BAD_NAMES, ids=short)
@pytest.mark.parametrize("body", [body for body in BODIES if "name" in body.value], ids=lambda body: body.operation)
def test_a_name_that_could_mislead_is_refused(bench: Bench, body: Body, name: str):
    longer = name + "a" * 20 if body.operation == "createMatch" and len(name) == 41 else name
    assert_names(bench.send(body, body=body.with_value(("name",), longer)), "/name")


@pytest.mark.parametrize("entropy", ["abc\n", "\nabc", "a b", "ä", "a" * 65, "a.b", "a=", "\x00", "🂡"], ids=short)
def test_entropy_is_plain_letters_and_digits(bench: Bench, entropy: str):
    (body,) = [body for body in BODIES if body.operation == "joinMatch"]
    assert_names(bench.send(body, body={"entropy": entropy}), "/entropy")


@pytest.mark.parametrize("entropy", ["", "a" * 64, "aZ09_-"])
def test_good_entropy_is_kept_for_the_shuffles(bench: Bench, truth: Truth, visitor: Client, entropy: str):
    match = bench.newcomer.create()
    seat = visitor.become("Ada").join(match, entropy=entropy)
    assert truth.match(match).seats[seat].entropy == entropy


def test_a_pair_of_surrogates_is_one_character(visitor: Client):
    answer = visitor.call("createPlayer", raw=rb'{"name": "\ud83c\udca1"}')
    assert (answer.status, answer.body["name"]) == (201, "🂡")


# --- tags of unions ---


@pytest.mark.parametrize(
    ("operation", "pointer"), [("createMatch", "/game"), ("playMove", "/move/type")], ids=["game", "type of move"]
)
@pytest.mark.parametrize("tag", ["", "kabale ", "Verraeter", "VERRAETER", "Place_farm", "__class__", "place_farm\n"])
def test_an_unknown_tag_is_refused(bench: Bench, operation: str, pointer: str, tag: str):
    body = next(body for body in BODIES if body.operation == operation)
    answer = bench.send(body, body=body.with_value(tuple(pointer.split("/")[1:]), tag))
    assert_names(answer, pointer)


@pytest.mark.parametrize("member", [body for body in BODIES if body.operation == "playMove"], ids=lambda b: b.label)
def test_the_fields_of_one_move_do_not_fit_another(bench: Bench, member: Body):
    others = [body.value["move"] for body in BODIES if body.operation == "playMove" and body is not member]
    for other in others:
        mixed = {**other, "type": member.value["move"]["type"]}
        if set(mixed) != set(member.value["move"]):
            answer = bench.send(member, body={"decision": 1, "move": mixed})
            assert (answer.status, answer.code) == (422, "invalid")
