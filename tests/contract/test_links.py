"""Links of the contract name operations and parameters that there are, and lead on from what begins something.

Whether what they point to is found in answers is seen in the examples.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.contract import document, operations

LINKS: dict[str, Any] = document()["components"]["links"]


def of_answers() -> dict[tuple[str, str], dict[str, Any]]:
    """The links of each answer that has some, by what they lead to."""
    return {
        (operation.id, status): response["links"]
        for operation in operations().values()
        for status, response in operation.entry["responses"].items()
        if "links" in response
    }


@pytest.mark.parametrize("name", LINKS)
def test_a_link_names_an_operation_and_its_parameters(name: str):
    link = LINKS[name]
    target = operations()[link["operationId"]]
    item = document()["paths"][target.path]
    known = {entry["name"]: entry for entry in [*target.entry.get("parameters", []), *item.get("parameters", [])]}
    given = link.get("parameters", {})
    assert set(given) <= set(known)
    assert {entry["name"] for entry in item.get("parameters", [])} <= set(given), "a path needs all of its parameters"
    assert "requestBody" not in link or "requestBody" in target.entry
    assert link["description"]


@pytest.mark.parametrize("name", LINKS)
def test_a_body_of_a_link_has_fields_that_the_operation_takes(name: str):
    link = LINKS[name]
    body = link.get("requestBody", {})
    target = operations()[link["operationId"]].entry
    if body:
        reference = target["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        schema = document()["components"]["schemas"][reference.rsplit("/", 1)[1]]
        assert set(schema.get("required", ())) <= set(body) <= set(schema["properties"])


def test_a_link_is_called_by_where_it_leads():
    for links in of_answers().values():
        for target, link in links.items():
            assert LINKS[link["$ref"].rsplit("/", 1)[1]]["operationId"] == target


def test_answers_lead_on_to_what_a_client_does_next():
    from_cards = {"getMatch", "getView", "playMove", "listEvents", "leaveMatch", "joinMatch", "startMatch"}
    found = of_answers()
    for answer in [
        *[("createMatch", "201"), ("joinMatch", "200"), ("joinMatch", "201"), ("joinByCode", "200")],
        *[("joinByCode", "201"), ("startMatch", "200"), ("getMatch", "200")],
    ]:
        assert from_cards <= set(found[answer])
    assert {"playMove", "getView", "listEvents"} <= set(found["getView", "200"])
    assert found["getView", "200"] == found["playMove", "200"]
    assert "getMe" in found["createPlayer", "201"]
    assert "joinByCode" in found["createMatch", "201"]


def test_only_successes_lead_on():
    assert all(status.startswith("2") for _, status in of_answers())
