"""Settings for an application of the tests."""

from __future__ import annotations

from typing import Any

from service.settings import Settings, TokenKey

KEY = TokenKey("tests", "a-secret-of-the-tests-that-is-long-enough")
ID_SECRET = "another-secret-of-the-tests-that-is-long-enough"


def settings_on(redis_url: str, **others: Any) -> Settings:
    """All that an application needs, on a store.

    There are no rate limits, as all tests come from one address; and requests that go well are not logged.
    """
    needed = {"token_keys": (KEY,), "id_secret": ID_SECRET, "limits": False, "log_level": "error"}
    return Settings(**{**needed, **others}, redis_url=redis_url)


def secrets_in_the_environment() -> dict[str, str]:
    """The same secrets for a running service, which would make its own only for an embedded store."""
    return {"TURNCOAT_TOKEN_KEYS": f"{KEY.id}:{KEY.secret}", "TURNCOAT_ID_SECRET": ID_SECRET}
