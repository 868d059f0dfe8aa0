"""The service with faults that it does not have: one in the code, and a store in which somebody is always faster."""

from __future__ import annotations

from typing import Any

from flask import Flask, request

from service.app import create_app as intact_app

FAULT = "X-Planted-Fault"
"""A header of the request says which fault it is to meet: ``code`` or ``race``."""


def create_app() -> Flask:
    """For gunicorn, in a process of its own."""
    app = intact_app()
    store = app.extensions["turncoat"].store
    write = store.write

    def faulty(*args: Any, **more: Any) -> bool:
        match request.headers.get(FAULT):
            case "code":
                raise RuntimeError(f"the next card is {10 * 10}")  # in the code it does not stand like that
            case "race":
                return False
        return write(*args, **more)

    store.write = faulty
    return app
