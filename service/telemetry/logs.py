"""The log: lines of JSON for machines or of text for a terminal, all in one form, whoever writes them.

A line of a request has its id, operation, status and time, and the match that it was about; the request itself has told
no more than that. Nothing of an address, a header, a query or a body is ever written: a token or a code may be in it.
Faults are told by where they arose, without their words, which may name a card.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal

import msgspec
import structlog
from structlog.typing import EventDict, Processor

from service.faults import trace
from service.telemetry.request_line import RequestLine

Format = Literal["auto", "json", "text"]
Level = Literal["info", "warning", "error"]

_STANDARD_ERROR: Final = 2
_LOGGER: Final = "turncoat"


def is_text(form: Format) -> bool:
    """Whether lines are for a person: where nothing else is set, those on a terminal."""
    return form == "text" or (form == "auto" and sys.stderr.isatty())


def set_up(form: Format, level: Level) -> None:
    """Have whatever is logged in this process, by us and by the libraries, written to standard error in this form.

    Args:
        level: of our own lines; of those of libraries, warnings and errors are written.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.TimeStamper(fmt="iso", utc=True),
                _without_words,
                *_renderers(text=is_text(form)),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_LOGGER).setLevel(level.upper())


def _renderers(*, text: bool) -> list[Processor]:
    if text:
        return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)]
    return [structlog.processors.JSONRenderer(serializer=_json)]


def _json(entry: EventDict, **_: Any) -> str:
    first = {name: entry[name] for name in ("timestamp", "level", "event") if name in entry}
    return msgspec.json.encode({**first, **entry}, enc_hook=repr).decode()


def _without_words(_logger: Any, _method: str, entry: EventDict) -> EventDict:
    """Tell a fault by where it arose."""
    fault = entry.pop("exc_info", None)
    if isinstance(fault, tuple):
        fault = fault[1]
    elif fault is True:
        fault = sys.exc_info()[1]
    if isinstance(fault, BaseException):
        entry["exception"] = f"Traceback of {trace(fault)}"
    return entry


class RequestLog:
    """Writes one line for every request.

    It is on the way of every request, so the line is made without the detours of a logger, and written at once.

    Args:
        form: see :func:`set_up`.
        level: the same; above ``info``, only failures of the service are written.
        write: writes a line; to standard error if not given.
    """

    def __init__(self, form: Format, level: Level, write: Callable[[bytes], object] | None = None) -> None:
        self._write = write or _write
        self._encode = _as_text(colors=sys.stderr.isatty()) if is_text(form) else msgspec.json.Encoder().encode
        self._least = {"info": 0, "warning": 500, "error": 500}[level]

    def wants(self, status: int) -> bool:
        """Whether a request that was answered so gets a line."""
        return status >= self._least

    def write(self, line: RequestLine) -> None:
        """Write it. Nobody's request fails because nobody reads the log any more."""
        with suppress(OSError):
            self._write(self._encode(line) + b"\n")


def _write(line: bytes) -> None:
    os.write(_STANDARD_ERROR, line)


def _as_text(*, colors: bool) -> Callable[[RequestLine], bytes]:
    render = structlog.dev.ConsoleRenderer(colors=colors, pad_event_to=0, sort_keys=False)

    def encode(line: RequestLine) -> bytes:
        return render(None, line.level, msgspec.to_builtins(line)).encode()

    return encode
