"""Whatever is listed is accepted, and whatever is not listed is refused and changes nothing."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.play import Playthrough, playthroughs, whole_matches

from engine.game import AnyGame, IllegalMove, Seat

bounded = whole_matches(8)


def refused(match: Playthrough, seat: Seat, move: Any) -> None:
    """Assert that a move is refused with an announced reason, and that nothing has changed."""
    before = match.game.dump(match.state)
    with pytest.raises(IllegalMove) as refusal:
        match.game.play(match.state, seat, move, match.next_stream())
    assert refusal.value.reason in match.game.refusals
    assert match.game.dump(match.state) == before, f"{move} was refused and left a trace"


@bounded
@given(data=st.data())
def test_listed_moves_are_accepted(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for _ in match.steps():
        for seat in game.deciding(match.state):
            listed = game.legal_moves(match.state, seat)
            assert listed, f"seat {seat} is asked and has no answer"
            encoded = [msgspec.json.encode(move) for move in listed]
            assert len(set(encoded)) == len(encoded), "a move is listed twice"
            for text, move in zip(encoded, listed, strict=True):
                sent_back = msgspec.json.decode(text, type=game.move_type)
                assert sent_back == move
                game.play(match.copy(), seat, sent_back, match.next_stream())


@bounded
@given(data=st.data())
def test_unlisted_moves_are_refused(game: AnyGame, data: st.DataObject):
    """Tried are all moves that were listed for anybody at any moment before, and the seats that are not asked."""
    match = data.draw(playthroughs(game))
    known: dict[bytes, Any] = {}
    for _ in match.steps():
        for seat in range(match.seats):
            listed = {msgspec.json.encode(move): move for move in game.legal_moves(match.state, seat)}
            known |= listed
            unlisted = sorted(set(known) - set(listed))
            for text in data.draw(st.lists(st.sampled_from(unlisted), max_size=3)) if unlisted else []:
                refused(match, seat, known[text])


@bounded
@given(data=st.data())
def test_only_who_is_asked_may_move(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for _ in match.steps():
        deciding = game.deciding(match.state)
        assert list(deciding) == sorted(set(deciding))
        assert all(0 <= seat < match.seats for seat in deciding)
        others = [seat for seat in range(match.seats) if seat not in deciding]
        for seat in others:
            assert game.legal_moves(match.state, seat) == []
        for seat in deciding:
            assert game.kind(match.state, seat) in game.kinds
            move = game.legal_moves(match.state, seat)[0]
            for other in others:
                refused(match, other, move)


def test_types_of_moves_belong_to_one_game():
    from engine.catalogue import GAMES

    tags = [member.__struct_config__.tag for game in GAMES.values() for member in get_args(game.move_type)]
    assert len(tags) == len(set(tags))
