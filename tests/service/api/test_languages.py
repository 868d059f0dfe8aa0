"""Problems are told in the language that was asked for, from the title to the last field, and mean the same in all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from support.bodies import Body, bodies, wrong_values
from support.clients import Answer, Client, InProcess, seated
from support.contract import operations

from engine.inside_job import INSIDE_JOB
from service import texts
from service.problems import NOT_VALID

LANGUAGES = texts.LANGUAGES
BODIES = bodies()
NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"
MARKER = "MARKER-of-the-caller"


def asking(language: str) -> dict[str, str]:
    return {"Accept-Language": language}


def told(call: Callable[[dict[str, str]], Answer]) -> dict[str, Answer]:
    """The same refusal in every language; each is in it, and all mean the same."""
    answers = {language: call(asking(language)) for language in LANGUAGES}
    for language, answer in answers.items():
        assert answer.status >= 400
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]
    assert len({repr(meaning(answer.body)) for answer in answers.values()}) == 1
    for in_all_languages in zip(*(words(answer.body) for answer in answers.values()), strict=True):
        assert len(set(in_all_languages)) == len(LANGUAGES), in_all_languages
    return answers


def meaning(problem: Any) -> dict[str, Any]:
    """What a program reads of a problem."""
    errors = [error["pointer"] for error in problem.get("errors", ())]
    return {**{name: problem.get(name) for name in ("type", "status", "code", "reason")}, "errors": errors}


def words(problem: Any) -> list[str]:
    """What a person reads of it."""
    details = [error["detail"] for error in problem.get("errors", ())]
    return [problem["title"], *([problem["detail"]] if "detail" in problem else []), *details]


def nowhere(operation: str) -> dict[str, str]:
    """A match that there is none of: what is wrong with a request by itself is said before it is looked for."""
    return {"match": NOWHERE} if "{match}" in operations()[operation].path else {}


@pytest.fixture(scope="module")
def ada(app: Flask) -> Client:
    return Client(InProcess(app.test_client())).become("Ada")


# --- wrong bodies ---


def wrong_bodies(body: Body) -> Iterator[tuple[str, Any]]:
    """What can be wrong with a body, each with where that is."""
    for place in body.places:
        if place.path:
            yield from (
                (place.pointer, body.with_value(place.path, wrong)) for wrong in wrong_values(place.schema).values()
            )
        if place.required and place.path:
            yield place.pointer, body.without(place.path)
        if place.schema["type"] == "object":
            yield f"{place.pointer}/unknown", body.with_value((*place.path, "unknown"), 0)
    for other in ([], "x", 5, True):
        yield "", other


@pytest.mark.parametrize("body", BODIES, ids=lambda body: f"{body.operation} {body.label}".strip())
def test_a_wrong_body_is_refused_in_every_language(ada: Client, body: Body):
    unhelpful = {texts.detail(NOT_VALID, language) for language in LANGUAGES}
    about = nowhere(body.operation)
    for pointer, wrong in wrong_bodies(body):
        answers = told(lambda headers, wrong=wrong: ada.call(body.operation, wrong, headers=headers, **about))
        problem = answers["de"].body
        assert (problem["code"], problem["title"]) == ("invalid", "Die Anfrage hat nicht die richtige Form")
        assert pointer in meaning(problem)["errors"]
        assert not unhelpful & set(words(problem)), pointer


@pytest.mark.parametrize("body", BODIES, ids=lambda body: f"{body.operation} {body.label}".strip())
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_sent_is_not_repeated(ada: Client, body: Body, language: str):
    """Regression 19: nothing is echoed. A name that is not known is: it is where the fault is."""
    about = nowhere(body.operation)
    for place in body.places:
        for wrong in (MARKER, [MARKER], {MARKER: MARKER}):
            answer = ada.call(body.operation, body.with_value(place.path, wrong), headers=asking(language), **about)
            if answer.status >= 400:
                assert not [text for text in words(answer.body) if MARKER in text]


@pytest.mark.parametrize("operation", ["listGames", "getMe", "getMatch", "getView"])
def test_an_unknown_parameter_is_refused_in_every_language(ada: Client, operation: str):
    about = nowhere(operation)
    answers = told(lambda headers: ada.call(operation, query=f"?{MARKER}={MARKER}", headers=headers, **about))
    assert answers["nl"].body["errors"] == [
        {"pointer": f"?{MARKER}", "detail": "Onder deze naam bestaat hier niets."},
    ]


QUERIES = [
    (operation.id, parameter["name"])
    for operation in operations().values()
    for parameter in operation.entry.get("parameters", ())
    if parameter["in"] == "query" and parameter["name"] != "cursor"
]


@pytest.mark.parametrize(("operation", "name"), QUERIES)
def test_a_wrong_parameter_is_refused_in_every_language(ada: Client, operation: str, name: str):
    for wrong in ("", "x", "-1", "1.5", "%20", MARKER, "9" * 30):
        query = f"?{name}={wrong}"
        answers = told(
            lambda headers, query=query: ada.call(operation, query=query, headers=headers, **nowhere(operation))
        )
        assert [error["pointer"] for error in answers["de"].body["errors"]] == [f"?{name}"]
        assert MARKER.encode() not in answers["de"].raw


@pytest.mark.parametrize("operation", ["listMatches", "listMyMatches"])
def test_a_wrong_cursor_is_refused_in_every_language(ada: Client, operation: str):
    """It is opaque, so there is nothing more to say of what is wrong with it."""
    answers = told(lambda headers: ada.call(operation, query=f"?cursor={MARKER}", headers=headers))
    assert answers["de"].body["title"] == "Der Cursor gehört nicht zu dieser Liste"
    assert MARKER.encode() not in answers["de"].raw


@pytest.mark.parametrize("operation", ["listMatches", "listMyMatches"])
def test_a_parameter_given_twice_is_refused_in_every_language(ada: Client, operation: str):
    answers = told(lambda headers: ada.call(operation, query="?limit=1&limit=1", headers=headers))
    assert answers["de"].body["errors"] == [{"pointer": "?limit", "detail": "Das ist mehrmals angegeben."}]


def test_there_are_parameters():
    assert ("listEvents", "after") in QUERIES


def test_a_header_that_is_not_supported_is_named_in_every_language(ada: Client):
    answers = told(lambda headers: ada.call("getMe", headers={**headers, "If-Match": f'"{MARKER}"'}))
    assert answers["de"].body["detail"] == "If-Match wird hier nicht unterstützt."
    assert MARKER.encode() not in answers["de"].raw


# --- rules ---


def test_an_illegal_move_is_told_what_the_rule_demands(visitor: Client):
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    table = players[seat].view(match)["table"]
    foreign = next(
        place for place, land in enumerate(table["landscapes"]) if land["house"] != table["seats"][seat]["house"]
    )
    body = {"decision": 1, "move": {"type": "place_farm", "landscape": foreign}}
    answers = told(lambda headers: players[seat].call("playMove", body, match=match, headers=headers))
    assert answers["en"].body["reason"] == "foreign-house"
    assert {language: answer.body["detail"] for language, answer in answers.items()} == {
        "en": "A building may only be laid under a landscape of your own house.",
        "de": "Ein Gebäude darf nur unter eine Landschaft des eigenen Hauses gelegt werden.",
        "nl": "Een gebouw mag alleen onder een landschap van je eigen huis worden gelegd.",
    }


def test_a_move_of_another_game_is_told_so(visitor: Client):
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    body = {"decision": 1, "move": {"type": "decline_swap"}}
    answers = told(lambda headers: players[seat].call("playMove", body, match=match, headers=headers))
    assert answers["de"].body["detail"] == "Der Zug muss zum Spiel dieser Partie gehören."


def test_bad_options_are_told_what_the_rule_demands(ada: Client):
    options = {"special_roles": ["risk_agent"], "wagers": False}
    body = {"game": INSIDE_JOB.id, "seats": 4, "visibility": "public", "options": options}
    answers = told(lambda headers: ada.call("createMatch", body, headers=headers))
    expected = {
        "en": "The Risk Agent needs a match with wagers.",
        "de": "Die Risiko-Agentin braucht eine Partie mit Einsätzen.",
        "nl": "De Risico-agente heeft een partij met inzetten nodig.",
    }
    for language, answer in answers.items():
        assert (answer.code, answer.body["reason"]) == ("bad-options", "risk-agent-needs-wagers")
        assert answer.body["detail"] == expected[language]
        assert answer.body["errors"] == [{"pointer": "/options/special_roles", "detail": expected[language]}]


# --- which language ---


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        *[(None, "en"), ("", "en"), ("de", "de"), ("DE", "de"), ("de-AT", "de"), ("nl-BE", "nl"), ("de-CH-1996", "de")],
        *[("fr", "en"), ("fr, nl;q=0.1", "nl"), ("zh-Hant-TW, de;q=0.2, nl;q=0.8", "nl"), ("nl-BE, en;q=0.9", "nl")],
        *[("*", "en"), ("de, *", "de"), ("*, de;q=0.5", "de"), ("fr, *;q=0.1", "en"), ("de;q=0.4, *;q=0.3", "de")],
        *[("de;q=0", "en"), ("de;q=0, nl;q=0.5", "nl"), ("de-AT;q=0, nl", "nl"), ("*;q=0", "en"), ("en;q=0", "en")],
        *[("en;q=0, *", "de"), ("en;q=0, de;q=0, *;q=0.1", "nl"), ("en;q=0, de;q=0, nl;q=0, *", "en")],
        *[("de;q=nonsense", "en"), ("de;q=2", "en"), ("de;q=-1", "en"), (";;;,,,=", "en"), ("../de", "en")],
        *[
            ("d e", "en"),
            ("german", "en"),
            ("x" * 5000, "en"),
            (",".join(["xx"] * 1000 + ["nl"]), "nl"),
            ("\xff", "en"),
        ],
    ],
    ids=lambda value: str(value)[:40],
)
def test_the_language_is_the_one_that_suits_best(visitor: Client, wanted: str | None, spoken: str):
    headers = {} if wanted is None else asking(wanted)
    problem = visitor.call("getGame", game="chess", headers=headers)
    assert (problem.status, problem.headers["Content-Language"]) == (404, spoken)
    assert problem.body["title"] == texts.title("no-such-game", spoken)
    game = visitor.call("getGame", game="verraeter", headers=headers)
    assert (game.status, game.headers["Content-Language"]) == (200, spoken)
    assert game.body["names"] == texts.names("verraeter", spoken)


def test_what_is_no_text_says_nothing_of_languages(visitor: Client):
    """Views and cards carry ids only, and are the same for all."""
    match, players = seated(visitor)
    for operation in ("getMatch", "getView"):
        answer = players[0].call(operation, match=match, headers=asking("de"))
        assert "Content-Language" not in answer.headers
        assert "Accept-Language" not in answer.headers["Vary"]
        assert answer.raw == players[0].call(operation, match=match, headers=asking("nl")).raw
