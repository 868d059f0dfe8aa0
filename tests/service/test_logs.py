"""The log's form: JSON for machines, text for people, faults without their words."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app
from service.telemetry import logs
from service.telemetry.logs import RequestLog
from service.telemetry.request_line import RequestLine

WORDS = "the king is in the second hand"


@pytest.fixture
def loggers() -> Iterator[None]:
    """Those that are set up, as they were afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("turncoat")
    before = root.handlers[:], root.level, ours.level
    yield
    root.handlers[:], root.level, ours.level = before


def said(capsys: pytest.CaptureFixture[str], form: Any, level: Any, log: Any) -> str:
    logs.set_up(form, level)
    log(logging.getLogger("turncoat"))
    return capsys.readouterr().err


def test_a_line_is_an_object(capsys: pytest.CaptureFixture[str], loggers: None):
    text = said(capsys, "json", "info", lambda log: log.warning("a %s\nhappened", "fault"))
    line = json.loads(text)
    assert text.count("\n") == 1
    assert list(line) == ["timestamp", "level", "event", "logger"]
    assert datetime.fromisoformat(line["timestamp"]).tzinfo is not None
    assert line | {"timestamp": None} == {
        "timestamp": None,
        "level": "warning",
        "event": "a fault\nhappened",
        "logger": "turncoat",
    }


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_fault_is_told_without_its_words(form: str, capsys: pytest.CaptureFixture[str], loggers: None):
    """Whoever logs it: this module's logger, or a library's."""

    def fail(log: logging.Logger) -> None:
        try:
            raise ValueError(WORDS)
        except ValueError as error:
            log.exception("it failed")
            logging.getLogger("some.library").error("so did this", exc_info=error)

    text = said(capsys, form, "info", fail)
    assert "it failed" in text
    assert "so did this" in text
    assert text.count("raise ValueError(WORDS)") == 2, "where it arose"
    assert text.count("Traceback") == 2, "the word by which people, and other tests, look for faults"
    assert WORDS not in text


def test_text_is_for_a_terminal_unless_something_else_is_set(capsys: pytest.CaptureFixture[str], loggers: None):
    assert said(capsys, "auto", "info", lambda log: log.warning("x")).startswith("{")
    assert not said(capsys, "text", "info", lambda log: log.warning("x")).startswith("{")
    assert logs.is_text("text")
    assert not logs.is_text("json")


def test_levels(capsys: pytest.CaptureFixture[str], loggers: None):
    assert said(capsys, "json", "error", lambda log: log.warning("x")) == ""
    assert said(capsys, "json", "warning", lambda log: log.warning("x"))
    assert said(capsys, "json", "warning", lambda log: log.info("x")) == ""
    assert said(capsys, "json", "info", lambda log: log.info("x"))
    assert [RequestLog("json", level).wants(200) for level in ("info", "warning", "error")] == [True, False, False]
    assert [RequestLog("json", level).wants(503) for level in ("info", "warning", "error")] == [True, True, True]


def test_a_log_that_nobody_reads_fails_no_request():
    def write(_line: bytes) -> None:
        raise BrokenPipeError

    RequestLog("json", "info", write).write(RequestLine(datetime.now(UTC), "info", "request", "x", "getView", 200, 1.5))


def test_there_is_no_room_for_anything_else_in_a_line():
    """A field more is to be thought over: what could get into it, and who reads logs."""
    assert set(RequestLine.__struct_fields__) == {
        *["timestamp", "level", "event", "id", "operation", "status", "ms"],
        *["waited_ms", "problem", "match", "trace"],
    }


def test_a_fault_in_an_operation_has_its_line_too(store: StoreServer, capfd: pytest.CaptureFixture[str]):
    app: Flask = create_app(settings_on(store.url, log_level="info", log_format="json"))

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError(WORDS)

    assert app.test_client().get("/broken", headers={"X-Request-Id": "it-broke"}).status_code == 500
    (line,) = [line for line in capfd.readouterr().err.splitlines() if line.startswith("{")]
    assert WORDS not in line
    line = json.loads(line)
    assert (line["level"], line["id"], line["status"], line["problem"]) == ("error", "it-broke", 500, "internal-error")
