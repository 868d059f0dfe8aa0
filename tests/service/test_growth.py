"""A service that has seen many matches is no larger than one that has seen few.

``FINISHED_MATCHES=10000`` has it see more of them.
"""

from __future__ import annotations

import os
import random
import time
from contextlib import closing

from support.clients import Client, InProcess
from support.settings import settings_on
from support.store import StoreServer, eventually
from support.truth import Truth

from service.app import create_app
from service.store import keys

FINISHED_MATCHES = int(os.environ.get("FINISHED_MATCHES", "1000"))
LIFETIME = 1
INDEX_LIFETIME = 2 * LIFETIME
TICK = 1
"""Seconds by which the store's whole seconds may make an entry look younger."""


def test_what_is_over_leaves_nothing_behind():
    """Each match is over at once; players, lobby and codes all get their entries for it."""
    with closing(StoreServer()) as store:
        store.start()
        lifetimes = dict.fromkeys(("open_lifetime", "playing_lifetime", "finished_lifetime"), LIFETIME)
        app = create_app(settings_on(store.url, **lifetimes))
        truth = Truth(store.url)
        visitor = Client(InProcess(app.test_client()))
        announced: list[float] = []
        while len(announced) < FINISHED_MATCHES or announced[-1] - announced[0] < 5 * INDEX_LIFETIME:
            if len(announced) % 100 == 0:
                ada = visitor.become("Ada")
            announced.append(time.monotonic())
            visibility = random.choice(["public"] * 9 + ["private"])
            match = ada.create("kabale", 2, visibility=visibility)
            assert ada.call("leaveMatch", match=match).status == 204
            if len(announced) % 100 == 0:
                young = [at for at in announced if announced[-1] - at <= INDEX_LIFETIME + 2 * TICK]
                assert largest_index(truth) <= len(young) + 10, "entries of matches that are gone are taken out"
        eventually(lambda: truth.all_keys() == set(), "the end of everything")
        truth.redis.close()


def largest_index(truth: Truth) -> int:
    names = list(truth.redis.scan_iter(match=keys.index("*"), count=1000))
    assert names
    return max(truth.redis.zcard(name) for name in names)
