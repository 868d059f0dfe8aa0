"""Every state that a viewer must hold possible comes out of resampling, and no other."""

from collections import Counter, defaultdict
from itertools import permutations, product
from math import prod

import pytest


def shuffles(position):
    return sum(event.public.__struct_config__.tag == "discard_pile_shuffled" for event in position.log)


def own_place(position, viewer):
    """The viewer's place in turn order."""
    return (viewer - position.state.start_seat) % len(position.state.players)


@pytest.fixture(scope="module")
def small(other_positions):
    """Positions in which a viewer must hold 2 to 60 worlds possible, with all of these worlds."""
    found = []
    for position in other_positions:
        for viewer in position.viewers:
            worlds = position.worlds(viewer)
            if worlds and 1 < len(worlds) <= 60:
                found.append((position, viewer, worlds))
    return found


@pytest.fixture(scope="module")
def chosen(small):
    """Up to eight of them for each number of reshuffles, for seats and for spectators."""
    groups = defaultdict(list)
    for position, viewer, worlds in small:
        groups[shuffles(position), viewer is None].append((position, viewer, worlds))
    assert {(0, False), (1, False), (2, False), (0, True)} <= set(groups)
    return [entry for entries in groups.values() for entry in entries[:: -(-len(entries) // 8)]]


def come_out(position, viewer, read, expected):
    """What comes out of resampling until all of ``expected`` has, or for a long time; and how often."""
    found = Counter()
    for number in range(300 * len(expected) + 300):
        found[read(position.resampled(viewer, number))] += 1
        if len(found) == len(expected):
            break
    return found


def test_exactly_the_possible_hands_come_out(chosen):
    """Rules, section 4: before and after reshuffles, for seats and for spectators."""
    for position, viewer, worlds in chosen:
        assert position.world in worlds
        found = come_out(position, viewer, lambda other: other.world, worlds)
        assert set(found) == worlds, (position.name, viewer)


def test_played_cards_may_have_come_from_either_of_two_piles(two_origins):
    """Rules, section 4: all ways to explain what was played count, not the first that fits."""
    worlds = two_origins.worlds(2)
    assert len(worlds) == 7
    assert set(come_out(two_origins, 2, lambda other: other.world, worlds)) == worlds


def test_every_order_of_the_draw_pile_comes_out(small):
    """Each possible set of hands with each order of the draw pile that it leaves."""
    tested = 0
    for position, viewer, worlds in small:
        if len(position.state.draw_pile) not in (2, 3, 4):
            continue
        expected = {(hands, order) for hands, pile in worlds for order in permutations(pile)}
        if len(expected) > 60:
            continue
        found = come_out(position, viewer, lambda other: (other.world[0], tuple(other.state.draw_pile)), expected)
        assert set(found) == expected, (position.name, viewer)
        tested += 1
    assert tested >= 5


def one_per_stage(positions):
    """For each number of seats, phase and number of seats that have drafted: one position."""
    stages = {}
    for position in positions:
        state = position.state
        kept = sum(player.action is not None for player in state.players)
        if state.middle:
            stages.setdefault((len(state.players), state.phase, kept), position)
    return list(stages.values())


def test_exactly_the_possible_drafts_come_out(positions):
    """Rules, phase 2 and section 6: at every stage of the draft and after it, for seats and for spectators."""
    numbers = set()
    stages = one_per_stage(positions)
    assert len(stages) >= (3 + 2) + (4 + 2)  # seats to choose, then play_supplies and build
    assert any(position.state.phase == "over" for position in stages)
    for position in stages:
        for viewer in position.viewers:
            drafts = position.drafts(viewer)
            assert position.draft in drafts
            found = come_out(position, viewer, lambda other: other.draft, drafts)
            assert set(found) == drafts, (position.name, viewer)
            numbers.add(len(drafts))
    assert 1 in numbers
    assert max(numbers) == 720


def test_draft_and_supplies_vary_apart_from_each_other(positions):
    """Every possible draft with every possible world."""
    tested = 0
    for position in positions:
        if position.state.phase not in ("draft_action", "play_supplies") or position.state.round > 3:
            continue
        for viewer in position.viewers:
            worlds, drafts = position.worlds(viewer), position.drafts(viewer)
            if worlds and len(worlds) > 1 and len(drafts) > 1 and len(worlds) * len(drafts) <= 100:
                expected = set(product(worlds, drafts))
                found = come_out(position, viewer, lambda other: (other.world, other.draft), expected)
                assert set(found) == expected, (position.name, viewer)
                tested += 1
        if tested > 8:
            break
    assert tested > 3


def test_two_different_ones_come_out_wherever_two_are_possible(other_positions):
    """Within few streams: of hands, of drafts and of the order of the draw pile."""
    for position in other_positions[::6]:
        for viewer in position.viewers:
            others = [position.resampled(viewer, number) for number in range(25)]
            worlds = position.worlds(viewer)
            if worlds and len({hands for hands, _ in worlds}) > 1:
                assert len({other.world[0] for other in others}) > 1, (position.name, viewer)
            if position.state.middle and len(position.drafts(viewer)) > 1:
                assert len({other.draft for other in others}) > 1, (position.name, viewer)
            if len(set(position.state.draw_pile)) > 1:
                assert len({tuple(other.state.draw_pile) for other in others}) > 1, (position.name, viewer)


def test_much_of_what_is_hidden_changes(positions):
    """Measured over whole matches: the share of hidden cards that are others in the resampled state."""
    changed, hidden = Counter(), Counter()
    for position in positions:
        for viewer in position.viewers:
            other = position.resampled(viewer)
            for seat, (true, new) in enumerate(zip(position.state.players, other.state.players, strict=True)):
                if seat != viewer:
                    hidden["hands"] += len(true.supplies)
                    changed["hands"] += (Counter(true.supplies) - Counter(new.supplies)).total()
                    if true.action and position.state.phase in ("draft_action", "play_supplies"):
                        hidden["actions"] += 1
                        changed["actions"] += true.action != new.action
            hidden["draw pile"] += len(position.state.draw_pile)
            changed["draw pile"] += sum(
                one != two for one, two in zip(position.state.draw_pile, other.state.draw_pile, strict=True)
            )
    share = {what: changed[what] / hidden[what] for what in hidden}
    assert share["hands"] > 0.15, share
    assert share["actions"] > 0.5, share
    assert share["draw pile"] > 0.6, share


# --- what a viewer has learned holds in every resampled state ---


def test_start_hands_are_known_to_all(positions):
    """Before the first draw all hands are known, the start hands; only the draw pile is not."""
    first = positions[0]
    for viewer in first.viewers:
        assert {first.resampled(viewer, number).world for number in range(20)} == {first.world}
        assert len({tuple(first.resampled(viewer, number).state.draw_pile) for number in range(20)}) > 10


def test_start_player_knows_the_card_put_aside(positions):
    """It is the one that was not among the five offered to it."""
    for position in [p for p in positions if p.state.middle][::3]:
        start = position.state.start_seat
        aside = {position.resampled(start, number).state.middle[0] for number in range(5)}
        assert aside == {position.state.middle[0]}


def test_last_player_knows_the_leftovers_and_not_the_card_put_aside(positions):
    """Rules, section 6: the last player's offered cards but for the kept one lie in the middle."""
    after_draft = [p for p in positions if p.state.phase == "play_supplies"]
    for position in after_draft[::3]:
        last = (position.state.start_seat - 1) % len(position.state.players)
        others = [position.resampled(last, number).state for number in range(12)]
        assert {tuple(other.middle[1:]) for other in others} == {tuple(position.state.middle[1:])}
        assert len({other.middle[0] for other in others}) > 1


def test_upstream_kept_nothing_that_was_passed_on_and_downstream_nothing_else(positions):
    """A seat knows for each action card whether it lies, or was kept, before or behind the own place."""
    tested = 0
    for position in [p for p in positions if p.state.phase in ("draft_action", "play_supplies")][::3]:
        for viewer in position.viewers[1:]:
            known = position.state.players[viewer]
            if not known.offered:
                continue
            other = position.resampled(viewer).state
            for seat, player in enumerate(other.players):
                if player.action and seat != viewer:
                    behind = own_place(position, seat) < own_place(position, viewer)
                    assert (player.action in known.offered) != behind
                    assert player.action != known.action
                    tested += 1
    assert tested > 50


def test_drafts_are_about_equally_likely(positions):
    """All orders of the hidden action cards are: none comes far too often or too rarely."""
    position = next(p for p in positions if p.state.phase == "draft_action" and p.state.turn == 2)
    drafts = position.drafts(None)
    found = Counter(position.resampled(None, number).draft for number in range(40 * len(drafts)))
    assert set(found) == drafts
    assert len(drafts) == prod([6, 5, 4])
    assert all(16 < count < 72 for count in found.values())
