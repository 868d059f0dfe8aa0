"""Who must see what in Court."""

from __future__ import annotations

from conformance.visible import everybody, exchange, nobody, owner


def each(name):
    """Of every seat's public part."""
    return lambda table: [seat[name] for seat in table["seats"]]


def is_over(state):
    return state.turn == len(state.players)


def if_over(name):
    """Of every seat after the end, and nothing before."""
    return lambda state: [getattr(player, name) if is_over(state) else None for player in state.players]


def change_side(state, seat, random):
    """For the one that nobody has."""
    mine, spare = state.players[seat].side, state.spare_side
    state.players[seat].side, state.spare_side = spare, mine
    return mine != spare and not is_over(state)


def change_hand(state, seat, random):
    changed = exchange(state.players[seat].hand, state.spare_favours, random)
    state.players[seat].hand.sort()
    return changed


def change_laid(state, seat, random):
    laid = [state.players[seat].laid]
    if laid == [None] or is_over(state) or not exchange(laid, state.spare_favours, random):
        return False
    (state.players[seat].laid,) = laid
    return True


def change_spare(state, seat, random):
    state.spare_side = "crown" if state.spare_side == "rebels" else "rebels"
    return True


FACTS = [
    everybody("turns", "what is waited for", lambda t: t["phase"], lambda s: "over" if is_over(s) else "do_favour"),
    everybody("turns", "who is due", lambda t: t["turn"], lambda s: None if is_over(s) else s.turn),
    everybody("seats", "the seats", each("seat"), lambda s: list(range(len(s.players)))),
    everybody(
        "turns",
        "who has laid something",
        each("has_laid"),
        lambda s: [p.laid is not None if seat < s.turn else None for seat, p in enumerate(s.players)],
    ),
    everybody("end", "who was on which side", each("side"), if_over("side")),
    everybody("end", "what was laid", each("laid"), if_over("laid")),
    owner("deal", "whose hand it is", lambda h: h["seat"], lambda s, seat: seat, lambda *_: False),
    owner("deal", "the own side", lambda h: h["side"], lambda s, seat: s.players[seat].side, change_side),
    owner("deal", "the own favours", lambda h: h["hand"], lambda s, seat: s.players[seat].hand, change_hand),
    owner("turns", "what one has laid", lambda h: h["laid"], lambda s, seat: s.players[seat].laid, change_laid),
    nobody("deal", "the side that nobody is on", change_spare),
]
