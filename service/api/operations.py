"""What there is beside the API: health, metrics, the contract, and the pages to read it and to play."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, request

from service.api import docs_page, table_page
from service.launcher import draining
from service.problems import Problem
from service.telemetry.metrics import CONTENT_TYPE

CONTRACT = "/openapi.json"
METRICS = "/metrics"

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


@blueprint.get(METRICS)
def metrics() -> Response:
    """Tell what was counted, for Prometheus. It is for operators alone: what proxies pass on should not include it."""
    parts = current_app.extensions["turncoat"]
    return Response(parts.observer.text(parts.gauges), content_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def register(app: Flask, contract: dict[str, Any], *, table: bool) -> None:
    """Add these routes, with the finished contract, the page that shows it and, if wanted, the table to play at."""
    encoded = msgspec.json.encode(contract)
    app.register_blueprint(blueprint)
    app.add_url_rule(
        CONTRACT,
        "openapi",
        lambda: Response(encoded, content_type="application/json", headers={"Cache-Control": "no-cache"}),
    )
    app.register_blueprint(docs_page.blueprint)
    if table:
        app.register_blueprint(table_page.blueprint)


@blueprint.get("/")
def where() -> Response:
    """Tell those who know no more than the address where to go on; in words, and as RFC 8631 has it for programs.

    Browsers are led to the page for people.
    """
    table = table_page.blueprint.name in current_app.blueprints
    play = f"{table_page.PATH}\tgames to play, in a browser\n" if table else ""
    response = _plain(f"Turncoat\n\n{play}{docs_page.PATH}\tits API, to read and to try\n{CONTRACT}\tthe contract")
    response.vary.add("Accept")
    if request.accept_mimetypes["text/html"] > request.accept_mimetypes["text/plain"]:
        response.status_code = 302
        response.headers["Location"] = table_page.PATH if table else docs_page.PATH
    response.headers["Link"] = f'<{docs_page.PATH}>; rel="service-doc", <{CONTRACT}>; rel="service-desc"'
    return response


def _plain(text: str) -> Response:
    return Response(text + "\n", content_type="text/plain; charset=utf-8", headers={"Cache-Control": "no-store"})
