"""A resampled state looks the same to its viewer, is a proper state, and can have come about."""

from collections import Counter

import msgspec
import pytest

from engine.kabale import KABALE

CARDS = sorted(card.id for card in KABALE.components.influence)
GOALS = Counter({goal.id: goal.count for goal in KABALE.components.goals})


@pytest.fixture(scope="module")
def pairs(positions):
    """For every state and viewer: the position, the viewer, the stored state and the resampled position."""
    found = []
    for position in positions:
        for viewer in position.viewers:
            before = KABALE.dump(position.state)
            found.append((position, viewer, before, position.resampled(viewer)))
    return found


def test_looks_the_same_to_the_viewer(pairs):
    """Rules, section 13: the table, the own hand and the own legal moves."""
    for position, viewer, before, other in pairs:
        assert KABALE.dump(position.state) == before
        assert KABALE.table(other.state) == KABALE.table(position.state)
        assert KABALE.deciding(other.state) == KABALE.deciding(position.state)
        if viewer is not None:
            assert KABALE.hand(other.state, viewer) == KABALE.hand(position.state, viewer)
            own_moves = KABALE.legal_moves(position.state, viewer)
            assert KABALE.legal_moves(other.state, viewer) == own_moves


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
        mixed = KABALE.load(KABALE.dump(other.state))
        mixed.goal_stack, mixed.unused_goals = position.state.goal_stack, position.state.unused_goals
        for player, true in zip(mixed.players, position.state.players, strict=True):
            player.hand, player.draw_pile, player.discard_pile = true.hand, true.draw_pile, true.discard_pile
        for column, true_column in zip(mixed.columns, position.state.columns, strict=True):
            for slot, true_slot in zip(column.slots, true_column.slots, strict=True):
                if not slot.face_up:
                    slot.character = true_slot.character
                slot.tucked = true_slot.tucked
        assert KABALE.dump(mixed) == before


def test_is_a_proper_state(pairs):
    """Rules, section 5: 25 cards each, 36 goals, and sorted what states keep sorted."""
    for position, _, _, other in pairs:
        state = other.state
        for seat, player in enumerate(state.players):
            own = player.hand + player.draw_pile + player.discard_pile
            for column in state.columns:
                for slot in column.slots:
                    if slot.owner == seat:
                        own = [*own, slot.character, *([slot.tucked] if slot.tucked else [])]
            assert sorted(own) == CARDS
            assert player.hand == sorted(player.hand)
            assert player.discard_pile == sorted(player.discard_pile)
        won = [goal for player in state.players for goal in player.goals]
        lying = [column.goal for column in state.columns]
        assert Counter(won + lying + state.lost_goals + state.goal_stack + state.unused_goals) == GOALS
        assert state.unused_goals == sorted(state.unused_goals)
        assert len(state.goal_stack) == len(position.state.goal_stack)


def test_can_have_come_about(pairs, playable):
    """Rules, sections 5 and 6: some course of draws leads to it, with all that everybody has seen."""
    for position, viewer, _, other in pairs:
        for seat in position.hidden_from(viewer):
            assert playable(position.course(seat), other.world(seat)), (position.name, viewer, seat)


def test_nothing_was_laid_before_it_was_drawn(tight_positions, playable):
    """Rules, sections 5 and 6: two cards laid in a turn are not both from a pile of which one had been drawn."""
    both = 0
    for position, seat in tight_positions:
        course = position.course(seat)
        for number in range(20):
            world = position.resampled(None, number).world(seat)
            assert playable(course, world), (position.name, seat)
            if len(world.laid) > 1 and len(world.pile) > 1:
                (first, one), (second, other), *rest = world.laid
                pile = tuple(sorted([*world.pile[2:], one, other]))
                laid = ((first, world.pile[0]), (second, world.pile[1]), *rest)
                both += not playable(course, type(world)(world.hand, pile, laid, world.killed))
    assert len(tight_positions) >= 3
    assert both > 20


def test_depends_on_what_the_viewer_knows_alone(pairs):
    """States that look alike to a viewer are resampled alike: nothing of the true one shines through."""
    for position, viewer, _, other in pairs:
        assert KABALE.dump(other.resampled(viewer).state) == KABALE.dump(other.state), (position.name, viewer)


def test_it_varies(pairs):
    """Whenever something is hidden, other states come out."""
    different, same = 0, 0
    for position, _, before, other in pairs:
        if position.state.phase != "over":
            changed = KABALE.dump(other.state) != before
            different += changed
            same += not changed
    assert different > 50 * same
    assert different > 1000


def test_own_draw_pile_is_in_any_order(positions):
    """Rules, section 13: nobody knows the order of the own draw pile, of others' piles and of the goal stack."""
    position = next(p for p in positions if len(p.state.players) == 3 and len(p.state.players[0].draw_pile) == 20)
    others = [position.resampled(0, number).state for number in range(60)]
    for part in (
        lambda state: tuple(state.players[0].draw_pile),
        lambda state: tuple(state.players[1].draw_pile),
        lambda state: tuple(state.goal_stack),
        lambda state: tuple(state.unused_goals),
    ):
        assert len({part(state) for state in others}) == 60
    assert {state.players[0].draw_pile[-1] for state in others} <= set(position.state.players[0].draw_pile)
    assert len({state.players[0].draw_pile[-1] for state in others}) > 10


def test_checker_knows_the_truth_and_refuses_what_cannot_be(positions, playable):
    """The check itself: the true world passes; hands that hold what was shuffled away do not always."""
    refused = 0
    for position in positions:
        for seat in range(len(position.state.players)):
            world, course = position.world(seat), position.course(seat)
            assert playable(course, world)
            if any(kind == "shuffle" for kind, _ in course.steps) and world.pile and world.hand:
                swapped = type(world)(
                    hand=tuple(sorted([*world.hand[1:], world.pile[0]])),
                    pile=tuple(sorted([*world.pile[1:], world.hand[0]])),
                    laid=world.laid,
                    killed=world.killed,
                )
                refused += not playable(course, swapped)
    assert refused > 20


def test_playing_on_shows_the_viewer_the_same(positions):
    """The same legal moves lead to the same views and events, until chance or a reveal tells something new."""
    compared = 0
    for position in positions[::2]:
        for viewer in position.viewers:
            compared += _play_on(position, viewer)
    assert compared > 200


def _tells(event, viewer):
    """Whether an event may tell a viewer something that it did not know before."""
    match event.public.__struct_config__.tag:
        case "influence_drawn":
            return event.public.seat == viewer
        case "card_turned_up":
            return event.public.owner != viewer
        case "column_scored" | "goals_revealed":
            return True
        case _:
            return False


def _play_on(position, viewer):
    """Play moves that are legal in both states while nothing hidden comes to light; how many there were."""
    states = [KABALE.load(KABALE.dump(state)) for state in (position.state, position.resampled(viewer).state)]
    for step in range(12):
        (seat, *_) = KABALE.deciding(states[0]) or (None,)
        if seat is None:
            return step
        lists = [KABALE.legal_moves(state, seat) for state in states]
        common = [move for move in lists[0] if move in lists[1]]
        if not common:
            return step
        move = common[step * 7 % len(common)]
        logs = [KABALE.play(state, seat, move, position.stream(step)) for state in states]
        for one, other in zip(*logs, strict=False):
            if _tells(one, viewer):
                assert type(other.public) is type(one.public)
                return step
            assert one.seen_by(viewer) == other.seen_by(viewer)
        assert KABALE.table(states[0]) == KABALE.table(states[1])
        if viewer is not None:
            assert KABALE.hand(states[0], viewer) == KABALE.hand(states[1], viewer)
    return 12
