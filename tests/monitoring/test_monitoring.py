"""The alerts and the dashboard ask for metrics that there are, and each alert leads to what is to be done about it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from support import tools
from support.clients import Client, InProcess, seated
from support.metrics import Metrics
from support.server import ROOT
from support.settings import settings_on
from support.store import StoreServer

from engine.catalogue import GAMES
from service.app import create_app
from service.problems import KINDS
from service.telemetry.families import FAMILIES

FOLDER = ROOT / "k8s" / "monitoring"
ALERTS = yaml.safe_load((FOLDER / "alerts.yaml").read_text(encoding="utf-8"))["groups"][0]["rules"]
DASHBOARD = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
RUNBOOK = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")

QUERIES = {alert["alert"]: alert["expr"] for alert in ALERTS} | {
    f"{panel['title']} {target['refId']}": target["expr"]
    for panel in DASHBOARD["panels"]
    for target in panel["targets"]
}
"""All that is asked of Prometheus, by who asks."""

OF_PROMETHEUS = {"le", "instance"}
"""Labels that are not ours."""

VALUES = {
    "code": set(KINDS),
    "game": set(GAMES),
    "outcome": {"accepted", "stand-in", "repeated", "refused"},
    "how": {"poll", "stream"},
    "fallback": {"let-through", "own-count"},
}
"""What labels may be, where a query names it."""


@pytest.fixture(scope="module")
def exposed(store: StoreServer) -> str:
    """What a service tells that has done a little of everything."""
    app = create_app(settings_on(store.url))
    visitor = Client(InProcess(app.test_client()))
    match, _ = seated(visitor)
    visitor.view(match)
    visitor.call("getMatch", match="A" * 22)
    told = app.extensions["turncoat"].observer
    told.trip("hmget", 0.0, 0.1, TimeoutError())
    return app.test_client().get("/metrics").text


@pytest.fixture(scope="module")
def labels(exposed: str) -> dict[str, set[str]]:
    """The labels of each sample, by its name."""
    found: dict[str, set[str]] = {name: set() for name in Metrics(exposed).samples}
    for name, within in re.findall(r"^(\w+)\{(.*)\} ", exposed, flags=re.MULTILINE):
        found[name] |= set(re.findall(r'(\w+)="', within))
    return found


def asked(query: str) -> Iterator[tuple[str, str]]:
    """The metrics in a query, each with what stands in its braces."""
    yield from re.findall(r"\b(turncoat_\w+)(?:\{([^}]*)\})?", query)


@pytest.mark.parametrize("who", sorted(QUERIES))
def test_queries_ask_for_what_there_is(who: str, labels: dict[str, set[str]]):
    query = QUERIES[who]
    metrics = list(asked(query))
    assert metrics
    possible = set(OF_PROMETHEUS)
    for name, within in metrics:
        assert name in labels, f"nobody counts {name}"
        possible |= labels[name]
        assert set(re.findall(r"(\w+)[!=]~?", within)) <= labels[name] | OF_PROMETHEUS
    for grouped in re.findall(r"by \(([^)]*)\)", query):
        assert {label.strip() for label in grouped.split(",")} <= possible


@pytest.mark.parametrize("who", sorted(QUERIES))
def test_queries_name_values_that_there_are(who: str, exposed: str):
    operations = set(re.findall(r'operation="(\w+)"', exposed)) | {"playMove", "healthz", "readyz", "metrics"}
    for label, values in re.findall(r'(\w+)[!=]~?"([^"]*)"', QUERIES[who]):
        known = VALUES | {"operation": operations, "status": {"5..", "playing", "open", "finished", "cancelled"}}
        assert set(values.split("|")) <= known[label]


def test_every_metric_is_on_the_dashboard_or_is_named_as_left_out():
    shown = {re.sub(r"_(total|bucket|sum|count)$", "", name) for who in QUERIES for name, _ in asked(QUERIES[who])}
    assert set(FAMILIES) - shown == {"turncoat_info"}


def test_every_metric_is_described_to_operators():
    table = RUNBOOK.partition("## Metrics")[2].partition("\n## ")[0]
    described = {re.sub(r"_total$", "", name) for name in re.findall(r"`(turncoat_\w+)`", table)}
    assert described == set(FAMILIES)


def test_each_alert_has_a_section_and_each_section_an_alert():
    runbook = RUNBOOK.partition("## When an alert fires")[2].partition("\n## ")[0]
    sections = re.findall(r"^### (\w+)$", runbook, flags=re.MULTILINE)
    assert sections == [alert["alert"] for alert in ALERTS]
    for alert in ALERTS:
        assert alert["annotations"]["runbook"] == f"docs/operations.md#{alert['alert'].lower()}"
        assert alert["annotations"]["summary"]
        assert alert["labels"]["severity"] in {"page", "ticket"}
    for text in re.split(r"^### \w+$", runbook, flags=re.MULTILINE)[1:]:
        assert {"**Means:**", "**Look:**", "**Do:**"} <= set(re.findall(r"\*\*\w+:\*\*", text))


def test_the_dashboard_is_one_that_grafana_takes():
    panels = DASHBOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & places, f"{panel['title']} lies on another one"
        assert max(x for x, _ in cells) < 24
        places |= cells
    (source,) = DASHBOARD["templating"]["list"]
    uids: list[Any] = [part["datasource"]["uid"] for panel in panels for part in [panel, *panel["targets"]]]
    assert set(uids) == {f"${{{source['name']}}}"}


def test_every_alert_is_tried():
    text = (FOLDER / "alerts_test.yaml").read_text(encoding="utf-8")
    for alert in ALERTS:
        assert text.count(alert["alert"]) == 2, "once silent, once firing"


def promtool(*arguments: str, given: str = "") -> str:
    """What Prometheus' own judge says; it must be content."""
    program = tools.command("promtool")
    done = subprocess.run([program, *arguments], cwd=FOLDER, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_prometheus_takes_the_rules():
    assert f"{len(ALERTS)} rules found" in promtool("check", "rules", "alerts.yaml")


def test_alerts_fire_when_they_should_and_no_others():
    assert "SUCCESS" in promtool("test", "rules", "alerts_test.yaml")


@pytest.mark.parametrize("who", sorted(QUERIES))
def test_queries_of_the_dashboard_can_be_read(who: str, tmp_path_factory: pytest.TempPathFactory):
    rules = tmp_path_factory.mktemp("rules") / "rules.yaml"
    query = QUERIES[who].replace("$__rate_interval", "5m")
    rules.write_text(yaml.safe_dump({"groups": [{"name": "x", "rules": [{"record": "x:y", "expr": query}]}]}))
    promtool("check", "rules", str(rules))


def test_prometheus_takes_what_the_service_tells(exposed: str):
    promtool("check", "metrics", given=exposed)
