"""What `make image-check` says of an image, told of roots and configurations that are made up."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from image_run.judging import config_findings, root_findings

TOOL = "a tool that serves nobody here:"
LOCKED = {("flask", "3.1.3"), ("zope-event", "6.2")}
PACKAGES = "opt/turncoat/lib/python3.13/site-packages"
LIBRARY = "usr/local/lib/python3.13"

CONFIG: dict[str, Any] = {
    "User": "10001:10001",
    "Entrypoint": ["turncoat"],
    "Cmd": ["serve"],
    "StopSignal": "SIGTERM",
    "ExposedPorts": {"8080/tcp": {}},
    "Volumes": None,
    "Healthcheck": {"Test": ["CMD", "python", "-m", "service.probe"]},
    "Env": ["PATH=/usr/bin", "GPG_KEY=7169605F62C751356D054A26A821E680E5FA6305"],
    "Labels": {
        "org.opencontainers.image.title": "Turncoat",
        "org.opencontainers.image.description": "Games",
        "org.opencontainers.image.licenses": "MIT",
        "org.opencontainers.image.version": "1.0.0",
        "org.opencontainers.image.revision": "abc",
    },
}


def write(root: Path, name: str, text: str = "") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def package(root: Path, name: str, version: str, folder: str = PACKAGES) -> None:
    write(root, f"{folder}/{name}-{version}.dist-info/METADATA", f"Name: {name}\nVersion: {version}\n\nAbout: it\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """One in good order."""
    package(tmp_path, "Flask", "3.1.3")
    package(tmp_path, "zope.event", "6.2")
    package(tmp_path, "turncoat", "1.0.0")
    for module in (f"{PACKAGES}/service/app", f"{LIBRARY}/http/client", f"{LIBRARY}/os"):
        folder, name = Path(module).parent, Path(module).name
        write(tmp_path, f"{module}.py")
        write(tmp_path, f"{folder}/__pycache__/{name}.cpython-313.pyc")
    write(tmp_path, f"{PACKAGES}/werkzeug/tests", "a name that others may use")
    write(tmp_path, "usr/bin/python3-config-like-name")
    write(tmp_path, "proc/1/gcc")
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp").chmod(0o1777)
    return tmp_path


def setuid(root: Path) -> None:
    write(root, "usr/bin/passwd").chmod(0o4755)


def setgid(root: Path) -> None:
    write(root, "usr/bin/wall").chmod(0o2755)


def writable(root: Path) -> None:
    (root / "opt").chmod(0o777)


def uncompiled(root: Path) -> None:
    (root / PACKAGES / "service/__pycache__/app.cpython-313.pyc").unlink()


def library_uncompiled(root: Path) -> None:
    (root / LIBRARY / "__pycache__/os.cpython-313.pyc").unlink()


def gone(root: Path) -> None:
    (root / PACKAGES / "turncoat-1.0.0.dist-info/METADATA").write_text("Name: other\nVersion: 1\n\n")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a compiler": (lambda root: write(root, "usr/bin/gcc"), f"{TOOL} /usr/bin/gcc"),
    "one by its long name": (
        lambda root: write(root, "usr/bin/aarch64-linux-gnu-gcc-14"),
        f"{TOOL} /usr/bin/aarch64-linux-gnu-gcc-14",
    ),
    "one by a link": (
        lambda root: (root / "usr/bin/cc").symlink_to("clang"),
        f"{TOOL} /usr/bin/cc",
    ),
    "pip": (
        lambda root: write(root, "usr/local/bin/pip3.13"),
        f"{TOOL} /usr/local/bin/pip3.13",
    ),
    "pip's code": (
        lambda root: write(root, f"{LIBRARY}/site-packages/pip/x.py"),
        f"a build tool: /{LIBRARY}/site-packages/pip",
    ),
    "what installs pip": (lambda root: write(root, f"{LIBRARY}/ensurepip/x"), f"a build tool: /{LIBRARY}/ensurepip"),
    "the build's backend": (
        lambda root: write(root, f"{PACKAGES}/hatchling/x"),
        f"a build tool: /{PACKAGES}/hatchling",
    ),
    "a package more": (lambda root: package(root, "six", "1.17"), "a package that was not locked: six 1.17"),
    "another version": (
        lambda root: package(root, "Flask", "3.1.4", f"{LIBRARY}/site-packages"),
        "a package that was not locked: flask 3.1.4",
    ),
    "no turncoat": (gone, "Turncoat itself is not installed"),
    "rights of another user": (setuid, "it gives its caller more rights: /usr/bin/passwd"),
    "rights of another group": (setgid, "it gives its caller more rights: /usr/bin/wall"),
    "a folder for all": (writable, "anybody may write it: /opt"),
    "a history": (lambda root: write(root, "srv/.git/config"), "it does not belong here: /srv/.git"),
    "somebody's keys": (lambda root: write(root, ".turncoat/token-keys"), "it does not belong here: /.turncoat"),
    "what the build was told": (
        lambda root: write(root, "build/requirements.txt"),
        "it does not belong here: /build/requirements.txt",
    ),
    "nothing compiled": (
        uncompiled,
        f"not compiled, so that every start compiles it: /{PACKAGES}/service/app.py",
    ),
    "the library not compiled": (
        library_uncompiled,
        f"not compiled, so that every start compiles it: /{LIBRARY}/os.py",
    ),
}


def test_a_root_in_good_order_has_no_findings(root: Path):
    assert root_findings(root, LOCKED, "1.0.0") == []


@pytest.mark.parametrize("name", FAULTS)
def test_what_does_not_belong_into_a_root_is_found(name: str, root: Path):
    plant, finding = FAULTS[name]
    plant(root)
    assert finding in root_findings(root, LOCKED, "1.0.0")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_what_the_service_may_change_is_found(root: Path):
    os.chown(root / PACKAGES / "service/app.py", 10_001, 10_001)
    assert root_findings(root, LOCKED, "1.0.0") == [
        f"it belongs to 10001, who may change it: /{PACKAGES}/service/app.py"
    ]


def test_a_configuration_in_good_order_has_no_findings():
    assert config_findings(CONFIG, "1.0.0") == []


@pytest.mark.parametrize(
    ("changed", "finding"),
    [
        ({"User": ""}, "User is ''"),
        ({"User": "root"}, "User is 'root'"),
        ({"Entrypoint": ["/bin/sh", "-c", "turncoat"]}, "Entrypoint is ["),
        ({"Cmd": None}, "Cmd is None"),
        ({"StopSignal": ""}, "StopSignal is ''"),
        ({"ExposedPorts": None}, "ExposedPorts is []"),
        ({"Volumes": {"/data": {}}}, "Volumes is ['/data']"),
        ({"Healthcheck": None}, "Healthcheck is None"),
        ({"Labels": None}, "the label org.opencontainers.image.licenses says nothing"),
        ({"Env": ["REDIS_URL=redis://x"]}, "a secret in the environment: REDIS_URL"),
        ({"Env": ["TURNCOAT_ID_SECRET=x"]}, "a secret in the environment: TURNCOAT_ID_SECRET"),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value),
)
def test_what_is_wrong_with_a_configuration_is_found(changed: dict[str, Any], finding: str):
    findings = config_findings(CONFIG | changed, "1.0.0")
    assert any(each.startswith(finding) for each in findings), findings


def test_the_version_is_the_projects():
    assert config_findings(CONFIG, "1.0.1") == ["the label of the version is not 1.0.1"]
