"""The peers' card games, played at random for the benchmark, each as its own documentation plays it.

It runs in the peers' environment and knows nothing of ours.
"""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

from playing import Choose, PlayMatch, answer

SEED = 1


def rlcard(name: str) -> PlayMatch:
    """A step answers with what the seat that is next observes, its legal actions included."""
    env = import_module("rlcard").make(name, config={"seed": SEED})

    def play(choose: Choose) -> int:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(choose(list(state["legal_actions"])))
            moves += 1
        return moves

    return play


def pettingzoo(name: str) -> PlayMatch:
    """``last`` gives what the seat that is next observes, with a mask of its legal actions."""
    env = import_module(f"pettingzoo.classic.{name}").env()
    seeds = Random(SEED)

    def play(choose: Choose) -> int:
        env.reset(seed=seeds.randrange(1 << 30))
        moves = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(choose(observation["action_mask"].nonzero()[0].tolist()))
            moves += 1
        return moves

    return play


def open_spiel(name: str) -> PlayMatch:
    """What the seat that is next observes is made as a tensor; cards are dealt one by one, by nodes of chance."""
    game = import_module("pyspiel").load_game(name)
    chance = Random(SEED)

    def play(choose: Choose) -> int:
        state: Any = game.new_initial_state()
        moves = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(outcomes, weights)[0])
                continue
            legal = state.legal_actions()
            state.observation_tensor(state.current_player())
            state.apply_action(choose(legal))
            moves += 1
        return moves

    return play


SUBJECTS = {
    "RLCard bridge": partial(rlcard, "bridge"),
    "RLCard gin-rummy": partial(rlcard, "gin-rummy"),
    "PettingZoo hanabi": partial(pettingzoo, "hanabi_v5"),
    "PettingZoo texas_holdem": partial(pettingzoo, "texas_holdem_v4"),
    "PettingZoo leduc_holdem": partial(pettingzoo, "leduc_holdem_v4"),
    "OpenSpiel bridge": partial(open_spiel, "bridge(use_double_dummy_result=false)"),
    "OpenSpiel gin_rummy": partial(open_spiel, "gin_rummy"),
    "OpenSpiel hanabi": partial(open_spiel, "hanabi"),
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    answer(SUBJECTS)
