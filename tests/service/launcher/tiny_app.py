"""A stand-in for the application: it shows what the launcher does for it, and counts visits in the store."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from types import SimpleNamespace

ALREADY_IMPORTED = sorted({"redis", "flask", "service.settings"} & set(sys.modules))

from gevent import monkey  # noqa: E402

PATCHED = monkey.is_module_patched("socket")

import redis  # noqa: E402

from service.launcher import draining  # noqa: E402
from service.sweeper import Sweeper  # noqa: E402
from service.telemetry.observer import Observer  # noqa: E402

STORE = redis.Redis.from_url(os.environ["REDIS_URL"], socket_timeout=2, retry=None)


def app(environ, start_response):
    path, query = environ["PATH_INFO"], environ["QUERY_STRING"]
    try:
        status, answer = "200 OK", ROUTES[path](query)
    except redis.RedisError as error:
        status, answer = "503 Service Unavailable", {"error": type(error).__name__}
    start_response(status, [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]


def count(_query):
    return {"count": STORE.incr("count")}


def look(_query):
    info = STORE.info("server")
    return {
        "worker": os.getpid(),
        "master": os.getppid(),
        "store": info["process_id"],
        "tcp_port": info["tcp_port"],
        "socket": STORE.connection_pool.connection_kwargs["path"],
        "configuration": {
            name: STORE.config_get(name)[name] for name in ("appendonly", "appendfsync", "maxmemory-policy", "dir")
        },
        "keys": os.environ.get("TURNCOAT_TOKEN_KEYS"),
        "id_secret": os.environ["TURNCOAT_ID_SECRET"],
        "settings": {name: value for name, value in os.environ.items() if name.startswith("TURNCOAT_")},
        "already_imported": ALREADY_IMPORTED,
        "patched": PATCHED,
        "swept": int(STORE.get("swept") or 0),
        "slow": STORE.exists("slow"),
    }


def slow(query):
    """Say in the store that the request has begun, and take the time that was asked for."""
    STORE.set("slow", "begun")
    time.sleep(float(query))
    return {"count": STORE.incr("count")}


def until_draining(_query):
    STORE.set("slow", "begun")
    told = threading.Event()
    draining.when_begun(told.set)
    told.wait(60)
    return {"draining": draining.begun()}


def ending(_query):
    return {"announced": draining.announced(), "begun": draining.begun()}


ROUTES = {"/": count, "/look": look, "/slow": slow, "/until-draining": until_draining, "/ending": ending}

app.extensions = {
    "turncoat": SimpleNamespace(background=Sweeper(lambda: STORE.incr("swept"), 0.01), observer=Observer())
}
