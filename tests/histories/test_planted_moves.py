"""The checker finds what was planted among the moves of a history, and nothing where nothing is wrong."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from histories.checker import check
from histories.honest import honest_history
from histories.planting import (
    edit,
    entries,
    forget_after,
    kinds,
    legal_at,
    log,
    started,
    store,
)
from redis import Redis

from engine.game import IllegalMove


def test_nothing_is_found_where_nothing_is_wrong(history):
    assert check(history) == []
    told = {(call.operation, call.status, call.replayed) for call in history.calls}
    assert ("playMove", 200, True) in told
    assert ("playMove", 409, False) in told
    assert {move.stand_in for move in started(history).moves} == {True, False}
    assert len(history.outcomes) == 2


def test_a_lost_move(history):
    """The last one that was acknowledged; what the store holds agrees with itself."""
    last = [entry for entry in entries(history) if not entry.logged.stand_in][-1]
    log(history, started(history).moves[: last.number - 1])
    assert "lost-move" in kinds(history)


def test_a_move_of_which_only_the_log_knows_nothing(history):
    outcome = started(history)
    store(history, replace(outcome, moves=outcome.moves[:5] + outcome.moves[6:]))
    assert {"replay", "lost-move"} <= kinds(history)


def test_a_doubled_move(history):
    """It counts for the seat's next decision too, at which it is legal as well; all else agrees with that."""
    made = entries(history)
    doubled, place = next(
        (entry, place)
        for entry in made
        for place in range(entry.number, len(made))
        if made[place].logged.seat == entry.logged.seat
        and not made[place].logged.stand_in
        and entry.logged.move in legal_at(started(history), place)
    )
    forget_after(history, [call for entry in made[:place] for call in entry.calls][-1])
    log(history, [*started(history).moves[:place], doubled.logged])
    assert "unexplained-move" in kinds(history)


def test_a_doubled_entry_of_the_log(history):
    outcome = started(history)
    store(history, replace(outcome, moves=[*outcome.moves[:6], *outcome.moves[5:]]))
    assert {"replay", "unexplained-move"} & kinds(history)


def test_two_moves_in_another_order(app, store):
    """Both seats were deciding, so the rules do not mind; those who asked and were told do."""
    redis = Redis.from_url(store.url)
    for seed in range(20):
        history = honest_history(app, redis, seed, rounds=25, game="inside_job")
        moves = started(history).moves
        for place in range(len(moves) - 1):
            if moves[place].seat == moves[place + 1].seat or moves[place].stand_in or moves[place + 1].stand_in:
                continue
            try:
                log(history, [*moves[:place], moves[place + 1], moves[place], *moves[place + 2 :]])
            except IllegalMove:
                continue
            redis.close()
            assert "reordered" in kinds(history)
            return
    raise AssertionError("no match of 20 came to a vote")


def test_a_move_that_nobody_asked_for(history):
    entry = entries(history)[3]
    history.calls[:] = [call for call in history.calls if call not in entry.calls]
    assert "unexplained-move" in kinds(history)


def test_a_move_that_was_refused(history):
    entry = entries(history)[3]
    for call in entry.calls:
        edit(history, call, status=409, answer={"code": "not-your-decision"}, replayed=False)
    assert "refused-and-made" in kinds(history)


def test_a_move_of_another_seat(history):
    """Acknowledged to one, logged for another."""
    outcome = started(history)
    moves = list(outcome.moves)
    moves[4] = msgspec.structs.replace(moves[4], seat=(moves[4].seat + 1) % 3)
    store(history, replace(outcome, moves=moves))
    assert {"lost-move", "unexplained-move"} <= kinds(history)


def test_an_answer_that_a_stand_in_gave(history):
    """Of a seat that nobody has left."""
    outcome = started(history)
    moves = list(outcome.moves)
    place = next(place for place, move in enumerate(moves) if move.seat == 0)
    moves[place] = msgspec.structs.replace(moves[place], stand_in=True)
    store(history, replace(outcome, moves=moves))
    assert {"two-answers", "stand-in", "leaver-resurrected"} <= kinds(history)


def test_a_stand_in_that_does_something_else(history):
    place, entry = [(place, entry.logged) for place, entry in enumerate(entries(history)) if entry.logged.stand_in][-1]
    outcome = started(history)
    for move in legal_at(outcome, place):
        if move != entry.move:
            log(history, [*outcome.moves[:place], msgspec.structs.replace(entry, move=move)])
            assert "stand-in" in kinds(history)
            return
    raise AssertionError("it had no choice")


def test_an_overdue_move(history):
    outcome = started(history)
    moves = [
        msgspec.structs.replace(move, at=move.at + (100 if place > 4 else 0))
        for place, move in enumerate(outcome.moves)
    ]
    store(history, replace(outcome, moves=moves), move_seconds=50)
    assert "late-move" in kinds(history)


@pytest.mark.parametrize("what", ["state", "event", "no event", "seed"])
def test_what_does_not_follow_from_the_moves(history, what):
    outcome = started(history)
    if what == "state":
        state = outcome.state.replace(b"\x01", b"\x02", 1)
        store(history, replace(outcome, state=state))
    elif what == "seed":
        store(history, outcome, seed=bytes(32))
    elif what == "event":
        store(history, replace(outcome, events=[outcome.events[1], *outcome.events[1:]]))
    else:
        store(history, replace(outcome, events=outcome.events[:-1]))
    assert "replay" in kinds(history)
