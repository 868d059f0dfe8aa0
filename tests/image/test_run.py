"""What `make image-check` fetches, what it asks of a machine, and what it says at the end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from image_run import commands, wheels
from image_run.commands import PACKAGES, Unable, look_for_programs, run
from image_run.report import Report

LOCK = """\
async-timeout==5.0.1 ; python_full_version < '3.11.3' \\
    --hash=sha256:1
deprecated==1.3.1 ; python_full_version < '3.12' \\
    --hash=sha256:2 \\
    --hash=sha256:3
deprecated==3.0.1 ; python_full_version >= '3.12' \\
    --hash=sha256:4
fast==1 ; platform_machine == 'aarch64' \\
    --hash=sha256:5
greenlet==3.5.6 ; platform_python_implementation == 'CPython' \\
    --hash=sha256:6
winloop==1 ; sys_platform == 'win32' \\
    --hash=sha256:7
"""


@pytest.mark.parametrize(
    ("python", "machine", "expected"),
    [
        ("3.11", "x86_64", {("deprecated", "1.3.1"), ("greenlet", "3.5.6")}),
        ("3.13", "x86_64", {("deprecated", "3.0.1"), ("greenlet", "3.5.6")}),
        ("3.13", "aarch64", {("deprecated", "3.0.1"), ("greenlet", "3.5.6"), ("fast", "1")}),
    ],
)
def test_the_lock_file_is_read_for_the_image_and_not_for_this_python(
    python: str, machine: str, expected: set[tuple[str, str]]
):
    assert wheels.versions(LOCK, python, machine) == expected


def test_every_hash_of_a_package_comes_along():
    (hashes,) = (hashes for each, hashes in wheels.locked(LOCK, "3.11", "x86_64").items() if each.name == "deprecated")
    assert hashes == ["--hash=sha256:2", "--hash=sha256:3"]


def test_both_architectures_run_the_same_packages():
    here, there = (wheels.versions(wheels.LOCK.read_text(), "3.13", machine) for machine in wheels.MACHINES)
    assert here == there
    assert {"flask", "redis", "gevent", "cryptography"} <= {name for name, _ in here}


def test_what_is_missing_is_named_with_the_command_that_gets_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands.shutil, "which", lambda program: None if program in ("runc", "ip") else program)
    with pytest.raises(Unable, match=r"missing: iproute2, runc\. .* apt-get install .* buildah iproute2 "):
        look_for_programs()


def test_it_asks_for_root(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands.shutil, "which", lambda program: program)
    monkeypatch.setattr(commands.os, "geteuid", lambda: 1000)
    with pytest.raises(Unable, match="run it as root"):
        look_for_programs()
    assert set(PACKAGES) == {"buildah", "ip", "mmdebstrap", "runc"}


def test_a_program_that_fails_says_why():
    with pytest.raises(Unable, match=r"ended with 3:\nout\nerr"):
        run(sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")


def test_it_cannot_pass_where_it_cannot_check(tmp_path: Path):
    """A machine without the programs: the text is judged, and the exit code is not that of success."""
    script = Path(commands.__file__).with_name("run.py")
    done = subprocess.run(
        [sys.executable, script], check=False, env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "hadolint finds nothing" in done.stdout
    assert "missing: buildah" in done.stderr


def test_the_report_counts_faults(capsys: pytest.CaptureFixture[str]):
    report = Report()
    report.check("this")
    assert report.conclude() == 0
    report.check("that", ["one thing", "another"])
    assert report.conclude() == 1
    printed = capsys.readouterr().out
    assert "ok     this" in printed
    assert "FAULT  that: another" in printed
    assert "2 checks, 2 faults" in printed
