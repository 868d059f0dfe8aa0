"""Finding one's way in the rendered manifests."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from typing import Any

from checking.rendering import HERE, Resource, Variant

Rendering = Callable[[Variant], list[Resource]]


def one(resources: list[Resource], kind: str, name: str = "turncoat") -> Resource:
    """The resource of that kind and name; what kustomize generates has a digest after its name."""
    (found,) = [
        resource
        for resource in resources
        if resource["kind"] == kind and re.fullmatch(f"{name}(-[a-z0-9]{{10}})?", resource["metadata"]["name"])
    ]
    return found


def pod(resources: list[Resource], kind: str = "Deployment", name: str = "turncoat") -> dict[str, Any]:
    """The pods of a workload."""
    found: dict[str, Any] = one(resources, kind, name)["spec"]["template"]["spec"]
    return found


def container(resources: list[Resource], kind: str = "Deployment", name: str = "turncoat") -> dict[str, Any]:
    """The container of a workload."""
    found: dict[str, Any]
    (found,) = pod(resources, kind, name)["containers"]
    return found


def made_up_secrets() -> dict[str, str]:
    """What an operator gets who asks for new secrets."""
    said = subprocess.run([HERE / "new-secrets.sh"], check=True, capture_output=True, text=True).stdout
    return dict(line.split("=", 1) for line in said.splitlines())
