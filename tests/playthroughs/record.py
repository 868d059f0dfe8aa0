"""What a playthrough looks like: one match at random, told in full, as lines that can be read and compared.

After the deal and after every move there is a digest of the state, what changed in it, the events with what single
seats read in them, what changed in the table and in every hand, who is asked for what, and every legal move.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path
from typing import Any

import msgspec
from playthroughs.option_sets import GAMES, OPTION_SETS
from support.play import Playthrough

FOLDER = Path(__file__).parent

HEAD = """\
# {game}, {seats} seats, options: {name}
#
# A match at random, with everything that the service knows of it. Written by `make playthroughs`.
#
#   state   the state, secrets included: what is new in it, after the first 16 digits of its SHA-256
#   event   what everybody reads; below it, after `you`, what single seats read beyond that
#   table   what everybody sees that was otherwise before; what is null or empty at first is left out
#   hand N  the same of what seat N alone sees
#   asked   who owes a decision, of which kind, and every legal move, by type and its values; `x`: all combinations
#   ==      a move
#
# `+` and `-` before values: they came to a list or left it.
"""


def files() -> dict[Path, tuple[str, str, int]]:
    """The files there must be: for which game, set of options and number of seats."""
    return {
        FOLDER / game / f"{seats}_seats_{name}.txt": (game, name, seats)
        for game, sets in OPTION_SETS.items()
        for name, by_seats in sets.items()
        for seats in by_seats
    }


def text(game_id: str, name: str, seats: int) -> str:
    """A playthrough."""
    return HEAD.format(game=game_id, seats=seats, name=name) + "".join(
        f"{line}\n" for line in _lines(game_id, name, seats)
    )


def _lines(game_id: str, name: str, seats: int) -> Iterator[str]:
    game, options = GAMES[game_id], OPTION_SETS[game_id][name][seats]
    seed = hashlib.sha256(f"{game_id} {name} {seats}".encode()).digest()
    match = Playthrough(game, seats, options, seed)
    yield f"options {_json(options)}"
    yield f"seed {seed.hex()}"
    before: dict[str, Any] = {}
    told = 0
    for state in match.steps():
        yield ""
        if match.moves:
            seat, move = match.moves[-1]
            yield f"== {len(match.moves)}: seat {seat} {_json(move)}"
        else:
            yield "== the deal"
        yield f"state {hashlib.sha256(game.dump(state)).hexdigest()[:16]}"
        for event in match.log[told:]:
            yield f"event {_json({name: value for name, value in _plain(event.public).items() if name != 'you'})}"
            for reader, private in sorted(event.private.items()):
                yield f"  you {reader} {_json(private.you)}"
        told = len(match.log)
        after = {"state": _plain(state), "table": _plain(game.table(state))}
        after |= {f"hand {seat}": _plain(game.hand(state, seat)) for seat in range(seats)}
        for part, value in after.items():
            for change in changes(before.get(part), value, ""):
                yield f"{part} {change}"
        before = after
        for seat in game.deciding(state):
            yield f"asked {seat} {game.kind(state, seat)}"
            yield from _moves(game.legal_moves(state, seat))
    yield f"result {_json(game.result(match.state))}"


def _moves(moves: list[Any]) -> Iterator[str]:
    """Legal moves in their order, those of one type in one line."""
    for kind, group in groupby(map(_plain, moves), key=lambda move: move["type"]):
        values = [tuple(_json(value) for name, value in move.items() if name != "type") for move in group]
        yield f"  {kind} {_grid(values) or ' '.join(','.join(value) for value in values)}".rstrip()


def _grid(moves: list[tuple[str, ...]]) -> str:
    """Moves that combine everything with everything, in short; of other moves nothing."""
    choices = [list(dict.fromkeys(values)) for values in zip(*moves, strict=True)]
    if len(choices) < 2 or len(moves) < 2 or list(product(*choices)) != moves:
        return ""
    return " x ".join(" ".join(values) for values in choices)


def changes(before: Any, after: Any, path: str) -> Iterator[str]:
    """What has to be said to who knows ``before``, to let it know ``after``."""
    if before == after:
        return
    match before, after:
        case dict(), dict() if before.keys() == after.keys():
            for name, value in after.items():
                yield from changes(before[name], value, f"{path}.{name}" if path else name)
        case None, dict() if not path:
            for name, value in after.items():
                yield from changes([] if isinstance(value, list) else None, value, name)
        case list(), list() if _holds_parts(before) or _holds_parts(after):
            for place, value in enumerate(after):
                known = before[place] if place < len(before) else None
                yield from changes(known, value, f"{path}[{place}]")
            if len(after) < len(before):
                yield f"{path}[{len(after)}] and what follows: gone"
        case list(), list():
            yield f"{path} {_came_and_went(before, after) or _json(after)}"
        case _:
            yield f"{path} {_json(after)}"


def _holds_parts(values: list[Any]) -> bool:
    return any(isinstance(value, dict | list) for value in values)


def _came_and_went(before: list[Any], after: list[Any]) -> str:
    """A change of a list in short, if it is shorter and says all; else nothing."""
    went, came = Counter(before) - Counter(after), Counter(after) - Counter(before)
    stayed = [*before]
    for value in went.elements():
        stayed.reverse()
        stayed.remove(value)
        stayed.reverse()
    says_all = after == [*stayed, *came.elements()] or (_is_sorted(before) and _is_sorted(after))
    if len(after) < 4 or went.total() + came.total() > len(after) / 2 or not says_all:
        return ""
    return " ".join(
        [f"-{_json(value)}" for value in went.elements()] + [f"+{_json(value)}" for value in came.elements()]
    )


def _is_sorted(values: list[Any]) -> bool:
    return {type(value) for value in values} in ({int}, {str}) and values == sorted(values)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
