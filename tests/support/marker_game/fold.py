"""The fold of the marker game: what somebody knows who was told its events and nothing else."""

from __future__ import annotations

from conformance.folds import Fold

from support.marker_game import MARKER_GAME


class MarkerGameFold(Fold):
    game = MARKER_GAME
    not_shown = {}
    told_again = frozenset()

    # --- what is shown ---

    def table(self):
        in_turn = self.phase in ("lay_mark", "peek_mark")
        return {
            "round": self.round,
            "rounds": self.rounds,
            "phase": self.phase,
            "turn": self.waiting_on()[0] if in_turn else None,
            "seats": self.seats,
            "draw_pile_size": self.draw_pile_size,
            "plots_left": self.plots_left,
            "last_vote": self.last_vote,
        }

    def hand(self):
        return {"seat": self.viewer, **self.own, "hand": sorted(self.own["hand"])}

    def waiting_on(self):
        count = len(self.seats)
        match self.phase:
            case "over":
                return []
            case "cast_ballot":
                return [seat["seat"] for seat in self.seats if not seat["has_voted"]]
            case _:
                return [(self.round + self.acted) % count]

    # --- what is told ---

    def marker_game_dealt(self, event):
        self.round, self.rounds, self.phase, self.acted = 0, event["rounds"], "lay_mark", 0
        self.last_vote = []
        self.seats = [
            {
                "seat": seat,
                "hand_size": self.components["hand_size"],
                "laid": [],
                "peeked_at": [],
                "plots": 0,
                "has_voted": False,
                "role": None,
            }
            for seat in range(event["seats"])
        ]
        self.draw_pile_size = event["seats"] * event["rounds"] + self.components["undrawn"]
        self.plots_left = event["rounds"] + 1
        if event["you"]:
            self.own = {**event["you"], "laid": [], "peeked": [], "plots": [], "ballots": [], "cast": None}

    def mark_laid(self, event):
        self.seats[event["seat"]]["laid"].append(None)
        self.seats[event["seat"]]["hand_size"] -= 1
        if event["you"]:
            self.own["hand"].remove(event["you"]["mark"])
            self.own["laid"].append(event["you"]["mark"])

    def mark_drawn(self, event):
        self.draw_pile_size -= 1
        self.seats[event["seat"]]["hand_size"] += 1
        if event["you"]:
            self.own["hand"].append(event["you"]["mark"])
        self.one_more_has_acted("peek_mark")

    def mark_peeked(self, event):
        self.seats[event["seat"]]["peeked_at"].append(event["target"])
        if event["you"]:
            self.own["peeked"].append({"round": self.round, "seat": event["target"], **event["you"]})
        self.one_more_has_acted("cast_ballot")

    def one_more_has_acted(self, next_phase):
        self.acted += 1
        if self.acted == len(self.seats):
            self.acted, self.phase = 0, next_phase

    def ballots_handed(self, event):
        if event["you"]:
            self.own["ballots"] = event["you"]["ballots"]

    def ballot_cast(self, event):
        self.seats[event["seat"]]["has_voted"] = True
        if event["you"]:
            self.own["cast"] = event["you"]["mark"]

    def ballots_opened(self, event):
        papers = zip(event["ballots"], event["votes"], strict=True)
        self.last_vote = [{"ballot": ballot, "candidate": candidate} for ballot, candidate in papers]
        for seat in self.seats:
            seat["has_voted"] = False
        if self.viewer is not None:
            self.own |= {"ballots": [], "cast": None}

    def mark_exposed(self, event):
        self.seats[event["seat"]]["laid"][self.round] = event["mark"]

    def plot_given(self, event):
        self.plots_left -= 1
        self.seats[event["seat"]]["plots"] += 1
        if event["you"]:
            self.own["plots"].append(event["you"]["mark"])

    def mark_round_begun(self, event):
        self.round, self.phase = event["round"], "lay_mark"

    def marker_game_ended(self, event):
        self.phase, self.ending = "over", "all_rounds"
        for seat, role in zip(self.seats, event["roles"], strict=True):
            seat["role"] = role
