"""What is said once the service serves: where, and with what."""

from __future__ import annotations

from importlib.metadata import version

from service.launcher.console import say
from service.setting_page import chosen
from service.settings import STORE_URL, Settings
from service.store_address import BadAddress, parse_address


def announce(settings: Settings, address: str, found: str | None) -> None:
    """Say it.

    Args:
        settings: of the operator.
        address: where it serves.
        found: what the store is; nothing if that is not known yet.
    """
    workers = f"{settings.workers} worker{'s' if settings.workers > 1 else ''}"
    lines = [
        f"Turncoat serves {address}  (docs: {address}/docs)",
        f"  version {version('turncoat')}, {workers}, rate limits {'on' if settings.limits else 'off'}",
        f"  store: {_store(settings, found)}",
        *(f"  set: {setting}" for setting in chosen(settings) if not setting.startswith(STORE_URL)),
        "  Ctrl-C ends it",
    ]
    say("\n".join(lines))  # in one piece: the workers log already


def _store(settings: Settings, found: str | None) -> str:
    if settings.redis_url is None:
        return f"embedded Valkey, appendonly on, data in {settings.data.absolute()}"
    words = "not there yet" if found is None else found
    name = name_of_store(settings.redis_url)
    return f"{name} ({words})" if words else name


def name_of_store(url: str) -> str:
    """What a store may be called in front of everybody."""
    try:
        return parse_address(url).name
    except BadAddress:
        return STORE_URL
