"""Who must see what in Verräter (rules, section 6)."""

from __future__ import annotations

from conformance.visible import everybody, exchange, nobody, owner, reorder

BASE = {"wasteland": 0, "meadow": 3, "river": 5, "forest": 7, "village": 10, "city": 15}
ACTIONS = ["traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"]


def each(name):
    """Of every seat's public part."""
    return lambda table: [seat[name] for seat in table["seats"]]


def of_players(name):
    return lambda state: [getattr(player, name) for player in state.players]


def gains(player):
    return {name: getattr(player.gains, name) for name in ("landscapes", "traitor", "strategist", "trading_posts")}


def buildings(state):
    return [land.building and (land.building.owner, land.building.side) for land in state.landscapes]


def totals(state):
    """Before the reveal, reckoned anew; from the reveal on, as the conflict was resolved."""
    if state.conflict is None:
        return None
    if state.phase in ("build", "over"):
        return state.last_conflict.eagle, state.last_conflict.rose
    sums = {"eagle": 0, "rose": 0}
    for land in (state.landscapes[state.conflict], state.landscapes[(state.conflict + 1) % 12]):
        sums[land.house] += BASE[land.type]
    for player in state.players:
        sums[player.house] += sum(player.played or [])
    return sums["eagle"], sums["rose"]


def is_revealed(state):
    return state.phase in ("build", "over")


def last_conflict(state):
    last = state.last_conflict
    names = ("round", "border", "houses", "actions", "played", "eagle", "rose", "winner")
    return last and {name: getattr(last, name) for name in names}


def change_choice(state, seat, random):
    """Somebody kept another card; only until the action cards are revealed."""
    if is_revealed(state) or state.players[seat].action is None:
        return False
    state.players[seat].action = random.choice([action for action in ACTIONS if action != state.players[seat].action])
    return True


def change_middle(first):
    """The card put aside, or the leftovers."""

    def change(state, seat, random):
        places = range(1) if first else range(1, len(state.middle))
        if not state.middle[places.start : places.stop]:
            return False
        place = random.choice(places)
        state.middle[place] = random.choice([action for action in ACTIONS if action != state.middle[place]])
        return True

    return change


def change_offered(state, seat, random):
    offered = state.players[seat].offered
    if not offered:
        return False
    offered[0] = random.choice([action for action in ACTIONS if action not in offered] or ["none"])
    return True


def stored_order(name):
    """Views are sorted, so that they tell no history, in whatever order the state keeps things."""
    return lambda state, seat, random: reorder(getattr(state.players[seat], name), random)


FACTS = [
    everybody(
        "6 landscapes with side and position",
        "the circle",
        lambda table: [(land["type"], land["house"]) for land in table["landscapes"]],
        lambda state: [(land.type, land.house) for land in state.landscapes],
    ),
    everybody(
        "6 buildings with owner and side",
        "all buildings",
        lambda table: [
            land["building"] and (land["building"]["owner"], land["building"]["side"]) for land in table["landscapes"]
        ],
        buildings,
    ),
    everybody("6 reserves", "buildings not yet laid", each("reserve"), of_players("reserve")),
    everybody("6 allegiances", "every allegiance card", each("house"), of_players("house")),
    everybody("6 who is who", "seats in order", each("seat"), lambda state: list(range(len(state.players)))),
    everybody(
        "6 scores",
        "every score",
        each("score"),
        lambda state: [sum(gains(player).values()) for player in state.players],
    ),
    everybody(
        "6 each gain with its reason", "gains", each("gains"), lambda state: [gains(player) for player in state.players]
    ),
    everybody("6 round and phase", "the round", lambda table: table["round"], lambda state: state.round),
    everybody("6 round and phase", "the phase", lambda table: table["phase"], lambda state: state.phase),
    everybody("5", "how many rounds", lambda table: table["rounds"], lambda state: {3: 9, 4: 8}[len(state.players)]),
    everybody("6 start player", "start player", lambda table: table["start_seat"], lambda state: state.start_seat),
    everybody(
        "6 holder of the Strategy card",
        "its holder",
        lambda table: table["strategist_seat"],
        lambda state: state.strategist_seat,
    ),
    everybody(
        "6 border of the conflict",
        "where the Conflict card lies",
        lambda table: table["conflict"] and table["conflict"]["border"],
        lambda state: state.conflict,
    ),
    everybody(
        "6 running totals",
        "both houses' totals",
        lambda table: table["conflict"] and (table["conflict"]["eagle"], table["conflict"]["rose"]),
        totals,
    ),
    everybody(
        "6 number of cards in each hand",
        "sizes of hands",
        each("hand_size"),
        lambda state: [len(player.supplies) for player in state.players],
    ),
    everybody("6 number of cards drawn", "drawn this round", each("drawn"), of_players("drawn")),
    everybody("6 cards played this round", "what lies before each", each("played"), of_players("played")),
    everybody(
        "6 discard pile",
        "all that was discarded",
        lambda table: table["discard_pile"],
        lambda state: sorted(state.discard_pile),
    ),
    everybody(
        "6 size of the draw pile", "its size", lambda table: table["draw_pile_size"], lambda state: len(state.draw_pile)
    ),
    everybody(
        "6 who has already chosen an action",
        "who has",
        each("has_chosen"),
        lambda state: [player.action is not None for player in state.players],
    ),
    everybody(
        "6 number of cards in the middle", "it", lambda table: table["middle_size"], lambda state: len(state.middle)
    ),
    everybody(
        "6 chosen actions from phase 4 on",
        "the chosen actions, null before",
        each("action"),
        lambda state: [player.action if is_revealed(state) else None for player in state.players],
    ),
    everybody(
        "6 cards played, running totals, chosen actions",
        "how the latest conflict went",
        lambda table: table["last_conflict"],
        last_conflict,
    ),
    owner(
        "6 own hand",
        "supply cards",
        lambda hand: hand["hand"],
        lambda state, seat: sorted(state.players[seat].supplies),
        lambda state, seat, random: exchange(state.players[seat].supplies, state.draw_pile, random),
    ),
    owner(
        "6 the action cards offered to it in this round",
        "offered",
        lambda hand: hand["offered"],
        lambda state, seat: sorted(state.players[seat].offered),
        change_offered,
    ),
    owner(
        "6 the one it kept",
        "kept",
        lambda hand: hand["kept"],
        lambda state, seat: state.players[seat].action,
        change_choice,
    ),
    owner(
        "6 own hand",
        "whose hand it is",
        lambda hand: hand["seat"],
        lambda state, seat: seat,
        lambda state, seat, random: False,
    ),
    nobody("6 the card put aside first", "the first card of the middle", change_middle(first=True)),
    nobody("6 leftovers", "the other cards of the middle", change_middle(first=False)),
    nobody("6 the order of the draw pile", "its order", lambda state, seat, random: reorder(state.draw_pile, random)),
    nobody("6 own hand", "the order in which its cards came", stored_order("supplies")),
    nobody("6 the action cards offered", "the order in which they came", stored_order("offered")),
    nobody(
        "6 discard pile", "the order in which it came", lambda state, seat, random: reorder(state.discard_pile, random)
    ),
]
