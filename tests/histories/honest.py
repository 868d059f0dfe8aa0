"""A small history that is as it should be, played in this process, for tests that spoil it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
from flask import Flask
from histories.clients import AnswerLost, Notebook, Recording
from histories.outcomes import read_outcomes
from histories.recorded import History, Outcome
from redis import Redis
from support.clients import InProcess

from service.match import LoggedEvent, LoggedMove


class Forgetful(InProcess):
    """To an app in this process. Whatever breaks has been carried out."""

    breaks: str | None = None

    def send(self, method, url, headers, data):
        breaks, self.breaks = self.breaks, None
        answer = super().send(method, url, headers, data)
        if breaks is not None:
            raise AnswerLost
        return answer


def honest_history(app: Flask, redis: Redis, seed: int, *, rounds: int = 10, **wanted: Any) -> History:
    """Two matches: one in which somebody joined in vain, which is played for a while, and one that never starts.

    One after another the players do everything that can be spoiled: they join, leave and join again, repeat what
    was answered and what was not, read, and are refused.

    Args:
        rounds: in each, everybody who is asked decides once; so many before somebody leaves, and after it.
        wanted: the game, and options if need be.
    """
    chance = random.Random(seed)
    notebook = Notebook()
    ada, ben, cleo, dora = (
        Recording(lambda: Forgetful(app.test_client()), notebook, chance, f"{name} {seed}")
        for name in ("Ada", "Ben", "Cleo", "Dora")
    )
    match = _gathered(wanted, ada, ben, cleo, dora)
    players = [ada, ben, dora]
    for _ in range(rounds):
        _look(match, ada, [*players, cleo])
        _decide(match, players, chance)
    ben.ask("leaveMatch", match=match)
    _look(match, ada, [*players, cleo])
    for _ in range(rounds):
        _decide(match, [ada, dora], chance)
        _look(match, ada, [*players, cleo])
    names = {player.id: player.name for player in (*players, cleo)}
    outcomes = read_outcomes(redis, names, [ada.client])
    return History(names, list(notebook.calls), outcomes)


def _gathered(wanted: Any, ada: Recording, ben: Recording, cleo: Recording, dora: Recording) -> str:
    key = ada.new_key()
    body = {"seats": 3, "visibility": "public", **wanted}
    ada.ask("createMatch", body, key=key, breaks="late")
    match = ada.ask("createMatch", body, key=key).match
    assert match is not None
    key = cleo.new_key()
    cleo.ask("joinMatch", {}, match=match, key=key)
    cleo.ask("joinMatch", {}, match=match, key=key)
    cleo.ask("leaveMatch", match=match)
    ben.ask("createMatch", {**body, "visibility": "private"}, key=ben.new_key())
    ben.ask("getView", match=match)
    ada.ask("listMyMatches", query="?limit=100")
    ben.ask("joinMatch", {"entropy": "ben"}, match=match)
    dora.ask("joinMatch", {}, match=match, key=dora.new_key())
    return match


def _look(match: str, ada: Recording, others: Sequence[Recording]) -> None:
    for other in others:
        other.read("getView", match)
    ada.ask("getMatch", match=match)
    ada.ask("listMyMatches", query="?limit=100")
    others[0].ask("listMatches", query="?limit=100")
    others[-1].ask("listEvents", match=match, query="?after=0&limit=100")
    ada.ask("listEvents", match=match, query="?after=3&limit=100")


def _decide(match: str, players: Sequence[Recording], chance: random.Random) -> None:
    """Whoever is asked plays at random; some answers get lost and are asked for again."""
    for player in players:
        view = player.ask("getView", match=match).answer
        decision = view["you"] and view["you"]["decision"]
        if decision is None:
            continue
        body = {"decision": decision["id"], "move": chance.choice(decision["legal_moves"])}
        key = player.new_key()
        if chance.random() < 0.3:
            player.ask("playMove", body, match=match, key=key, breaks="late")
        player.ask("playMove", body, match=match, key=key)
        player.ask("playMove", body, match=match)


# --- to spoil it consistently ---


def with_moves(outcome: Outcome, moves: Sequence[LoggedMove]) -> Outcome:
    """What the store would hold if these had been the moves of a match.

    Raises:
        IllegalMove: they could not have been.
    """
    game, record = outcome.game, outcome.record
    randomness = record.randomness()
    options = msgspec.convert(record.options, game.options_type)
    state, events = game.deal(len(record.seats), options, randomness.deal())
    log = [LoggedEvent(record.started_at or 0, event) for event in events]
    for number, move in enumerate(moves, start=1):
        log += [
            LoggedEvent(move.at, event) for event in game.play(state, move.seat, move.move, randomness.move(number))
        ]
    playing = msgspec.structs.replace(record, status="playing")
    return replace(outcome, record=playing, state=game.dump(state), events=log, moves=list(moves), replay=None)
