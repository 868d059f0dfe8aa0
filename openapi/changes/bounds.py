"""Bounds, patterns and formats: requests may be bound less than before, answers more."""

from __future__ import annotations

from typing import Any

from changes.found import Found, Way, told

_LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_ANY_CHANGE = ("multipleOf", "uniqueItems", "pattern")
BOUNDS = {*_LOWER, *_UPPER, *_ANY_CHANGE, "format"}


def compare_bounds(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    """Compare all of them."""
    for keyword in (*_LOWER, *_UPPER):
        before, after = old.get(keyword), new.get(keyword)
        if before != after:
            narrower = before is None or (
                after is not None and (after > before if keyword in _LOWER else after < before)
            )
            _tell(found, where, keyword, (before, after), breaks=narrower if way is Way.REQUEST else not narrower)
    for keyword in _ANY_CHANGE:
        before, after = old.get(keyword), new.get(keyword)
        if before != after:
            # Of two patterns nobody can tell which one is the narrower.
            harmless = after is None if way is Way.REQUEST else before is None
            _tell(found, where, keyword, (before, after), breaks=not harmless)
    if old.get("format") != new.get("format"):
        # Generated clients choose the type by it.
        _tell(found, where, "format", (old.get("format"), new.get("format")), breaks=True)


def _tell(found: Found, where: str, keyword: str, values: tuple[Any, Any], *, breaks: bool) -> None:
    before, after = values
    if before is None:
        found.note(where, f"{keyword} {told(after)} is new", breaks=breaks)
    elif after is None:
        found.note(where, f"{keyword} {told(before)} is gone", breaks=breaks)
    else:
        found.note(where, f"{keyword} from {told(before)} to {told(after)}", breaks=breaks)
