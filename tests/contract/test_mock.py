"""The mock: whoever writes a client can do without the service, and gets answers that the contract announces."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator

import httpx
import pytest
from support.contract import FILE, PROBLEM, Operation, check_answer, operations
from support.store import PATIENCE
from support.tools import command, node_tool

ROOT = FILE.parents[1]
READING = [operation for operation in operations().values() if operation.method == "get"]
TOKEN = {"Authorization": "Bearer anything"}
NEW = {"game": "kabale", "seats": 3, "visibility": "public"}


@pytest.fixture(scope="module")
def mock() -> Iterator[httpx.Client]:
    """What ``make mock`` starts, on a port of its own."""
    node_tool(FILE.parent, "prism")
    told = [command("make"), "--dry-run", "--no-print-directory", "mock", "PORT=0"]
    *_, line = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    process = subprocess.Popen(line.split(), cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    for said in process.stdout:
        if listening := re.search(r"Prism is listening on (http://127\.0\.0\.1:\d+)", said):
            break
    else:
        raise AssertionError(f"the mock ended with {process.wait(PATIENCE)}")
    with httpx.Client(base_url=listening[1], timeout=PATIENCE) as client:
        yield client
    os.killpg(process.pid, signal.SIGTERM)
    process.communicate(timeout=PATIENCE)


def checked(operation: Operation, answer: httpx.Response):
    return check_answer(operation, answer.status_code, answer.headers["Content-Type"], answer.content)


@pytest.mark.parametrize("operation", READING, ids=[operation.id for operation in READING])
def test_what_is_read_is_as_announced(mock: httpx.Client, operation: Operation):
    address = re.sub(r"{\w+}", "kabale", operation.path)
    answer = mock.get(address, headers=TOKEN | {"Accept": "application/json"})
    assert answer.status_code == 200
    assert checked(operation, answer)


def test_a_match_is_created(mock: httpx.Client):
    card = checked(operations()["createMatch"], mock.post("/v1/matches", json=NEW, headers=TOKEN))
    assert card["seat"] == 0


@pytest.mark.parametrize(
    "body", [{**NEW, "seats": 7}, {**NEW, "seat": 1}, {"game": "kabale"}, {**NEW, "game": "chess"}]
)
def test_a_wrong_body_is_refused(mock: httpx.Client, body: dict[str, object]):
    answer = mock.post("/v1/matches", json=body, headers=TOKEN)
    assert answer.status_code == 422
    assert checked(operations()["createMatch"], answer)["code"] == "invalid"


def test_without_a_token_there_is_no_match(mock: httpx.Client):
    answer = mock.post("/v1/matches", json=NEW)
    assert answer.status_code == 401
    assert answer.headers["Content-Type"] == PROBLEM
    assert checked(operations()["createMatch"], answer)["code"] == "unauthenticated"


def test_any_answer_can_be_asked_for(mock: httpx.Client):
    """As the guide for authors of clients says."""
    view = operations()["getView"]
    wanted = {"Prefer": "code=409, example=not-started"}
    answer = mock.get("/v1/matches/any/view", headers=wanted)
    assert answer.status_code == 409
    assert checked(view, answer)["code"] == "not-started"
    for game in ("verraeter", "kabale", "inside_job"):
        answer = mock.get("/v1/matches/any/view", headers={"Prefer": f"example={game}"})
        assert checked(view, answer)["game"] == game


def test_headers_look_like_those_of_the_service(mock: httpx.Client):
    answer = mock.get("/v1/matches/any/view")
    assert answer.headers["ETag"].startswith('"')
    assert answer.headers["RateLimit"] == '"reads";r=1199;t=60'
    again = mock.get("/v1/matches/any/view", headers={"Prefer": "code=503"})
    assert int(again.headers["Retry-After"]) > 0
