"""Whatever a game can say by an id has a name in every language, as a client shows it, and no name is left over."""

from __future__ import annotations

from typing import get_type_hints

import pytest
from support.ids import ids_in, ids_of, tags_of

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.kabale.state import RoundEnding
from service import texts

IN_THE_BOX = {
    "verraeter": {"supply_card", "allegiance_card", "strategy_card", "conflict_card", "start_player_card"},
    "kabale": {"goal_card", "influence_card"},
    "inside_job": set(),
}
"""Kinds of card that the rules name and that fields of their own stand for; no type carries their ids."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
every_language = pytest.mark.parametrize("language", texts.LANGUAGES)


def happenings(game: AnyGame) -> set[str]:
    """Whatever is asked, played and told in a match; not things and roles, whose names may be alike in languages."""
    return {*game.kinds, "over", *tags_of(game.move_type, game.event_type), *game.endings, *game.reasons}


@every_game
@every_language
def test_every_id_of_a_game_has_a_name_and_no_name_is_left_over(game: AnyGame, language: str):
    assert set(texts.names(game.id, language)) == ids_of(game) | IN_THE_BOX[game.id]


@every_game
def test_what_is_in_the_box_is_named_by_nothing_else(game: AnyGame):
    assert not IN_THE_BOX[game.id] & ids_of(game)


@every_game
def test_a_phase_is_named_like_the_decision_that_it_waits_for(game: AnyGame):
    """One id, one name: so it is an imperative, but for the end, which waits for nothing."""
    assert ids_in(get_type_hints(game.table_type)["phase"]) == {*game.kinds, "over"}


@every_game
@every_language
def test_no_two_ids_of_a_game_have_the_same_name(game: AnyGame, language: str):
    """Else a player could not tell them apart. The game itself may be called like one of its cards."""
    names = [name for id_, name in texts.names(game.id, language).items() if id_ != game.id]
    assert len(set(names)) == len(names)


@every_game
@every_language
def test_endings_and_reasons_are_sentences_and_all_else_are_labels(game: AnyGame, language: str):
    sentences = {*game.endings, *game.reasons}
    if game.id == "kabale":
        sentences |= ids_in(RoundEnding)
    for id_, name in texts.names(game.id, language).items():
        assert name.endswith(".") == (id_ in sentences), id_


@every_game
def test_what_happens_is_told_differently_in_each_language(game: AnyGame):
    """So that a text that was copied and not translated is found."""
    for id_ in happenings(game):
        assert len({texts.names(game.id, language)[id_] for language in texts.LANGUAGES}) == len(texts.LANGUAGES), id_


# --- where the ids are gathered from ---


def test_ids_are_gathered_from_every_depth():
    """Of each kind one that no other gives."""
    verraeter, kabale, inside_job = (ids_of(GAMES[game]) for game in ("verraeter", "kabale", "inside_job"))
    assert {"verraeter", "wasteland", "reconstructed", "build", "over", "move_building", "farms"} <= verraeter
    assert {"landscape_turned", "house_without_land", "fewer_points"} <= verraeter
    assert {"music_3", "turned_up", "decline_tuck", "no_cards_left", "wizards_cancel_out", "nobody"} <= kabale
    assert {"blue_13", "neutral", "set_up", "vote_tied", "partner_lost", "intel_stolen"} <= inside_job


def test_a_type_that_nobody_thought_of_is_no_silent_gap():
    with pytest.raises(NotImplementedError, match="StrType"):
        ids_in(str)
    with pytest.raises(NotImplementedError, match="DictType"):
        ids_in(dict[str, int])
