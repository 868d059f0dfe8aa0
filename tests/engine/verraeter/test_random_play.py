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
from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.moves import (
    DeclareConflict,
    DeclineBuild,
    DraftAction,
    MoveBuilding,
    PlaceBuilding,
    PlaceFarm,
    PlaySupplies,
    TurnBuilding,
)

BOX = Counter({2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1})
SIX = ["builder", "diplomat_2", "diplomat_5", "farmer", "strategist", "traitor"]
SIDES = ("farm", "trading_post")


def options_of(number):
    """The options of a match: all combinations by turns."""
    return {
        "first_strategist": ("start_player", "left_of_start_player")[number % 2],
        "traitor_point_in_draw": bool(number // 2 % 2),
        "trading_posts_need_own_house": bool(number // 4 % 2),
        "early_end": ("after_round", "at_once")[number // 8 % 2],
    }


def for_the_eagle(state, moves, choices):
    """A choice that helps the House of the Eagle to every landscape."""
    if state.phase == "play_supplies":
        (seat,) = VERRAETER.deciding(state)
        return max(moves, key=lambda move: sum(move.cards) * (1 if state.players[seat].house == "eagle" else -1))
    return choices.choice(moves)


def check_invariants(state):
    supplies = Counter(state.draw_pile) + Counter(state.discard_pile)
    for player in state.players:
        supplies += Counter(player.supplies) + Counter(player.played or [])
        assert len(player.supplies) <= 5
        assert player.supplies == sorted(player.supplies)
        assert 0 <= player.drawn <= 3
    assert supplies == BOX

    buildings = [land.building for land in state.landscapes if land.building]
    for seat, player in enumerate(state.players):
        own = [building for building in buildings if building.owner == seat]
        assert len(own) + player.reserve == 3
        assert sum(building.side == "trading_post" for building in own) <= 2
        assert own or state.phase == "place_farm"
    assert len(state.landscapes) == 12
    assert Counter(land.type for land in state.landscapes) == dict.fromkeys(
        ("wasteland", "meadow", "river", "forest", "village", "city"), 2
    )

    if state.phase in ("draft_action", "play_supplies", "build"):
        chosen = [player.action for player in state.players if player.action]
        deciding = VERRAETER.deciding(state)
        held = state.players[deciding[0]].offered if state.phase == "draft_action" else []
        assert sorted(chosen + state.middle + held) == SIX
    elif state.phase != "over":
        assert state.middle == []

    houses = {land.house for land in state.landscapes}
    if state.phase in ("declare_conflict", "draft_action", "play_supplies"):
        assert houses == {"eagle", "rose"}
        assert state.ending is None
    assert 1 <= state.round <= {3: 9, 4: 8}[len(state.players)]


def legal_by_the_rules(state, seat):
    """Section 12, written down a second time."""
    player = state.players[seat]
    match state.phase:
        case "place_farm":
            return {PlaceFarm(landscape=position) for position in free_own_land(state, seat)}
        case "declare_conflict":
            houses = [land.house for land in state.landscapes]
            return {DeclareConflict(border=b) for b in range(12) if houses[b] != houses[b + 1 if b < 11 else 0]}
        case "draft_action":
            kept = {other.action for other in state.players}
            return {DraftAction(action=action) for action in SIX if action not in kept | {state.middle[0]}}
        case "play_supplies":
            hand = sorted(player.supplies)
            return {PlaySupplies(cards=cards) for count in range(6) for cards in itertools.combinations(hand, count)}
        case "build":
            own = {
                position: land.building.side
                for position, land in enumerate(state.landscapes)
                if land.building and land.building.owner == seat
            }
            full = list(own.values()).count("trading_post") == 2
            free = free_own_land(state, seat)
            moves = {DeclineBuild()}
            moves |= {MoveBuilding(origin=origin, to=to) for origin in own for to in free}
            moves |= {TurnBuilding(landscape=p) for p, side in own.items() if side == "trading_post" or not full}
            if len(own) < 3:
                moves |= {PlaceBuilding(landscape=p, side=side) for p in free for side in SIDES[: 1 if full else 2]}
            return moves
    raise AssertionError(state.phase)


def free_own_land(state, seat):
    house = state.players[seat].house
    return [p for p, land in enumerate(state.landscapes) if land.house == house and land.building is None]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("share", range(5))
def test_invariants_hold_after_every_move(match, seats, share):
    """Facts 1, 8, 11, 30, 31, 36, 39, 40: no card is lost or doubled, and no limit is ever passed."""
    for number in range(share * 15, share * 15 + 15):
        game = match(number, seats, **options_of(number))
        scored = [0] * seats
        resolved = 0
        check_invariants(game.state)
        for _, _, events in game:
            for event in events:
                name = event.public.__struct_config__.tag
                if name == "points_scored":
                    scored[event.public.seat] += event.public.points
                resolved += name == "conflict_resolved"
            assert [player.gains.total() for player in game.state.players] == scored
            check_invariants(game.state)
        state = game.state
        rounds = {3: 9, 4: 8}[seats]
        assert resolved == state.round
        if state.ending == "last_round":
            assert state.round == rounds
            assert {land.house for land in state.landscapes} == {"eagle", "rose"}
        else:
            assert 6 <= state.round <= rounds
            assert len({land.house for land in state.landscapes}) == 1
        result = VERRAETER.result(state)
        assert [seat.score for seat in result.seats] == scored
        assert {seat.score for seat in result.seats if seat.won} == {max(scored)}


@pytest.mark.parametrize("seats", [3, 4])
def test_legal_moves_are_those_of_the_rules(match, seats):
    """Facts 17, 18, 19, 20, 29, 30, 31; ruling Q29: complete, each once, and at every decision at least one."""
    for number in range(25):
        game = match(number, seats, **options_of(number))
        for _ in game:
            for seat in VERRAETER.deciding(game.state):
                moves = VERRAETER.legal_moves(game.state, seat)
                assert moves
                assert len(moves) == len(set(moves))
                assert set(moves) == legal_by_the_rules(game.state, seat)
                assert VERRAETER.legal_moves(game.state, seat) == moves
            for seat in set(range(seats)) - set(VERRAETER.deciding(game.state)):
                assert VERRAETER.legal_moves(game.state, seat) == []


@pytest.mark.parametrize("seats", [3, 4])
def test_every_listed_move_is_accepted(match, seats):
    """Facts 18, 19, 20, 29: a move that is offered can be played, tried on copies."""
    stream = Randomness("copies", bytes(32)).move(1)
    for number in range(12):
        game = match(number, seats, **options_of(number))
        for _ in game:
            stored = VERRAETER.dump(game.state)
            for seat in VERRAETER.deciding(game.state):
                for move in VERRAETER.legal_moves(game.state, seat):
                    copy = VERRAETER.load(stored)
                    assert VERRAETER.play(copy, seat, move, stream)
                    check_invariants(copy)
            assert VERRAETER.dump(game.state) == stored


def every_conceivable_move():
    everywhere = range(12)
    yield from (PlaceFarm(landscape=p) for p in everywhere)
    yield from (DeclareConflict(border=p) for p in everywhere)
    yield from (DraftAction(action=action) for action in SIX)
    for count in range(6):
        yield from (PlaySupplies(cards=c) for c in itertools.combinations_with_replacement(sorted(BOX), count))
    yield from (PlaceBuilding(landscape=p, side=side) for p in everywhere for side in SIDES)
    yield from (MoveBuilding(origin=p, to=to) for p in everywhere for to in everywhere)
    yield from (TurnBuilding(landscape=p) for p in everywhere)
    yield DeclineBuild()


@pytest.mark.parametrize("seats", [3, 4])
def test_every_other_move_is_refused(match, seats):
    """Facts 18, 19, 20, 29: whatever is not listed is illegal, for every seat, and changes nothing."""
    stream = Randomness("refusals", bytes(32)).move(1)
    conceivable = list(every_conceivable_move())
    game = match(1, seats)
    for step, _ in enumerate(game):
        if step % 3:
            continue
        stored = VERRAETER.dump(game.state)
        for seat in range(seats):
            for move in set(conceivable) - set(VERRAETER.legal_moves(game.state, seat)):
                with pytest.raises(IllegalMove) as refusal:
                    VERRAETER.play(game.state, seat, move, stream)
                assert refusal.value.reason in VERRAETER.refusals
        assert VERRAETER.dump(game.state) == stored


@pytest.mark.parametrize("early_end", ["after_round", "at_once"])
@pytest.mark.parametrize("seats", [3, 4])
def test_early_ends(match, seats, early_end):
    """Fact 40; ruling Q9: many matches in which the Eagle takes everything, never before round 6."""
    rounds = Counter()
    for number in range(30):
        game = match(number, seats, chooser=for_the_eagle, early_end=early_end)
        for _ in game:
            check_invariants(game.state)
        if game.state.ending == "house_without_land":
            rounds[game.state.round] += 1
            at_once = any(player.played is not None for player in game.state.players)
            assert at_once == (early_end == "at_once")
    assert min(rounds) == 6
    assert sum(rounds.values()) >= 10


@pytest.mark.parametrize("seats", [3, 4])
def test_stored_states_can_be_played_on(match, seats):
    """Fact 38: storing and loading between any two moves changes neither the state nor what follows."""
    for number in range(10):
        plain, stored = match(number, seats), match(number, seats)
        for seat, move, events in plain:
            before = VERRAETER.dump(stored.state)
            stored.state = VERRAETER.load(before)
            assert VERRAETER.dump(stored.state) == before
            assert stored.play(seat, move) == events
            assert VERRAETER.dump(stored.state) == VERRAETER.dump(plain.state)
            assert stored.state == plain.state


@pytest.mark.parametrize("seats", [3, 4])
def test_same_seed_and_same_moves_give_the_same_match(match, seats):
    """Fact 38: nothing but the seed and the moves decides."""
    for number in range(10):
        one, other = (match(number, seats, **options_of(number)).play_out() for _ in range(2))
        assert VERRAETER.dump(one.state) == VERRAETER.dump(other.state)
    ends = {VERRAETER.dump(match(number, seats).play_out().state) for number in range(10)}
    assert len(ends) == 10


# Plays three matches with each number of seats, always the legal move that the digest so far points at.
DIGEST = """
import hashlib
from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.options import VerraeterOptions
import msgspec

digest = hashlib.sha256()
for seats in (3, 4):
    for number in range(3):
        randomness = Randomness("digest", bytes([number]) * 32)
        state, events = VERRAETER.deal(seats, VerraeterOptions(), randomness.deal())
        count = 0
        while deciding := VERRAETER.deciding(state):
            (seat,) = deciding
            moves = VERRAETER.legal_moves(state, seat)
            digest.update(msgspec.msgpack.encode([events, moves, VERRAETER.table(state), VERRAETER.hand(state, seat)]))
            digest.update(VERRAETER.dump(state))
            count += 1
            events = VERRAETER.play(state, seat, moves[digest.digest()[0] % len(moves)], randomness.move(count))
        digest.update(VERRAETER.dump(state))
print(digest.hexdigest())
"""


def test_order_of_hashes_decides_nothing():
    """Fact 38: events, moves, views and states are the same bytes in processes that hash differently."""
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
