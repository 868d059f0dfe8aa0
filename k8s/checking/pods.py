"""What every pod is held to. Each rule is a function; its first line says what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from checking.rendering import Resource, called

Pod = dict[str, Any]

_LEAST_USER: Final = 10_000


def workloads(resources: list[Resource]) -> Iterator[tuple[Resource, Pod]]:
    """What makes pods, with the pods that it makes."""
    for resource in resources:
        if resource["kind"] in ("Deployment", "StatefulSet", "DaemonSet", "Job"):
            yield resource, resource["spec"]["template"]["spec"]


def containers(pod: Pod) -> list[dict[str, Any]]:
    """All containers of a pod."""
    return [*pod.get("initContainers", []), *pod["containers"]]


def nobody_is_root(pod: Pod) -> Iterator[str]:
    """Runs as a user that the host does not have, and as nobody else."""
    security = pod.get("securityContext", {})
    if security.get("runAsNonRoot") is not True:
        yield "runAsNonRoot is not true"
    for number in ("runAsUser", "runAsGroup"):
        if security.get(number, 0) < _LEAST_USER:
            yield f"{number} is below {_LEAST_USER}"
    for container in containers(pod):
        for key in ("runAsNonRoot", "runAsUser", "runAsGroup", "privileged"):
            if key in container.get("securityContext", {}):
                yield f"{container['name']} has its own {key}"


def nothing_is_allowed(pod: Pod) -> Iterator[str]:
    """Has no capability, no writable root, no way to more rights, and the system calls of the usual profile."""
    if pod.get("securityContext", {}).get("seccompProfile") != {"type": "RuntimeDefault"}:
        yield "seccompProfile is not RuntimeDefault"
    wanted = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    for container in containers(pod):
        security = container.get("securityContext", {})
        for key, value in wanted.items():
            if security.get(key) != value:
                yield f"{container['name']}: {key} is not {value}"


def nothing_of_the_host(pod: Pod) -> Iterator[str]:
    """Shares nothing with its host."""
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(key):
            yield f"{key} is set"
    for volume in pod.get("volumes", []):
        if "hostPath" in volume:
            yield f"volume {volume['name']} is a path of the host"
    for container in containers(pod):
        if any("hostPort" in port for port in container.get("ports", [])):
            yield f"{container['name']} has a port of the host"


def no_token(pod: Pod) -> Iterator[str]:
    """Has an account of its own, and no token for it."""
    if not pod.get("serviceAccountName"):
        yield "it has no ServiceAccount of its own"
    if pod.get("automountServiceAccountToken") is not False:
        yield "automountServiceAccountToken is not false"


def no_service_links(pod: Pod) -> Iterator[str]:
    """Finds no variable of a Service in its environment: the service refuses a TURNCOAT_… that is no setting."""
    if pod.get("enableServiceLinks") is not False:
        yield "enableServiceLinks is not false"


def resources_are_bounded(pod: Pod) -> Iterator[str]:
    """Says what it needs and what it may have, of processors and memory."""
    for container in containers(pod):
        for bound in ("requests", "limits"):
            for resource in ("cpu", "memory"):
                if resource not in container.get("resources", {}).get(bound, {}):
                    yield f"{container['name']}: no {bound} of {resource}"
    for volume in pod.get("volumes", []):
        if "emptyDir" in volume and "sizeLimit" not in volume["emptyDir"]:
            yield f"volume {volume['name']} has no sizeLimit"


def who_serves_is_asked(pod: Pod) -> Iterator[str]:
    """Has all three probes if it has a port, and they ask a port that it has."""
    for container in containers(pod):
        ports = {port["name"] for port in container.get("ports", [])}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if ports and probe not in container:
                yield f"{container['name']} has no {probe}"
            asked = container.get(probe, {}).get("httpGet", {}).get("port")
            if asked is not None and asked not in ports:
                yield f"{container['name']}: {probe} asks port {asked}, which there is not"


def images_are_named(pod: Pod) -> Iterator[str]:
    """Runs an image with a tag that does not move by itself."""
    for container in containers(pod):
        name = container["image"].rpartition("/")[2]
        if "@" not in name and name.partition(":")[2] in ("", "latest"):
            yield f"{container['image']} has no tag"


RULES: Final[tuple[Callable[[Pod], Iterator[str]], ...]] = (
    nobody_is_root,
    nothing_is_allowed,
    nothing_of_the_host,
    no_token,
    no_service_links,
    resources_are_bounded,
    who_serves_is_asked,
    images_are_named,
)


def faults(resources: list[Resource]) -> Iterator[str]:
    """What breaks a rule."""
    for resource, pod in workloads(resources):
        for rule in RULES:
            for fault in rule(pod):
                yield f"{called(resource)}: {fault}"
