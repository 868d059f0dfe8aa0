"""What lies in the box of Inside Job, and what is printed on it (rules, sections 2, 3, 6 and 8).

The mission cards are **reconstructed**: most conditions have a source, but which trump goes with which does not. The
deck is data, and a match may replace it (option ``mission_deck``); it must never be shown as the printed one.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

import msgspec

from engine.inside_job.ids import Allegiance, Card, Condition, Mission, Role, Suit

SUITS: Final[tuple[Suit, ...]] = get_args(Suit)
HIGHEST_RANK: Final = 13


class InsideJobCard(msgspec.Struct, frozen=True, kw_only=True):
    """A playing card; every one is unique."""

    id: Card
    suit: Suit
    rank: int


class InsideJobRole(msgspec.Struct, frozen=True, kw_only=True):
    """A role, and the side that it begins on."""

    id: Role
    side: Allegiance


class InsideJobCondition(msgspec.Struct, frozen=True, kw_only=True):
    """What the cards of a trick must meet for a mission to succeed.

    Attributes:
        needs_wagers: no trick can meet it in a match without wagers.
    """

    id: Condition
    needs_wagers: bool = False


class InsideJobMissionCard(msgspec.Struct, frozen=True, kw_only=True):
    """A mission card.

    Attributes:
        trump: the trump suit of the trick that it is chosen for.
        risk: one of the four cards that come with the Risk Agent.
    """

    id: Mission
    condition: Condition
    trump: Suit
    risk: bool = False


class InsideJobSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What depends on the number of players.

    Attributes:
        hand: cards dealt to each.
        undealt: cards that stay out of the game, seen by nobody.
        missions_needed: successes with which the agents win, unless the match has another number.
        intel_limit: tokens with which a role card is turned up, unless the match has another number.
    """

    seats: int
    hand: int
    undealt: int
    tricks: int
    missions_needed: int
    intel_limit: int


class InsideJobComponents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the box that a client may want to show.

    Attributes:
        missions: every mission card that a match can have, by condition; the risk missions are the last.
        mission_deck: the cards of the normal deck.
        mission_deck_source: ``reconstructed``: the default deck is not the printed one; say so.
    """

    suits: tuple[Suit, ...]
    cards: tuple[InsideJobCard, ...]
    roles: tuple[InsideJobRole, ...]
    conditions: tuple[InsideJobCondition, ...]
    missions: tuple[InsideJobMissionCard, ...]
    mission_deck: tuple[Mission, ...]
    mission_deck_source: Literal["reconstructed"]
    setups: tuple[InsideJobSetup, ...]
    intel_tokens: int
    start_intel: int


_NORMAL_MISSIONS: Final = {
    f"{condition}_{trump}": (condition, trump) for condition in get_args(Condition) for trump in SUITS
}
_RISK_MISSIONS: Final[dict[Mission, tuple[Condition, Suit]]] = {
    "risk_third_wagered_blue": ("third_wagered", "blue"),
    "risk_winner_wagered_red": ("winner_wagered", "red"),
    "risk_two_wagered_green": ("two_wagered", "green"),
    "risk_lowest_wins_yellow": ("lowest_wins", "yellow"),
}


# fmt: off
_MISSION_DECK: Final[tuple[Mission, ...]] = (
    "ascending_red", "ascending_green",
    "descending_blue", "descending_yellow",
    "all_odd_red", "all_odd_yellow",
    "all_even_blue", "all_even_green",
    "one_suit_blue", "one_suit_red",
    "first_wins_green", "first_wins_yellow",
    "second_wins_blue", "second_wins_red",
    "last_wins_green", "last_wins_yellow",
    "middle_odd_blue", "middle_odd_green",
    "all_below_7_red", "all_below_7_yellow",
    "ends_match_blue", "ends_match_yellow",
    "last_lowest_red", "last_lowest_green",
)
# fmt: on


def _mission_card(mission: Mission) -> InsideJobMissionCard:
    risk = mission in _RISK_MISSIONS
    condition, trump = _RISK_MISSIONS[mission] if risk else _NORMAL_MISSIONS[mission]
    return InsideJobMissionCard(id=mission, condition=condition, trump=trump, risk=risk)


COMPONENTS: Final = InsideJobComponents(
    suits=SUITS,
    cards=tuple(
        InsideJobCard(id=card, suit=SUITS[row // HIGHEST_RANK], rank=row % HIGHEST_RANK + 1)
        for row, card in enumerate(get_args(Card))
    ),
    roles=(
        InsideJobRole(id="agent", side="agents"),
        InsideJobRole(id="insider", side="insider"),
        InsideJobRole(id="bugged_agent", side="agents"),
        InsideJobRole(id="paranoid_agent", side="agents"),
        InsideJobRole(id="risk_agent", side="agents"),
        InsideJobRole(id="sleeper_agent", side="agents"),
        InsideJobRole(id="prof_no", side="insider"),
        InsideJobRole(id="decoy", side="neutral"),
        InsideJobRole(id="accomplice", side="neutral"),
        InsideJobRole(id="tim_shady", side="neutral"),
    ),
    conditions=tuple(
        InsideJobCondition(id=condition, needs_wagers=condition.endswith("_wagered"))
        for condition in get_args(Condition)
    ),
    missions=tuple(_mission_card(mission) for mission in get_args(Mission)),
    mission_deck=_MISSION_DECK,
    mission_deck_source="reconstructed",
    setups=(
        InsideJobSetup(seats=3, hand=13, undealt=13, tricks=11, missions_needed=9, intel_limit=6),
        InsideJobSetup(seats=4, hand=12, undealt=4, tricks=10, missions_needed=7, intel_limit=5),
        InsideJobSetup(seats=5, hand=10, undealt=2, tricks=9, missions_needed=6, intel_limit=4),
    ),
    intel_tokens=14,
    start_intel=1,
)

CARDS: Final = {card.id: card for card in COMPONENTS.cards}
CARD_ROW: Final = {card.id: row for row, card in enumerate(COMPONENTS.cards)}
CONDITIONS: Final = {condition.id: condition for condition in COMPONENTS.conditions}
MISSIONS: Final = {mission.id: mission for mission in COMPONENTS.missions}
RISK_MISSIONS: Final = tuple(mission.id for mission in COMPONENTS.missions if mission.risk)
NORMAL_MISSION: Final = {(card.condition, card.trump): card.id for card in COMPONENTS.missions if not card.risk}
SIDES: Final = {role.id: role.side for role in COMPONENTS.roles}
SETUPS: Final = {setup.seats: setup for setup in COMPONENTS.setups}
MAX_SEATS: Final = max(SETUPS)
MAX_TRICKS: Final = max(setup.tricks for setup in COMPONENTS.setups)
MIN_TRICKS: Final = min(setup.tricks for setup in COMPONENTS.setups)


def sorted_cards(cards: list[Card]) -> list[Card]:
    """By suit and rank."""
    return sorted(cards, key=CARD_ROW.__getitem__)
