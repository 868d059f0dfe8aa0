"""Faults that are planted into the image, to see that the check finds them."""

from __future__ import annotations

import shutil
from pathlib import Path

from image_run.building import Images
from image_run.commands import Unable
from image_run.judging import config_findings, root_findings
from image_run.rules import DOCKERIGNORE

_FAULTS = r"""
FROM {image}
USER root
RUN cp /bin/true /usr/bin/gcc && cp /bin/true /bin/borrowed && chmod u+s /bin/borrowed \
 && mkdir -p /opt/turncoat/lib/python3.0/site-packages/pip /srv/.git && chmod 777 /srv/.git \
 && mkdir /opt/turncoat/lib/python3.0/site-packages/six.dist-info \
 && printf 'Name: six\nVersion: 1.17\n\n' >/opt/turncoat/lib/python3.0/site-packages/six.dist-info/METADATA \
 && touch /opt/turncoat/lib/mine && chown 10001 /opt/turncoat/lib/mine \
 && rm -r /opt/turncoat/lib/python3*/site-packages/service/__pycache__
HEALTHCHECK NONE
STOPSIGNAL SIGKILL
ENV TURNCOAT_TOKEN_KEYS=first:secret
ENTRYPOINT turncoat
LABEL org.opencontainers.image.version=0
"""

_FOUND = (
    "User is 'root'",
    "Healthcheck is ['NONE']",
    "StopSignal is 'SIGKILL'",
    "Entrypoint is ",
    "a secret in the environment: TURNCOAT_TOKEN_KEYS",
    "the label of the version",
    "a tool that serves nobody here: /usr/bin/gcc",
    "it gives its caller more rights: ",
    "a build tool: /opt/turncoat/lib/python3.0/site-packages/pip",
    "a package that was not locked: six 1.17",
    "it does not belong here: /srv/.git",
    "anybody may write it: /srv/.git",
    "it belongs to 10001",
    "not compiled",
)

_CONTEXT = (
    *("engine/game.py", "service/app.py", "service/py.typed", "service/texts/en/x.json"),
    *("pyproject.toml", "requirements.txt", "README.md", "LICENSE"),
)
_STRANGERS = (
    *(".git/config", ".turncoat/token-keys", ".env", ".venv/bin/python", ".dockerignore", "Dockerfile", "Makefile"),
    *("tests/test_x.py", "docs/x.md", "requirements-dev.txt", "build/x", "id_rsa", "node_modules/x/y.js"),
    *("service/.turncoat/token-keys", "service/.env", "service/__pycache__/app.pyc", "engine/kabale/__pycache__/x.pyc"),
    *("engine/.git/config", "engine/kabale/.turncoat/store/appendonly.aof"),
)


def context_findings(images: Images, folder: Path) -> list[str]:
    """What a .dockerignore lets through to a build that copies everything, or keeps from it, in a made-up work tree."""
    folder.mkdir()
    for name in (*_CONTEXT, *_STRANGERS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    shutil.copy(DOCKERIGNORE, folder / ".dockerignore")
    everything = folder.with_suffix(".dockerfile")
    everything.write_text("FROM scratch\nCOPY . /all/\n")
    images.build("localhost/context", folder, everything)
    with images.root("localhost/context") as root:
        arrived = {str(path.relative_to(root / "all")) for path in (root / "all").rglob("*") if path.is_file()}
    return [
        *(f"it lets in {name}" for name in sorted(arrived - set(_CONTEXT))),
        *(f"it keeps out {name}" for name in sorted(set(_CONTEXT) - arrived)),
    ]


def plant(
    images: Images, image: str, folder: Path, locked: set[tuple[str, str]], version: str
) -> tuple[int, list[str]]:
    """Build an image with every fault on top of a good one; gives their number, and those that are not found."""
    folder.mkdir()
    (folder / "Dockerfile").write_text(_FAULTS.replace("{image}", image))
    images.build("localhost/faulty", folder, folder / "Dockerfile")
    with images.root("localhost/faulty") as root:
        findings = [
            *config_findings(images.config("localhost/faulty"), version),
            *root_findings(root, locked, version),
        ]
    missed = [f"not found: {fault}" for fault in _FOUND if not any(finding.startswith(fault) for finding in findings)]
    return len(_FOUND), missed


def other_wheels(images: Images, context: Path, wheels: Path, folder: Path, *options: str | Path) -> list[str]:
    """Try to build with one wheel that is not the one that was locked."""
    shutil.copytree(wheels, folder)
    with next(folder.glob("blinker-*.whl")).open("ab") as wheel:
        wheel.write(b"\0")
    try:
        images.build("localhost/other", context, context / "Dockerfile", *options, "--volume", f"{folder}:/mnt:ro")
    except Unable as refused:
        return [] if "THESE PACKAGES DO NOT MATCH THE HASHES" in str(refused) else [f"it failed otherwise: {refused}"]
    return ["the build took it"]
