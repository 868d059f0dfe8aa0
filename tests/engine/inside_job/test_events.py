"""What a match tells, and that it is the whole story."""

import msgspec
import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import MISSIONS
from engine.inside_job.roles import allowed_sets
from engine.inside_job.stand_in import stand_in


def as_sent(event):
    sent = msgspec.to_builtins(event)
    return {name: value for name, value in sent.items() if name != "you"}


def test_set_up_is_told(dealt):
    """Section 3 'table'; Section 8 'announced': numbers and roles in play to all, role and hand to their owner."""
    state, events = dealt(5, special_roles=("decoy", "accomplice"))
    first = as_sent(events[0].public)
    assert first == {
        "type": "inside_job_dealt",
        "start_seat": state.start_seat,
        "special_roles": ["accomplice", "decoy"],
        "tokens": [player.tokens for player in state.players],
        "supply": 10,
        "hand_size": 10,
        "undealt_size": 2,
        "mission_deck_size": 24,
        "tricks": 9,
        "missions_needed": 6,
        "intel_limit": 4,
    }
    assert set(events[0].private) == set(range(5))


def test_every_public_event_of_a_trick(scene):
    """Section 4.1; Section 4.7; Section 7 'reveal'; Section 10: in the order of play, what everybody may know."""
    table = scene("agent agent insider tim_shady").tokens(1, 1, 2, 4)
    table.choose("all_even_blue")
    table.hold("r1", "r2", "r3", "r13").play("r1 r2 r3 r13")
    assert [as_sent(event.seen_by(None)) for event in table.log] == [
        {"type": "mission_chosen", "seat": 0, "mission": "all_even_blue"},
        {"type": "trick_card_played", "seat": 0, "card": "red_1", "wager": False},
        {"type": "trick_card_played", "seat": 1, "card": "red_2", "wager": False},
        {"type": "trick_card_played", "seat": 2, "card": "red_3", "wager": False},
        {"type": "trick_card_played", "seat": 3, "card": "red_13", "wager": False},
        {
            "type": "trick_completed",
            "trick": 1,
            "mission": "all_even_blue",
            "winner": 3,
            "succeeded": False,
            "intel": 1,
            "supply": 5,
        },
        {"type": "role_turned_up", "seat": 3, "role": "tim_shady", "cause": "intel"},
        {"type": "intel_stolen", "seat": 3, "victim": 2},
        {"type": "missions_drawn", "trick": 2, "seat": 3, "mission_deck_size": 2},
    ]


def test_every_public_event_of_the_vote(scene):
    """Section 9 'simultaneously'; Section 9 'afterwards': voters, who has voted, then everything."""
    table = scene("agent paranoid_agent insider").last_trick().trick("all_even_blue", "r1 r2 r3")
    del table.log[:-1]
    table.vote(2, (0, 2), 0)
    assert [as_sent(event.seen_by(None)) for event in table.log] == [
        {"type": "vote_opened", "voters": [0, 1, 2]},
        {"type": "vote_cast", "seat": 0},
        {"type": "vote_cast", "seat": 1},
        {"type": "vote_cast", "seat": 2},
        {"type": "votes_shown", "votes": [[2], [0, 2], [0]]},
        {
            "type": "inside_job_ended",
            "ending": "insider_voted_out",
            "winner": "agents",
            "roles": ["agent", "paranoid_agent", "insider"],
        },
    ]


def test_you_is_in_the_event_of_the_seat_concerned_alone(match):
    """Section 10: all others read the event without it, and the rest of it is the same."""
    for number in range(15):
        game = match(number, 5, special_roles=("accomplice", "paranoid_agent"))
        log = list(game.dealt)
        for _, _, events in game:
            log += events
        for event in log:
            assert event.public.you is None
            for seat in range(5):
                told = event.seen_by(seat)
                assert (told.you is not None) == (seat in event.private)
                assert msgspec.structs.replace(told, you=None) == event.public
            if event.public.__struct_config__.tag != "inside_job_dealt":
                assert set(event.private) <= {getattr(event.public, "seat", None)}


# --- the events are the whole story ---


class Reader:
    """Somebody who keeps table and hand by the events alone, a seat or a spectator (``None``)."""

    def __init__(self, viewer):
        self.viewer = viewer

    def read(self, event):
        getattr(self, event.__struct_config__.tag)(event)

    def inside_job_dealt(self, event):
        self.seats = len(event.tokens)
        self.table = {
            "phase": "choose_partner" if "accomplice" in event.special_roles else "choose_mission",
            "special_roles": event.special_roles,
            "trick": 0,
            "tricks": event.tricks,
            "start_seat": event.start_seat,
            "seat_to_play": None,
            "mission": None,
            "led_suit": None,
            "plays": [],
            "last_trick": None,
            "succeeded": [],
            "failed": [],
            "missions_needed": event.missions_needed,
            "intel_limit": event.intel_limit,
            "supply": event.supply,
            "mission_deck_size": event.mission_deck_size,
            "undealt_size": event.undealt_size,
            "partner": None,
            "seats": [
                {
                    "seat": seat,
                    "revealed": False,
                    "role": None,
                    "tokens": tokens,
                    "hand_size": event.hand_size,
                    "owes_vote": False,
                    "votes": None,
                }
                for seat, tokens in enumerate(event.tokens)
            ],
        }
        self.of_seat = self.table["seats"]
        self.hand = None
        if event.you:
            self.hand = {
                "seat": self.viewer,
                "role": event.you.role,
                "hand": event.you.hand,
                "drawn": [],
                "discarded": [],
                "partner_role": None,
                "vote": None,
            }

    def role_turned_up(self, event):
        self.of_seat[event.seat] |= {"revealed": True, "role": event.role}

    def partner_chosen(self, event):
        self.table["partner"] = event.partner
        if event.you:
            self.hand["partner_role"] = event.you.role

    def missions_drawn(self, event):
        self.table |= {"phase": "choose_mission", "trick": event.trick, "start_seat": event.seat}
        self.table["mission_deck_size"] -= 2
        assert self.table["mission_deck_size"] == event.mission_deck_size
        if event.you:
            self.hand["drawn"] = event.you.missions

    def mission(self, name):
        card = MISSIONS[name]
        return {"mission": name, "condition": card.condition, "trump": card.trump, "risk": card.risk}

    def mission_chosen(self, event):
        self.table |= {"phase": "play_card", "mission": self.mission(event.mission), "seat_to_play": event.seat}
        if event.you:
            assert sorted([event.mission, event.you.discarded]) == self.hand["drawn"]
            self.hand["drawn"] = []
            self.hand["discarded"] = [*self.hand["discarded"], event.you.discarded]

    def trick_card_played(self, event):
        self.table["led_suit"] = self.table["led_suit"] or event.card.split("_")[0]
        self.table["plays"] = [
            *self.table["plays"],
            {"seat": event.seat, "card": event.card, "wager": event.wager},
        ]
        self.table["seat_to_play"] = (event.seat + 1) % self.seats
        self.of_seat[event.seat]["hand_size"] -= 1
        self.of_seat[event.seat]["tokens"] -= event.wager
        if event.seat == self.viewer:
            self.hand["hand"] = [card for card in self.hand["hand"] if card != event.card]

    def trick_completed(self, event):
        self.table["last_trick"] = {
            "trick": event.trick,
            "mission": self.mission(event.mission),
            "plays": self.table["plays"],
            "winner": event.winner,
            "succeeded": event.succeeded,
            "intel": event.intel,
        }
        row = "succeeded" if event.succeeded else "failed"
        self.table[row] = [*self.table[row], event.mission]
        self.table |= {"mission": None, "led_suit": None, "plays": [], "seat_to_play": None, "supply": event.supply}
        self.of_seat[event.winner]["tokens"] += event.intel

    def intel_stolen(self, event):
        self.of_seat[event.victim]["tokens"] -= 1
        self.of_seat[event.seat]["tokens"] += 1

    def vote_opened(self, event):
        self.table["phase"] = "cast_vote"
        for seat in event.voters:
            self.of_seat[seat]["owes_vote"] = True

    def vote_cast(self, event):
        self.of_seat[event.seat]["owes_vote"] = False
        if event.you:
            self.hand["vote"] = event.you.targets

    def votes_shown(self, event):
        for seat, votes in enumerate(event.votes):
            self.of_seat[seat]["votes"] = votes

    def inside_job_ended(self, event):
        self.table["phase"] = "over"
        for seat, role in enumerate(event.roles):
            self.of_seat[seat]["role"] = role
        self.ending = event.ending

    def agrees_with(self, state):
        assert msgspec.to_builtins(INSIDE_JOB.table(state)) == self.table
        if self.viewer is not None:
            assert msgspec.to_builtins(INSIDE_JOB.hand(state, self.viewer)) == self.hand


def helpful(state, seat, moves, choices):
    """Mostly for the agents, so that matches end in other ways too."""
    if choices.below(4):
        return stand_in(INSIDE_JOB.table(state), INSIDE_JOB.hand(state, seat), moves, choices)
    return choices.choice(moves)


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("share", range(2))
def test_events_are_enough_to_follow_a_match(match, seats, share):
    """Section 10: whoever reads the own events has the own table and hand, after every move."""
    sets = allowed_sets(seats, wagers=True)
    endings = set()
    for number in range(share, 40, 2):
        chooser = helpful if number % 3 else None
        game = match(number, seats, chooser, special_roles=sets[number * 31 % len(sets)])
        readers = [Reader(viewer) for viewer in (None, *range(seats))]
        for reader in readers:
            for event in game.dealt:
                reader.read(event.seen_by(reader.viewer))
            reader.agrees_with(game.state)
        for _, _, events in game:
            for reader in readers:
                for event in events:
                    reader.read(event.seen_by(reader.viewer))
                reader.agrees_with(game.state)
        endings.add(game.state.ending)
        assert readers[0].ending == INSIDE_JOB.result(game.state).ending
    assert len(endings) > 4
