"""The checks of `make k8s-check` that need no other program find nothing in the manifests, and each planted fault."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from checking import environment, pods, references, schemas
from checking.rendering import HERE, VARIANTS, NotRendered, Resource, Variant, prepare, render
from support.manifests import Rendering, container, one, pod
from support.tools import command

Edit = Callable[[list[Resource]], None]
Judge = Callable[[list[Resource]], Iterator[str]]


def oldest(resources: list[Resource]) -> Iterator[str]:
    return schemas.faults(resources, schemas.VERSIONS[0])


def newest(resources: list[Resource]) -> Iterator[str]:
    return schemas.faults(resources, schemas.VERSIONS[-1])


JUDGES: dict[str, Judge] = {
    "oldest": oldest,
    "newest": newest,
    "pods": pods.faults,
    "references": references.faults,
    "environment": environment.faults,
}


@pytest.mark.parametrize("judge", JUDGES)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_the_manifests_are_fine(variant: Variant, judge: str, rendered: Rendering):
    assert list(JUDGES[judge](rendered(variant))) == []


def without(resources: list[Resource], kind: str, name: str) -> None:
    before = len(resources)
    resources[:] = [each for each in resources if (each["kind"], each["metadata"]["name"]) != (kind, name)]
    assert len(resources) == before - 1


class Planted(NamedTuple):
    judge: str
    edit: Edit
    found: str


STORE = {"kind": "StatefulSet", "name": "turncoat-store"}

PLANTED = {
    # schemas
    "a misspelt field": Planted("newest", lambda r: container(r).update(imagePullPolcy="Always"), "imagePullPolcy"),
    "a misspelt field, in the oldest version": Planted(
        "oldest", lambda r: one(r, "Service")["spec"].update(selctor={}), "selctor"
    ),
    "a text for a number": Planted("newest", lambda r: container(r)["livenessProbe"].update(periodSeconds="10"), "10"),
    "something that versions no longer have": Planted(
        "newest", lambda r: one(r, "HorizontalPodAutoscaler").update(apiVersion="autoscaling/v2beta2"), "v2beta2"
    ),
    "a misspelt field of a monitor": Planted(
        "newest", lambda r: one(r, "ServiceMonitor")["spec"]["endpoints"][0].update(intervall="15s"), "intervall"
    ),
    "an unknown kind of the operator's": Planted(
        "newest", lambda r: one(r, "ServiceMonitor").update(kind="Probe"), "Probe"
    ),
    # pods
    "root": Planted("pods", lambda r: pod(r)["securityContext"].update(runAsUser=0), "runAsUser"),
    "root allowed": Planted("pods", lambda r: pod(r)["securityContext"].pop("runAsNonRoot"), "runAsNonRoot"),
    "root in a container": Planted(
        "pods", lambda r: container(r)["securityContext"].update(runAsUser=0), "its own runAsUser"
    ),
    "the store as root": Planted(
        "pods", lambda r: pod(r, **STORE).pop("securityContext"), "turncoat-store: runAsNonRoot"
    ),
    "a writable root": Planted(
        "pods", lambda r: container(r)["securityContext"].pop("readOnlyRootFilesystem"), "readOnlyRootFilesystem"
    ),
    "capabilities": Planted(
        "pods", lambda r: container(r)["securityContext"]["capabilities"].update(add=["NET_RAW"]), "capabilities"
    ),
    "a way to more rights": Planted(
        "pods", lambda r: container(r)["securityContext"].pop("allowPrivilegeEscalation"), "allowPrivilegeEscalation"
    ),
    "no profile": Planted("pods", lambda r: pod(r)["securityContext"].pop("seccompProfile"), "seccompProfile"),
    "the host's network": Planted("pods", lambda r: pod(r).update(hostNetwork=True), "hostNetwork"),
    "a path of the host": Planted(
        "pods", lambda r: pod(r)["volumes"].append({"name": "etc", "hostPath": {"path": "/etc"}}), "path of the host"
    ),
    "a token": Planted("pods", lambda r: pod(r).pop("automountServiceAccountToken"), "automountServiceAccountToken"),
    "the account of all": Planted("pods", lambda r: pod(r).pop("serviceAccountName"), "no ServiceAccount"),
    "links to Services": Planted("pods", lambda r: pod(r).pop("enableServiceLinks"), "enableServiceLinks"),
    "no limits": Planted("pods", lambda r: container(r)["resources"].pop("limits"), "no limits of cpu"),
    "no requests": Planted("pods", lambda r: container(r)["resources"]["requests"].pop("memory"), "requests of memory"),
    "a boundless volume": Planted("pods", lambda r: pod(r)["volumes"][0].update(emptyDir={}), "sizeLimit"),
    "no probe": Planted("pods", lambda r: container(r).pop("readinessProbe"), "no readinessProbe"),
    "a probe of another port": Planted(
        "pods", lambda r: container(r)["livenessProbe"]["httpGet"].update(port="web"), "port web"
    ),
    "an image without a tag": Planted("pods", lambda r: container(r).update(image="host:5000/turncoat"), "no tag"),
    "an image that moves": Planted("pods", lambda r: container(r).update(image="turncoat:latest"), "no tag"),
    # references
    "no secret": Planted("references", lambda r: r.remove(one(r, "Secret")), "uses Secret/turncoat"),
    "no account": Planted("references", lambda r: without(r, "ServiceAccount", "turncoat"), "uses ServiceAccount"),
    "a volume that there is not": Planted("references", lambda r: pod(r).update(volumes=[]), "mounts tmp"),
    "a Service for the sweeper, too": Planted(
        "references",
        lambda r: one(r, "Service")["spec"]["selector"].pop("app.kubernetes.io/component"),
        "selects 2 workloads",
    ),
    "a spread of others": Planted(
        "references",
        lambda r: pod(r)["topologySpreadConstraints"][0]["labelSelector"].update(matchLabels={"a": "b"}),
        "does not select its own",
    ),
    "a port by another name": Planted(
        "references", lambda r: one(r, "Service")["spec"]["ports"][0].update(targetPort="web"), "called web"
    ),
    "a budget for nobody": Planted(
        "references",
        lambda r: one(r, "PodDisruptionBudget")["spec"]["selector"].update(matchLabels={"a": "b"}),
        "PodDisruptionBudget/turncoat",
    ),
    "a monitor of nothing": Planted(
        "references", lambda r: one(r, "ServiceMonitor")["spec"]["endpoints"][0].update(port="web"), "port web"
    ),
    "an autoscaler of nothing": Planted(
        "references",
        lambda r: one(r, "HorizontalPodAutoscaler")["spec"]["scaleTargetRef"].update(name="server"),
        "scales server",
    ),
    "a number beside the autoscaler": Planted(
        "references", lambda r: one(r, "Deployment")["spec"].update(replicas=3), "replicas of its own"
    ),
    "a way to nowhere": Planted(
        "references",
        lambda r: one(r, "Ingress")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"].update(name="web"),
        "/v1 leads nowhere",
    ),
    "no TLS": Planted("references", lambda r: one(r, "Ingress")["spec"].pop("tls"), "without TLS"),
    "nothing denied": Planted(
        "references", lambda r: without(r, "NetworkPolicy", "turncoat-default-deny"), "is not denied"
    ),
    "a denial that allows": Planted(
        "references",
        lambda r: one(r, "NetworkPolicy", "turncoat-default-deny")["spec"].update(egress=[{}]),
        "allows something",
    ),
    "the store for everybody": Planted(
        "references",
        lambda r: one(r, "NetworkPolicy", "turncoat-store")["spec"]["ingress"][0].pop("from"),
        "a rule for everybody",
    ),
    "the wrong port of the store": Planted(
        "references",
        lambda r: one(r, "NetworkPolicy", "turncoat-to-store")["spec"]["egress"][0]["ports"][0].update(port=6380),
        "no port 6380",
    ),
    "a policy for nobody": Planted(
        "references",
        lambda r: one(r, "NetworkPolicy", "turncoat-store")["spec"].update(podSelector={"matchLabels": {"a": "b"}}),
        "is for no pod",
    ),
    "a policy that lets in nobody": Planted(
        "references",
        lambda r: one(r, "NetworkPolicy", "turncoat-store")["spec"]["ingress"][0]["from"][0]["podSelector"].update(
            matchLabels={"a": "b"}
        ),
        "names pods that there are not",
    ),
    # the environment
    "a setting that there is not": Planted(
        "environment",
        lambda r: one(r, "ConfigMap")["data"].update(TURNCOAT_WORKER="2"),
        "TURNCOAT_WORKER: there is no such setting",
    ),
    "a setting that cannot be": Planted(
        "environment", lambda r: one(r, "ConfigMap")["data"].update(TURNCOAT_DRAIN_SECONDS="30"), "DRAIN_SECONDS"
    ),
    "a variable of a container": Planted(
        "environment",
        lambda r: container(r)["env"].append({"name": "TURNCOAT_PORTS", "value": "1"}),
        "TURNCOAT_PORTS: there is no such setting",
    ),
    "no keys": Planted(
        "environment", lambda r: one(r, "Secret")["data"].pop("TURNCOAT_TOKEN_KEYS"), "TURNCOAT_TOKEN_KEYS is not set"
    ),
    "a secret that is short": Planted(
        "environment",
        lambda r: one(r, "Secret")["data"].update(TURNCOAT_ID_SECRET=base64.b64encode(b"short").decode()),
        "TURNCOAT_ID_SECRET: the secret is shorter",
    ),
    "no store": Planted("environment", lambda r: container(r).pop("env"), "REDIS_URL is not set"),
    "a password that comes too late": Planted(
        "environment", lambda r: container(r)["env"].reverse(), "REDIS_URL names STORE_PASSWORD"
    ),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str, rendered: Rendering):
    planted = PLANTED[fault]
    resources = rendered(VARIANTS[1])
    planted.edit(resources)
    assert any(planted.found in found for found in JUDGES[planted.judge](resources))


def test_an_authority_without_tls_is_found(rendered: Rendering):
    resources = rendered(VARIANTS[2])
    secret = one(resources, "Secret")
    secret["data"]["REDIS_URL"] = base64.b64encode(b"redis://store.example:6379").decode()
    assert any("TURNCOAT_STORE_CA is set" in found for found in environment.faults(resources))


def test_an_authority_that_is_not_mounted_is_found(rendered: Rendering):
    resources = rendered(VARIANTS[2])
    container(resources)["volumeMounts"].pop()
    assert any("TURNCOAT_STORE_CA: there is no file" in found for found in environment.faults(resources))


def test_nothing_is_rendered_without_secrets(tmp_path: Path):
    folder = prepare(tmp_path)
    (folder / "examples/single/secrets.env").unlink()
    with pytest.raises(NotRendered, match=r"secrets\.env"):
        render(folder, VARIANTS[0], [command("kubectl"), "kustomize"])


def test_every_component_is_rendered_somewhere():
    examples = "".join(file.read_text() for file in HERE.glob("examples/*/kustomization.yaml"))
    used = {component for variant in VARIANTS for component in variant.components}
    for file in HERE.rglob("kustomization.yaml"):
        if "\nkind: Component\n" in file.read_text():
            name = file.parent.name
            assert name in used or f"\n  - ../../components/{name}" in examples
