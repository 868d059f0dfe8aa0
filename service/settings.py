"""Every setting of the service, read once from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints
from urllib.parse import urlsplit

from environs import Env, EnvError, validate

from service.quotas import quotas
from service.store_address import BadAddress, parse_address

PREFIX = "TURNCOAT_"
STORE_URL = "REDIS_URL"
"""The one setting without the prefix: hosting platforms set it under this name."""

_DAY = 24 * 60 * 60
_SHORTEST_SECRET = 32
_STORE_FILES = ("store_ca", "store_certificate", "store_key")

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?")
_WITH_USUAL_PORT = re.compile(r"http://.*:80|https://.*:443")
"""Browsers leave it out, so such an origin would never be met."""


class BadSetting(Exception):
    """A setting has a value that it cannot have. The message names the setting and shows no secret."""


@dataclass(frozen=True)
class TokenKey:
    """A key that signs tokens; ``id`` travels in the token, so that keys can be replaced one by one."""

    id: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """What an operator may set. In the environment, each name is in capitals after ``TURNCOAT_``.

    Attributes:
        redis_url: the store (``REDIS_URL``, without prefix): ``redis://``, ``rediss://`` or ``unix://`` for one
            server, ``redis+sentinel://host,host/service/0`` or ``redis+cluster://host,host``, both with TLS as
            ``rediss+…``; see ``docs/operations.md``. Unset, ``turncoat serve`` starts an embedded Valkey.
        data: folder of the embedded store's data and the secrets that were made for it.
        host: address to listen on.
        port: port to listen on.
        workers: worker processes.
        token_keys: what signs the tokens: ``id:secret`` pairs separated by commas. The first one signs, all are
            accepted. A secret has at least 32 characters.
        token_lifetime: seconds that a token is good for.
        issuer: the ``iss`` of an identity provider, whose tokens are then accepted instead of the service's own. Needs
            the next two, and no token keys; see ``docs/operations.md``.
        audience: what the ``aud`` of such a token must be or contain: the name of this service there.
        key_set: where the provider publishes its keys, as a JSON Web Key Set: an ``https`` address, or a file.
        id_secret: what the ids of matches that are created with an ``Idempotency-Key`` are derived from, at least 32
            characters. Changing it makes a repeated creation create a second match. It also hides whom the counters of
            the rate limits count.
        open_lifetime: seconds that a match waits for its players.
        playing_lifetime: seconds that a running match is kept after its latest move.
        finished_lifetime: seconds that a match is kept after its end.
        sweep_interval: seconds between two looks for decisions that are overdue; 0 has this process not look. Then let
            ``turncoat sweep`` do it.
        matches_per_player: matches that are not over in which a player may sit, at most.
        store_timeout: seconds to wait for the store before answering 503.
        store_connections: connections to the store per worker, at most; of a cluster, to each of its nodes.
        store_replicas: replicas of the store that must have a move before it is acknowledged; 0 waits for none.
        store_ca: file with the certificates that sign the store's, for TLS; unset, those that this system trusts.
        store_certificate: file with the certificate by which the store shall know this service.
        store_key: file with the key of that certificate.
        sentinel_user: the user at the Sentinels, who have users of their own.
        sentinel_password: the password at the Sentinels.
        drain_seconds: seconds for which a service that is told to end still serves requests while ``/readyz`` says
            ``draining``, so that load balancers look elsewhere first. They are part of the 25 seconds that the end may
            take, so 20 at most.
        stream_heartbeat: seconds between two signs of life on a live stream.
        stream_longest: seconds after which a live stream ends and the client begins another.
        streams_at_once: how many live streams of one match a player, or an address, may have at once.
        max_body: bytes of a request body, at most.
        proxies: how many proxies stand in front, each adding to ``X-Forwarded-For``. The client's address is taken from
            behind them; with 0 the header is not believed.
        cors_origins: origins, such as ``https://play.example``, whose pages may use the API from a browser; separated
            by commas, no wildcards.
        log_format: the form of the log: ``json``, ``text``, or ``auto``: text on a terminal, JSON elsewhere.
        log_level: ``info`` logs every request; ``warning`` and ``error`` only what goes wrong.
        limits: ``on`` or ``off``: whether there are rate limits. Each of them is of the form ``20/minute`` or
            ``20/minute;100/hour``; an empty one is off.
        limits_timeout: seconds that a request waits for the store to count it before it goes on without.
        limit_reads: reading, per player or, without a token, per address. Counted by each worker for itself.
        limit_moves: moves, and all other writing, per player. Counted by each worker for itself.
        limit_guests_per_address: new guests.
        limit_matches: new matches, per player.
        limit_matches_per_address: new matches of all players at one address.
        limit_join_codes: tries to join by a code, right or wrong, per player.
        limit_join_codes_per_address: such tries of all players at one address.
        limit_misses: requests for matches and codes that there are not, per player or, without a token, per address.
            Who has no misses left gets nothing about matches any more until the time is up.
        limit_misses_per_address: such requests of all at one address.
    """

    redis_url: str | None = field(default=None, repr=False)
    data: Path = Path(".turncoat")
    host: str = "127.0.0.1"
    port: int = 8080
    workers: int = 2
    token_keys: tuple[TokenKey, ...] = field(default=(), repr=False)
    token_lifetime: int = 90 * _DAY
    issuer: str | None = None
    audience: str | None = None
    key_set: str | None = None
    id_secret: str | None = field(default=None, repr=False)
    open_lifetime: int = 7 * _DAY
    playing_lifetime: int = 60 * _DAY
    finished_lifetime: int = 30 * _DAY
    sweep_interval: float = 1.0
    matches_per_player: int = 100
    store_timeout: float = 2.0
    store_connections: int = 32
    store_replicas: int = 0
    store_ca: Path | None = None
    store_certificate: Path | None = None
    store_key: Path | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)
    drain_seconds: float = 0.0
    stream_heartbeat: float = 15.0
    stream_longest: float = 300.0
    streams_at_once: int = 2
    max_body: int = 16 * 1024
    proxies: int = 0
    cors_origins: tuple[str, ...] = ()
    log_format: Literal["auto", "json", "text"] = "auto"
    log_level: Literal["info", "warning", "error"] = "info"
    limits: bool = True
    limits_timeout: float = 0.15
    limit_reads: str = "1200/minute"
    limit_moves: str = "600/minute"
    limit_guests_per_address: str = "300/hour"
    limit_matches: str = "100/hour"
    limit_matches_per_address: str = "1000/hour"
    limit_join_codes: str = "30/10minutes"
    limit_join_codes_per_address: str = "300/10minutes"
    limit_misses: str = "60/minute"
    limit_misses_per_address: str = "300/minute"


def read_settings() -> Settings:
    """The settings from the process's environment.

    Raises:
        BadSetting: a value is not possible, or a name after ``TURNCOAT_`` is no setting.
    """
    known = {variable(setting.name) for setting in fields(Settings)}
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            raise BadSetting(f"{name}: there is no such setting")
    env = Env(prefix=PREFIX)
    positive = validate.Range(min=1)
    try:
        return Settings(
            redis_url=parse_store_url(os.environ.get(STORE_URL, "")),
            data=env.path("DATA", Settings.data),
            host=env.str("HOST", Settings.host),
            port=env.int("PORT", Settings.port, validate=validate.Range(min=0, max=65535)),
            workers=env.int("WORKERS", Settings.workers, validate=validate.Range(min=1, max=64)),
            token_keys=parse_token_keys(env.str("TOKEN_KEYS", ""), variable("token_keys")),
            token_lifetime=env.int("TOKEN_LIFETIME", Settings.token_lifetime, validate=positive),
            issuer=env.str("ISSUER", "") or None,
            audience=env.str("AUDIENCE", "") or None,
            key_set=parse_key_set(env.str("KEY_SET", ""), variable("key_set")),
            id_secret=parse_id_secret(env.str("ID_SECRET", ""), variable("id_secret")),
            open_lifetime=env.int("OPEN_LIFETIME", Settings.open_lifetime, validate=positive),
            playing_lifetime=env.int("PLAYING_LIFETIME", Settings.playing_lifetime, validate=positive),
            finished_lifetime=env.int("FINISHED_LIFETIME", Settings.finished_lifetime, validate=positive),
            sweep_interval=env.float("SWEEP_INTERVAL", Settings.sweep_interval, validate=validate.Range(min=0)),
            matches_per_player=env.int("MATCHES_PER_PLAYER", Settings.matches_per_player, validate=positive),
            store_timeout=env.float("STORE_TIMEOUT", Settings.store_timeout, validate=validate.Range(min=0.01)),
            store_connections=env.int("STORE_CONNECTIONS", Settings.store_connections, validate=positive),
            store_replicas=env.int("STORE_REPLICAS", Settings.store_replicas, validate=validate.Range(min=0, max=16)),
            store_ca=_file(env, "store_ca"),
            store_certificate=_file(env, "store_certificate"),
            store_key=_file(env, "store_key"),
            sentinel_user=env.str("SENTINEL_USER", "") or None,
            sentinel_password=env.str("SENTINEL_PASSWORD", "") or None,
            drain_seconds=env.float("DRAIN_SECONDS", Settings.drain_seconds, validate=validate.Range(min=0, max=20)),
            stream_heartbeat=env.float("STREAM_HEARTBEAT", Settings.stream_heartbeat, validate=validate.Range(min=0.1)),
            stream_longest=env.float("STREAM_LONGEST", Settings.stream_longest, validate=validate.Range(min=0.1)),
            streams_at_once=env.int("STREAMS_AT_ONCE", Settings.streams_at_once, validate=positive),
            max_body=env.int("MAX_BODY", Settings.max_body, validate=validate.Range(min=1024)),
            proxies=env.int("PROXIES", Settings.proxies, validate=validate.Range(min=0, max=16)),
            cors_origins=parse_origins(env.str("CORS_ORIGINS", ""), variable("cors_origins")),
            log_format=_choice(env, "log_format"),
            log_level=_choice(env, "log_level"),
            limits=env.bool("LIMITS", Settings.limits),
            limits_timeout=env.float("LIMITS_TIMEOUT", Settings.limits_timeout, validate=validate.Range(min=0.01)),
            **{name: _rate(env, name, default) for name, default in default_rates().items()},
        )
    except EnvError as error:
        raise BadSetting(str(error)) from error


def variable(setting: str) -> str:
    """The environment variable of a setting, by the name of its attribute."""
    return STORE_URL if setting == "redis_url" else PREFIX + setting.upper()


def has_issuer(settings: Settings) -> bool:
    """Whether somebody else makes the tokens.

    Raises:
        BadSetting: something is missing for that.
    """
    together = ("issuer", "audience", "key_set")
    missing = [setting for setting in together if getattr(settings, setting) is None]
    if missing and len(missing) < len(together):
        raise BadSetting(
            f"{variable(missing[0])} is not set. An identity provider needs "
            f"{', '.join(variable(setting) for setting in together[:-1])} and {variable(together[-1])}"
        )
    return not missing


def check_store_files(settings: Settings) -> None:
    """See that the files for TLS are of use; who sets them believes that nobody listens on the way to the store.

    Raises:
        BadSetting: the store is not spoken to over TLS, or there is a certificate without its key.
    """
    files = [setting for setting in _STORE_FILES if getattr(settings, setting) is not None]
    if files and settings.redis_url is not None and not parse_address(settings.redis_url).tls:
        raise BadSetting(f"{variable(files[0])} is set, but {STORE_URL} does not begin with rediss, so there is no TLS")
    if ("store_certificate" in files) != ("store_key" in files):
        raise BadSetting(f"{variable('store_certificate')} and {variable('store_key')} need each other")


def absolute_files(settings: Settings) -> dict[str, str]:
    """What a process finds in its environment that works in another folder: where the files are."""
    files = {setting: getattr(settings, setting) for setting in _STORE_FILES}
    if settings.key_set is not None and "://" not in settings.key_set:
        files["key_set"] = settings.key_set
    return {variable(setting): str(Path(file).absolute()) for setting, file in files.items() if file is not None}


def default_rates() -> dict[str, str]:
    """The settings that are rate limits, by the names of their attributes, with their defaults."""
    return {setting.name: str(setting.default) for setting in fields(Settings) if setting.name.startswith("limit_")}


def _choice(env: Env, setting: str) -> Any:
    """One of the few values that the setting's type names."""
    possible = get_args(get_type_hints(Settings)[setting])
    return env.str(setting.upper(), getattr(Settings, setting), validate=validate.OneOf(possible))


def _file(env: Env, setting: str) -> Path | None:
    path: str = env.str(setting.upper(), "")
    if path and not Path(path).is_file():
        raise BadSetting(f"{variable(setting)}: there is no file {path!r}")
    return Path(path) if path else None


def _rate(env: Env, setting: str, default: str) -> str:
    """A rate limit, tried out if it is not the one that we chose."""
    rate: str = env.str(setting.upper(), default)
    if rate != default:
        try:
            quotas(setting, rate)
        except ValueError:
            raise BadSetting(
                f"{variable(setting)}: {rate!r} is not of the form 20/minute or 20/minute;100/hour, "
                "each for another time of at most 31 days"
            ) from None
    return rate


def parse_store_url(url: str) -> str | None:
    """The address of a store, tried out; ``None`` if nothing is said.

    Raises:
        BadSetting: it is no address. The message shows nothing of it.
    """
    try:
        return parse_address(url).url if url else None
    except BadAddress as error:
        raise BadSetting(f"{STORE_URL}: {error}") from None


def parse_origins(text: str, name: str) -> tuple[str, ...]:
    """Parse origins separated by commas.

    Args:
        text: the origins.
        name: where they come from, for the message.

    Raises:
        BadSetting: one is not an origin as browsers send it; a pattern is none.
    """
    origins = tuple(origin.strip().lower() for origin in text.split(",") if origin.strip())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin) or _WITH_USUAL_PORT.fullmatch(origin):
            raise BadSetting(
                f"{name}: {origin!r} is not of the form https://name or https://name:port, without the usual port, "
                "path or wildcard"
            )
    return origins


def parse_token_keys(text: str, name: str) -> tuple[TokenKey, ...]:
    """Parse ``id:secret,id:secret``.

    Args:
        text: the pairs.
        name: where they come from, for the message.

    Raises:
        BadSetting: with what is wrong, without showing a secret.
    """
    keys = []
    for place, pair in enumerate(filter(None, text.split(",")), start=1):
        key_id, colon, secret = pair.strip().partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", key_id):
            raise BadSetting(f"{name}: key {place} is not of the form id:secret")
        if len(secret) < _SHORTEST_SECRET:
            raise BadSetting(f"{name}: the secret of key {key_id} is shorter than {_SHORTEST_SECRET} characters")
        keys.append(TokenKey(key_id, secret))
    if len({key.id for key in keys}) != len(keys):
        raise BadSetting(f"{name}: two keys have the same id")
    return tuple(keys)


def parse_id_secret(text: str, name: str) -> str | None:
    """The secret for ids; ``None`` if there is none.

    Args:
        text: the secret.
        name: where it comes from, for the message.

    Raises:
        BadSetting: it is too short to be one. The message does not show it.
    """
    secret = text.strip()
    if secret and len(secret) < _SHORTEST_SECRET:
        raise BadSetting(f"{name}: the secret is shorter than {_SHORTEST_SECRET} characters")
    return secret or None


def parse_key_set(text: str, name: str) -> str | None:
    """Where a key set is; ``None`` if nothing is said.

    Whoever could replace the keys on their way could make tokens, so an address is one of ``https``; on this machine
    ``http`` will do.

    Args:
        text: an address, or the path of a file.
        name: where it comes from, for the message.

    Raises:
        BadSetting: it is an address of another kind.
    """
    if "://" in text:
        try:
            parts = urlsplit(text)
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise BadSetting(f"{name}: this is no address") from None
        safe = parts.scheme == "https" or (parts.scheme == "http" and _is_this_machine(host))
        if not host or "@" in parts.netloc or not safe:
            raise BadSetting(
                f"{name}: an address must begin with https:// and a host; http:// is for this machine only"
            )
    return text or None


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
