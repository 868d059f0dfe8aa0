"""Mutants that no test can tell from the original, each with why. ``docs/secrecy.md`` lists them too."""

from __future__ import annotations

from typing import Final

_RESOLVED = "from the reveal on there is a resolved conflict; the type checker wants it said"
_NOTHING_DRAWN = "outside of that decision no mission lies drawn"

EXPLAINED: Final[dict[str, str]] = {
    "engine/verraeter/view.py _conflict: revealed and state.last_conflict is not None: only revealed": _RESOLVED,
    "engine/verraeter/view.py _conflict: state.last_conflict is not None: always": _RESOLVED,
    "engine/verraeter/view.py _conflict: state.last_conflict is not None: the value itself": _RESOLVED,
    "engine/verraeter/rules.py _reveal: for p in state.players if p.action: no condition": (
        "when action cards are revealed every seat has one; the type checker wants it said"
    ),
    "engine/inside_job/view.py hand: state.phase == 'choose_mission' and seat == state.start_seat: "
    "only seat == state.start_seat": _NOTHING_DRAWN,
    "engine/inside_job/view.py hand: state.phase == 'choose_mission': always": _NOTHING_DRAWN,
    "engine/inside_job/view.py _seat: player.vote is not None: the value itself": "no vote is empty",
}
