"""The keys of an identity provider: which are taken, when they are read again, and what holds while they cannot be."""

from __future__ import annotations

import json
import logging
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.issuer import Provider, key_set, provider, published
from support.store import PATIENCE

from service import key_set as module
from service.key_set import APART, OLD, KeySet, KeySetUnavailable, keys_of, reading
from service.settings import BadSetting

ONE, TWO = published("ES256", "k1"), published("ES256", "k2", which=1)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Source:
    """What is published; counts how often it is read."""

    def __init__(self, *entries) -> None:
        self.publish(*entries)
        self.times = 0
        self.failure: Exception | None = None

    def publish(self, *entries) -> None:
        self.body = key_set(*entries)

    def __call__(self) -> bytes:
        self.times += 1
        if self.failure is not None:
            raise self.failure
        return self.body


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def source() -> Source:
    return Source(ONE)


@pytest.fixture
def keys(source: Source, clock: Clock) -> KeySet:
    return KeySet(source, clock)


# --- which keys are taken ---


@pytest.mark.parametrize(
    ("algorithm", "good_for"),
    [
        ("RS256", ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")),
        ("ES256", ("ES256",)),
        ("ES384", ("ES384",)),
        ("ES512", ("ES512",)),
        ("EdDSA", ("EdDSA",)),
        ("Ed448", ("EdDSA",)),
    ],
)
def test_a_key_is_good_for_the_algorithms_of_its_kind(algorithm: str, good_for: tuple[str, ...]):
    (key,) = keys_of(key_set(published(algorithm, "k")))
    assert (key.id, key.algorithms) == ("k", good_for)


def test_a_key_that_names_its_algorithm_is_good_for_no_other():
    assert keys_of(key_set(published("RS256", "k", alg="PS384")))[0].algorithms == ("PS384",)


@pytest.mark.parametrize(
    "entry",
    [
        {"kty": "oct", "kid": "k", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},
        {"kty": "oct", "kid": "k", "k": "c2VjcmV0", "alg": "HS256"},
        {**ONE, "alg": "HS256"},
        {**ONE, "alg": "none"},
        {**ONE, "alg": "ES384"},
        {**ONE, "use": "enc"},
        {**ONE, "key_ops": ["encrypt"]},
        {**ONE, "crv": "P-384"},
        {**ONE, "x": "AAAA"},
        {**ONE, "kid": 7},
        {**ONE, "key_ops": None},
        {name: value for name, value in ONE.items() if name != "y"},
        {name: value for name, value in ONE.items() if name != "kty"},
        published("RSA 1024", "k"),
        published("ES256K", "k"),
        {**published("EdDSA", "k"), "crv": "X25519"},
        {**published("RS256", "k"), "n": "not base64 \xe4"},
        {},
    ],
    # Not by what is in them: the keys are new in every process, and all must name the tests alike.
    ids=[*"abcdefghijklmnopqr"],
)
def test_what_cannot_check_a_signature_of_ours_is_passed_over(entry: dict):
    assert [key.id for key in keys_of(key_set(entry, TWO))] == ["k2"]
    with pytest.raises(ValueError, match="no key in the key set"):
        keys_of(key_set(entry))


@pytest.mark.parametrize(
    "body",
    [
        *[b"", b"<html>", b"[]", b"{}", b"null", b'{"keys": 7}', b'{"keys": [7]}', b'{"keys": {"kty": 1}}'],
        *[b'{"keys": []}', b"\xff", b"[" * 100_000, b'{"keys": [' + b"9" * 5000 + b"]}"],
    ],
    ids=lambda body: str(body[:20]),
)
def test_what_is_no_key_set(body: bytes):
    with pytest.raises(ValueError, match="no key"):
        keys_of(body)


# --- when the set is read ---


def test_it_is_read_when_it_is_first_needed_and_remembered(keys: KeySet, source: Source):
    assert source.times == 0
    for _ in range(5):
        assert keys.find("k1").id == "k1"
    assert source.times == 1


def test_it_is_read_again_when_it_is_old(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    clock.now += OLD - 1
    keys.find("k1")
    assert source.times == 1
    clock.now += 1
    keys.find("k1")
    assert source.times == 2


def test_a_key_that_was_withdrawn_is_forgotten(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    before = keys.version()
    source.publish(TWO)
    clock.now += OLD
    assert keys.version() != before
    assert keys.find("k1") is None
    assert keys.find("k2").id == "k2"


def test_the_version_stays_as_long_as_the_keys_do(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    before = keys.version()
    source.body = json.dumps({"keys": [dict(reversed(ONE.items()))]}).encode()
    clock.now += OLD
    assert keys.version() == before
    assert source.times == 2


def test_a_new_key_is_known_at_once(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    source.publish(ONE, TWO)
    clock.now += APART
    assert keys.find("k2").id == "k2"


def test_a_flood_of_unknown_keys_causes_no_flood_of_reading(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    for second in range(100):
        clock.now += 1
        for number in range(50):
            assert keys.find(f"unknown-{second}-{number}") is None
        assert keys.find("k1").id == "k1"
    assert source.times <= 1 + 100 / APART


def test_a_key_of_the_same_name_replaces_the_other(keys: KeySet, source: Source, clock: Clock):
    before, version = keys.find("k1"), keys.version()
    source.publish({**TWO, "kid": "k1"})
    clock.now += OLD
    assert keys.find("k1") != before
    assert keys.version() != version


def test_a_token_without_a_name_is_checked_by_the_only_key(keys: KeySet, source: Source, clock: Clock):
    assert keys.find(None).id == "k1"
    source.publish(ONE, TWO)
    clock.now += OLD
    assert keys.find(None) is None
    source.publish(ONE, published("ES256", None, which=1))
    clock.now += OLD
    assert keys.find(None).id is None


# --- while it cannot be read ---

FAILURES = [OSError("https://user:hunter2@id.example"), TimeoutError(), ConnectionRefusedError()]


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_known_keys_go_on_working(keys: KeySet, source: Source, clock: Clock, failure: Exception):
    keys.find("k1")
    source.failure = failure
    for _ in range(100):
        clock.now += OLD
        assert keys.find("k1").id == "k1"
        with pytest.raises(KeySetUnavailable):
            keys.find("k2")


def test_a_useless_answer_is_as_good_as_none(keys: KeySet, source: Source, clock: Clock):
    keys.find("k1")
    source.body = b"<html>"
    clock.now += OLD
    assert keys.find("k1").id == "k1"
    with pytest.raises(KeySetUnavailable):
        keys.find("k2")


def test_attempts_lie_apart_also_when_they_fail(keys: KeySet, source: Source, clock: Clock):
    source.failure = OSError()
    for _ in range(100):
        clock.now += 1
        for key_id in ("k1", "k2", None):
            with pytest.raises(KeySetUnavailable):
                keys.find(key_id)
        keys.version()
    assert source.times <= 1 + 100 / APART


def test_once_it_can_be_read_again_all_is_well(keys: KeySet, source: Source, clock: Clock):
    source.failure = OSError()
    with pytest.raises(KeySetUnavailable):
        keys.find("k1")
    source.failure = None
    with pytest.raises(KeySetUnavailable):
        keys.find("k1")
    clock.now += APART
    assert keys.find("k1").id == "k1"
    assert keys.find("k2") is None


def test_a_failure_is_logged_without_its_words(keys: KeySet, source: Source, caplog: pytest.LogCaptureFixture):
    source.failure = FAILURES[0]
    with caplog.at_level(logging.DEBUG), pytest.raises(KeySetUnavailable):
        keys.find("k1")
    assert "OSError" in caplog.text
    assert "hunter2" not in caplog.text


# --- many at once ---


def test_one_reads_for_all_who_wait(clock: Clock):
    begun, go_on = threading.Event(), threading.Event()
    source = Source(ONE)

    def slow() -> bytes:
        begun.set()
        assert go_on.wait(PATIENCE)
        return source()

    keys = KeySet(slow, clock)
    with ThreadPoolExecutor(20) as pool:
        found = [pool.submit(keys.find, key_id) for key_id in ["k1", "k2"] * 10]
        assert begun.wait(PATIENCE)
        go_on.set()
        assert [key.result() and key.result().id for key in found] == ["k1", None] * 10
    assert source.times == 1


def test_nobody_waits_for_keys_that_are_known(clock: Clock):
    """Somebody reads the old set again, and it takes long; all others go on with what there is."""
    source, begun, go_on = Source(ONE), threading.Event(), threading.Event()
    keys = KeySet(source, clock)
    keys.find("k1")
    clock.now += OLD

    def slow() -> bytes:
        begun.set()
        assert go_on.wait(PATIENCE)
        return source.body

    keys._read = slow
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(keys.find, "k1")
        assert begun.wait(PATIENCE)
        assert keys.find("k1").id == "k1"
        assert not first.done()
        go_on.set()
        assert first.result().id == "k1"


def test_who_waits_too_long_is_told_so(keys: KeySet, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.01)
    with keys._reading, pytest.raises(KeySetUnavailable):
        keys.find("k1")


# --- where it is read from ---


@pytest.fixture
def serving():
    with provider() as serving:
        yield serving


def test_a_set_comes_over_http(serving: Provider):
    assert reading(serving.address)() == serving.body


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirection_is_not_followed(serving: Provider, status: int):
    serving.status, serving.headers = status, {"Location": serving.address}
    with pytest.raises(OSError, match=str(status)):
        reading(serving.address)()
    assert serving.asked == 1


@pytest.mark.parametrize("status", [400, 404, 500, 503])
def test_an_error_is_one(serving: Provider, status: int):
    serving.status = status
    with pytest.raises(OSError, match=str(status)):
        reading(serving.address)()


def test_a_set_has_an_end(serving: Provider):
    serving.body = b" " * (1024 * 1024 + 1)
    with pytest.raises(OSError, match="too long"):
        reading(serving.address)()


def test_nobody_is_there():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(OSError, match="refused"):
        reading(f"http://127.0.0.1:{port}/")()


def test_whoever_is_there_speaks_no_http():
    with socket.create_server(("127.0.0.1", 0)) as server:

        def babble() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-OpenSSH\r\n\r\n")

        thread = threading.Thread(target=babble)
        thread.start()
        with pytest.raises(OSError, match="no proper answer"):
            reading(f"http://127.0.0.1:{server.getsockname()[1]}/")()
        thread.join()


def test_no_proxy_leads_to_this_machine(serving: Provider, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert reading(serving.address)() == serving.body


def test_a_file_will_do(tmp_path):
    file = tmp_path / "jwks.json"
    file.write_bytes(key_set(ONE))
    keys = module.key_set(str(file))
    assert keys.find("k1").id == "k1"


@pytest.mark.parametrize("body", [None, b"", b'{"keys": []}'])
def test_a_file_has_to_be_there_and_good(tmp_path, body: bytes | None):
    file = tmp_path / "jwks.json"
    if body is not None:
        file.write_bytes(body)
    with pytest.raises(BadSetting, match="TURNCOAT_KEY_SET"):
        module.key_set(str(file))


def test_a_provider_may_be_down_while_we_start():
    with pytest.raises(KeySetUnavailable):
        module.key_set("http://127.0.0.1:9/").find("k1")
