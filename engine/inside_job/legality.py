"""Which answers to a decision are legal (rules, sections 4, 5, 8, 9 and 16).

:func:`check` is the only place that knows; the list of legal moves is what it lets through. What it looks at is public
or known to the seat that moves, so its reasons tell that seat nothing new.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from engine.game import IllegalMove, Seat, let_through
from engine.inside_job.components import CARDS, MISSIONS
from engine.inside_job.ids import Card
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, InsideJobMove, PlayCard
from engine.inside_job.roles import is_insider_side
from engine.inside_job.state import InsideJobState, Player, holder, led_suit, seat_to_play
from engine.inside_job.vote import missing_voters

REFUSALS: Final = (
    "already-voted",
    "not-your-turn",
    "wrong-kind-of-move",
    "no-such-seat",
    "own-seat",
    "mission-not-drawn",
    "must-choose-risk-mission",
    "card-not-in-hand",
    "must-follow-suit",
    "no-wagers-in-this-match",
    "start-player-may-not-wager",
    "revealed-may-not-wager",
    "no-token-to-wager",
    "target-revealed",
    "one-vote-only",
    "votes-must-differ",
    "votes-not-ascending",
)
"""Every reason that :func:`check` gives."""

_KIND_OF_MOVE: Final = {
    ChoosePartner: "choose_partner",
    ChooseMission: "choose_mission",
    PlayCard: "play_card",
    CastVote: "cast_vote",
}


def deciding(state: InsideJobState) -> tuple[Seat, ...]:
    """The seats that owe a decision: one, in the vote all who have not voted, none after the end."""
    match state.phase:
        case "choose_partner":
            accomplice = holder(state, "accomplice")
            assert accomplice is not None
            return (accomplice,)
        case "choose_mission":
            return (state.start_seat,)
        case "play_card":
            return (seat_to_play(state),)
        case "cast_vote":
            return tuple(missing_voters(state))
        case "over":
            return ()


def check(state: InsideJobState, seat: Seat, move: InsideJobMove) -> None:
    """Let a legal move pass.

    Raises:
        IllegalMove: with one of :data:`REFUSALS`.
    """
    if seat not in deciding(state):
        voted = state.phase == "cast_vote" and state.players[seat].vote is not None
        raise IllegalMove("already-voted" if voted else "not-your-turn")
    if _KIND_OF_MOVE[type(move)] != state.phase:
        raise IllegalMove("wrong-kind-of-move")
    match move:
        case ChoosePartner():
            _check_other_seat(state, seat, move.seat)
        case ChooseMission():
            _check_mission(state, move)
        case PlayCard():
            _check_card(state, seat, move.card)
            if move.wager:
                _check_wager(state, seat)
        case CastVote():
            _check_vote(state, seat, move)


def _check_other_seat(state: InsideJobState, seat: Seat, other: Seat) -> None:
    if other >= len(state.players):
        raise IllegalMove("no-such-seat")
    if other == seat:
        raise IllegalMove("own-seat")


def _check_mission(state: InsideJobState, move: ChooseMission) -> None:
    """Section 4.1; a risk mission must be chosen, of two risk missions either (section 8)."""
    if move.mission not in state.drawn:
        raise IllegalMove("mission-not-drawn")
    if not MISSIONS[move.mission].risk and any(MISSIONS[mission].risk for mission in state.drawn):
        raise IllegalMove("must-choose-risk-mission")


def _check_card(state: InsideJobState, seat: Seat, card: Card) -> None:
    """Section 4.3: only printed suits count, and the insider side may play any card."""
    player = state.players[seat]
    if card not in player.hand:
        raise IllegalMove("card-not-in-hand")
    led = led_suit(state)
    if led is None or CARDS[card].suit == led or is_insider_side(player.role):
        return
    if any(CARDS[other].suit == led for other in player.hand):
        raise IllegalMove("must-follow-suit")


def _check_wager(state: InsideJobState, seat: Seat) -> None:
    """Section 5."""
    if not state.options.wagers:
        raise IllegalMove("no-wagers-in-this-match")
    if not state.plays:
        raise IllegalMove("start-player-may-not-wager")
    if state.players[seat].revealed:
        raise IllegalMove("revealed-may-not-wager")
    if not state.players[seat].tokens:
        raise IllegalMove("no-token-to-wager")


def _check_vote(state: InsideJobState, seat: Seat, move: CastVote) -> None:
    """Section 9; the Paranoid Agent of section 8."""
    for target in move.targets:
        _check_other_seat(state, seat, target)
        if state.players[target].revealed:
            raise IllegalMove("target-revealed")
    if len(move.targets) > 1:
        _check_second_vote(state.players[seat], *move.targets)


def _check_second_vote(player: Player, first: Seat, second: Seat) -> None:
    if player.role != "paranoid_agent":
        raise IllegalMove("one-vote-only")
    if first == second and not player.revealed:
        raise IllegalMove("votes-must-differ")
    if first > second:
        raise IllegalMove("votes-not-ascending")


def legal_moves(state: InsideJobState, seat: Seat) -> list[InsideJobMove]:
    """Every legal move of a seat, in a fixed order; empty unless the seat is deciding."""
    if seat not in deciding(state):
        return []
    return let_through(check, state, seat, _candidates(state, seat))


def _candidates(state: InsideJobState, seat: Seat) -> Iterator[InsideJobMove]:
    """Moves of the kind that is due; among them every legal one, each once."""
    everybody = range(len(state.players))
    match state.phase:
        case "choose_partner":
            yield from (ChoosePartner(seat=other) for other in everybody)
        case "choose_mission":
            yield from (ChooseMission(mission=mission) for mission in sorted(set(state.drawn)))
        case "play_card":
            for card in state.players[seat].hand:
                yield PlayCard(card=card, wager=False)
                yield PlayCard(card=card, wager=True)
        case "cast_vote":
            yield from (CastVote(targets=(other,)) for other in everybody)
            yield from (CastVote(targets=pair) for pair in combinations_with_replacement(everybody, 2))
        case "over":
            pass
