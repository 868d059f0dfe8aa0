"""Matches played to the end by chance: what must hold after every move."""

import hashlib
import itertools
import os
import pathlib
import subprocess
import sys
from collections import Counter

import pytest

import engine
from engine.game import IllegalMove
from engine.kabale import KABALE
from engine.kabale.moves import DeclineSwap, DeclineTuck, PlaceCard, SwapGoals, TuckCard
from engine.randomness import Randomness

MATCHES = int(os.environ.get("RANDOM_MATCHES", "500"))
"""How many matches are played by chance, over all numbers of seats; set the variable for many more."""

CARDS = sorted(card.id for card in KABALE.components.influence)
GOALS = Counter({goal.id: goal.count for goal in KABALE.components.goals})


def check_invariants(state):
    seats = len(state.players)
    own = [player.hand + player.draw_pile + player.discard_pile for player in state.players]
    for column in state.columns:
        for slot in column.slots:
            own[slot.owner] += [slot.character, *([slot.tucked] if slot.tucked else [])]
            assert slot.tucked is None or (slot.character, slot.face_up) == ("disguise", True)
            assert not slot.moved or (slot.character, slot.face_up) == ("explorer", False)
        assert all(slot.face_up for slot in column.slots[:-1])
        storms = [slot for slot in column.slots if slot.character == "storm" and slot.face_up]
        assert column.closed == bool(storms)
    for cards, player in zip(own, state.players, strict=True):
        assert sorted(cards) == CARDS
        assert len(player.hand) <= 3
        assert player.hand == sorted(player.hand)
        assert player.discard_pile == sorted(player.discard_pile)
        assert player.goals == sorted(player.goals)

    won = [goal for player in state.players for goal in player.goals]
    lying = [column.goal for column in state.columns]
    assert Counter(won + lying + state.lost_goals + state.goal_stack + state.unused_goals) == GOALS
    assert len(state.goal_stack) == seats * (6 - state.round)
    assert len(state.unused_goals) == 36 - 6 * seats
    assert state.unused_goals == sorted(state.unused_goals)
    assert state.lost_goals == sorted(state.lost_goals)
    assert 1 <= state.round <= 6

    if state.phase == "over":
        assert (state.columns, state.pending) == ([], None)
        return
    assert len(state.columns) == seats
    (seat,) = KABALE.deciding(state)
    if state.phase == "place_card":
        assert (state.pending, seat) == (None, state.turn)
        assert not all(column.closed or len(column.slots) >= int(column.goal[-1]) for column in state.columns)
        assert state.players[seat].hand
    else:
        assert state.pending.seat == seat
        pending = state.columns[state.pending.column].slots[state.pending.slot]
        assert (pending.owner, pending.face_up, pending.tucked) == (seat, True, None)
        assert pending.character == {"swap_goals": "traitor", "tuck_card": "disguise"}[state.phase]
        assert state.pending.slot == len(state.columns[state.pending.column].slots) - 2


def legal_by_the_rules(state):
    """Section 14, written down a second time, of the seat that decides."""
    (seat,) = KABALE.deciding(state)
    hand = state.players[seat].hand
    match state.phase:
        case "place_card":
            open_columns = [number for number, column in enumerate(state.columns) if not column.closed]
            return {PlaceCard(card=card, column=column) for card in hand for column in open_columns}
        case "swap_goals":
            pairs = itertools.combinations(range(len(state.columns)), 2)
            if state.options.traitor_swap == "own_column":
                pairs = [pair for pair in pairs if state.pending.column in pair]
            return {DeclineSwap(), *(SwapGoals(columns=pair) for pair in pairs)}
        case "tuck_card":
            return {DeclineTuck(), *(TuckCard(card=card) for card in hand)}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_whole_matches(match, options_of, seats):
    """Sections 4, 5 and 9: 25 cards each and 36 goals after every move, exactly six rounds, and a result."""
    for number in range(seats - 2, MATCHES, 5):
        game = match(number, seats, **options_of(number // 5))
        check_invariants(game.state)
        rounds, scored, starts = Counter(), 0, []
        for _, _, events in game:
            assert events
            check_invariants(game.state)
            tags = [event.public.__struct_config__.tag for event in events]
            scored += tags.count("column_scored")
            for event in events:
                if event.public.__struct_config__.tag == "kabale_round_ended":
                    rounds[event.public.round] += 1
                    starts.append((event.public.ended_by + 1) % seats)
            if "kabale_round_ended" in tags and game.state.phase != "over":
                assert game.state.turn == starts[-1]
        assert rounds == dict.fromkeys(range(1, 7), 1)
        assert scored == 6 * seats
        result = KABALE.result(game.state)
        scores = [entry.score for entry in result.seats]
        assert [entry.seat for entry in result.seats] == list(range(seats))
        assert {entry.score for entry in result.seats if entry.won} == {max(scores)}
        for entry in result.seats:
            assert entry.rank == 1 + sum(score > entry.score for score in scores)
            assert entry.won == (entry.rank == 1)


def a_long_round(state, moves, choices):
    """A choice that keeps a round from ending: all cards go into the first column, but Storms into the last."""
    if state.phase != "place_card":
        return next((move for move in moves if isinstance(move, TuckCard)), moves[-1])
    apart = [move for move in moves if move.card == "storm"]
    together = [move for move in moves if move.card != "storm"]
    return min(together, key=lambda move: move.column) if together else max(apart, key=lambda move: move.column)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_long_rounds(match, seats):
    """Section 5: matches in which all cards come to the table, seats are skipped and nobody can get a card."""
    endings, skipped = Counter(), 0
    for number in range(6):
        game = match(number, seats, chooser=a_long_round)
        for _, _, events in game:
            check_invariants(game.state)
            for event in events:
                if event.public.__struct_config__.tag == "kabale_round_ended":
                    endings[event.public.ending] += 1
                skipped += event.public.__struct_config__.tag == "kabale_seat_skipped"
    assert sum(endings.values()) == 36
    assert endings["no_cards_left"] > 0
    assert skipped > 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_legal_moves_are_those_of_the_rules(match, options_of, seats):
    """Section 14: complete, each once, in a fixed order, and at every decision at least one."""
    for number in range(8):
        game = match(number, seats, **options_of(number))
        for _ in game:
            for seat in KABALE.deciding(game.state):
                moves = KABALE.legal_moves(game.state, seat)
                assert moves
                assert len(moves) == len(set(moves))
                assert set(moves) == legal_by_the_rules(game.state)
                assert KABALE.legal_moves(game.state, seat) == moves
            for seat in set(range(seats)) - set(KABALE.deciding(game.state)):
                assert KABALE.legal_moves(game.state, seat) == []


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_listed_move_is_accepted(match, seats):
    """Section 14: a move that is offered can be played, tried on copies."""
    stream = Randomness("copies", bytes(32)).move(1)
    for number in range(2):
        game = match(number, seats)
        for _ in game:
            stored = KABALE.dump(game.state)
            for seat in KABALE.deciding(game.state):
                for move in KABALE.legal_moves(game.state, seat):
                    copy = KABALE.load(stored)
                    assert KABALE.play(copy, seat, move, stream)
                    check_invariants(copy)
            assert KABALE.dump(game.state) == stored


def every_conceivable_move():
    yield from (PlaceCard(card=card, column=column) for card in CARDS for column in range(6))
    yield from (SwapGoals(columns=pair) for pair in itertools.product(range(6), repeat=2))
    yield from (TuckCard(card=card) for card in CARDS)
    yield from (DeclineSwap(), DeclineTuck())


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_every_other_move_is_refused(match, options_of, seats):
    """Section 14: whatever is not listed is illegal, for every seat, and changes nothing."""
    stream = Randomness("refusals", bytes(32)).move(1)
    conceivable = list(every_conceivable_move())
    game = match(1, seats, **options_of(2))
    for step, _ in enumerate(game):
        if step % 4 and game.state.phase == "place_card":
            continue
        stored = KABALE.dump(game.state)
        for seat in range(seats):
            for move in set(conceivable) - set(KABALE.legal_moves(game.state, seat)):
                with pytest.raises(IllegalMove) as refusal:
                    KABALE.play(game.state, seat, move, stream)
                assert refusal.value.reason in KABALE.refusals
        assert KABALE.dump(game.state) == stored


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_stored_states_can_be_played_on(match, seats):
    """Storing and loading between any two moves changes neither the state nor what follows."""
    for number in range(4):
        plain, stored = match(number, seats), match(number, seats)
        for seat, move, events in plain:
            before = KABALE.dump(stored.state)
            stored.state = KABALE.load(before)
            assert KABALE.dump(stored.state) == before
            assert stored.play(seat, move) == events
            assert KABALE.dump(stored.state) == KABALE.dump(plain.state)
            assert stored.state == plain.state


def test_same_seed_and_same_moves_give_the_same_match(match, options_of):
    """Nothing but the seed and the moves decides."""
    for number in range(10):
        one, other = (match(number, 2 + number % 5, **options_of(number)).play_out() for _ in range(2))
        assert KABALE.dump(one.state) == KABALE.dump(other.state)
        assert one.log == other.log
    assert len({KABALE.dump(match(number, 3).play_out().state) for number in range(10)}) == 10


# Plays matches with each number of seats, always the legal move that the digest so far points at.
DIGEST = """
import hashlib
from engine.kabale import KABALE
from engine.kabale.options import KabaleOptions
from engine.randomness import Randomness
import msgspec

digest = hashlib.sha256()
for seats in (2, 3, 4, 5, 6):
    for number in range(2):
        randomness = Randomness("digest", bytes([number]) * 32)
        state, events = KABALE.deal(seats, KabaleOptions(), randomness.deal())
        seen, count = [event.public for event in events], 0
        while deciding := KABALE.deciding(state):
            (seat,) = deciding
            moves = KABALE.legal_moves(state, seat)
            table, hand = KABALE.table(state), KABALE.hand(state, seat)
            digest.update(msgspec.msgpack.encode([events, moves, table, hand]))
            digest.update(KABALE.dump(state))
            count += 1
            if count % 10 == 0:
                digest.update(KABALE.dump(KABALE.resample(state, seen, None, randomness.stand_in(count))))
                digest.update(msgspec.msgpack.encode(KABALE.stand_in(table, hand, moves, randomness.stand_in(count))))
            events = KABALE.play(state, seat, moves[digest.digest()[0] % len(moves)], randomness.move(count))
            seen += [event.public for event in events]
        digest.update(KABALE.dump(state))
print(digest.hexdigest())
"""


def test_order_of_hashes_decides_nothing():
    """Events, moves, views, states and resampled states are the same bytes in processes that hash differently."""
    root = pathlib.Path(engine.__file__).parents[1]
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1
    assert len(digests.pop()) == len(hashlib.sha256().hexdigest())
