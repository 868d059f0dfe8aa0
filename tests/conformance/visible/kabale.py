"""Who must see what in Kabale und Hiebe (rules, section 13)."""

from __future__ import annotations

from conformance.visible import everybody, exchange, nobody, owner, plain_value, reorder

from engine.kabale.column_scoring import score_column
from engine.kabale.scoring import scores


def each(name):
    """Of every seat's public part."""
    return lambda table: [seat[name] for seat in table["seats"]]


def size_of(name):
    return lambda state: [len(getattr(player, name)) for player in state.players]


def each_slot(shown):
    return lambda table: [[shown(slot) for slot in column["slots"]] for column in table["columns"]]


def all_slots(truth):
    return lambda state: [[truth(slot) for slot in column.slots] for column in state.columns]


def pending(state):
    waiting = state.pending
    return waiting and {"seat": waiting.seat, "column": waiting.column, "slot": waiting.slot}


def is_fulfilled(column):
    return column.closed or len(column.slots) >= int(column.goal[-1])


def known_to_all(slot):
    return slot.character if slot.face_up or slot.moved else None


def last_round(name):
    return lambda table: table["last_round"] and table["last_round"][name]


def laid_cards(state):
    return state.last_round and [
        [(card.owner, card.character, card.tucked) for card in column.cards] for column in state.last_round.columns
    ]


def shown_cards(table):
    return table["last_round"] and [
        [(card["owner"], card["character"], card["tucked"]) for card in column["cards"]]
        for column in table["last_round"]["columns"]
    ]


def scored(state):
    """With the steps, totals and winner; how a column is scored is tested elsewhere."""
    return state.last_round and [
        plain_value(score_column(column, len(state.players), witch_spares_witches=state.options.witch_spares_witches))
        for column in state.last_round.columns
    ]


def own_cards(state, seat, wanted):
    return [
        (number, place, slot)
        for number, column in enumerate(state.columns)
        for place, slot in enumerate(column.slots)
        if slot.owner == seat and wanted(slot)
    ]


def face_down(state, seat):
    return [
        {"column": number, "slot": place, "character": slot.character}
        for number, place, slot in own_cards(state, seat, lambda slot: not slot.face_up)
    ]


def tucked(state, seat):
    return [
        {"column": number, "slot": place, "character": slot.tucked}
        for number, place, slot in own_cards(state, seat, lambda slot: slot.tucked is not None)
    ]


def change_face_down(state, seat, random):
    """A face-down card is another one; not a moved Explorer, which everybody knows."""
    hidden = own_cards(state, seat, lambda slot: not slot.face_up and not slot.moved)
    pile = state.players[seat].draw_pile
    if not hidden or not pile:
        return False
    slot = random.choice(hidden)[2]
    slot.character, pile[0] = pile[0], slot.character
    return True


def change_tucked(state, seat, random):
    hidden = own_cards(state, seat, lambda slot: slot.tucked is not None)
    pile = state.players[seat].draw_pile
    if not hidden or not pile:
        return False
    slot = random.choice(hidden)[2]
    slot.tucked, pile[0] = pile[0], slot.tucked
    return True


def change_with_pile(name):
    def change(state, seat, random):
        player = state.players[seat]
        return exchange(getattr(player, name), player.draw_pile, random)

    return change


def stored_order(name):
    """Views are sorted, so that they tell no history, in whatever order the state keeps things."""
    return lambda state, seat, random: reorder(getattr(state.players[seat], name), random)


FACTS = [
    everybody(
        "13 goals on the table",
        "their order too",
        lambda table: [column["goal"] for column in table["columns"]],
        lambda state: [column.goal for column in state.columns],
    ),
    everybody(
        "13 won goals", "of each seat", each("goals"), lambda state: [sorted(player.goals) for player in state.players]
    ),
    everybody("13 won goals", "what they are worth (9)", each("score"), scores),
    everybody("13 who is who", "seats in order", each("seat"), lambda state: list(range(len(state.players)))),
    everybody(
        "13 goals that left the game",
        "all of them",
        lambda table: table["lost_goals"],
        lambda state: sorted(state.lost_goals),
    ),
    everybody(
        "13 number of goals left in the stack",
        "it",
        lambda table: table["goal_stack_size"],
        lambda state: len(state.goal_stack),
    ),
    everybody(
        "13 columns with their closing",
        "which are closed",
        lambda table: [column["closed"] for column in table["columns"]],
        lambda state: [column.closed for column in state.columns],
    ),
    everybody(
        "7",
        "which columns are fulfilled",
        lambda table: [column["fulfilled"] for column in table["columns"]],
        lambda state: [is_fulfilled(column) for column in state.columns],
    ),
    everybody(
        "13 of each slot the owner",
        "owners",
        each_slot(lambda slot: slot["owner"]),
        all_slots(lambda slot: slot.owner),
    ),
    everybody(
        "13 whether it is face-down",
        "face-up or not",
        each_slot(lambda slot: slot["face_up"]),
        all_slots(lambda slot: slot.face_up),
    ),
    everybody(
        "13 face-up cards; a moved Explorer's name",
        "their names, null for all others",
        each_slot(lambda slot: slot["character"]),
        all_slots(known_to_all),
    ),
    everybody(
        "13 that a card is tucked under a Disguise",
        "whether",
        each_slot(lambda slot: slot["tucked"]),
        all_slots(lambda slot: slot.tucked is not None),
    ),
    everybody("13 sizes of hands", "they", each("hand_size"), size_of("hand")),
    everybody("13 sizes of draw piles", "they", each("draw_pile_size"), size_of("draw_pile")),
    everybody("13 sizes of discard piles", "they", each("discard_pile_size"), size_of("discard_pile")),
    everybody("13 round", "the round", lambda table: table["round"], lambda state: state.round),
    everybody("4", "how many rounds", lambda table: table["rounds"], lambda state: 6),
    everybody(
        "13 seat on turn",
        "it; null after the end",
        lambda table: table["turn"],
        lambda state: None if state.phase == "over" else state.turn,
    ),
    everybody("13 pending decision", "its kind", lambda table: table["phase"], lambda state: state.phase),
    everybody("13 pending decision and its owner", "owner and card", lambda table: table["pending"], pending),
    everybody(
        "13 at scoring",
        "which round was scored",
        last_round("round"),
        lambda state: state.last_round and state.last_round.round,
    ),
    everybody(
        "7",
        "whose turn ended it",
        last_round("ended_by"),
        lambda state: state.last_round and state.last_round.ended_by,
    ),
    everybody("7", "why it ended", last_round("ending"), lambda state: state.last_round and state.last_round.ending),
    everybody("13 at scoring every card of the columns, tucked ones included", "they", shown_cards, laid_cards),
    everybody("13 at scoring the steps, totals and winner", "they", last_round("columns"), scored),
    owner(
        "13 own hand",
        "hand",
        lambda hand: hand["hand"],
        lambda state, seat: sorted(state.players[seat].hand),
        change_with_pile("hand"),
    ),
    owner("13 own face-down cards", "they", lambda hand: hand["face_down"], face_down, change_face_down),
    owner("13 own tucked cards", "they", lambda hand: hand["tucked"], tucked, change_tucked),
    owner(
        "13 own discard pile (sorted); a card killed face-down",
        "its contents",
        lambda hand: hand["discard_pile"],
        lambda state, seat: sorted(state.players[seat].discard_pile),
        change_with_pile("discard_pile"),
    ),
    owner(
        "13 which cards are left in the own draw pile",
        "sorted",
        lambda hand: hand["undrawn"],
        lambda state, seat: sorted(state.players[seat].draw_pile),
        change_with_pile("hand"),
    ),
    owner(
        "13 own hand",
        "whose hand it is",
        lambda hand: hand["seat"],
        lambda state, seat: seat,
        lambda state, seat, random: False,
    ),
    nobody(
        "13 the order of draw piles",
        "of each seat",
        lambda state, seat, random: reorder(state.players[seat].draw_pile, random),
    ),
    nobody("13 the order of the goal stack", "it", lambda state, seat, random: reorder(state.goal_stack, random)),
    nobody(
        "13 the goals not used",
        "which are in the stack and which are out",
        lambda state, seat, random: exchange(state.unused_goals, state.goal_stack, random),
    ),
    nobody("13 own hand", "the order in which its cards came", stored_order("hand")),
    nobody("13 own discard pile (sorted)", "the order in which it came", stored_order("discard_pile")),
    nobody("13 won goals", "the order in which they came", stored_order("goals")),
    nobody(
        "13 goals that left the game",
        "the order in which they came",
        lambda state, seat, random: reorder(state.lost_goals, random),
    ),
]
