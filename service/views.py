"""What one viewer sees of a match: the game's table and hand in an envelope that is the same for all games.

The envelope's types are made here once per game, so that each game has a view type of its own
(``VerraeterView`` …) without a line of code in this package.
"""

from __future__ import annotations

from inspect import cleandoc
from types import GenericAlias
from typing import Any, Final, Literal

import msgspec

from engine.catalogue import GAMES
from engine.game import AnyGame, Result, Seat, State
from service.change import Position
from service.match import Match, StartedStatus


class ViewTypes:
    """The types of one game's view: ``view``, ``you`` in it, and ``decision`` in that."""

    def __init__(self, game: AnyGame) -> None:
        name = type(game).__name__
        self.decision = msgspec.defstruct(
            f"{name}Decision",
            [("id", int), ("kind", Literal[game.kinds]), ("legal_moves", GenericAlias(list, (game.move_type,)))],
            namespace={"__doc__": _DECISION_DOC},
            frozen=True,
            kw_only=True,
        )
        self.you = msgspec.defstruct(
            f"{name}You",
            [("decision", self.decision | None)],
            bases=(game.hand_type,),
            namespace={"__doc__": cleandoc(game.hand_type.__doc__ or "") + _YOU_DOC},
            frozen=True,
            kw_only=True,
        )
        self.view = msgspec.defstruct(
            f"{name}View",
            [
                ("match", str),
                ("status", StartedStatus),
                ("waiting_on", list[int]),
                ("table", game.table_type),
                ("you", self.you | None),
                ("result", Result | None),
            ],
            namespace={"__doc__": _VIEW_DOC},
            tag_field="game",
            tag=game.id,
            frozen=True,
            kw_only=True,
        )


_DECISION_DOC = """A decision that is asked of you.

Attributes:
    id: counts your decisions, from 1; a move quotes it.
    kind: what is to be decided.
    legal_moves: every move that may answer it; each can be sent back as it is.
"""

_YOU_DOC = """
    seat: where you sit.
    decision: what is asked of you now; null when nothing is.
"""

_VIEW_DOC = """What you may see of a match.

Attributes:
    match: the id of the match.
    waiting_on: the seats that owe a decision.
    table: what lies open for everybody.
    you: what you alone know; null for a spectator.
    result: who won and why; null until the end.
"""

VIEW_TYPES: Final = {id_: ViewTypes(game) for id_, game in GAMES.items()}


def view(position: Position, player: str | None) -> msgspec.Struct:
    """What a player sees of a match, from their seat or as a spectator.

    Raises:
        Problem: ``not-started``.
    """
    game, match, state = position.game, position.match, position.started_state()
    viewer = match.seat_of(player)
    types = VIEW_TYPES[game.id]
    return types.view(
        match=match.match,
        status=match.status,
        waiting_on=match.waiting_on,
        table=game.table(state),
        you=None if viewer is None else _you(types, game, match, state, viewer),
        result=game.result(state),
    )


def _you(types: ViewTypes, game: AnyGame, match: Match, state: State, seat: Seat) -> msgspec.Struct:
    hand = game.hand(state, seat)
    known: dict[str, Any] = {name: getattr(hand, name) for name in hand.__struct_fields__}
    decision = None
    if seat in match.waiting_on:
        decision = types.decision(
            id=next_decision(match, seat),
            kind=game.kind(state, seat),
            legal_moves=game.legal_moves(state, seat),
        )
    return types.you(**known, decision=decision)


def next_decision(match: Match, seat: Seat) -> int:
    """The id of the decision that this seat has to answer next, whether it is asked yet or not."""
    return match.answered[seat] + 1
