"""Traces: spans of requests, of what they do, and of trips to the store, as a collector receives them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from support.clients import Client, seated
from support.scanning import Scanner
from support.server import ROOT, Server, make_folder
from support.store import StoreServer, eventually
from support.truth import Truth

from service import setting_checks
from service.launcher import launcher
from service.settings import BadSetting, Settings

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"


class Collector:
    """Takes what an OTLP collector takes.

    Attributes:
        spans: what has come so far.
        raw: the same as it came.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.raw: list[bytes] = []
        self.services: set[str] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                assert self.path == "/v1/traces"
                collector.take(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def take(self, body: bytes) -> None:
        self.raw.append(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services |= {
                attribute.value.string_value
                for attribute in resource.resource.attributes
                if attribute.key == "service.name"
            }
            for scope in resource.scope_spans:
                self.spans += scope.spans

    def requests(self, operation: str) -> list[Span]:
        return [span for span in self.spans if span.name == operation and span.kind == Span.SPAN_KIND_SERVER]

    def below(self, span: Span) -> list[Span]:
        """The spans that are directly below another, in their order."""
        found = [other for other in self.spans if other.parent_span_id == span.span_id]
        return sorted(found, key=lambda other: other.start_time_unix_nano)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.close()


@pytest.fixture(scope="module")
def service(store: StoreServer, collector: Collector) -> Iterator[Server]:
    folder = make_folder()
    server = Server(
        folder,
        redis_url=store.url,
        TURNCOAT_TRACES="on",
        OTEL_EXPORTER_OTLP_ENDPOINT=f"http://127.0.0.1:{collector.server.server_port}",
        OTEL_BSP_SCHEDULE_DELAY="100",
        OTEL_PYTHON_OTLP_TRACES_TIMEOUT="5",
    )
    server.start()
    yield server
    server.stop()


def attributes(span: Span) -> dict[str, Any]:
    return {entry.key: entry.value.string_value or entry.value.int_value for entry in span.attributes}


def test_a_move_has_a_span_with_what_it_did_below(service: Server, collector: Collector):
    match, players = seated(service.visitor(), "kabale", 2)
    card = players[0].card(match)
    player = players[card["waiting_on"][0]]
    decision = player.view(match)["you"]["decision"]
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "X-Request-Id": "traced-move"}
    assert player.call("playMove", body, headers=headers, match=match).status == 200
    eventually(lambda: bool(collector.requests("playMove")), "the span of the move")
    (span,) = collector.requests("playMove")
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
    assert attributes(span) == {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "turncoat.route": "/v1/matches/<match>/moves",
        "turncoat.request": "traced-move",
        "turncoat.match": match,
    }
    (use_case,) = collector.below(span)
    assert use_case.name == "Matches.act"
    trips = collector.below(use_case)
    *before, write = trips
    # What this worker remembers of the match need not be read; the worker that dealt may be the other one.
    assert {trip.name for trip in before} <= {"store hmget", "store read_changed"}
    assert write.name == "store write_match"
    assert attributes(write) == {"db.system.name": "redis", "db.operation.name": "write_match"}
    for inner, outer in [(use_case, span), *[(trip, use_case) for trip in trips]]:
        assert outer.start_time_unix_nano <= inner.start_time_unix_nano + 1_000_000
        assert inner.end_time_unix_nano <= outer.end_time_unix_nano + 1_000_000
    assert collector.services == {"turncoat"}
    (line,) = [line for line in service.said().splitlines() if '"traced-move"' in line]
    assert json.loads(line)["trace"] == TRACE


def test_a_refusal_is_no_fault_and_tells_its_code(service: Server, collector: Collector):
    ada = service.visitor().become("Ada")
    match = ada.create("kabale", 2)
    assert ada.call("playMove", {"decision": 0, "move": {"type": "pass"}}, match=match).status >= 400
    headers = {"traceparent": f"00-{'a' * 32}-{PARENT}-01"}
    assert ada.call("startMatch", {}, headers=headers, match=match).code == "too-few-players"
    eventually(lambda: bool(collector.requests("startMatch")), "the span of the refusal")
    (span,) = collector.requests("startMatch")
    assert span.status.code == Status.STATUS_CODE_UNSET
    assert attributes(span)["turncoat.problem"] == "too-few-players"
    (use_case,) = collector.below(span)
    assert attributes(use_case) == {"turncoat.problem": "too-few-players"}
    assert not use_case.events


def test_nothing_that_a_client_sent_is_in_a_span(service: Server, collector: Collector, truth: Truth):
    scanner = Scanner()
    visitor = service.visitor()
    match, players = seated(visitor, "kabale", 2)
    scanner.know(truth.match(match).seed, "the seed")
    for player in players:
        scanner.know(player.token, "a token")
        scanner.know(player.call("getMe").body["player"], "a player")
        player.view(match)
        stray = player.call("getMatch", match=player.token[:60], headers={"User-Agent": player.token})
        assert stray.status == 404
        visitor.transport.send("GET", f"/{player.token}?{player.token}", {"tracestate": "a=b"}, None)
        visitor.transport.send("BREW", f"/v1/games?x={player.token}", {"traceparent": player.token}, None)
    last = {"traceparent": f"00-{'b' * 32}-{PARENT}-01"}
    visitor.call("listGames", headers=last)
    eventually(lambda: any(span.trace_id.hex() == "b" * 32 for span in collector.spans), "the last span")
    scanner.look(b"\n".join(collector.raw), "spans", "whoever reads traces", "anything", earned=())
    assert scanner.leaks == []
    assert {attributes(span)["http.request.method"] for span in collector.requests("none")} == {"GET", "_OTHER"}


def test_what_is_done_beside_requests_has_no_trace(service: Server, collector: Collector):
    """The sweeper takes its turn every second; each trip would be a trace of its own."""
    roots = [span for span in collector.spans if not span.parent_span_id]
    assert {span.kind for span in roots} <= {Span.SPAN_KIND_SERVER}


def test_the_service_can_do_without_the_package_where_they_are_off(store: StoreServer):
    code = (
        "import sys; sys.modules['opentelemetry'] = None;"
        "from support.settings import settings_on; from service.app import create_app;"
        f"print(create_app(settings_on({store.url!r})).test_client().get('/v1/games').status_code);"
        "from service.telemetry.setup import can_trace; print(can_trace())"
    )
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["200", "False"]


def test_without_the_package_they_are_refused(monkeypatch: pytest.MonkeyPatch):
    assert setting_checks.can_trace()
    monkeypatch.setattr(setting_checks, "can_trace", lambda: False)
    with pytest.raises(BadSetting, match=r"^TURNCOAT_TRACES is on.*turncoat\[traces\]"):
        launcher.launch(Settings(traces=True))


def test_a_client_alone_begins_a_trace(service: Server, collector: Collector):
    before = len(collector.requests("getGame"))
    Client(service.visitor().transport).call("getGame", game="kabale")
    eventually(lambda: len(collector.requests("getGame")) > before, "the span")
    assert not collector.requests("getGame")[-1].parent_span_id
