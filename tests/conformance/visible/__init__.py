"""Tables of facts: what the rules say that must be seen, by whom and when.

Each game has a table in the module of its id, written by hand from the section of its rules about public and
private. The views are compared with it, so neither too little is shown nor too much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import msgspec

from engine.game import Seat
from engine.randomness import Stream

Who: TypeAlias = Literal["everybody", "owner", "nobody"]


@dataclass(frozen=True, kw_only=True)
class Fact:
    """A row of the table.

    Attributes:
        fact: in words.
        section: where the rules say so.
        who: may see it: everybody, the seat that it belongs to, or nobody.
        shown: what the table (for ``everybody``) or the hand (for ``owner``) shows of it, as JSON values.
        truth: the same from the state; of a seat if it belongs to one.
        change: turns this fact, in place, into another one that the others cannot tell from it; whether that is
            possible now. For ``everybody`` there is none.
        noticed_by: who sees such a change. Without it, the owner.
    """

    fact: str
    section: str
    who: Who
    shown: Callable[[Any], Any] | None = None
    truth: Callable[..., Any] | None = None
    change: Callable[[Any, Seat, Stream], bool] | None = None
    noticed_by: Callable[[Any, Seat], set[Seat]] | None = None

    def watchers(self, state: Any, seat: Seat) -> set[Seat]:
        """The seats that see a change of this fact of ``seat``."""
        if self.noticed_by is not None:
            return self.noticed_by(state, seat)
        return {seat} if self.who == "owner" else set()


def everybody(section: str, fact: str, shown: Callable[[Any], Any], truth: Callable[[Any], Any]) -> Fact:
    """A fact that all see, spectators too."""
    return Fact(fact=fact, section=section, who="everybody", shown=shown, truth=truth)


def owner(
    section: str,
    fact: str,
    shown: Callable[[Any], Any],
    truth: Callable[[Any, Seat], Any],
    change: Callable[[Any, Seat, Stream], bool],
    noticed_by: Callable[[Any, Seat], set[Seat]] | None = None,
) -> Fact:
    """A fact that one seat sees."""
    return Fact(fact=fact, section=section, who="owner", shown=shown, truth=truth, change=change, noticed_by=noticed_by)


def nobody(section: str, fact: str, change: Callable[[Any, Seat, Stream], bool]) -> Fact:
    """A fact that no view shows."""
    return Fact(fact=fact, section=section, who="nobody", change=change)


def reorder(items: list[Any], random: Stream) -> bool:
    """Bring a list into another order, if it has one."""
    before = list(items)
    if len({str(item) for item in items}) < 2:
        return False
    while items == before:
        random.shuffle(items)
    return True


def exchange(one: list[Any], other: list[Any], random: Stream) -> bool:
    """Let different items of two lists change places, if there are such."""
    pairs = [(i, j) for i, here in enumerate(one) for j, there in enumerate(other) if here != there]
    if not pairs:
        return False
    i, j = random.choice(pairs)
    one[i], other[j] = other[j], one[i]
    return True


def plain_value(value: Any) -> Any:
    """A value as it is sent."""
    return msgspec.json.decode(msgspec.json.encode(value))
