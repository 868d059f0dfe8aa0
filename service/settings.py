"""Every setting of the service, read once from the environment: its default, its meaning and how it is read.

The README's table and what ``turncoat settings`` prints come from here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from service.setting_values import (
    PREFIX,
    STORE_URL,
    BadSetting,
    Read,
    TokenKey,
    file,
    folder,
    ids_of_keys,
    name_of_store,
    not_shown,
    number,
    one_of,
    optional,
    parse_id_secret,
    parse_key_set,
    parse_origins,
    parse_store_url,
    parse_token_keys,
    parsed,
    plainly,
    rate,
    switch,
    text,
    variable,
    whole,
)

__all__ = ["STORE_URL", "BadSetting", "TokenKey", "variable"]

T = TypeVar("T")

_DAY = 24 * 60 * 60
STORE_FILES = ("store_ca", "store_certificate", "store_key")


class About(NamedTuple):
    """What there is to know about a setting.

    Attributes:
        name: of its attribute.
        read: gives its value; raises :class:`BadSetting`.
        meaning: what it is for, as Markdown.
        show: what may be shown of a value that is set.
        default: what holds if it is not set.
    """

    name: str
    read: Read
    meaning: str
    show: Any
    default: Any


def setting(default: T, read: Read, meaning: str, *, show: Any = plainly) -> T:
    """A setting. One that must not be shown as it is has a way of its own to be shown."""
    about = {"read": read, "meaning": meaning, "show": show}
    made: T = field(default=default, repr=show is plainly, metadata=about)
    return made


@dataclass(frozen=True)
class Settings:
    """What an operator may set. In the environment, each name is in capitals after ``TURNCOAT_``."""

    redis_url: str | None = setting(
        None,
        parsed(parse_store_url),
        "The store (`REDIS_URL`, without prefix): `redis://`, `rediss://` or `unix://` for one server, "
        "`redis+sentinel://host,host/service/0` or `redis+cluster://host,host`, both with TLS as `rediss+…`; see "
        "`docs/operations.md`. Unset, `turncoat serve` starts an embedded Valkey.",
        show=name_of_store,
    )
    data: Path = setting(
        Path(".turncoat"), folder, "Folder of the embedded store's data and the secrets that were made for it."
    )
    host: str = setting("127.0.0.1", text, "Address to listen on.")
    port: int = setting(8080, whole(0, 65535), "Port to listen on.")
    workers: int = setting(2, whole(1, 64), "Worker processes.")
    token_keys: tuple[TokenKey, ...] = setting(
        (),
        parsed(parse_token_keys),
        "What signs the tokens: `id:secret` pairs separated by commas. The first one signs, all are accepted. A "
        "secret has at least 32 characters.",
        show=ids_of_keys,
    )
    token_lifetime: int = setting(90 * _DAY, whole(1), "Seconds that a token is good for.")
    issuer: str | None = setting(
        None,
        optional,
        "The `iss` of an identity provider, whose tokens are then accepted instead of the service's own. Needs the "
        "next two, and no token keys; see `docs/operations.md`.",
    )
    audience: str | None = setting(
        None, optional, "What the `aud` of such a token must be or contain: the name of this service there."
    )
    key_set: str | None = setting(
        None,
        parsed(parse_key_set),
        "Where the provider publishes its keys, as a JSON Web Key Set: an `https` address, or a file.",
    )
    id_secret: str | None = setting(
        None,
        parsed(parse_id_secret),
        "What the ids of matches that are created with an `Idempotency-Key` are derived from, at least 32 "
        "characters. Changing it makes a repeated creation create a second match. It also hides whom the counters "
        "of the rate limits count.",
        show=not_shown,
    )
    open_lifetime: int = setting(7 * _DAY, whole(1), "Seconds that a match waits for its players.")
    playing_lifetime: int = setting(60 * _DAY, whole(1), "Seconds that a running match is kept after its latest move.")
    finished_lifetime: int = setting(30 * _DAY, whole(1), "Seconds that a match is kept after its end.")
    sweep_interval: float = setting(
        1.0,
        number(0),
        "Seconds between two looks for decisions that are overdue; 0 has this process not look. Then let `turncoat "
        "sweep` do it.",
    )
    sweep_metrics_port: int = setting(
        0, whole(0, 65535), "Port at which `turncoat sweep` tells its metrics, at `TURNCOAT_HOST`; 0 for none."
    )
    matches_per_player: int = setting(100, whole(1), "Matches that are not over in which a player may sit, at most.")
    store_timeout: float = setting(2.0, number(0.01), "Seconds to wait for the store before answering 503.")
    store_connections: int = setting(
        32, whole(1), "Connections to the store per worker, at most; of a cluster, to each of its nodes."
    )
    store_replicas: int = setting(
        0, whole(0, 16), "Replicas of the store that must have a move before it is acknowledged; 0 waits for none."
    )
    store_ca: Path | None = setting(
        None, file, "File with the certificates that sign the store's, for TLS; unset, those that this system trusts."
    )
    store_certificate: Path | None = setting(
        None, file, "File with the certificate by which the store shall know this service."
    )
    store_key: Path | None = setting(None, file, "File with the key of that certificate.")
    sentinel_user: str | None = setting(None, optional, "The user at the Sentinels, who have users of their own.")
    sentinel_password: str | None = setting(None, optional, "The password at the Sentinels.", show=not_shown)
    drain_seconds: float = setting(
        0.0,
        number(0, 20),
        "Seconds for which a service that is told to end still serves requests while `/readyz` says `draining`, so "
        "that load balancers look elsewhere first. They are part of the 25 seconds that the end may take, so 20 at "
        "most.",
    )
    stream_heartbeat: float = setting(15.0, number(0.1), "Seconds between two signs of life on a live stream.")
    stream_longest: float = setting(
        300.0, number(0.1), "Seconds after which a live stream ends and the client begins another."
    )
    streams_at_once: int = setting(
        2, whole(1), "How many live streams of one match a player, or an address, may have at once."
    )
    max_body: int = setting(16 * 1024, whole(1024), "Bytes of a request body, at most.")
    proxies: int = setting(
        0,
        whole(0, 16),
        "How many proxies stand in front, each adding to `X-Forwarded-For`. The client's address is taken from "
        "behind them; with 0 the header is not believed.",
    )
    cors_origins: tuple[str, ...] = setting(
        (),
        parsed(parse_origins),
        "Origins, such as `https://play.example`, whose pages may use the API from a browser; separated by commas, "
        "no wildcards.",
    )
    log_format: Literal["auto", "json", "text"] = setting(
        "auto",
        one_of("auto", "json", "text"),
        "The form of the log: `json`, `text`, or `auto`: text on a terminal, JSON elsewhere.",
    )
    log_level: Literal["info", "warning", "error"] = setting(
        "info",
        one_of("info", "warning", "error"),
        "`info` logs every request; `warning` and `error` only what goes wrong.",
    )
    traces: bool = setting(
        False,  # noqa: FBT003  # a default
        switch,
        "`on` or `off`: whether traces are made, by OpenTelemetry and its own variables; see `docs/operations.md`. "
        "Needs `turncoat[traces]`.",
    )
    table: bool = setting(
        True,  # noqa: FBT003  # a default
        switch,
        "`on` or `off`: whether `/table/` offers the games to be played in a browser.",
    )
    limits: bool = setting(
        True,  # noqa: FBT003  # a default
        switch,
        "`on` or `off`: whether there are rate limits. Each of them is of the form `20/minute` or "
        "`20/minute;100/hour`; an empty one is off.",
    )
    limits_timeout: float = setting(
        0.15, number(0.01), "Seconds that a request waits for the store to count it before it goes on without."
    )
    limit_reads: str = setting(
        "1200/minute", rate, "Reading, per player or, without a token, per address. Counted by each worker for itself."
    )
    limit_moves: str = setting(
        "600/minute", rate, "Moves, and all other writing, per player. Counted by each worker for itself."
    )
    limit_guests_per_address: str = setting("300/hour", rate, "New guests.")
    limit_matches: str = setting("100/hour", rate, "New matches, per player.")
    limit_matches_per_address: str = setting("1000/hour", rate, "New matches of all players at one address.")
    limit_join_codes: str = setting("30/10minutes", rate, "Tries to join by a code, right or wrong, per player.")
    limit_join_codes_per_address: str = setting("300/10minutes", rate, "Such tries of all players at one address.")
    limit_misses: str = setting(
        "60/minute",
        rate,
        "Requests for matches and codes that there are not, per player or, without a token, per address. Who has "
        "no misses left gets nothing about matches any more until the time is up.",
    )
    limit_misses_per_address: str = setting("300/minute", rate, "Such requests of all at one address.")


ABOUT = tuple(About(each.name, default=each.default, **each.metadata) for each in fields(Settings))
"""All settings, in the order in which they are told of."""


class Complaint(NamedTuple):
    """What is wrong with a setting.

    Attributes:
        variable: what it is called in the environment.
        message: names it too, and shows no secret.
    """

    variable: str
    message: str


def read_settings() -> Settings:
    """The settings from the process's environment.

    Raises:
        BadSetting: values are not possible, or names after ``TURNCOAT_`` are no settings; a line for each.
    """
    settings, wrong = read()
    refuse(wrong)
    return settings


def refuse(wrong: list[Complaint]) -> None:
    """Raise what is complained of, if anything is.

    Raises:
        BadSetting: a line for each complaint.
    """
    if wrong:
        raise BadSetting("\n".join(complaint.message for complaint in wrong))


def read() -> tuple[Settings, list[Complaint]]:
    """The settings as far as they can be read, and what is wrong with the others, which have their defaults."""
    wrong = list(_unknown())
    values = {}
    for about in ABOUT:
        try:
            values[about.name] = about.read(variable(about.name), about.default)
        except BadSetting as error:
            wrong.append(Complaint(variable(about.name), str(error)))
    return Settings(**values), wrong


def _unknown() -> Iterator[Complaint]:
    known = [variable(about.name) for about in ABOUT]
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            meant = get_close_matches(name, known, 1)
            hint = f"; is {meant[0]} meant?" if meant else ""
            yield Complaint(name, f"{name}: there is no such setting{hint}")


def absolute_files(settings: Settings) -> dict[str, str]:
    """What a process finds in its environment that works in another folder: where the files are."""
    files = {name: getattr(settings, name) for name in STORE_FILES}
    if settings.key_set is not None and "://" not in settings.key_set:
        files["key_set"] = settings.key_set
    return {variable(name): str(Path(path).absolute()) for name, path in files.items() if path is not None}


def default_rates() -> dict[str, str]:
    """The settings that are rate limits, by the names of their attributes, with their defaults."""
    return {about.name: str(about.default) for about in ABOUT if about.name.startswith("limit_")}
