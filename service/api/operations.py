"""What an operator and a developer need beside the API: health, metrics, the contract, and its page."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app

from service.api import docs_page
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
