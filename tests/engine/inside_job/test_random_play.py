"""Matches played to the end by chance, under every set of special roles: what must hold after every move.

``RANDOM_MATCHES`` sets how many are played; by default a few per set of roles.
"""

import os
import pathlib
import subprocess
import sys
from collections import Counter
from itertools import combinations_with_replacement

import msgspec
import pytest

import engine
from engine.game import IllegalMove
from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import COMPONENTS
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, PlayCard
from engine.inside_job.roles import allowed_sets
from engine.inside_job.stand_in import stand_in
from engine.randomness import Randomness

MATCHES = int(os.environ.get("RANDOM_MATCHES", "2136"))
SHARES = 4
TABLES = [
    (seats, wagers, roles)
    for seats in (3, 4, 5)
    for wagers in (True, False)
    for roles in allowed_sets(seats, wagers=wagers)
]
ALL_CARDS = sorted(card.id for card in COMPONENTS.cards)
TRICKS = {3: 11, 4: 10, 5: 9}
RISK = [mission.id for mission in COMPONENTS.missions if mission.risk]


def options_of(number, seats, wagers, roles):
    """Options of a match, among them some that are not the default."""
    random = Randomness(f"options-{number}", bytes(32)).deal()
    options = {
        "wagers": wagers,
        "special_roles": roles,
        "vote_tie": random.choice(["with_insider", "any"]),
        "risk_reveal": random.choice(["any", "risk_agent_only", "all"]),
    }
    if not roles and random.below(2):
        options["random_roles"] = random.below(seats + 1)
    if not random.below(3):
        options["missions_needed"] = 1 + random.below(TRICKS[seats])
    if not random.below(3):
        options["intel_limit"] = 2 + random.below(13)
    if not random.below(3):
        conditions = [c.id for c in COMPONENTS.conditions if wagers or not c.needs_wagers]
        size = 2 * TRICKS[seats] + random.below(20)
        deck = [{"condition": random.choice(conditions), "trump": random.choice(COMPONENTS.suits)} for _ in range(size)]
        options["mission_deck"] = msgspec.convert({"mission_deck": deck}, INSIDE_JOB.options_type).mission_deck
    return options


def sometimes_helpful(state, seat, moves, choices):
    if choices.below(3):
        return stand_in(INSIDE_JOB.table(state), INSIDE_JOB.hand(state, seat), moves, choices)
    return choices.choice(moves)


def check_invariants(state, played, missions):
    seats = len(state.players)
    wagered = sum(play.wager for play in state.plays)
    assert state.supply + sum(player.tokens for player in state.players) + wagered == 14
    assert state.supply >= 0
    cards = [card for player in state.players for card in player.hand] + state.undealt + played
    assert sorted(cards) == ALL_CARDS
    running = [state.mission] if state.mission else []
    discarded = [mission for player in state.players for mission in player.discarded]
    assert sorted(state.mission_deck + state.drawn + running + state.succeeded + state.failed + discarded) == missions
    assert len(state.drawn) == (2 if state.phase == "choose_mission" else 0)
    done = len(state.succeeded) + len(state.failed)
    assert state.trick <= TRICKS[seats]
    assert done == state.trick - (state.phase in ("choose_mission", "play_card"))
    roles = Counter(player.role for player in state.players)
    assert roles["insider"] + roles["prof_no"] == 1
    for player in state.players:
        assert player.tokens >= 0
        if player.role in ("bugged_agent", "accomplice"):
            assert player.revealed
        if player.role == "accomplice":
            assert player.tokens == 0


def winners_by_the_rules(state):
    """Section 8, the order of resolution, written down a second time: from what would be consistent."""
    winner = {"agents": "agents", "insider": "insider", "decoy": "decoy"}[side_of(state.ending)]
    roles = [player.role for player in state.players]
    won = [None] * len(roles)
    for seat, role in enumerate(roles):
        if winner == "decoy":
            won[seat] = role == "decoy"
        elif role == "sleeper_agent":
            won[seat] = winner == ("insider" if state.players[seat].revealed else "agents")
        elif role in ("agent", "bugged_agent", "paranoid_agent", "risk_agent"):
            won[seat] = winner == "agents"
        elif role in ("insider", "prof_no"):
            won[seat] = winner == "insider"
        elif role == "decoy":
            won[seat] = False
    for _ in range(2):
        for seat, role in enumerate(roles):
            if won[seat] is None and role == "tim_shady" and won[seat - 1] is not None:
                won[seat] = not won[seat - 1]
            if won[seat] is None and role == "accomplice" and won[state.partner] is not None:
                won[seat] = won[state.partner]
    return [seat for seat, has_won in enumerate(won) if has_won]


def side_of(ending):
    if ending in ("prof_no_revealed", "agents_revealed", "missions_accomplished", "insider_voted_out", "vote_tied"):
        return "agents"
    return "decoy" if ending == "decoy_voted_out" else "insider"


def play_and_check(game):
    state = game.state
    missions = sorted(f"{card.condition}_{card.trump}" for card in game.options.mission_deck)
    missions = sorted(missions + RISK * ("risk_agent" in state.special_roles))
    played = []
    check_invariants(state, played, missions)
    for _, move, _ in game:
        if isinstance(move, PlayCard):
            played.append(move.card)
        check_invariants(state, played, missions)
    result = INSIDE_JOB.result(state)
    assert result.ending == state.ending
    assert [seat.seat for seat in result.seats if seat.won] == winners_by_the_rules(state)
    assert all(seat.reason and seat.rank is None and seat.score is None for seat in result.seats)
    if state.ending in ("insider_voted_out", "insider_escaped_vote", "decoy_voted_out", "vote_tied"):
        assert state.trick == TRICKS[len(state.players)]
        assert any(player.vote for player in state.players)
    else:
        assert not any(player.vote for player in state.players)
    return state.ending


@pytest.mark.parametrize("share", range(SHARES))
def test_every_set_of_roles_is_played_to_the_end(match, share):
    """Section 8 'number of sets'; Section 3.2; Section 15: a result every time, tokens always add up to 14."""
    endings = Counter()
    for number in range(share, MATCHES, SHARES):
        seats, wagers, roles = TABLES[number % len(TABLES)]
        chooser = sometimes_helpful if number // len(TABLES) % 2 else None
        game = match(number, seats, chooser, **options_of(number, seats, wagers, roles))
        endings[play_and_check(game)] += 1
    if MATCHES >= 2136:
        assert set(endings) == {
            "bugged_agent_loaded",
            "insider_collected_intel",
            "prof_no_revealed",
            "agents_revealed",
            "all_others_revealed",
            "missions_accomplished",
            "insider_voted_out",
            "vote_tied",
            "decoy_voted_out",
            "insider_escaped_vote",
        }


def test_all_sets_of_roles_are_among_them():
    """Section 8 'number of sets': 50, 96 and 188 with wagers, 36, 58 and 106 without."""
    counts = Counter((seats, wagers) for seats, wagers, _ in TABLES)
    assert counts == {(3, True): 50, (4, True): 96, (5, True): 188, (3, False): 36, (4, False): 58, (5, False): 106}
    assert {"RANDOM_MATCHES"} & set(os.environ) or len(TABLES) <= MATCHES


def legal_by_the_rules(state, seat):
    """Section 16, written down a second time."""
    player, seats = state.players[seat], range(len(state.players))
    match state.phase:
        case "choose_partner":
            return {ChoosePartner(seat=other) for other in seats if other != seat}
        case "choose_mission":
            risk = [mission for mission in state.drawn if mission.startswith("risk_")]
            return {ChooseMission(mission=mission) for mission in risk or state.drawn}
        case "play_card":
            led = state.plays[0].card.split("_")[0] if state.plays else ""
            following = [card for card in player.hand if card.startswith(led)]
            free = player.role in ("insider", "prof_no") or not following
            wager = state.options.wagers and state.plays and player.tokens and not player.revealed
            return {
                PlayCard(card=card, wager=with_wager)
                for card in (player.hand if free else following)
                for with_wager in ((False, True) if wager else (False,))
            }
        case "cast_vote":
            others = [other for other in seats if other != seat and not state.players[other].revealed]
            votes = {(other,) for other in others}
            if player.role == "paranoid_agent":
                pairs = combinations_with_replacement(others, 2)
                votes |= {(one, other) for one, other in pairs if one != other or player.revealed}
            return {CastVote(targets=targets) for targets in votes}
    raise AssertionError(state.phase)


def deciding_by_the_rules(state):
    seats = range(len(state.players))
    match state.phase:
        case "choose_partner":
            return tuple(seat for seat in seats if state.players[seat].role == "accomplice")
        case "choose_mission":
            return (state.start_seat,)
        case "play_card":
            return ((state.start_seat + len(state.plays)) % len(seats),)
        case "cast_vote":
            hidden = {seat for seat in seats if not state.players[seat].revealed}
            return tuple(
                seat
                for seat in seats
                if state.players[seat].vote is None and state.players[seat].role != "accomplice" and hidden - {seat}
            )
    return ()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_legal_moves_are_those_of_the_rules(match, seats):
    """Section 16; Section 4.3; Section 9 'voters': complete, each once, at every decision at least one."""
    tables = [table for table in TABLES if table[0] == seats]
    for number, (_, wagers, roles) in enumerate(tables[::3]):
        game = match(number, seats, sometimes_helpful, **options_of(number, seats, wagers, roles))
        for _ in game:
            assert INSIDE_JOB.deciding(game.state) == deciding_by_the_rules(game.state)
            for seat in INSIDE_JOB.deciding(game.state):
                moves = INSIDE_JOB.legal_moves(game.state, seat)
                assert moves
                assert len(moves) == len(set(moves))
                assert set(moves) == legal_by_the_rules(game.state, seat)
            for seat in set(range(seats)) - set(INSIDE_JOB.deciding(game.state)):
                assert INSIDE_JOB.legal_moves(game.state, seat) == []


def test_order_of_legal_moves_tells_nothing(match):
    """Section 10: cards as in hand, without the wager first; seats and missions in order."""
    for number in range(20):
        game = match(number, 4, special_roles=("accomplice", "paranoid_agent"), intel_limit=14)
        for _ in game:
            for seat in INSIDE_JOB.deciding(game.state):
                moves = INSIDE_JOB.legal_moves(game.state, seat)
                hand = INSIDE_JOB.hand(game.state, seat).hand
                keys = [
                    (hand.index(move.card), move.wager)
                    if isinstance(move, PlayCard)
                    else (len(move.targets), move.targets)
                    if isinstance(move, CastVote)
                    else (move.mission if isinstance(move, ChooseMission) else move.seat,)
                    for move in moves
                ]
                assert keys == sorted(keys)


def every_conceivable_move():
    yield from (ChoosePartner(seat=seat) for seat in range(5))
    yield from (ChooseMission(mission=mission.id) for mission in COMPONENTS.missions)
    yield from (PlayCard(card=card, wager=wager) for card in ALL_CARDS for wager in (False, True))
    yield from (CastVote(targets=(seat,)) for seat in range(5))
    yield from (CastVote(targets=(one, other)) for one in range(5) for other in range(5))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_other_move_is_refused(match, seats):
    """Section 16: whatever is not listed is illegal, for every seat, and changes nothing; what is listed is not."""
    conceivable = list(every_conceivable_move())
    stream = Randomness("refusals", bytes(32)).move(1)
    game = match(1, seats, special_roles=("accomplice", "paranoid_agent"), intel_limit=14)
    for step, _ in enumerate(game):
        if step % 3 and game.state.phase == "play_card":
            continue
        stored = INSIDE_JOB.dump(game.state)
        for seat in range(seats):
            legal = INSIDE_JOB.legal_moves(game.state, seat)
            for move in legal:
                assert INSIDE_JOB.play(INSIDE_JOB.load(stored), seat, move, stream)
            for move in set(conceivable) - set(legal):
                with pytest.raises(IllegalMove) as refusal:
                    INSIDE_JOB.play(game.state, seat, move, stream)
                assert refusal.value.reason in INSIDE_JOB.refusals
        assert INSIDE_JOB.dump(game.state) == stored


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_stored_states_can_be_played_on(match, seats):
    """Section 16: storing and loading between any two moves changes neither the state nor what follows."""
    for number in range(10):
        tables = [table for table in TABLES if table[0] == seats]
        _, wagers, roles = tables[number * 17 % len(tables)]
        plain, stored = (match(number, seats, **options_of(number, seats, wagers, roles)) for _ in range(2))
        for seat, move, events in plain:
            before = INSIDE_JOB.dump(stored.state)
            stored.state = INSIDE_JOB.load(before)
            assert INSIDE_JOB.dump(stored.state) == before
            assert stored.play(seat, move) == events
            assert INSIDE_JOB.dump(stored.state) == INSIDE_JOB.dump(plain.state)
            assert stored.state == plain.state


def test_states_refuse_unknown_fields(dealt):
    """Section 16: what is stored is read strictly."""
    stored = msgspec.msgpack.decode(INSIDE_JOB.dump(dealt(3)[0]))
    assert msgspec.convert(stored, INSIDE_JOB.state_type)
    for place in (stored, stored["players"][0], stored["options"], stored["options"]["mission_deck"][0]):
        place["secret"] = 1
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(stored, INSIDE_JOB.state_type)
        del place["secret"]


def test_nothing_after_the_deal_is_left_to_chance(match):
    """Section 3.3: the deck is shuffled once; what is drawn later does not depend on the stream of the move."""
    for number in range(5):
        one, other = match(number, 4), match(number, 4)
        other.randomness = Randomness("another", bytes(32))
        for seat, move, events in one:
            assert other.play(seat, move) == events
        assert INSIDE_JOB.dump(one.state) == INSIDE_JOB.dump(other.state)


# Plays matches with each number of seats, always the legal move that the digest so far points at.
DIGEST = """
import hashlib
from engine.randomness import Randomness
from engine.inside_job import INSIDE_JOB
from engine.inside_job.options import InsideJobOptions
import msgspec

digest = hashlib.sha256()
for seats in (3, 4, 5):
    for number in range(4):
        randomness = Randomness("digest", bytes([number]) * 32)
        options = InsideJobOptions(random_roles=number % 3 + 1)
        state, log = INSIDE_JOB.deal(seats, options, randomness.deal())
        events, count = log, 0
        while deciding := INSIDE_JOB.deciding(state):
            seat = deciding[digest.digest()[1] % len(deciding)]
            moves = INSIDE_JOB.legal_moves(state, seat)
            views = [INSIDE_JOB.table(state), INSIDE_JOB.hand(state, seat)]
            digest.update(msgspec.msgpack.encode([events, moves, *views]))
            seen = [event.seen_by(seat) for event in log]
            digest.update(INSIDE_JOB.dump(INSIDE_JOB.resample(state, seen, seat, randomness.stand_in(count))))
            stand_in = INSIDE_JOB.stand_in(*views, moves, randomness.stand_in(count))
            digest.update(msgspec.msgpack.encode(stand_in))
            digest.update(INSIDE_JOB.dump(state))
            count += 1
            events = INSIDE_JOB.play(state, seat, moves[digest.digest()[0] % len(moves)], randomness.move(count))
            log = log + events
        digest.update(INSIDE_JOB.dump(state))
        digest.update(msgspec.msgpack.encode(INSIDE_JOB.result(state)))
print(digest.hexdigest())
"""


def test_order_of_hashes_decides_nothing():
    """Section 16: events, moves, views, states and results are the same bytes in processes that hash differently."""
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
    assert len(digests.pop()) == 64
