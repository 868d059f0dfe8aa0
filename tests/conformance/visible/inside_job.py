"""Who must see what in Inside Job (rules, section 10)."""

from __future__ import annotations

from conformance.visible import everybody, exchange, nobody, owner, reorder

SUITS = ["blue", "red", "green", "yellow"]
TRICKS = {3: 11, 4: 10, 5: 9}
MISSIONS_NEEDED = {3: 9, 4: 7, 5: 6}
INTEL_LIMIT = {3: 6, 4: 5, 5: 4}


def each(name):
    """Of every seat's public part."""
    return lambda table: [seat[name] for seat in table["seats"]]


def of_players(name):
    return lambda state: [getattr(player, name) for player in state.players]


def suit_and_rank(card):
    suit, rank = card.split("_")
    return SUITS.index(suit), int(rank)


def mission_card(mission):
    """Read off the mission's name: ``<condition>_<trump>``, with ``risk_`` before it for a risk mission."""
    if mission is None:
        return None
    condition, trump = mission.removeprefix("risk_").rsplit("_", 1)
    return {"mission": mission, "condition": condition, "trump": trump, "risk": mission.startswith("risk_")}


def plays(cards):
    return [{"seat": play.seat, "card": play.card, "wager": play.wager} for play in cards]


def last_trick(state):
    last = state.last_trick
    return last and {
        "trick": last.trick,
        "mission": mission_card(last.mission),
        "plays": plays(last.plays),
        "winner": last.winner,
        "succeeded": last.succeeded,
        "intel": last.intel,
    }


def seat_to_play(state):
    if state.phase != "play_card":
        return None
    if not state.plays:
        return state.start_seat
    return (state.plays[-1].seat + 1) % len(state.players)


def led_suit(state):
    return state.plays[0].card.split("_")[0] if state.plays else None


def roles(state):
    return [player.role if player.revealed or state.phase == "over" else None for player in state.players]


def still_to_vote(state):
    """All but the Accomplice, and but a seat with nobody left to point at (rules, section 9)."""
    hidden = [seat for seat, player in enumerate(state.players) if not player.revealed]
    return [
        state.phase == "cast_vote"
        and player.vote is None
        and player.role != "accomplice"
        and any(other != seat for other in hidden)
        for seat, player in enumerate(state.players)
    ]


def votes(state):
    return [player.vote if state.phase == "over" else None for player in state.players]


def drawn(state, seat):
    return sorted(state.drawn) if state.phase == "choose_mission" and state.start_seat == seat else []


def partner_role(state, seat):
    if state.players[seat].role != "accomplice" or state.partner is None:
        return None
    return state.players[state.partner].role


def change_role(state, seat, random):
    """A hidden role is another one: an agent or the insider; both vote."""
    player = state.players[seat]
    if player.revealed or state.phase == "over" or player.role == "accomplice":
        return False
    player.role = "insider" if player.role == "agent" else "agent"
    return True


def change_partner_role(state, seat, random):
    """What the Accomplice has seen."""
    partner = state.partner
    if state.players[seat].role != "accomplice" or partner is None:
        return False
    return change_role(state, partner, random)


def see_role(state, seat):
    """The seat itself, and the Accomplice whose partner it is."""
    accomplices = {other for other, player in enumerate(state.players) if player.role == "accomplice"}
    return {seat} | (accomplices if state.partner == seat else set())


def see_partner_role(state, seat):
    return {seat, state.partner}


def change_drawn(state, seat, random):
    if state.phase != "choose_mission" or state.start_seat != seat:
        return False
    return exchange(state.drawn, state.mission_deck, random)


def change_vote(state, seat, random):
    player = state.players[seat]
    if player.vote is None or state.phase == "over":
        return False
    player.vote = [random.choice([other for other in range(len(state.players)) if [other] != player.vote])]
    return True


FACTS = [
    everybody(
        "10 roles in play",
        "the special ones",
        lambda table: table["special_roles"],
        lambda state: sorted(state.special_roles),
    ),
    everybody("10 revealed roles with their seat", "who is revealed", each("revealed"), of_players("revealed")),
    everybody(
        "10 revealed roles with their seat; after the end all roles",
        "roles, null while they are hidden",
        each("role"),
        roles,
    ),
    everybody("10 who is who", "seats in order", each("seat"), lambda state: list(range(len(state.players)))),
    everybody("10 the Accomplice's partner", "the seat", lambda table: table["partner"], lambda state: state.partner),
    everybody("10 trick number", "it", lambda table: table["trick"], lambda state: state.trick),
    everybody("3", "how many tricks", lambda table: table["tricks"], lambda state: TRICKS[len(state.players)]),
    everybody("16", "the decision that is due", lambda table: table["phase"], lambda state: state.phase),
    everybody("10 start player", "it", lambda table: table["start_seat"], lambda state: state.start_seat),
    everybody("10 seat to play", "it", lambda table: table["seat_to_play"], seat_to_play),
    everybody(
        "10 current mission with trump and risk flag",
        "it",
        lambda table: table["mission"],
        lambda state: mission_card(state.mission),
    ),
    everybody("10 led suit", "it", lambda table: table["led_suit"], led_suit),
    everybody(
        "10 cards and wagers of the trick", "they", lambda table: table["plays"], lambda state: plays(state.plays)
    ),
    everybody("10 the last trick with winner and outcome", "it", lambda table: table["last_trick"], last_trick),
    everybody("10 successes", "which", lambda table: table["succeeded"], lambda state: state.succeeded),
    everybody("4.8 what failed stays public", "which", lambda table: table["failed"], lambda state: state.failed),
    everybody(
        "10 target",
        "successes needed",
        lambda table: table["missions_needed"],
        lambda state: state.options.missions_needed or MISSIONS_NEEDED[len(state.players)],
    ),
    everybody("10 token counts", "of each seat", each("tokens"), of_players("tokens")),
    everybody(
        "10 limit",
        "intel limit",
        lambda table: table["intel_limit"],
        lambda state: state.options.intel_limit or INTEL_LIMIT[len(state.players)],
    ),
    everybody("10 supply", "tokens in it", lambda table: table["supply"], lambda state: state.supply),
    everybody(
        "10 sizes of hands",
        "they",
        each("hand_size"),
        lambda state: [len(player.hand) for player in state.players],
    ),
    everybody(
        "10 size of the mission deck",
        "it",
        lambda table: table["mission_deck_size"],
        lambda state: len(state.mission_deck),
    ),
    everybody(
        "3", "how many cards are out of the game", lambda table: table["undealt_size"], lambda state: len(state.undealt)
    ),
    everybody("10 who has still to vote", "who", each("owes_vote"), still_to_vote),
    everybody("10 after the end all votes", "they, null before", each("votes"), votes),
    owner(
        "10 own hand",
        "by suit and rank",
        lambda hand: hand["hand"],
        lambda state, seat: sorted(state.players[seat].hand, key=suit_and_rank),
        lambda state, seat, random: exchange(state.players[seat].hand, state.undealt, random),
    ),
    owner(
        "10 own role",
        "it",
        lambda hand: hand["role"],
        lambda state, seat: state.players[seat].role,
        change_role,
        see_role,
    ),
    owner("10 the two missions drawn", "they, while one is chosen", lambda hand: hand["drawn"], drawn, change_drawn),
    owner(
        "10 the discarded ones, own only",
        "in their order",
        lambda hand: hand["discarded"],
        lambda state, seat: state.players[seat].discarded,
        lambda state, seat, random: exchange(state.players[seat].discarded, state.mission_deck, random),
    ),
    owner(
        "10 the role of the Accomplice's partner",
        "for the Accomplice",
        lambda hand: hand["partner_role"],
        partner_role,
        change_partner_role,
        see_partner_role,
    ),
    owner("10 own vote", "it", lambda hand: hand["vote"], lambda state, seat: state.players[seat].vote, change_vote),
    owner(
        "10 own hand",
        "whose hand it is",
        lambda hand: hand["seat"],
        lambda state, seat: seat,
        lambda state, seat, random: False,
    ),
    nobody("10 undealt cards", "their order", lambda state, seat, random: reorder(state.undealt, random)),
    nobody(
        "10 undealt cards",
        "which cards they are",
        lambda state, seat, random: exchange(state.undealt, ["blue_99"], random),
    ),
    nobody("10 the order of the mission deck", "it", lambda state, seat, random: reorder(state.mission_deck, random)),
    nobody(
        "10 own hand", "the order in which it was dealt", lambda s, seat, random: reorder(s.players[seat].hand, random)
    ),
    nobody("10 the two missions drawn", "which came first", lambda state, seat, random: reorder(state.drawn, random)),
    nobody(
        "10 roles in play", "the order of the roles", lambda state, seat, random: reorder(state.special_roles, random)
    ),
]
