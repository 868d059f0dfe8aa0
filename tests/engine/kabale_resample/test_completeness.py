"""Every state that a viewer must hold possible comes out of resampling, and no other."""

from collections import Counter

from engine.kabale.components import CHARACTERS
from engine.kabale.knowledge import Course, Laid
from engine.kabale.resample import _possible_past
from engine.randomness import Stream


def come_out(position, viewer, read, expected):
    """What comes out of resampling until all of ``expected`` has, or for a long time; and how often."""
    found = Counter()
    for number in range(60 * len(expected) + 200):
        found[read(position.resampled(viewer, number))] += 1
        if len(found) == len(expected):
            break
    return found


def test_there_are_puzzles_of_all_kinds(puzzles):
    """Before and after reshuffles, with cards killed unseen, and with ways that look possible and are not."""
    kinds = {puzzle.kind for puzzle in puzzles}
    assert {(0, 0, False), (0, 0, True), (1, 0, True), (1, 1, False), (1, 1, True), (2, 2, False)} <= kinds
    refusing = {puzzle.kind for puzzle in puzzles if puzzle.refused}
    assert {(1, 0, True), (1, 1, False), (2, 1, False), (2, 2, False)} <= refusing
    assert len(puzzles) > 40


def test_exactly_the_possible_worlds_come_out(puzzles):
    """Rules, sections 5, 6 and 13: all hands, piles and hidden cards that fit what everybody has seen."""
    for puzzle in puzzles:
        position, seat = puzzle.position, puzzle.seat
        assert position.world(seat) in puzzle.worlds
        viewer = None if seat else 1
        found = come_out(position, viewer, lambda other, seat=seat: other.world(seat), puzzle.worlds)
        assert set(found) == puzzle.worlds, (position.name, seat)


def test_no_impossible_world_comes_out(puzzles):
    """Where something is impossible, long after everything possible has come out."""
    for puzzle in [puzzle for puzzle in puzzles if puzzle.refused]:
        for number in range(60):
            other = puzzle.position.resampled(None, number)
            assert other.world(puzzle.seat) in puzzle.worlds, (puzzle.position.name, puzzle.seat)


def test_every_order_of_a_small_draw_pile_comes_out(puzzles):
    """Rules, section 13: nobody knows the order of a draw pile."""
    tested = 0
    for puzzle in puzzles:
        pile = puzzle.position.state.players[puzzle.seat].draw_pile
        if len(pile) in (2, 3):
            orders = come_out(
                puzzle.position,
                puzzle.seat,
                lambda other, seat=puzzle.seat: tuple(other.state.players[seat].draw_pile),
                range((1, 1, 2, 6)[len(pile)]),
            )
            assert len(orders) == (1, 1, 2, 6)[len(pile)]
            assert {tuple(sorted(order)) for order in orders} == {tuple(sorted(pile))}
            tested += 1
    assert tested >= 5


def test_every_goal_that_is_left_may_come_next(positions):
    """Rules, section 13: the order of the stack and the goals not used are nobody's, to the last round but one."""
    tested = 0
    for position in positions:
        hidden = {*position.state.goal_stack, *position.state.unused_goals}
        if position.state.phase != "over" and position.state.goal_stack and len(hidden) < 12 and tested < 3:
            found = come_out(position, 0, lambda other: other.state.goal_stack[-1], hidden)
            assert set(found) == hidden
            tested += 1
    assert tested == 3


def test_dead_ends_are_left_completely():
    """Two cards were killed unseen, and what was laid after the reshuffle proves that the King is neither of them.

    The King and an unseen card were laid when one card of the new draw pile had been drawn, and every card that the
    unseen one can be came from there; so the King was still in the hand, and the other two were shuffled.
    """
    unknown, discards, on_table = CHARACTERS[:3], CHARACTERS[3:8], CHARACTERS[8:]
    assert unknown[0] == "king"
    results = Counter()
    for number in range(200):
        killed = [Laid(0, 25, None, 0), Laid(0, 25, None, 0)]
        unseen = Laid(1, 1)
        course = Course(period=1, drawn=4)
        course.laid = [Laid(0, 25, card) for card in on_table] + [Laid(0, 25, card, 0) for card in discards] + killed
        course.laid += [Laid(1, 1, "king"), unseen, Laid(1, 4, unknown[1]), Laid(1, 4, unknown[2])]
        assert _possible_past(course, Stream(b"%d" % number))
        results[killed[0].character, killed[1].character] += 1
        assert unseen.character in discards
    assert set(results) == {(unknown[1], unknown[2]), (unknown[2], unknown[1])}
