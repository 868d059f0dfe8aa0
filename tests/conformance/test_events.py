"""What the log tells: everybody the same but for ``you``, and nothing that is not an event of the game."""

from __future__ import annotations

from typing import get_args

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.play import playthroughs, whole_matches

from engine.catalogue import GAMES
from engine.game import AnyGame, Event

bounded = whole_matches(8)


@bounded
@given(data=st.data())
def test_readers_differ_in_you_only(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for _ in match.steps():
        pass
    assert match.log
    for event in match.log:
        assert isinstance(event.public, get_args(game.event_type))
        assert event.public.you is None
        assert event.seen_by(None) == event.public
        for seat, private in event.private.items():
            assert 0 <= seat < match.seats
            assert private.you is not None
            assert msgspec.structs.replace(private, you=None) == event.public


@bounded
@given(data=st.data())
def test_the_log_survives_storing(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for _ in match.steps():
        pass
    stored = msgspec.msgpack.encode(match.log)
    assert msgspec.msgpack.decode(stored, type=list[Event[game.event_type]]) == match.log


def test_types_of_events_belong_to_one_game():
    tags = [member.__struct_config__.tag for game in GAMES.values() for member in get_args(game.event_type)]
    assert len(tags) == len(set(tags))
