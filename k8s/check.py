"""Check the manifests and docker-compose.yaml, and print what was checked: ``make k8s-check``.

It needs `kubectl` (or `kustomize`) and the judges of tools.txt, and no network.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from checking import environment, judges, pods, references, schemas
from checking.rendering import VARIANTS, NotRendered, Resource, prepare, render

COMPOSE: Final = Path(__file__).parents[1] / "docker-compose.yaml"


class Findings:
    """What was found so far; each check tells what it has looked at."""

    def __init__(self) -> None:
        self.count = 0

    def tell(self, checked: str, found: Iterable[str]) -> None:
        """Print a check and its findings."""
        findings = list(dict.fromkeys(found))
        self.count += len(findings)
        print(f"  {'FAULTS' if findings else 'fine':8}{checked}")
        for finding in findings:
            print(f"          {finding}")


def find_kustomize() -> list[str]:
    """The command that renders a folder.

    Raises:
        SystemExit: there is none.
    """
    if found := shutil.which("kubectl"):
        return [found, "kustomize"]
    if found := shutil.which("kustomize"):
        return [found, "build"]
    raise SystemExit("kubectl is needed, or kustomize; neither is on this machine")


def judge(findings: Findings, resources: list[Resource], tools: Path) -> None:
    """Have all judges judge what was rendered."""
    versions = schemas.VERSIONS
    findings.tell(
        f"the schemas of {len(versions)} versions of Kubernetes, {versions[0]} to {versions[-1]}, strictly",
        (f"{version}: {fault}" for version in versions for fault in schemas.faults(resources, version)),
    )
    count = len(list(pods.workloads(resources)))
    findings.tell(f"{len(pods.RULES)} rules for pods, {count} workloads", pods.faults(resources))
    findings.tell(f"{len(references.RULES)} rules for what names what", references.faults(resources))
    findings.tell("the environment of each container, read by the service", environment.faults(resources))
    passed, found = judges.checkov(tools, resources)
    findings.tell(f"Checkov: {passed} checks passed, {len(judges.PASSED_OVER)} left out on purpose", found)


def check_kubernetes(findings: Findings, tools: Path) -> None:
    """Render and judge every variant."""
    kustomize = find_kustomize()
    with tempfile.TemporaryDirectory() as folder:
        copy = prepare(Path(folder))
        for variant in VARIANTS:
            try:
                resources = render(copy, variant, kustomize)
            except NotRendered as error:
                print(f"{variant.name}: not rendered")
                findings.tell("kustomize", [str(error)])
                continue
            print(f"{variant.name}: {len(resources)} resources of {len({one['kind'] for one in resources})} kinds")
            judge(findings, resources, tools)
        unseen = judges.asleep(tools, render(copy, VARIANTS[0], kustomize))
        print("The judges themselves")
        findings.tell(
            f"Checkov sees {len(judges.PLANTED) - len(unseen)} of {len(judges.PLANTED)} planted faults",
            [f"not seen: {fault}" for fault in unseen],
        )


def check_compose(findings: Findings, tools: Path) -> None:
    """Judge the file of Docker Compose."""
    text = COMPOSE.read_text(encoding="utf-8")
    print(COMPOSE.name)
    findings.tell("the Compose specification, strictly", judges.compose_spec(tools, text))
    findings.tell(f"compose-lint, {len(judges.OF_COMPOSE)} rules left out on purpose", judges.compose_lint(tools, text))
    unseen = [name for name, edit in judges.PLANTED_IN_COMPOSE.items() if not judges.of_compose(tools, edit(text))]
    findings.tell(
        f"they see {len(judges.PLANTED_IN_COMPOSE) - len(unseen)} of {len(judges.PLANTED_IN_COMPOSE)} planted faults",
        [f"not seen: {fault}" for fault in unseen],
    )


def main() -> int:
    """Check everything.

    Returns:
        1 if anything was found.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=Path, required=True, help="folder with the programs of tools.txt")
    tools = parser.parse_args().tools.absolute()
    findings = Findings()
    check_kubernetes(findings, tools)
    check_compose(findings, tools)
    print(f"{findings.count} faults" if findings.count else "No fault was found.")
    return 1 if findings.count else 0


if __name__ == "__main__":
    sys.exit(main())
