"""A stand-in plays legally, sensibly and from nothing but what its seat may know."""

import pytest

from engine.kabale import KABALE
from engine.kabale.moves import DeclineSwap, DeclineTuck, PlaceCard, SwapGoals, TuckCard
from engine.randomness import Stream

MATCHES = 100


def stream(*parts):
    return Stream(repr(parts).encode())


def stand_in(state, seat, random):
    return KABALE.stand_in(KABALE.table(state), KABALE.hand(state, seat), KABALE.legal_moves(state, seat), random)


def with_stand_ins(seats):
    """A chooser for real matches: stand-ins in these seats, chance in the others."""

    def choose(state, moves, choices):
        (seat,) = KABALE.deciding(state)
        return stand_in(state, seat, choices) if seat in seats else choices.choice(moves)

    return choose


def test_returns_a_legal_move_and_changes_nothing(match):
    """In every kind of decision, whatever chance says."""
    kinds = set()
    for number in range(10):
        game = match(number, 2 + number % 5)
        for _ in game:
            for seat in KABALE.deciding(game.state):
                before = KABALE.dump(game.state)
                for again in range(2):
                    move = stand_in(game.state, seat, stream(number, again))
                    assert move in KABALE.legal_moves(game.state, seat)
                assert KABALE.dump(game.state) == before
                kinds.add(KABALE.kind(game.state, seat))
    assert kinds == set(KABALE.kinds)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_stand_ins_alone_play_a_match_to_its_end(match, seats):
    """Nobody needs to be there."""
    for number in range(3):
        assert KABALE.result(match(number, seats, chooser=with_stand_ins(range(seats))).play_out().state)


def test_depends_on_nothing_hidden_from_its_seat(match):
    """In any state that its seat cannot tell from the true one it does the same."""
    for number in range(5):
        game = match(number, 2 + number)
        for step, _ in enumerate(game):
            for seat in KABALE.deciding(game.state):
                seen = [event.seen_by(seat) for event in game.log]
                other = KABALE.resample(game.state, seen, seat, stream("resample", step))
                assert stand_in(other, seat, stream(step)) == stand_in(game.state, seat, stream(step))


@pytest.mark.parametrize(("seats", "least"), [(2, 0.8), (3, 0.7), (4, 0.65), (5, 0.6), (6, 0.6)])
def test_beats_random_players(match, seats, least):
    """One stand-in among random players wins far more than its fair share (a shared win counts in part)."""
    share = 0.0
    for number in range(MATCHES):
        seat = number % seats
        game = match(number, seats, chooser=with_stand_ins([seat])).play_out()
        won = [entry.seat for entry in KABALE.result(game.state).seats if entry.won]
        share += (seat in won) / len(won)
    assert share / MATCHES > least


def decided(table, letter):
    """Everything that the stand-in of a seat may do."""
    moves = table.moves(letter)
    return {KABALE.stand_in(table.table, table.hand(letter), moves, stream(again)) for again in range(40)}


def test_completes_a_pair(scene):
    """A Squire beside the own Prince takes a goal for certain."""
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "Prince A, King B, Queen B")
    table.hold("A", "squire", "giant", "alchemist")
    assert decided(table, "A") == {PlaceCard(card="squire", column=0)}


def test_does_not_feed_its_own_assassin(scene):
    """What it places under its own face-down Assassin is lost."""
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "King B, Assassin A?")
    table.hold("A", "queen")
    assert decided(table, "A") == {PlaceCard(card="queen", column=1)}


def test_swaps_the_better_goal_to_itself(scene):
    """It leads in one column and is behind in the other."""
    table = scene(seats=2).goals("music_1", "trade_5").column(0, "King A, Traitor A?").column(1, "Queen B")
    table.place("A", "squire", 0)
    assert decided(table, "A") == {SwapGoals(columns=(0, 1))}


def test_leaves_the_goals_when_they_lie_well(scene):
    """It leads where it matters."""
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "King A, Traitor A?").column(1, "Queen B")
    table.place("A", "squire", 0)
    assert decided(table, "A") == {DeclineSwap()}


def test_tucks_what_helps(scene):
    """A high card under the Disguise where it is behind; nothing where a Beggar makes high cards harmful."""
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "King B, Disguise A?").hold("A", "queen", "squire")
    table.place("A", "fencer", 0)
    assert decided(table, "A") == {TuckCard(card="queen")}
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "Beggar B, Storm B, Disguise A?").hold("A", "king")
    table.place("A", "squire", 0)
    assert decided(table, "A") == {DeclineTuck()}


def test_leaves_something_to_chance(match):
    """In one and the same state it does not always do the same."""
    varied = 0
    game = match(1, 3)
    for _ in game:
        for seat in KABALE.deciding(game.state):
            varied += len({stand_in(game.state, seat, stream(again)) for again in range(8)}) > 1
    assert varied > 10
