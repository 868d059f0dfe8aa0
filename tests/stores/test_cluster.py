"""A cluster: everything that the service does, slots on their way, nodes that die, replicas that must have it."""

from __future__ import annotations

import itertools
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from unittest.mock import MagicMock

import pytest
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as StoreConnectionError
from support.clients import seated
from support.evening import Stubborn, all_events, wakes, whole_evening
from support.live import LiveStream
from support.server import Server
from support.several_stores import ClusterStore, StoreNode, answers, begin_move, end_move
from support.store import PATIENCE, eventually

from service.entries import Entry
from service.store import Feed, Indexes, MatchStore, Replicas, StoreUnavailable, connect, keys, subscriber
from service.store.scripts import Unconfirmed

HOUR = 3600
_ids = (f"match-{number}" for number in itertools.count())


@pytest.fixture(scope="module")
def cluster() -> Iterator[ClusterStore]:
    """Three primaries with a replica each. Whoever stops one has it go on; only the last test kills one."""
    cluster = ClusterStore(replicas=1)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.close()


@pytest.fixture
def client(cluster: ClusterStore) -> Iterator[Redis]:
    with closing(connect(cluster.url, 3.0, 4)) as client:
        yield client


@pytest.fixture
def matches(client: Redis) -> MatchStore:
    return MatchStore(client)


@pytest.fixture
def id_() -> str:
    return next(_ids)


def replica_of(cluster: ClusterStore, primary: StoreNode) -> StoreNode:
    (found,) = [node for node in cluster.nodes if node.redis.info("replication").get("master_port") == primary.port]
    return found


def others(cluster: ClusterStore, primary: StoreNode) -> list[StoreNode]:
    """The other primaries."""
    return [node for node in cluster.nodes[:3] if node is not primary]


def test_a_whole_evening(serving: Callable[..., Server], cluster: ClusterStore):
    whole_evening(serving(cluster.url))
    for node in cluster.nodes[:3]:
        assert node.redis.dbsize() > 0, "all nodes had something to do"


def test_a_pipeline_over_all_nodes_keeps_its_order(matches: MatchStore, cluster: ClusterStore):
    written = [next(_ids) for _ in range(30)]
    for match in written:
        assert matches.write(match, None, match.encode(), b"s", lifetime=HOUR)
    assert len({cluster.owner(keys.record(match)).port for match in written}) == 3
    asked = [*written, "nowhere", *reversed(written)]
    found = [match.encode() for match in written]
    assert matches.read_records(asked) == [*found, None, *reversed(found)]


def test_indexes_of_several_nodes_are_one_list(client: Redis, cluster: ClusterStore):
    indexes = Indexes(client, HOUR)
    names = [f"lobby:{number}:open" for number in range(12)]
    assert len({cluster.owner(keys.index(name)).port for name in names}) == 3
    indexes.announce(Entry(name, number, f"m{number}") for number, name in enumerate(names))
    found = indexes.newest(names, None, 5)
    assert [place.match for place in found.places] == ["m11", "m10", "m9", "m8", "m7"]
    assert abs(found.as_of - time.time()) < PATIENCE
    assert indexes.size(names) == 12
    indexes.drop([found.entries[place][0] for place in found.places], found.as_of + 1000)
    assert indexes.size(names) == 7


def test_of_several_clocks_the_slowest_counts():
    """What was announced just now by the others would else look old enough to be dropped."""
    client = MagicMock(Redis)
    told = [[b"1000", [b"00000000002:b"]], [b"970", [b"00000000001:a"]], [b"1030", []]]
    client.pipeline.return_value.__enter__.return_value.execute.return_value = told
    assert Indexes(client, HOUR).newest(["x", "y", "z"], None, 5).as_of == 970


# --- slots on their way ---


def test_a_slot_that_moved_is_found_where_it_is(matches: MatchStore, cluster: ClusterStore, id_: str):
    assert matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    owner = cluster.owner(keys.record(id_))
    for to in (*others(cluster, owner), owner):
        cluster.move_slot(keys.record(id_), to)
        read = matches.read(id_)
        assert read is not None
        assert matches.write(id_, read, b"m", b"s", lifetime=HOUR, events=[b"e"])
    assert matches.read_events(id_, 0, 10)[1:] == ([b"e"] * 3, 3)


def test_a_slot_on_its_way_is_asked_for_at_both_ends(matches: MatchStore, cluster: ClusterStore, id_: str):
    assert matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"], moves=[b"m"])
    owner = cluster.owner(keys.record(id_))
    to = others(cluster, owner)[0]
    begin_move(cluster, keys.record(id_), to)
    try:
        for number in range(1, 4):
            read = matches.read(id_)
            assert read is not None
            assert read.version == number
            assert matches.write(id_, read, b"m", b"s", lifetime=HOUR, events=[b"e"])
        assert matches.read_records([id_, "nowhere"]) == [b"m", None]
        assert len(matches.read_logs(id_)[0]) == 4
    finally:
        end_move(cluster, keys.record(id_), to)
    assert matches.read_events(id_, 0, 10)[1:] == ([b"e"] * 4, 4)


def test_keys_that_are_half_moved_are_waited_for_and_not_for_ever(matches: MatchStore, cluster: ClusterStore, id_: str):
    """A script with some of its keys here and some there is told to try again."""
    assert matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"], moves=[b"m"])
    read = matches.read(id_)
    owner = cluster.owner(keys.record(id_))
    to = others(cluster, owner)[0]
    begin_move(cluster, keys.record(id_), to)
    to.redis.execute_command("CLUSTER SETSLOT", to.redis.execute_command("CLUSTER KEYSLOT", keys.record(id_)), "STABLE")
    slot = to.redis.execute_command("CLUSTER KEYSLOT", keys.record(id_))
    to.redis.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", owner.redis.execute_command("CLUSTER MYID"))
    owner.redis.execute_command("CLUSTER SETSLOT", slot, "STABLE")
    to_and_back = to.redis.pipeline(transaction=False)
    to_and_back.execute_command("ASKING")
    to_and_back.execute_command("MIGRATE", "127.0.0.1", owner.port, keys.moves(id_), 0, 5000)
    to_and_back.execute()
    owner.redis.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", to.redis.execute_command("CLUSTER MYID"))
    begun = time.monotonic()
    with pytest.raises(StoreUnavailable):
        matches.write(id_, read, b"m", b"s", lifetime=HOUR)
    assert time.monotonic() - begun < PATIENCE / 2
    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(matches.write, id_, read, b"m", b"s", lifetime=HOUR, events=[b"e"])
        time.sleep(0.2)
        owner.redis.execute_command("MIGRATE", "127.0.0.1", to.port, keys.moves(id_), 0, 5000)
        assert writing.result(PATIENCE)
    end_move(cluster, keys.record(id_), to)
    assert matches.read_events(id_, 0, 10)[1:] == ([b"e"] * 2, 2)


# --- what is not repeated, and who must have it ---


def test_a_write_whose_answer_is_lost_is_not_repeated(
    client: Redis, matches: MatchStore, cluster: ClusterStore, monkeypatch: pytest.MonkeyPatch, id_: str
):
    assert matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    read = matches.read(id_)
    intact = Pipeline.parse_response

    def losing(self, connection, command, **options):
        answer = intact(self, connection, command, **options)
        if command == "EVALSHA":
            raise StoreConnectionError("the connection broke")
        return answer

    owner = cluster.owner(keys.record(id_))
    owner.redis.config_resetstat()
    monkeypatch.setattr(Pipeline, "parse_response", losing)
    with pytest.raises(StoreUnavailable):
        matches.write(id_, read, b"m2", b"s", lifetime=HOUR, events=[b"e"])
    monkeypatch.undo()
    assert owner.redis.info("commandstats")["cmdstat_evalsha"]["calls"] == 1
    written, *log = matches.read_events(id_, 0, 10)
    assert written is not None
    assert written[:3] == (2, b"m2", b"s")
    assert log == [[b"e"], 1]


def test_a_node_that_hangs_is_not_waited_for_beyond_the_time_out(cluster: ClusterStore, id_: str):
    owner = cluster.owner(keys.record(id_))
    with closing(connect(cluster.url, 0.3, 2)) as client:
        matches = MatchStore(client)
        assert matches.write(id_, None, b"m", b"s", lifetime=HOUR)
        read = matches.read(id_)
        owner.signal(signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable):
                matches.write(id_, read, b"m2", b"s", lifetime=HOUR)
        finally:
            owner.signal(signal.SIGCONT)
        eventually(lambda: found(matches, id_), "the node")


def found(matches: MatchStore, match: str) -> bool:
    try:
        return matches.read(match) is not None
    except StoreUnavailable:
        return False


def test_a_move_that_no_replica_has_is_not_acknowledged(client: Redis, cluster: ClusterStore, id_: str):
    owner = cluster.owner(keys.record(id_))
    replica = replica_of(cluster, owner)
    elsewhere = next(match for match in _ids if cluster.owner(keys.record(match)) is not owner)
    matches = MatchStore(client, Replicas(1, 0.2))
    assert matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    read = matches.read(id_)
    replica.signal(signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable) as refused:
            matches.write(id_, read, b"m2", b"s", lifetime=HOUR)
        assert isinstance(refused.value.__cause__, Unconfirmed)
        written = matches.read(id_)
        assert written is not None
        assert written[:3] == (2, b"m2", b"s"), "nobody can tell what becomes of it"
        assert not matches.write(id_, read, b"m2", b"s", lifetime=HOUR), "who wrote nothing is told so"
        assert matches.write(elsewhere, None, b"m", b"s", lifetime=HOUR)
    finally:
        replica.signal(signal.SIGCONT)
    assert matches.write(id_, written, b"m3", b"s", lifetime=HOUR)


def test_an_entry_that_no_replica_has_is_not_announced(client: Redis, cluster: ClusterStore):
    """The match lies elsewhere; it would be there, and nobody would find it."""
    replica = replica_of(cluster, cluster.owner(keys.index("lobby:x:open")))
    indexes = Indexes(client, HOUR, Replicas(1, 0.2))
    entries = [Entry("lobby:x:open", 1, "m"), Entry("code:ABCDEFGH", 1, "m"), Entry("player:p:open", 1, "m")]
    indexes.announce(entries)
    replica.signal(signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable):
            indexes.announce(entries)
    finally:
        replica.signal(signal.SIGCONT)


# --- nodes that die ---


def listening(cluster: ClusterStore) -> list[StoreNode]:
    """The nodes that somebody is subscribed at."""
    alive = [node for node in cluster.nodes if answers(node.redis)]
    return [node for node in alive if node.redis.client_list(_type="pubsub")]


def test_a_primary_dies_and_nothing_acknowledged_is_missing(serving: Callable[..., Server], cluster: ClusterStore):
    server = serving(cluster.url, TURNCOAT_STORE_REPLICAS="1", TURNCOAT_WORKERS="1")
    match, players = seated(server.visitor())
    workers = server.workers()
    table = Stubborn(match, players)
    table.moves(10)
    stream = LiveStream(server.address, match, players[1].token)
    before = all_events(players[1], match)
    stream.has(len(before))
    (heard_at,) = listening(cluster)

    victim = cluster.owner(keys.record(match))
    victim.kill()
    eventually(lambda: players[1].call("getView", match=match).status == 200, "the match")
    assert cluster.owner(keys.record(match)) is not victim
    victim.start()  # as a replica, without which no move could be confirmed
    table.moves(10)
    assert all_events(players[1], match)[: len(before)] == before

    if heard_at is not victim:  # whoever listens there has to move on
        heard_at.kill()
        heard_at.start()
    eventually(lambda: server.visitor().call("listMatches").status == 200, "the lists")
    wakes(server, match, players)
    stream.hang_up()
    assert server.workers() == workers, "none was started again"


def test_a_feed_moves_on_when_its_node_dies():
    cluster = ClusterStore()
    try:
        cluster.start()
        with (
            closing(connect(cluster.url, 2.0, 4)) as client,
            closing(Feed(lambda: subscriber(client, 1.0), PATIENCE, 4)) as feed,
            feed.listen("channel") as listener,
        ):
            (heard_at,) = listening(cluster)
            heard_at.kill()
            eventually(lambda: bool(listening(cluster)), "another node")
            assert listener.wait(PATIENCE), "after a loss everybody looks again"
            for alive in (node for node in cluster.nodes if answers(node.redis)):
                alive.redis.publish("channel", "x")
                assert listener.wait(PATIENCE), "what is published at any node is heard"
    finally:
        cluster.close()
