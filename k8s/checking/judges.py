"""Other people's judges, in an environment of their own: Checkov for Kubernetes, two more for Docker Compose."""

from __future__ import annotations

import copy
import json
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import yaml

from checking.pods import containers, workloads
from checking.rendering import Resource

Edit = Callable[[list[Resource]], None]

_AT_ONCE: Final = 2
"""Programs that run at the same time."""

PASSED_OVER: Final = {
    "CKV_K8S_15": "a tag is a release and never moves, so nodes need not ask for it at every start",
    "CKV_K8S_35": "the service reads its secrets from the environment",
    "CKV_K8S_43": "which image an operator runs, and by which digest, is not for us to say",
}

OF_COMPOSE: Final = {
    "CL-0019": "the digest of the store's image can only be looked up where there is a network",
}

_READ_COMPOSE: Final = """
import sys
from compose_spec import PyOptions
options = PyOptions()
options.apply_merge = True
try:
    options.from_yaml(sys.stdin.read()).validate()
except ValueError as error:
    print(error)
else:
    print("fine")
"""


def checkov(tools: Path, resources: list[Resource]) -> tuple[int, list[str]]:
    """Have Checkov judge.

    Args:
        tools: the folder with the programs.
        resources: what is judged.

    Returns:
        how many checks were passed, and what it found.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "manifests.yaml"
        file.write_text(yaml.safe_dump_all(resources))
        said = _run(
            [
                *(str(tools / "checkov"), "--file", str(file), "--framework", "kubernetes", "--skip-download"),
                *("--skip-check", ",".join(PASSED_OVER), "--output", "json", "--quiet"),
            ]
        )
    report: dict[str, Any] = json.loads(said)
    failed = report["results"]["failed_checks"]
    return report["summary"]["passed"], [f"{one['check_id']} {one['resource']}: {one['check_name']}" for one in failed]


def compose_spec(tools: Path, text: str) -> list[str]:
    """Whether it is a file of Docker Compose, without a word too many."""
    said = _run([str(tools / "python"), "-c", _READ_COMPOSE], text)
    return [] if said.strip() == "fine" else [said.strip()]


def compose_lint(tools: Path, text: str) -> list[str]:
    """Have compose-lint judge a file of Docker Compose."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "docker-compose.yaml"
        file.write_text(text)
        report = json.loads(_run([str(tools / "compose-lint"), "check", "--format", "json", str(file)]))
    found = [one for one in report["findings"] if one["rule_id"] not in OF_COMPOSE]
    return [f"{one['rule_id']} {one['service']}: {one['message']}" for one in found]


def of_compose(tools: Path, text: str) -> list[str]:
    """What either of them finds."""
    return compose_spec(tools, text) or compose_lint(tools, text)


def _run(command: list[str], sent: str = "") -> str:
    done = subprocess.run(  # noqa: S603  # it is ours
        command, check=False, input=sent, capture_output=True, text=True
    )
    if not done.stdout:
        raise RuntimeError(f"{command[0]} says nothing: {done.stderr}")
    return done.stdout


def _first(resources: list[Resource]) -> dict[str, Any]:
    _, pod = next(iter(workloads(resources)))
    return pod


def _root(resources: list[Resource]) -> None:
    _first(resources)["securityContext"].update(runAsNonRoot=False, runAsUser=0)


def _writable(resources: list[Resource]) -> None:
    containers(_first(resources))[0]["securityContext"]["readOnlyRootFilesystem"] = False


def _unbounded(resources: list[Resource]) -> None:
    del containers(_first(resources))[0]["resources"]["limits"]


def _capable(resources: list[Resource]) -> None:
    containers(_first(resources))[0]["securityContext"]["capabilities"] = {"add": ["SYS_ADMIN"]}


def _on_the_host(resources: list[Resource]) -> None:
    _first(resources)["hostNetwork"] = True


def _unasked(resources: list[Resource]) -> None:
    del containers(_first(resources))[0]["livenessProbe"]


def _open(resources: list[Resource]) -> None:
    resources[:] = [resource for resource in resources if resource["kind"] != "NetworkPolicy"]


PLANTED: Final[tuple[Edit, ...]] = (_root, _writable, _unbounded, _capable, _on_the_host, _unasked, _open)
"""What a judge that is awake finds."""


def asleep(tools: Path, resources: list[Resource]) -> list[str]:
    """The planted faults in which Checkov finds nothing."""

    def unseen(edit: Edit) -> bool:
        bad = copy.deepcopy(resources)
        edit(bad)
        return not checkov(tools, bad)[1]

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return [
            edit.__name__.strip("_") for edit, missed in zip(PLANTED, pool.map(unseen, PLANTED), strict=True) if missed
        ]


def _replaced(old: str, new: str) -> Callable[[str], str]:
    def edit(text: str) -> str:
        if old not in text:
            raise ValueError(f"the planted fault {new!r} changes nothing")
        return text.replace(old, new, 1)

    return edit


PLANTED_IN_COMPOSE: Final = {
    "a misspelt key": _replaced("    ports:", "    prots:"),
    "a misspelt limit": _replaced("memory:", "memroy:"),
    "a condition that there is not": _replaced("service_healthy", "healthy"),
    "a time that is none": _replaced("40s", "forty"),
    "all capabilities": _replaced("cap_drop", "cap_add"),
    "a writable root": _replaced("read_only: true", "read_only: false"),
    "a port for everybody": _replaced("127.0.0.1:8080:8080", "8080:8080"),
    "a password in the file": _replaced(
        "${TURNCOAT_ID_SECRET:?is not set. Run k8s/new-secrets.sh > .env once}", "a0b1c2" * 9
    ),
}
