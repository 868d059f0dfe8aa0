"""Whether what the resources say of each other is true: names, labels, ports, and who may talk to whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from checking.pods import containers, workloads
from checking.rendering import Resource, called

Labels = dict[str, str]


def _of_kind(resources: list[Resource], *kinds: str) -> list[Resource]:
    return [resource for resource in resources if resource["kind"] in kinds]


def _labels(workload: Resource) -> Labels:
    labels: Labels = workload["spec"]["template"]["metadata"]["labels"]
    return labels


def _selected(resources: list[Resource], selector: Labels) -> list[Resource]:
    return [workload for workload, _ in workloads(resources) if selector.items() <= _labels(workload).items()]


def _ports(workload: Resource) -> dict[str, int]:
    pod = workload["spec"]["template"]["spec"]
    return {port["name"]: port["containerPort"] for each in containers(pod) for port in each.get("ports", [])}


def _used(pod: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "ServiceAccount", pod.get("serviceAccountName", "")
    for container in containers(pod):
        for source in container.get("envFrom", []):
            for key, kind in (("configMapRef", "ConfigMap"), ("secretRef", "Secret")):
                if key in source:
                    yield kind, source[key]["name"]
        for variable in container.get("env", []):
            for key, kind in (("configMapKeyRef", "ConfigMap"), ("secretKeyRef", "Secret")):
                if key in variable.get("valueFrom", {}):
                    yield kind, variable["valueFrom"][key]["name"]
    for volume in pod.get("volumes", []):
        if "configMap" in volume:
            yield "ConfigMap", volume["configMap"]["name"]
        if "secret" in volume:
            yield "Secret", volume["secret"]["secretName"]


def what_pods_use_is_there(resources: list[Resource]) -> Iterator[str]:
    """Accounts, settings and secrets that pods name are there, and volumes that containers mount."""
    there = {(resource["kind"], resource["metadata"]["name"]) for resource in resources}
    for workload, pod in workloads(resources):
        for kind, name in _used(pod):
            if (kind, name) not in there:
                yield f"{called(workload)} uses {kind}/{name}, which there is not"
        templates = workload["spec"].get("volumeClaimTemplates", [])
        volumes = {volume["name"] for volume in pod.get("volumes", [])} | {t["metadata"]["name"] for t in templates}
        for container in containers(pod):
            for mount in container.get("volumeMounts", []):
                if mount["name"] not in volumes:
                    yield f"{called(workload)} mounts {mount['name']}, which there is not"


def workloads_select_their_own(resources: list[Resource]) -> Iterator[str]:
    """A workload finds its own pods, and spreads no others."""
    for workload, pod in workloads(resources):
        spreads = [spread["labelSelector"] for spread in pod.get("topologySpreadConstraints", [])]
        for selector in [workload["spec"]["selector"], *spreads]:
            if _selected(resources, selector["matchLabels"]) != [workload]:
                yield f"{called(workload)}: a selector does not select its own pods, or others too"


def services_find_their_pods(resources: list[Resource]) -> Iterator[str]:
    """A Service, and a budget, is for one workload, and the ports of the Service are there."""
    for service in _of_kind(resources, "Service"):
        selected = _selected(resources, service["spec"]["selector"])
        if len(selected) != 1:
            yield f"{called(service)} selects {len(selected)} workloads"
        for port in service["spec"]["ports"]:
            if any(port["targetPort"] not in _ports(workload) for workload in selected):
                yield f"{called(service)}: no port is called {port['targetPort']}"
    for budget in _of_kind(resources, "PodDisruptionBudget"):
        if len(_selected(resources, budget["spec"]["selector"]["matchLabels"])) != 1:
            yield f"{called(budget)} does not select the pods of one workload"


def monitors_find_their_services(resources: list[Resource]) -> Iterator[str]:
    """A ServiceMonitor selects a Service with the port that it reads."""
    services = _of_kind(resources, "Service")
    for monitor in _of_kind(resources, "ServiceMonitor"):
        wanted = monitor["spec"]["selector"]["matchLabels"].items()
        found = [service for service in services if wanted <= service["metadata"]["labels"].items()]
        ports = {port["name"] for service in found for port in service["spec"]["ports"]}
        for endpoint in monitor["spec"]["endpoints"]:
            if endpoint["port"] not in ports:
                yield f"{called(monitor)}: no Service that it selects has a port {endpoint['port']}"


def autoscalers_have_their_way(resources: list[Resource]) -> Iterator[str]:
    """An autoscaler's workload is there and names no number of its own, which each `apply` would set back."""
    for scaler in _of_kind(resources, "HorizontalPodAutoscaler"):
        target = scaler["spec"]["scaleTargetRef"]
        found = [one for one in _of_kind(resources, target["kind"]) if one["metadata"]["name"] == target["name"]]
        if not found:
            yield f"{called(scaler)} scales {target['name']}, which there is not"
        if any("replicas" in workload["spec"] for workload in found):
            yield f"{called(scaler)}: {target['name']} has a number of replicas of its own"


def ingresses_lead_somewhere(resources: list[Resource]) -> Iterator[str]:
    """Every path of an Ingress leads to a port of a Service, over TLS."""
    there = {
        (service["metadata"]["name"], port["name"])
        for service in _of_kind(resources, "Service")
        for port in service["spec"]["ports"]
    }
    for ingress in _of_kind(resources, "Ingress"):
        with_tls = {host for tls in ingress["spec"].get("tls", []) for host in tls["hosts"]}
        for rule in ingress["spec"]["rules"]:
            if rule["host"] not in with_tls:
                yield f"{called(ingress)}: {rule['host']} is without TLS"
            for path in rule["http"]["paths"]:
                backend = path["backend"]["service"]
                if (backend["name"], backend["port"]["name"]) not in there:
                    yield f"{called(ingress)}: {path['path']} leads nowhere"


def nobody_talks_unasked(resources: list[Resource]) -> Iterator[str]:
    """Every pod is denied all that no policy names; policies are for pods that there are, and for their ports."""
    policies = _of_kind(resources, "NetworkPolicy")
    for workload, _ in workloads(resources):
        denied = {
            direction
            for policy in policies
            if policy["spec"]["podSelector"].get("matchLabels", {}).items() <= _labels(workload).items()
            for direction in policy["spec"]["policyTypes"]
            if policy["metadata"]["name"].endswith("default-deny")
        }
        if denied != {"Ingress", "Egress"}:
            yield f"{called(workload)} is not denied what nobody names"
    for policy in policies:
        spec = policy["spec"]
        if policy["metadata"]["name"].endswith("default-deny") and ("ingress" in spec or "egress" in spec):
            yield f"{called(policy)} allows something"
        selected = _selected(resources, spec["podSelector"].get("matchLabels", {}))
        if not selected:
            yield f"{called(policy)} is for no pod"
        for rule in spec.get("ingress", []):
            yield from _rule(policy, rule, rule.get("from"), selected, resources)
        for rule in spec.get("egress", []):
            targets = [
                workload
                for peer in rule.get("to", [])
                if "podSelector" in peer and "namespaceSelector" not in peer
                for workload in _selected(resources, peer["podSelector"]["matchLabels"])
            ]
            yield from _rule(policy, rule, rule.get("to"), targets, resources)


def _rule(
    policy: Resource, rule: Resource, peers: list[Resource] | None, targets: list[Resource], resources: list[Resource]
) -> Iterator[str]:
    if not peers or not rule.get("ports"):
        yield f"{called(policy)} has a rule for everybody, or for every port"
        return
    for peer in peers:
        of_ours = peer.get("podSelector", {}).get("matchLabels") if "namespaceSelector" not in peer else None
        if of_ours is not None and not _selected(resources, of_ours):
            yield f"{called(policy)} names pods that there are not"
    for target in targets:
        for port in rule["ports"]:
            if port["port"] not in _ports(target).values():
                yield f"{called(policy)}: {called(target)} has no port {port['port']}"


RULES: Final[tuple[Callable[[list[Resource]], Iterator[str]], ...]] = (
    what_pods_use_is_there,
    workloads_select_their_own,
    services_find_their_pods,
    monitors_find_their_services,
    autoscalers_have_their_way,
    ingresses_lead_somewhere,
    nobody_talks_unasked,
)


def faults(resources: list[Resource]) -> Iterator[str]:
    """What is said and not so."""
    for rule in RULES:
        yield from rule(resources)
