"""Elsewhere the seed of all chance travelled with the filtered state, and seeds came from the clock.

Here nobody receives the seed in any form before the end, and it comes from nothing that can be guessed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from support.clients import Answer, Client, seated
from support.scanning import Received, Request, Scanner
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine import randomness
from engine.game import AnyGame

MATCHES = 12


@every_game
def test_no_seed_before_the_end(visitor: Client, truth: Truth, game: AnyGame):
    """Of all operations, for everybody, in every answer and header; the commitment alone fits it."""
    sitting = Sitting(visitor, truth, game)
    seed = truth.match(sitting.match).seed
    scanner = Scanner()
    scanner.know(seed, "the seed")
    scanner.know(seed.hex(), "the seed in hex")
    for moves in sitting.steps():
        if moves % 10 == 0 and sitting.waiting_on():
            for seat, viewer in sitting.viewers:
                for operation, answer in sitting.read(viewer).items():
                    scan(scanner, f"seat {seat}", operation, answer)
            _, moved = sitting.move()
            scan(scanner, "who moved", "playMove", moved)
    assert scanner.answers > 50
    assert scanner.leaks == []
    replay = visitor.call("getReplay", match=sitting.match).body
    assert replay["seed"] == seed.hex()
    assert replay["commitment"] == randomness.commitment(sitting.match, seed)


def scan(scanner: Scanner, viewer: str, operation: str, answer: Answer) -> None:
    received = Received(answer.status, "", list(answer.headers.items()), answer.raw)
    scanner.scan(received, viewer, Request(operation, "as it is", "", ""), earned=())


@contextmanager
def stopped_clock(app: Flask) -> Iterator[None]:
    archive = app.extensions["turncoat"].matches._archive
    running, now = archive._clock, archive.now()
    archive._clock = lambda: now
    try:
        yield
    finally:
        archive._clock = running


@every_game
def test_matches_of_the_same_second_differ(app: Flask, visitor: Client, truth: Truth, game: AnyGame):
    """Made at the same time, with the interpreter's own generator in the same state."""
    matches = []
    with stopped_clock(app):
        for _ in range(MATCHES):
            random.seed(1)
            matches.append(seated(visitor, game.id, game.seats[-1])[0])
    records = [truth.match(match) for match in matches]
    assert len({record.created_at for record in records}) == 1
    assert len({record.seed for record in records}) == MATCHES
    assert {len(record.seed) for record in records} == {randomness.SEED_BYTES}
    assert len({record.commitment for record in records}) == MATCHES
    assert len({game.dump(truth.state(match)) for match in matches}) == MATCHES
