"""The environment in which each container would find itself, and whether the service takes it."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from checking.pods import containers, workloads
from checking.rendering import Resource, called
from service.setting_checks import look
from service.settings import STORE_URL


def found_by(container: dict[str, Any], resources: list[Resource]) -> dict[str, str]:
    """The variables of a container, as Kubernetes would make them."""
    kept = {(resource["kind"], resource["metadata"]["name"]): _content(resource) for resource in resources}
    environment: dict[str, str] = {}
    for source in container.get("envFrom", []):
        if "configMapRef" in source:
            environment |= kept["ConfigMap", source["configMapRef"]["name"]]
        if "secretRef" in source:
            environment |= kept["Secret", source["secretRef"]["name"]]
    named: dict[str, str] = {}
    for entry in container.get("env", []):
        if "secretKeyRef" in entry.get("valueFrom", {}):
            reference = entry["valueFrom"]["secretKeyRef"]
            named[entry["name"]] = kept["Secret", reference["name"]][reference["key"]]
        else:
            named[entry["name"]] = expanded(entry["value"], named)
    return environment | named


def expanded(text: str, known: dict[str, str]) -> str:
    """A text in which ``$(NAME)`` stands for what comes earlier in ``env``."""
    return re.sub(r"\$\((\w+)\)", lambda found: known.get(found[1], found[0]), text)


def _content(resource: Resource) -> dict[str, str]:
    data: dict[str, str] = resource.get("data", {})
    if resource["kind"] != "Secret":
        return data
    return {key: base64.b64decode(value).decode() for key, value in data.items()}


def lay_out(container: dict[str, Any], pod: dict[str, Any], resources: list[Resource], root: Path) -> None:
    """Write the files that a container finds in its volumes into a folder that stands for its root."""
    kept = {(resource["kind"], resource["metadata"]["name"]): _content(resource) for resource in resources}
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    for mount in container.get("volumeMounts", []):
        folder = root / mount["mountPath"].lstrip("/")
        folder.mkdir(parents=True, exist_ok=True)
        volume = volumes.get(mount["name"], {})
        files: dict[str, str] = {}
        if "secret" in volume:
            files = kept["Secret", volume["secret"]["secretName"]]
        elif "configMap" in volume:
            files = kept["ConfigMap", volume["configMap"]["name"]]
        for name, content in files.items():
            (folder / name).write_text(content)


def faults(resources: list[Resource]) -> Iterator[str]:
    """What the service would refuse to start with."""
    for workload, pod in workloads(resources):
        for container in containers(pod):
            if container["name"] != "turncoat":
                continue
            try:
                environment = found_by(container, resources)
            except KeyError as error:
                yield f"{called(workload)}: there is no {error}"
                continue
            with tempfile.TemporaryDirectory() as folder:
                lay_out(container, pod, resources, Path(folder))
                yield from (f"{called(workload)}: {fault}" for fault in _refused(environment, Path(folder)))


def _refused(environment: dict[str, str], root: Path) -> Iterator[str]:
    for name, value in environment.items():
        if unknown := re.search(r"\$\((\w+)\)", value):
            yield f"{name} names {unknown[1]}, which is not set before it"
    there = {
        name: str(root / value.lstrip("/")) if value.startswith("/") else value for name, value in environment.items()
    }
    with mock.patch.dict(os.environ, there, clear=True):
        settings, complaints = look()
    yield from (complaint.message for complaint in complaints)
    if settings.redis_url is None:
        yield f"{STORE_URL} is not set"
