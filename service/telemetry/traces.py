"""Traces, by OpenTelemetry: a span for each request, for what it does, and for each trip to the store.

They are off unless set, and then nothing of this is imported. Where they go, and how many of them are kept, is up to
OpenTelemetry's own variables, ``OTEL_EXPORTER_OTLP_ENDPOINT`` and others. No attribute has anything that a client sent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import wraps
from importlib.metadata import version
from typing import Any, Final, TypeVar, cast

from opentelemetry import context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.problems import Problem
from service.telemetry.metrics import Metrics

Made = TypeVar("Made")

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})
_OTHER_METHOD: Final = "_OTHER"
_HEADERS: Final = ("traceparent", "tracestate")


class Traces:
    """Makes the spans.

    Args:
        processor: takes them; if not given, they are sent to where the environment says.
    """

    def __init__(self, processor: SpanProcessor | None = None) -> None:
        own = Resource({SERVICE_NAME: "turncoat", SERVICE_VERSION: version("turncoat")})
        provider = TracerProvider(resource=own.merge(OTELResourceDetector().detect()))
        provider.add_span_processor(processor or BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = provider.get_tracer("turncoat")
        self._propagator = TraceContextTextMapPropagator()

    def begin_request(self, method: str, headers: Mapping[str, str]) -> Request:
        """Begin the span of a request, as a part of the trace that its headers name, if they do."""
        carrier = {name: headers[name] for name in _HEADERS if name in headers}
        parent = self._propagator.extract(carrier) if carrier else None
        known = method if method in _METHODS else _OTHER_METHOD
        span = self._tracer.start_span(
            "request", context=parent, kind=SpanKind.SERVER, attributes={"http.request.method": known}
        )
        return Request(span, context.attach(set_span_in_context(span)))

    def trip(self, name: str, began: float, ended: float, error: BaseException | None) -> None:
        """Tell of a trip to the store that was made for a request. What is done beside requests has no trace."""
        if not get_current_span().is_recording():
            return
        end = time.time_ns()
        span = self._tracer.start_span(
            f"store {name}",
            kind=SpanKind.CLIENT,
            attributes={"db.system.name": "redis", "db.operation.name": name},
            start_time=end - int((ended - began) * 1e9),
        )
        if error is not None:
            _fail(span, error)
        span.end(end)

    def around(self, made: Made) -> Made:
        """The same object with a span around each of its methods."""
        return cast("Made", _Around(made, self._around))

    def _around(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def traced(*args: Any, **named: Any) -> Any:
            with self._tracer.start_as_current_span(
                name, record_exception=False, set_status_on_exception=False
            ) as span:
                try:
                    return method(*args, **named)
                except Problem as problem:
                    span.set_attribute("turncoat.problem", problem.code)
                    raise
                except Exception as error:
                    _fail(span, error)
                    raise

        return traced


class Request:
    """The span of one request."""

    def __init__(self, span: Span, token: Any) -> None:
        self._span = span
        self._token = token

    @property
    def trace(self) -> str:
        """The id of its trace."""
        return format(self._span.get_span_context().trace_id, "032x")

    def end(self, operation: str, status: int, attributes: Mapping[str, str | None]) -> None:
        """Name it, and end it."""
        span = self._span
        span.update_name(operation)
        span.set_attribute("http.response.status_code", status)
        for name, value in attributes.items():
            if value is not None:
                span.set_attribute(f"turncoat.{name}", value)
        if status >= 500:
            span.set_status(Status(StatusCode.ERROR))
        span.end()
        context.detach(self._token)


class TracedMetrics(Metrics):
    """Metrics whose trips are traced too."""

    def __init__(self, traces: Traces, *args: Any) -> None:
        super().__init__(*args)
        self._traces = traces

    def trip(self, name: str, began: float, ended: float, error: BaseException | None) -> None:
        """See :class:`service.telemetry.observer.Observer`."""
        super().trip(name, began, ended, error)
        self._traces.trip(name, began, ended, error)


class _Around:
    def __init__(self, made: Any, around: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> None:
        kind = type(made)
        for name in vars(kind):
            if not name.startswith("_"):
                setattr(self, name, around(f"{kind.__name__}.{name}", getattr(made, name)))


def _fail(span: Span, error: BaseException) -> None:
    """Tell that it failed, and by what kind of fault; not in its words, which may name a card."""
    span.set_status(Status(StatusCode.ERROR))
    span.set_attribute("error.type", type(error).__name__)
