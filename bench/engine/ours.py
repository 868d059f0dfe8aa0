"""Our games, played at random for the benchmark."""

from __future__ import annotations

from functools import partial
from itertools import count

from playing import Choose, PlayMatch, answer

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.randomness import SEED_BYTES, Randomness

SEATS = 4


def looked_at(game: AnyGame, *, by_every_seat: bool) -> PlayMatch:
    """Before each move: who decides, all legal moves, and what the seat that decides, or every seat, may see."""
    numbers = count()

    def play(choose: Choose) -> int:
        random = _randomness(next(numbers))
        state, _ = game.deal(SEATS, game.options_type(), random.deal())
        moves = 0
        while deciding := game.deciding(state):
            seat = deciding[0]
            legal = game.legal_moves(state, seat)
            game.table(state)
            for viewer in range(SEATS) if by_every_seat else (seat,):
                game.hand(state, viewer)
            moves += 1
            game.play(state, seat, choose(legal), random.move(moves))
        return moves

    return play


def _randomness(number: int) -> Randomness:
    return Randomness(f"match {number}", number.to_bytes(SEED_BYTES, "big"))


SUBJECTS = {game.id: partial(looked_at, game, by_every_seat=False) for game in GAMES.values()} | {
    f"{game.id}, every seat": partial(looked_at, game, by_every_seat=True) for game in GAMES.values()
}

if __name__ == "__main__":
    answer(SUBJECTS)
