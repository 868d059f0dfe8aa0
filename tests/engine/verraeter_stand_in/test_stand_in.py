"""A stand-in plays legally, sensibly and from nothing but what its seat may know."""

import pytest

from engine.randomness import Randomness, Stream
from engine.verraeter import VERRAETER
from engine.verraeter.components import OTHER_HOUSE
from engine.verraeter.moves import DraftAction, PlaceBuilding, TurnBuilding
from engine.verraeter.options import VerraeterOptions

MATCHES = 300


def stream(*parts):
    return Stream(repr(parts).encode())


def stand_in(state, seat, random):
    return VERRAETER.stand_in(
        VERRAETER.table(state), VERRAETER.hand(state, seat), VERRAETER.legal_moves(state, seat), random
    )


def decisions(number, stand_ins=()):
    """Play a match, at random but for some seats; yields each state before the decision, its seat and the log.

    Returns the result.
    """
    streams = Randomness(f"match {number}", number.to_bytes(32, "big"))
    random = stream("moves", number)
    seats = 3 + number % 2
    options = VerraeterOptions(early_end=random.choice(["after_round", "at_once"]))
    state, log = VERRAETER.deal(seats, options, streams.deal())
    for step in range(1, 1000):
        if not VERRAETER.deciding(state):
            return VERRAETER.result(state)
        (seat,) = VERRAETER.deciding(state)
        yield state, seat, log
        moves = VERRAETER.legal_moves(state, seat)
        move = stand_in(state, seat, streams.stand_in(step)) if seat in stand_ins else random.choice(moves)
        log += VERRAETER.play(state, seat, move, streams.move(step))
    raise AssertionError("a match without end")


def outcome(number, stand_ins):
    match = decisions(number, stand_ins)
    while True:
        try:
            next(match)
        except StopIteration as end:
            return end.value


def test_returns_a_legal_move_and_changes_nothing():
    kinds = set()
    for number in range(8):
        for state, seat, _ in decisions(number):
            before = VERRAETER.dump(state)
            for again in range(3):
                move = stand_in(state, seat, stream(number, again))
                assert move in VERRAETER.legal_moves(state, seat)
            assert VERRAETER.dump(state) == before
            kinds.add(state.phase)
    assert kinds == set(VERRAETER.kinds)


@pytest.mark.parametrize("seats", [3, 4])
def test_stand_ins_alone_play_a_match_to_its_end(seats):
    for number in range(seats - 3, 12, 2):
        assert len(outcome(number, range(seats)).seats) == seats


def test_equal_arguments_give_equal_moves():
    for state, seat, _ in decisions(1):
        one, same = (stand_in(state, seat, stream(state.round)) for _ in range(2))
        assert one == same


def test_depends_on_nothing_hidden_from_its_seat():
    """In any state that its seat cannot tell from the true one it does the same."""
    for number in range(6):
        for step, (state, seat, log) in enumerate(decisions(number)):
            seen = [event.seen_by(seat) for event in log]
            other = VERRAETER.resample(state, seen, seat, stream("resample", step))
            assert stand_in(other, seat, stream(step)) == stand_in(state, seat, stream(step))


@pytest.mark.parametrize(("seats", "least"), [(3, 0.6), (4, 0.48)])
def test_beats_random_players(seats, least):
    """One stand-in among random players wins far more than its fair share (a shared win counts in part)."""
    share = 0.0
    for match in range(MATCHES):
        number = 2 * match + seats - 3
        seat = match % seats
        won = [entry.seat for entry in outcome(number, [seat]).seats if entry.won]
        share += (seat in won) / len(won)
    assert share / MATCHES > least


def test_what_it_keeps_remains_a_guess():
    """No action card that it is offered is ruled out or certain, whatever the state."""
    for number in range(4):
        for state, seat, _ in decisions(number):
            if state.phase == "draft_action":
                kept = [stand_in(state, seat, stream(again)) for again in range(300)]
                assert max(map(kept.count, kept)) < 300
                assert len(set(kept)) >= len(state.players[seat].offered) - 1


def test_plays_neither_everything_nor_nothing():
    played, held, whole, none, decided = 0, 0, 0, 0, 0
    for number in range(20):
        for state, seat, _ in decisions(number):
            hand = state.players[seat].supplies
            if state.phase == "play_supplies" and len(hand) >= 3:
                cards = stand_in(state, seat, stream(number, state.round)).cards
                decided += 1
                whole += len(cards) == len(hand)
                none += not cards
                played += len(cards)
                held += len(hand)
    assert 0.2 < played / held < 0.7
    assert whole < decided / 3
    assert decided / 10 < none < decided / 2


def test_last_to_play_takes_the_lead_for_the_house_that_it_will_belong_to():
    """Where 5 more than the other house can be had, at least 1 more is: for a Traitor, on the other side."""
    had = {True: 0, False: 0}
    for number in range(60):
        for state, seat, _ in decisions(number):
            player = state.players[seat]
            if state.phase != "play_supplies" or state.turn != len(state.players) - 1 or not player.supplies:
                continue
            conflict = VERRAETER.table(state).conflict
            lead = (conflict.eagle - conflict.rose) * (1 if player.house == "eagle" else -1)
            traitor = player.action == "traitor"
            lead = -lead if traitor else lead
            lead += {"diplomat_2": 2, "diplomat_5": 5}.get(player.action, 0)
            if lead < 1 and lead + sum(player.supplies) >= 5:
                had[traitor] += 1
                assert lead + sum(stand_in(state, seat, stream(number, state.round)).cards) >= 1
    assert min(had.values()) > 10


def test_declares_a_conflict_that_its_house_may_win():
    """On average the own side's landscape is the stronger one, and the defeated one is worth more than the least."""
    lead, count = 0, 0
    base = {card.id: card.base for card in VERRAETER.components.landscapes}
    for number in range(30):
        for state, seat, _ in decisions(number):
            if state.phase == "declare_conflict":
                border = stand_in(state, seat, stream(number)).border
                house = state.players[seat].house
                for land in (state.landscapes[border], state.landscapes[(border + 1) % 12]):
                    lead += base[land.type] * (1 if land.house == house else -1)
                count += 1
    assert lead / count > 3


def test_lays_its_first_farm_away_from_the_enemy():
    for number in range(30):
        state, seat, _ = next(decisions(number))
        house = state.players[seat].house

        def enemies(position, state=state, house=house):
            neighbours = (state.landscapes[position - 1], state.landscapes[(position + 1) % 12])
            return sum(land.house == OTHER_HOUSE[house] for land in neighbours)

        sites = [enemies(move.landscape) for move in VERRAETER.legal_moves(state, seat)]
        assert enemies(stand_in(state, seat, stream(number)).landscape) == min(sites)


def test_wants_the_traitor_when_its_house_is_behind():
    """Over many drafts: more often than when it is ahead."""
    kept = {True: [], False: []}
    for number in range(40):
        for state, seat, _ in decisions(number):
            if state.phase == "draft_action" and "traitor" in state.players[seat].offered:
                conflict = VERRAETER.table(state).conflict
                lead = conflict.eagle - conflict.rose
                ahead = lead > 0 if state.players[seat].house == "eagle" else lead < 0
                kept[ahead].append(stand_in(state, seat, stream(number, state.round)) == DraftAction(action="traitor"))
    assert sum(kept[False]) / len(kept[False]) > 2 * sum(kept[True]) / len(kept[True])


def test_builds_farms_first_and_trading_posts_at_the_end():
    early, late = [], []
    for number in range(40):
        for state, seat, _ in decisions(number):
            if state.phase == "build":
                move = stand_in(state, seat, stream(number))
                (early if state.round < 5 else late if state.round >= 8 else []).append((state, move))
    assert not any(isinstance(move, PlaceBuilding) and move.side == "trading_post" for _, move in early)
    assert sum(isinstance(move, PlaceBuilding) for _, move in early) > len(early) / 2
    assert late
    assert not any(isinstance(move, PlaceBuilding) and move.side == "farm" for _, move in late)
    assert any(isinstance(move, TurnBuilding) for _, move in late)
