"""Plays a whole match of a game with the generated client, and with nothing but its types.

Run as ``play.py ADDRESS GAME SEATS SEED``. Every seat is a guest of its own. The moves are chosen by the seed.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from facts import told_of_event, told_of_move, told_of_view
from httpx import Timeout
from turncoat_client import AuthenticatedClient, Client
from turncoat_client.api.events import list_events
from turncoat_client.api.games import get_game
from turncoat_client.api.matches import create_match, get_match, get_replay, get_view, join_match, play_move
from turncoat_client.api.players import create_player
from turncoat_client.models import (
    InsideJobGame,
    InsideJobMatch,
    InsideJobOptions,
    InsideJobReplay,
    InsideJobView,
    KabaleGame,
    KabaleMatch,
    KabaleOptions,
    KabaleReplay,
    KabaleView,
    NewInsideJobMatch,
    NewKabaleMatch,
    NewMove,
    NewPlayer,
    NewPlayerInMatch,
    NewVerraeterMatch,
    Problem,
    VerraeterGame,
    VerraeterMatch,
    VerraeterOptions,
    VerraeterReplay,
    VerraeterView,
)
from typing_extensions import TypeIs

Card: TypeAlias = VerraeterMatch | KabaleMatch | InsideJobMatch
View: TypeAlias = VerraeterView | KabaleView | InsideJobView
Replay: TypeAlias = VerraeterReplay | KabaleReplay | InsideJobReplay
Details: TypeAlias = VerraeterGame | KabaleGame | InsideJobGame
NewMatch: TypeAlias = NewVerraeterMatch | NewKabaleMatch | NewInsideJobMatch

PATIENCE = Timeout(90.0)


class Refused(Exception):
    """The service said no."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.title}" if problem else "no known answer")


def refused(answer: object) -> TypeIs[Problem | None]:
    """Whether an answer is not what was asked for; ``None`` stands for one that the contract does not announce."""
    return answer is None or isinstance(answer, Problem)


def new_match(game: str, seats: int) -> NewMatch:
    """A match of a game, with options that are not the defaults."""
    match game:
        case "verraeter":
            printed = VerraeterOptions(first_strategist="left_of_start_player", traitor_point_in_draw=True)
            return NewVerraeterMatch(game="verraeter", seats=seats, visibility="public", options=printed)
        case "kabale":
            spared = KabaleOptions(witch_spares_witches=True)
            return NewKabaleMatch(game="kabale", seats=seats, visibility="public", options=spared)
        case "inside_job":
            special = InsideJobOptions(wagers=True, random_roles=1)
            return NewInsideJobMatch(game="inside_job", seats=seats, visibility="public", options=special)
        case _:
            raise ValueError(game)


def sit_down(address: str, wanted: NewMatch) -> tuple[str, list[AuthenticatedClient]]:
    """A match that has begun, and its players by seat."""
    visitor = Client(base_url=address, timeout=PATIENCE)
    players: list[AuthenticatedClient] = []
    for seat in range(wanted.seats):
        guest = create_player.sync(client=visitor, body=NewPlayer(name=f"Guest {seat}"))
        if refused(guest):
            raise Refused(guest)
        players.append(AuthenticatedClient(base_url=address, token=guest.token, timeout=PATIENCE))
    card: Card | Problem | None = create_match.sync(client=players[0], body=wanted)
    for player in players[1:]:
        if refused(card):
            raise Refused(card)
        card = join_match.sync(card.match, client=player, body=NewPlayerInMatch())
    if refused(card):
        raise Refused(card)
    if card.status != "playing":
        raise ValueError(card.status)
    return card.match, players


def answer_to(view: View, number: int) -> NewMove | None:
    """One of the legal moves, as it is, for whatever is asked."""
    if view.game == "verraeter":
        if view.you and view.you.decision:
            moves = view.you.decision.legal_moves
            return NewMove(decision=view.you.decision.id, move=moves[number % len(moves)])
    elif view.game == "kabale":
        if view.you and view.you.decision:
            places = view.you.decision.legal_moves
            return NewMove(decision=view.you.decision.id, move=places[number % len(places)])
    elif view.game == "inside_job":
        if view.you and view.you.decision:
            cards = view.you.decision.legal_moves
            return NewMove(decision=view.you.decision.id, move=cards[number % len(cards)])
    else:
        assert_never(view)
    return None


@dataclass
class Match:
    """A match as its players see it, and what was counted of it."""

    id: str
    players: list[AuthenticatedClient]
    seed: int
    moves: int = 0
    seen: int = 0
    facts: dict[str, str] = field(default_factory=dict)
    events: Counter[str] = field(default_factory=Counter)

    def follow(self) -> bool:
        """Read what has happened, waiting for it if it must be; tells whether the match is over."""
        page = list_events.sync(self.id, client=self.players[0], after=self.seen, limit=100, prefer="wait=20")
        if refused(page):
            raise Refused(page)
        for entry in page.items:
            self.seen = entry.number
            self.events[entry.event.type_] += 1
            self.facts.setdefault(entry.event.type_, told_of_event(entry))
        return page.status != "playing" and self.seen == page.latest

    def view(self, seat: int) -> View:
        """What a player sees."""
        view: View | Problem | None = get_view.sync(self.id, client=self.players[seat])
        if refused(view):
            raise Refused(view)
        return view

    def move(self) -> None:
        """Let everybody who is asked answer."""
        card: Card | Problem | None = get_match.sync(self.id, client=self.players[0])
        if refused(card):
            raise Refused(card)
        for seat in card.waiting_on:
            view = self.view(seat)
            self.facts.setdefault(view.game, told_of_view(view))
            answer = answer_to(view, self.seed + self.moves)
            if answer is None:
                raise ValueError(f"seat {seat} is waited for and is asked nothing")
            self.facts.setdefault(answer.move.type_, told_of_move(answer.move))
            after: View | Problem | None = play_move.sync(self.id, client=self.players[seat], body=answer)
            if refused(after):
                raise Refused(after)
            self.moves += 1
            if self.moves == 1:
                self.refuse_the_second(seat, answer)

    def refuse_the_second(self, seat: int, answer: NewMove) -> None:
        """A double tap is a problem with a code."""
        refusal = play_move.sync(self.id, client=self.players[seat], body=answer)
        if not isinstance(refusal, Problem):
            raise TypeError("answered twice")
        self.facts["twice"] = f"{refusal.status} {refusal.code}"


def main(address: str, game: str, seats: int, seed: int) -> None:
    """Play, and tell what was seen."""
    wanted = new_match(game, seats)
    match = Match(*sit_down(address, wanted), seed)
    while not match.follow():
        match.move()
    view = match.view(seats - 1)
    replay: Replay | Problem | None = get_replay.sync(match.id, client=match.players[0])
    details: Details | Problem | None = get_game.sync(wanted.game, client=match.players[0])
    if refused(replay) or refused(details) or view.result is None:
        raise ValueError("the match has no end")
    if len(replay.moves) != match.moves or replay.result != view.result:
        raise ValueError("the replay is of another match")
    for name, fact in match.facts.items():
        print(f"{name}: {fact}")
    print(f"ending: {details.names[view.result.ending]}")
    print(f"played match={match.id} game={view.game} moves={match.moves} events={match.events.total()}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
