"""The contract itself: what generated clients rely on, checked in the file that they are generated from.

Regression 31: a union was documented as an empty closed object, so that generated clients could not read it.
"""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from support.contract import FILE, PROBLEM, STREAM, document, operations

from engine.catalogue import GAMES
from service.problems import KINDS

SCHEMAS: dict[str, Any] = document()["components"]["schemas"]
UNIONS = {name: schema for name, schema in SCHEMAS.items() if "oneOf" in schema}
OBJECTS = {name for name, schema in SCHEMAS.items() if schema.get("type") == "object"}


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """Every object in a document, with the way to it."""
    if isinstance(value, dict):
        yield path, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, entry in entries:
        yield from nodes(entry, (*path, step))


def reachable(schema: Any) -> set[str]:
    """The names of all schemas that a schema refers to, directly or not."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        for _, node in nodes(waiting.pop()):
            name = node.get("$ref", "").removeprefix("#/components/schemas/")
            if name and name not in found:
                found.add(name)
                waiting.append(SCHEMAS[name])
    return found


def bodies() -> dict[str, Any]:
    """The schema of each operation's body."""
    return {
        operation.id: operation.entry["requestBody"]["content"]["application/json"]["schema"]
        for operation in operations().values()
        if "requestBody" in operation.entry
    }


def answers() -> dict[tuple[str, str, str], Any]:
    """The schema of each answer, by operation, status and media type."""
    return {
        (operation.id, status, media_type): content["schema"]
        for operation in operations().values()
        for status, response in operation.entry["responses"].items()
        for media_type, content in response.get("content", {}).items()
    }


def parameters() -> dict[str, Any]:
    """The schema of each parameter, by operation, place and name."""
    return {
        f"{operation.id} {entry['in']} {entry['name']}": entry["schema"]
        for operation in operations().values()
        for entry in [
            *operation.entry.get("parameters", []),
            *document()["paths"][operation.path].get("parameters", []),
        ]
    }


IN_BODIES = reachable(list(bodies().values()))
COMES_IN = IN_BODIES | reachable(list(parameters().values()))
GOES_OUT = reachable(list(answers().values()))
MOVES = reachable(SCHEMAS["Move"])


# --- the file ---


def test_the_file_is_what_the_code_says():
    """After a change, run ``python openapi/write.py``."""
    written = runpy.run_path(str(FILE.with_name("write.py")))
    assert FILE.read_text(encoding="utf-8") == written["contract"]()


def test_the_service_shows_the_same_contract(app):
    assert app.test_client().get("/openapi.json").json == document()


def test_it_says_where_it_holds_and_under_which_terms():
    assert document()["servers"] == [{"url": "/", "description": "The service that shows this contract"}]
    assert document()["info"]["license"] == {"name": "MIT", "identifier": "MIT"}
    assert all(tag["description"] for tag in document()["tags"])
    used = {tag for operation in operations().values() for tag in operation.entry["tags"]}
    assert used == {tag["name"] for tag in document()["tags"]}
    assert document()["components"]["securitySchemes"]["token"]["description"]


def test_it_is_valid_openapi_3_1():
    assert document()["openapi"] == "3.1.0"
    assert [error.message for error in OpenAPIV31SpecValidator(document()).iter_errors()] == []


def test_all_references_lead_somewhere():
    references = {node["$ref"] for _, node in nodes(document()) if "$ref" in node}
    assert references == {
        f"#/components/{kind}/{name}"
        for kind, entries in document()["components"].items()
        if kind != "securitySchemes"
        for name in entries
    }, "and whatever can be referred to is"


def test_no_schema_is_out_of_reach():
    assert set(SCHEMAS) == COMES_IN | GOES_OUT


# --- operations ---


def test_the_operations_are_those_that_clients_know():
    """A literal list: a name of a generated function must not change by an oversight."""
    assert {(operation.method.upper(), operation.path): operation.id for operation in operations().values()} == {
        ("GET", "/v1/games"): "listGames",
        ("GET", "/v1/games/{game}"): "getGame",
        ("POST", "/v1/players"): "createPlayer",
        ("GET", "/v1/players/me"): "getMe",
        ("POST", "/v1/players/me/tokens"): "renewToken",
        ("GET", "/v1/players/me/matches"): "listMyMatches",
        ("GET", "/v1/matches"): "listMatches",
        ("POST", "/v1/matches"): "createMatch",
        ("GET", "/v1/matches/{match}"): "getMatch",
        ("POST", "/v1/matches/{match}/players"): "joinMatch",
        ("POST", "/v1/join"): "joinByCode",
        ("DELETE", "/v1/matches/{match}/players/me"): "leaveMatch",
        ("POST", "/v1/matches/{match}/start"): "startMatch",
        ("GET", "/v1/matches/{match}/view"): "getView",
        ("POST", "/v1/matches/{match}/moves"): "playMove",
        ("GET", "/v1/matches/{match}/events"): "listEvents",
        ("GET", "/v1/matches/{match}/replay"): "getReplay",
    }


def test_every_operation_has_a_name_of_its_own():
    entries = [
        entry for item in document()["paths"].values() for method, entry in item.items() if method != "parameters"
    ]
    names = [entry.get("operationId") for entry in entries]
    assert None not in names
    assert len(set(names)) == len(names) == len(operations())


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_an_operation_says_what_it_is_for(operation):
    assert operation.entry["summary"]
    assert operation.entry["tags"]
    assert operation.entry["security"] is not None
    successes = [status for status in operation.entry["responses"] if status < "300"]
    assert successes
    assert "default" not in operation.entry["responses"]


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_every_parameter_of_a_path_is_declared(operation):
    declared = {entry["name"] for entry in document()["paths"][operation.path].get("parameters", [])}
    assert declared == set(re.findall(r"{(\w+)}", operation.path))


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_every_error_names_its_codes(operation):
    errors = {status: entry for status, entry in operation.entry["responses"].items() if status >= "400"}
    assert {"400", "401", "406", "422", "429", "500"} <= set(errors)
    for status, entry in errors.items():
        codes = entry["x-problem-codes"]
        assert codes
        assert len(set(codes)) == len(codes)
        assert {KINDS[code].status for code in codes} == {int(status)}
        assert list(entry["content"]) == [PROBLEM]
        assert entry["content"][PROBLEM]["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert all(f"`{code}`" in entry["description"] for code in codes)


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_the_headers_of_rate_limits_are_announced(operation):
    told = {"RateLimit", "RateLimit-Policy"}
    for status, entry in operation.entry["responses"].items():
        expected = told | {"Retry-After"} if status == "429" else told if status < "400" else set()
        assert expected <= set(entry.get("headers", {})), status
    assert "too-many-requests" in operation.entry["responses"]["429"]["x-problem-codes"]


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_what_is_no_error_is_json_or_empty(operation):
    """But for events, which may be followed as a stream as well."""
    media_types = ["application/json", STREAM] if operation.id == "listEvents" else ["application/json"]
    for status, entry in operation.entry["responses"].items():
        if status < "400":
            assert list(entry.get("content", dict.fromkeys(media_types))) == media_types
            assert "x-problem-codes" not in entry
            assert ("content" in entry) == (status not in ("204", "304"))


# --- names ---


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_name_of_a_schema_is_a_plain_one(name: str):
    """No ``Generated1``, and no ``engine_verraeter_view_…``, which is what two types of one name would get."""
    assert re.fullmatch(r"([A-Z][a-z]+)+", name)
    assert not re.search("Generated|Schema|Answer|Request|Pagination", name)


def test_bodies_and_answers_are_named_schemas():
    for schema in [*bodies().values(), *answers().values()]:
        assert list(schema) == ["$ref"]


def test_no_schema_is_described_by_a_library():
    """The description of msgspec's own base class, pages of it, had come into the contract."""
    assert "Struct" not in SCHEMAS
    for name, schema in SCHEMAS.items():
        for path, node in nodes(schema):
            assert len(str(node.get("description", ""))) < 400, f"{name}: {path}"


def test_what_is_a_set_of_ids_has_a_name():
    """Generators would make an enumeration of each use of it."""
    assert {SCHEMAS["MatchStatus"]["type"], SCHEMAS["Visibility"]["type"]} == {"string"}
    assert sorted(SCHEMAS["GameId"]["enum"]) == sorted(GAMES)
    for path, node in nodes(document()):
        if len(node.get("enum", ())) > 1 and "examples" not in path:
            assert path[:2] == ("components", "schemas"), path
            assert len(path) == 3, path


def test_what_was_chosen_for_one_match_can_be_chosen_for_the_next():
    """Options come in and go out as different types, but what they are chosen from is the same."""
    for name in ("VerraeterOptions", "KabaleOptions", "InsideJobOptions"):
        coming_in, going_out = (SCHEMAS[name]["properties"], SCHEMAS[name.replace("O", "MatchO", 1)]["properties"])
        for field, entry in coming_in.items():
            assert going_out[field].get("$ref") == entry.get("$ref"), f"{name}.{field}"
    assert SCHEMAS["KabaleOptions"]["properties"]["set_scoring"]["$ref"].endswith("/KabaleSetScoring")


def test_problems_have_a_list_of_codes_that_may_grow():
    fields = SCHEMAS["Problem"]["properties"]
    assert fields["code"]["$ref"].endswith("/ProblemCode")
    assert fields["reason"]["$ref"].endswith("/ReasonCode")
    assert SCHEMAS["ProblemCode"]["x-extensible-enum"] == list(KINDS)
    of_moves = {reason for game in GAMES.values() for reason in game.refusals}
    assert of_moves < set(SCHEMAS["ReasonCode"]["x-extensible-enum"])
    for name in ("ProblemCode", "ReasonCode"):
        assert "enum" not in SCHEMAS[name], "a client must take a code that it does not know"


def test_no_object_inside_of_a_schema_is_without_a_name():
    """A generated client would have to invent one. Maps from ids to values are no such objects."""
    for name, schema in SCHEMAS.items():
        for path, node in nodes(schema):
            assert not (path and "properties" in node and node.get("type") == "object"), f"{name}: {path}"


@pytest.mark.parametrize("game", GAMES)
def test_the_types_of_a_game_bear_its_name(game: str):
    name = type(GAMES[game]).__name__
    for union, member in {
        "View": f"{name}View",
        "MatchCard": f"{name}Match",
        "GameDetails": f"{name}Game",
        "NewMatch": f"New{name}Match",
    }.items():
        assert UNIONS[union]["discriminator"]["mapping"][game] == f"#/components/schemas/{member}"


# --- unions ---


def test_which_unions_there_are():
    assert set(UNIONS) >= {"View", "MatchCard", "GameDetails", "NewMatch", "Move", "VerraeterMove"}


@pytest.mark.parametrize("name", UNIONS)
def test_a_union_lists_its_members_with_a_mapping(name: str):
    """Regression 31."""
    union = UNIONS[name]
    assert set(union) == {"description", "oneOf", "discriminator"}
    members = [member["$ref"] for member in union["oneOf"]]
    mapping = union["discriminator"]["mapping"]
    assert members
    assert len(set(members)) == len(members)
    assert list(mapping.values()) == members
    for tag, reference in mapping.items():
        member = SCHEMAS[reference.rsplit("/", 1)[1]]
        tag_field = union["discriminator"]["propertyName"]
        assert member["type"] == "object"
        assert tag_field in member["required"]
        assert member["properties"][tag_field]["enum"] == [tag]


def test_there_are_no_other_unions():
    """But for values that may be null."""
    for path, node in nodes(document()):
        assert "allOf" not in node, path
        assert "oneOf" not in node or path[:2] == ("components", "schemas"), path
        if "anyOf" in node:
            assert node["anyOf"][1:] == [{"type": "null"}], path
            assert "anyOf" not in node["anyOf"][0]


def test_the_moves_of_all_games_are_one_union():
    of_games = [
        move for name, union in UNIONS.items() if name.endswith("Move") and name != "Move" for move in union["oneOf"]
    ]
    references = [move["$ref"] for move in UNIONS["Move"]["oneOf"]]
    assert len(references) == len(set(references))
    assert sorted(references) == sorted(move["$ref"] for move in of_games)


# --- strict in, open out ---


def test_what_comes_in_is_closed_at_every_depth():
    closed = {name: SCHEMAS[name].get("additionalProperties") for name in COMES_IN & OBJECTS}
    assert closed == dict.fromkeys(closed, False)
    assert len(closed) >= 14


def test_what_goes_out_is_open_but_for_moves():
    """A new field breaks no client; what is sent back as it came, a move or a part of options, is closed here too."""
    parts_of_options = {"InsideJobDeckCard"}
    for name in (GOES_OUT & OBJECTS) - MOVES - parts_of_options:
        for path, node in nodes(SCHEMAS[name]):
            assert node.get("additionalProperties", True) is not False, f"{name}: {path}"
    assert MOVES <= GOES_OUT


def test_everything_that_is_always_sent_is_required():
    optional = {
        f"{name}.{field}"
        for name in GOES_OUT & OBJECTS
        for field in set(SCHEMAS[name]["properties"]) - set(SCHEMAS[name].get("required", []))
    }
    assert optional == {"Problem.detail", "Problem.reason", "Problem.errors"}


def test_what_may_be_left_out_of_a_body_is_known():
    optional = {
        f"{name}.{field}"
        for name in COMES_IN & OBJECTS
        for field in set(SCHEMAS[name]["properties"]) - set(SCHEMAS[name].get("required", []))
        if not name.endswith("Options")
    }
    assert {field.rsplit(".", 1)[1] for field in optional} == {
        *["seat", "entropy", "name", "options", "move_seconds", "stand_ins"]
    }


def test_every_option_has_a_default():
    for name in COMES_IN:
        if name.endswith("Options"):
            assert all("default" in entry for entry in SCHEMAS[name]["properties"].values()), name
            assert SCHEMAS[name]["required"] == []


def test_every_integer_that_comes_in_has_bounds():
    for name in COMES_IN:
        for path, node in nodes(SCHEMAS[name]):
            if node.get("type") == "integer":
                assert "enum" in node or {"minimum", "maximum"} <= set(node), f"{name}: {path}"


def test_every_text_and_every_list_that_comes_in_is_bounded():
    for name in COMES_IN:
        for path, node in nodes(SCHEMAS[name]):
            if node.get("type") == "string":
                bounded = {"enum", "maxLength"} & set(node) or re.search(r"\{0,\d+\}\$$", node.get("pattern", ""))
                assert bounded, f"{name}: {path}"
            if node.get("type") == "array":
                assert "maxItems" in node, f"{name}: {path}"


@pytest.mark.parametrize("name", parameters())
def test_every_parameter_is_bounded(name: str):
    """A header that is advice is bounded by no more than what the server reads."""
    schema = parameters()[name]
    schema = SCHEMAS[schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema
    match schema["type"]:
        case "string":
            assert {"enum", "maxLength"} & set(schema) or re.search(r"\{\d,\d+\}\$$", schema["pattern"])
        case "integer":
            assert {"minimum", "maximum"} <= set(schema)
        case other:
            assert other == "boolean"


def test_every_parameter_says_what_it_is_for():
    for operation in operations().values():
        item = document()["paths"][operation.path]
        for entry in [*operation.entry.get("parameters", []), *item.get("parameters", [])]:
            assert entry["description"], f"{operation.id}: {entry['name']}"


def test_patterns_mean_the_same_in_ecma_262():
    r"""No ``\Z``, no flags, no named groups of Python's."""
    patterns = [node["pattern"] for _, node in nodes(document()) if isinstance(node.get("pattern"), str)]
    assert patterns
    for pattern in patterns:
        assert pattern.startswith("^")
        assert pattern.endswith("$")
        assert not re.search(r"\\[AZ]|\(\?[aiLmsuxP]", pattern)


def test_times_are_marked_as_such():
    for name in GOES_OUT:
        for field, entry in SCHEMAS[name].get("properties", {}).items():
            is_time = field.endswith("_at") or field in ("at", "deadline")
            assert (entry.get("format") == "date-time") == is_time, f"{name}.{field}"


def test_descriptions_do_not_run_into_each_other():
    """The description of one property had swallowed those of the next."""
    for name, schema in SCHEMAS.items():
        fields = "|".join(schema.get("properties", {})) or "-"
        for field, entry in schema.get("properties", {}).items():
            assert not re.search(rf"\. ({fields}): ", entry.get("description", "")), f"{name}.{field}"


def test_which_operations_need_a_token():
    secured = {operation.id: operation.entry["security"] for operation in operations().values()}
    for_all, for_players = [{}, {"token": []}], [{"token": []}]
    assert secured == {
        **dict.fromkeys(
            ["listGames", "getGame", "listMatches", "getMatch", "getView", "listEvents", "getReplay"], for_all
        ),
        **dict.fromkeys(
            ["getMe", "renewToken", "listMyMatches", "createMatch", "joinMatch", "startMatch", "playMove"], for_players
        ),
        **dict.fromkeys(["joinByCode", "leaveMatch"], for_players),
        "createPlayer": [],
    }
    assert document()["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
