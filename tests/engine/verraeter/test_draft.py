"""Phase 2: the draft of the action cards."""

from collections import Counter

import pytest

from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclareConflict, DraftAction

SIX = {"traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"}


@pytest.mark.parametrize(
    ("seats", "start", "order", "offers", "middle"),
    [
        (4, 0, [0, 1, 2, 3], [5, 4, 3, 2], 2),
        (4, 2, [2, 3, 0, 1], [5, 4, 3, 2], 2),
        (3, 0, [0, 1, 2], [5, 4, 3], 3),
        (3, 1, [1, 2, 0], [5, 4, 3], 3),
    ],
)
def test_draft(scene, seats, start, order, offers, middle):
    """Facts 9, 19: one card is put aside, everybody keeps one and passes the rest left, leftovers go in the middle."""
    table = scene(seats=seats, start=start)
    state = table.state
    table.play(start, DeclareConflict(border=0))
    aside = list(state.middle)
    assert len(aside) == 1
    passed = SIX - set(aside)
    for seat, count in zip(order, offers, strict=True):
        assert VERRAETER.deciding(state) == (seat,)
        assert set(table.hand(seat).offered) == passed
        assert len(passed) == count == len(table.hand(seat).offered)
        assert table.moves(seat) == [DraftAction(action=action) for action in sorted(passed)]
        assert table.refused(seat, DraftAction(action=aside[0])) == "action-not-offered"
        kept = sorted(passed)[seat % 2]
        table.play(seat, DraftAction(action=kept))
        assert state.players[seat].action == kept
        passed = passed - {kept}
    assert state.middle[0] == aside[0]
    assert Counter(state.middle) == Counter([*aside, *passed])
    assert len(state.middle) == middle
    assert {player.action for player in state.players} | set(state.middle) == SIX
    assert state.phase == "play_supplies"


def test_what_a_seat_kept_is_gone_for_the_next(scene):
    """Fact 19: the next seat can keep neither the card put aside nor one that was kept before."""
    table = scene()
    table.play(0, DeclareConflict(border=0))
    first, *_ = table.hand(0).offered
    table.play(0, DraftAction(action=first))
    assert table.refused(1, DraftAction(action=first)) == "action-not-offered"
    second, *_ = table.hand(1).offered
    table.play(1, DraftAction(action=second))
    assert table.refused(2, DraftAction(action=first)) == "action-not-offered"
    assert table.refused(2, DraftAction(action=second)) == "action-not-offered"


def test_any_card_may_be_put_aside(scene):
    """Fact 19: all six action cards are shuffled before one is put aside."""
    aside = Counter()
    for number in range(240):
        table = scene()
        table.random = Randomness("aside", bytes(32)).move(number)
        table.play(0, DeclareConflict(border=0))
        aside.update(table.state.middle)
    assert set(aside) == SIX
    assert min(aside.values()) >= 20


def test_nobody_sees_the_card_put_aside(scene):
    """Fact 19: not even the start player is shown it, and the last player does not look either."""
    table = scene()
    events = table.play(0, DeclareConflict(border=0))
    aside = table.state.middle[0]
    for seat in (0, 1, 2, 3):
        assert aside not in table.hand(seat).offered
        assert aside not in str([event.seen_by(seat) for event in events])
    for seat in (0, 1, 2, 3):
        events += table.play(seat, table.moves(seat)[0])
    for seat in (0, 1, 2, 3):
        assert aside not in table.hand(seat).offered
        assert aside not in str([event.seen_by(seat) for event in events])
    assert aside not in str([event.seen_by(None) for event in events])
    assert aside not in str(table.table)


def test_only_the_last_player_knows_the_leftovers(scene):
    """Fact 19: what the last player was offered and did not keep lies in the middle."""
    table = scene(seats=3)
    table.play(0, DeclareConflict(border=0))
    for seat in (0, 1, 2):
        table.play(seat, table.moves(seat)[1])
    last = table.hand(2)
    assert sorted(set(last.offered) - {last.kept}) == sorted(table.state.middle[1:])
    assert len(last.offered) == 3


def test_middle_is_never_revealed(scene):
    """Ruling Q25: the reveal shows the chosen cards and nothing of the middle, then or later."""
    table = scene().draft("builder", "farmer", "strategist", "diplomat_2")
    hidden = set(table.state.middle)
    assert hidden == {"traitor", "diplomat_5"}
    table.fight()
    told = str([event.seen_by(seat) for event in table.log for seat in (None, 0, 1, 2, 3)])
    assert "'builder'" in told
    assert not any(f"'{action}'" in told for action in hidden)
    assert not any(action in str([seat.action for seat in table.table.seats]) for action in hidden)
    assert not any(action in str(table.table.last_conflict) for action in hidden)
    assert table.table.middle_size == 2


def test_action_cards_go_back_together(scene):
    """Fact 38: in phase 12 all six cards leave the table, and the next draft has all six again."""
    table = scene(seats=3)
    table.whole_round(4, ["farmer", "strategist", "diplomat_2"], [[], [], []])
    state = table.state
    assert [player.action for player in state.players] == [None] * 3
    assert [player.offered for player in state.players] == [[]] * 3
    assert state.middle == []
    table.play(1, DeclareConflict(border=6))
    assert set(state.middle) | set(state.players[1].offered) == SIX
