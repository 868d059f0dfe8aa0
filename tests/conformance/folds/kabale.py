"""The fold of Kabale und Hiebe."""

from __future__ import annotations

from conformance.folds import Fold

from engine.kabale import KABALE


class KabaleFold(Fold):
    game = KABALE
    not_shown = {
        "kabale_dealt.you.cards[order]": "the order in which a seat drew its own first cards; the hand is sorted",
        "influence_drawn.you.cards[order]": "the order in which a seat drew its own cards; the hand is sorted",
    }
    told_again = frozenset(
        (
            "card_killed.character",
            "card_turned_up.owner",
            "explorer_moved.owner",
            "goals_swapped.seat",
            "kabale_dealt.goal_stack_size",
            "kabale_ended.scores",
            "kabale_seat_skipped.seat",
            "swap_declined.seat",
            "tuck_declined.seat",
        )
    )
    rare = frozenset(("kabale_seat_skipped",))

    def __init__(self, viewer, options):
        super().__init__(viewer, options)
        self.goal_cards = {goal["id"]: goal for goal in self.components["goals"]}
        self.pending = self.last_round = None
        self.lost_goals = []

    # --- what is shown ---

    def table(self):
        return {
            "round": self.round,
            "rounds": self.components["rounds"],
            "phase": self.phase,
            "turn": self.turn,
            "pending": self.pending,
            "columns": [
                {
                    "goal": column["goal"],
                    "closed": column["closed"],
                    "fulfilled": column["closed"] or len(column["slots"]) >= self.goal_cards[column["goal"]]["value"],
                    "slots": [
                        {
                            "owner": slot["owner"],
                            "face_up": slot["face_up"],
                            "character": slot["shown"],
                            "tucked": slot["covers"],
                        }
                        for slot in column["slots"]
                    ],
                }
                for column in self.columns
            ],
            "seats": [
                {**seat, "goals": sorted(seat["goals"]), "score": self.score(seat["goals"])} for seat in self.seats
            ],
            "goal_stack_size": self.goal_stack_size,
            "lost_goals": sorted(self.lost_goals),
            "last_round": self.last_round,
        }

    def score(self, goals):
        values = [(self.goal_cards[goal]["category"], self.goal_cards[goal]["value"]) for goal in goals]
        total = sum(value for _, value in values)
        best = {category: max(value for own, value in values if own == category) for category, _ in values}
        if len(best) < len(self.components["categories"]):
            return total
        surplus = len(values) - len(best)
        if self.options["set_scoring"] == "all_goals":
            return 2 * total - surplus
        return max(total, 2 * sum(best.values()) - surplus)

    def hand(self):
        own = [
            (number, place, slot)
            for number, column in enumerate(self.columns)
            for place, slot in enumerate(column["slots"])
            if slot["owner"] == self.viewer
        ]
        return {
            "seat": self.viewer,
            "hand": sorted(self.cards),
            "face_down": [
                {"column": number, "slot": place, "character": slot["known"]}
                for number, place, slot in own
                if not slot["face_up"]
            ],
            "tucked": [
                {"column": number, "slot": place, "character": slot["tucked"]}
                for number, place, slot in own
                if slot["covers"]
            ],
            "discard_pile": sorted(self.discard_pile),
            "undrawn": sorted(self.undrawn),
        }

    def waiting_on(self):
        if self.phase == "over":
            return []
        return [self.pending["seat"] if self.pending else self.turn]

    # --- what is told ---

    def kabale_dealt(self, event):
        self.seats = [
            {
                "seat": seat,
                "hand_size": event["hand_size"],
                "draw_pile_size": event["draw_pile_size"],
                "discard_pile_size": 0,
                "goals": [],
            }
            for seat in range(event["seats"])
        ]
        self.cards, self.undrawn, self.discard_pile = [], [card["id"] for card in self.components["influence"]], []
        self.draw(event)

    def draw(self, event):
        if event["you"]:
            self.cards += event["you"]["cards"]
            self.undrawn = [card for card in self.undrawn if card not in event["you"]["cards"]]

    def goals_revealed(self, event):
        self.round, self.goal_stack_size = event["round"], event["goal_stack_size"]
        self.columns = [{"goal": goal, "closed": False, "slots": []} for goal in event["goals"]]

    def kabale_turn_begun(self, event):
        self.turn, self.phase = event["seat"], "place_card"

    def kabale_seat_skipped(self, event):
        pass

    def lay(self, event):
        """A card leaves the hand of a seat; the card, if the viewer knows it."""
        self.seats[event["seat"]]["hand_size"] -= 1
        if not event["you"]:
            return None
        self.cards.remove(event["you"]["card"])
        return event["you"]["card"]

    def card_placed(self, event):
        slot = {"owner": event["seat"], "face_up": False, "shown": None, "covers": False, "tucked": None}
        self.columns[event["column"]]["slots"].insert(event["slot"], slot | {"known": self.lay(event)})

    def card_turned_up(self, event):
        character = event["character"]
        slot = self.columns[event["column"]]["slots"][event["slot"]]
        slot |= {"face_up": True, "shown": character, "known": character}

    def card_killed(self, event):
        del self.columns[event["column"]]["slots"][event["slot"]]
        self.discard(event["owner"], event["you"] and event["you"]["card"])

    def discard(self, owner, card):
        self.seats[owner]["discard_pile_size"] += 1
        if owner == self.viewer:
            self.discard_pile.append(card)

    def explorer_moved(self, event):
        slot = self.columns[event["from"]]["slots"].pop(event["origin_slot"])
        self.columns[event["to"]]["slots"].insert(event["slot"], slot | {"face_up": False})

    def column_closed(self, event):
        self.columns[event["column"]]["closed"] = True

    def ability_offered(self, event):
        self.phase = event["kind"]
        self.pending = {name: event[name] for name in ("seat", "column", "slot")}

    def goals_swapped(self, event):
        self.pending = None
        one, other = (self.columns[column] for column in event["columns"])
        one["goal"], other["goal"] = other["goal"], one["goal"]

    def swap_declined(self, event):
        self.pending = None

    def tuck_declined(self, event):
        self.pending = None

    def card_tucked(self, event):
        self.pending = None
        slot = self.columns[event["column"]]["slots"][event["slot"]]
        slot |= {"covers": True, "tucked": self.lay(event)}

    def own_pile_shuffled(self, event):
        self.seats[event["seat"]] |= {"draw_pile_size": event["draw_pile_size"], "discard_pile_size": 0}
        if event["seat"] == self.viewer:
            self.undrawn, self.discard_pile = self.discard_pile, []

    def influence_drawn(self, event):
        seat = self.seats[event["seat"]]
        seat["hand_size"] += event["count"]
        seat["draw_pile_size"] -= event["count"]
        self.draw(event)

    def kabale_round_ended(self, event):
        self.last_round = {name: event[name] for name in ("round", "ended_by", "ending")} | {"columns": []}

    def column_scored(self, event):
        scored = event["scored"]
        self.last_round["columns"].insert(event["column"], scored)
        for card in scored["cards"]:
            self.discard(card["owner"], card["character"])
            if card["tucked"]:
                self.discard(card["owner"], card["tucked"])
        goals = self.lost_goals if scored["winner"] is None else self.seats[scored["winner"]]["goals"]
        goals.append(scored["goal"])

    def kabale_ended(self, event):
        self.columns, self.phase, self.turn, self.ending = [], "over", None, "last_round"
