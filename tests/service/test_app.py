"""What an application cannot do without."""

from __future__ import annotations

import dataclasses

import pytest
from support.settings import settings_on

from service.app import create_app
from service.settings import BadSetting


@pytest.mark.parametrize(
    ("missing", "variable"),
    [
        ({"redis_url": None}, "REDIS_URL"),
        ({"token_keys": ()}, "TURNCOAT_TOKEN_KEYS"),
        ({"id_secret": None}, "TURNCOAT_ID_SECRET"),
    ],
)
def test_it_is_not_made_without_a_store_or_a_secret(missing, variable):
    with pytest.raises(BadSetting, match=f"^{variable} is not set$"):
        create_app(dataclasses.replace(settings_on("redis://nowhere.invalid"), **missing))
