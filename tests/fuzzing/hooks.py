"""What Schemathesis is taught about this service; it loads this module by its environment variable for hooks.

It leads cases to real matches and moves, adds the check that all tests of the service have, and says which refusals of
well-formed requests are right.
"""

from __future__ import annotations

import json
import os
import random
from typing import Any

import schemathesis
from fuzzing.fuzzer import ADDRESS, SEED, TOKEN
from fuzzing.stage import GAMES, Stage
from schemathesis.core.failures import Failure
from schemathesis.core.parameters import ParameterLocation
from schemathesis.openapi.checks import RejectedPositiveData
from support.contract import check_answer, operations

REFUSALS = {
    # Which cursors there are is known to nobody but the service.
    "listMatches": {"bad-cursor"},
    "listMyMatches": {"bad-cursor"},
    # What a rule forbids depends on the match; which options go together, on several fields at once.
    "playMove": {"illegal-move", "idempotency-key-reused"},
    "createMatch": {"bad-options", "idempotency-key-reused"},
    # How many seats there are depends on the match; a key is good for one request only.
    "joinMatch": {"invalid /seat", "idempotency-key-reused"},
    "joinByCode": {"invalid /seat", "idempotency-key-reused"},
    "startMatch": {"idempotency-key-reused"},
}
"""By operation, the codes with which a request may be refused although its schema allows it, and which fields may then
be at fault.

Beside these, a well-formed request may meet only what depends on who asks and when: 401, 403, 404 and 409.
"""

_chance = random.Random(os.environ[SEED])
_stage = Stage(os.environ[ADDRESS], os.environ.get(TOKEN), _chance)
_seen: dict[str, list[tuple[dict[str, Any], dict[str, Any], str]]] = {}
_pages: dict[str, list[dict[str, Any]]] = {}
_met: set[str] = set()


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: dict[str, Any]) -> None:
    """Lead a case that is good so far to something that there is."""
    operation = case.operation.definition.raw["operationId"]
    if case.method.upper() != case.operation.method.upper():
        return  # it tries a method that there is not
    bad = {location for location, found in case.meta.components.items() if found.mode.is_negative}
    if "match" in case.path_parameters and ParameterLocation.PATH not in bad:
        _lead_to_match(case, operation)
    if "game" in case.path_parameters and ParameterLocation.PATH not in bad and _chance.random() < 0.9:
        case.path_parameters["game"] = _chance.choice(list(GAMES))
    if ParameterLocation.BODY not in bad and isinstance(case.body, dict):
        case.body = _whole_numbers(case.body)
        _lead_to_body(case, operation)
    if "cursor" in (case.query or {}) and ParameterLocation.QUERY not in bad:
        _lead_to_page(case, operation)
    _wait_less(case, bad)
    if case.meta.generation.mode.is_positive:
        _ask_in_other_ways(case, operation)


def _lead_to_match(case: Any, operation: str) -> None:
    """Real ids most of the time; one that a link brought along is real already."""
    linked = case.meta.phase.name == "stateful" and case.path_parameters["match"] in _met
    if not linked and _chance.random() < 0.9:
        case.path_parameters["match"] = _stage.match_for(operation)


def _lead_to_body(case: Any, operation: str) -> None:
    if operation == "joinByCode" and _chance.random() < 0.9:
        case.body = {**case.body, "join_code": _stage.join_code()}
    if operation == "playMove" and _chance.random() < 0.8:
        case.body = _stage.move_in(case.path_parameters["match"]) or case.body


def _lead_to_page(case: Any, operation: str) -> None:
    if _pages.get(operation):
        case.query = dict(_chance.choice(_pages[operation]))
    elif _chance.random() < 0.7:
        del case.query["cursor"]


def _wait_less(case: Any, bad: set[ParameterLocation]) -> None:
    """Thousands of seconds would be spent on waiting for nothing."""
    if "wait=" not in case.headers.get("Prefer", ""):
        return
    if ParameterLocation.HEADER in bad and "match" in case.path_parameters:
        case.path_parameters["match"] = _stage.finished_match()  # where nothing is waited for
    elif ParameterLocation.HEADER not in bad:
        case.headers["Prefer"] = "wait=1" if _chance.random() < 0.02 else "respond-async"


def _whole_numbers(body: Any) -> Any:
    """The body without ``4.0``, which the service refuses and says so: for JSON Schema that is an integer."""
    return json.loads(json.dumps(body), parse_float=lambda number: int(float(number)))


def _ask_in_other_ways(case: Any, operation: str) -> None:
    """Use headers whose good values are not to be guessed."""
    if case.operation.method.upper() == "GET" and operation in _seen and _chance.random() < 0.2:
        path, query, etag = _chance.choice(_seen[operation])
        case.path_parameters, case.query = dict(path), dict(query)
        case.headers["If-None-Match"] = _chance.choice([etag, f"W/{etag}", f'"other", {etag}', '"other"'])
    if operation == "listEvents" and _chance.random() < 0.1:
        case.headers["Accept"] = "text/event-stream"
    if _chance.random() < 0.2:
        case.headers["Accept-Language"] = _chance.choice(["de", "nl;q=0.5", "xx", "*"])


@schemathesis.hook
def after_call(_context: Any, case: Any, response: Any) -> None:
    """Remember what later cases can use."""
    operation = case.operation.definition.raw["operationId"]
    if "etag" in response.headers and response.status_code == 200:
        seen = _seen.setdefault(operation, [])
        seen.append((dict(case.path_parameters), dict(case.query), response.headers["etag"][0]))
        del seen[:-3]
    body = _json(response)
    if isinstance(body.get("match"), str):
        _met.add(body["match"])
    if body.get("next_cursor") and isinstance(case.query, dict):
        pages = _pages.setdefault(operation, [])
        pages.append({**case.query, "cursor": body["next_cursor"]})
        del pages[:-5]


@schemathesis.hook
def filter_failure(_context: Any, failure: Failure, case: Any, response: Any) -> bool:
    """Whether a failure is one."""
    if isinstance(failure, RejectedPositiveData):
        right = REFUSALS.get(case.operation.definition.raw["operationId"], set())
        problem = _json(response)
        return problem.get("code") not in right and not _told(problem) <= right
    # The contract's schema of listEvents' stream is that of the whole, a text. Its events are for the check below.
    return failure.title != "SSE event violates schema"


@schemathesis.check
def conformance_as_in_other_tests(_context: Any, response: Any, case: Any) -> None:
    """What all clients of the tests hold answers to: codes of problems, streams, and that 204 and 304 are empty."""
    if case.method.upper() != case.operation.method.upper():
        return
    operation = operations()[case.operation.definition.raw["operationId"]]
    content_type = response.headers.get("content-type", [None])[0]
    check_answer(operation, response.status_code, content_type, response.content)


def _told(problem: dict[str, Any]) -> set[str]:
    """The code of a problem, with the field where there is one at fault."""
    code = problem.get("code", "")
    return {f"{code} {error['pointer']}".rstrip() for error in problem.get("errors", [])} or {code}


def _json(response: Any) -> dict[str, Any]:
    try:
        body = json.loads(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
