"""Reading lists of matches to their ends, and a house in which there is a match of every kind."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from support.clients import Answer, Client
from support.truth import Truth

LISTS = ["listMatches", "listMyMatches"]


def items(client: Client, operation: str, query: str = "") -> list[Any]:
    """All that a list shows, page by page."""
    found: list[Any] = []
    url = query
    for _ in range(1000):
        answer = client.call(operation, query=url)
        assert answer.status == 200, answer.body
        found += answer.body["items"]
        more = answer.body["next_cursor"]
        if more is None:
            assert "Link" not in answer.headers
            return found
        url = f"?{urlsplit(link(answer)).query}"
    raise AssertionError("the list does not end")


def link(answer: Answer) -> str:
    """Where the next page is."""
    address, _, relation = answer.headers["Link"].partition("; ")
    assert relation == 'rel="next"'
    assert (address[0], address[-1]) == ("<", ">")
    return address[1:-1]


def mine(client: Client, query: str = "") -> list[str]:
    return [card["match"] for card in items(client, "listMyMatches", query)]


def lobby(client: Client, query: str = "") -> list[str]:
    return [card["match"] for card in items(client, "listMatches", query)]


def private(client: Client, **more: Any) -> tuple[str, str]:
    body = {"game": "verraeter", "seats": 3, "visibility": "private", **more}
    card = client.call("createMatch", body).body
    return card["match"], card["join_code"]


class House:
    """A player with a match in each status and visibility, among the matches of others."""

    def __init__(self, visitor: Client) -> None:
        self.ada = visitor.become("Ada")
        self.ben = visitor.become("Ben")
        self.all: dict[str, str] = {}
        for game, seats in (("kabale", 2), ("verraeter", 3), ("inside_job", 3)):
            self.all[f"{game} open"] = self.ada.create(game, seats)
            others = [self.ben, visitor.become("Cleo")][: seats - 1]
            match = self.ada.create(game, seats)
            for other in others:
                other.join(match)
            self.all[f"{game} playing"] = match
            gone = self.ada.create(game, seats)
            self.ada.call("leaveMatch", match=gone)
            self.all[f"{game} cancelled"] = gone
        secret, self.code = private(self.ada)
        self.all["private open"] = secret
        running, code = private(self.ada, game="kabale", seats=2)
        assert self.ben.call("joinByCode", {"join_code": code}).status == 201
        self.all["private playing"] = running

    def named(self, matches: list[str]) -> set[str]:
        """The names of those of its matches that are in a list."""
        names = {match: name for name, match in self.all.items()}
        assert len(matches) == len(set(matches))
        return {names[match] for match in matches if match in names}


def grow_old(truth: Truth) -> None:
    """Pretend that all entries of all indexes were announced an hour ago."""
    for key in truth.redis.keys("index:*:announced"):
        for member, at in truth.redis.zrange(key, 0, -1, withscores=True):
            truth.redis.zadd(key, {member: at - 3600})
