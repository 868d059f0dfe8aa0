"""What an operator and a developer need beside the API: health, the contract, and its page."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app

from service.api import docs_page
from service.launcher import draining
from service.problems import Problem

CONTRACT = "/openapi.json"

blueprint = Blueprint("operations", __name__)


@blueprint.get("/healthz")
def healthz() -> Response:
    """Tell that this process answers. It asks nobody, so that a dead store kills no healthy worker."""
    return _plain("ok")


@blueprint.get("/readyz")
def readyz() -> Response:
    """Tell whether requests can be served: whether the store takes writes, and nobody has asked us to end."""
    if draining.announced():
        raise Problem("draining")
    current_app.extensions["turncoat"].store.check_writable()
    return _plain("ready")


def register(app: Flask, contract: dict[str, Any]) -> None:
    """Add these routes, with the finished contract and the page that shows it."""
    encoded = msgspec.json.encode(contract)
    app.register_blueprint(blueprint)
    app.add_url_rule(
        CONTRACT,
        "openapi",
        lambda: Response(encoded, content_type="application/json", headers={"Cache-Control": "no-cache"}),
    )
    app.register_blueprint(docs_page.blueprint)


@blueprint.get("/")
def where() -> Response:
    """Tell those who know no more than the address where to read on; in words, and as RFC 8631 has it for programs."""
    response = _plain(f"Turncoat\n\n{docs_page.PATH}\tits API, to read and to try\n{CONTRACT}\tthe contract")
    response.headers["Link"] = f'<{docs_page.PATH}>; rel="service-doc", <{CONTRACT}>; rel="service-desc"'
    return response


def _plain(text: str) -> Response:
    return Response(text + "\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
