"""The page at ``/docs``: Swagger UI's own files, and a page of ours that starts it.

It asks no other host for anything and says so in its Content-Security-Policy, which allows no inline script either:
what comes in the text of the contract, or of an answer that is shown, stays text.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import flask_swagger_ui
from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

PATH: Final = "/docs"

_OURS: Final = Path(__file__).parent
_SWAGGER_UI: Final = Path(flask_swagger_ui.__file__).parent / "dist"

_FILES: Final = {
    "start.js": (_OURS, "text/javascript; charset=utf-8"),
    "page.css": (_OURS, "text/css; charset=utf-8"),
    "swagger-ui-bundle.js": (_SWAGGER_UI, "text/javascript; charset=utf-8"),
    "swagger-ui.css": (_SWAGGER_UI, "text/css; charset=utf-8"),
    "favicon-32x32.png": (_SWAGGER_UI, "image/png"),
}
"""All that the page loads: where it lies, and what it is. Nothing else of the folders is served."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; "  # Swagger UI's arrows are in its style sheet
    "connect-src 'self'; "  # the contract, and what is tried out
    "base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"  # nobody's page may have a visitor click on "Execute" unseen
)

blueprint = Blueprint("docs", __name__)


@blueprint.get(PATH)
@blueprint.get(f"{PATH}/")
def page() -> Response:
    """Show the contract, and let visitors try it."""
    response = _answer(_OURS / "page.html", "text/html; charset=utf-8")
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@blueprint.get(f"{PATH}/<name>")
def file(name: str) -> Response:
    """Serve what the page loads."""
    if name not in _FILES:
        raise NotFound
    folder, content_type = _FILES[name]
    return _answer(folder / name, content_type)


def _answer(file: Path, content_type: str) -> Response:
    """A file, which a browser asks for again each time, and receives again only after an update."""
    response = Response(_read(file), content_type=content_type, headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response


_read: Final = cache(Path.read_bytes)
"""The files in memory, once somebody has asked: 2 MB in all."""
