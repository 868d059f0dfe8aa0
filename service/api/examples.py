"""The examples of the contract: requests that were made, and what this service answered to them.

They are recorded by ``make examples`` and lie beside this module.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

from service.problems import MEDIA_TYPE

_RECORDED: Final[dict[str, Any]] = msgspec.json.decode(Path(__file__).with_suffix(".json").read_bytes())
_JSON: Final = "application/json"


def components() -> dict[str, Any]:
    """One example of each problem, by the names by which answers refer to them."""
    return {
        f"problem.{code}": {"summary": problem["title"], "value": problem}
        for code, problem in _RECORDED["problems"].items()
    }


def of_parameter(name: str) -> dict[str, Any]:
    """What a parameter of a path may look like.

    Others have no example: pages that try a request out send examples along, and nobody notices a foreign
    Idempotency-Key, an old cursor or an ETag that has come with the form.
    """
    recorded = _RECORDED["parameters"]
    return {"example": recorded[name]} if name in recorded else {}


def complete(operation: str, entry: dict[str, Any]) -> None:
    """Put the examples into an operation: into its body, and each of its answers."""
    if requests := _RECORDED["requests"].get(operation):
        entry["requestBody"]["content"][_JSON]["examples"] = requests
    answers = _RECORDED["answers"].get(operation, {})
    for status, response in entry["responses"].items():
        for media_type, content in response.get("content", {}).items():
            found = _problems(response) if media_type == MEDIA_TYPE else answers.get(status, {}).get(media_type)
            if found:
                content["examples"] = found


def _problems(response: dict[str, Any]) -> dict[str, Any]:
    """One of each code; first that of a wrong form, since it is the only one that a mock of the contract can judge."""
    return {
        code: {"$ref": f"#/components/examples/problem.{code}"}
        for code in sorted(response["x-problem-codes"], key=lambda code: code != "invalid")
        if code in _RECORDED["problems"]
    }
