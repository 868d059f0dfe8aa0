"""Who has earned which mark: the rules of the marker game once more, as somebody keeps book who watches the table.

It shares nothing with the game but the names in a stored state, from which it learns what the cards are that it
sees dealt. What it knows of views and events is nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Viewer = int | None
"""A seat, or ``None`` for who has none."""


class Ledger:
    """The book of one match.

    Args:
        dealt: the state after the deal, as plain values.

    Attributes:
        marks: every mark that there is, and what it is.
    """

    def __init__(self, dealt: Mapping[str, Any]) -> None:
        self._seats = range(len(dealt["players"]))
        self._earned: dict[Viewer, set[str]] = {viewer: set() for viewer in [*self._seats, None]}
        self.marks: dict[str, str] = {}
        self._pile = list(dealt["draw_pile"])
        self._plots = list(dealt["plots"])
        self._roles = list(dealt["roles"])
        self._laid: dict[int, list[str]] = {seat: [] for seat in self._seats}
        self._papers: dict[int, list[str]] = {}
        self._urn: dict[int, str] = {}
        self._rounds = dealt["options"]["rounds"]
        self._round = self._looked = 0
        self.marks |= dict.fromkeys(self._pile, "a card of the draw pile") | dict.fromkeys(self._plots, "a plot")
        self.marks[self._roles.pop()] = "the role that nobody has"
        for seat, player in enumerate(dealt["players"]):
            for card in player["hand"]:
                self._take(seat, card, f"a card dealt to seat {seat}")
            self._take(seat, self._roles[seat], f"the role of seat {seat}")

    def earned(self, viewer: Viewer) -> set[str]:
        """All marks that a viewer may have seen so far."""
        return set(self._earned[viewer])

    def played(self, seat: int, move: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """A seat has made a move.

        Args:
            seat: which.
            move: as it was sent.
            after: the state that it led to, as plain values, in which newly printed ballot papers can be read.
        """
        match move["type"]:
            case "lay_mark":
                # The card goes from the hand to the table and stays the own one; another one comes from the pile.
                self._laid[seat].append(move["mark"])
                drawn = self._pile.pop()
                self._take(seat, drawn, f"the card that seat {seat} drew in round {self._round}")
            case "peek_mark":
                self._take(seat, self._laid[move["seat"]][-1])
                self._looked += 1
                if self._looked == len(self._seats):
                    self._print_papers(after)
            case "cast_ballot":
                self._urn[seat] = move["ballot"]
                if len(self._urn) == len(self._seats):
                    self._open_urn()

    def _take(self, seat: int, mark: str, what: str | None = None) -> None:
        """One seat alone sees a mark."""
        self._earned[seat].add(mark)
        if what is not None:
            self.marks[mark] = what

    def _turn_up(self, mark: str) -> None:
        """Everybody sees a mark."""
        for earned in self._earned.values():
            earned.add(mark)

    def _print_papers(self, state: Mapping[str, Any]) -> None:
        for seat, player in enumerate(state["players"]):
            self._papers[seat] = list(player["ballots"])
            for candidate, paper in enumerate(player["ballots"]):
                self._take(seat, paper, f"the paper of seat {seat} that names seat {candidate} in round {self._round}")

    def _open_urn(self) -> None:
        named = [self._papers[seat].index(self._urn[seat]) for seat in self._seats]
        for paper in self._urn.values():
            self._turn_up(paper)
        first = self._round % len(self._seats)
        in_turn = [*self._seats[first:], *self._seats[:first]]
        most = max(named.count(seat) for seat in self._seats)
        loser = next(seat for seat in in_turn if named.count(seat) == most)
        self._turn_up(self._laid[loser][-1])
        self._take(loser, self._plots.pop())
        self._round += 1
        self._looked, self._urn, self._papers = 0, {}, {}
        if self._round == self._rounds:
            for role in self._roles:
                self._turn_up(role)
