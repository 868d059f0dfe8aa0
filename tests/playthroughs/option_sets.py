"""The options that the playthroughs are recorded with: by game, by name of the set, then for which numbers of seats."""

from __future__ import annotations

from typing import Final

from engine.game import AnyGame, Options
from engine.inside_job import INSIDE_JOB
from engine.inside_job.options import InsideJobOptions
from engine.kabale import KABALE
from engine.kabale.options import KabaleOptions
from engine.verraeter import VERRAETER
from engine.verraeter.options import VerraeterOptions

GAMES: Final[dict[str, AnyGame]] = {game.id: game for game in (VERRAETER, KABALE, INSIDE_JOB)}

DEFAULT: Final = "default"

OPTION_SETS: Final[dict[str, dict[str, dict[int, Options]]]] = {
    "verraeter": {
        DEFAULT: {seats: VerraeterOptions() for seats in VERRAETER.seats},
        "other_rulings": {
            3: VerraeterOptions(
                first_strategist="left_of_start_player",
                traitor_point_in_draw=True,
                trading_posts_need_own_house=True,
                early_end="at_once",
            ),
        },
        "own_points": {4: VerraeterOptions(landscape_points=tuple((row, 20, 30, 40) for row in range(6)))},
    },
    "kabale": {
        DEFAULT: {seats: KabaleOptions() for seats in KABALE.seats},
        "published_game": {
            3: KabaleOptions(set_scoring="set_only", traitor_swap="own_column", witch_spares_witches=True),
        },
    },
    "inside_job": {
        DEFAULT: {seats: InsideJobOptions() for seats in INSIDE_JOB.seats},
        "accomplice_and_paranoid": {4: InsideJobOptions(special_roles=("accomplice", "paranoid_agent"))},
        "four_roles": {
            5: InsideJobOptions(special_roles=("bugged_agent", "prof_no", "risk_agent", "tim_shady"), intel_limit=6),
        },
        "no_wagers": {3: InsideJobOptions(wagers=False, random_roles=1, vote_tie="any", missions_needed=11)},
    },
}
