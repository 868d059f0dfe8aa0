"""The only part that knows Redis: its keys, one script per write, and what can go wrong with it."""

from service.store.connection import Client, StoreFull, StoreUnavailable, access, connect, subscriber
from service.store.counters import SharedCounters, StoreSlow
from service.store.feed import Feed, Listener
from service.store.indexes import Indexes
from service.store.leases import Lease, Leases
from service.store.matches import MatchStore
from service.store.noticeboard import Noticeboard
from service.store.pools import Access
from service.store.scripts import Replicas
from service.store.turns import Turns

__all__ = [
    "Access",
    "Client",
    "Feed",
    "Indexes",
    "Lease",
    "Leases",
    "Listener",
    "MatchStore",
    "Noticeboard",
    "Replicas",
    "SharedCounters",
    "StoreFull",
    "StoreSlow",
    "StoreUnavailable",
    "Turns",
    "access",
    "connect",
    "subscriber",
]
