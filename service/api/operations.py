"""What an operator and a developer need beside the API: health, the contract, and its page."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app
from flask_swagger_ui import get_swaggerui_blueprint

from service.launcher import draining
from service.problems import Problem

CONTRACT = "/openapi.json"
DOCS = "/docs"

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
    page = get_swaggerui_blueprint(DOCS, CONTRACT, config={"app_name": "Turncoat"})
    app.register_blueprint(page)
    app.add_url_rule(DOCS, f"{page.name}.show")  # the page itself, where the framework would redirect to ``/docs/``


def _plain(text: str) -> Response:
    return Response(text + "\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
