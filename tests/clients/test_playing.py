"""Clients that were generated from the contract play whole matches, with nothing but the generated types."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from clients import harness
from support.server import Server

FACTS = {
    "verraeter": ("landscapes", "supplies", "a farm under landscape"),
    "kabale": ("drew", "columns of", "into column"),
    "inside_job": ("dealt", "; trick ", "mission"),
}
"""What each client reads out of the first event, a view and a move of each game."""

WAYS_AROUND = {
    "python": r"\bAny\b|\bcast\(|type: *ignore|noqa|\bjson\b|\.content\b|_dict\(|additional_properties|getattr",
    "typescript": r"\bany\b|\bunknown\b|\bas\s+(?!\{)|<any>|@ts-|JSON\.parse|\.json\(|\bRequest\b|\bfetch\(|!\.|!\[",
    "kotlin": r"\bAny\b|\bas\b|!!|JsonElement|JsonObject|jsonPrimitive|@Suppress|okhttp3\.(?!OkHttpClient)",
}
"""What would get past the types."""


@pytest.mark.parametrize("game", harness.SEATS)
@pytest.mark.parametrize("language", harness.PLAYING)
def test_a_client_plays_a_whole_match(built: Callable[[str], Path], server: Server, language: str, game: str):
    told = harness.play(language, built(language), server.address, game)
    visitor = server.visitor()
    card = visitor.card(told.match)
    replay = visitor.call("getReplay", match=told.match).body
    assert (card["game"], card["status"], card["waiting_on"]) == (game, "finished", [])
    assert len(card["seats"]) == harness.SEATS[game]
    assert len(replay["moves"]) == told.moves >= harness.SEATS[game]  # an Inside Job may be over after one trick
    assert not any(move["stand_in"] for move in replay["moves"])
    assert len(replay["events"]) == told.events > told.moves
    assert told.facts["twice"] == "409 decision-closed"
    names = visitor.call("getGame", game=game).body["names"]
    assert told.facts["ending"] == names[card_result(visitor.view(told.match))]
    for fact in FACTS[game]:
        assert any(fact in line for line in told.facts.values()), f"{fact} is in none of {told.facts}"


def card_result(view: dict[str, dict[str, str]]) -> str:
    return view["result"]["ending"]


@pytest.mark.parametrize("language", harness.PLAYING)
def test_a_client_uses_the_generated_types_only(language: str):
    programs = [file for file in (harness.HERE / language).glob("*.*") if file.suffix in (".py", ".ts", ".kt")]
    assert len(programs) == 2
    for file in programs:
        lines = [line for line in file.read_text("utf-8").splitlines() if not line.lstrip().startswith(("//", "/**"))]
        around = [line for line in lines if re.search(WAYS_AROUND[language], line)]
        assert around == [], f"{file.name} gets past its types: {around}"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("python", "view: Any = get_view.sync(match)"),
        ("python", "move = cast(PlaceCard, move)"),
        ("python", "return answer  # type: ignore[return-value]"),
        ("typescript", "const view = (await get()) as View;"),
        ("typescript", "const view: any = 1;"),
        ("typescript", "// @ts-expect-error".removeprefix("// ")),
        ("kotlin", "val view = answer as View"),
        ("kotlin", "val you = view.you!!"),
    ],
)
def test_a_way_around_would_be_found(language: str, line: str):
    assert re.search(WAYS_AROUND[language], line)
