"""Resampled states look the same to the viewer, and nothing in them contradicts what it has seen."""

from collections import Counter

import msgspec
import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import COMPONENTS

ALL_CARDS = sorted(card.id for card in COMPONENTS.cards)
ORDER = [card.id for card in COMPONENTS.cards]


@pytest.fixture(scope="module")
def pairs(positions, late_positions):
    """For every state and viewer: the position, the viewer, the state before, the resampled one."""
    found = []
    for position in positions + late_positions[::3]:
        for viewer in position.viewers:
            before = INSIDE_JOB.dump(position.state)
            found.append((position, viewer, before, position.resampled(viewer)))
    return found


def test_looks_the_same_to_the_viewer(pairs):
    """Rules, section 10: the table, the own hand, who decides and the own legal moves."""
    for position, viewer, before, other in pairs:
        assert INSIDE_JOB.dump(position.state) == before
        assert INSIDE_JOB.table(other.state) == INSIDE_JOB.table(position.state)
        assert INSIDE_JOB.deciding(other.state) == INSIDE_JOB.deciding(position.state)
        if viewer is not None:
            assert INSIDE_JOB.hand(other.state, viewer) == INSIDE_JOB.hand(position.state, viewer)
            own_moves = INSIDE_JOB.legal_moves(position.state, viewer)
            assert INSIDE_JOB.legal_moves(other.state, viewer) == own_moves


def test_can_have_come_about(pairs):
    """Rules, sections 3 to 9: dealt and played again, it shows the viewer the same events and ends in this state."""
    for position, viewer, _, other in pairs:
        assert other.can_have_come_about(viewer, position.log), (position.name, viewer)


def test_replay_knows_the_truth_and_refuses_what_cannot_be(positions):
    """The check itself: true states pass; with two cards or two roles swapped most do not, to somebody."""
    refused = Counter()
    for position in positions[::5]:
        for viewer in position.viewers:
            assert position.can_have_come_about(viewer, position.log)
        state = INSIDE_JOB.load(INSIDE_JOB.dump(position.state))
        one, other = state.players[0], state.players[1]
        if one.hand and other.hand:
            one.hand[-1], other.hand[0] = other.hand[0], one.hand[-1]
            one.hand.sort(key=ORDER.index)
            other.hand.sort(key=ORDER.index)
            refused["hand"] += not type(position)(state, position.log, "").can_have_come_about(None, position.log)
        state = INSIDE_JOB.load(INSIDE_JOB.dump(position.state))
        one, other = state.players[0], state.players[1]
        one.role, other.role = other.role, one.role
        refused["role"] += not type(position)(state, position.log, "").can_have_come_about(None, position.log)
    assert min(refused["hand"], refused["role"]) > 10


def test_is_a_proper_state(pairs):
    """Rules, sections 2 and 8: cards, missions and roles are complete, and sorted where states keep them sorted."""
    for position, _, _, other in pairs:
        true, state = position.state, other.state
        played = [event.public.card for event in position.log if hasattr(event.public, "card")]
        assert sorted([c for player in state.players for c in player.hand] + state.undealt + played) == ALL_CARDS
        for cards in (state.undealt, *(player.hand for player in state.players)):
            assert cards == sorted(cards, key=ORDER.index)
        assert state.drawn == sorted(state.drawn)
        assert [len(player.hand) for player in state.players] == [len(player.hand) for player in true.players]
        assert sorted(other.roles) == sorted(position.roles)
        assert hidden_missions(state) == hidden_missions(true)


def hidden_missions(state):
    return sorted(state.mission_deck + state.drawn + [m for player in state.players for m in player.discarded])


def test_nothing_but_hidden_things_differs(pairs):
    """Set them back to the true ones, and the states are equal."""
    for position, _, before, other in pairs:
        mixed = INSIDE_JOB.load(INSIDE_JOB.dump(other.state))
        true = position.state
        mixed.undealt, mixed.mission_deck, mixed.drawn = true.undealt, true.mission_deck, true.drawn
        for player, own in zip(mixed.players, true.players, strict=True):
            player.role, player.hand, player.discarded, player.vote = own.role, own.hand, own.discarded, own.vote
        assert INSIDE_JOB.dump(mixed) == before


def test_shares_nothing_with_the_true_state(pairs):
    """Playing on in the one must not change the other."""

    def mutable_parts(value):
        if isinstance(value, list) or (isinstance(value, msgspec.Struct) and not value.__struct_config__.frozen):
            yield id(value)
        if isinstance(value, msgspec.Struct):
            value = [getattr(value, name) for name in value.__struct_fields__]
        if isinstance(value, list | tuple):
            for part in value:
                yield from mutable_parts(part)

    for position, _, _, other in pairs[::17]:
        assert not set(mutable_parts(position.state)) & set(mutable_parts(other.state))


def test_depends_on_what_the_viewer_knows_alone(pairs):
    """States that look alike to a viewer are resampled alike: nothing of the true one shines through."""
    for position, viewer, _, other in pairs[::4]:
        for number in (0, 1):
            again = type(position)(other.state, position.log, position.name).resampled(viewer, number)
            assert INSIDE_JOB.dump(again.state) == INSIDE_JOB.dump(position.resampled(viewer, number).state)


def test_varies(positions):
    """Roles, hands, undealt cards, missions: as long as they are hidden they come out differently."""
    varied = Counter()
    for position in positions[::10]:
        for viewer in position.viewers:
            others = [position.resampled(viewer, number) for number in range(12)]
            for name, look in {
                "roles": lambda other: other.roles,
                "hands": lambda other: other.hands,
                "undealt": lambda other: tuple(other.state.undealt),
                "missions": lambda other: other.missions,
                "drawn": lambda other: tuple(other.state.drawn),
            }.items():
                varied[name] += len({look(other) for other in others}) > 1
            if len(position.log) < 4 and viewer is not None and position.roles[viewer] == "agent":
                assert len({other.roles for other in others}) > 1
    assert min(varied.values()) > 40


def test_playing_on_shows_the_viewer_the_same(positions):
    """The same legal moves lead to the same views and events, until something hidden comes to light."""
    compared = 0
    for position in positions[::3]:
        for viewer in position.viewers:
            compared += _play_on(position, viewer)
    assert compared > 800


COMING_TO_LIGHT = {"role_turned_up", "votes_shown", "inside_job_ended"}


def _play_on(position, viewer):
    """Play moves that are legal in both states while nothing hidden comes to light; how many there were."""
    states = [INSIDE_JOB.load(INSIDE_JOB.dump(state)) for state in (position.state, position.resampled(viewer).state)]
    for step in range(12):
        (seat, *_) = INSIDE_JOB.deciding(states[0]) or (None,)
        if seat is None:
            return step
        lists = [INSIDE_JOB.legal_moves(state, seat) for state in states]
        common = [move for move in lists[0] if move in lists[1]]
        if not common:
            return step
        move = common[step * 7 % len(common)]
        logs = [INSIDE_JOB.play(state, seat, move, None) for state in states]
        if COMING_TO_LIGHT & {event.public.__struct_config__.tag for log in logs for event in log}:
            return step
        told = [[event.seen_by(viewer) for event in log] for log in logs]
        if told[0] != told[1] and any(event.you for event in told[0]):
            return step  # the viewer learns something new
        assert told[0] == told[1]
        assert INSIDE_JOB.table(states[0]) == INSIDE_JOB.table(states[1])
        if viewer is not None:
            assert INSIDE_JOB.hand(states[0], viewer) == INSIDE_JOB.hand(states[1], viewer)
    return 12
