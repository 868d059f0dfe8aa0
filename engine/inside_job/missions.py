"""Whether the cards of a trick meet the condition of its mission (rules, section 6).

A condition is evaluated once, on the complete trick. Colours are effective ones: a card with a wager has the trump
suit. Ranks are the printed ones, places are those in the order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from engine.inside_job.components import CARDS, MISSIONS
from engine.inside_job.ids import Condition, Mission, Suit
from engine.inside_job.state import Play


class Laid(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The cards of a trick as its mission sees them, in order of play.

    Attributes:
        suits: the effective ones.
        winner: the place of the card that wins the trick.
    """

    trump: Suit
    ranks: Sequence[int]
    suits: Sequence[Suit]
    wagers: Sequence[bool]
    winner: int

    def is_lowest(self, place: int) -> bool:
        """Whether a card is strictly lower than every other."""
        return sum(rank <= self.ranks[place] for rank in self.ranks) == 1

    def is_highest(self, place: int) -> bool:
        """Whether a card is strictly higher than every other."""
        return sum(rank >= self.ranks[place] for rank in self.ranks) == 1


def lay(plays: Sequence[Play], trump: Suit) -> Laid:
    """The cards of a trick, or of its beginning, with this trump suit."""
    cards = [CARDS[play.card] for play in plays]
    return Laid(
        trump=trump,
        ranks=[card.rank for card in cards],
        suits=[trump if play.wager else card.suit for play, card in zip(plays, cards, strict=True)],
        wagers=[play.wager for play in plays],
        winner=winning_place(plays, trump),
    )


def winning_place(plays: Sequence[Play], trump: Suit) -> int:
    """The place of the card that wins (sections 4.5 and 5).

    The highest trump wins, cards with a wager being trumps. Of equal ranks a card with a wager beats the printed
    trump, and the later wager the earlier. Without any trump the highest card of the led suit wins.
    """
    led = CARDS[plays[0].card].suit

    def strength(place: int) -> tuple[int, int, bool, int]:
        play, card = plays[place], CARDS[plays[place].card]
        is_trump = play.wager or card.suit == trump
        return 2 if is_trump else int(card.suit == led), card.rank, play.wager, place

    return max(range(len(plays)), key=strength)


def _middle(laid: Laid) -> Sequence[int]:
    """The middle card; of four cards both middle ones (OQ17)."""
    count = len(laid.ranks)
    return laid.ranks[(count - 1) // 2 : count // 2 + 1]


_MET: Final[dict[Condition, Callable[[Laid], bool]]] = {
    "ascending": lambda laid: all(one < following for one, following in pairwise(laid.ranks)),
    "descending": lambda laid: all(one > following for one, following in pairwise(laid.ranks)),
    "all_odd": lambda laid: all(rank % 2 == 1 for rank in laid.ranks),
    "all_even": lambda laid: all(rank % 2 == 0 for rank in laid.ranks),
    "one_suit": lambda laid: len(set(laid.suits)) == 1,
    "first_wins": lambda laid: laid.winner == 0,
    "second_wins": lambda laid: laid.winner == 1,
    "last_wins": lambda laid: laid.winner == len(laid.ranks) - 1,
    "middle_odd": lambda laid: all(rank % 2 == 1 for rank in _middle(laid)),
    "all_below_7": lambda laid: max(laid.ranks) < 7,
    "ends_match": lambda laid: laid.suits[0] == laid.suits[-1],
    "last_lowest": lambda laid: laid.is_lowest(len(laid.ranks) - 1),
    "third_wagered": lambda laid: laid.wagers[2],
    "winner_wagered": lambda laid: laid.wagers[laid.winner],
    "two_wagered": lambda laid: sum(laid.wagers) >= 2,
    "lowest_wins": lambda laid: laid.is_lowest(laid.winner),
    "all_above_6": lambda laid: min(laid.ranks) > 6,
    "no_trump": lambda laid: laid.trump not in laid.suits,
    "some_trump": lambda laid: laid.trump in laid.suits,
    "first_highest": lambda laid: laid.is_highest(0),
    "last_highest": lambda laid: laid.is_highest(len(laid.ranks) - 1),
    "spread_at_most_6": lambda laid: max(laid.ranks) - min(laid.ranks) <= 6,
}


def succeeds(mission: Mission, laid: Laid) -> bool:
    """Whether a trick makes its mission a success; who plays which role does not matter."""
    return _MET[MISSIONS[mission].condition](laid)
