"""The table at ``/table/``: a client that people can play in a browser, built from ``examples/table``.

It uses nothing but the API, and asks no other host for anything; its Content-Security-Policy says so. What the names of
matches and players say stays text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

PATH: Final = "/table/"

_BUILT: Final = Path(__file__).parents[1] / "table" / "static"
_PAGE: Final = "index.html"

_POLICY: Final = (
    "default-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'; "
    "frame-ancestors 'none'"  # nobody's page may have a visitor play a move unseen
)

_A_YEAR: Final = 365 * 24 * 60 * 60
_TYPES: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

blueprint = Blueprint("table", __name__)


@blueprint.get(PATH)
def page() -> Response:
    """Show the table."""
    response = _answer(_PAGE)
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "no-referrer"  # a match's address is for those who were given it
    return response


@blueprint.get(PATH.rstrip("/"))
def nearly() -> Response:
    """Lead to where the page finds its files."""
    return Response(status=308, headers={"Location": PATH, "Cache-Control": "no-cache"}, content_type="text/plain")


@blueprint.get(f"{PATH}<path:name>")
def file(name: str) -> Response:
    """Serve what the page loads."""
    if name == _PAGE or name not in _names():
        raise NotFound
    return _answer(name)


def _answer(name: str) -> Response:
    """A file; one that has its hash in its name never changes, others are asked for again each time."""
    forever = f"public, max-age={_A_YEAR}, immutable" if name.startswith("assets/") else "no-cache"
    response = Response(
        _read(name), content_type=f"{_TYPES[Path(name).suffix]}; charset=utf-8", headers={"Cache-Control": forever}
    )
    response.add_etag()
    response.make_conditional(request)
    return response


@cache
def _names() -> frozenset[str]:
    """All that has been built. Nothing else is served."""
    return frozenset(file.relative_to(_BUILT).as_posix() for file in _BUILT.rglob("*") if file.is_file())


@cache
def _read(name: str) -> bytes:
    return (_BUILT / name).read_bytes()
