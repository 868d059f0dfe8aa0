"""Special roles: which of them go together, and who belongs to which side (rules, section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final, get_args

from engine.inside_job.components import SIDES
from engine.inside_job.ids import Role, SpecialRole

_MAX_NEUTRAL: Final = {3: 1, 4: 1, 5: 2}

FACE_UP_FROM_THE_START: Final[frozenset[Role]] = frozenset(("bugged_agent", "accomplice"))
"""Roles whose cards are turned up before the first mission."""


def why_forbidden(roles: Sequence[SpecialRole], seats: int, *, wagers: bool) -> str | None:
    """Which rule for sets of special roles these break, a stable code; ``None`` if they may be in play together."""
    if len(set(roles)) < len(roles):
        return "special-role-twice"
    if len([role for role in roles if role != "prof_no"]) > seats - 1:
        return "too-many-special-roles"
    if sum(SIDES[role] == "neutral" for role in roles) > _MAX_NEUTRAL[seats]:
        return "too-many-neutral-roles"
    if "risk_agent" in roles and not wagers:
        return "risk-agent-needs-wagers"
    if seats == 3 and FACE_UP_FROM_THE_START.issubset(roles):
        return "too-many-roles-face-up"
    return None


@cache
def allowed_sets(seats: int, *, wagers: bool) -> tuple[tuple[SpecialRole, ...], ...]:
    """Every set of special roles that may be in play, the empty one included, as sorted ids in lexicographic order."""
    special: tuple[SpecialRole, ...] = get_args(SpecialRole)
    return tuple(
        sorted(
            roles
            for count in range(len(special) + 1)
            for roles in combinations(sorted(special), count)
            if why_forbidden(roles, seats, wagers=wagers) is None
        )
    )


def role_cards(special_roles: Sequence[SpecialRole], seats: int) -> list[Role]:
    """The role cards of a match, one per seat: Prof. No replaces the insider, the others an agent each."""
    roles: list[Role] = [*special_roles]
    if "prof_no" not in special_roles:
        roles.append("insider")
    return roles + ["agent"] * (seats - len(roles))


def is_insider_side(role: Role) -> bool:
    """Whether this is the one role that need not follow suit: the insider, or Prof. No in his place."""
    return SIDES[role] == "insider"
