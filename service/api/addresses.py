"""Where a request comes from, as far as whoever can be believed tells."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import Final

from flask import Flask, request
from werkzeug.middleware.proxy_fix import ProxyFix

_WITH_PORT: Final = re.compile(r"\[(?P<v6>[^\]]*)\](?::\d+)?|(?P<v4>[\d.]+):\d+")

UNKNOWN: Final = "unknown"
"""The address of all who have none that can be read, as over a unix socket."""


def trust_proxies(app: Flask, proxies: int) -> None:
    """Take the client's address from ``X-Forwarded-For``, past as many entries as there are proxies.

    Each proxy adds the address that it was called from, so only the entries of our own ones can be believed. Without
    proxies the header is whatever the client likes, and is not looked at. Nothing else that proxies tell is used.
    """
    if proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=0, x_host=0, x_port=0, x_prefix=0
        )


def client_network() -> str:
    """The address of the client, or the part of it that stands for one client: see :func:`network`."""
    return network(request.remote_addr or "") or network(_direct_address()) or UNKNOWN


@lru_cache(maxsize=4096)
def network(address: str) -> str | None:
    """What counts as one client: an IPv4 address, or a /64 of IPv6, which is what a single client gets of it.

    Args:
        address: as a socket or a proxy writes it, with a port or without.

    Returns:
        ``None`` if it is none.
    """
    if with_port := _WITH_PORT.fullmatch(address):
        address = with_port["v6"] or with_port["v4"] or ""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.IPv6Network((parsed, 64), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)


def _direct_address() -> str:
    """Who called this process, where what the proxies told is not an address."""
    original = request.environ.get("werkzeug.proxy_fix.orig", {})
    return str(original.get("REMOTE_ADDR", ""))
