"""Rate limits: what counts for whom, what the headers say, and what happens without the store."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from support.clients import Answer, Client, InProcess, seated
from support.contract import operations
from support.limits import Clock, limited_app, limiter_of, quotas
from support.store import PATIENCE, StoreServer
from support.successes import NEW_MATCH, SUCCESSES
from support.truth import Truth

from service.limiter import Caller
from service.store import StoreFull, StoreSlow, StoreUnavailable

NOWHERE = "AAAAAAAAAAAAAAAAAAAAAA"
_starts = itertools.count()


@pytest.fixture
def clock() -> Clock:
    """A time of this test's own, in which nobody has asked for anything yet."""
    return Clock(1_800_000_000.0 + 10_000_000 * next(_starts))


@pytest.fixture
def limited(store: StoreServer, clock: Clock):
    """Makes visitors of new applications; each is as good as one more worker."""

    def make(url: str = store.url, **settings: object) -> Client:
        app = limited_app(url, clock, **settings)
        client = Client(InProcess(app.test_client()))
        client.app = app
        return client

    return make


def of(visitor: Client) -> Flask:
    return visitor.app


def from_address(visitor: Client, address: str, token: str | None = None) -> Client:
    """The same application, called from elsewhere."""
    test_client = of(visitor).test_client()
    test_client.environ_base["REMOTE_ADDR"] = address
    client = Client(InProcess(test_client), token)
    client.app = of(visitor)
    return client


def guest(visitor: Client, name: str = "Ada") -> Client:
    """A guest who was made past all limits."""
    token, _ = of(visitor).extensions["turncoat"].tokens.new_guest(name)
    client = Client(visitor.transport, token)
    client.app = of(visitor)
    return client


def refused(answer: Answer) -> bool:
    """Whether it is one too many, told as it should be."""
    if answer.status != 429:
        return False
    assert answer.code == "too-many-requests"
    exceeded = [quota.resets_in for quota in quotas(answer.headers).values() if quota.left == 0]
    assert int(answer.headers["Retry-After"]) == max(exceeded)
    assert answer.headers["Cache-Control"] == "no-store"
    return True


# --- which limits hold for which operation ---

EVERY_LIMIT = {
    "limit_reads": "1000/minute",
    "limit_moves": "1000/minute",
    "limit_guests_per_address": "1000/hour",
    "limit_matches": "1000/hour",
    "limit_matches_per_address": "1000/hour",
    "limit_join_codes": "1000/hour",
    "limit_join_codes_per_address": "1000/hour",
    "limit_misses": "1000/minute",
    "limit_misses_per_address": "1000/minute",
}

TABLE = {
    "listGames": {"reads"},
    "getGame": {"reads"},
    "createPlayer": {"guests-per-address"},
    "renewToken": {"moves"},
    "getMe": {"reads"},
    "listMyMatches": {"reads"},
    "listMatches": {"reads"},
    "createMatch": {"matches", "matches-per-address"},
    "joinMatch": {"moves"},
    "joinByCode": {"join-codes", "join-codes-per-address"},
    "leaveMatch": {"moves"},
    "startMatch": {"moves"},
    "getMatch": {"reads"},
    "getView": {"reads"},
    "playMove": {"moves"},
    "listEvents": {"reads"},
    "getReplay": {"reads"},
}


def test_every_operation_has_its_line():
    assert set(TABLE) == set(operations())


@pytest.mark.parametrize("operation", TABLE)
def test_an_operation_is_counted_where_it_belongs(limited, operation: str):
    answer = SUCCESSES[operation](limited(**EVERY_LIMIT))
    assert answer.status < 300
    assert set(quotas(answer.headers)) == TABLE[operation]


def test_every_try_to_join_by_code_counts_right_or_wrong(limited):
    visitor = limited(limit_join_codes="3/hour", limit_join_codes_per_address="5/hour")
    ada = guest(visitor)
    code = ada.call("createMatch", {**NEW_MATCH, "seats": 4, "visibility": "private"}).body["join_code"]

    def attempt(who: Client, join_code: str) -> int:
        return who.call("joinByCode", {"join_code": join_code}).status

    ben = guest(visitor, "Ben")
    wrong = "2" * len(code)
    assert [attempt(ben, wrong), attempt(ben, code), attempt(ben, code)] == [404, 201, 200]
    assert attempt(ben, code) == attempt(ben, wrong) == 429
    assert [attempt(guest(visitor), wrong) for _ in range(3)] == [404, 404, 429], "five from one address"


def test_a_wrong_code_is_a_miss_too(limited):
    visitor = limited(limit_join_codes="9/hour", limit_misses="1/hour")
    ada = guest(visitor)
    answer = ada.call("joinByCode", {"join_code": "22222222"})
    assert (answer.status, answer.code) == (404, "wrong-join-code")
    assert {name: quota.left for name, quota in quotas(answer.headers).items()} == {"join-codes": 8, "misses": 0}
    assert refused(ada.call("joinByCode", {"join_code": "22222222"}))
    assert refused(ada.call("getMatch", match=NOWHERE))


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/nowhere", "/v1/nowhere"]
)
def test_what_is_no_operation_is_not_counted(limited, path: str):
    visitor = limited(limit_reads="1/minute")
    for _ in range(3):
        response = of(visitor).test_client().get(path)
        assert response.status_code in (200, 404)
        assert quotas(response.headers) == {}


def test_options_are_not_counted_and_heads_are(limited):
    client = of(limited(limit_reads="2/minute", limit_moves="2/minute")).test_client()
    assert [client.options("/v1/games").status_code for _ in range(3)] == [200] * 3
    assert [client.head("/v1/games").status_code for _ in range(3)] == [200, 200, 429]


# --- how they count ---


def test_the_headers_count_down_and_then_it_is_too_many(limited, clock: Clock):
    visitor = limited(limit_reads="3/minute")
    for left in (2, 1, 0):
        answer = visitor.call("listGames")
        assert answer.status == 200
        (quota,) = quotas(answer.headers).values()
        assert quota[:3] == (3, 60, left)
        assert 1 <= quota.resets_in <= 60
        assert "Retry-After" not in answer.headers
    assert refused(visitor.call("listGames"))


@pytest.mark.parametrize(
    ("operation", "body", "limit"),
    [
        ("getMe", None, "limit_reads"),
        ("createPlayer", {"name": "Ada"}, "limit_guests_per_address"),
        ("createMatch", NEW_MATCH, "limit_matches"),
        ("createMatch", NEW_MATCH, "limit_matches_per_address"),
    ],
)
@pytest.mark.parametrize("passed", [0.0, 17.3, 59.999])
def test_retry_after_is_right_to_the_second(limited, clock: Clock, operation: str, body, limit: str, passed: float):
    ada = guest(limited(**{limit: "2/minute"}))
    clock.now += passed
    assert ada.call(operation, body).status < 300
    while not refused(answer := ada.call(operation, body)):
        pass
    refused_at, wait = clock.now, int(answer.headers["Retry-After"])
    assert 1 <= wait <= 60
    clock.now = refused_at + wait - 1.001
    assert refused(ada.call(operation, body))
    clock.now = refused_at + wait
    assert ada.call(operation, body).status < 300


def test_windows_do_not_end_for_all_at_once(limited):
    visitor = limited(limit_reads="100/hour")
    ends = {quotas(guest(visitor).call("getMe").headers)["reads"].resets_in for _ in range(20)}
    assert len(ends) > 10


def test_a_limit_may_have_several_windows(limited, clock: Clock):
    ada = guest(limited(limit_matches="5/hour;2/minute"))

    def create() -> Answer:
        return ada.call("createMatch", NEW_MATCH)

    first = create()
    assert {name: quota[:3] for name, quota in quotas(first.headers).items()} == {
        "matches-60": (2, 60, 1),
        "matches-3600": (5, 3600, 4),
    }
    create()
    assert refused(create()), "two in a minute"
    for _ in range(20):
        assert refused(create()), "what the minute refuses costs nothing of the hour"
    clock.now += 60
    assert quotas(create().headers)["matches-3600"].left == 2


def test_players_are_counted_each_for_themselves(limited):
    visitor = limited(limit_reads="1/minute")
    ada, ben = guest(visitor), guest(visitor, "Ben")
    assert not refused(ada.call("listGames"))
    assert not refused(ben.call("listGames"))
    assert not refused(visitor.call("listGames"))
    assert all(refused(who.call("listGames")) for who in (ada, ben, visitor))


def test_a_player_is_the_same_at_every_address_and_with_every_token(limited):
    visitor = limited(limit_reads="1/minute", limit_matches="1/hour")
    ada = guest(visitor)
    elsewhere = from_address(visitor, "198.51.100.7", ada.token)
    assert not refused(ada.call("getMe"))
    assert refused(elsewhere.call("getMe"))
    assert not refused(ada.call("createMatch", NEW_MATCH))
    assert refused(elsewhere.call("createMatch", NEW_MATCH))


def test_without_a_token_the_address_is_counted(limited):
    visitor = limited(limit_reads="1/minute")
    elsewhere = from_address(visitor, "198.51.100.7")
    assert not refused(visitor.call("listGames"))
    assert refused(visitor.call("listGames"))
    assert not refused(elsewhere.call("listGames"))


def test_many_guests_at_one_address_are_not_many_more_matches(limited):
    visitor = limited(limit_matches="2/hour", limit_matches_per_address="3/hour")
    answers = [guest(visitor).call("createMatch", NEW_MATCH) for _ in range(4)]
    assert [refused(answer) for answer in answers] == [False, False, False, True]
    assert {name: quota.left for name, quota in quotas(answers[3].headers).items()} == {
        "matches": 1,
        "matches-per-address": 0,
    }
    elsewhere = from_address(visitor, "198.51.100.7", guest(visitor).token)
    assert not refused(elsewhere.call("createMatch", NEW_MATCH))


def test_new_guests_are_counted_by_address_whoever_asks(limited):
    visitor = limited(limit_guests_per_address="2/hour")
    answers = [who.call("createPlayer", {"name": "A"}) for who in (visitor, guest(visitor), guest(visitor))]
    assert [refused(answer) for answer in answers] == [False, False, True]


def test_reads_and_moves_do_not_use_up_each_other(limited):
    visitor = limited(limit_reads="50/minute", limit_moves="1/minute")
    ada = guest(visitor)
    match = guest(visitor, "Ben").create()
    assert not refused(ada.call("joinMatch", {}, match=match))
    assert refused(ada.call("joinMatch", {}, match=match))
    assert not refused(ada.call("getMatch", match=match))


def test_refused_requests_count_too(limited):
    """Otherwise a broken client could be one without end."""
    ada = guest(limited(limit_matches="3/hour"))
    assert ada.call("createMatch", {"game": "chess"}).status == 422
    assert ada.call("createMatch", raw=b"{").status == 400
    assert ada.call("createMatch", NEW_MATCH, headers={"If-Match": "*"}).status == 400
    assert refused(ada.call("createMatch", NEW_MATCH))


def test_a_wrong_token_counts_for_nobody(limited):
    visitor = limited(limit_reads="1/minute", limit_matches="1/minute", limit_matches_per_address="1/minute")
    nobody = Client(visitor.transport, "nonsense")
    for _ in range(3):
        assert nobody.call("getMe").status == 401
        assert nobody.call("createMatch", NEW_MATCH).status == 401
        assert visitor.call("createMatch", NEW_MATCH).status == 401
    assert visitor.call("listGames").status == 200
    assert guest(visitor).call("createMatch", NEW_MATCH).status == 201


def test_a_request_too_many_changes_nothing(limited, truth: Truth):
    visitor = limited(limit_matches="1/hour", limit_moves="2/minute")
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    for _ in range(2):
        players[seat].move(match, 99, decision["legal_moves"][0])
    with truth.unchanged(match, *players):
        assert refused(players[seat].move(match, decision["id"], decision["legal_moves"][0]))
        assert refused(players[0].call("createMatch", NEW_MATCH))


# --- several workers ---


def test_what_fills_the_store_is_counted_by_all_workers_together(limited):
    workers = [limited(limit_matches="3/hour", limit_guests_per_address="3/hour") for _ in range(2)]
    token = guest(workers[0]).token
    for operation, body, sender in [("createMatch", NEW_MATCH, token), ("createPlayer", {"name": "Ada"}, None)]:
        seen = [Client(workers[i % 2].transport, sender).call(operation, body) for i in range(4)]
        assert [refused(answer) for answer in seen] == [False, False, False, True]


def test_reads_and_moves_are_counted_by_each_worker_and_cost_no_trip(limited):
    workers = [limited(limit_reads="1/minute", limit_moves="1/minute") for _ in range(2)]
    ada = guest(workers[0])
    for worker in workers:
        _forbid_trips(worker)
        client = Client(worker.transport, ada.token)
        assert [refused(client.call("getMe")) for _ in range(2)] == [False, True]


def _forbid_trips(visitor: Client) -> None:
    """Let every trip for the limits fail the test."""

    class Nobody:
        def incr(self, name: str, seconds: int) -> int:
            raise AssertionError(f"a trip to count {name}")

    limiter_of(of(visitor))._shared = Nobody()


# --- misses ---


def test_a_run_of_misses_ends(limited, clock: Clock):
    visitor = limited(limit_misses="3/minute")
    ada = guest(visitor)
    match = ada.create()
    for left in (2, 1, 0):
        miss = ada.call("getMatch", match=NOWHERE)
        assert (miss.status, miss.code) == (404, "no-such-match")
        assert quotas(miss.headers)["misses"].left == left
    answer = ada.call("getMatch", match=NOWHERE)
    assert refused(answer)
    clock.now += int(answer.headers["Retry-After"])
    assert ada.call("getMatch", match=match).status == 200


def test_without_misses_left_nothing_is_looked_up(limited):
    visitor = limited(limit_misses="2/minute")
    ada = guest(visitor)
    match = ada.create()
    for _ in range(2):
        assert ada.call("getView", match=NOWHERE).status == 404
    _forbid_trips(visitor)
    of(visitor).extensions["turncoat"].matches._store = None
    assert refused(ada.call("getMatch", match=match)), "a hit looks like a miss now"
    assert refused(ada.call("getView", match=NOWHERE))
    assert refused(ada.call("joinMatch", {}, match=match))
    assert refused(ada.call("createMatch", NEW_MATCH))
    assert ada.call("getMe").status == 200, "what gives no match away goes on"
    assert ada.call("listGames").status == 200


def test_others_go_on_where_one_has_no_misses_left(limited):
    visitor = limited(limit_misses="1/minute", limit_misses_per_address="100/minute")
    ada, ben = guest(visitor), guest(visitor, "Ben")
    match = ben.create()
    for who in (ada, visitor):
        assert who.call("getMatch", match=NOWHERE).status == 404
        assert refused(who.call("getMatch", match=match))
    assert ben.call("getMatch", match=match).status == 200


def test_all_at_one_address_have_no_more_misses_than_it(limited):
    visitor = limited(limit_misses="2/minute", limit_misses_per_address="3/minute")
    assert [guest(visitor).call("getMatch", match=NOWHERE).status for _ in range(5)] == [404, 404, 404, 429, 429]
    elsewhere = from_address(visitor, "198.51.100.7")
    assert elsewhere.call("getMatch", match=NOWHERE).status == 404


def test_a_worker_that_learns_of_a_miss_too_many_does_not_tell_it(limited):
    """The other worker has counted the run; this one has looked up before it knew, and keeps it to itself."""
    first, second = (limited(limit_misses="2/minute") for _ in range(2))
    ada = guest(first)
    match = ada.create()
    for _ in range(2):
        assert ada.call("getMatch", match=NOWHERE).status == 404
    here = Client(second.transport, ada.token)
    answer = here.call("getMatch", match=NOWHERE)
    assert refused(answer)
    assert answer.headers["X-Request-Id"] in answer.body["instance"]
    _forbid_trips(second)
    assert refused(here.call("getMatch", match=match)), "and remembers it"


def test_what_is_no_guess_is_no_miss(limited):
    visitor = limited(limit_misses="1/hour")
    for _ in range(3):
        assert visitor.call("getGame", game="chess").status == 404
        assert of(visitor).test_client().get("/v1/nowhere").status_code == 404
        assert of(visitor).test_client().get("/v1/matches/x/y/z").status_code == 404
    assert visitor.call("getMatch", match=NOWHERE).status == 404


def test_without_a_miss_misses_cost_no_trip(limited):
    visitor = limited(limit_misses="3/minute", limit_misses_per_address="3/minute")
    match = guest(visitor).create()
    _forbid_trips(visitor)
    assert visitor.call("getMatch", match=match).status == 200


# --- switches ---


def test_switched_off_nothing_is_counted(limited):
    visitor = limited(limits=False, limit_reads="1/minute")
    assert limiter_of(of(visitor)) is None
    for _ in range(3):
        answer = visitor.call("listGames")
        assert (answer.status, quotas(answer.headers)) == (200, {})


def test_an_empty_limit_is_none(limited):
    visitor = limited(limit_reads="", limit_moves="1/minute")
    for _ in range(3):
        answer = visitor.call("listGames")
        assert (answer.status, quotas(answer.headers)) == (200, {})


# --- without the store ---


def test_who_cannot_be_counted_goes_through(limited, clock: Clock, caplog):
    visitor = limited(limit_matches="1/hour", limit_matches_per_address="1/hour", limit_misses="1/hour")
    limiter = limiter_of(of(visitor))
    asked = []

    class Broken:
        def incr(self, name: str, seconds: int) -> int:
            asked.append(name)
            raise StoreUnavailable

    limiter._shared = Broken()
    with caplog.at_level(logging.WARNING, "turncoat"):
        for _ in range(3):
            answer = guest(visitor).call("createMatch", NEW_MATCH)
            assert (answer.status, quotas(answer.headers)) == (201, {})
            assert guest(visitor).call("getMatch", match=NOWHERE).status == 404
    assert limiter.failures == 6
    assert len(asked) == 6, "whoever was not counted by one is not kept waiting for the next"
    assert len(caplog.records) == 1, "one warning for all of them"
    clock.now += 30
    guest(visitor).call("createMatch", NEW_MATCH)
    assert len(caplog.records) == 2
    assert not any(word in caplog.text for word in ("127.0.0.1", "Bearer", asked[0]))


@pytest.mark.parametrize("failure", [StoreSlow, StoreFull])
def test_where_the_store_is_there_and_does_not_count_each_worker_does(limited, clock: Clock, failure):
    """Enough requests at one moment make any worker slow; they must not get past the limits by that."""

    class Overrun:
        def incr(self, name: str, seconds: int) -> int:
            raise failure

    workers = [limited(limit_guests_per_address="2/hour") for _ in range(2)]
    for worker in workers:
        limiter_of(of(worker))._shared = Overrun()
        assert [worker.call("createPlayer", {"name": "Ada"}).status for _ in range(3)] == [201, 201, 429]
        assert limiter_of(of(worker)).failures == 3
    clock.now += 3600
    assert workers[0].call("createPlayer", {"name": "Ada"}).status == 201


def test_a_worker_that_knows_only_its_own_part_does_not_begin_again(limited):
    """What it counted together with the others it has counted by itself too."""
    visitor = limited(limit_guests_per_address="3/hour")
    assert [visitor.call("createPlayer", {"name": "Ada"}).status for _ in range(2)] == [201, 201]

    class Overrun:
        def incr(self, name: str, seconds: int) -> int:
            raise StoreSlow

    limiter_of(of(visitor))._shared = Overrun()
    assert [visitor.call("createPlayer", {"name": "Ada"}).status for _ in range(2)] == [201, 429]


def test_a_store_that_is_gone_fails_open_and_counts_again_when_it_is_back(limited, clock: Clock):
    server = StoreServer()
    server.start()
    try:
        visitor = limited(url=server.url, limit_guests_per_address="2/hour")
        new = {"name": "Ada"}
        assert [visitor.call("createPlayer", new).status for _ in range(3)] == [201, 201, 429]
        server.kill()
        assert [visitor.call("createPlayer", new).status for _ in range(3)] == [201, 201, 201]
        assert limiter_of(of(visitor)).failures == 3
        server.start()
        clock.now += 3600
        assert [visitor.call("createPlayer", new).status for _ in range(3)] == [201, 201, 429]
        assert limiter_of(of(visitor)).failures == 3
    finally:
        server.close()


@pytest.fixture
def deaf(tmp_path_factory) -> Iterator[str]:
    """The address of a store that takes connections and never answers."""
    address = tmp_path_factory.mktemp("s") / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(address))
        listener.listen(64)
        yield f"unix://{address}"


def test_a_store_that_hangs_keeps_nobody_waiting(limited, deaf: str):
    """And is none that is gone: each worker goes by its own count."""
    visitor = limited(url=deaf, limit_guests_per_address="2/hour", limits_timeout=0.15)
    seen: list[int] = []
    done = threading.Event()

    def ask() -> None:
        seen.extend(visitor.call("createPlayer", {"name": "Ada"}).status for _ in range(3))
        done.set()

    threading.Thread(target=ask, daemon=True).start()
    assert done.wait(PATIENCE)
    assert seen == [201, 201, 429]
    assert limiter_of(of(visitor)).failures == 3


def test_more_at_once_than_there_are_connections_wait_no_longer(limited, deaf: str):
    counters = limiter_of(of(limited(url=deaf, limits_timeout=0.15)))._shared
    while counters._free.acquire(blocking=False):
        pass
    with pytest.raises(StoreSlow):
        counters.incr("anything", 60)


def test_a_slow_store_is_not_asked_twice(limited, monkeypatch):
    visitor = limited(limit_matches="9/hour", limit_matches_per_address="9/hour", limits_timeout=0.15)
    limiter = limiter_of(of(visitor))
    passing = itertools.count(0.0, 0.2)
    monkeypatch.setattr("service.limiter.time.monotonic", lambda: next(passing))
    caller = Caller("somebody", "192.0.2.1")
    assert [standing.used for standing in limiter.count("matches", caller)] == [1, 1]
    assert limiter.failures == 1, "the first trip took all the time that there is"
    _forbid_trips(visitor)
    assert [standing.used for standing in limiter.count("matches", caller)] == [2, 2]


# --- what lies in the store ---


def test_counters_end_and_name_nobody(limited, truth: Truth):
    before = truth.all_keys()
    visitor = limited(**EVERY_LIMIT)
    ada = from_address(visitor, "198.51.100.77", guest(visitor).token)
    player = ada.call("getMe").body["player"]
    new_guest = ada.call("createPlayer", {"name": "Adelaide"})
    ada.create()
    assert ada.call("getMatch", match=NOWHERE).status == 404
    added = {key for key in truth.all_keys() - before if key.startswith(b"turncoat:count:")}
    assert len(added) == 5, "guests, matches by two, misses by two"
    secrets = [player, ada.token, "198.51.100.77", "198", "Adelaide", new_guest.body["player"], NOWHERE]
    for key in added:
        assert 0 < truth.redis.ttl(key) <= 3600
        assert not any(secret.encode() in key for secret in secrets)
        assert truth.redis.get(key) == b"1"


def test_without_the_secret_nobody_can_tell_whom_a_counter_counts(limited, store: StoreServer, clock: Clock):
    """An address could be found by trying all of them, if its hash were a plain one."""
    limiter = limiter_of(of(limited(limit_misses="9/hour")))
    other = limiter_of(of(limited(limit_misses="9/hour", id_secret="another-secret" * 3)))
    caller = Caller(None, "192.0.2.1")
    (quota,) = limiter._quotas["misses"]
    assert limiter._window(quota, caller)[0] != other._window(quota, caller)[0]
