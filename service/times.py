"""Times as they cross the wire: RFC 3339, in UTC, whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime


def utc(seconds: int) -> datetime:
    """A time from its seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def rfc3339(seconds: int) -> str:
    """A time from its seconds since 1970, in text."""
    return utc(seconds).isoformat()
