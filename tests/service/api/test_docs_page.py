"""The page at ``/docs`` as it leaves the service; ``tests/browser`` looks at it."""

from __future__ import annotations

import re

import pytest
from flask import Flask

LOADED = ["page.css", "start.js", "swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"]


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_page_loads_nothing_but_its_own_files(app: Flask, path: str):
    page = app.test_client().get(path)
    assert page.content_type == "text/html; charset=utf-8"
    named = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    assert sorted(named) == sorted([*[f"/docs/{name}" for name in LOADED], "/openapi.json"])
    assert "<script>" not in page.text
    assert "style=" not in page.text


@pytest.mark.parametrize("path", ["/docs", "/docs/"])
def test_the_page_forbids_whatever_it_does_not_need(app: Flask, path: str):
    policy = app.test_client().get(path).headers["Content-Security-Policy"]
    allowed = dict(entry.split(" ", 1) for entry in policy.split("; "))
    assert allowed == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize("name", LOADED)
def test_its_files_are_kept_by_browsers_and_looked_after(app: Flask, name: str):
    client = app.test_client()
    first = client.get(f"/docs/{name}")
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    assert client.get(f"/docs/{name}", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize("name", ["__init__.py", "page.html", "oauth2-redirect.html", "swagger-ui.js", "LICENSE", "x"])
def test_what_else_lies_in_the_folders_is_not_served(app: Flask, name: str):
    assert app.test_client().get(f"/docs/{name}").status_code == 404


def test_the_way_from_the_root(app: Flask):
    """In words, and as RFC 8631 has it."""
    answer = app.test_client().get("/")
    assert answer.headers["Link"] == '</docs>; rel="service-doc", </openapi.json>; rel="service-desc"'
    for path in re.findall(r"<(.*?)>", answer.headers["Link"]):
        assert f"{path}\t" in answer.text
        assert app.test_client().get(path).status_code == 200
