"""What is broken: a real store, a service with several workers on it, and relays between them and to the clients."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from faults.workers import CLOCK, PLANTED
from redis import Redis
from support.proxy import FaultProxy
from support.server import Server, make_folder
from support.store import PATIENCE, StoreServer, eventually

ROOT = Path(__file__).parents[2]

STORE_TIMEOUT = 0.5
"""Seconds. Short, so that many faults fit into a minute."""

_SCRIPT = ROOT / "service/store/scripts/write_match.lua"
WRITING = hashlib.sha1(_SCRIPT.read_text(encoding="utf-8").encode()).hexdigest().encode()
"""By what a request to write a match is known on its way to the store."""

_IN_A_ROW = 3


class Service(Server):
    """The service as it is, but for a clock that can be moved, and a fault in it where one is planted."""

    def __init__(self, folder: Path, redis_url: str, workers: int, planted: str, **settings: str) -> None:
        self.clock = folder / "clock"
        super().__init__(
            folder,
            redis_url=redis_url,
            workers=workers,
            TURNCOAT_STORE_TIMEOUT=str(STORE_TIMEOUT),
            TURNCOAT_PORT="0",
            **settings,
            PYTHONPATH=os.pathsep.join([str(ROOT / "tests"), str(ROOT)]),
        )
        self._environment |= {CLOCK: str(self.clock), PLANTED: planted}
        self.move_clocks({})

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "faults.serve"]

    def move_clocks(self, by: dict[int, float]) -> None:
        """Have the clocks of these workers be wrong by so many seconds, and all others be right."""
        new = self.clock.with_suffix(".new")
        new.write_text(json.dumps(by))
        new.replace(self.clock)


class World:
    """A service on some store, and the relay between its clients and it. All run for as long as the world is entered.

    Attributes:
        settings: of the service, beside the usual ones.
        service: with the workers.
        to_service: between the clients and the service.
        address: where the clients find the service.
        redis: how the store itself can be asked, past the service.
        unsure: from when to when the service may have shown what the store had not acknowledged, and lost.
    """

    settings: Mapping[str, str] = {}
    redis: Redis

    def __init__(self, *, workers: int = 3, planted: str = "") -> None:
        self.workers = workers
        self._planted = planted
        self.unsure: list[tuple[float, float]] = []

    def open_store(self) -> str:
        """Start the store and connect with it; gives the address for the service."""
        raise NotImplementedError

    def close_store(self) -> None:
        """End the store and all that belongs to it."""
        raise NotImplementedError

    def empty_store(self) -> None:
        """Have nothing in the store."""
        self.redis.flushall()

    def __enter__(self) -> Self:
        with ExitStack() as ending:  # also where somebody presses Ctrl-C before all of it is there
            folder = make_folder()
            ending.callback(shutil.rmtree, folder)
            url = self.open_store()
            ending.callback(self.close_store)
            self.service = Service(folder, url, self.workers, self._planted, **self.settings)
            ending.callback(self.service.stop, hurry=True)
            self.service.start()
            self.to_service = FaultProxy(urlsplit(self.service.address).netloc)
            ending.callback(self.to_service.close)
            self.address = f"http://{self.to_service.address}"
            self._ending = ending.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.close()

    def clean(self) -> None:
        """Have nothing in the store, and everything in order."""
        self.service.move_clocks({})
        eventually(lambda: len(self.service.workers()) == self.workers, "all workers")
        self.wait_until_it_answers()
        self.empty_store()

    def wait_until_it_answers(self) -> float:
        """Wait until the service does its work again, for whoever comes; gives the time since when it does."""
        end, in_a_row, since = time.monotonic() + PATIENCE, 0, 0.0
        while in_a_row < _IN_A_ROW:
            now = time.monotonic()
            if now > end:
                raise AssertionError(f"in vain waited for the service: {self.service.said()[-2000:]}")
            if not self._is_ready():
                in_a_row = 0
                time.sleep(0.01)
                continue
            since = since if in_a_row else time.monotonic()
            in_a_row += 1
        return since

    def _is_ready(self) -> bool:
        """Whether a worker, by chance one or another, writes to the store."""
        connection = HTTPConnection(self.to_service.address, timeout=PATIENCE)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (HTTPException, OSError):
            return False
        finally:
            connection.close()


class OneStore(World):
    """One store, which forgets nothing that it has acknowledged.

    Attributes:
        store: the process.
        to_store: between the workers and the store.
    """

    def open_store(self) -> str:
        self.store = StoreServer(fsync="always")
        self.store.start()
        self.redis = Redis.from_url(self.store.url)
        self.to_store = FaultProxy(Path(self.store.url.removeprefix("unix://")))
        return f"redis://{self.to_store.address}"

    def close_store(self) -> None:
        self.to_store.close()
        self.redis.close()
        self.store.close()

    def empty_store(self) -> None:
        super().empty_store()
        self.redis.bgrewriteaof()  # what is read again after each of the store's ends stays little
