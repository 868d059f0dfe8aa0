"""A replay proves how a match went, and one that was changed anywhere is refused with the place named."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from support.play import Playthrough

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.randomness import VERSION, Randomness, commitment
from engine.replay import BadReplay, ReplaySeat, ReplayTypes, events_of, read, verify

MATCH = "a-match-of-the-tests"
SEED = bytes(range(32))
ENTROPIES = ["", "heads", "", "tails", "", ""]
NOON = "2026-01-01T12:00:00Z"


def replay_of(game: AnyGame) -> dict[str, Any]:
    """The replay of a random match, as JSON values."""
    seats = game.seats[-1]
    match = Playthrough(game, seats, game.options_type(), SEED)
    match.randomness = Randomness(MATCH, SEED, [entropy.encode() for entropy in ENTROPIES[:seats]])
    match.state, match.log = game.deal(seats, match.options, match.randomness.deal())
    for _ in match.steps():
        pass
    types = ReplayTypes(game)
    replay = types.replay(
        match=MATCH,
        rules_version=game.rules_version,
        randomness_version=VERSION,
        options=match.options,
        seats=[ReplaySeat(seat=seat, name=f"Player {seat}", entropy=ENTROPIES[seat]) for seat in range(seats)],
        seed=SEED.hex(),
        commitment=commitment(MATCH, SEED),
        moves=[
            types.move(number=number, at=NOON, seat=seat, move=move, stand_in=False)
            for number, (seat, move) in enumerate(match.moves, start=1)
        ],
        events=events_of(types, [(NOON, event) for event in match.log]),
        result=game.result(match.state),
    )
    return msgspec.to_builtins(replay)


@pytest.fixture(scope="module", params=list(GAMES.values()), ids=list(GAMES))
def original(request: pytest.FixtureRequest) -> str:
    return json.dumps(replay_of(request.param))


def refusal(replay: dict[str, Any]) -> str:
    """The place that a replay is refused for."""
    with pytest.raises(BadReplay) as refused:
        verify(*read(json.dumps(replay).encode(), GAMES))
    return refused.value.place


def test_a_true_replay_is_confirmed(original: str):
    verify(*read(original.encode(), GAMES))


def test_another_seed(original: str):
    replay = json.loads(original)
    for place in (0, 31, 63):
        digit = "0" if replay["seed"][place] != "0" else "1"
        changed = replay["seed"][:place] + digit + replay["seed"][place + 1 :]
        assert refusal({**replay, "seed": changed}) == "/commitment"
        # Even with a fitting commitment, the shuffles tell.
        forged = commitment(MATCH, bytes.fromhex(changed))
        assert refusal({**replay, "seed": changed, "commitment": forged}).startswith(("/events/", "/moves/"))


def test_another_entropy_or_match(original: str):
    replay = json.loads(original)
    replay["seats"][1]["entropy"] = "headz"
    assert refusal(replay).startswith(("/events/", "/moves/"))
    assert refusal({**json.loads(original), "match": "another"}) == "/commitment"


def test_every_single_move_counts(original: str):
    """A move that is changed, dropped, doubled or given to somebody else is found, and nothing before it is blamed."""
    moves = json.loads(original)["moves"]
    for place in range(0, len(moves), 7):
        for change in (
            lambda entries, place: entries.pop(place),
            lambda entries, place: entries.insert(place, entries[place]),
            lambda entries, place: entries[place].update(seat=entries[place]["seat"] + 1),
        ):
            replay = json.loads(original)
            change(replay["moves"], place)
            blamed = refusal(replay)
            kind, number = blamed.split("/")[1:3] if blamed.count("/") > 1 else (blamed, None)
            assert kind in ("moves", "events", "/events", "/result")
            if kind == "moves":
                assert int(number) >= place


def test_every_single_card_counts(original: str):
    """Each number and text in the log is changed, one at a time; the place of the first difference is named."""
    replay = json.loads(original)
    for place, event in enumerate(replay["events"]):
        for part in ("public", "private"):
            for changed in changes(event[part]):
                events = [*replay["events"]]
                events[place] = {**event, part: changed}
                with pytest.raises(BadReplay) as refused:
                    verify(*read(json.dumps({**replay, "events": events}).encode(), GAMES))
                # Some changes make it no replay at all; every other one is found where it is.
                assert refused.value.place in ("", f"/events/{place}/{part}")
        if place > 25:
            break


def changes(value: Any) -> Any:
    """Every value that differs in one leaf."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield value + "x"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: changed} for changed in changes(inner))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in changes(inner))
        if len(value) > 1 and value[0] != value[1]:
            yield [value[1], value[0], *value[2:]]


def test_events_more_or_fewer_or_renumbered(original: str):
    replay = json.loads(original)
    assert refusal({**replay, "events": replay["events"][:-1]}) == "/events"
    extra = {**replay["events"][-1], "number": len(replay["events"]) + 1}
    assert refusal({**replay, "events": [*replay["events"], extra]}) == f"/events/{len(replay['events'])}"
    replay["events"][3]["number"] = 9
    assert refusal(replay) == "/events/3/number"
    replay = json.loads(original)
    replay["moves"][3]["number"] = 9
    assert refusal(replay) == "/moves/3/number"


def test_a_seat_that_there_is_not(original: str):
    for seat in (-1, 99):
        replay = json.loads(original)
        replay["moves"][2]["seat"] = seat
        assert refusal(replay) == "/moves/2/seat"


def test_another_result(original: str):
    replay = json.loads(original)
    replay["result"]["seats"][0]["won"] = not replay["result"]["seats"][0]["won"]
    assert refusal(replay) == "/result"


def test_what_is_no_replay_of_ours(original: str):
    replay = json.loads(original)
    assert refusal({**replay, "game": "poker"}) == "/game"
    assert refusal({**replay, "rules_version": 99}) == "/rules_version"
    assert refusal({**replay, "randomness_version": 99}) == "/randomness_version"
    assert refusal({**replay, "seed": "zz"}) == "/seed"
    assert refusal({**replay, "seed": "00"}) == "/seed"
    assert refusal({name: value for name, value in replay.items() if name != "moves"}) == ""
    for text in (b"", b"[]", b"{}", b"nonsense"):
        with pytest.raises(BadReplay):
            read(text, GAMES)
