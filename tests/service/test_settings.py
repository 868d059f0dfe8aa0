"""Every setting is read from the environment, and what is wrong is named."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import fields
from pathlib import Path

import pytest

from service.setting_checks import check_store_files, has_issuer, look
from service.setting_values import parse_token_keys
from service.settings import BadSetting, Settings, TokenKey, absolute_files, read_settings, variable

SECRET = "hunter2-hunter2-hunter2-hunter2-"

EXAMPLES = {
    "redis_url": (f"redis://:{SECRET}@store.example/0", f"redis://:{SECRET}@store.example/0"),
    "data": ("/var/lib/turncoat", Path("/var/lib/turncoat")),
    "host": ("0.0.0.0", "0.0.0.0"),
    "port": ("0", 0),
    "workers": ("5", 5),
    "token_keys": (f"new:{SECRET},old:{SECRET}", (TokenKey("new", SECRET), TokenKey("old", SECRET))),
    "token_lifetime": ("61", 61),
    "issuer": ("https://id.example/realms/games", "https://id.example/realms/games"),
    "audience": ("turncoat", "turncoat"),
    "key_set": ("https://id.example:8443/jwks?x=1", "https://id.example:8443/jwks?x=1"),
    "id_secret": (f" {SECRET}\n", SECRET),
    "open_lifetime": ("62", 62),
    "playing_lifetime": ("63", 63),
    "finished_lifetime": ("64", 64),
    "sweep_interval": ("0.5", 0.5),
    "sweep_metrics_port": ("9100", 9100),
    "matches_per_player": ("65", 65),
    "store_timeout": ("0.25", 0.25),
    "store_connections": ("7", 7),
    "store_replicas": ("2", 2),
    "store_ca": (__file__, Path(__file__)),
    "store_certificate": (__file__, Path(__file__)),
    "store_key": (__file__, Path(__file__)),
    "sentinel_user": ("watcher", "watcher"),
    "sentinel_password": (SECRET, SECRET),
    "drain_seconds": ("5", 5.0),
    "stream_heartbeat": ("0.5", 0.5),
    "stream_longest": ("1.5", 1.5),
    "streams_at_once": ("3", 3),
    "max_body": ("2048", 2048),
    "proxies": ("2", 2),
    "cors_origins": (
        "https://Play.example, http://localhost:5173,capacitor://localhost,http://[::1]:81,",
        ("https://play.example", "http://localhost:5173", "capacitor://localhost", "http://[::1]:81"),
    ),
    "log_format": ("text", "text"),
    "log_level": ("warning", "warning"),
    "traces": ("on", True),
    "table": ("off", False),
    "limits": ("off", False),
    "limits_timeout": ("0.5", 0.5),
    "limit_reads": ("30/minute", "30/minute"),
    "limit_moves": ("", ""),
    "limit_guests_per_address": ("7 per 10 minutes", "7 per 10 minutes"),
    "limit_matches": ("2/minute;5/hour", "2/minute;5/hour"),
    "limit_matches_per_address": ("3/second", "3/second"),
    "limit_join_codes": ("4/day", "4/day"),
    "limit_join_codes_per_address": ("8/hour", "8/hour"),
    "limit_misses": ("9/minute", "9/minute"),
    "limit_misses_per_address": ("90/minute", "90/minute"),
}

BAD = {
    "redis_url": [
        *["hunter2", "http://:hunter2@store.example", "redis:hunter2", "://hunter2", "redis://[hunter2", "redis://"],
        *["redis://:hunter2@a.example:port", "redis://:hunter2@a.example:6379,b.example:6379", "redis://a:hunter2@"],
        *["unix://", "redis+sentinel://:hunter2@a.example", "redis+sentinel://:hunter2@a.example:1,/main"],
        *["redis+sentinel://hunter2@a.example/main", "redis+sentinel://:hunter2@a.example/main/one"],
        *["redis+sentinel://:hunter2@a.example:0/main", "redis+sentinel://:hunter2@a.example/main?password=hunter2"],
        *["redis+cluster://:hunter2@a.example/0", "redis+cluster://", "redis+cluster://:hunter2@", "redis+unix:///a"],
    ],
    "port": ["65536", "-1", "http", "", "80.5"],
    "workers": ["0", "65", "two"],
    "token_keys": ["secret", ":", f"bad id:{SECRET}", f":{SECRET}", "short:hunter2", f"a:{SECRET},a:{SECRET}"],
    "token_lifetime": ["0", "-5", "a day"],
    "key_set": [
        *[
            "http://id.example/jwks",
            "http://127.evil.example/jwks",
            "http://localhost.evil.example/",
            "ftp://id.example/",
        ],
        *["file:///etc/jwks.json", "https://", "https://anna:hunter2@id.example/", "https://id.example:port/", "://"],
        *["https://[hunter2/", "http://10.0.0.1/", "http://[fe80::1]/"],
    ],
    "id_secret": ["hunter2", f"{' ' * 32}hunter2"],
    "open_lifetime": ["0", "x"],
    "playing_lifetime": ["0", "x"],
    "finished_lifetime": ["0", "x"],
    "sweep_interval": ["-1", "never", "nan"],
    "sweep_metrics_port": ["65536", "-1", "http", ""],
    "matches_per_player": ["0", "-1", "many"],
    "store_timeout": ["0", "-1", "soon", "nan"],
    "store_connections": ["0", "x"],
    "store_replicas": ["-1", "17", "all"],
    "store_ca": ["/nowhere/ca.pem", "/"],
    "store_certificate": ["/nowhere/certificate.pem"],
    "store_key": ["/nowhere/key.pem"],
    "drain_seconds": ["-1", "21", "long"],
    "stream_heartbeat": ["0", "-1", "often", "nan"],
    "stream_longest": ["0", "-1", "long", "nan"],
    "streams_at_once": ["0", "x"],
    "max_body": ["1023", "x"],
    "proxies": ["-1", "17", "one", ""],
    "cors_origins": [
        *["*", "https://*.example", "https://play.example/", "https://play.example/app", "play.example", "null"],
        *["https://", "https://a.example https://b.example", "https://play.example:443", "http://play.example:80"],
        *["https://play.example:0", "https://play.example:port", "https://ann@play.example", "https://play\\.example"],
        *["https://(a|b).example", "https://play.example?", "https://.example", "https://bücher.example", "^https://a"],
        *["https://a.example,*", "https://a.example\nhttps://b.example", "//play.example", "https://[play.example]"],
    ],
    "log_format": ["", "xml", "JSON"],
    "log_level": ["", "debug", "all"],
    "traces": ["", "perhaps"],
    "table": ["", "perhaps"],
    "limits": ["", "perhaps"],
    "limits_timeout": ["0", "nan", "soon"],
    "limit_reads": ["often", "0/minute", "20/minute;30/minute", "1/minute\nhunter3"],
    "limit_moves": ["20"],
    "limit_guests_per_address": ["20/fortnight"],
    "limit_matches": ["20/minute;"],
    "limit_matches_per_address": ["-1/minute"],
    "limit_join_codes": ["1/year"],
    "limit_join_codes_per_address": ["1.5/minute"],
    "limit_misses": [";"],
    "limit_misses_per_address": ["/minute"],
}


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch):
    for name in os.environ:
        if name.startswith("TURNCOAT_") or name == "REDIS_URL":
            monkeypatch.delenv(name)


def test_without_any_the_defaults_hold():
    assert read_settings() == Settings()


def test_there_is_an_example_of_every_setting():
    assert set(EXAMPLES) == {setting.name for setting in fields(Settings)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_is_read(monkeypatch, name):
    text, value = EXAMPLES[name]
    monkeypatch.setenv(variable(name), text)
    assert getattr(read_settings(), name) == value
    others = [setting.name for setting in fields(Settings) if setting.name != name]
    assert [getattr(read_settings(), other) for other in others] == [getattr(Settings(), other) for other in others]


def test_an_empty_url_is_none(monkeypatch):
    monkeypatch.setenv("REDIS_URL", "")
    assert read_settings().redis_url is None


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in BAD.items() for text in texts])
def test_what_is_wrong_is_named(monkeypatch, name, text):
    monkeypatch.setenv(variable(name), text)
    with pytest.raises(BadSetting, match=variable(name)) as refused:
        read_settings()
    assert "hunter2" not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["TURNCOAT_PROT", "TURNCOAT_REDIS_URL", "TURNCOAT_"])
def test_an_unknown_name_is_refused(monkeypatch, name):
    monkeypatch.setenv(name, "1")
    with pytest.raises(BadSetting, match=f"^{name}: there is no such setting"):
        read_settings()


def test_all_that_is_wrong_is_named_at_once(monkeypatch):
    for name, text in {"PORT": "http", "PROT": "80", "WORKERS": "0", "TOKEN_KEYS": "hunter2"}.items():
        monkeypatch.setenv(f"TURNCOAT_{name}", text)
    with pytest.raises(BadSetting) as refused:
        read_settings()
    named = [line.partition(":")[0] for line in str(refused.value).splitlines()]
    assert named == [f"TURNCOAT_{name}" for name in ("PROT", "PORT", "WORKERS", "TOKEN_KEYS")]
    assert "is TURNCOAT_PORT meant?" in str(refused.value)


def test_what_is_wrong_between_settings_is_named_with_the_rest(monkeypatch):
    monkeypatch.setenv("REDIS_URL", "redis://store.example")
    monkeypatch.setenv("TURNCOAT_TOKEN_KEYS", "hunter2")
    monkeypatch.setenv("TURNCOAT_STORE_CA", __file__)
    settings, wrong = look()
    assert settings.redis_url == "redis://store.example"
    assert [complaint.variable for complaint in wrong] == [
        "TURNCOAT_TOKEN_KEYS",
        "TURNCOAT_ID_SECRET",
        "TURNCOAT_STORE_CA",
    ], "each once: what cannot be read is not called missing, too"


def test_an_embedded_store_needs_nothing():
    assert look() == (Settings(), [])


def test_no_secret_shows_when_settings_are_printed(monkeypatch):
    for name in ("redis_url", "token_keys", "id_secret", "sentinel_password"):
        monkeypatch.setenv(variable(name), EXAMPLES[name][0])
    settings = read_settings()
    shown = f"{settings!r} {settings} {settings.token_keys!r}"
    assert "hunter2" not in shown
    assert "new" in repr(settings.token_keys)


def test_keys_may_be_spaced_and_end_with_a_comma():
    assert parse_token_keys(f" a:{SECRET}, b:{SECRET},", "keys") == (TokenKey("a", SECRET), TokenKey("b", SECRET))


def test_a_secret_may_contain_colons():
    assert parse_token_keys(f"a:{SECRET}:x", "keys") == (TokenKey("a", f"{SECRET}:x"),)


@pytest.mark.parametrize(
    "text",
    ["http://localhost:8080/jwks", "http://127.0.0.1/", "http://127.9.9.9/", "http://[::1]:80/", "jwks.json", "/a/b"],
)
def test_a_key_set_may_be_on_this_machine(monkeypatch, text):
    monkeypatch.setenv("TURNCOAT_KEY_SET", text)
    assert read_settings().key_set == text


def test_an_issuer_needs_all_three():
    whole = Settings(issuer="i", audience="a", key_set="https://k.example/")
    assert has_issuer(whole)
    assert not has_issuer(Settings())
    for missing in (["issuer"], ["audience"], ["key_set"], ["issuer", "audience"], ["audience", "key_set"]):
        with pytest.raises(BadSetting, match=f"^{variable(missing[0])} is not set"):
            has_issuer(dataclasses.replace(whole, **dict.fromkeys(missing)))


@pytest.mark.parametrize(
    ("url", "files", "words"),
    [
        ("redis://store.example", {"store_ca": Path("ca")}, "TURNCOAT_STORE_CA is set, but REDIS_URL"),
        ("unix:///store.sock", {"store_key": Path("key")}, "TURNCOAT_STORE_KEY is set, but REDIS_URL"),
        ("redis+cluster://a.example", {"store_ca": Path("ca")}, "so there is no TLS"),
        ("rediss://store.example", {"store_key": Path("key")}, "need each other"),
        ("rediss+cluster://a.example", {"store_certificate": Path("certificate")}, "need each other"),
    ],
)
def test_files_for_tls_must_be_of_use(url: str, files: dict[str, Path], words: str):
    with pytest.raises(BadSetting, match=words):
        check_store_files(Settings(redis_url=url, **files))


def test_files_for_tls_that_are_of_use():
    pair = {"store_certificate": Path("certificate"), "store_key": Path("key")}
    for files in ({}, {"store_ca": Path("ca")}, pair, {"store_ca": Path("ca"), **pair}):
        check_store_files(Settings(redis_url="rediss+sentinel://a.example/main", **files))
    check_store_files(Settings(redis_url="redis://a.example"))


def test_a_file_with_a_key_set_is_found_from_another_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert absolute_files(Settings()) == absolute_files(Settings(key_set="https://k.example/")) == {}
    assert absolute_files(Settings(key_set="jwks.json")) == {"TURNCOAT_KEY_SET": str(tmp_path / "jwks.json")}
    assert absolute_files(Settings(store_ca=Path("ca.pem"))) == {"TURNCOAT_STORE_CA": str(tmp_path / "ca.pem")}
