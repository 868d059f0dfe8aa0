"""The manifests as an operator would render them, once for each process."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from checking.rendering import VARIANTS, Resource, Variant, prepare, render
from support.manifests import Rendering
from support.tools import command


@pytest.fixture(scope="session")
def _all_rendered(tmp_path_factory: pytest.TempPathFactory) -> dict[Variant, list[Resource]]:
    program = command("kubectl", "kustomize")
    verb = "kustomize" if Path(program).name == "kubectl" else "build"
    folder = prepare(tmp_path_factory.mktemp("manifests"))
    return {variant: render(folder, variant, [program, verb]) for variant in VARIANTS}


@pytest.fixture
def rendered(_all_rendered: dict[Variant, list[Resource]]) -> Rendering:
    """Renders a variant; what is changed of it is changed for nobody else."""
    return lambda variant: copy.deepcopy(_all_rendered[variant])
