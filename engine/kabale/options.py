"""What may be chosen when a match of Kabale und Hiebe is created (rules, section 10)."""

from __future__ import annotations

from typing import Literal

from engine.game import Options


class KabaleOptions(Options, frozen=True, kw_only=True):
    """The disputed rulings.

    Attributes:
        set_scoring: what a player with all six symbols scores (ruling D1): ``all_goals`` doubles all goal cards,
            ``set_only`` the best one of each symbol.
        traitor_swap: which goals the Traitor swaps (D2): any two, or that of its own column with another.
        witch_spares_witches: the Witch knocks out no Witches, herself included (D3).
    """

    set_scoring: Literal["all_goals", "set_only"] = "all_goals"
    traitor_swap: Literal["any_two", "own_column"] = "any_two"
    witch_spares_witches: bool = False
