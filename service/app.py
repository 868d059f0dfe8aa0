"""The one place where everything is wired together."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, NamedTuple

from flask import Flask

from engine.catalogue import GAMES
from service.api import (
    accounts,
    addresses,
    cors,
    errors,
    events,
    games,
    guards,
    join,
    lists,
    matches,
    operations,
    players,
    tracing,
)
from service.api.contract import document, make_api
from service.api.streams import Streams
from service.api.web_app import WebApp
from service.archive import Archive, Lifetimes
from service.entries import lobby
from service.following import Following
from service.identity import Tokens
from service.issuer import IssuedTokens
from service.key_set import key_set
from service.launcher import draining, shared_memory
from service.limiter import LIMITS, Limiter
from service.lists import STATUSES, Lists
from service.matches import Matches
from service.problems import KINDS
from service.setting_checks import check_store_files, has_issuer
from service.settings import STORE_URL, BadSetting, Settings, read_settings, variable
from service.store import (
    Client,
    Feed,
    Indexes,
    Leases,
    MatchStore,
    Noticeboard,
    Replicas,
    SharedCounters,
    StoreFull,
    StoreUnavailable,
    Turns,
    access,
    connect,
    keys,
    subscriber,
)
from service.sweeper import Sweeper, sweeping
from service.telemetry.gauges import StoreGauges
from service.telemetry.metrics import Metrics
from service.telemetry.observer import NOBODY, Observer
from service.telemetry.setup import telemetry

_PART_FOR_REPLICAS: Final = 0.8
"""Of the time that one waits for the store, what its replicas have to confirm a write."""


@dataclass(frozen=True)
class Parts:
    """What the operations work with; ``app.extensions["turncoat"]``.

    Attributes:
        tokens: what knows who a token speaks for.
        guests: what makes tokens; nothing if somebody else does.
        background: what is done beside the requests, once somebody starts it.
        following: what wakes those who wait.
        api: the names of the blueprints that make up the API.
        limiter: what counts requests; ``None`` with the rate limits off.
        observer: is told what happens, and tells operators.
        gauges: what is looked up in the store for them.
    """

    matches: Matches
    archive: Archive
    lists: Lists
    tokens: Tokens | IssuedTokens
    guests: Tokens | None
    following: Following
    streams: Streams
    store: MatchStore
    background: Sweeper
    api: frozenset[str]
    limiter: Limiter | None
    observer: Metrics
    gauges: StoreGauges


class Kept(NamedTuple):
    """The store, and what is kept there."""

    client: Client
    store: MatchStore
    indexes: Indexes
    archive: Archive


def open_archive(settings: Settings, observer: Observer = NOBODY) -> Kept:
    """All that is stored, without a service around it.

    Args:
        observer: is told what happens to it.

    Raises:
        BadSetting: there is no store.
    """
    if settings.redis_url is None:
        raise BadSetting(f"{STORE_URL} is not set")
    check_store_files(settings)
    client = connect(settings.redis_url, settings.store_timeout, settings.store_connections, access(settings), observer)
    replicas = Replicas(settings.store_replicas, _PART_FOR_REPLICAS * settings.store_timeout)
    store = MatchStore(client, replicas, board=_noticeboard())
    kept = 2 * max(settings.open_lifetime, settings.playing_lifetime, settings.finished_lifetime)
    indexes = Indexes(client, kept, replicas)
    lifetimes = Lifetimes(settings.open_lifetime, settings.playing_lifetime, settings.finished_lifetime)
    return Kept(client, store, indexes, Archive(store, indexes, GAMES, lifetimes, time.time, observer=observer))


def create_app(settings: Settings | None = None) -> Flask:
    """The WSGI application.

    Args:
        settings: read from the environment if not given.

    Raises:
        BadSetting: there is no store, no secret for ids or nothing that makes tokens, or a setting has an impossible
            value.
    """
    settings = settings or read_settings()
    told = telemetry(GAMES, KINDS, settings.log_format, settings.log_level, traces=settings.traces)
    metrics = told.metrics
    client, store, indexes, archive = open_archive(settings, metrics)
    if settings.id_secret is None:
        raise BadSetting(f"{variable('id_secret')} is not set")
    resources = [
        games.blueprint,
        players.blueprint,
        lists.blueprint,
        matches.blueprint,
        events.blueprint,
        join.blueprint,
    ]
    turns = Turns(client, keys.SWEEPER, settings.sweep_interval)
    found = Lists(store, indexes, GAMES, settings.matches_per_player)
    silence = max(settings.store_timeout, 1.0)
    feed = Feed(
        lambda: subscriber(client, silence), settings.store_timeout, at_once=max(1, settings.store_connections // 2)
    )
    draining.when_begun(feed.wake_all)
    # A comment may come late, and a lease must not end because of that.
    leases = Leases(client, settings.streams_at_once, 2 * (settings.stream_heartbeat + settings.store_timeout))

    app = WebApp("service", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body
    app.url_map.merge_slashes = False  # a doubled slash is a wrong address, not a redirection in HTML
    tokens, guests = _identity(settings)
    app.extensions["turncoat"] = Parts(
        archive=archive,
        matches=told.around(Matches(archive, GAMES, settings.id_secret, found.check_room, metrics)),
        lists=told.around(found),
        tokens=tokens,
        guests=guests,
        following=Following(told.around(archive), feed, time.time),
        streams=Streams(leases, settings.stream_heartbeat, settings.stream_longest),
        store=store,
        background=Sweeper(sweeping(turns.take, archive.sweep), settings.sweep_interval),
        api=frozenset(resource.name for resource in resources),
        limiter=_limiter(settings, metrics) if settings.limits else None,
        observer=metrics,
        gauges=_gauges(indexes),
    )
    if told.traces is not None:
        tracing.register(app, told.traces)
    accounts.register(app, told.requests)
    addresses.trust_proxies(app, settings.proxies)
    cors.register(app, settings.cors_origins)
    errors.register(app)
    guards.register(app)
    api = make_api(app)
    for resource in resources:
        api.register_blueprint(resource)
    operations.register(app, document(api), table=settings.table)
    return app


def _noticeboard() -> Noticeboard | None:
    """Where the workers of this service tell each other what they have seen, if there are others."""
    memory = shared_memory.inherited()
    return None if memory is None else Noticeboard(memory)


def _identity(settings: Settings) -> tuple[Tokens | IssuedTokens, Tokens | None]:
    """What knows who a token speaks for, and what makes tokens, unless an identity provider does."""
    if has_issuer(settings):
        published = key_set(str(settings.key_set))
        return IssuedTokens(str(settings.issuer), str(settings.audience), published, time.time), None
    if not settings.token_keys:
        raise BadSetting(f"{variable('token_keys')} is not set")
    tokens = Tokens(settings.token_keys, settings.token_lifetime, time.time)
    return tokens, tokens


def _gauges(indexes: Indexes) -> StoreGauges:
    """What is looked up in the store for operators."""
    lobbies = {(game, status): lobby(game, status) for game in GAMES for status in STATUSES}
    return StoreGauges(
        lambda: dict(zip(lobbies, indexes.sizes(list(lobbies.values())), strict=True)),
        lambda: indexes.count_overdue(int(time.time())),
        (StoreUnavailable, StoreFull),
    )


def _limiter(settings: Settings, observer: Observer) -> Limiter:
    rates = {name: getattr(settings, f"limit_{name.replace('-', '_')}") for names in LIMITS.values() for name in names}
    counters = SharedCounters(str(settings.redis_url), settings.limits_timeout, access(settings), observer)
    secret = (settings.id_secret or "").encode()
    return Limiter(rates, counters, secret, settings.limits_timeout, time.time, observer=observer)
