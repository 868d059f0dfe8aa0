"""The final vote (rules, section 9)."""

from __future__ import annotations

from engine.game import Seat
from engine.inside_job.state import Ending, InsideJobState, holder, insider_seat, others_are_revealed


def voters(state: InsideJobState) -> list[Seat]:
    """Who votes: everybody with somebody to vote for, but the Accomplice. It is public who that is."""
    return [
        seat
        for seat, player in enumerate(state.players)
        if player.role != "accomplice" and not others_are_revealed(state, seat)
    ]


def missing_voters(state: InsideJobState) -> list[Seat]:
    """Those voters who have not voted yet."""
    return [seat for seat in voters(state) if state.players[seat].vote is None]


def outcome(state: InsideJobState) -> Ending:
    """What the votes decide, once all are cast."""
    counts = [0] * len(state.players)
    for player in state.players:
        for target in player.vote or ():
            counts[target] += 1
    most = [seat for seat, count in enumerate(counts) if count == max(counts)]
    if insider_seat(state) in most:
        return "insider_voted_out"
    if len(most) > 1 and state.options.vote_tie == "any":
        return "vote_tied"
    if most == [holder(state, "decoy")]:
        return "decoy_voted_out"
    return "insider_escaped_vote"
