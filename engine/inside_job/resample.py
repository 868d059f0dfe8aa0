"""Other states that a viewer cannot tell apart from the true one.

Everything hidden is drawn anew from what the viewer knows, never from what is true: so the new state tells nothing of
the true one, and two states that look alike to a viewer are resampled alike.

Hands and roles hang together: a seat that did not follow a suit has no card of it, unless it is on the insider side
(rules, section 4.3), and one that followed it later is. So the insider side is drawn first, each seat as likely as
there are deals that fit, then one of these deals. The discarded missions hang together with those that were chosen,
for a risk mission must be (section 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from engine.game import Seat
from engine.inside_job.components import CARDS, MISSIONS, sorted_cards
from engine.inside_job.dealing import Dealing, weighted
from engine.inside_job.events import InsideJobEvent
from engine.inside_job.ids import Card, Role
from engine.inside_job.knowledge import Knowledge, knowledge
from engine.inside_job.legality import legal_moves
from engine.inside_job.moves import CastVote
from engine.inside_job.roles import is_insider_side, role_cards
from engine.inside_job.state import InsideJobState
from engine.randomness import Stream


def resample(
    state: InsideJobState, seen: Sequence[InsideJobEvent], viewer: Seat | None, random: Stream
) -> InsideJobState:
    """Another state that this viewer cannot tell apart from ``state``.

    All roles, hands and missions that fit are equally likely.

    Args:
        state: the true one; it is not changed.
        seen: all events so far as the viewer read them.
        viewer: a seat, or ``None`` for a spectator.
        random: chooses among all states that fit.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=InsideJobState)
    known = knowledge(seen)
    _resample_roles_and_hands(other, known, viewer, random)
    _resample_missions(other, known, viewer, random)
    if other.phase == "cast_vote":
        _resample_votes(other, viewer, random)
    return other


# --- roles and hands ---


@dataclass(frozen=True)
class _Suspect:
    """A seat that may be on the insider side, and the deals that fit if it is."""

    seat: Seat
    dealing: Dealing


def _resample_roles_and_hands(state: InsideJobState, known: Knowledge, viewer: Seat | None, random: Stream) -> None:
    hidden_roles = _hidden_roles(state, viewer)
    suspects = _suspects(state, known, viewer, hidden_roles)
    suspect = suspects[weighted([suspect.dealing.ways() for suspect in suspects], random)]
    _deal_roles(state, suspect.seat, hidden_roles, random)
    *hands, undealt = suspect.dealing.one(random)
    for seat, cards in zip(_others(state, viewer), hands, strict=True):
        state.players[seat].hand = sorted_cards(cards)
    state.undealt = sorted_cards(undealt)


def _others(state: InsideJobState, viewer: Seat | None) -> list[Seat]:
    """The seats whose hands the viewer does not see."""
    return [seat for seat in range(len(state.players)) if seat != viewer]


def _hidden_roles(state: InsideJobState, viewer: Seat | None) -> list[Seat]:
    """The seats whose roles the viewer does not know; after the end it knows them all."""
    if state.phase == "over":
        return []
    seen = {viewer}
    if viewer is not None and state.players[viewer].role == "accomplice":
        seen.add(state.partner)
    return [seat for seat, player in enumerate(state.players) if not player.revealed and seat not in seen]


def _suspects(
    state: InsideJobState, known: Knowledge, viewer: Seat | None, hidden_roles: Sequence[Seat]
) -> list[_Suspect]:
    """The seats that may be on the insider side."""
    open_roles = [seat for seat in range(len(state.players)) if seat not in hidden_roles]
    found = [seat for seat in open_roles if is_insider_side(state.players[seat].role)]
    own = state.players[viewer].hand if viewer is not None else []
    cards: list[Card] = [card for card in CARDS if card not in known.played and card not in own]
    others = _others(state, viewer)
    sizes = [*(len(state.players[seat].hand) for seat in others), len(state.undealt)]
    suspects = []
    for suspect in found or hidden_roles:
        if known.proved <= {suspect}:
            voids = [known.voids.get(seat, set()) if seat != suspect else set() for seat in others]
            suspects.append(_Suspect(suspect, Dealing(cards, sizes, [*voids, set()])))
    return suspects


def _deal_roles(state: InsideJobState, insider: Seat, hidden_roles: Sequence[Seat], random: Stream) -> None:
    """Give the hidden seats the roles that are left, with the insider side where it was drawn."""
    roles: list[Role] = role_cards(state.special_roles, len(state.players))
    for seat, player in enumerate(state.players):
        if seat not in hidden_roles:
            roles.remove(player.role)
    if insider in hidden_roles:
        (role,) = (role for role in roles if is_insider_side(role))
        roles.remove(role)
        state.players[insider].role = role
    random.shuffle(roles)
    for seat in hidden_roles:
        if seat != insider:
            state.players[seat].role = roles.pop()


# --- missions ---


def _resample_missions(state: InsideJobState, known: Knowledge, viewer: Seat | None, random: Stream) -> None:
    """Draw anew what others discarded or hold, and the deck.

    Who chose a normal mission had no risk mission to choose, so did not discard one.
    """
    hidden = [*state.mission_deck]
    places = [
        (seat, number, MISSIONS[chosen].risk)
        for seat in _others(state, viewer)
        for number, chosen in enumerate(known.chosen.get(seat, ()))
    ]
    hidden += [state.players[seat].discarded[number] for seat, number, _ in places]
    holds = viewer != state.start_seat
    if holds:
        hidden += state.drawn
    normal = sorted(mission for mission in hidden if not MISSIONS[mission].risk)
    random.shuffle(normal)
    for seat, number, risk in places:
        if not risk:
            state.players[seat].discarded[number] = normal.pop()
    rest = sorted(normal + [mission for mission in hidden if MISSIONS[mission].risk])
    random.shuffle(rest)
    for seat, number, risk in places:
        if risk:
            state.players[seat].discarded[number] = rest.pop()
    if holds:
        state.drawn = sorted(rest.pop() for _ in state.drawn)
    state.mission_deck = rest


# --- votes ---


def _resample_votes(state: InsideJobState, viewer: Seat | None, random: Stream) -> None:
    """Let the others who have voted have voted for anybody whom their new roles allow."""
    for seat in _others(state, viewer):
        player = state.players[seat]
        if player.vote is not None:
            player.vote = None
            votes = [move for move in legal_moves(state, seat) if isinstance(move, CastVote)]
            player.vote = list(random.choice(votes).targets)
