"""Resampled states look the same to the viewer, and nothing in them contradicts what it has seen."""

from collections import Counter

import msgspec
import pytest

from engine.verraeter import VERRAETER

ALL_SUPPLIES = Counter({2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1})
SIX_ACTIONS = ["builder", "diplomat_2", "diplomat_5", "farmer", "strategist", "traitor"]


@pytest.fixture(scope="module")
def pairs(positions):
    """For every state and viewer: the position, the viewer, what is seen of it before and after, the resampled one."""
    found = []
    for position in positions:
        for viewer in position.viewers:
            before = VERRAETER.dump(position.state)
            other = position.resampled(viewer)
            found.append((position, viewer, before, other))
    return found


def test_looks_the_same_to_the_viewer(pairs):
    """Rules, section 6: the table, the own hand and the own legal moves."""
    for position, viewer, before, other in pairs:
        assert VERRAETER.dump(position.state) == before
        assert VERRAETER.table(other.state) == VERRAETER.table(position.state)
        assert VERRAETER.deciding(other.state) == VERRAETER.deciding(position.state)
        if viewer is not None:
            assert VERRAETER.hand(other.state, viewer) == VERRAETER.hand(position.state, viewer)
            own_moves = VERRAETER.legal_moves(position.state, viewer)
            assert VERRAETER.legal_moves(other.state, viewer) == own_moves


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

    for position, _, _, other in pairs[::7]:
        assert not set(mutable_parts(position.state)) & set(mutable_parts(other.state))


def test_nothing_but_hidden_cards_differs(pairs):
    """Set the hidden cards back to the true ones, and the states are equal."""
    for position, _, before, other in pairs:
        mixed = VERRAETER.load(VERRAETER.dump(other.state))
        mixed.draw_pile, mixed.middle = position.state.draw_pile, position.state.middle
        for player, true in zip(mixed.players, position.state.players, strict=True):
            player.supplies, player.offered, player.action = true.supplies, true.offered, true.action
        assert VERRAETER.dump(mixed) == before


def test_is_a_proper_state(pairs):
    """Rules, sections 1 and 4: the cards are complete, and sorted where states keep them sorted."""
    for _, _, _, other in pairs:
        state = other.state
        supplies = Counter(state.draw_pile + state.discard_pile)
        for player in state.players:
            assert player.supplies == sorted(player.supplies)
            supplies.update(player.supplies + (player.played or []))
        assert supplies == ALL_SUPPLIES
        if state.middle:
            kept = [player.action for player in state.players if player.action]
            going_round = state.players[VERRAETER.deciding(state)[0]].offered if state.phase == "draft_action" else []
            assert sorted(state.middle + kept + going_round) == SIX_ACTIONS
            assert state.middle[1:] == sorted(state.middle[1:])
        else:
            assert all(player.action is None and not player.offered for player in state.players)


def test_supplies_can_have_come_about(pairs):
    """Rules, section 4: some course of draws fits the plays, the reshuffles and what the viewer drew itself."""
    for position, viewer, _, other in pairs:
        assert other.has_history(viewer), (position.name, viewer)


def test_draft_can_have_come_about(pairs):
    """Rules, phase 2: everybody was offered what the neighbour passed on, and kept one of it."""
    for _, _, _, other in pairs:
        state = other.state
        passed = sorted(set(SIX_ACTIONS) - set(state.middle[:1]))
        seats = len(state.players)
        for step in range(seats):
            player = state.players[(state.start_seat + step) % seats]
            if player.offered:
                assert player.offered == passed
            if player.action:
                passed.remove(player.action)


def test_depends_on_what_the_viewer_knows_alone(pairs):
    """States that look alike to a viewer are resampled alike: nothing of the true one shines through."""
    for position, viewer, _, other in pairs:
        again = type(position)(other.state, position.log, position.name).resampled(viewer)
        assert VERRAETER.dump(again.state) == VERRAETER.dump(other.state)


def test_checker_knows_the_truth_and_refuses_what_cannot_be(positions):
    """The check of histories itself: true hands pass; cards that went to the wrong seat do not."""
    refused = 0
    for position in positions[::3]:
        assert position.has_history(None)
        for viewer in position.viewers:
            assert position.has_history(viewer)
        hands, _ = position.world
        for seat in range(len(hands) - 1):
            swapped = VERRAETER.load(VERRAETER.dump(position.state))
            one, other = swapped.players[seat].supplies, swapped.players[seat + 1].supplies
            if one and other and one[-1] != other[0]:
                one[-1], other[0] = other[0], one[-1]
                one.sort()
                other.sort()
                wrong = type(position)(swapped, position.log, position.name)
                assert not wrong.has_history(seat)
                refused += not wrong.has_history(None)
    assert refused > 20


def test_playing_on_shows_the_viewer_the_same(positions):
    """The same legal moves lead to the same views and events, until chance or a reveal tells something new."""
    compared = 0
    for position in positions[::2]:
        for viewer in position.viewers:
            compared += _play_on(position, viewer)
    assert compared > 1000


def _play_on(position, viewer):
    """Play moves that are legal in both states while nothing hidden comes to light; how many there were."""
    states = [VERRAETER.load(VERRAETER.dump(state)) for state in (position.state, position.resampled(viewer).state)]
    for step in range(12):
        (seat, *_) = VERRAETER.deciding(states[0]) or (None,)
        if seat is None:
            return step
        lists = [VERRAETER.legal_moves(state, seat) for state in states]
        common = [move for move in lists[0] if move in lists[1]]
        if not common:
            return step
        move = common[step * 7 % len(common)]
        logs = [VERRAETER.play(state, seat, move, position.stream(step)) for state in states]
        if any(event.public.__struct_config__.tag in ("supplies_drawn", "actions_revealed") for event in logs[0]):
            return step
        read = [[event.seen_by(viewer) for event in log] for log in logs]
        if move.__struct_config__.tag == "draft_action" and read[0] != read[1]:
            # What is passed on to the viewer is new to it.
            assert any(event.public.__struct_config__.tag == "actions_offered" for event in logs[0])
            assert viewer == VERRAETER.deciding(states[0])[0]
            return step
        assert read[0] == read[1]
        assert VERRAETER.table(states[0]) == VERRAETER.table(states[1])
        if viewer is not None:
            assert VERRAETER.hand(states[0], viewer) == VERRAETER.hand(states[1], viewer)
    return 12
