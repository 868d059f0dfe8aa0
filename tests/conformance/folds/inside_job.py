"""The fold of Inside Job."""

from __future__ import annotations

from conformance.folds import Fold

from engine.inside_job import INSIDE_JOB


class InsideJobFold(Fold):
    game = INSIDE_JOB
    not_shown = {}
    told_again = frozenset(
        (
            "inside_job_ended.winner",
            "mission_chosen.seat",
            "partner_chosen.seat",
            "role_turned_up.cause",
        )
    )

    # --- what is shown ---

    def table(self):
        return {
            "phase": self.phase,
            "trick": self.trick,
            "start_seat": self.start,
            "seat_to_play": self.to_play() if self.phase == "play_card" else None,
            "mission": self.mission,
            "led_suit": self.suit_of(self.plays[0]["card"]) if self.plays else None,
            "plays": self.plays,
            "last_trick": self.last_trick,
            "succeeded": self.succeeded,
            "failed": self.failed,
            "supply": self.supply,
            "mission_deck_size": self.mission_deck_size,
            "partner": self.partner,
            "seats": self.seats,
            **self.fixed,
        }

    def to_play(self):
        return (self.start + len(self.plays)) % len(self.seats)

    def suit_of(self, card):
        return next(item["suit"] for item in self.components["cards"] if item["id"] == card)

    def mission_card(self, mission):
        card = next(item for item in self.components["missions"] if item["id"] == mission)
        return {"mission": mission, "condition": card["condition"], "trump": card["trump"], "risk": card["risk"]}

    def hand(self):
        return {
            "seat": self.viewer,
            "role": self.role,
            "hand": self.cards,
            "drawn": self.drawn if self.phase == "choose_mission" else [],
            "discarded": self.discarded,
            "partner_role": self.partner_role,
            "vote": self.vote,
        }

    def waiting_on(self):
        match self.phase:
            case "choose_partner":
                return [seat["seat"] for seat in self.seats if seat["role"] == "accomplice"]
            case "choose_mission":
                return [self.start]
            case "play_card":
                return [self.to_play()]
            case "cast_vote":
                return [seat["seat"] for seat in self.seats if seat["owes_vote"]]
            case _:
                return []

    # --- what is told ---

    def inside_job_dealt(self, event):
        self.fixed = {
            name: event[name] for name in ("special_roles", "tricks", "missions_needed", "intel_limit", "undealt_size")
        }
        self.phase = "choose_partner" if "accomplice" in event["special_roles"] else "choose_mission"
        self.trick, self.start, self.supply = 0, event["start_seat"], event["supply"]
        self.mission_deck_size = event["mission_deck_size"]
        self.mission = self.last_trick = self.partner = None
        self.plays, self.succeeded, self.failed = [], [], []
        self.seats = [
            {
                "seat": seat,
                "revealed": False,
                "role": None,
                "tokens": tokens,
                "hand_size": event["hand_size"],
                "owes_vote": False,
                "votes": None,
            }
            for seat, tokens in enumerate(event["tokens"])
        ]
        you = event["you"] or {"role": None, "hand": []}
        self.role, self.cards = you["role"], you["hand"]
        self.drawn, self.discarded = [], []
        self.partner_role = self.vote = None

    def role_turned_up(self, event):
        self.seats[event["seat"]] |= {"revealed": True, "role": event["role"]}

    def partner_chosen(self, event):
        self.partner = event["partner"]
        if event["you"]:
            self.partner_role = event["you"]["role"]

    def missions_drawn(self, event):
        self.phase, self.trick, self.start = "choose_mission", event["trick"], event["seat"]
        self.mission_deck_size = event["mission_deck_size"]
        self.drawn = event["you"]["missions"] if event["you"] else []

    def mission_chosen(self, event):
        self.phase, self.mission = "play_card", self.mission_card(event["mission"])
        if event["you"]:
            self.discarded.append(event["you"]["discarded"])

    def trick_card_played(self, event):
        play = {name: event[name] for name in ("seat", "card", "wager")}
        self.plays.append(play)
        seat = self.seats[event["seat"]]
        seat["hand_size"] -= 1
        seat["tokens"] -= event["wager"]
        if event["seat"] == self.viewer:
            self.cards.remove(event["card"])

    def trick_completed(self, event):
        self.last_trick = {
            **{name: event[name] for name in ("trick", "winner", "succeeded", "intel")},
            "mission": self.mission_card(event["mission"]),
            "plays": self.plays,
        }
        (self.succeeded if event["succeeded"] else self.failed).append(event["mission"])
        self.seats[event["winner"]]["tokens"] += event["intel"]
        self.supply = event["supply"]
        self.mission, self.plays = None, []

    def intel_stolen(self, event):
        self.seats[event["victim"]]["tokens"] -= 1
        self.seats[event["seat"]]["tokens"] += 1

    def vote_opened(self, event):
        self.phase = "cast_vote"
        for seat in event["voters"]:
            self.seats[seat]["owes_vote"] = True

    def vote_cast(self, event):
        self.seats[event["seat"]]["owes_vote"] = False
        if event["you"]:
            self.vote = event["you"]["targets"]

    def votes_shown(self, event):
        for seat, votes in zip(self.seats, event["votes"], strict=True):
            seat["votes"] = votes

    def inside_job_ended(self, event):
        self.phase, self.ending = "over", event["ending"]
        for seat, role in zip(self.seats, event["roles"], strict=True):
            seat["role"] = role
