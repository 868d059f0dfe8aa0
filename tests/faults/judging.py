"""Whether what was told and what is stored belong together: the checker of histories, and what faults may do beside."""

from __future__ import annotations

from collections.abc import Iterator

from histories.checker import check
from histories.outcomes import read_outcome
from histories.recorded import JOINS, Finding, History, Outcome
from histories.seating import by_request
from redis import Redis

from service.entries import Entry, entries
from service.store import keys

LOST = {
    *("lost-move", "lost-join", "lost-match", "leaver-resurrected", "not-listed", "backwards", "too-early"),
    *("not-indexed", "not-in-lobby", "too-few-writes", "half-written", "replay"),
}
"""Findings that say that something which was acknowledged is not there, or not all of it."""

DOUBLED = {
    *("unexplained-move", "unexplained-match", "two-answers", "two-seats", "seat-sold-twice", "refused-and-made"),
    *("reordered", "listed-twice", "too-many-writes"),
}
"""Findings that say that something was done twice, or is there without having been asked for."""


def judge(history: History, redis: Redis, lobby: set[str]) -> list[Finding]:
    """All that is wrong after faults.

    Args:
        history: in which whoever played has settled.
        redis: the store.
        lobby: which matches the lobby shows in the end.
    """
    findings = check(history, broken=True)
    for outcome in history.outcomes.values():
        findings += _half_written(outcome)
        findings += _miscounted(history, outcome)
        findings += _not_indexed(outcome, redis)
        record = outcome.record
        if record.visibility == "public" and record.status != "cancelled" and record.match not in lobby:
            findings.append(Finding("not-in-lobby", record.match, "it is public, and the lobby does not show it"))
    return [*findings, *_left_over(history, redis)]


def _half_written(outcome: Outcome) -> Iterator[Finding]:
    """What the parts of a match say of each other; that the state follows from the moves, the checker sees."""
    record = outcome.record
    started = record.started_at is not None

    def finding(what: str) -> Finding:
        return Finding("half-written", record.match, what)

    if record.moves != len(outcome.moves):
        yield finding(f"it has {record.moves} moves, and {len(outcome.moves)} are logged")
    if sum(record.answered) != len(outcome.moves):
        yield finding(f"{sum(record.answered)} decisions were answered, and {len(outcome.moves)} moves are logged")
    if started != bool(outcome.state) or started != bool(outcome.events):
        yield finding("it has started, or has not, and its state or its events say otherwise")
    if not started and (outcome.moves or record.status in ("playing", "finished")):
        yield finding("it has not started, and was played")


def _miscounted(history: History, outcome: Outcome) -> Iterator[Finding]:
    """How often it was written, as far as that can be known: each request writes once, and stand-ins write too."""
    match = outcome.record.match
    joins = by_request(history.about(match, *JOINS))
    moves = sum(not move.stand_in for move in outcome.moves)
    least = 1 + moves + sum(any(call.status == 201 for call in group) for group in joins)
    most = 1 + len(outcome.moves) + sum(_may_write(history, match))
    if outcome.version < least:
        what = f"it was written {outcome.version} times; what was acknowledged or logged takes {least}"
        yield Finding("too-few-writes", match, what)
    if outcome.version > most:
        what = f"it was written {outcome.version} times; all that was asked for, and stand-ins, take {most}"
        yield Finding("too-many-writes", match, what)


def _may_write(history: History, match: str) -> Iterator[int]:
    """How many requests about a match may have written, besides the one that made it and the moves in the log."""
    for operations in (JOINS, ("startMatch",), ("leaveMatch",)):
        yield len(by_request(history.about(match, *operations)))


def _not_indexed(outcome: Outcome, redis: Redis) -> Iterator[Finding]:
    """The entries that a match needs; that there may be others is none of its business.

    The service goes on with decisions that are overdue. So what is missing is missing only if the match has not been
    written since it was read.
    """
    while missing := [entry for entry in sorted(entries(outcome.record)) if not _is_there(entry, redis)]:
        match = outcome.record.match
        if redis.hget(keys.record(match), "version") in (None, str(outcome.version).encode()):
            for entry in missing:
                yield Finding("not-indexed", match, f"there is no entry of it in {entry.name}")
            return
        outcome = read_outcome(redis, match)


def _is_there(entry: Entry, redis: Redis) -> bool:
    if entry.name.startswith("code:"):
        return redis.get(keys.code(entry.name.removeprefix("code:"))) == entry.match.encode()
    return redis.zscore(keys.index(entry.name), f"{entry.at:011d}:{entry.match}") is not None


def _left_over(history: History, redis: Redis) -> Iterator[Finding]:
    """Whatever is stored of a match is stored with all of it, and not for ever."""
    for key in redis.scan_iter(match="match:*", count=1000):
        match, _, part = key.decode().removeprefix("match:{").partition("}:")
        if part in ("events", "moves") and match not in history.outcomes:
            yield Finding("half-written", match, f"there are {part} of a match that is not there")
        if redis.pttl(key) == -1:
            yield Finding("half-written", match, f"its {part} are kept for ever")
