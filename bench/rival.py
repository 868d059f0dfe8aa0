"""boardgame.io's server beside the service: the same kind of match, moves per second of computing, and memory."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import signal
import subprocess
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from bench.asking import SWAPPED
from bench.figures import Budget, Figure, Part, Table, told
from bench.load import as_fast_as_can_be
from bench.memory import STREAM, open_and_send, settle, stored_per_match
from bench.positions import SEATS, Course, crowd, halfway, http
from bench.servers import Servers
from bench.world import ROOT, Program, World, world

FOLDER: Final = ROOT / "bench" / "boardgame_io"
TITLE: Final = "boardgame.io"
REMEDY: Final = "`make bench` installs it where there is npm (Debian and Ubuntu: apt-get install nodejs npm)"

IN_MEMORY, ON_REDIS = "boardgame.io, in memory", "boardgame.io, on the store"
ON_OUR_STACK: Final = "bare Flask, GET + EVALSHA"
"""What any service could reach at most that answers each move over HTTP with the same workers: see the ceiling."""
_BARE_SECONDS: Final = 1.0
_AHEAD: Final = 1.0
_CONNECTIONS: Final = 32
_GUESTS: Final = 256
_BOARDS: Final = 6
_EARLY: Final = 0.25
_ALL: Final = 10_000
_MOVES: Final = 32
"""As many as boardgame.io's matches have."""
_HELD: Final = 100
"""Matches of which the memory is measured."""


@dataclass
class Pace:
    """How moves were made.

    Attributes:
        rate: moves per second.
        cpu: milliseconds that servers and store computed for each.
    """

    rate: float
    cpu: float

    @property
    def per_cpu_second(self) -> float:
        """Moves per second that servers and store compute."""
        return 1e3 / self.cpu


Paces = dict[tuple[str, bool], list[Pace]]
"""By who serves, and whether all players are told of each move, or only whoever made it."""


class Rival:
    """boardgame.io's server, with clients.

    Args:
        keeps: :data:`IN_MEMORY` or :data:`ON_REDIS`.
    """

    def __init__(self, place: World, keeps: str, ending: ExitStack) -> None:
        self.keeps, self._place = keeps, place
        store = [place.store.url.removeprefix("unix://")] if keeps == ON_REDIS else []
        environment = {"PATH": os.environ["PATH"], "NODE_ENV": "production"}
        command = ["node", "--expose-gc", "server.js", *store]
        self._server = Program(command, r"serves (\S+)", environment, place.folder)
        ending.callback(self._server.close)
        self._server.start(FOLDER)
        self._clients = ending.enter_context(_clients(self._server.address, environment))
        self._heard()

    def _heard(self) -> Any:
        assert self._clients.stdout is not None
        line = self._clients.stdout.readline()
        if not line:
            raise RuntimeError("boardgame.io's clients have ended")
        return json.loads(line)

    def _told(self, command: str) -> Any:
        assert self._clients.stdin is not None
        self._clients.stdin.write(f"{command}\n")
        self._clients.stdin.flush()
        return self._heard()

    def play(self, matches: int, *, all_told: bool) -> Pace:
        """Play matches from their beginning to their end, all at once."""
        self._told(f"create {matches} {SEATS if all_told else 1}")
        cpu = self._server.cpu() + self._store_cpu()
        done = self._told(f"play {_ALL}")
        cpu = self._server.cpu() + self._store_cpu() - cpu
        self._told("leave")
        return Pace(done["moves"] / done["seconds"], 1e3 * cpu / done["moves"])

    def _store_cpu(self) -> float:
        return self._place.store_cpu() if self.keeps == ON_REDIS else 0.0

    def kib_per_match(self, matches: int) -> float:
        """What server and store hold more for each match that was played to its end, in KiB."""
        before = self._held()
        self.play(matches, all_told=False)
        return (self._held() - before) / matches / 1024

    def _held(self) -> int:
        said = self._server.asked(signal.SIGUSR2, r"holds (\d+)")
        return int(said) + (self._place.store_memory() if self.keeps == ON_REDIS else 0)


@contextmanager
def _clients(address: str, environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        ["node", "clients.js", address],  # noqa: S607  # whichever comes first on the path
        cwd=FOLDER,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


class Ours:
    """The service, with matches a quarter of which is played."""

    def __init__(self, place: World, games: Sequence[str], workers: int) -> None:
        self._place = place
        self._guests = crowd(place.tokens, _GUESTS)
        self._boards = {
            game: [halfway(game, self._guests[:SEATS], seed, _EARLY) for seed in range(_BOARDS)] for game in games
        }
        self._servers = Servers(place, workers=workers, connections=_CONNECTIONS, games=games[:1])
        self._service = self._servers.service

    def play_nothing(self, game: str) -> Pace:
        """What makes the same trips as a move of a game does, and nothing else."""
        measured = self._servers.measure(game, SWAPPED, _BARE_SECONDS)
        return Pace(measured.rate, 1e3 * (measured.cpu + measured.store_cpu))

    def play(self, game: str, matches: int, moves: int, *, all_told: bool) -> Pace:
        """Play so many moves of each match, all at once."""
        self._place.empty()
        boards = itertools.islice(itertools.cycle(self._boards[game]), matches)
        courses = [board.copy(self._players(number), number, log=True) for number, board in enumerate(boards)]
        for course in courses:
            course.store(self._place.kept)
        asked = [list(course.requests(moves)) for course in courses]
        with ExitStack() as ending:
            if all_told:
                ending.enter_context(_followed(self._service, courses))
            cpu = self._service.cpu() + self._place.store_cpu()
            load = as_fast_as_can_be(self._service.address, map(iter, asked), _CONNECTIONS, 600)
            if all_told:
                settle(self._service)  # not before everybody has heard of the last move, too
            cpu = self._service.cpu() + self._place.store_cpu() - cpu
        load.expect(200)
        return Pace(load.rate, 1e3 * cpu / load.answered)

    def _players(self, number: int) -> list[Any]:
        return [self._guests[(SEATS * number + seat) % _GUESTS] for seat in range(SEATS)]

    def kib_per_match(self, game: str) -> float:
        """What the store holds more for each match near its end, in KiB."""
        return stored_per_match(self._place, game, self._guests)["near its end", True]


@contextmanager
def _followed(service: Program, courses: Sequence[Course]) -> Iterator[None]:
    """With a live stream open for each player of each match, and somebody who reads them all."""
    requests = [
        http("GET", f"/v1/matches/{course.change.match.match}/events?after=0", guest.token, b"", **STREAM)
        for course in courses
        for guest in course.players
    ]
    over = threading.Event()
    with ExitStack() as ending, select.epoll() as poll:
        streams = {stream.fileno(): stream for stream in open_and_send(service.address, requests, ending)}
        for file in streams:
            poll.register(file, select.EPOLLIN)

        def read() -> None:
            while not over.is_set():
                for file, _ in poll.poll(0.05):
                    if not streams[file].recv(65_536):
                        poll.unregister(file)  # the match is over

        reader = threading.Thread(target=read)
        reader.start()
        try:
            settle(service)
            yield
        finally:
            over.set()
            reader.join()


def missing() -> str | None:
    """What there is not, but is needed."""
    if shutil.which("node") is None:
        return "there is no Node.js on this machine"
    installed = FOLDER / "node_modules" / "boardgame.io"
    return None if installed.is_dir() else "it is not installed"


def measure(*, repeats: int, workers: int, games: Sequence[str], matches: int = 48) -> Part:
    """Measure both, in turn."""
    if why := missing():
        return Part(TITLE, [f"**Not measured: {why}.** {REMEDY}."])
    paces: Paces = defaultdict(list)
    with ExitStack() as ending:
        place = ending.enter_context(world())
        rivals = [Rival(ending.enter_context(world()), keeps, ending) for keeps in (IN_MEMORY, ON_REDIS)]
        ours = Ours(place, games, workers)
        for repeat, all_told in itertools.product(range(repeats + 1), (False, True)):
            found = {rival.keeps: rival.play(matches, all_told=all_told) for rival in rivals}
            found |= {game: ours.play(game, matches, _MOVES, all_told=all_told) for game in games}
            if not all_told:
                found[ON_OUR_STACK] = ours.play_nothing(games[0])
            if repeat:  # the first time is for warming up
                for who, pace in found.items():
                    paces[who, all_told].append(pace)
        memory = {rival.keeps: rival.kib_per_match(_HELD) for rival in rivals}
        memory |= {game: ours.kib_per_match(game) for game in games}
    return _part(paces, memory, games)


def _part(paces: Paces, memory: dict[str, float], games: Sequence[str]) -> Part:
    budgets = [
        Budget(
            f"{game}: moves per CPU-second / {ON_REDIS}",
            _figure(paces[game, False]).over(_figure(paces[ON_REDIS, False])),
            least=_AHEAD,
        )
        for game in games
    ]
    tables = []
    for all_told in (False, True):
        rows = [
            [
                who,
                told(Figure(tuple(pace.rate for pace in each))),
                told(_figure(each)),
                told(_figure(each).over(_figure(paces[ON_REDIS, all_told]))),
                told(_figure(each).over(_figure(paces[IN_MEMORY, all_told]))),
            ]
            for (who, told_all), each in paces.items()
            if told_all is all_told
        ]
        what = "all players are told of each move" if all_told else "whoever makes a move is told of it"
        tables.append(Table((what, "moves/s", "moves per CPU-second", "/ on the store", "/ in memory"), rows))
    sizes = [[who, told(Figure((kib,)))] for who, kib in memory.items()]
    return Part(TITLE, [_versions()], [*tables, Table(("memory for a match with its log", "KiB"), sizes)], budgets)


def _versions() -> str:
    package = json.loads((FOLDER / "node_modules" / "boardgame.io" / "package.json").read_text(encoding="utf-8"))
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()  # noqa: S607
    return f"boardgame.io {package['version']} on Node.js {node.removeprefix('v')}."


def _figure(paces: Sequence[Pace]) -> Figure:
    return Figure(tuple(pace.per_cpu_second for pace in paces))
