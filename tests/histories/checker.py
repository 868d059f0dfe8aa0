"""Judges a history: finds whatever no service may do that keeps the contract."""

from __future__ import annotations

from collections.abc import Iterator

from histories.keys import check_keys
from histories.line import Broken, Line
from histories.lists import check_lists, with_cards_of_lists
from histories.moves import Moves, check_stand_ins
from histories.reads import Reads
from histories.recorded import Finding, History, Outcome
from histories.seating import Seating, by_request, check_sales


def check(history: History, *, broken: bool = False) -> list[Finding]:
    """All that is wrong with a history; nothing if it can be explained.

    Args:
        broken: something was broken on purpose, so the service may say that it cannot do something now, and then nobody
            knows whether it was done. It may not say that it knows no reason.
    """
    return list(_findings(history, broken=broken))


def _findings(history: History, *, broken: bool) -> Iterator[Finding]:
    for call in history.calls:
        if call.status == 503 and broken:
            continue
        if call.status is not None and call.status >= 500:
            what = "it failed by itself" if broken else "nothing was broken, and the service failed"
            yield Finding("failed", call.match, what, (call,))
    yield from _check_matches(history)
    seatings = {match: Seating(history, outcome) for match, outcome in history.outcomes.items()}
    told = with_cards_of_lists(history)
    for match, outcome in history.outcomes.items():
        yield from _check_match(told, outcome, seatings[match])
    yield from check_keys(history, seatings)
    yield from check_lists(history, seatings)


def _check_match(history: History, outcome: Outcome, seating: Seating) -> Iterator[Finding]:
    moves = Moves(history, outcome, seating)
    yield from seating.check()
    yield from check_sales(history, seating)
    yield from moves.check()
    line = None
    if outcome.state:
        try:
            line = Line(outcome)
        except Broken as broken:
            yield Finding("replay", outcome.record.match, str(broken))
            return
        yield from check_stand_ins(moves, seating, line, outcome)
    yield from Reads(history, outcome, seating, moves, line).check()


def _check_matches(history: History) -> Iterator[Finding]:
    """Whether every match that was made is there, and none besides."""
    made = by_request(call for call in history.calls if call.operation == "createMatch")
    known = {call.match for group in made for call in group if call.match}
    for match in sorted(known - set(history.outcomes)):
        yield Finding("lost-match", match, "it was made, and is not there")
    for player, name in history.names.items():
        unknown = [group for group in made if group[0].player == player and not any(call.match for call in group)]
        unexplained = [
            match
            for match, outcome in history.outcomes.items()
            if outcome.record.creator == player and match not in known
        ]
        if len(unexplained) > len(unknown):
            what = f"{name} has {len(unexplained)} matches that nobody heard of, after {len(unknown)} lost requests"
            yield Finding("unexplained-match", unexplained[0], what)
