"""placeholder"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Seat
from engine.randomness import Stream
from engine.verraeter.events import VerraeterEvent
from engine.verraeter.state import VerraeterState


def resample(
    state: VerraeterState, seen: Sequence[VerraeterEvent], viewer: Seat | None, random: Stream
) -> VerraeterState:
    """Placeholder"""
    raise NotImplementedError
