"""What lies in the box of Kabale und Hiebe, and the numbers printed on it (rules, section 2).

Inside the engine every value is doubled, so that the Assassin's 9½ is the whole number 19; clients receive 9.5.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

Category: TypeAlias = Literal["music", "alchemy", "fencing", "agriculture", "trade", "religion"]
Goal: TypeAlias = Literal[
    "music_1", "music_2", "music_3", "music_4", "music_5",
    "alchemy_1", "alchemy_2", "alchemy_3", "alchemy_4", "alchemy_5",
    "fencing_1", "fencing_2", "fencing_3", "fencing_4", "fencing_5",
    "agriculture_1", "agriculture_2", "agriculture_3", "agriculture_4", "agriculture_5",
    "trade_1", "trade_2", "trade_3", "trade_4", "trade_5",
    "religion_1", "religion_2", "religion_3", "religion_4", "religion_5",
]  # fmt: skip
Character: TypeAlias = Literal[
    "king", "queen", "juliet", "prince", "explorer", "hermit", "dragon", "musketeers", "traitor", "assassin", "storm",
    "alchemist", "fencer", "landlord", "merchant", "cardinal", "troubadour", "wizard", "romeo", "beggar", "giant",
    "squire", "witch", "disguise", "double",
]  # fmt: skip
Timing: TypeAlias = Literal["turned_up", "scoring"]
Points: TypeAlias = Annotated[float, Meta(multiple_of=0.5)]
"""A value or a total as clients receive it: exact, a multiple of one half."""

SIX: Final = 6
"""The number of rounds, of symbols, and of goals per player."""

MOST_SEATS: Final = 6


def points(doubled: int) -> Points:
    """A doubled value as clients receive it."""
    return doubled / 2


class KabaleGoalCard(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of goal card.

    Attributes:
        value: the points it is worth, and the fewest influence cards that fulfil its column.
        count: how many of them there are; they are interchangeable.
    """

    id: Goal
    category: Category
    value: int
    count: int


class KabaleInfluenceCard(msgspec.Struct, frozen=True, kw_only=True):
    """An influence card; every player has one of each.

    Attributes:
        value: the number printed on it, the lower one if there are two; a multiple of one half, the Assassin's is
            9.5. Null for the Double, which has none.
        higher_value: the value under the condition printed on it: at a goal of ``specialist_of``, or beside the
            owner's Juliet; else null.
        specialist_of: the category at which it has its higher value; else null.
        acts: when its ability works; empty for a card without one.
    """

    id: Character
    value: Points | None
    higher_value: Points | None = None
    specialist_of: Category | None = None
    acts: tuple[Timing, ...] = ()


class KabaleComponents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the box that a client may want to show.

    Attributes:
        influence: the cards of one player; everybody has the same.
        hand_size: to how many cards hands are refilled.
        goals_per_player: how many goals are in play for each player; as many rounds are played, each with one goal
            per player.
    """

    categories: tuple[Category, ...]
    goals: tuple[KabaleGoalCard, ...]
    influence: tuple[KabaleInfluenceCard, ...]
    hand_size: int
    rounds: int
    goals_per_player: int


CATEGORIES: Final[tuple[Category, ...]] = ("music", "alchemy", "fencing", "agriculture", "trade", "religion")


def _goal_cards(category: Category) -> tuple[KabaleGoalCard, ...]:
    ids: dict[int, Goal] = {value: msgspec.convert(f"{category}_{value}", Goal) for value in (1, 2, 3, 4, 5)}
    return tuple(
        KabaleGoalCard(id=goal, category=category, value=value, count=2 if value == 3 else 1)
        for value, goal in ids.items()
    )


def _specialist(character: Character, category: Category) -> KabaleInfluenceCard:
    return KabaleInfluenceCard(id=character, value=8, higher_value=12, specialist_of=category, acts=("scoring",))


COMPONENTS: Final = KabaleComponents(
    categories=CATEGORIES,
    goals=tuple(card for category in CATEGORIES for card in _goal_cards(category)),
    influence=(
        KabaleInfluenceCard(id="king", value=20),
        KabaleInfluenceCard(id="queen", value=16),
        KabaleInfluenceCard(id="juliet", value=14),
        KabaleInfluenceCard(id="prince", value=14, acts=("scoring",)),
        KabaleInfluenceCard(id="explorer", value=13, acts=("turned_up",)),
        KabaleInfluenceCard(id="hermit", value=12, acts=("scoring",)),
        KabaleInfluenceCard(id="dragon", value=11, acts=("scoring",)),
        KabaleInfluenceCard(id="musketeers", value=11, acts=("scoring",)),
        KabaleInfluenceCard(id="traitor", value=10, acts=("turned_up",)),
        KabaleInfluenceCard(id="assassin", value=9.5, acts=("turned_up",)),
        KabaleInfluenceCard(id="storm", value=9, acts=("turned_up",)),
        _specialist("alchemist", "alchemy"),
        _specialist("fencer", "fencing"),
        _specialist("landlord", "agriculture"),
        _specialist("merchant", "trade"),
        _specialist("cardinal", "religion"),
        _specialist("troubadour", "music"),
        KabaleInfluenceCard(id="wizard", value=7, acts=("scoring",)),
        KabaleInfluenceCard(id="romeo", value=5, higher_value=15, acts=("scoring",)),
        KabaleInfluenceCard(id="beggar", value=4, acts=("scoring",)),
        KabaleInfluenceCard(id="giant", value=2, acts=("scoring",)),
        KabaleInfluenceCard(id="squire", value=2, acts=("scoring",)),
        KabaleInfluenceCard(id="witch", value=1, acts=("scoring",)),
        KabaleInfluenceCard(id="disguise", value=0, acts=("turned_up", "scoring")),
        KabaleInfluenceCard(id="double", value=None, acts=("scoring",)),
    ),
    hand_size=3,
    rounds=SIX,
    goals_per_player=SIX,
)


def _doubled(value: Points | None) -> int | None:
    return None if value is None else int(2 * value)


CHARACTERS: Final[tuple[Character, ...]] = tuple(card.id for card in COMPONENTS.influence)
GOALS: Final = {card.id: card for card in COMPONENTS.goals}
VALUES: Final = {card.id: card.value for card in COMPONENTS.goals}
ALL_GOALS: Final[tuple[Goal, ...]] = tuple(card.id for card in COMPONENTS.goals for _ in range(card.count))
SPECIALTIES: Final = {card.id: card.specialist_of for card in COMPONENTS.influence if card.specialist_of}

DOUBLED: Final[dict[Character, int | None]] = {card.id: _doubled(card.value) for card in COMPONENTS.influence}
"""Twice the printed value, the lower one if there are two; none for the Double."""

DOUBLED_HIGHER: Final[dict[Character, int]] = {
    card.id: int(2 * card.higher_value) for card in COMPONENTS.influence if card.higher_value is not None
}
"""Twice the higher printed value, of the cards that have one."""
