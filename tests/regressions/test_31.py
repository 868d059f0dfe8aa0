"""Elsewhere a union was documented as an empty closed object, and generated clients could not read it.

apispec #1012, openapi-generator #17763, #14562.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from clients import harness
from clients.once import once, workshop
from clients.unions import FREE_FORM, kotlin_faults, shapeless, swift_faults, unions
from support.contract import document

FAULTS: dict[str, Callable[[Path, dict[str, Any]], Iterator[str]]] = {
    "kotlin": kotlin_faults,
    "swift": swift_faults,
}
"""What finds the faults of a client, by its language."""


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = document()["components"]["schemas"]
    return found


def test_every_union_lists_its_members_with_their_tags():
    assert len(unions(document())) > 10
    for name, members in unions(document()).items():
        assert [member["$ref"].rsplit("/", 1)[1] for member in schemas()[name]["oneOf"]] == list(members.values())
        tag_name = schemas()[name]["discriminator"]["propertyName"]
        for tag, member in members.items():
            assert schemas()[member]["properties"][tag_name]["enum"] == [tag]
            assert tag_name in schemas()[member]["required"]


def test_everything_else_that_may_be_of_several_types_is_null_or_one():
    """A choice between objects is a union, with a name and a tag; other choices would have none."""

    def choices(value: Any) -> Iterator[list[Any]]:
        if isinstance(value, dict):
            yield from [value["anyOf"]] if "anyOf" in value else []
            for part in value.values():
                yield from choices(part)
        elif isinstance(value, list):
            for part in value:
                yield from choices(part)

    found = list(choices(schemas()))
    assert len(found) > 20
    for choice in found:
        assert [option for option in choice if option != {"type": "null"}] == choice[:1] or choice[1:] == choice[-1:]
        assert {"type": "null"} in choice


def test_what_has_no_shape_is_json_or_nothing():
    """Apart from JSON, only ``you`` in events that tell nobody more than the others: it is always null."""
    never = shapeless(document()) - FREE_FORM
    assert len(never) > 10
    for field in never:
        name, _, field_name = field.partition(".")
        assert field_name == "you"
        assert any({"$ref": f"#/components/schemas/{name}"} in schema.get("oneOf", ()) for schema in schemas().values())


@pytest.mark.parametrize("language", FAULTS)
def test_generated_unions_are_sealed_and_go_by_the_tag(language: str, tmp_path_factory: pytest.TempPathFactory):
    folder = once(workshop(tmp_path_factory) / language, lambda folder: harness.generate(language, folder))
    assert list(FAULTS[language](folder, document())) == []


@pytest.mark.parametrize("language", FAULTS)
def test_unions_that_lost_their_mapping_or_members_are_found(language: str, tmp_path: Path):
    planted = deepcopy(document())
    parts = planted["components"]["schemas"]
    del parts["View"]["discriminator"]
    parts["KabaleMove"] = {"type": "object", "properties": {}, "additionalProperties": False}
    parts["InsideJobMove"]["oneOf"].pop()
    parts["InsideJobMove"]["discriminator"]["mapping"].popitem()
    parts["KabaleTable"]["properties"]["columns"] = {}
    contract = tmp_path / "planted.yaml"
    contract.write_text(yaml.safe_dump(planted, sort_keys=False), encoding="utf-8")
    folder = harness.generate(language, tmp_path / language, contract)
    found = list(FAULTS[language](folder, document()))
    assert "View does not tell its members by their tags" in found
    assert any(fault.startswith("KabaleMove is ") for fault in found)
    assert any(fault.startswith("InsideJobMove has the members ") for fault in found)
    assert "KabaleTable.columns may hold anything" in found
    assert {fault.split()[0].split(".")[0] for fault in found} <= {
        *("View", "KabaleMove", "InsideJobMove", "KabaleTable"),
        *("KabaleDecision", "KabaleReplayMove"),  # they hold moves
    }
