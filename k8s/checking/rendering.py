"""Rendering: what `kubectl apply` would send for an operator who has followed docs/operations.md.

That is done on a copy of the folder, with secrets that are made up for the occasion.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import yaml

HERE: Final = Path(__file__).parents[1]

MANAGED: Final = "REDIS_URL=rediss+cluster://turncoat:password@store.example:6379\n"
AUTHORITY: Final = "Here would be a certificate.\n"

Resource = dict[str, Any]


class NotRendered(Exception):
    """kustomize refuses. The message is its own."""


@dataclass(frozen=True)
class Variant:
    """One way to run Turncoat.

    Attributes:
        example: the folder of ``examples/`` that an operator has copied.
        components: what was added of ``components/``.
    """

    example: str
    components: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What to call it."""
        return " + ".join([self.example, *self.components])


VARIANTS: Final = (
    Variant("single"),
    Variant("single", ("service-monitor", "identity-provider")),
    Variant("cluster"),
    Variant("cluster", ("service-monitor", "identity-provider")),
)


def prepare(folder: Path, source: Path = HERE) -> Path:
    """Copy the manifests and make up what an operator would add.

    Args:
        folder: where the copy is made.
        source: the manifests.

    Returns:
        the copy.
    """
    copy = folder / "k8s"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("secrets.env", "ca.crt", "__pycache__"))
    secrets = subprocess.run(  # noqa: S603  # it is ours
        [str(copy / "new-secrets.sh")], check=True, capture_output=True, text=True
    ).stdout
    (copy / "examples/single/secrets.env").write_text(secrets)
    others = "".join(line for line in secrets.splitlines(keepends=True) if not line.startswith("STORE_PASSWORD"))
    (copy / "examples/cluster/secrets.env").write_text(others + MANAGED)
    (copy / "examples/cluster/ca.crt").write_text(AUTHORITY)
    return copy


def render(copy: Path, variant: Variant, kustomize: Sequence[str]) -> list[Resource]:
    """Render a variant.

    Args:
        copy: what :func:`prepare` has made.
        variant: which one.
        kustomize: the command that renders a folder.

    Raises:
        NotRendered: that is not possible.
    """
    folder = copy / "examples" / variant.example
    if variant.components:
        outer = copy / "examples" / variant.name.replace(" ", "")
        outer.mkdir(exist_ok=True)
        wanted = {
            "apiVersion": "kustomize.config.k8s.io/v1beta1",
            "kind": "Kustomization",
            "namespace": "turncoat",
            "resources": [f"../{variant.example}"],
            "components": [f"../../components/{component}" for component in variant.components],
        }
        (outer / "kustomization.yaml").write_text(yaml.safe_dump(wanted))
        folder = outer
    done = subprocess.run(  # noqa: S603  # it is the developer's own
        [*kustomize, str(folder)], check=False, capture_output=True, text=True
    )
    if done.returncode or done.stderr:
        raise NotRendered((done.stderr or f"exit code {done.returncode}").strip())
    return [resource for resource in yaml.load_all(done.stdout, Loader=yaml.CSafeLoader) if resource]


def called(resource: Resource) -> str:
    """What to call a resource."""
    return f"{resource['kind']}/{resource['metadata']['name']}"
