"""`turncoat serve` while all goes well: what it starts, what the workers get, what it keeps."""

from __future__ import annotations

import re
import socket
import stat
from importlib.metadata import version
from pathlib import Path

import pytest
from support.settings import secrets_in_the_environment
from support.store import StoreServer, eventually

SECRETS = secrets_in_the_environment()
FILES = {"keys": "token-keys", "id_secret": "id-secret"}


def test_it_says_where_it_serves_once_it_answers(serve, tmp_path):
    server = serve("--workers", "2")
    assert server.get("/") == {"count": 1}
    port = server.address.rpartition(":")[2]
    assert server.said == (
        f"Turncoat serves http://127.0.0.1:{port}  (docs: http://127.0.0.1:{port}/docs)\n"
        f"  version {version('turncoat')}, 2 workers, rate limits on\n"
        f"  store: embedded Valkey, appendonly on, data in {tmp_path / 'data'}\n"
        f"  set: TURNCOAT_DATA={tmp_path / 'data'}\n"
        "  set: TURNCOAT_PORT=0\n"
        "  Ctrl-C ends it\n"
    )
    assert server.complaints == ""


def test_the_store_is_safe_and_reached_by_nobody_else(serve, tmp_path, sockets):
    seen = serve().look()
    assert seen["configuration"] == {
        "appendonly": "yes",
        "appendfsync": "always",
        "maxmemory-policy": "noeviction",
        "dir": str(tmp_path / "data" / "store"),
    }
    assert seen["tcp_port"] == 0
    where = Path(seen["socket"])
    assert where.is_relative_to(sockets)
    assert stat.S_IMODE(where.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_gevent_patches_first_and_many_clients_may_wait(serve):
    seen = serve().look()
    assert seen["patched"]
    assert seen["already_imported"] == []
    limits = Path(f"/proc/{seen['worker']}/limits")
    if limits.exists():
        soft, hard = next(line.split()[3:5] for line in limits.read_text().splitlines() if "open files" in line)
        assert int(soft) == min(int(hard) if hard.isdigit() else 65_536, 65_536)


def test_what_is_done_beside_the_requests_is_started_in_the_workers(serve):
    server = serve()
    eventually(lambda: server.look()["swept"] > 1, "what is done now and then")


def test_options_override_settings_for_the_workers_too(serve):
    server = serve("--workers", "3", TURNCOAT_WORKERS="7", TURNCOAT_MAX_BODY="2048")
    assert ", 3 workers," in server.said
    assert "  set: TURNCOAT_WORKERS=3\n  set: TURNCOAT_MAX_BODY=2048\n" in server.said
    settings = server.look()["settings"]
    assert settings["TURNCOAT_WORKERS"] == "3"
    assert settings["TURNCOAT_MAX_BODY"] == "2048"


def test_data_and_secrets_outlast_a_restart(serve, tmp_path):
    first = serve()
    assert [first.get("/")["count"] for _ in range(3)] == [1, 2, 3]
    made = {name: first.look()[name] for name in FILES}
    for name, kept in FILES.items():
        file = tmp_path / "data" / kept
        assert file.read_text().strip() == made[name]
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first.stop()
    second = serve()
    assert second.get("/") == {"count": 4}
    assert {name: second.look()[name] for name in FILES} == made


@pytest.mark.parametrize("name", FILES)
def test_a_secret_that_is_set_wins_and_none_is_made(serve, tmp_path, name):
    variable = {"keys": "TURNCOAT_TOKEN_KEYS", "id_secret": "TURNCOAT_ID_SECRET"}[name]
    assert serve(**{variable: SECRETS[variable]}).look()[name] == SECRETS[variable]
    made = {file for file in FILES.values() if (tmp_path / "data" / file).exists()}
    assert made == set(FILES.values()) - {FILES[name]}


def test_with_an_issuer_no_token_keys_are_made_and_its_file_is_found(serve, tmp_path):
    folder = tmp_path / "server-0"
    folder.mkdir()
    (folder / "jwks.json").write_text("{}")
    server = serve(TURNCOAT_ISSUER="i", TURNCOAT_AUDIENCE="a", TURNCOAT_KEY_SET="jwks.json", TURNCOAT_TOKEN_KEYS="")
    assert server.look()["settings"]["TURNCOAT_KEY_SET"] == str(folder / "jwks.json")
    assert not (tmp_path / "data" / "token-keys").exists()
    assert (tmp_path / "data" / "id-secret").exists()


def test_a_data_folder_deeper_than_a_socket_path_may_be(serve, tmp_path):
    deep = tmp_path / ("d" * 60) / ("e" * 60) / ("f" * 60)
    server = serve(TURNCOAT_DATA=str(deep))
    assert server.get("/") == {"count": 1}
    assert (deep / "store" / "appendonlydir").is_dir()


def test_a_deep_folder_for_temporary_files(serve, sockets, tmp_path):
    deep = tmp_path / ("t" * 100)
    deep.mkdir()
    server = serve(TMPDIR=str(deep))
    folder = Path(server.look()["socket"]).parent
    assert len(str(folder)) < 90
    server.stop()
    assert not folder.exists()
    assert list(deep.iterdir()) == []


def test_a_data_folder_relative_to_where_the_command_is_run(serve):
    server = serve(TURNCOAT_DATA="here")
    assert (server.out.parent / "here" / "token-keys").exists()
    assert server.look()["settings"]["TURNCOAT_DATA"] == str(server.out.parent / "here")


def test_modules_that_lie_where_the_command_is_run_do_no_harm(serve, tmp_path):
    here = tmp_path / "server-0"
    (here / "service").mkdir(parents=True)
    for name in ("service/__init__.py", "redis.py", "gunicorn.py"):
        (here / name).write_text("raise RuntimeError")
    assert serve().get("/") == {"count": 1}


def test_with_a_store_of_ones_own_nothing_is_embedded(serve, tmp_path):
    store = StoreServer()
    store.start()
    try:
        server = serve(REDIS_URL=store.url, **SECRETS)
        assert server.get("/") == {"count": 1}
        where = re.escape(store.url.removeprefix("unix://"))
        assert re.search(rf"  store: {where} \((Redis|Valkey) [0-9.]+, appendonly on\)\n", server.said)
        assert not (tmp_path / "data").exists()
    finally:
        store.close()


def test_the_password_of_the_store_is_not_printed(serve):
    server = serve(REDIS_URL="rediss://anna:hunter2@store.example:6380/0", **SECRETS)
    assert "  store: store.example (not there yet)\n" in server.said
    assert "hunter2" not in server.said + server.complaints


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_ipv6(serve):
    server = serve("--host", "::1")
    assert server.address.startswith("http://[::1]:")
    assert server.get("/") == {"count": 1}


def test_listening_everywhere_names_an_address_that_opens(serve):
    server = serve("--host", "0.0.0.0")
    assert server.address.startswith("http://127.0.0.1:")
    assert server.get("/") == {"count": 1}
