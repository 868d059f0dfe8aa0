"""`make run` on a machine that has just been set up, with stand-ins for Python so that nothing is downloaded."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.store import PATIENCE, eventually

ROOT = Path(__file__).parents[3]

# Believes to be older than it is.
PYTHON_3_9 = f"""#!/bin/sh
[ "$1" = -c ] || exit 1
exec {sys.executable} -c 'import sys; sys.version_info = (3, 9, 18); exec(sys.argv[1])' "$2"
"""

PYTHON_WITHOUT_VENV = f"""#!/bin/sh
case "$*" in *ensurepip*) exit 1;; esac
exec {sys.executable} "$@"
"""

# Makes environments that consist of itself; writes down what it is asked to do; serves by waiting for a signal.
GOOD_PYTHON = f"""#!/bin/sh
case "$*" in
*"-m venv"*) mkdir -p env/bin; cp "$0" env/bin/python; cp "$0" env/bin/turncoat; echo "venv" >> calls;;
*"-m pip install"*) echo "$*" >> calls;;
*"-m pip"*) ;;
*serve*) echo "$*" >> calls; trap 'trap "" TERM INT; echo ended >> calls; exit 0' TERM INT
    while :; do sleep 0.05; done;;
*) exec {sys.executable} "$@";;
esac
"""


@pytest.fixture
def project(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    return tmp_path


def python(project, name, text):
    program = project / name
    program.write_text(text)
    program.chmod(0o755)
    return f"./{name}"


def make(project, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PORT"))}
    return subprocess.Popen(
        ["make", "VENV=env", *arguments],
        cwd=project,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def outcome(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def calls(project):
    file = project / "calls"
    return file.read_text().splitlines() if file.exists() else []


def test_make_alone_lists_the_commands(project):
    code, out, _ = outcome(make(project))
    assert code == 0
    for command in ("run", "test", "lint"):
        assert f"  make {command} " in out
    assert not (project / "env").exists()


@pytest.mark.parametrize("kind", ["none", "old"])
def test_no_python_that_is_recent_enough(project, kind):
    name = python(project, "python3.9", PYTHON_3_9) if kind == "old" else "/bin/false no-such-python"
    code, out, err = outcome(make(project, "run", f"PYTHON={name}"))
    assert code != 0
    message = err.splitlines()[0]
    assert message.startswith(f"Turncoat needs Python 3.11 or later, and none of these is one: {name}.")
    assert "apt install python3" in message
    assert out == ""
    assert not (project / "env").exists()


def test_no_venv_module(project):
    code, _, err = outcome(make(project, "run", f"PYTHON={python(project, 'bare', PYTHON_WITHOUT_VENV)}"))
    assert code != 0
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    message = err.splitlines()[0]
    assert message.startswith("Python's venv module is missing for ./bare: install it")
    assert f"python{version}-venv" in message


def serve_once(project, number, *arguments):
    good = python(project, "good", GOOD_PYTHON)
    old = python(project, "python3.9", PYTHON_3_9)
    bare = python(project, "bare", PYTHON_WITHOUT_VENV)
    before = len(calls(project))
    process = make(project, "run", f"PYTHON={old} {bare} {good}", *arguments)
    try:
        eventually(lambda: any("serve" in call for call in calls(project)[before:]), "the service")
        os.killpg(process.pid, number)
        _, _, err = outcome(process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert "Traceback" not in err
    return calls(project)[before:]


def test_the_first_fitting_python_is_taken_and_locks_are_heeded(project):
    first = serve_once(project, signal.SIGINT)
    assert first[0] == "venv"
    assert "--require-hashes --requirement requirements.txt" in first[1]
    assert "--no-deps --no-build-isolation --editable ." in first[2]
    assert first[3:] == ["serve", "ended"]


def test_nothing_is_installed_again_until_a_lock_changes(project):
    serve_once(project, signal.SIGTERM)
    assert serve_once(project, signal.SIGTERM, "PORT=9000") == ["serve --port 9000", "ended"]
    later = (project / "env" / ".installed").stat().st_mtime + 5
    os.utime(project / "requirements.txt", (later, later))
    again = serve_once(project, signal.SIGTERM)
    assert "venv" not in again
    assert "--require-hashes" in again[0]


def test_an_interpreter_that_has_gone_is_replaced(project):
    serve_once(project, signal.SIGTERM)
    (project / "env" / "bin" / "python").unlink()
    assert serve_once(project, signal.SIGTERM)[0] == "venv"


def test_no_registry_is_named():
    text = (ROOT / "Makefile").read_text()
    assert "index-url" not in text
    assert "://" not in text
