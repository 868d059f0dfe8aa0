"""Whole matches under watch: every answer that every viewer receives, by JSON path and by value.

What a viewer may see is not taken from the service: it is told from the true state by a few lines of the tests' own
(:func:`own_cards`), and from what must not change when only hidden cards do (:func:`twin`).
"""

from __future__ import annotations

import base64
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from engine.verraeter import VERRAETER
from engine.verraeter.components import ACTIONS
from engine.verraeter.state import VerraeterState
from service.change import Position
from service.match import Match
from service.views import view
from support.clients import Answer, Client
from support.truth import Truth

NEVER = {
    *["seed", "entropy", "initial", "undo", "deck", "debug", "secret", "secrets", "state", "token", "password"],
    *["player", "players", "player_id", "user", "creator", "middle", "draw_pile", "hands", "answered", "log", "_"],
}
"""Names that stand in no path of anybody's view, card or refusal."""


class Leak(AssertionError):
    """Somebody received what they may not."""


def hold(kept: bool, secret: str) -> None:
    if not kept:
        raise Leak(secret)


def paths(value: Any, path: str = "") -> Iterator[str]:
    """The JSON paths of everything in a value; ``[]`` for any place in a list, ``<type>`` for a member of a union."""
    if isinstance(value, dict):
        if "type" in value and path.endswith(("legal_moves[]", ".event", ".move")):
            path += f"<{value['type']}>"
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        yield f"{path}[]"
        for inner in value:
            if isinstance(inner, dict | list):
                yield from paths(inner, f"{path}[]")
    else:
        yield path


@dataclass
class Watch:
    """What was received: the paths in views by phase and kind of viewer, and those in cards and refusals."""

    views: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    cards: set[str] = field(default_factory=set)
    refusals: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class Watched:
    """A running match, its players in seat order, a stranger with a token and a spectator without."""

    def __init__(self, match: str, players: list[Client], stranger: Client, spectator: Client, truth: Truth) -> None:
        self.match = match
        self.players = players
        self.viewers: list[tuple[int | None, Client]] = [*enumerate(players), (None, stranger), (None, spectator)]
        self.truth = truth
        self.seen = Watch()

    def play(self, chance: random.Random, moves: int = 10_000) -> Watch:
        """Play at random and look at everything that anybody receives at every decision.

        Raises:
            Leak: somebody receives what they may not.
        """
        while self.look() and moves:
            moves -= 1
            seat, answer = self.move(chance)
            match = self.truth.match(self.match)
            self._check_view(match, self.truth.state(self.match), seat, answer)
            self._check_bytes(match, answer)
        return self.seen

    def move(self, chance: random.Random) -> tuple[int, Answer]:
        """Play one move at random without looking; gives the seat that played it and what it was answered."""
        (seat,) = self.truth.match(self.match).waiting_on
        decision = self.players[seat].view(self.match)["you"]["decision"]
        answer = self.players[seat].move(self.match, decision["id"], chance.choice(decision["legal_moves"]))
        assert answer.status == 200
        return seat, answer

    def look(self) -> bool:
        """Let everybody ask for everything; tells whether the match goes on."""
        match, state = self.truth.match(self.match), self.truth.state(self.match)
        tables = set()
        for seat, viewer in self.viewers:
            card = viewer.call("getMatch", match=self.match)
            self.seen.cards |= set(paths(card.body))
            seen = viewer.call("getView", match=self.match)
            kind = "spectator" if seat is None else "deciding" if seat in match.waiting_on else "other"
            self.seen.views[state.phase, kind] |= set(paths(seen.body))
            self._check_view(match, state, seat, seen)
            tables.add(_bytes({name: value for name, value in seen.body.items() if name != "you"}))
            for answer in [card, seen, *self._refusals(match, state, seat, viewer)]:
                self._check_bytes(match, answer)
                self._check_names(answer)
        hold(len(tables) == 1, "what is not in `you` is not the same for all")
        return match.status == "playing"

    def _refusals(self, match: Match, state: VerraeterState, seat: int | None, viewer: Client) -> Iterator[Answer]:
        """What this viewer is told when asking for what it cannot have."""
        legal = VERRAETER.legal_moves(state, match.waiting_on[0]) if match.waiting_on else []
        moves = [msgspec.to_builtins(move) for move in legal[:1]] + [{"type": "place_farm", "landscape": 0}]
        answered = 0 if seat is None else match.answered[seat]
        for decision in {1, answered, answered + 1, answered + 2} - {0}:
            for move in moves:
                if seat in match.waiting_on and decision == answered + 1:
                    continue  # this one would be played
                yield self._refused(viewer.call("playMove", {"decision": decision, "move": move}, match=self.match))
        if seat in match.waiting_on and state.phase != "place_farm":
            wrong_kind = {"decision": answered + 1, "move": {"type": "place_farm", "landscape": 0}}
            yield self._refused(viewer.call("playMove", wrong_kind, match=self.match))
        if seat in match.waiting_on and state.phase == "draft_action":
            for action in sorted(set(ACTIONS) - set(state.players[seat].offered)):
                move = {"type": "draft_action", "action": action}
                yield self._refused(viewer.call("playMove", {"decision": answered + 1, "move": move}, match=self.match))
        yield self._refused(viewer.call("startMatch", {}, match=self.match))
        yield self._refused(viewer.call("playMove", {"decision": 1, "move": {}, "seat": 0}, match=self.match))

    def _refused(self, answer: Answer) -> Answer:
        assert answer.code is not None
        self.seen.refusals[answer.code] |= set(paths(answer.body))
        return answer

    def _check_view(self, match: Match, state: VerraeterState, seat: int | None, seen: Answer) -> None:
        you = seen.body["you"]
        if seat is None:
            hold(you is None, "a spectator sees a hand")
        else:
            own = {name: value for name, value in you.items() if name != "decision"}
            hold(own == own_cards(state, seat), "a seat sees other cards than its own")
            hold((you["decision"] is not None) == (seat in match.waiting_on), "a seat sees another one's decision")
        revealed = state.phase in ("build", "over")
        for entry, player in zip(seen.body["table"]["seats"], state.players, strict=True):
            hold(entry["action"] == (player.action if revealed else None), "an action card is shown too early")
        player = None if seat is None else match.players()[seat]
        other_world = view(Position(VERRAETER, match, twin(state, seat, revealed=revealed)), player)
        hold(msgspec.json.encode(other_world) == seen.raw, "a view depends on cards that this viewer cannot see")

    def _check_bytes(self, match: Match, answer: Answer) -> None:
        received = answer.raw + repr(sorted(answer.headers.items())).encode()
        for secret in secrets(match, [player.token or "" for player in self.players]):
            hold(secret not in received, "an answer carries a secret of the match")

    def _check_names(self, answer: Answer) -> None:
        for path in paths(answer.body):
            names = set(path.replace("[]", "").replace("<", ".").replace(">", "").split("."))
            hold(not names & NEVER, f"an answer has the path {path}")


def own_cards(state: VerraeterState, seat: int) -> dict[str, Any]:
    """What one seat alone knows (rules, section 6)."""
    player = state.players[seat]
    return {
        "seat": seat,
        "hand": sorted(player.supplies),
        "offered": sorted(player.offered),
        "kept": player.action,
    }


def twin(state: VerraeterState, viewer: int | None, *, revealed: bool) -> VerraeterState:
    """The same table in another world: every card that this viewer cannot see is another one, or lies elsewhere."""
    world = VERRAETER.load(VERRAETER.dump(state))
    others = [player for seat, player in enumerate(world.players) if seat != viewer]
    world.draw_pile = [8 if card != 8 else 2 for card in world.draw_pile]
    world.middle = list(reversed(world.middle)) if revealed else ["builder" for _ in world.middle]
    for player in others:
        player.supplies = [8 if card != 8 else 2 for card in player.supplies]
        player.offered = ["builder" for _ in player.offered]
        if not revealed and player.action is not None:
            player.action = "diplomat_5" if player.action != "diplomat_5" else "diplomat_2"
    return world


def secrets(match: Match, tokens: list[str]) -> Iterator[bytes]:
    """What no answer may contain, in every form in which it could slip out."""
    seed = match.seed
    yield seed
    yield seed.hex().encode()
    yield seed.hex().upper().encode()
    yield base64.b64encode(seed).rstrip(b"=")
    yield base64.urlsafe_b64encode(seed).rstrip(b"=")
    yield base64.b32encode(seed).rstrip(b"=")
    yield ",".join(map(str, seed)).encode()
    yield ", ".join(map(str, seed)).encode()
    yield str(int.from_bytes(seed, "big")).encode()
    yield str(int.from_bytes(seed, "little")).encode()
    for seated in match.seats:
        if seated is not None:
            yield seated.player.encode()
            if seated.entropy:
                yield seated.entropy.encode()
    yield from (token.encode() for token in tokens)


def _bytes(value: Any) -> bytes:
    return msgspec.json.encode(value)
