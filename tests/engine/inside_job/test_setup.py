"""Section 3: the set-up."""

from collections import Counter

import msgspec
import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import COMPONENTS

ALL_CARDS = {f"{suit}_{rank}" for suit in ("blue", "red", "green", "yellow") for rank in range(1, 14)}
NUMBERS = {
    # hand, undealt, tricks, left in hand at the end, missions needed, intel limit, start intel
    3: (13, 13, 11, 2, 9, 6, 1),
    4: (12, 4, 10, 2, 7, 5, 1),
    5: (10, 2, 9, 1, 6, 4, 1),
}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_numbers_by_players(dealt, seats):
    """Section 3 'table': hands, undealt cards, tricks, missions, limit and start intel."""
    hand, undealt, tricks, left, missions, limit, intel = NUMBERS[seats]
    state, _ = dealt(seats)
    table = INSIDE_JOB.table(state)
    assert [len(player.hand) for player in state.players] == [hand] * seats
    assert (len(state.undealt), table.undealt_size) == (undealt, undealt)
    assert (table.tricks, hand - tricks) == (tricks, left)
    assert (table.missions_needed, table.intel_limit) == (missions, limit)
    assert [seat.tokens for seat in table.seats] == [intel] * seats
    setup = next(setup for setup in COMPONENTS.setups if setup.seats == seats)
    assert msgspec.structs.astuple(setup) == (seats, hand, undealt, tricks, missions, limit)
    assert INSIDE_JOB.seats == range(3, 6)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_roles(dealt, seats):
    """Section 3.1: one insider, everybody else an agent; every seat may be the insider."""
    insiders = set()
    for number in range(60):
        state, _ = dealt(seats, number)
        roles = [player.role for player in state.players]
        assert sorted(roles) == ["agent"] * (seats - 1) + ["insider"]
        insiders.add(roles.index("insider"))
        assert not any(player.revealed for player in state.players)
    assert insiders == set(range(seats))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everybody_sees_the_own_role_alone(dealt, seats):
    """Section 3.1: role and hand are told to their owner."""
    state, events = dealt(seats)
    assert events[0].public.you is None
    for seat, player in enumerate(state.players):
        you = events[0].seen_by(seat).you
        assert (you.role, you.hand) == (player.role, player.hand)
        hand = INSIDE_JOB.hand(state, seat)
        assert (hand.role, hand.hand) == (player.role, player.hand)
    assert [shown.role for shown in INSIDE_JOB.table(state).seats] == [None] * seats


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_cards_and_tokens(dealt, seats):
    """Section 3.2: 52 cards, each once; 14 tokens, one each, the others are the supply."""
    for number in range(20):
        state, _ = dealt(seats, number)
        dealt_cards = [card for player in state.players for card in player.hand] + state.undealt
        assert sorted(dealt_cards) == sorted(ALL_CARDS)
        assert state.supply == 14 - seats
        for player in state.players:
            suits, ranks = zip(*(card.split("_") for card in player.hand), strict=True)
            order = [(["blue", "red", "green", "yellow"].index(s), int(r)) for s, r in zip(suits, ranks, strict=True)]
            assert order == sorted(order)
    first, second = dealt(seats, 1)[0], dealt(seats, 2)[0]
    assert first.players[0].hand != second.players[0].hand
    assert first.undealt != second.undealt


def test_accomplice_takes_no_token(dealt):
    """Section 3.2; Section 8 'accomplice': he starts with none, and his is in the supply."""
    for seats in (3, 4, 5):
        state, events = dealt(seats, special_roles=("accomplice",))
        tokens = [player.tokens for player in state.players]
        assert tokens == [0 if player.role == "accomplice" else 1 for player in state.players]
        assert events[0].public.tokens == tokens
        assert state.supply == events[0].public.supply == 14 - seats + 1


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_mission_deck(dealt, seats):
    """Section 3.3; Section 6.3: the 24 missions, shuffled; two of them are drawn already."""
    orders = set()
    for number in range(10):
        state, events = dealt(seats, number)
        assert sorted(state.mission_deck + state.drawn) == sorted(COMPONENTS.mission_deck)
        assert events[0].public.mission_deck_size == 24
        assert len(state.mission_deck) == INSIDE_JOB.table(state).mission_deck_size == 22
        orders.add(tuple(state.mission_deck))
    assert len(orders) == 10


def test_own_mission_deck(dealt):
    """Section 3.3; Section 6.3: another deck replaces the 24 cards, repeats and all."""
    deck = [{"condition": "no_trump", "trump": "red"}] * 21 + [{"condition": "two_wagered", "trump": "blue"}]
    options = msgspec.convert({"mission_deck": deck}, INSIDE_JOB.options_type)
    state, _ = dealt(3, mission_deck=options.mission_deck)
    assert Counter(state.mission_deck + state.drawn) == {"no_trump_red": 21, "two_wagered_blue": 1}


RISK = ["risk_lowest_wins_yellow", "risk_third_wagered_blue", "risk_two_wagered_green", "risk_winner_wagered_red"]


def test_risk_missions_are_shuffled_in(dealt):
    """Section 3.3; Section 6.4; Section 8 'risk_agent': four more cards, with an own deck too."""
    state, events = dealt(4, special_roles=("risk_agent",))
    everything = state.mission_deck + state.drawn + state.players[state.start_seat].discarded
    assert sorted(everything) == sorted([*COMPONENTS.mission_deck, *RISK])
    assert events[0].public.mission_deck_size == 28
    deck = [{"condition": "no_trump", "trump": "red"}] * 20
    options = msgspec.convert({"mission_deck": deck}, INSIDE_JOB.options_type)
    state, _ = dealt(4, special_roles=("risk_agent",), mission_deck=options.mission_deck)
    assert sorted(state.mission_deck + state.drawn) == sorted(["no_trump_red"] * 20 + RISK)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_start_player(dealt, seats):
    """Section 3.4: a random seat."""
    starts = Counter(dealt(seats, number)[0].start_seat for number in range(60))
    assert set(starts) == set(range(seats))
    assert min(starts.values()) > 4
    pairs = {
        (state.start_seat, [player.role for player in state.players].index("insider"))
        for state in (dealt(seats, number)[0] for number in range(150))
    }
    assert len(pairs) == seats**2


def test_order_of_the_set_up(dealt):
    """Section 3.5: Bugged Agent and Accomplice turn up their cards, the Accomplice chooses, then the first trick."""
    for number in range(10):
        state, events = dealt(4, number, special_roles=("accomplice", "bugged_agent"))
        turned_up = {event.public.seat: event.public.role for event in events[1:]}
        assert turned_up == {
            seat: player.role
            for seat, player in enumerate(state.players)
            if player.role in ("accomplice", "bugged_agent")
        }
        assert {event.public.cause for event in events[1:]} == {"set_up"}
        assert {seat for seat, player in enumerate(state.players) if player.revealed} == set(turned_up)
        (accomplice,) = (seat for seat, role in turned_up.items() if role == "accomplice")
        assert (state.phase, INSIDE_JOB.deciding(state), state.trick) == ("choose_partner", (accomplice,), 0)
        assert state.drawn == []
        assert len(state.mission_deck) == 24
        move = INSIDE_JOB.legal_moves(state, accomplice)[0]
        start = state.start_seat
        told = INSIDE_JOB.play(state, accomplice, move, None)
        assert [event.public.__struct_config__.tag for event in told] == ["partner_chosen", "missions_drawn"]
        assert (state.phase, INSIDE_JOB.deciding(state), state.trick) == ("choose_mission", (start,), 1)


def test_without_them_the_first_trick_begins_at_once(dealt):
    """Section 3.5: nobody turns up a card, the start player chooses a mission."""
    state, events = dealt(3, special_roles=("prof_no", "decoy", "risk_agent"))
    assert [event.public.__struct_config__.tag for event in events] == ["inside_job_dealt", "missions_drawn"]
    assert (state.phase, INSIDE_JOB.deciding(state)) == ("choose_mission", (state.start_seat,))
