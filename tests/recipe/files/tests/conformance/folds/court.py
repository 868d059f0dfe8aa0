"""The fold of Court: what somebody knows who was told its events and nothing else."""

from __future__ import annotations

from conformance.folds import Fold

from engine.court import COURT


class CourtFold(Fold):
    game = COURT
    not_shown = {}
    told_again = frozenset()

    def table(self):
        return {"phase": "over" if self.ending else "do_favour", "turn": self.turn, "seats": self.seats}

    def hand(self):
        return {"seat": self.viewer, **self.own, "hand": sorted(self.own["hand"])}

    def waiting_on(self):
        return [] if self.turn is None else [self.turn]

    def court_dealt(self, event):
        self.turn = 0
        self.seats = [{"seat": seat, "has_laid": None, "side": None, "laid": None} for seat in range(event["seats"])]
        if event["you"]:
            self.own = {**event["you"], "laid": None}

    def favour_laid(self, event):
        self._next(event["seat"], has_laid=True)
        if event["you"]:
            self.own["hand"].remove(event["you"]["favour"])
            self.own["laid"] = event["you"]["favour"]

    def favour_declined(self, event):
        self._next(event["seat"], has_laid=False)

    def court_ended(self, event):
        for seat, side, laid in zip(self.seats, event["sides"], event["laid"], strict=True):
            seat["side"], seat["laid"] = side, laid
        self.turn = None
        worth = {"crown": 0, "rebels": 0}
        for side, laid in zip(event["sides"], event["laid"], strict=True):
            worth[side] += laid or 0
        self.ending = "equal_favours" if worth["crown"] == worth["rebels"] else "more_favours"

    def _next(self, seat, *, has_laid):
        self.seats[seat]["has_laid"] = has_laid
        self.turn = seat + 1
