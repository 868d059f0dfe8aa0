"""What a stored match and a waiting client take of memory."""

from __future__ import annotations

import itertools
import socket
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Final
from urllib.parse import urlsplit

from bench.asking import unchanged_views
from bench.figures import Budget, Figure, Part, Table, told
from bench.positions import SEATS, Course, Guest, crowd, halfway, http
from bench.world import SERVICE, Program, World, world
from service.launcher.web import raise_open_files

_MATCHES: Final = 300
_BOARDS: Final = 6
_GUESTS: Final = 1_024
STREAM: Final = {"Accept": "text/event-stream"}
WAITING: Final = 500
_WARMING: Final = 100
_SETTLING: Final = 15.0
_LOOK: Final = 0.5
_IDLE: Final = 0.15
"""Part of the time for which it may compute and have nothing to do but to give those who wait signs of life."""
_PARTS: Final = {"in its middle": 0.5, "near its end": 0.95}
_MOST_WITHOUT_LOG: Final = 4.0
_MOST_WITH_LOG: Final = 64.0
_KIB: Final = 1024


def measure(*, repeats: int, workers: int, games: Sequence[str], waiting: int = WAITING) -> Part:
    """Measure both."""
    with world() as place:
        guests = crowd(place.tokens, _GUESTS)
        stored = {game: stored_per_match(place, game, guests) for game in games}
        clients = _clients(place, guests, games[0], repeats=repeats, workers=workers, count=waiting)
    budgets = []
    for (game, sizes), (when, log, most) in itertools.product(
        stored.items(),
        (("in its middle", False, _MOST_WITHOUT_LOG), ("near its end", True, _MOST_WITH_LOG)),
    ):
        name = f"{game}: KiB stored of a match {when}, {'with' if log else 'without'} its log"
        budgets.append(Budget(name, Figure((sizes[when, log],)), most=most))
    rows = [
        [game, *(told(Figure((sizes[when, log],))) for when in _PARTS for log in (False, True))]
        for game, sizes in stored.items()
    ]
    columns = ["KiB per match", *(f"{when}, {'with' if log else 'no'} log" for when in _PARTS for log in (False, True))]
    note = (
        f"Of a stored match: what the store uses more for {_MATCHES} of them, with all their keys and their entries in "
        f"the indexes. Of a client: what the {workers} workers hold more for {waiting} who wait."
    )
    kinds = [[kind, told(figure)] for kind, figure in clients.items()]
    return Part("Memory", [note], [Table(columns, rows), Table(("KiB per client that waits", "KiB"), kinds)], budgets)


def stored_per_match(place: World, game: str, guests: Sequence[Guest]) -> dict[tuple[str, bool], float]:
    """KiB per match: at some time of it, without or with its log."""
    sizes = {}
    for (when, part), log in itertools.product(_PARTS.items(), (False, True)):
        courses = list(_courses(game, guests, part, log=log))
        place.empty()
        before = place.store_memory()
        for course in courses:
            course.store(place.kept)
        sizes[when, log] = (place.store_memory() - before) / len(courses) / _KIB
    return sizes


def _courses(game: str, guests: Sequence[Guest], part: float, *, log: bool) -> Iterable[Course]:
    boards = itertools.cycle([halfway(game, guests[:SEATS], seed, part) for seed in range(_BOARDS)])
    for number, board in zip(range(_MATCHES), boards, strict=False):
        first = SEATS * number
        yield board.copy([guests[(first + seat) % len(guests)] for seat in range(SEATS)], number, log=log)


def _clients(
    place: World, guests: Sequence[Guest], game: str, *, repeats: int, workers: int, count: int
) -> dict[str, Figure]:
    """KiB per client, by what it waits with."""
    raise_open_files()
    place.empty()
    courses = list(_courses(game, guests, 0.5, log=False))
    for course in courses:
        course.store(place.kept)
    lookers = [(course.change.match.match, guest.token) for course in courses for guest in course.players][:count]
    found: dict[str, list[float]] = defaultdict(list)
    for _, (kind, requests) in itertools.product(range(repeats), _KINDS.items()):
        # A fresh one each time: what a process has got once it gives back to nobody.
        service = place.serve(*SERVICE, workers=workers)
        unchanged_views(service.address, lookers[:_WARMING])
        prepared = requests(service.address, lookers)
        settle(service)
        before = service.memory()
        with ExitStack() as ending:
            open_and_send(service.address, prepared, ending)
            settle(service)
            found[kind].append((service.memory() - before) / len(prepared) / _KIB)
        service.close()
    return {kind: Figure(tuple(values)) for kind, values in found.items()}


_KINDS: Final[dict[str, Callable[[str, Sequence[tuple[str, str]]], list[bytes]]]] = {
    "an idle connection": lambda _address, lookers: [b""] * len(lookers),
    "waiting for another view": lambda address, lookers: unchanged_views(address, lookers, Prefer="wait=60"),
    "reading a live stream": lambda _address, lookers: [
        http("GET", f"/v1/matches/{match}/events", token, b"", **STREAM) for match, token in lookers
    ],
}


def open_and_send(address: str, requests: Iterable[bytes], ending: ExitStack) -> list[socket.socket]:
    """Send each request over a connection of its own, which stays open."""
    where, connections = urlsplit(address), []
    for request in requests:
        connection = ending.enter_context(socket.create_connection((where.hostname or "", where.port or 0)))
        connection.sendall(request)
        connections.append(connection)
    return connections


def settle(service: Program) -> None:
    """Wait until the service has nothing more to do."""
    end = time.monotonic() + _SETTLING
    while time.monotonic() < end:
        before = service.cpu()
        time.sleep(_LOOK)
        if service.cpu() - before < _IDLE * _LOOK:
            return
