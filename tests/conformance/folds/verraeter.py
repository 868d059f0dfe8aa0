"""The fold of Verräter."""

from __future__ import annotations

from conformance.folds import Fold

from engine.verraeter import VERRAETER


class VerraeterFold(Fold):
    game = VERRAETER
    not_shown = {
        "supplies_drawn.source": "what a seat drew supply cards for; the table shows only how many it drew",
    }
    told_again = frozenset(
        (
            "actions_offered.count",
            "actions_offered.seat",
            "build_declined.seat",
            "building_moved.seat",
            "conflict_declared.seat",
            "verraeter_ended.scores",
        )
    )

    # --- what is shown ---

    def table(self):
        return {
            "round": self.round,
            "rounds": next(item["rounds"] for item in self.components["lengths"] if item["seats"] == len(self.seats)),
            "phase": self.phase,
            "start_seat": self.start,
            "strategist_seat": self.strategist,
            "conflict": self.conflict(),
            "landscapes": self.landscapes,
            "seats": self.seats,
            "draw_pile_size": self.draw_pile_size,
            "discard_pile": sorted(self.discard_pile),
            "middle_size": self.middle_size,
            "last_conflict": self.last_conflict,
        }

    def conflict(self):
        if self.border is None:
            return None
        if self.fought:
            return {"border": self.border, **self.fought}
        totals = {"eagle": 0, "rose": 0}
        for position in (self.border, (self.border + 1) % len(self.landscapes)):
            land = self.landscapes[position]
            totals[land["house"]] += next(
                card["base"] for card in self.components["landscapes"] if card["id"] == land["type"]
            )
        for seat in self.seats:
            totals[seat["house"]] += sum(seat["played"] or [])
        return {"border": self.border, **totals}

    def hand(self):
        return {"seat": self.viewer, "hand": sorted(self.cards), "offered": sorted(self.offered), "kept": self.kept}

    def waiting_on(self):
        in_turn = [(self.start + step) % len(self.seats) for step in range(len(self.seats))]
        match self.phase:
            case "declare_conflict":
                return [self.strategist]
            case "build":
                return [seat["seat"] for seat in self.seats if seat["action"] == "builder"]
            case "over":
                return []
            case _:
                return [in_turn[self.acted]]

    # --- what is told ---

    def verraeter_dealt(self, event):
        self.round, self.phase, self.acted = 1, "place_farm", 0
        self.start, self.strategist = event["start_seat"], event["strategist_seat"]
        self.landscapes = [{**land, "building": None} for land in event["landscapes"]]
        self.seats = [
            {
                "seat": seat,
                "house": house,
                "score": 0,
                "gains": {"landscapes": 0, "traitor": 0, "strategist": 0, "trading_posts": 0},
                "hand_size": len(event["hand"]),
                "drawn": 0,
                "reserve": self.components["buildings_per_player"],
                "has_chosen": False,
                "action": None,
                "played": None,
            }
            for seat, house in enumerate(event["houses"])
        ]
        self.cards = list(event["hand"])
        self.draw_pile_size, self.discard_pile = event["draw_pile_size"], []
        self.last_conflict = None
        self.clear_the_table()

    def clear_the_table(self):
        self.border = self.fought = self.kept = None
        self.offered, self.middle_size = [], 0
        for seat in self.seats:
            seat |= {"drawn": 0, "has_chosen": False, "action": None, "played": None}

    def farm_placed(self, event):
        self.lay(event, "farm")
        self.all_have_acted("declare_conflict")

    def lay(self, event, side):
        self.landscapes[event["landscape"]]["building"] = {"owner": event["seat"], "side": side}
        self.seats[event["seat"]]["reserve"] -= 1

    def all_have_acted(self, following):
        self.acted = (self.acted + 1) % len(self.seats)
        if not self.acted:
            self.phase = following

    def conflict_declared(self, event):
        self.border, self.phase, self.middle_size = event["border"], "draft_action", 1

    def actions_offered(self, event):
        if event["you"]:
            self.offered = event["you"]["actions"]

    def action_drafted(self, event):
        self.seats[event["seat"]]["has_chosen"] = True
        self.middle_size = event["middle_size"]
        if event["you"]:
            self.kept = event["you"]["action"]
        self.all_have_acted("play_supplies")

    def supplies_played(self, event):
        seat = self.seats[event["seat"]]
        seat["played"] = event["cards"]
        seat["hand_size"] -= len(event["cards"])
        if event["seat"] == self.viewer:
            for card in event["cards"]:
                self.cards.remove(card)
        self.all_have_acted("build")

    def actions_revealed(self, event):
        for seat, action in zip(self.seats, event["actions"], strict=True):
            seat["action"] = action

    def allegiance_changed(self, event):
        self.seats[event["seat"]]["house"] = event["house"]

    def conflict_resolved(self, event):
        self.fought = {"eagle": event["eagle"], "rose": event["rose"]}
        self.last_conflict = {
            "round": self.round,
            "houses": [seat["house"] for seat in self.seats],
            "actions": [seat["action"] for seat in self.seats],
            "played": [list(seat["played"]) for seat in self.seats],
            **{name: event[name] for name in ("border", "eagle", "rose", "winner")},
        }

    def supplies_drawn(self, event):
        seat = self.seats[event["seat"]]
        seat["hand_size"] += event["count"]
        seat["drawn"] += event["count"]
        self.draw_pile_size -= event["count"]
        if event["you"]:
            self.cards += event["you"]["cards"]

    def discard(self):
        for seat in self.seats:
            self.discard_pile += seat["played"] or []
            seat["played"] = []

    def discard_pile_shuffled(self, event):
        # No event tells of phase 10. In a draw after it, the cards of this round are among the discarded.
        if event["draw_pile_size"] != len(self.discard_pile):
            self.discard()
        self.draw_pile_size, self.discard_pile = event["draw_pile_size"], []

    def points_scored(self, event):
        seat = self.seats[event["seat"]]
        seat["gains"][event["source"]] += event["points"]
        seat["score"] = event["score"]

    def landscape_turned(self, event):
        self.landscapes[event["landscape"]]["house"] = event["house"]

    def building_placed(self, event):
        self.lay(event, event["side"])

    def building_moved(self, event):
        origin, target = self.landscapes[event["from"]], self.landscapes[event["to"]]
        target["building"], origin["building"] = origin["building"], None

    def building_turned(self, event):
        self.landscapes[event["landscape"]]["building"] = {"owner": event["seat"], "side": event["side"]}

    def build_declined(self, event):
        pass

    def strategy_card_taken(self, event):
        self.strategist = event["seat"]

    def round_ended(self, event):
        self.discard()
        self.clear_the_table()
        self.round, self.start, self.phase = event["round"], event["start_seat"], "declare_conflict"

    def verraeter_ended(self, event):
        self.phase, self.ending = "over", event["ending"]
        if self.ending != "house_without_land" or self.options["early_end"] != "at_once":
            self.discard()
            self.clear_the_table()
