"""A process that plays matches at random when it is told to, and says how many moves took how long.

It runs in our environment and in that of the peers, so it needs the standard library alone. A line of its input is what
to play, for how many seconds and the seed of the choices; a line of its output is what came of it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeAlias

Choose: TypeAlias = Callable[[Sequence[Any]], Any]
"""One of the legal moves; the same code on both sides."""

PlayMatch: TypeAlias = Callable[[Choose], int]
"""Plays one match to its end, the set-up included, and says how many moves it had."""


def answer(subjects: Mapping[str, Callable[[], PlayMatch]]) -> None:
    """Do what comes in, until nothing more does.

    Args:
        subjects: what can be played, by name; made when it is first asked for.
    """
    os.sched_setaffinity(0, {int(sys.argv[1])})
    ready: dict[str, PlayMatch] = {}
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked["name"]
        if name not in ready:
            ready[name] = subjects[name]()
            play(ready[name], asked["seconds"] / 2, Random(asked["seed"]))
        print(json.dumps(play(ready[name], asked["seconds"], Random(asked["seed"]))), flush=True)


def play(match: PlayMatch, seconds: float, random: Random) -> dict[str, float]:
    """Whole matches, for as long as this process has then computed."""
    moves = matches = 0
    begun = time.process_time()
    while (taken := time.process_time() - begun) < seconds:
        moves += match(random.choice)
        matches += 1
    return {"moves": moves, "matches": matches, "seconds": taken}
