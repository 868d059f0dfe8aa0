"""What the fuzzer is let loose on: the service, which writes down what it was asked and what it answered."""

from __future__ import annotations

import os
import re

from flask import Flask, Response, request
from fuzzing.ledger import LEDGER, OUR_OWN
from support.contract import operations

from service.app import create_app as intact_app


def create_app() -> Flask:
    """For gunicorn, in a process of its own."""
    app = intact_app()
    keep_ledger(app)
    return app


def keep_ledger(app: Flask) -> None:
    """Have every answer written down."""
    ids = {(operation.method.upper(), operation.path): operation.id for operation in operations().values()}
    # Workers write to it at the same time: lines this short, at the end of a file, do not get into each other.
    ledger = os.open(os.environ[LEDGER], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def note(response: Response) -> Response:
        if not request.headers.get("X-Request-Id", "").startswith(OUR_OWN):
            rule = re.sub("<(.+?)>", r"{\1}", request.url_rule.rule) if request.url_rule else ""
            name = ids.get((request.method, rule), request.method)
            os.write(ledger, f"{name} {response.status_code}\n".encode())
        return response

    # The first one registered is asked last: what it sees is what goes out.
    app.after_request_funcs.setdefault(None, []).insert(0, note)
