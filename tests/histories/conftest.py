"""An honest history to spoil."""

from __future__ import annotations

import pytest
from histories.honest import honest_history
from histories.recorded import History
from redis import Redis


@pytest.fixture(scope="module")
def played(app, store) -> History:
    """A match that is far from its end, however the cards were dealt; and one that never starts."""
    redis = Redis.from_url(store.url)
    history = honest_history(app, redis, 1, rounds=5, game="verraeter")
    redis.close()
    return history


@pytest.fixture
def history(played) -> History:
    return History(dict(played.names), list(played.calls), dict(played.outcomes))
