"""The framework's application, without what it does on every request and nothing here needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from flask import Flask, Request, Response, appcontext_tearing_down, request_tearing_down
from flask.sessions import SecureCookieSession, SessionInterface, SessionMixin
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, MapAdapter, Rule


class _NoSessions(SessionInterface):
    """Nobody has a session: who calls is in the token, and cookies mean nothing here."""

    _nothing = SecureCookieSession()

    def open_session(self, app: Flask, request: Request) -> SessionMixin:  # noqa: ARG002 (the framework's signature)
        """The same empty one for everybody; nothing writes to it."""
        return self._nothing

    def is_null_session(self, obj: object) -> bool:  # noqa: ARG002
        """Whether there is nothing to be kept: always."""
        return True

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Keep nothing."""


_REMEMBERED_HOSTS: Final = 100
_REMEMBERED_PATHS: Final = 4096
_LONGEST_PATH: Final = 64
"""What is longer may be found, but is nothing that anybody asks for twice."""

Found = tuple[Rule, Mapping[str, Any]]


class _Finder:
    """Finds the operation for a method and a path; of the latest that it has found, without searching again."""

    def __init__(self, routes: Map) -> None:
        self._routes = routes
        self.find = lru_cache(maxsize=_REMEMBERED_PATHS)(self._search)

    def _search(self, path: str, method: str) -> Found:
        found: Found = MapAdapter(self._routes, "", "/", "", "http", path, method).match(return_rule=True)
        return found


class _Adapter(MapAdapter):
    """The framework's, which asks a finder."""

    finder: _Finder

    def match(self, *given: Any, **how: Any) -> Any:
        """The rule that the framework asks for, and what stands in the path; else as the framework has it."""
        if given or how != {"return_rule": True} or len(self.path_info) > _LONGEST_PATH:
            return super().match(*given, **how)
        try:
            rule, arguments = self.finder.find(self.path_info, self.default_method)
        except HTTPException:
            return super().match(return_rule=True)  # what is told of it depends on more than these two
        return rule, dict(arguments)


class WebApp(Flask):
    """An application without sessions, coroutines and names of its own for hosts.

    Its answers are found by path and method alone; that ``Host`` is a proper one is seen once for each that is.
    """

    session_interface = _NoSessions()

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._proper_hosts: dict[tuple[Any, ...], str] = {}
        self._finder = _Finder(self.url_map)

    def full_dispatch_request(self) -> Response:
        """Answer a request, without the framework's signals around it, which nobody here listens to."""
        try:
            answer = self.preprocess_request()
            if answer is None:
                answer = self.dispatch_request()
        except Exception as error:  # noqa: BLE001 (whoever handles it knows which)
            answer = self.handle_user_exception(error)
        return self.process_response(self.make_response(answer))

    def preprocess_request(self) -> Any:
        """Call what comes before every request; no blueprint here has anything of its own."""
        for function in self.before_request_funcs[None]:
            answer = function()
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        """Call what comes after every request, the latest first."""
        for function in reversed(self.after_request_funcs[None]):
            response = function(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """Call what comes when a request is over, if there is any, and tell whoever listens, if anybody does."""
        if self.teardown_request_funcs or request_tearing_down.receivers:
            super().do_teardown_request(exc)

    def do_teardown_appcontext(self, exc: BaseException | None = None) -> None:
        """The same when its context is over."""
        if self.teardown_appcontext_funcs or appcontext_tearing_down.receivers:
            super().do_teardown_appcontext(exc)

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the operation for a request."""
        if request is None or "HTTP_UPGRADE" in request.environ:
            return super().create_url_adapter(request)
        environ = request.environ
        scheme = environ["wsgi.url_scheme"]
        host = (scheme, environ.get("HTTP_HOST"), environ.get("SERVER_NAME"), environ.get("SERVER_PORT"))
        name = self._proper_hosts.get(host)
        if name is None:
            adapter = super().create_url_adapter(request)
            if adapter is not None and len(self._proper_hosts) < _REMEMBERED_HOSTS:
                self._proper_hosts[host] = adapter.server_name
            return adapter
        adapter = _Adapter(
            map=self.url_map,
            server_name=name,
            script_name=request.root_path,
            subdomain="",
            url_scheme=scheme,
            path_info=environ["PATH_INFO"].encode("latin-1").decode(errors="replace"),  # so WSGI hands text over
            default_method=environ["REQUEST_METHOD"],
            query_args=environ["QUERY_STRING"],
        )
        adapter.finder = self._finder
        return adapter

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take a function as it is; none here is a coroutine, so none is looked at each time that it is called."""
        return func
