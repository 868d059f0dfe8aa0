"""Whether lists of matches show what is there: each card as it could be read by itself, and one's own all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from histories.recorded import Call, Finding, History, Span
from histories.seating import Seating

LISTS = ("listMatches", "listMyMatches")


def with_cards_of_lists(history: History) -> History:
    """The same history, in which every card of a list has been read by itself."""
    cards = [
        replace(call, operation="getMatch", match=card["match"], answer=card)
        for call in _lists(history)
        for card in call.answer["items"]
    ]
    return replace(history, calls=[*history.calls, *cards])


def check_lists(history: History, seatings: dict[str, Seating]) -> Iterator[Finding]:
    """Look at what is listed, and at what is not."""
    for call in _lists(history):
        listed = [card["match"] for card in call.answer["items"]]
        if len(set(listed)) < len(listed):
            yield Finding("listed-twice", None, "a match is twice in a list", (call,))
        if call.operation == "listMatches":
            yield from _check_lobby(call)
        else:
            yield from _check_own(call, seatings)


def _check_lobby(call: Call) -> Iterator[Finding]:
    for card in call.answer["items"]:
        if card["visibility"] != "public":
            yield Finding("private-in-lobby", card["match"], "a private match is in the lobby", (call,))


def _check_own(call: Call, seatings: dict[str, Seating]) -> Iterator[Finding]:
    assert call.player is not None
    listed = {card["match"] for card in call.answer["items"]}
    when = Span(call.began, call.ended)
    waiting = "waiting_on_me" in call.query
    filtered = waiting or "status" in call.query
    for match, seating in seatings.items():
        if match in listed and seating.surely_gone(call.player, when):
            yield Finding("leaver-resurrected", match, "it is listed for somebody without a seat", (call,))
        if match in listed or filtered or call.answer["next_cursor"] is not None:
            continue
        if seating.surely_sits(call.player, when) and not seating.cancelled:
            yield Finding("not-listed", match, "it is not listed for a player of it", (call,))
    for card in call.answer["items"]:
        if waiting and card["seat"] not in card["waiting_on"]:
            yield Finding("listed-wrongly", card["match"], "it does not wait for who asked", (call,))


def _lists(history: History) -> list[Call]:
    return [call for call in history.calls if call.operation in LISTS and call.accepted]
