"""Make the dictionary with which stored values are packed, as long as no version with it is released.

It holds what values of all games are made of: records, states, every kind of event and of move. Afterwards it is
never changed, only followed by another one: whatever was packed with it is read with it.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec
from support.play import Playthrough
from upgrade.recorded import released

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.match import LoggedEvent, LoggedMove, Match, Seated
from service.store.packing import DICTIONARY

_MOST = 7_900
"""Bytes: as far back as the packing looks, nearly."""
_OF_A_STATE = 900


def main() -> int:
    if released():
        print("There are versions that pack with this dictionary: make another one.")
        return 1
    parts = [part for game in GAMES.values() for part in _parts(game)]
    # What comes last is found most cheaply, and what does not fit any more is cut off at the beginning.
    DICTIONARY.write_bytes(b"".join(sorted(parts, key=len, reverse=True))[-_MOST:])
    print(f"wrote {DICTIONARY.stat().st_size} bytes to {DICTIONARY}")
    return 0


def _parts(game: AnyGame) -> list[bytes]:
    """What is stored of a match of a game, each kind of thing once."""
    seats = max(game.seats)
    played = Playthrough(game, seats, game.options_type(), bytes(32))
    *_, state = islice(played.steps(), 60)
    for _ in played.steps():
        pass
    kinds = {type(event.public): msgspec.msgpack.encode(LoggedEvent(1_800_000_000, event)) for event in played.log} | {
        type(move): msgspec.msgpack.encode(LoggedMove(1_800_000_000, seat, move)) for seat, move in played.moves
    }
    return [*kinds.values(), game.dump(state)[:_OF_A_STATE], _record(game, seats)]


def _record(game: AnyGame, seats: int) -> bytes:
    return msgspec.msgpack.encode(
        Match(
            match="",
            game=game.id,
            rules_version=game.rules_version,
            name=None,
            options=msgspec.to_builtins(game.options_type()),
            visibility="public",
            seats=[Seated(player="", name="", entropy="")] * 2,
            capacity=seats,
            creator="",
            seed=b"",
            status="playing",
            created_at=1_800_000_000,
            started_at=1_800_000_000,
            expires_at=1_800_000_000,
            waiting_on=[0],
            answered=[1, 1],
            moves=1,
            indexed_at=1_800_000_000,
        )
    )


if __name__ == "__main__":
    sys.exit(main())
