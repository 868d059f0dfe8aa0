"""The launcher's parts that can be told apart without a running service."""

from __future__ import annotations

import os
import resource
import signal
import stat

import pytest

from service.launcher import LaunchError, embedded, web
from service.launcher.announcing import name_of_store
from service.launcher.console import say
from service.launcher.folder import DataFolder
from service.launcher.keys import keep_id_secret, keep_token_keys
from service.launcher.signals import Signals
from service.setting_values import parse_token_keys
from service.settings import BadSetting


def test_keys_are_made_once_and_private(tmp_path):
    file = tmp_path / "token-keys"
    made = keep_token_keys(file)
    (key,) = parse_token_keys(made, "keys")
    assert len(key.secret) >= 43
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert keep_token_keys(file) == made
    assert keep_token_keys(tmp_path / "others") != made


def test_a_secret_for_ids_is_made_once_and_private(tmp_path):
    file = tmp_path / "id-secret"
    made = keep_id_secret(file)
    assert len(made) >= 43
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert keep_id_secret(file) == made
    assert keep_id_secret(tmp_path / "another") != made


def test_an_interrupted_attempt_at_making_keys_does_no_harm(tmp_path):
    (tmp_path / "token-keys.draft").write_text("half:a sec")
    made = keep_token_keys(tmp_path / "token-keys")
    assert parse_token_keys(made, "keys")
    assert [file.name for file in tmp_path.iterdir()] == ["token-keys"]


def test_keys_are_never_readable_for_others_while_they_are_written(tmp_path, monkeypatch):
    modes = []
    monkeypatch.setattr(os, "fsync", lambda file: modes.append(stat.S_IMODE(os.fstat(file).st_mode)))
    before = os.umask(0)
    try:
        keep_token_keys(tmp_path / "token-keys")
    finally:
        os.umask(before)
    assert modes == [0o600]


def test_a_mode_that_a_volume_has_widened_is_narrowed(tmp_path):
    file = tmp_path / "token-keys"
    made = keep_token_keys(file)
    file.chmod(0o660)
    assert keep_token_keys(file) == made
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_operator_may_add_a_key_to_the_file(tmp_path):
    file = tmp_path / "token-keys"
    both = f"new:{'n' * 40},old:{'o' * 40}"
    file.write_text(f"{both}\n")
    assert keep_token_keys(file) == both


@pytest.mark.parametrize(("keep", "text"), [(keep_token_keys, "old:hunter2\n"), (keep_id_secret, "hunter2\n")])
def test_a_bad_file_is_named_without_its_secrets(tmp_path, keep, text):
    file = tmp_path / "secret"
    file.write_text(text)
    with pytest.raises(BadSetting) as refused:
        keep(file)
    assert str(file) in str(refused.value)
    assert "hunter2" not in str(refused.value)


def test_a_folder_is_taken_by_one(tmp_path):
    with DataFolder(tmp_path / "data"), pytest.raises(LaunchError, match=f"process {os.getpid()}"):
        DataFolder(tmp_path / "data").__enter__()
    with DataFolder(tmp_path / "data"):
        pass


def test_signals_wake_a_wait_and_give_way_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with Signals() as signals:
        assert signals.wait(0) == []
        os.kill(os.getpid(), signal.SIGCHLD)
        assert signals.wait(5) == []
        os.kill(os.getpid(), signal.SIGTERM)
        assert signals.wait(5) == [signal.SIGTERM]
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        assert signals.wait(5).count(signal.SIGINT) >= 1
    assert signal.getsignal(signal.SIGTERM) == before


def test_nohup_is_heeded():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Signals() as signals:
            os.kill(os.getpid(), signal.SIGHUP)
            assert signals.wait(0.05) == []
    finally:
        signal.signal(signal.SIGHUP, before)


class FakeProcess:
    def __init__(self):
        self.code = None

    def poll(self):
        return self.code


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store without a process, and a clock that is set by hand."""

    class Store(embedded.EmbeddedStore):
        now = 1000.0
        starts = 0

        def start(self):
            self.starts += 1
            self._process = FakeProcess()
            self._started = self.now

        def die(self):
            self._process.code = 1

    with DataFolder(tmp_path / "data") as folder:
        made = Store(folder)
        monkeypatch.setattr(embedded.time, "monotonic", lambda: made.now)
        made.start()
        yield made


def test_a_store_that_keeps_dying_gets_longer_and_longer_pauses(store):
    pauses = []
    for _ in range(9):
        store.die()
        starts = store.starts
        pauses.append(store.tend())
        assert store.starts == starts
        store.now += pauses[-1] + 0.001
        assert store.tend() is None
        assert store.starts == starts + 1
    assert pauses[:4] == pytest.approx([0.1, 0.2, 0.4, 0.8])
    assert max(pauses) == pauses[-1] == 5.0
    store.now += 60
    store.die()
    assert store.tend() == pytest.approx(0.1)


def test_a_store_that_cannot_even_be_started_is_tried_again(store, monkeypatch, capsys):
    store.die()
    store.now += store.tend() + 0.001
    start = store.start
    monkeypatch.setattr(store, "start", lambda: (_ for _ in ()).throw(OSError("no memory")))
    assert store.tend() == 5.0
    assert store.tend() == 5.0
    assert capsys.readouterr().err.count("no memory") == 1
    monkeypatch.setattr(store, "start", start)
    store.now += 5.001
    assert store.tend() is None
    assert store.starts == 2


def test_a_long_log_is_turned_over(tmp_path):
    log = tmp_path / "store.log"
    log.write_bytes(b"x" * 1_000_001)
    embedded._turn_over(log)
    assert not log.exists()
    assert (tmp_path / "store.log.1").stat().st_size == 1_000_001


@pytest.mark.parametrize(
    ("system", "machine", "folder"),
    [("linux", "riscv64", "linux-riscv64"), ("darwin", "arm64", "darwin-arm64"), ("linux", "aarch64", "linux-aarch64")],
)
def test_a_machine_for_which_there_is_no_server(monkeypatch, system, machine, folder):
    monkeypatch.setattr(embedded.platform, "machine", lambda: machine)
    monkeypatch.setattr(embedded.platform, "system", system.capitalize)
    monkeypatch.setattr(embedded.sys, "platform", system)
    monkeypatch.setattr(embedded.os, "access", lambda *_: False)
    with pytest.raises(LaunchError, match=f"no server for {folder}.*set REDIS_URL"):
        embedded.find_binary()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://anna:hunter2@store.example:6379/0", "store.example"),
        ("rediss://:hunter2@10.0.0.1", "10.0.0.1"),
        ("unix:///run/store.sock?password=hunter2", "/run/store.sock"),
        ("redis://[hunter2", "REDIS_URL"),
        ("redis://", "REDIS_URL"),
    ],
)
def test_a_store_is_named_without_its_password(url, shown):
    assert name_of_store(url) == shown


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((1024, 4096), (4096, 4096)),
        ((1024, 1_000_000), (65_536, 1_000_000)),
        ((256, resource.RLIM_INFINITY), (65_536, resource.RLIM_INFINITY)),
        ((100_000, 1_000_000), None),
        ((4096, 4096), None),
    ],
)
def test_open_files_are_raised_within_bounds(monkeypatch, limits, expected):
    chosen = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, value: chosen.append(value))
    web.raise_open_files()
    assert chosen == ([] if expected is None else [expected])


def test_open_files_where_the_system_takes_fewer_than_it_says(monkeypatch):
    chosen = []

    def as_macos_does(_, limits):
        if limits[0] > 10_240:
            raise ValueError
        chosen.append(limits[0])

    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", as_macos_does)
    web.raise_open_files()
    assert chosen == [10_240]


def test_trouble_goes_to_standard_error(capsys):
    say("well")
    say("not so well", trouble=True)
    assert capsys.readouterr() == ("well\n", "not so well\n")
