"""Which answers to a decision are legal (rules, sections 4, 5, 8, 9 and 16).

:func:`check` says why a move is refused. What it looks at is public or known to the seat that moves, so its reasons
tell that seat nothing new. The list of legal moves is what it lets through, but made directly: to try out every
candidate would be most of the work of a move. The tests compare the two over all moves that there are.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Final

from engine.game import IllegalMove, Seat
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

_PLAYS: Final = {card: (PlayCard(card=card, wager=False), PlayCard(card=card, wager=True)) for card in CARDS}
"""Every way to play a card: without and with a wager."""


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
                _check_wager(state, state.players[seat])
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
    """Section 4.3."""
    player = state.players[seat]
    if card not in player.hand:
        raise IllegalMove("card-not-in-hand")
    if card not in _playable(state, player):
        raise IllegalMove("must-follow-suit")


def _playable(state: InsideJobState, player: Player) -> list[Card]:
    """The cards of the hand that follow suit: only printed ones count, and the insider side may play any card."""
    led = led_suit(state)
    if led is None or is_insider_side(player.role):
        return player.hand
    return [card for card in player.hand if CARDS[card].suit == led] or player.hand


def _check_wager(state: InsideJobState, player: Player) -> None:
    refusal = _why_no_wager(state, player)
    if refusal is not None:
        raise IllegalMove(refusal)


def _why_no_wager(state: InsideJobState, player: Player) -> str | None:
    """The first rule of section 5 that forbids a wager, ``None`` if none does."""
    if not state.options.wagers:
        return "no-wagers-in-this-match"
    if not state.plays:
        return "start-player-may-not-wager"
    if player.revealed:
        return "revealed-may-not-wager"
    if not player.tokens:
        return "no-token-to-wager"
    return None


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
    match state.phase:
        case "choose_partner":
            return [ChoosePartner(seat=other) for other in range(len(state.players)) if other != seat]
        case "choose_mission":
            risky = [mission for mission in state.drawn if MISSIONS[mission].risk]
            return [ChooseMission(mission=mission) for mission in sorted(set(risky or state.drawn))]
        case "play_card":
            player = state.players[seat]
            playable = _playable(state, player)
            if _why_no_wager(state, player):
                return [_PLAYS[card][False] for card in playable]
            return [move for card in playable for move in _PLAYS[card]]
        case "cast_vote":
            return _votes(state, seat)
        case "over":
            return []


def _votes(state: InsideJobState, seat: Seat) -> list[InsideJobMove]:
    """One vote and, of the Paranoid Agent, two: for different seats, until the own role card is turned up."""
    targets = [other for other, player in enumerate(state.players) if other != seat and not player.revealed]
    moves: list[InsideJobMove] = [CastVote(targets=(target,)) for target in targets]
    player = state.players[seat]
    if player.role == "paranoid_agent":
        pairs = combinations_with_replacement if player.revealed else combinations
        moves += [CastVote(targets=pair) for pair in pairs(targets, 2)]
    return moves
