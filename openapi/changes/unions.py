"""Unions: told apart by a tag, open in answers, where clients skip the members that they do not know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from changes.found import Found, Schema, Way, name_of, told


@dataclass(frozen=True)
class Member:
    """A member that both unions have."""

    name: str
    before: Schema
    after: Schema


def is_union(schema: dict[str, Any]) -> bool:
    """Whether it lists alternatives; one of them being null is no union."""
    return "oneOf" in schema or "anyOf" in schema


def compare_unions(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> list[Member]:
    """Compare which members there are and how they are told apart; gives those that are to be compared themselves."""
    if not (is_union(old) and is_union(new)):
        found.breaks(where, "is a union now" if is_union(new) else "is no union any more")
        return []
    if ("oneOf" in old) != ("oneOf" in new):
        found.breaks(where, "oneOf and anyOf have changed places")
    _compare_tags(found, where, old.get("discriminator"), new.get("discriminator"))
    before, after = _members(old), _members(new)
    for name in before.keys() - after.keys():
        found.breaks(where, f"the member {name} is gone")
    for name in after.keys() - before.keys():
        # Without a tag nobody can tell what to skip.
        breaks = way is Way.ANSWER and "discriminator" not in old
        found.note(where, f"the member {name} is new", breaks=breaks)
    return [Member(name, before[name], after[name]) for name in before if name in after]


def _compare_tags(found: Found, where: str, before: Any, after: Any) -> None:
    if before is None or after is None:
        if before is not after:
            found.breaks(where, "there is no discriminator any more" if after is None else "the discriminator is new")
        return
    if before["propertyName"] != after["propertyName"]:
        found.breaks(where, f"discriminated by {after['propertyName']} instead of {before['propertyName']}")
    old, new = before.get("mapping", {}), after.get("mapping", {})
    for tag, target in old.items():
        if new.get(tag) != target:
            found.breaks(where, f"the tag {tag} leads to {told(new.get(tag))} instead of {told(target)}")


def _members(union: dict[str, Any]) -> dict[str, Schema]:
    """The members by their names; one without a name by its place."""
    return {
        name_of(member) or f"number {place}": member
        for place, member in enumerate(union.get("oneOf") or union["anyOf"])
    }
