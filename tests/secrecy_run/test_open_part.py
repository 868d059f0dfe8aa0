"""What lies open of a move is told, and no leak; the rest of it is told nobody else."""

from __future__ import annotations

from collections import defaultdict
from typing import get_args

import msgspec
import pytest
from playthroughs.option_sets import GAMES, OPTION_SETS
from secrecy_run import pairs
from secrecy_run.hidden import SECRET_PARTS, open_part
from support.play import Playthrough

from engine.kabale import KABALE
from engine.kabale.components import CHARACTERS, Character
from engine.kabale.moves import DeclineTuck, PlaceCard, SwapGoals, TuckCard
from engine.kabale.state import KabaleState, Slot
from engine.randomness import Stream
from engine.verraeter.moves import MoveBuilding


@pytest.mark.parametrize(
    ("move", "part"),
    [
        (PlaceCard(card="king", column=2), {"type": "place_card", "column": 2}),
        (TuckCard(card="king"), {"type": "tuck_card"}),
        (DeclineTuck(), {"type": "decline_tuck"}),
        (SwapGoals(columns=(0, 1)), {"type": "swap_goals", "columns": (0, 1)}),
        (MoveBuilding(origin=3, to=4), {"type": "move_building", "from": 3, "to": 4}),
    ],
)
def test_the_open_part_of_a_move(move, part):
    assert open_part(move) == part


@pytest.mark.parametrize("game_id", GAMES)
def test_what_is_called_open_is_told_everybody(game_id):
    """Of two moves with different open parts a spectator is told different things: so nothing secret is called open.

    Of others it sometimes is not: so nothing open is called secret.
    """
    game = GAMES[game_id]
    played, alike = set(), set()
    for seats, options in (pair for chosen in OPTION_SETS[game_id].values() for pair in chosen.items()):
        match = Playthrough(game, seats, options, bytes(32))
        for state in match.steps():
            for seat in game.deciding(state):
                told = defaultdict(list)
                for move in game.legal_moves(state, seat):
                    events = game.play(match.copy(), seat, move, match.next_stream())
                    told[msgspec.json.encode([event.public for event in events])].append(open_part(move))
                for parts in told.values():
                    assert parts == parts[:1] * len(parts), "these are told alike"
                    played.add(parts[0]["type"])
                    alike |= {parts[0]["type"]} if len(parts) > 1 else set()
    assert played == {member.__struct_config__.tag for member in get_args(game.move_type)}
    assert alike == played & SECRET_PARTS.keys()


def assassin_beside(character: Character) -> KabaleState:
    """Seat 0 places a card; an unseen Assassin of seat 1 is in column 0, this unseen card of seat 0 in column 1."""
    state, _ = KABALE.deal(2, KABALE.options_type(), Stream(b"beside"))
    assassin, beggar = Slot(owner=1, character="assassin"), Slot(owner=1, character="beggar", face_up=True)
    state.turn = 0
    state.columns[0].slots = [assassin]
    state.columns[1].slots = [beggar, Slot(owner=0, character=character)]
    for player, laid in zip(state.players, ({character}, {"assassin", "beggar"}), strict=True):
        left = [other for other in CHARACTERS if other not in laid]
        player.hand, player.draw_pile = sorted(left[:3]), left[3:]
    return state


def test_an_open_part_that_leaves_no_trace_is_told_all_the_same():
    """In which column a card was placed is no secret, even where seat 1 sees the same table afterwards.

    Placed in column 1, it lets the Explorer run into the Assassin, and lies where that one lay. Placed in column 0, it
    is killed itself, and the Merchant lies on.
    """
    here, there = assassin_beside("explorer"), assassin_beside("merchant")
    assert pairs.seen(KABALE, here, 1) == pairs.seen(KABALE, there, 1)
    comparison = pairs._Comparison(KABALE, "a match with open columns", 1, pairs.Counts())
    comparison.match.state = KABALE.load(KABALE.dump(here))
    for _ in range(10):
        comparison._compare_secret_moves(there, 1)
    told = [
        pairs.told_to(1, KABALE.play(state, 0, PlaceCard(card=state.players[0].hand[0], column=column), Stream(b"")))
        for state, column in ((here, 1), (there, 0))
    ]
    assert pairs.seen(KABALE, here, 1) == pairs.seen(KABALE, there, 1)
    assert told[0] != told[1]
    assert comparison.counts.secret_moves > 5
    assert (comparison.counts.differing, comparison.counts.examples) == (0, [])
