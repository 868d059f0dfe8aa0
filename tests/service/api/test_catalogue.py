"""The catalogue: which games there are, their options, and the names of their components in three languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest
from support.clients import Client
from support.contract import document

NAMES = {
    "verraeter": ("Verräter", "Verräter", "Verräter"),
    "wasteland": ("Wasteland", "Ödnis", "Woestenij"),
    "meadow": ("Meadow", "Weide", "Weide"),
    "river": ("River", "Fluss", "Rivier"),
    "forest": ("Forest", "Wald", "Woud"),
    "village": ("Village", "Dorf", "Dorp"),
    "city": ("City", "Stadt", "Stad"),
    "traitor": ("Traitor", "Verräter", "Verrader"),
    "diplomat_2": ("Diplomat +2", "Diplomat +2", "Diplomaat +2"),
    "diplomat_5": ("Diplomat +5", "Diplomat +5", "Diplomaat +5"),
    "builder": ("Builder", "Baumeister", "Bouwmeester"),
    "strategist": ("Strategist", "Stratege", "Strateeg"),
    "farmer": ("Farmer", "Bauer", "Boer"),
    "eagle": ("House of the Eagle", "Adler", "Adelaar"),
    "rose": ("House of the Rose", "Rose", "Roos"),
    "farm": ("Farm", "Gutshof", "Hoeve"),
    "trading_post": ("Trading post", "Kontor", "Handelskantoor"),
    "supply_card": ("Supply card", "Versorgungskarte", "Bevoorradingskaart"),
    "allegiance_card": ("Allegiance card", "Gesinnungskarte", "Gezindheidskaart"),
    "strategy_card": ("Strategy card", "Strategiekarte", "Strategiekaart"),
    "conflict_card": ("Conflict card", "Konfliktkarte", "Conflictkaart"),
    "start_player_card": ("Start player card", "Startspielerkarte", "Startspelerkaart"),
}
"""The tables of the rules, section 1: English, German, Dutch."""
LANGUAGES = ["en", "de", "nl"]


def details(visitor: Client, language: str | None = None) -> Any:
    headers = {} if language is None else {"Accept-Language": language}
    answer = visitor.call("getGame", game="verraeter", headers=headers)
    assert answer.status == 200
    return answer.body


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_names_are_those_of_the_rules(visitor: Client, language: str):
    expected = {id_: names[LANGUAGES.index(language)] for id_, names in NAMES.items()}
    shown = details(visitor, language)
    assert {id_: shown["names"][id_] for id_ in expected} == expected
    assert shown["name"] == expected["verraeter"]


def test_all_languages_name_the_same_ids(visitor: Client):
    assert len({frozenset(details(visitor, language)["names"]) for language in LANGUAGES}) == 1


def test_every_id_of_a_component_has_a_name(visitor: Client):
    game = details(visitor)
    components = game["components"]
    ids = {entry["id"] for list_ in (components["landscapes"], components["actions"]) for entry in list_}
    ids |= {*components["houses"], *components["building_sides"]}
    assert len(ids) == 6 + 6 + 2 + 2
    assert ids <= set(game["names"])


@pytest.mark.parametrize(
    ("game", "schema", "some"),
    [
        ("verraeter", "Verraeter", {"eagle", "farm", "river", "builder", "build", "over", "place_farm", "farmer"}),
        ("kabale", "Kabale", {"music_3", "king", "storm", "swap_goals", "decline_tuck", "card_placed"}),
        ("inside_job", "InsideJob", {"blue_7", "prof_no", "all_even_blue", "ascending", "vote_tied", "intel_stolen"}),
    ],
)
def test_every_id_that_the_contract_lists_has_a_name(visitor: Client, game: str, schema: str, some: set[str]):
    """The enumerations of what lies on the table, of what a seat knows and is asked, and of what happens."""
    schemas = document()["components"]["schemas"]
    ids = {id_ for part in ("Table", "You", "Event") for id_ in _enumerated(schemas[f"{schema}{part}"])}
    assert some <= ids
    assert ids <= set(visitor.call("getGame", game=game).body["names"])


def _enumerated(schema: Any) -> Iterator[str]:
    """The values of all enumerations of strings in a schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from _enumerated(part)
    elif isinstance(schema, dict):
        yield from (value for value in schema.get("enum", ()) if isinstance(value, str))
        if "$ref" in schema:
            yield from _enumerated(document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
        for name, part in schema.items():
            if name == "properties":
                yield from _enumerated(list(part.values()))
            elif isinstance(part, dict | list) and name != "enum":
                yield from _enumerated(part)


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        *[(None, "en"), ("", "en"), ("fr", "en"), ("*", "en"), ("de", "de"), ("nl", "nl"), ("DE", "de")],
        *[("de-AT", "de"), ("nl-BE, en;q=0.5", "nl"), ("fr, nl;q=0.1", "nl"), ("de;q=0.2, nl;q=0.8", "nl")],
        *[
            ("de;q=0, nl;q=0.5", "nl"),
            ("de;q=0", "en"),
            ("xx-YY", "en"),
            ("de;q=nonsense", "en"),
            ("\xff", "en"),
            ("../de", "en"),
        ],
    ],
)
def test_the_language_is_the_one_that_suits_best(visitor: Client, wanted: str | None, spoken: str):
    headers = {} if wanted is None else {"Accept-Language": wanted}
    for operation, about in [("listGames", {}), ("getGame", {"game": "verraeter"})]:
        answer = visitor.call(operation, headers=headers, **about)
        assert (answer.status, answer.headers["Content-Language"]) == (200, spoken)
    assert answer.body["names"]["river"] == NAMES["river"][LANGUAGES.index(spoken)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogue_is_public_for_five_minutes_and_depends_on_the_language(visitor: Client, language: str):
    for who in (visitor, visitor.become("Ada")):
        for operation, about in [("listGames", {}), ("getGame", {"game": "verraeter"})]:
            answer = who.call(operation, headers={"Accept-Language": language}, **about)
            assert answer.headers["Cache-Control"] == "public, max-age=300"
            assert answer.headers["Vary"] == "Accept-Language"
            assert answer.headers["Content-Language"] == language


def test_the_list_tells_what_can_be_played(visitor: Client):
    game = visitor.call("listGames").body["items"][0]
    assert (game["game"], game["name"], game["seats"], game["rules_version"]) == ("verraeter", "Verräter", [3, 4], 1)
    shown = details(visitor)
    assert {name: shown[name] for name in game} == game


def test_the_points_are_marked_as_reconstructed(visitor: Client):
    """They must never be shown as the printed ones (rules, section 1.1)."""
    components = details(visitor)["components"]
    assert components["landscape_points_source"] == "reconstructed"
    assert [(land["id"], land["base"], land["points"]) for land in components["landscapes"]] == [
        ("wasteland", 0, [3, 2, 1, 1]),
        ("meadow", 3, [5, 3, 2, 1]),
        ("river", 5, [6, 4, 3, 2]),
        ("forest", 7, [8, 5, 3, 2]),
        ("village", 10, [9, 6, 4, 3]),
        ("city", 15, [11, 7, 5, 3]),
    ]


def test_the_components_are_those_of_the_rules(visitor: Client):
    """Section 10."""
    components = details(visitor)["components"]
    assert {entry["value"]: entry["count"] for entry in components["supplies"]} == {2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1}
    assert {entry["seats"]: entry["rounds"] for entry in components["lengths"]} == {3: 9, 4: 8}
    actions = {entry["id"]: (entry["strength"], entry["points"], entry["draws"]) for entry in components["actions"]}
    assert actions == {
        "traitor": (0, 1, 0),
        "diplomat_2": (2, 0, 1),
        "diplomat_5": (5, 0, 0),
        "builder": (0, 0, 0),
        "strategist": (0, 2, 0),
        "farmer": (0, 0, 3),
    }
    limits = (
        "hand_limit",
        "max_draws_per_round",
        "buildings_per_player",
        "max_trading_posts",
        "trading_post_max_points",
    )
    assert [components[name] for name in limits] == [5, 3, 3, 2, 3]
    assert components["start_hand"] == [3, 4, 5]


def test_the_defaults_are_options_that_a_match_can_be_created_with(visitor: Client):
    options = details(visitor)["options"]
    ada = visitor.become("Ada")
    assert ada.card(ada.create(options=options["defaults"]))["options"] == options["defaults"]
    assert ada.card(ada.create())["options"] == options["defaults"]


@pytest.mark.parametrize(
    ("options", "good"),
    [
        ({}, True),
        ({"early_end": "at_once"}, True),
        ({"landscape_points": [[99, 0, 0, 0]] * 6}, True),
        ({"early_end": "never"}, False),
        ({"landscape_points": [[100, 0, 0, 0]] * 6}, False),
        ({"landscape_points": [[0, 0, 0]] * 6}, False),
        ({"landscape_points": [[0, 0, 0, 0]] * 5}, False),
        ({"unknown": 1}, False),
    ],
    ids=str,
)
def test_the_schema_of_the_options_tells_what_will_be_accepted(visitor: Client, options: Any, good: bool):
    """A client can make a form of it."""
    schema = details(visitor)["options"]["schema"]
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(options) == good
    body = {"game": "verraeter", "seats": 3, "visibility": "public", "options": options}
    assert visitor.become("Ada").call("createMatch", body).status == (201 if good else 422)


@pytest.mark.parametrize("game", ["chess", "Kabale", "Verraeter", "verraeter ", "%00", "..", "verraeter\n", "x" * 300])
def test_a_game_that_is_not_there(visitor: Client, game: str):
    answer = visitor.call("getGame", game=game)
    assert (answer.status, answer.code) == (404, "no-such-game")
    assert answer.body.keys() == {"type", "title", "status", "code", "instance"}
