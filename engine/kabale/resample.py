"""Other states that a viewer cannot tell apart from the true one.

Everything hidden is drawn anew from what the viewer knows, never from what is true: so the new state tells nothing of
the true one, and two states that look alike to a viewer are resampled alike.

**The goals** that have not been revealed lie in the stack or were put back unseen, in any order.

**The influence cards** of an owner whom the viewer cannot look into have a history: cards were drawn, laid, discarded,
and the discard pile was shuffled into a new draw pile. Where and when is public; hidden is only which cards they were
that were laid and not yet seen, or killed unseen. A choice of these (:func:`_possible_past`) is a history if

* no card was laid while it lay on the table, or again before the next reshuffle, and
* in every period between two reshuffles, at no time had more cards been laid out of the new draw pile than had been
  drawn from it: for whoever lays a card that was discarded before the reshuffle has drawn it since.

The cards that are left are in the hand or in the draw pile; those that were not in the pile when the present period
began can only be in the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.game import Seat
from engine.kabale.components import CHARACTERS, Character
from engine.kabale.events import KabaleEvent
from engine.kabale.knowledge import Course, Laid, knowledge
from engine.kabale.state import KabaleState, Player
from engine.randomness import Stream


def resample(state: KabaleState, seen: Sequence[KabaleEvent], viewer: Seat | None, random: Stream) -> KabaleState:
    """Another state that this viewer cannot tell apart from ``state``.

    Every state that fits what the viewer knows can come out, but they are not all equally likely.

    Args:
        state: the true one; it is not changed.
        seen: all events so far as the viewer read them.
        viewer: a seat, or ``None`` for a spectator.
        random: chooses among all states that fit.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=KabaleState)
    _resample_goals(other, random)
    known = knowledge(seen)
    for seat, (player, course) in enumerate(zip(other.players, known.courses, strict=True)):
        if seat == viewer:
            player.draw_pile.sort()
            random.shuffle(player.draw_pile)
            continue
        _possible_past(course, random)
        _deal(player, course, random)
    for column, places in zip(other.columns, known.columns, strict=True):
        for slot, place in zip(column.slots, places, strict=True):
            if slot.owner != viewer:
                assert place.card.character is not None
                slot.character = place.card.character
                slot.tucked = place.tucked.character if place.tucked else None
    return other


def _resample_goals(state: KabaleState, random: Stream) -> None:
    """Whatever goal has not been revealed may be any of those."""
    hidden = sorted(state.goal_stack + state.unused_goals)
    random.shuffle(hidden)
    in_stack = len(state.goal_stack)
    state.goal_stack, state.unused_goals = hidden[:in_stack], sorted(hidden[in_stack:])


def _deal(player: Player, course: Course, random: Stream) -> None:
    """Lay out the hand and the piles of a seat after a past in which every laid card is settled."""
    gone = {laid.character for laid in course.laid if laid.discarded in (None, course.period)}
    left = [character for character in CHARACTERS if character not in gone]
    in_pile_once = _reshuffled(course, course.period)
    random.shuffle(left)
    left.sort(key=lambda character: character in in_pile_once)
    in_hand = len(player.hand)
    player.hand, player.draw_pile = sorted(left[:in_hand]), left[in_hand:]
    player.discard_pile = sorted(
        laid.character for laid in course.laid if laid.discarded == course.period and laid.character
    )


def _reshuffled(course: Course, period: int) -> set[Character | None]:
    """The cards in the draw pile when a period began, as far as they are settled."""
    if period == 0:
        return {*CHARACTERS}
    return {laid.character for laid in course.laid if laid.discarded == period - 1}


# --- the past ---


def _possible_past(course: Course, random: Stream) -> bool:
    """Settle which cards those were that the viewer has not seen; false if there is no way to.

    The card with the fewest possibilities comes first, and they are tried at random; a dead end is left by going
    back. So every possible past can come out, and one does, as the true one is possible.
    """
    unseen = [laid for laid in course.laid if laid.character is None]
    if not unseen:
        return True
    possibilities = [_candidates(course, laid) for laid in unseen]
    fewest = min(range(len(unseen)), key=lambda number: len(possibilities[number]))
    laid, candidates = unseen[fewest], possibilities[fewest]
    random.shuffle(candidates)
    for character in candidates:
        laid.character = character
        if _drawn_in_time(course) and _possible_past(course, random):
            return True
    laid.character = None
    return False


def _candidates(course: Course, laid: Laid) -> list[Character]:
    """The cards that were not elsewhere while this one was on its way from the hand to the next reshuffle."""
    place = next(number for number, other in enumerate(course.laid) if other is laid)
    elsewhere = {other.character for other in course.laid[:place] if not _back_in_the_pile(other, laid)}
    elsewhere |= {other.character for other in course.laid[place + 1 :] if not _back_in_the_pile(laid, other)}
    return [character for character in CHARACTERS if character not in elsewhere]


def _back_in_the_pile(earlier: Laid, later: Laid) -> bool:
    """Whether the earlier card had been shuffled into a draw pile again before the later one was laid."""
    return earlier.discarded is not None and earlier.discarded < later.period


def _drawn_in_time(course: Course) -> bool:
    """Whether in every period the cards out of the new draw pile can have been drawn before they were laid.

    In the first period every order of drawing is possible.
    """
    for period in range(1, course.period + 1):
        in_pile_once = _reshuffled(course, period) - {None}
        laid_so_far = 0
        for laid in course.laid:
            if laid.period == period and laid.character in in_pile_once:
                laid_so_far += 1
                if laid_so_far > laid.drawn:
                    return False
    return True
