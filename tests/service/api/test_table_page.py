"""The page at ``/table/`` as it leaves the service; ``tests/table`` plays at it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def loaded(app: Flask) -> list[str]:
    return re.findall(r'(?:src|href)="\./([^"]*)"', app.test_client().get("/table/").text)


def test_the_page_loads_nothing_but_its_own_files(app: Flask):
    page = app.test_client().get("/table/")
    assert page.content_type == "text/html; charset=utf-8"
    assert len(re.findall(r'(?:src|href)="', page.text)) == len(loaded(app)) + 1  # and a link to /docs
    assert "<style" not in page.text
    assert "style=" not in page.text
    assert not re.search(r"<script(?![^>]*src=)", page.text)


def test_the_page_forbids_whatever_it_does_not_need(app: Flask):
    policy = app.test_client().get("/table/").headers["Content-Security-Policy"]
    assert dict(entry.split(" ", 1) for entry in policy.split("; ")) == {
        "default-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "object-src": "'none'",
        "frame-ancestors": "'none'",
    }


def test_its_files_are_kept_by_browsers(app: Flask):
    """For ever if a changed file has another name; else they are looked after."""
    client = app.test_client()
    kinds = set()
    for name in loaded(app):
        answer = client.get(f"/table/{name}")
        assert answer.status_code == 200
        kinds.add(answer.content_type.split(";")[0])
        forever = name.startswith("assets/")
        assert answer.headers["Cache-Control"] == ("public, max-age=31536000, immutable" if forever else "no-cache")
        assert client.get(f"/table/{name}", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert kinds == {"text/javascript", "text/css", "image/svg+xml"}


def test_the_page_itself_is_looked_after(app: Flask):
    first = app.test_client().get("/table/")
    assert first.headers["Cache-Control"] == "no-cache"
    again = app.test_client().get("/table/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_an_address_without_the_slash_leads_there(app: Flask):
    answer = app.test_client().get("/table")
    assert (answer.status_code, answer.headers["Location"], answer.data) == (308, "/table/", b"")


def test_browsers_are_led_to_the_table_and_programs_are_told_of_it(app: Flask):
    client = app.test_client()
    led = client.get("/", headers=BROWSER)
    assert (led.status_code, led.headers["Location"]) == (302, "/table/")
    told = client.get("/")
    assert told.status_code == 200
    assert "/table/\t" in told.text
    assert "Accept" in told.headers["Vary"]


def test_a_setting_turns_it_off(store: StoreServer):
    client = create_app(replace(settings_on(store.url), table=False)).test_client()
    assert client.get("/", headers=BROWSER).headers["Location"] == "/docs"
    assert "/table/" not in client.get("/").text
    for path in ("/table/", "/table", "/table/icon.svg"):
        assert client.get(path).status_code == 404


@pytest.mark.parametrize("name", ["index.html", "../__init__.py", "assets", "assets/", "%2e%2e/__init__.py"])
def test_nothing_else_is_served(app: Flask, name: str):
    assert app.test_client().get(f"/table/{name}").status_code == 404
