"""What lies in the box of Verräter, and the numbers printed on it (rules, sections 1 and 10).

The victory points of the landscapes are **reconstructed**: one of the 24 numbers has a source. They are defaults
that a match may replace (option ``landscape_points``) and must never be shown as the printed ones.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

House: TypeAlias = Literal["eagle", "rose"]
LandscapeType: TypeAlias = Literal["wasteland", "meadow", "river", "forest", "village", "city"]
Action: TypeAlias = Literal["traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"]
Side: TypeAlias = Literal["farm", "trading_post"]
Supply: TypeAlias = Literal[2, 3, 4, 5, 6, 8]

HOUSES: Final[tuple[House, ...]] = ("eagle", "rose")
OTHER_HOUSE: Final[dict[House, House]] = {"eagle": "rose", "rose": "eagle"}


class VerraeterLandscapeCard(msgspec.Struct, frozen=True, kw_only=True):
    """A type of landscape.

    Attributes:
        base: its base defence.
        points: what each winner scores when it is defeated, for 1, 2, 3 and 4 winners.
    """

    id: LandscapeType
    base: int
    points: tuple[int, ...]


class VerraeterSupplyCard(msgspec.Struct, frozen=True, kw_only=True):
    """The supply cards of one value."""

    value: Supply
    count: int


class VerraeterActionCard(msgspec.Struct, frozen=True, kw_only=True):
    """An action card.

    Attributes:
        strength: conflict points for its owner's house.
        points: victory points for its owner.
        draws: supply cards that its owner draws.
    """

    id: Action
    strength: int = 0
    points: int = 0
    draws: int = 0


class VerraeterLength(msgspec.Struct, frozen=True, kw_only=True):
    """How many rounds are played with this many seats."""

    seats: int
    rounds: int


class VerraeterComponents(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in the box that a client may want to show.

    Attributes:
        landscapes: there are two of each, one per house.
        landscape_points_source: ``reconstructed``: the default points are not the printed ones; say so.
        start_hand: the supply cards that every player begins with.
    """

    landscapes: tuple[VerraeterLandscapeCard, ...]
    landscape_points_source: Literal["reconstructed"]
    houses: tuple[House, ...]
    supplies: tuple[VerraeterSupplyCard, ...]
    actions: tuple[VerraeterActionCard, ...]
    building_sides: tuple[Side, ...]
    lengths: tuple[VerraeterLength, ...]
    start_hand: tuple[Supply, ...]
    hand_limit: int
    max_draws_per_round: int
    buildings_per_player: int
    max_trading_posts: int
    trading_post_max_points: int


COMPONENTS: Final = VerraeterComponents(
    landscapes=(
        VerraeterLandscapeCard(id="wasteland", base=0, points=(3, 2, 1, 1)),
        VerraeterLandscapeCard(id="meadow", base=3, points=(5, 3, 2, 1)),
        VerraeterLandscapeCard(id="river", base=5, points=(6, 4, 3, 2)),
        VerraeterLandscapeCard(id="forest", base=7, points=(8, 5, 3, 2)),
        VerraeterLandscapeCard(id="village", base=10, points=(9, 6, 4, 3)),
        VerraeterLandscapeCard(id="city", base=15, points=(11, 7, 5, 3)),
    ),
    landscape_points_source="reconstructed",
    houses=HOUSES,
    supplies=(
        VerraeterSupplyCard(value=2, count=5),
        VerraeterSupplyCard(value=3, count=5),
        VerraeterSupplyCard(value=4, count=5),
        VerraeterSupplyCard(value=5, count=5),
        VerraeterSupplyCard(value=6, count=2),
        VerraeterSupplyCard(value=8, count=1),
    ),
    actions=(
        VerraeterActionCard(id="traitor", points=1),
        VerraeterActionCard(id="diplomat_2", strength=2, draws=1),
        VerraeterActionCard(id="diplomat_5", strength=5),
        VerraeterActionCard(id="builder"),
        VerraeterActionCard(id="strategist", points=2),
        VerraeterActionCard(id="farmer", draws=3),
    ),
    building_sides=("farm", "trading_post"),
    lengths=(VerraeterLength(seats=3, rounds=9), VerraeterLength(seats=4, rounds=8)),
    start_hand=(3, 4, 5),
    hand_limit=5,
    max_draws_per_round=3,
    buildings_per_player=3,
    max_trading_posts=2,
    trading_post_max_points=3,
)

LANDSCAPES: Final = {card.id: card for card in COMPONENTS.landscapes}
LANDSCAPE_ROW: Final = {card.id: row for row, card in enumerate(COMPONENTS.landscapes)}
ACTIONS: Final = {card.id: card for card in COMPONENTS.actions}
ROUNDS: Final = {length.seats: length.rounds for length in COMPONENTS.lengths}
POSITIONS: Final = 2 * len(COMPONENTS.landscapes)
MAX_PLAYED: Final = 5
