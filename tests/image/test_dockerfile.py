"""The Dockerfile and .dockerignore keep the rules of the house, and every rule is one that can be broken.

`make image-check` builds the image and looks at that, too; it takes minutes, root and more programs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from image_run.rules import (
    DOCKERFILE,
    DOCKERIGNORE,
    PINNED,
    base,
    dockerfile_findings,
    ignore_findings,
    lint_findings,
    project_version,
    stages,
)

TEXT = DOCKERFILE.read_text()
IGNORED = DOCKERIGNORE.read_text()
VERSION = project_version()

BREAKS = {
    "a user of root's": ("USER 10001:10001", "USER 0:0", "USER is not a number"),
    "a user by name": ("USER 10001:10001", "USER turncoat", "USER is not a number"),
    "no user": ("USER 10001:10001\n", "", "USER is not a number that is not root's: nobody"),
    "root again": ("EXPOSE 8080", "USER root\nEXPOSE 8080", "USER is not a number"),
    "no hashes": (" --require-hashes", "", "installs what is not locked"),
    "whatever the registry has": (" --no-index", "", "installs what is not locked"),
    "one package more": ("EXPOSE 8080", "RUN pip install six\nEXPOSE 8080", "installs something in the final stage"),
    "a compiler": (
        "EXPOSE 8080",
        "RUN apt-get update && apt-get install -y gcc\nEXPOSE 8080",
        "needs more than wheels",
    ),
    "a compiler to build with": (
        "WORKDIR /build",
        "RUN apt-get install -y gcc\nWORKDIR /build",
        "needs more than wheels",
    ),
    "a base without digest": (TEXT[TEXT.index("@sha256") :].split("\n")[0], "", "the base is not pinned"),
    "a base of any version": (base(TEXT), "python:3-slim", "the base is not pinned"),
    "another base": ("FROM ${BASE}\n", "FROM debian:latest\n", "a stage has another base: debian:latest"),
    "the whole work tree": ("COPY service service", "COPY . .", "copies what does not belong"),
    "the tests": ("COPY service service", "COPY tests service ./", "copies what does not belong"),
    "from anywhere": ("COPY service service", "ADD https://example.test/x.tar /", "COPY and not ADD"),
    "a secret as an argument": (
        "ARG VERSION",
        "ARG TURNCOAT_ID_SECRET\nARG VERSION",
        "a secret in the image: TURNCOAT_ID_SECRET",
    ),
    "a secret as a default": (
        "TURNCOAT_PORT=8080",
        "TURNCOAT_PORT=8080 REDIS_URL=redis://x",
        "a secret in the image: REDIS_URL",
    ),
    "one architecture": (
        "FROM ${BASE} AS build",
        "FROM --platform=linux/amd64 ${BASE} AS build",
        "names an architecture",
    ),
    "a file of one architecture": (
        "WORKDIR /build",
        "RUN cp x-aarch64 y\nWORKDIR /build",
        "names an architecture: aarch64",
    ),
    "an entry point by a shell": ('ENTRYPOINT ["turncoat"]', "ENTRYPOINT turncoat", "ENTRYPOINT is not"),
    "another command": ('CMD ["serve"]', 'CMD ["sweep"]', "CMD is not"),
    "no health check": ("HEALTHCHECK", "# HEALTHCHECK", "HEALTHCHECK is not"),
    "a health check that fetches": ('["python", "-m", "service.probe"]', "curl localhost", "HEALTHCHECK is not"),
    "another signal": ("STOPSIGNAL SIGTERM", "STOPSIGNAL SIGINT", "STOPSIGNAL is not SIGTERM"),
    "no port": ("EXPOSE 8080", "", "EXPOSE is not 8080"),
    "no licence": ("image.licenses", "image.vendor", "there is no label org.opencontainers.image.licenses"),
    "an old version": (f"ARG VERSION={VERSION}", "ARG VERSION=0.0.1", "ARG VERSION is not the project's"),
    "a volume": ("EXPOSE 8080", "VOLUME /data\nEXPOSE 8080", "a volume"),
    "a syntax": ("# The service", "# syntax=docker/dockerfile:1\n# The service", "a syntax line"),
}


def test_the_dockerfile_keeps_the_rules():
    assert dockerfile_findings(TEXT, VERSION) == []


@pytest.mark.parametrize("name", BREAKS)
def test_what_breaks_a_rule_is_found(name: str):
    old, new, finding = BREAKS[name]
    assert old in TEXT
    findings = dockerfile_findings(TEXT.replace(old, new), VERSION)
    assert any(each.startswith(finding) for each in findings), findings


def test_one_stage_is_not_enough():
    _, _, rest = TEXT.partition("FROM ${BASE}\n")
    assert dockerfile_findings(f"ARG BASE={base(TEXT)}\nFROM ${{BASE}}\n{rest}", VERSION) == [
        "there is only one stage, so what builds the image is in it"
    ]


def test_hadolint_finds_nothing(tmp_path: Path):
    assert lint_findings(DOCKERFILE) == []
    broken = tmp_path / "Dockerfile"
    broken.write_text(TEXT.replace("USER 10001:10001", "USER root\nRUN cd /tmp && apt-get install gcc"))
    assert {"DL3002", "DL3003", "DL3008"} <= {line.split()[1] for line in lint_findings(broken)}


def test_dockerignore_lets_in_what_the_dockerfile_copies_and_no_more():
    assert ignore_findings(IGNORED) == []
    copied = {
        source
        for stage in stages(TEXT)
        for value in stage.all("COPY")
        if not value.startswith("--from=")
        for source in value.split()[:-1]
    }
    assert copied == {line[1:] for line in IGNORED.splitlines() if line.startswith("!")}


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        ("*\n!pyproject", "!pyproject", "it does not begin by keeping everything out"),
        ("!LICENSE", "!LICENSE\n!.git", "it lets in .git"),
        ("!LICENSE", "!LICENSE\n!.turncoat/", "it lets in .turncoat"),
        ("!LICENSE\n", "", "it keeps out LICENSE"),
        ("**/.*\n", "", "it does not keep out **/.* at the end"),
        ("!engine\n", "**/.*\n!engine\n", None),
    ],
)
def test_what_dockerignore_must_not_do_is_found(old: str, new: str, finding: str | None):
    assert old in IGNORED
    text = IGNORED.replace(old, new)
    if finding is None:  # a rule counts only after the last that lets something in again
        text, finding = text.removesuffix("**/.*\n"), "it does not keep out **/.* at the end"
    assert finding in ignore_findings(text)


def test_the_image_runs_a_python_that_the_project_is_for():
    pinned = PINNED.fullmatch(base(TEXT))
    assert pinned is not None
    classifiers = (DOCKERFILE.parent / "pyproject.toml").read_text()
    assert f'"Programming Language :: Python :: {pinned["python"]}"' in classifiers
