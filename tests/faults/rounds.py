"""One round: clients play, something is broken again and again, and what came of it is judged."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from faults.crowd import Crowd
from faults.judging import DOUBLED, LOST, judge
from faults.kinds import Kind
from faults.world import World
from histories.recorded import JOINS, Call, Finding, History

PLAYERS = 6
WRITES = ("createMatch", *JOINS, "startMatch", "leaveMatch", "playMove")


@dataclass
class Count:
    """What came of faults of one kind.

    Attributes:
        moves: that were acknowledged to players.
        longest: seconds until the service answered again.
    """

    faults: int = 0
    moves: int = 0
    longest: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return sum(finding.kind in LOST for finding in self.findings)

    @property
    def doubled(self) -> int:
        return sum(finding.kind in DOUBLED for finding in self.findings)

    def add(self, other: Count) -> None:
        self.faults += other.faults
        self.moves += other.moves
        self.longest = max(self.longest, other.longest)
        self.findings += other.findings


def play_round(
    world: World,
    kind: Kind,
    seed: str,
    faults: int,
    *,
    players: int = PLAYERS,
    note: Callable[[], None] = lambda: None,
) -> Count:
    """Play, and break something so many times.

    Args:
        note: called after each fault.
    """
    chance = random.Random(f"{kind.name}/{seed}")
    world.clean()
    count = Count()
    with Crowd(world.address, players, seed, hang_up=world.to_service.close) as crowd:
        time.sleep(0.3)  # the first matches are made
        for _ in range(faults):
            time.sleep(chance.uniform(0.1, 0.8))
            over = kind.happen(world, chance)
            count.longest = max(count.longest, world.wait_until_it_answers() - over)
            count.faults += 1
            note()
        time.sleep(0.2)
    crowd.settle()
    lobby = crowd.lobby()
    history = without_rumours(crowd.history(world.redis), world.unsure)
    count.moves = acknowledged_moves(history)
    count.findings = judge(history, world.redis, lobby)
    return count


def acknowledged_moves(history: History) -> int:
    """How many moves players were told had been made."""
    return len(
        {
            (call.match, call.player, call.body["decision"])
            for call in history.calls
            if call.operation == "playMove" and call.accepted
        }
    )


def without_rumours(history: History, unsure: Sequence[tuple[float, float]]) -> History:
    """The same without what was read, or refused, while the service may have shown what was then lost."""

    def is_rumour(call: Call) -> bool:
        meanwhile = any(call.began < end and call.ended > begin for begin, end in unsure)
        return meanwhile and (call.refused or (call.accepted and call.operation not in WRITES))

    return replace(history, calls=[call for call in history.calls if not is_rumour(call)])
