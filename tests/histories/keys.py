"""Whether a request that was sent again with its key was done once and answered alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from histories.recorded import Call, Finding, History, Span
from histories.seating import Seating, player_of

REMEMBERED = 4
"""How many requests with a key the service remembers of a player in a match."""

REUSED = "idempotency-key-reused"


def check_keys(history: History, seatings: dict[str, Seating]) -> Iterator[Finding]:
    """Look at all requests with a key, each with its repeats."""
    groups: dict[tuple[str, str, str], list[Call]] = defaultdict(list)
    for call in history.calls:
        if call.key and call.player:
            groups[call.player, call.operation, call.key].append(call)
    for calls in groups.values():
        yield from _Request(sorted(calls, key=lambda call: call.began), history, seatings).check()


class _Request:
    """All calls of one player, for one operation, with one key."""

    def __init__(self, calls: list[Call], history: History, seatings: dict[str, Seating]) -> None:
        self._calls = calls
        self._history = history
        self._seatings = seatings

    def check(self) -> Iterator[Finding]:
        accepted = [call for call in self._calls if call.accepted]
        if len({(call.status, call.match, str(call.body)) for call in accepted}) > 1:
            yield self._finding("two-answers", "one key, different outcomes", *accepted)
        if len([call for call in accepted if not call.replayed]) > 1:
            yield self._finding("two-answers", "done twice with one key", *accepted)
        for call in accepted:
            if call.replayed and not any(self._may_have_done(other, call) for other in self._calls):
                yield self._finding("two-answers", "a repeat of what was never asked for", call)
        yield from self._check_later(accepted)
        yield from self._check_reuse()

    def _may_have_done(self, other: Call, repeat: Call) -> bool:
        return other is not repeat and not other.refused and other.began < repeat.ended and other.body == repeat.body

    def _check_later(self, accepted: list[Call]) -> Iterator[Finding]:
        """Once it was acknowledged, it is acknowledged for ever, as long as it is remembered and one may look."""
        for first in accepted:
            for call in self._calls:
                if call.began <= first.ended or self._forgotten(first, call) or self._may_not_look(call):
                    continue
                if call.refused and call.body == first.body:
                    yield self._finding("two-answers", "first done, then refused", first, call)
                if call.accepted and call.body == first.body and not call.replayed:
                    yield self._finding("two-answers", "done, and done again", first, call)
                if call.body != first.body and not call.unknown and call.code != REUSED:
                    yield self._finding("two-answers", "another request with a used key", first, call)

    def _check_reuse(self) -> Iterator[Finding]:
        for call in self._calls:
            if call.code == REUSED and not any(
                other.body != call.body and not other.refused and other.began < call.ended for other in self._calls
            ):
                yield self._finding("two-answers", "the key was used for nothing else", call)

    def _forgotten(self, first: Call, repeat: Call) -> bool:
        """Whether there were enough other requests in the same match to forget this one."""
        if first.operation == "createMatch":
            return False
        others = {
            call.key
            for call in self._history.calls
            if call.player == first.player
            and call.match == first.match
            and call.key not in (None, first.key)
            and not call.refused
            and call.ended > first.began
            and call.began < repeat.ended
        }
        return len(others) >= REMEMBERED

    def _may_not_look(self, call: Call) -> bool:
        """Whether a match may have been hidden from the asker: a private one, from somebody who has left."""
        seating = self._seatings.get(call.match or "")
        return (
            call.code in ("no-such-match", "wrong-join-code")
            and seating is not None
            and not seating.surely_sits(player_of(call), Span(call.began, call.ended))
        )

    def _finding(self, kind: str, what: str, *calls: Call) -> Finding:
        return Finding(kind, calls[0].match, what, calls)
