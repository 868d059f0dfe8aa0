"""What may be chosen when a match of Inside Job is created (rules, section 15)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from engine.game import BadOptions, Options
from engine.inside_job.components import COMPONENTS, CONDITIONS, MAX_SEATS, MAX_TRICKS, MIN_TRICKS, MISSIONS, SETUPS
from engine.inside_job.ids import Condition, SpecialRole, Suit
from engine.inside_job.roles import why_forbidden


class InsideJobDeckCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card of a mission deck that a match brings itself."""

    condition: Condition
    trump: Suit


SpecialRoles: TypeAlias = Annotated[tuple[SpecialRole, ...], Meta(max_length=8)]
MissionDeck: TypeAlias = Annotated[tuple[InsideJobDeckCard, ...], Meta(min_length=2 * MIN_TRICKS, max_length=100)]

RECONSTRUCTED_DECK: MissionDeck = tuple(
    InsideJobDeckCard(condition=MISSIONS[mission].condition, trump=MISSIONS[mission].trump)
    for mission in COMPONENTS.mission_deck
)


class InsideJobOptions(Options, frozen=True, kw_only=True):
    """The optional rules, the disputed rulings, and the mission deck for whoever owns the printed one.

    Attributes:
        wagers: intel tokens may be wagered (section 5).
        special_roles: the special roles in play, each once (section 8).
        random_roles: so many special roles are drawn at the deal instead.
        vote_tie: which ties for most votes help the agents: only those that the insider is in, or every one (OQ21).
        risk_reveal: whose reveal through intel makes the agents win when the Risk Agent is in play (OQ1).
        missions_needed: successes with which the agents win; null: as printed for that number of players.
        intel_limit: tokens with which a role card is turned up; null: as printed for that number of players.
        mission_deck: the normal missions. The default is reconstructed, not printed.
    """

    wagers: bool = True
    special_roles: SpecialRoles = ()
    random_roles: Annotated[int, Meta(ge=0, le=MAX_SEATS)] = 0
    vote_tie: Literal["with_insider", "any"] = "with_insider"
    risk_reveal: Literal["any", "risk_agent_only", "all"] = "any"
    missions_needed: Annotated[int, Meta(ge=1, le=MAX_TRICKS)] | None = None
    intel_limit: Annotated[int, Meta(ge=2, le=COMPONENTS.intel_tokens)] | None = None
    mission_deck: MissionDeck = RECONSTRUCTED_DECK


def check_options(options: InsideJobOptions, seats: int) -> None:
    """Refuse options that do not fit each other or the number of seats (sections 8 and 15).

    Raises:
        BadOptions: they do not fit.
    """
    if reason := why_forbidden(options.special_roles, seats, wagers=options.wagers):
        raise BadOptions(reason, "special_roles")
    if options.random_roles and options.special_roles:
        raise BadOptions("roles-both-chosen-and-random", "random_roles")
    if options.random_roles > seats:
        raise BadOptions("more-random-roles-than-players", "random_roles")
    tricks = SETUPS[seats].tricks
    if options.missions_needed is not None and options.missions_needed > tricks:
        raise BadOptions("more-missions-needed-than-tricks", "missions_needed")
    if len(options.mission_deck) < 2 * tricks:
        raise BadOptions("mission-deck-too-small", "mission_deck")
    if not options.wagers and any(CONDITIONS[card.condition].needs_wagers for card in options.mission_deck):
        raise BadOptions("mission-needs-wagers", "mission_deck")
