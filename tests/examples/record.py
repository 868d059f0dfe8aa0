"""What the examples of the contract are: answers that this very service gave, and the requests that it gave them to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from examples.story import Book, tell
from examples.world import World, world
from support.clients import Client, InProcess
from support.contract import PROBLEM, STREAM, operations
from support.scene import Scene
from support.settings import settings_on
from support.situations import SITUATIONS

from service.app import create_app
from service.problems import KINDS

TARGET = Path(__file__).parents[2] / "service" / "api" / "examples.json"

BEST_SEEN_AT = {
    "invalid": "createPlayer",
    "no-such-match": "getMatch",
    "unreadable-match": "getMatch",
    "too-many-matches": "createMatch",
    "idempotency-key-reused": "joinMatch",
    "seat-taken": "joinMatch",
    "already-started": "joinMatch",
    "match-over": "playMove",
}
"""Operations at which some problems are seen best; the others where they are first met."""


def text() -> str:
    """The file with all examples."""
    with world() as new:
        recorded = _recorded(new)
    return json.dumps(recorded, indent=1, ensure_ascii=False) + "\n"


def _recorded(new: World) -> dict[str, Any]:
    book = tell(Client(new.transport))
    return {
        "parameters": book.parameters,
        "requests": _requests(book),
        "answers": _answers(book),
        "problems": _problems(new),
    }


def _requests(book: Book) -> dict[str, Any]:
    requests: dict[str, Any] = {}
    for moment in book.moments:
        of_operation = requests.setdefault(moment.operation, {})
        if moment.body is not None and moment.body not in [example["value"] for example in of_operation.values()]:
            of_operation[moment.name] = {"summary": moment.summary, "value": moment.body}
    return {operation: requests[operation] for operation in operations() if requests.get(operation)}


def _answers(book: Book) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for moment in book.moments:
        if not moment.answer.raw:
            continue
        media_type = moment.answer.headers["Content-Type"]
        value = moment.answer.raw.decode() if media_type.startswith(STREAM) else moment.answer.body
        place = answers.setdefault(moment.operation, {}).setdefault(str(moment.answer.status), {})
        place.setdefault(media_type.partition(";")[0], {})[moment.name] = {"summary": moment.summary, "value": value}
    return {operation: answers[operation] for operation in operations() if operation in answers}


def _problems(new: World) -> dict[str, Any]:
    """One of each code that some operation announces, provoked."""
    scene = Scene(new.app, new.truth, new.transport)
    problems = {}
    for code in KINDS:
        where = [operation for operation, announced in SITUATIONS if announced == code]
        if not where:
            continue
        operation = BEST_SEEN_AT.get(code, where[0])
        answer = _BETTER[code](scene) if code in _BETTER else SITUATIONS[operation, code](scene, operation)
        assert answer.headers["Content-Type"] == PROBLEM
        assert answer.body["code"] == code, (code, answer.body)
        problems[code] = answer.body
    return problems


def without_a_store() -> Client:
    """Somebody at a service that cannot reach its store."""
    return Client(InProcess(create_app(settings_on("unix:///nowhere.invalid.sock")).test_client()))


_BETTER = {
    "invalid": lambda scene: scene.visitor.call("createPlayer", {"name": "", "nickname": "Ada"}),
    "bad-options": lambda scene: scene.stranger.call(
        "createMatch",
        {"game": "inside_job", "seats": 3, "visibility": "public", "options": {"random_roles": 4}},
    ),
    "store-unavailable": lambda _: without_a_store().call("listMatches"),
}
"""Problems that say more when they are provoked otherwise."""
