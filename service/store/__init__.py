"""The only part that knows Redis: its keys, one script per write, and what can go wrong with it."""

from service.store.connection import StoreFull, StoreUnavailable, connect
from service.store.indexes import Indexes
from service.store.matches import MatchStore

__all__ = ["Indexes", "MatchStore", "StoreFull", "StoreUnavailable", "connect"]
