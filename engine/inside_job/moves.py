"""The answers to the decisions of Inside Job (rules, section 16)."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from engine.game import Move
from engine.inside_job.components import MAX_SEATS
from engine.inside_job.ids import Card, Mission

AnySeat: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_SEATS - 1)]

DecisionKind: TypeAlias = Literal["choose_partner", "choose_mission", "play_card", "cast_vote"]
KINDS: Final[tuple[DecisionKind, ...]] = ("choose_partner", "choose_mission", "play_card", "cast_vote")


class ChoosePartner(Move, frozen=True, tag="choose_partner"):
    """Before the first mission: the Accomplice points at another player."""

    seat: AnySeat


class ChooseMission(Move, frozen=True, tag="choose_mission"):
    """The start player chooses one of the two missions drawn; the other is discarded unseen."""

    mission: Mission


class PlayCard(Move, frozen=True, tag="play_card"):
    """Play a card to the trick, with an intel token on it or without."""

    card: Card
    wager: bool


class CastVote(Move, frozen=True, tag="cast_vote"):
    """After the last trick: point at one seat. The Paranoid Agent may point at two, listed in ascending order."""

    targets: Annotated[tuple[AnySeat, ...], Meta(min_length=1, max_length=2)]


InsideJobMove: TypeAlias = ChoosePartner | ChooseMission | PlayCard | CastVote
