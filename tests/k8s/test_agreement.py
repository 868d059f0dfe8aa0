"""The manifests and docker-compose.yaml agree with what the service does: its routes, its times, its settings."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path
from unittest import mock

import pytest
import yaml
from checking import pods, schemas
from checking.environment import found_by
from checking.rendering import HERE, VARIANTS, Resource, Variant
from flask import Flask
from support import compose
from support.contract import document
from support.manifests import Rendering, container, made_up_secrets, one, pod

from service import sweep
from service.launcher import gunicorn_conf, launcher
from service.settings import Settings, read_settings

ROOT = HERE.parent
INNER = {"/healthz", "/readyz", "/metrics"}
"""What is for those who run the service, and not for the world."""


@pytest.fixture(params=VARIANTS, ids=lambda variant: variant.name)
def resources(request: pytest.FixtureRequest, rendered: Rendering) -> list[Resource]:
    return rendered(request.param)


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def settings_of(environment: dict[str, str]) -> Settings:
    there = {name: value for name, value in environment.items() if name != "TURNCOAT_STORE_CA"}
    with mock.patch.dict(os.environ, there, clear=True):
        return read_settings()


# The Ingress


def admitted(path: str, resources: list[Resource]) -> bool:
    (rule,) = one(resources, "Ingress")["spec"]["rules"]
    for entry in rule["http"]["paths"]:
        if path == entry["path"]:
            return True
        if entry["pathType"] == "Prefix" and path.startswith(entry["path"].rstrip("/") + "/"):
            return True
    return False


BESIDE = ["/metrics/", "/readyz/x", "/v10", "/docsx", "/tablet", "/x"]


def test_the_world_reaches_every_operation_and_page_and_nothing_else(resources: list[Resource], app: Flask):
    routes = {re.sub(r"<[^>]*>", "x", rule.rule) for rule in app.url_map.iter_rules()}
    assert {path for path in routes if not admitted(path, resources)} == routes & INNER
    for path in document()["paths"]:
        assert admitted(re.sub(r"{[^}]*}", "x", path), resources)
    assert not any(
        admitted(path, resources) for path in [*INNER, "/metrics/", "/readyz/x", "/v10", "/docsx", "/tablet", "/x"]
    )


@pytest.mark.parametrize(
    "variant",
    [variant for variant in VARIANTS if "service-monitor" in variant.components],
    ids=lambda variant: variant.name,
)
def test_what_is_monitored_is_there(variant: Variant, rendered: Rendering, app: Flask):
    (endpoint,) = one(rendered(variant), "ServiceMonitor")["spec"]["endpoints"]
    assert endpoint["path"] in {rule.rule for rule in app.url_map.iter_rules()}


def test_streams_get_through(resources: list[Resource]):
    said = one(resources, "Ingress")["metadata"]["annotations"]
    longest = Settings.stream_longest + Settings.stream_heartbeat
    for name in [
        "nginx.ingress.kubernetes.io/proxy-read-timeout",
        "nginx.ingress.kubernetes.io/proxy-send-timeout",
        "nginx.org/proxy-read-timeout",
        "nginx.org/proxy-send-timeout",
        "haproxy.org/timeout-server",
        "haproxy-ingress.github.io/timeout-server",
    ]:
        assert seconds(said[name]) > longest
    assert said["nginx.ingress.kubernetes.io/proxy-buffering"] == "off"
    assert said["nginx.org/proxy-buffering"] == "false"


def test_the_service_itself_refuses_what_is_too_large(resources: list[Resource]):
    said = one(resources, "Ingress")["metadata"]["annotations"]
    for name in ["nginx.ingress.kubernetes.io/proxy-body-size", "nginx.org/client-max-body-size"]:
        assert int(said[name].removesuffix("k")) * 1024 > Settings.max_body


# Probes


def test_probes_ask_what_is_meant_for_them(resources: list[Resource]):
    server = container(resources)
    asked = {kind: server[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")}
    assert asked == {"startup": "/healthz", "liveness": "/healthz", "readiness": "/readyz"}


def test_probes_have_patience(resources: list[Resource]):
    server = container(resources)
    # A worker that hangs is gunicorn's business first.
    liveness = server["livenessProbe"]
    assert liveness["periodSeconds"] * liveness["failureThreshold"] > gunicorn_conf.timeout
    # Nothing answers while the store is looked at, nor before the application is loaded.
    startup = server["startupProbe"]
    assert startup["periodSeconds"] * startup["failureThreshold"] > 4 * launcher._CHECK_PATIENCE
    # A store that is not there is the service's to report.
    assert server["readinessProbe"]["timeoutSeconds"] > Settings.store_timeout


# The end


def test_there_is_time_to_end(resources: list[Resource]):
    settings = settings_of(found_by(container(resources), resources))
    assert 0 < settings.drain_seconds < gunicorn_conf.graceful_timeout
    longest = gunicorn_conf.graceful_timeout + launcher._MARGIN
    assert pod(resources)["terminationGracePeriodSeconds"] > longest
    assert pod(resources, name="turncoat-sweeper")["terminationGracePeriodSeconds"] > sweep._PATIENCE
    assert seconds(compose.services(made_up_secrets())["turncoat"]["stop_grace_period"]) > longest


# The image


def test_the_image_is_one_that_may_run_like_this(resources: list[Resource]):
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    said = dict(line.split(maxsplit=1) for line in lines if line.split(" ")[0] in ("USER", "EXPOSE", "ENTRYPOINT"))
    for name in ("turncoat", "turncoat-sweeper"):
        security = pod(resources, name=name)["securityContext"]
        assert said["USER"] == f"{security['runAsUser']}:{security['runAsGroup']}"
        assert "command" not in container(resources, name=name)
    assert said["EXPOSE"] == str(container(resources)["ports"][0]["containerPort"])
    assert said["ENTRYPOINT"] == '["turncoat"]'


# Settings and ports


def test_servers_and_sweepers_share_all_settings(resources: list[Resource]):
    server, sweeper = container(resources), container(resources, name="turncoat-sweeper")
    assert found_by(server, resources) == found_by(sweeper, resources)
    assert (server["image"], server["args"]) == (sweeper["image"], ["serve"])
    assert sweeper["args"] == ["sweep"]
    assert settings_of(found_by(server, resources)).sweep_interval == 0


def test_one_port_is_meant_everywhere(resources: list[Resource]):
    settings = settings_of(found_by(container(resources), resources))
    (port,) = container(resources)["ports"]
    assert (settings.host, settings.port) == ("0.0.0.0", port["containerPort"])
    composed = compose.services(made_up_secrets())["turncoat"]
    there = settings_of(composed["environment"])
    assert (there.host, there.port) == ("0.0.0.0", settings.port)
    assert composed["ports"] == [f"127.0.0.1:{settings.port}:{settings.port}"]


def test_the_address_of_clients_is_believed_as_far_as_there_are_proxies(resources: list[Resource]):
    assert settings_of(found_by(container(resources), resources)).proxies == 1
    assert settings_of(compose.services(made_up_secrets())["turncoat"]["environment"]).proxies == 0


def test_there_is_a_processor_for_each_worker(resources: list[Resource]):
    settings = settings_of(found_by(container(resources), resources))
    assert int(container(resources)["resources"]["limits"]["cpu"]) == settings.workers


def test_volumes_are_mounted_where_something_is_written(resources: list[Resource]):
    for _, each in pods.workloads(resources):
        (inner,) = each["containers"]
        written = [mount["mountPath"] for mount in inner["volumeMounts"] if not mount.get("readOnly")]
        assert written == (["/tmp"] if inner["name"] == "turncoat" else ["/data"])


# The store of the overlay `single`


def test_the_store_has_room_to_write_its_file_anew(rendered: Rendering):
    resources = rendered(VARIANTS[0])
    configuration = one(resources, "ConfigMap", "turncoat-store")["data"]["valkey.conf"]
    most = int(re.search(r"^maxmemory (\d+)mb$", configuration, re.MULTILINE)[1])
    limit = container(resources, "StatefulSet", "turncoat-store")["resources"]["limits"]["memory"]
    assert int(limit.removesuffix("Gi")) * 1024 >= 2 * most


def test_the_store_is_where_the_service_looks_for_it(rendered: Rendering):
    resources = rendered(VARIANTS[0])
    port = one(resources, "Service", "turncoat-store")["spec"]["ports"][0]["port"]
    assert f"@turncoat-store:{port}/" in found_by(container(resources), resources)["REDIS_URL"]
    assert one(resources, "StatefulSet", "turncoat-store")["spec"]["serviceName"] == "turncoat-store"


def test_the_store_writes_where_its_volume_is(rendered: Rendering):
    store = container(rendered(VARIANTS[0]), "StatefulSet", "turncoat-store")
    assert store["workingDir"] in [mount["mountPath"] for mount in store["volumeMounts"] if mount["name"] == "data"]
    composed = compose.services(made_up_secrets())["store"]
    assert composed["volumes"] == [f"store:{composed['working_dir']}"]


# Secrets


def test_the_repository_has_no_secret():
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "k8s", ".env"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert len(kept) > 20
    for name in kept:
        file = ROOT / name
        assert file.name not in (".env", "secrets.env", "ca.crt")
        if file.suffix == ".yaml":
            documents = yaml.safe_load_all(file.read_text())
            assert "Secret" not in [each["kind"] for each in documents if isinstance(each, dict) and "kind" in each]


def test_new_secrets_are_long_and_new():
    first, second = made_up_secrets(), made_up_secrets()
    assert set(first) == set(second) == {"TURNCOAT_TOKEN_KEYS", "TURNCOAT_ID_SECRET", "STORE_PASSWORD"}
    every = [value.rpartition(":")[2] for secrets in (first, second) for value in secrets.values()]
    assert len(set(every)) == 6
    assert all(re.fullmatch("[0-9a-f]{64}", value) for value in every)


def test_new_secrets_are_for_one_pair_of_eyes(tmp_path: Path):
    file = tmp_path / "secrets.env"
    file.touch(mode=0o644)
    with file.open("w") as output:
        subprocess.run([HERE / "new-secrets.sh"], check=True, stdout=output)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(file.read_text().splitlines()) == 3


def test_compose_says_which_secret_is_missing_and_what_to_do():
    secrets = made_up_secrets()
    for name in secrets:
        with pytest.raises(compose.NotSet, match=rf"{name} is not set\. Run k8s/new-secrets\.sh > \.env once"):
            compose.services(secrets | {name: ""})
    assert compose.services(secrets)


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_what_must_be_chosen_is_chosen_in_the_example(variant: Variant, rendered: Rendering):
    """The example says which image and which name it is reached by; nothing else has to be touched."""
    resources = rendered(variant)
    assert container(resources)["image"] == "registry.example/turncoat:choose-a-version"
    assert one(resources, "Ingress")["spec"]["tls"][0]["hosts"] == ["turncoat.example"]


# The documentation


def test_the_documentation_names_what_there_is(rendered: Rendering):
    said = (ROOT / "docs" / "operations.md").read_text()
    there = {(each["kind"].lower(), each["metadata"]["name"]) for each in rendered(VARIANTS[0])}
    named = set(re.findall(r"(deployment|statefulset)/([a-z-]+)", said))
    assert ("deployment", "turncoat") in named <= there
    claims = {template["metadata"]["name"] for template in volumes_of(rendered(VARIANTS[0]))}
    assert set(re.findall(r"`([a-z]+)-turncoat-store-0`", said)) == claims
    for name in re.findall(r"k8s/[a-z./-]+[a-z/]", said):
        assert (ROOT / name).exists() or name.endswith("secrets.env")


def test_the_alerts_become_what_the_operator_takes():
    said = (ROOT / "docs" / "operations.md").read_text()
    command = re.search(r"^(\{ printf .*?\}) \| kubectl apply", said, re.MULTILINE | re.DOTALL)[1]
    made = subprocess.run(["sh", "-c", command], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rule = yaml.safe_load(made)
    assert list(schemas.faults([rule], schemas.VERSIONS[-1])) == []
    assert rule["spec"] == yaml.safe_load((HERE / "monitoring" / "alerts.yaml").read_text())


def volumes_of(resources: list[Resource]) -> list[Resource]:
    found: list[Resource] = one(resources, "StatefulSet", "turncoat-store")["spec"]["volumeClaimTemplates"]
    return found
