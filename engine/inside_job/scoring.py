"""Who has won a match of Inside Job, and by which rule (rules, section 8, "resolution order")."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.game import Result, Seat, SeatResult
from engine.inside_job.state import WINNER, InsideJobState, Player, Winner, right_of

Reason: TypeAlias = Literal[
    "agents_won",
    "agents_lost",
    "insider_won",
    "insider_lost",
    "prof_no_won",
    "prof_no_lost",
    "hidden_sleeper_won",
    "hidden_sleeper_lost",
    "revealed_sleeper_won",
    "revealed_sleeper_lost",
    "decoy_voted_out",
    "decoy_won",
    "decoy_not_voted_out",
    "right_neighbour_won",
    "right_neighbour_lost",
    "partner_won",
    "partner_lost",
    "tim_shady_and_accomplice_in_a_circle",
]

Verdict: TypeAlias = tuple[bool, Reason]
"""Whether a seat has won, and the rule."""


def result(state: InsideJobState) -> Result | None:
    """Who has won, by seat; there is no ranking. ``None`` before the end."""
    if state.ending is None:
        return None
    verdicts = _verdicts(state, WINNER[state.ending])
    return Result(
        ending=state.ending,
        seats=[
            SeatResult(seat=seat, won=verdicts[seat][0], reason=verdicts[seat][1]) for seat in range(len(state.players))
        ],
    )


def _verdicts(state: InsideJobState, winner: Winner) -> dict[Seat, Verdict]:
    """Those who stand on their own first; then whoever leans on somebody whose verdict is known."""
    if winner == "decoy":
        return {
            seat: (True, "decoy_voted_out") if player.role == "decoy" else (False, "decoy_won")
            for seat, player in enumerate(state.players)
        }
    leaning = _leaning(state)
    verdicts = {seat: _own_verdict(player, winner) for seat, player in enumerate(state.players) if seat not in leaning}
    for _ in leaning:
        for seat, other in leaning.items():
            if other in verdicts:
                verdicts[seat] = _leaning_verdict(state.players[seat], other_won=verdicts[other][0])
    for seat in leaning:
        verdicts.setdefault(seat, (False, "tim_shady_and_accomplice_in_a_circle"))
    return verdicts


def _leaning(state: InsideJobState) -> dict[Seat, Seat]:
    """Seats that win or lose with another seat's verdict, and that other seat."""
    leaning: dict[Seat, Seat] = {}
    for seat, player in enumerate(state.players):
        if player.role == "tim_shady":
            leaning[seat] = right_of(state, seat)
        elif player.role == "accomplice":
            assert state.partner is not None
            leaning[seat] = state.partner
    return leaning


def _own_verdict(player: Player, winner: Winner) -> Verdict:
    agents_won = winner == "agents"
    match player.role:
        case "insider":
            return (False, "insider_lost") if agents_won else (True, "insider_won")
        case "prof_no":
            return (False, "prof_no_lost") if agents_won else (True, "prof_no_won")
        case "sleeper_agent" if player.revealed:
            return (False, "revealed_sleeper_lost") if agents_won else (True, "revealed_sleeper_won")
        case "sleeper_agent":
            return (True, "hidden_sleeper_won") if agents_won else (False, "hidden_sleeper_lost")
        case "decoy":
            return False, "decoy_not_voted_out"
        case _:
            return (True, "agents_won") if agents_won else (False, "agents_lost")


def _leaning_verdict(player: Player, *, other_won: bool) -> Verdict:
    if player.role == "tim_shady":
        return (False, "right_neighbour_won") if other_won else (True, "right_neighbour_lost")
    return (True, "partner_won") if other_won else (False, "partner_lost")
