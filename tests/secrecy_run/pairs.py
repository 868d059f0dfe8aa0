"""Matches at random, in which true states are compared with others that a viewer must not tell apart from them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import msgspec
from playthroughs.option_sets import GAMES
from secrecy_run.any_options import any_options
from secrecy_run.hidden import HIDDEN, MARKERS, facts, open_part
from support.play import Playthrough

from engine.game import AnyGame, Event, IllegalMove, Seat, State
from engine.randomness import Stream

REFUSALS_PER_PAIR = 4
LONGEST_SEQUEL = 8
SECRET_MOVES_PER_PAIR = 6
EXAMPLES = 5
DRAWS = ("supplies_drawn", "influence_drawn")


@dataclass
class Counts:
    """What was compared, and what was found.

    Attributes:
        pairs: pairs of views, each of a true state and of another one, that were compared byte by byte.
        differing: those that were not the same.
        refusals: answers to a move that were compared.
        sequels: moves that were played on from both states, with events and questions compared.
        secret_moves: moves of somebody else that differ in what is secret of them and look alike afterwards, with
            events and questions compared.
        hidden: facts of hidden kinds in the states that were resampled.
        varied: those of them that were another one in the other state, by kind.
        markers: hidden ids that occur once and were looked for in views and events.
        leaked: those that were found.
        examples: the first of the things found, in words.
    """

    matches: int = 0
    pairs: int = 0
    differing: int = 0
    refusals: int = 0
    sequels: int = 0
    secret_moves: int = 0
    hidden: int = 0
    varied: Counter[str] = field(default_factory=Counter)
    markers: int = 0
    leaked: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        """Count what another part of the run has counted."""
        for entry in fields(self):
            setattr(self, entry.name, getattr(self, entry.name) + getattr(other, entry.name))
        del self.examples[EXAMPLES:]

    def found(self, what: str) -> None:
        """Note something that must not be."""
        if len(self.examples) < EXAMPLES:
            self.examples.append(what)


def compare_matches(game_id: str, seed: int, numbers: range, every: int) -> Counts:
    """Play some matches and compare one pair of views, of a viewer at random, in every so many states."""
    counts = Counts()
    for number in numbers:
        _Comparison(GAMES[game_id], f"{game_id} {seed} {number}", every, counts).run()
    return counts


def seen(game: AnyGame, state: State, viewer: Seat | None) -> bytes:
    """Everything that a state shows a viewer."""
    parts: list[Any] = [game.table(state), game.deciding(state), game.result(state)]
    if viewer is not None:
        parts += [game.hand(state, viewer), game.legal_moves(state, viewer)]
        if viewer in game.deciding(state):
            parts.append(game.kind(state, viewer))
    return msgspec.json.encode(parts)


def told_to(viewer: Seat | None, events: Sequence[Event[Any]]) -> Any:
    """What a viewer reads of a move, as far as it can be put together from the views before and after it.

    Of its own cards drawn in several draws the view shows the sum, see ``docs/secrecy.md``.
    """
    told = [_plain(event.seen_by(viewer)) for event in events]
    drawn = [event["you"].pop("cards") for event in told if event["type"] in DRAWS and event["you"]]
    return told, sorted(card for cards in drawn for card in cards)


class _Comparison:
    """One match; its name settles everything in it."""

    def __init__(self, game: AnyGame, name: str, every: int, counts: Counts) -> None:
        self.game, self.name, self.every, self.counts = game, name, every, counts
        self.random = Stream(b"comparison " + name.encode())
        seats = self.random.choice(game.seats)
        seed = hashlib.sha256(name.encode()).digest()
        self.match = Playthrough(game, seats, any_options(game, seats, self.random), seed)
        self.known: dict[bytes, Any] = {}
        self.scanned = 0

    def run(self) -> None:
        """Play the match to its end."""
        self.counts.matches += 1
        for state in self._states():
            for seat in self.game.deciding(state):
                self.known |= {msgspec.json.encode(move): move for move in self.game.legal_moves(state, seat)}
            if self.random.below(self.every) == 0:
                viewer = self.random.choice(self.match.viewers())
                other = self.game.resample(state, self.match.seen_by(viewer), viewer, self.random)
                self._compare_views(other, viewer)
                self._count_hidden(other)
                self._compare_refusals(other, viewer)
                self._compare_secret_moves(other, viewer)
                self._play_on(other, viewer)
            self._look_for_markers(state)

    def _states(self) -> Any:
        """Half of the matches are played by stand-ins, which reach other endings than players at random."""
        if self.random.below(2):
            yield from self.match.steps()
            return
        yield self.match.state
        while deciding := self.game.deciding(self.match.state):
            seat, state = self.random.choice(deciding), self.match.state
            table, hand = self.game.table(state), self.game.hand(state, seat)
            move = self.game.stand_in(table, hand, self.game.legal_moves(state, seat), self.random)
            self.match.play(seat, move)
            yield self.match.state

    def _where(self, viewer: Seat | None) -> str:
        who = "a spectator" if viewer is None else f"seat {viewer}"
        return f"match {self.name!r}, after {len(self.match.moves)} moves, {who}"

    def _compare_views(self, other: State, viewer: Seat | None) -> None:
        self.counts.pairs += 1
        if seen(self.game, other, viewer) != seen(self.game, self.match.state, viewer):
            self.counts.differing += 1
            self.counts.found(f"{self._where(viewer)}: another state looks different")

    def _count_hidden(self, other: State) -> None:
        """How much of what is hidden is different in the other state, and whether anything else is."""
        hidden = HIDDEN[self.game.id]
        true, new = ({path: (kind, value) for kind, path, value in facts(_plain(s))} for s in (self.match.state, other))
        self.counts.hidden += sum(kind in hidden for kind, _ in true.values())
        for path in true.keys() | new.keys():
            if true.get(path) != new.get(path):
                kind, _ = true.get(path) or new[path]
                self.counts.varied[kind if kind in hidden else f"{kind} (not hidden)"] += 1

    def _compare_refusals(self, other: State, viewer: Seat | None) -> None:
        if viewer is None or not self.known:
            return
        for _ in range(REFUSALS_PER_PAIR):
            move = self.known[self.random.choice(sorted(self.known))]
            answers = [self._answer(state, viewer, move) for state in (self.match.state, other)]
            self.counts.refusals += 1
            if answers[0] != answers[1]:
                self.counts.differing += 1
                self.counts.found(f"{self._where(viewer)}: {move} is answered {answers[0]} and {answers[1]}")

    def _answer(self, state: State, seat: Seat, move: Any) -> str:
        try:
            self.game.play(self._copy(state), seat, move, self.match.next_stream())
        except IllegalMove as refusal:
            return refusal.reason
        return "accepted"

    def _copy(self, state: State) -> State:
        return self.game.load(self.game.dump(state))

    def _play_on(self, there: State, viewer: Seat | None) -> None:
        """The same moves from both states: while the views are the same, so is all that the viewer is told."""
        here = self.match.copy()
        for number in range(LONGEST_SEQUEL):
            moves = [
                (seat, move)
                for seat in self.game.deciding(here)
                for move in self.game.legal_moves(here, seat)
                if move in self.game.legal_moves(there, seat)
            ]
            if not moves:
                return
            seat, move = self.random.choice(moves)
            chance = b"on %d" % number
            alike = self._told_alike((here, move), (there, move), seat, viewer, chance)
            if alike is None:
                return
            self.counts.sequels += 1
            if not alike:
                self.counts.differing += 1
                self.counts.found(f"{self._where(viewer)}: {number + 1} moves later, {move} tells the states apart")
                return

    def _compare_secret_moves(self, other: State, viewer: Seat | None) -> None:
        """Somebody else plays one move here and another there, such as a card face down.

        If both leave the viewer with the same view, they must also be told alike. The same move in both states
        would not show that an event tells the move.

        That holds for moves that differ only in what is secret of them. What lies open, such as the column, everybody
        sees at once and is told, even where it leaves no trace in the view: two equal goals change places, or an own
        Explorer runs into an Assassin and the new card lies where it lay.
        """
        seats = [seat for seat in self.game.deciding(other) if seat != viewer]
        if not seats:
            return
        seat = self.random.choice(seats)
        here, there = (self.game.legal_moves(state, seat) for state in (self.match.state, other))
        for number in range(SECRET_MOVES_PER_PAIR):
            one, two = self.random.choice(here), self.random.choice(there)
            states = self.match.copy(), self._copy(other)
            alike = self._told_alike((states[0], one), (states[1], two), seat, viewer, b"secret %d" % number)
            if alike is not None and one != two and open_part(one) == open_part(two):
                self.counts.secret_moves += 1
                if not alike:
                    self.counts.differing += 1
                    self.counts.found(f"{self._where(viewer)}: {one} and {two} of seat {seat} are told apart")

    def _told_alike(
        self, here: tuple[State, Any], there: tuple[State, Any], seat: Seat, viewer: Seat | None, chance: bytes
    ) -> bool | None:
        """Play a move in each of two states; whether the viewer is told the same, null if it sees a difference."""
        told = [told_to(viewer, self.game.play(state, seat, move, Stream(chance))) for state, move in (here, there)]
        if seen(self.game, here[0], viewer) != seen(self.game, there[0], viewer):
            return None
        asked = [[(s, self.game.kind(x, s)) for s in self.game.deciding(x)] for x, _ in (here, there)]
        return told[0] == told[1] and asked[0] == asked[1]

    def _look_for_markers(self, state: State) -> None:
        """Hidden ids that occur once, in every view and in the events since the last look."""
        if self.game.id not in MARKERS:
            return
        for viewer in self.match.viewers():
            told = _json([event.seen_by(viewer) for event in self.match.log[self.scanned :]])
            text = told + seen(self.game, state, viewer)
            for marker in MARKERS[self.game.id](state, viewer):
                self.counts.markers += 1
                if f'"{marker}"'.encode() in text:
                    self.counts.leaked += 1
                    self.counts.found(f"{self._where(viewer)}: reads {marker}")
        self.scanned = len(self.match.log)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
