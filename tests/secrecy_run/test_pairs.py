"""A small share of the long run; and leaks that are planted are found by it."""

from __future__ import annotations

from contextlib import suppress

import pytest
from playthroughs.option_sets import GAMES
from secrecy_run import pairs
from secrecy_run.any_options import any_options
from secrecy_run.hidden import HIDDEN, MARKERS, facts
from secrecy_run.pairs import Counts, compare_matches
from secrecy_run.run import Findings

import engine.kabale.rules
from engine.catalogue import GAMES as CATALOGUE
from engine.game import Event, IllegalMove, openly
from engine.randomness import Stream

every_game = pytest.mark.parametrize("game_id", GAMES)


def test_every_game_is_in_the_run():
    assert set(GAMES) >= set(CATALOGUE)
    assert set(HIDDEN) >= set(CATALOGUE)


@every_game
def test_no_state_can_be_told_apart(game_id):
    counts = compare_matches(game_id, 7, range(10), 2)
    assert counts.matches == 10
    assert counts.pairs > 150
    assert counts.refusals > counts.pairs
    assert counts.sequels > 100
    assert counts.secret_moves > 10
    assert (counts.differing, counts.leaked, counts.examples) == (0, 0, [])
    assert (counts.markers > 0) == (game_id in MARKERS)
    assert set(counts.varied) == HIDDEN[game_id]
    assert sum(counts.varied.values()) > counts.hidden / 5
    assert list(Findings(counts={game_id: counts}).faults()) == []


@every_game
def test_a_part_of_the_run_is_the_same_every_time(game_id):
    assert compare_matches(game_id, 3, range(2), 3) == compare_matches(game_id, 3, range(2), 3)
    assert compare_matches(game_id, 3, range(2), 3) != compare_matches(game_id, 4, range(2), 3)


# --- planted leaks ---


def first_secret(game, state):
    return {
        "verraeter": lambda: state.draw_pile[-3:],
        "kabale": lambda: state.goal_stack[-3:],
        "inside_job": lambda: state.mission_deck[-3:],
    }[game.id]()


def plant(monkeypatch, game_id, **methods):
    """Let a game's methods do something else."""
    monkeypatch.setitem(pairs.GAMES, game_id, type("Leaky", (type(GAMES[game_id]),), methods)())


@every_game
def test_a_table_that_tells_too_much(monkeypatch, game_id):
    game = GAMES[game_id]
    plant(monkeypatch, game_id, table=lambda _, state: [game.table(state), first_secret(game, state)])
    counts = Counts()
    for number in range(8):
        with suppress(AttributeError, TypeError):  # a stand-in cannot read such a table
            counts.add(compare_matches(game_id, 1, range(number, number + 1), 2))
    assert counts.differing > 0
    assert (counts.leaked > 0) == (game_id in MARKERS)
    assert "looks different" in counts.examples[0] or "reads" in counts.examples[0]


@every_game
def test_a_hand_of_somebody_else(monkeypatch, game_id):
    game = GAMES[game_id]
    plant(monkeypatch, game_id, hand=lambda _, state, seat: game.hand(state, (seat + 1) % len(state.players)))
    counts = Counts()
    for number in range(4):
        with suppress(ValueError):  # a stand-in cannot play such a hand
            counts.add(compare_matches(game_id, 1, range(number, number + 1), 2))
    assert counts.differing > counts.pairs / 8


@every_game
def test_a_refusal_that_tells_too_much(monkeypatch, game_id):
    game = GAMES[game_id]

    def play(_, state, seat, move, random):
        try:
            return game.play(state, seat, move, random)
        except IllegalMove as refusal:
            raise IllegalMove(f"{refusal.reason} {first_secret(game, state)}") from refusal

    plant(monkeypatch, game_id, play=play)
    counts = compare_matches(game_id, 1, range(2), 3)
    assert counts.differing > 0
    assert "is answered" in " ".join(counts.examples)


def test_an_event_that_tells_too_much(monkeypatch):
    place = engine.kabale.rules._place
    monkeypatch.setattr(
        engine.kabale.rules, "_place", lambda state, seat, move: openly(place(state, seat, move).seen_by(seat))
    )
    counts = compare_matches("kabale", 1, range(3), 2)
    assert counts.differing > 0
    assert "are told apart" in counts.examples[0]


@every_game
def test_resampling_that_varies_nothing(monkeypatch, game_id):
    game = GAMES[game_id]
    plant(monkeypatch, game_id, resample=lambda _, state, seen, viewer, random: game.load(game.dump(state)))
    counts = compare_matches(game_id, 1, range(2), 2)
    assert not counts.varied
    faults = list(Findings(counts={game_id: counts}).faults())
    assert faults == [f"{game_id}: {kind} never varied" for kind in sorted(HIDDEN[game_id])]


def test_resampling_that_touches_what_is_open(monkeypatch):
    game = GAMES["kabale"]

    def resample(_, state, seen, viewer, random):
        other = game.resample(state, seen, viewer, random)
        other.rules_version += 1
        return other

    plant(monkeypatch, "kabale", resample=resample, load=lambda _, stored: game.load(stored))
    with pytest.raises(Exception, match="rules version"):  # such a state cannot even be stored
        compare_matches("kabale", 1, range(2), 2)
    monkeypatch.setattr(pairs, "_plain", lambda value: {"goals": id(value)})
    counts = Counts()
    match = pairs._Comparison(game, "kabale 1 1", 2, counts)
    match._count_hidden(match.match.copy())
    assert list(Findings(counts={"kabale": Counts(pairs=1, varied=counts.varied)}).faults())[-1] == (
        "kabale: goals (not hidden) varied"
    )


# --- the parts ---


def test_facts_have_kinds_and_places():
    assert list(facts({"a": [1, {"b": None}], "c": []})) == [("a[]", ".a[0]", 1), ("a[].b", ".a[1].b", None)]


@every_game
def test_options_at_random_fit_and_differ(game_id):
    game, random = GAMES[game_id], Stream(b"options")
    for seats in game.seats:
        drawn = [any_options(game, seats, random) for _ in range(30)]
        for options in drawn:
            game.check_options(options, seats)
        assert game.options_type() in drawn
        assert len(set(drawn)) > 5


def test_told_to_leaves_out_the_order_of_own_draws_only():
    events = [event for event in first_draws() if event.private]
    (told, cards), (others, none) = (pairs.told_to(viewer, events) for viewer in (0, None))
    assert cards == sorted(card for event in events if 0 in event.private for card in event.private[0].you.cards)
    assert none == []
    assert len(told) == len(others) == len(events)


def first_draws() -> list[Event]:
    match = pairs.Playthrough(GAMES["verraeter"], 3, GAMES["verraeter"].options_type(), bytes(32))
    for _ in match.steps():
        pass
    return [event for event in match.log if event.public.__struct_config__.tag == "supplies_drawn"]
