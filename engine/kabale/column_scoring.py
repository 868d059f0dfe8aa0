"""Scoring one column (rules, section 8): who takes the goal, and step by step why.

The steps are those of the rules, in their order. Values are reckoned doubled; what goes out is halved again.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, TypeAlias

import msgspec

from engine.game import Seat
from engine.kabale.components import (
    DOUBLED,
    DOUBLED_HIGHER,
    GOALS,
    SPECIALTIES,
    Category,
    Character,
    Goal,
    Points,
    points,
)
from engine.kabale.state import LaidColumn

ScoringStep: TypeAlias = Literal[
    "disguise_becomes_card",
    "musketeers_cancel",
    "wizard_knocks_out",
    "wizards_cancel_out",
    "witch_knocks_out",
    "witches_cancel_out",
    "pair_wins",
    "dragon_reduces",
    "lowest_wins",
]
DecidedBy: TypeAlias = Literal["pair", "highest_total", "nearest_card", "lowest_total", "farthest_card", "nobody"]
KnockedOutBy: TypeAlias = Literal["wizard", "witch"]

_COLUMNS_REMEMBERED: Final = 64
"""Each column is scored when the round ends, and shown right after."""

_KNOCKING_OUT: Final[tuple[KnockedOutBy, ...]] = ("wizard", "witch")
_PAIR: Final[frozenset[Character]] = frozenset(("prince", "squire"))
_TEN = 2 * 10
_NINE = 2 * 9
_GIANT_GAIN = 2 * 3
_HERMIT_LOSS = 2 * 1
_DRAGON_LOSS = 2 * 2


class KabaleScoredCard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A card of a column that has been scored, turned up.

    Attributes:
        tucked: the card that was tucked under it, if it is a Disguise; it counts as that card.
        knocked_out_by: null if it was not.
        value: what it added to its owner's total, a multiple of one half; null if it was knocked out, is a Double
            without a value, or was not counted because a pair won.
    """

    owner: Seat
    character: Character
    tucked: Character | None
    knocked_out_by: KnockedOutBy | None
    value: Points | None


class KabaleScoredColumn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a column was scored.

    Attributes:
        cards: the first one lay nearest the goal.
        steps: which abilities worked or cancelled each other, in their order.
        totals: in seat order, multiples of one half; null for a seat without a card that has a value, and for
            everybody if a pair won.
        winner: the seat that took the goal; null if it left the game.
    """

    goal: Goal
    cards: list[KabaleScoredCard]
    steps: list[ScoringStep]
    totals: list[Points | None]
    winner: Seat | None
    decided_by: DecidedBy


class _Card(msgspec.Struct, gc=False):
    """A card while its column is scored; ``value`` is doubled."""

    position: int
    owner: Seat
    character: Character
    value: int | None = None
    knocked_out_by: KnockedOutBy | None = None


class _Verdict(msgspec.Struct, gc=False):
    """Who wins, and the totals that led to it, doubled."""

    winner: Seat | None
    decided_by: DecidedBy
    totals: dict[Seat, int]


@lru_cache(maxsize=_COLUMNS_REMEMBERED)
def score_column(column: LaidColumn, seats: int, *, witch_spares_witches: bool) -> KabaleScoredColumn:
    """Score a column whose cards have all been turned up, the tucked ones too."""
    steps: list[ScoringStep] = []
    cards = _with_disguises_as_what_they_hold(column, steps)
    category = GOALS[column.goal].category
    present = {card.character for card in cards}
    if "musketeers" in present:
        steps.append("musketeers_cancel")
        for card in cards:
            card.value = DOUBLED[card.character]
        verdict = _compare(cards, lowest_wins=False)
    else:
        verdict = _score_with_abilities(cards, present, category, steps, witch_spares_witches=witch_spares_witches)
    return KabaleScoredColumn(
        goal=column.goal,
        cards=[
            KabaleScoredCard(
                owner=laid.owner,
                character=laid.character,
                tucked=laid.tucked,
                knocked_out_by=card.knocked_out_by,
                value=None if card.value is None else points(card.value),
            )
            for laid, card in zip(column.cards, cards, strict=True)
        ],
        steps=steps,
        totals=[points(verdict.totals[seat]) if seat in verdict.totals else None for seat in range(seats)],
        winner=verdict.winner,
        decided_by=verdict.decided_by,
    )


def _with_disguises_as_what_they_hold(column: LaidColumn, steps: list[ScoringStep]) -> list[_Card]:
    """Step 0: a Disguise with a tucked card is that card; an empty one is a plain 0."""
    if any(laid.tucked for laid in column.cards):
        steps.append("disguise_becomes_card")
    return [_Card(position, laid.owner, laid.tucked or laid.character) for position, laid in enumerate(column.cards)]


def _score_with_abilities(
    cards: list[_Card],
    present: set[Character],
    category: Category,
    steps: list[ScoringStep],
    *,
    witch_spares_witches: bool,
) -> _Verdict:
    """Steps 2 to 7, without Musketeers."""
    for by in _KNOCKING_OUT:
        if by in present:
            cards = _knock_out(cards, category, by, steps, witch_spares_witches=witch_spares_witches)
            present = {card.character for card in cards}
    pair = _owner_of_a_pair(cards) if present >= _PAIR else None
    if pair is not None:
        steps.append("pair_wins")
        return _Verdict(pair, "pair", {})
    _reckon(cards, category)
    if "dragon" in present:
        steps.append("dragon_reduces")
        _let_dragons_reduce(cards)
    lowest_wins = "beggar" in present
    if lowest_wins:
        steps.append("lowest_wins")
    return _compare(cards, lowest_wins=lowest_wins)


# --- steps 2 and 3: Wizard and Witch ---


def _knock_out(
    cards: list[_Card], category: Category, by: KnockedOutBy, steps: list[ScoringStep], *, witch_spares_witches: bool
) -> list[_Card]:
    """The cards that are left after an odd number of Wizards or Witches has struck; an even one does nothing.

    All cards are judged, as they lie when the step begins, before any is removed (rulings Q2, Q3, Q4).
    """
    if sum(card.character == by for card in cards) % 2 == 0:
        steps.append("wizards_cancel_out" if by == "wizard" else "witches_cancel_out")
        return cards
    steps.append("wizard_knocks_out" if by == "wizard" else "witch_knocks_out")
    judged = _passed_up([_at_goal(card.character, category) for card in cards])
    left: list[_Card] = []
    for card, value in zip(cards, judged, strict=True):
        if value is None or (by == "witch" and witch_spares_witches and card.character == "witch"):
            left.append(card)
        elif value >= _TEN if by == "wizard" else value <= _NINE:
            card.knocked_out_by = by
        else:
            left.append(card)
    return left


def _at_goal(character: Character, category: Category) -> int | None:
    """The printed value; that of a specialist is the one that applies at this goal."""
    return DOUBLED_HIGHER[character] if SPECIALTIES.get(character) == category else DOUBLED[character]


def _passed_up(values: list[int | None]) -> list[int | None]:
    """Give each Double (a null) the value of the next card below; with nothing below it has none."""
    for position in range(len(values) - 2, -1, -1):
        if values[position] is None:
            values[position] = values[position + 1]
    return values


# --- step 4: Prince and Squire ---


def _owner_of_a_pair(cards: list[_Card]) -> Seat | None:
    """The owner of both; of several, the one with the pair card nearest the goal."""
    princes = {card.owner for card in cards if card.character == "prince"}
    squires = {card.owner for card in cards if card.character == "squire"}
    for card in cards:
        if card.character in _PAIR and card.owner in princes & squires:
            return card.owner
    return None


# --- steps 5 and 6: values, Dragons ---


def _reckon(cards: list[_Card], category: Category) -> None:
    """Step 5: the values, first without Doubles, then passed up to them."""
    others = len(cards) - 1
    owners_of_juliet = {card.owner for card in cards if card.character == "juliet"}
    values: list[int | None] = []
    for card in cards:
        value = _at_goal(card.character, category)
        match card.character:
            case "hermit":
                value = max(0, 2 * 12 - _HERMIT_LOSS * others)
            case "giant":
                value = 2 * 2 + _GIANT_GAIN * others
            case "romeo" if card.owner in owners_of_juliet:
                value = DOUBLED_HIGHER["romeo"]
            case _:
                pass
        values.append(value)
    for card, value in zip(cards, _passed_up(values), strict=True):
        card.value = value


def _let_dragons_reduce(cards: list[_Card]) -> None:
    """Step 6: every Dragon takes 2 off every other owner's card that has a value, not below 0 (ruling Q5)."""
    dragons = [card.owner for card in cards if card.character == "dragon"]
    for card in cards:
        hostile = sum(owner != card.owner for owner in dragons)
        if hostile and card.value is not None:
            card.value = max(0, card.value - _DRAGON_LOSS * hostile)


# --- step 7: the comparison ---


def _compare(cards: list[_Card], *, lowest_wins: bool) -> _Verdict:
    """Totals over cards with a value; only these break ties."""
    valued = [(card.owner, card.value) for card in cards if card.value is not None]
    totals: dict[Seat, int] = {}
    for owner, value in valued:
        totals[owner] = totals.get(owner, 0) + value
    if not totals:
        return _Verdict(None, "nobody", totals)
    best = min(totals.values()) if lowest_wins else max(totals.values())
    level = [owner for owner, _ in valued if totals[owner] == best]
    if lowest_wins:
        return _Verdict(level[-1], "farthest_card" if len(set(level)) > 1 else "lowest_total", totals)
    return _Verdict(level[0], "nearest_card" if len(set(level)) > 1 else "highest_total", totals)
