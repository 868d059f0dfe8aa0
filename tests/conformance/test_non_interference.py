"""Nobody can tell a state from another one that looks alike to them, by anything that they receive."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.play import Playthrough, playthroughs, whole_matches

from engine.game import AnyGame, IllegalMove, Seat, State
from engine.randomness import Stream

bounded = whole_matches(6)


def seen(game: AnyGame, state: State, viewer: Seat | None) -> bytes:
    """Everything that a state shows a viewer."""
    parts: list[Any] = [game.table(state), game.deciding(state), game.result(state)]
    if viewer is not None:
        parts += [game.hand(state, viewer), game.legal_moves(state, viewer)]
        if viewer in game.deciding(state):
            parts.append(game.kind(state, viewer))
    return msgspec.json.encode(parts)


def answer(game: AnyGame, state: State, seat: Seat, move: Any, random: Stream) -> str:
    """Whether a move is accepted, or why not."""
    try:
        game.play(game.load(game.dump(state)), seat, move, random)
    except IllegalMove as refusal:
        return refusal.reason
    return "accepted"


def resampled(match: Playthrough, viewer: Seat | None, number: int) -> State:
    """Another state that this viewer cannot tell apart from the match's."""
    random = Stream(b"resample %d %d" % (number, -1 if viewer is None else viewer))
    return match.game.resample(match.state, match.seen_by(viewer), viewer, random)


@bounded
@given(data=st.data())
def test_other_states_look_the_same(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for _ in match.steps():
        truth = game.dump(match.state)
        for viewer in match.viewers():
            other = resampled(match, viewer, len(match.moves))
            assert game.dump(match.state) == truth, "resampling changed the true state"
            assert seen(game, other, viewer) == seen(game, match.state, viewer)


@bounded
@given(data=st.data())
def test_refusals_tell_nothing(game: AnyGame, data: st.DataObject):
    """Every move that was ever listed is answered alike in both states."""
    match = data.draw(playthroughs(game))
    known: dict[bytes, Any] = {}
    for _ in match.steps():
        for seat in range(match.seats):
            known |= {msgspec.json.encode(move): move for move in game.legal_moves(match.state, seat)}
            other = resampled(match, seat, len(match.moves))
            for text in data.draw(st.lists(st.sampled_from(sorted(known)), max_size=4)) if known else []:
                here = answer(game, match.state, seat, known[text], match.next_stream())
                assert answer(game, other, seat, known[text], match.next_stream()) == here


@bounded
@given(data=st.data())
def test_what_is_hidden_varies(game: AnyGame, data: st.DataObject):
    """Resampling does not just give the truth back: in the middle of a match it hardly ever does for a spectator."""
    match = data.draw(playthroughs(game))
    steps = differing = 0
    for state in match.steps():
        if game.result(state) is None:
            steps += 1
            differing += game.dump(resampled(match, None, len(match.moves))) != game.dump(state)
    assert differing > steps / 2


def told(events: list[Any]) -> tuple[list[Any], list[str]]:
    """What some events tell: the public parts in order, and everything in ``you``.

    When a viewer draws twice in one move, which card comes first is chance's to tell; the views after it are equal
    all the same. So of ``you`` only counts what it holds, not in which event it stands.
    """
    open_parts = [msgspec.structs.replace(event, you=None) for event in events]
    secrets = sorted(leaf for event in events for leaf in leaves(msgspec.to_builtins(event.you)))
    return open_parts, secrets


def leaves(value: Any, path: str = "") -> list[str]:
    """Every single value in nested ones, with the names on the way to it."""
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, f"{path}/{key}")]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner, path)]
    return [f"{path}={value!r}"]


@bounded
@given(data=st.data())
def test_playing_on_tells_nothing(game: AnyGame, data: st.DataObject):
    """The same moves are played in both states, as long as they are legal in both and look alike to the viewer.

    As long as the views are equal, so are the events that the viewer reads, and who is asked for what. When chance
    or the rules reveal a difference, the views differ and the comparison is over.
    """
    match = data.draw(playthroughs(game))
    chance = Stream(data.draw(st.binary(min_size=8, max_size=8)))
    compared = 0
    for _ in match.steps():
        viewer = chance.choice(match.viewers())
        here, there = match.copy(), resampled(match, viewer, len(match.moves))
        for number in range(1, 9):
            moves = [
                (seat, move)
                for seat in game.deciding(here)
                for move in game.legal_moves(here, seat)
                if move in game.legal_moves(there, seat)
            ]
            if not moves:
                break
            seat, move = chance.choice(moves)
            events = [
                [event.seen_by(viewer) for event in game.play(state, seat, move, Stream(b"on %d" % number))]
                for state in (here, there)
            ]
            if seen(game, here, viewer) != seen(game, there, viewer):
                break
            assert told(events[0]) == told(events[1]), f"{viewer} can tell by the events after {move}"
            assert [game.kind(here, seat) for seat in game.deciding(here)] == [
                game.kind(there, seat) for seat in game.deciding(there)
            ]
            compared += 1
    assert compared > 0
