"""The ids of everything in Inside Job that has a name (rules, sections 2, 6.2 and 8)."""

from __future__ import annotations

from typing import Literal, TypeAlias

Suit: TypeAlias = Literal["blue", "red", "green", "yellow"]
Allegiance: TypeAlias = Literal["agents", "insider", "neutral"]

# fmt: off
Card: TypeAlias = Literal[
    "blue_1", "blue_2", "blue_3", "blue_4", "blue_5", "blue_6", "blue_7",
    "blue_8", "blue_9", "blue_10", "blue_11", "blue_12", "blue_13",
    "red_1", "red_2", "red_3", "red_4", "red_5", "red_6", "red_7",
    "red_8", "red_9", "red_10", "red_11", "red_12", "red_13",
    "green_1", "green_2", "green_3", "green_4", "green_5", "green_6", "green_7",
    "green_8", "green_9", "green_10", "green_11", "green_12", "green_13",
    "yellow_1", "yellow_2", "yellow_3", "yellow_4", "yellow_5", "yellow_6", "yellow_7",
    "yellow_8", "yellow_9", "yellow_10", "yellow_11", "yellow_12", "yellow_13",
]

SpecialRole: TypeAlias = Literal[
    "accomplice", "bugged_agent", "decoy", "paranoid_agent",
    "prof_no", "risk_agent", "sleeper_agent", "tim_shady",
]
Role: TypeAlias = Literal[
    "agent", "insider",
    "accomplice", "bugged_agent", "decoy", "paranoid_agent",
    "prof_no", "risk_agent", "sleeper_agent", "tim_shady",
]

Condition: TypeAlias = Literal[
    "ascending", "descending", "all_odd", "all_even",
    "one_suit", "first_wins", "second_wins", "last_wins",
    "middle_odd", "all_below_7", "ends_match", "last_lowest",
    "third_wagered", "winner_wagered", "two_wagered", "lowest_wins",
    "all_above_6", "no_trump", "some_trump", "first_highest",
    "last_highest", "spread_at_most_6",
]

Mission: TypeAlias = Literal[
    "ascending_blue", "ascending_red", "ascending_green", "ascending_yellow",
    "descending_blue", "descending_red", "descending_green", "descending_yellow",
    "all_odd_blue", "all_odd_red", "all_odd_green", "all_odd_yellow",
    "all_even_blue", "all_even_red", "all_even_green", "all_even_yellow",
    "one_suit_blue", "one_suit_red", "one_suit_green", "one_suit_yellow",
    "first_wins_blue", "first_wins_red", "first_wins_green", "first_wins_yellow",
    "second_wins_blue", "second_wins_red", "second_wins_green", "second_wins_yellow",
    "last_wins_blue", "last_wins_red", "last_wins_green", "last_wins_yellow",
    "middle_odd_blue", "middle_odd_red", "middle_odd_green", "middle_odd_yellow",
    "all_below_7_blue", "all_below_7_red", "all_below_7_green", "all_below_7_yellow",
    "ends_match_blue", "ends_match_red", "ends_match_green", "ends_match_yellow",
    "last_lowest_blue", "last_lowest_red", "last_lowest_green", "last_lowest_yellow",
    "third_wagered_blue", "third_wagered_red", "third_wagered_green", "third_wagered_yellow",
    "winner_wagered_blue", "winner_wagered_red", "winner_wagered_green", "winner_wagered_yellow",
    "two_wagered_blue", "two_wagered_red", "two_wagered_green", "two_wagered_yellow",
    "lowest_wins_blue", "lowest_wins_red", "lowest_wins_green", "lowest_wins_yellow",
    "all_above_6_blue", "all_above_6_red", "all_above_6_green", "all_above_6_yellow",
    "no_trump_blue", "no_trump_red", "no_trump_green", "no_trump_yellow",
    "some_trump_blue", "some_trump_red", "some_trump_green", "some_trump_yellow",
    "first_highest_blue", "first_highest_red", "first_highest_green", "first_highest_yellow",
    "last_highest_blue", "last_highest_red", "last_highest_green", "last_highest_yellow",
    "spread_at_most_6_blue", "spread_at_most_6_red", "spread_at_most_6_green", "spread_at_most_6_yellow",
    "risk_third_wagered_blue", "risk_winner_wagered_red", "risk_two_wagered_green", "risk_lowest_wins_yellow",
]
# fmt: on
