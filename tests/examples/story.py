"""What is recorded: one afternoon of Ada, Ben and Cleo, in which every operation succeeds in every way that it can."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from support.clients import Answer, Client, play_on
from support.contract import STREAM

SHORT_MATCH = {
    "wagers": False,
    "missions_needed": 1,
    "mission_deck": [
        {"condition": condition, "trump": trump}
        for condition in ("lowest_wins", "no_trump", "some_trump", "one_suit", "all_even")
        for trump in ("blue", "green", "red", "yellow")
    ],
}
"""Options of Inside Job, so that its replay can be printed."""


class Moment(NamedTuple):
    """A request and its answer, worth being shown.

    Attributes:
        name: what the example is called in the contract.
        body: of the request.
    """

    operation: str
    name: str
    summary: str
    body: Any
    answer: Answer


class Book:
    """All such moments."""

    def __init__(self) -> None:
        self.moments: list[Moment] = []
        self.parameters: dict[str, str | int] = {}

    def call(self, who: Client, operation: str, name: str, summary: str, body: Any = None, **how: Any) -> Answer:
        """Make a request, and write down what comes of it."""
        answer = who.call(operation, body, **how)
        assert answer.status < 300, answer.body
        self.moments.append(Moment(operation, name, summary, body, answer))
        return answer


def tell(visitor: Client) -> Book:
    """The whole story."""
    book = Book()
    chance = random.Random(11)
    ada, ben, cleo = _people(book, visitor)
    kabale = _a_private_match(book, ada, ben)
    verraeter = _a_public_match(book, ada, ben, cleo)
    _looking_around(book, visitor, ada)
    _playing(book, kabale, {"Ada": ada, "Ben": ben}, "kabale")
    _playing(book, verraeter, {"Ada": ada, "Ben": ben, "Cleo": cleo}, "verraeter")
    book.call(visitor, "getView", "spectator", "Verräter, as a spectator sees it", match=verraeter)
    _following(book, ada, kabale)
    _to_the_end(book, [ada, ben, cleo, visitor.become("Dora"), visitor.become("Emil")], chance)
    book.call(cleo, "leaveMatch", "left", "Cleo leaves", match=verraeter)
    book.parameters |= {"match": kabale, "game": "kabale"}
    return book


def _people(book: Book, visitor: Client) -> tuple[Client, Client, Client]:
    guest = book.call(visitor, "createPlayer", "guest", "A guest", {"name": "Ada"}).body
    ada = Client(visitor.transport, guest["token"])
    renewed = book.call(ada, "renewToken", "renewed", "The same guest with a token that lasts longer", {})
    book.call(ada, "getMe", "guest", "Who the token speaks for")
    return Client(visitor.transport, renewed.body["token"]), visitor.become("Ben"), visitor.become("Cleo")


def _a_private_match(book: Book, ada: Client, ben: Client) -> str:
    body = {"game": "kabale", "seats": 2, "visibility": "private", "name": "Sunday", "move_seconds": 86400}
    card = book.call(ada, "createMatch", "private", "A private match of Kabale und Hiebe for two", body).body
    code = {"join_code": card["join_code"], "entropy": "bens-own-dice"}
    book.call(ben, "joinByCode", "joined", "Ben joins by the code, and the match is full: it starts", code)
    book.call(ben, "joinByCode", "again", "Ben asks again, as he heard no answer", code)
    return card["match"]


def _a_public_match(book: Book, ada: Client, ben: Client, cleo: Client) -> str:
    body = {"game": "verraeter", "seats": 4, "visibility": "public", "options": {"early_end": "at_once"}}
    match = book.call(ada, "createMatch", "public", "A public match of Verräter with an option", body).body["match"]
    book.call(ben, "joinMatch", "joined", "Ben joins, wherever there is room", {}, match=match)
    book.call(ben, "joinMatch", "again", "Ben asks for another seat, and keeps his", {"seat": 2}, match=match)
    cleo.join(match)
    book.call(ada, "startMatch", "started", "Ada starts for three what was meant for four", {}, match=match)
    return match


def _looking_around(book: Book, visitor: Client, ada: Client) -> None:
    alone = ada.create("kabale", 2, name="Practice")
    ada.create("kabale", 3)
    book.call(visitor, "listGames", "games", "All games")
    book.call(visitor, "getGame", "kabale", "Kabale und Hiebe, with its names in English", game="kabale")
    book.call(visitor, "listMatches", "page", "The first page of the lobby", query="?limit=1")
    book.call(ada, "listMyMatches", "page", "The first page of Ada's matches", query="?limit=1")
    started = book.call(
        ada, "startMatch", "alone", "Ada starts alone, with a stand-in", {"stand_ins": True}, match=alone
    )
    card = book.call(ada, "getMatch", "card", "A running match", match=alone)
    assert started.body == card.body


def _playing(book: Book, match: str, players: dict[str, Client], game: str) -> None:
    names = list(players)
    card = players[names[0]].card(match)
    name = card["seats"][card["waiting_on"][0]]["name"]
    summary = f"A match of {game}, as {name} sees it, whose turn it is"
    view = book.call(players[name], "getView", game, summary, match=match)
    decision = view.body["you"]["decision"]
    move = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    book.call(players[name], "playMove", game, f"{name} makes the first of the legal moves", move, match=match)


def _following(book: Book, ada: Client, match: str) -> None:
    book.call(ada, "listEvents", "page", "The first events, as Ada may know them", query="?limit=3", match=match)


def _to_the_end(book: Book, players: list[Client], chance: random.Random) -> None:
    body = {"game": "inside_job", "seats": 5, "visibility": "public", "options": SHORT_MATCH}
    summary = "A match of Inside Job with cards of one's own"
    match = book.call(players[0], "createMatch", "short", summary, body).body["match"]
    for player in players[1:]:
        player.join(match)
    _playing(book, match, dict(zip(("Ada", "Ben", "Cleo", "Dora", "Emil"), players, strict=True)), "inside_job")
    play_on(match, players, chance)
    latest = players[0].call("listEvents", query="?limit=1", match=match).body["latest"]
    headers = {"Accept": STREAM, "Last-Event-ID": str(latest - 2)}
    summary = "The last two events of a match that is over"
    book.call(players[0], "listEvents", "stream", summary, headers=headers, match=match)
    book.call(players[0], "getReplay", "replay", "A short match of Inside Job, in full", match=match)
