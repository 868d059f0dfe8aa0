"""The outermost level: paths, operations, security, servers, and the names of schemas."""

from __future__ import annotations

from typing import Any

from changes.exchange import compare_answers, compare_body, compare_parameters
from changes.found import Found, compare_the_rest, told

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_OF_OPERATIONS = {"operationId", "tags", "security", "parameters", "requestBody", "responses", "deprecated"}
_OF_CONTRACTS = {"openapi", "info", "paths", "components", "servers", "tags", "security"}


def compare_contracts(found: Found) -> None:
    """Compare all there is."""
    _compare_versions_of_openapi(found)
    _compare_servers(found)
    _compare_schemes(found)
    for path, item in found.old["paths"].items():
        if path not in found.new["paths"]:
            found.breaks(path, "the path is gone")
            continue
        for method in _METHODS:
            if method in item:
                _compare_operation(found, path, method)
        compare_the_rest(found, path, item, found.new["paths"][path], {"parameters", *_METHODS})
    _tell_what_is_new(found)
    compare_the_rest(found, "the contract", found.old, found.new, _OF_CONTRACTS)
    for name in found.old["components"]["schemas"]:
        if name not in found.new["components"]["schemas"]:
            found.breaks(name, "there is no schema of that name any more")


def _compare_versions_of_openapi(found: Found) -> None:
    before, after = (document["openapi"].split(".")[:2] for document in (found.old, found.new))
    if before != after:
        found.breaks("openapi", f"from OpenAPI {'.'.join(before)} to {'.'.join(after)}, which generators may not read")


def _compare_servers(found: Found) -> None:
    after = [server["url"] for server in found.new.get("servers", [{"url": "/"}])]
    for server in found.old.get("servers", [{"url": "/"}]):
        if server["url"] not in after:
            found.breaks("servers", f"{server['url']} is gone")


def _compare_schemes(found: Found) -> None:
    """How tokens are sent; what they are made of is for reading only."""
    before, after = (document["components"].get("securitySchemes", {}) for document in (found.old, found.new))
    for name, scheme in before.items():
        if name not in after:
            found.breaks(f"security scheme {name}", "is gone")
            continue
        for key in sorted((set(scheme) | set(after[name])) - {"description", "bearerFormat"}):
            if scheme.get(key) != after[name].get(key):
                found.breaks(
                    f"security scheme {name}", f"{key} from {told(scheme.get(key))} to {told(after[name].get(key))}"
                )


def _tell_what_is_new(found: Found) -> None:
    for path, item in found.new["paths"].items():
        for method in set(_METHODS) & set(item):
            if method not in found.old["paths"].get(path, {}):
                found.fine(f"{method.upper()} {path}", "a new operation")


def _compare_operation(found: Found, path: str, method: str) -> None:
    before, items = found.old["paths"][path][method], found.new["paths"][path]
    where = before.get("operationId", f"{method.upper()} {path}")
    if method not in items:
        found.breaks(where, "the operation is gone")
        return
    after = items[method]
    if before.get("operationId") != after.get("operationId"):
        found.breaks(where, f"the operation is called {after.get('operationId')} now")
    if before.get("tags", [])[:1] != after.get("tags", [])[:1]:
        found.breaks(where, "the first tag, which generated clients name a class after, is another one")
    _compare_security(found, where, before, after)
    shared = [document["paths"][path].get("parameters", []) for document in (found.old, found.new)]
    compare_parameters(
        found, where, [*shared[0], *before.get("parameters", [])], [*shared[1], *after.get("parameters", [])]
    )
    compare_body(found, where, before.get("requestBody"), after.get("requestBody"))
    compare_answers(found, where, before["responses"], after["responses"])
    if after.get("deprecated", False) != before.get("deprecated", False):
        found.fine(where, "deprecated" if after.get("deprecated") else "deprecated no longer")
    compare_the_rest(found, where, before, after, _OF_OPERATIONS)


def _compare_security(found: Found, where: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Whoever was let in is let in still: for each old way in there is a new one that asks for no more."""
    old, new = (
        [{scheme: set(scopes) for scheme, scopes in way_in.items()} for way_in in ways_in] or [{}]
        for ways_in in (
            before.get("security", found.old.get("security", [])),
            after.get("security", found.new.get("security", [])),
        )
    )
    for way_in in old:
        if not any(_asks_no_more(other, way_in) for other in new):
            found.breaks(where, f"who comes with {' and '.join(way_in) or 'nothing'} is let in no longer")
    for way_in in new:
        if way_in not in old:
            found.fine(where, f"who comes with {' and '.join(way_in) or 'nothing'} is let in")


def _asks_no_more(way_in: dict[str, set[str]], than: dict[str, set[str]]) -> bool:
    return all(scheme in than and scopes <= than[scheme] for scheme, scopes in way_in.items())
