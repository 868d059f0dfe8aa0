"""The checks of a client find it when the contract is no longer the one that its program was written for."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml
from clients import harness
from support.contract import document


def _renamed_member(contract: dict[str, Any]) -> None:
    schemas = contract["components"]["schemas"]
    schemas["PlaceCard"]["properties"]["type"]["enum"] = ["put_card"]
    for union in ("KabaleMove", "Move"):
        mapping = schemas[union]["discriminator"]["mapping"]
        mapping["put_card"] = mapping.pop("place_card")


def _other_type(contract: dict[str, Any]) -> None:
    for game in ("Verraeter", "Kabale", "InsideJob"):
        card = contract["components"]["schemas"][f"{game}Match"]
        card["properties"]["waiting_on"]["items"] = {"type": "string"}


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a member of a union has another tag": (_renamed_member, "put_card"),
    "a field has another type": (_other_type, "str"),
}
"""What is done to a copy of the contract, and what the complaint must name."""


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("language", ["python", "typescript"])
def test_a_changed_contract_is_rejected(language: str, change: str, tmp_path: Path):
    plant, named = CHANGES[change]
    changed = deepcopy(document())
    plant(changed)
    contract = tmp_path / "changed.yaml"
    contract.write_text(yaml.safe_dump(changed, sort_keys=False), encoding="utf-8")
    folder = harness.generate(language, tmp_path / language, contract)
    with pytest.raises(harness.Rejected) as rejection:
        harness.check(language, folder)
    assert named in str(rejection.value)
    assert "turncoat_client/" not in str(rejection.value), "it is the program that is to be rejected"


@pytest.mark.parametrize("language", harness.LANGUAGES)
def test_the_guide_says_how_a_client_is_generated(language: str):
    assert "openapi.yaml" in harness.documented(language)


def test_nothing_is_generated_where_something_is(tmp_path: Path):
    with pytest.raises(FileExistsError):
        harness.generate("python", tmp_path)
