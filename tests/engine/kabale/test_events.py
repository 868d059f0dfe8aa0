"""What events tell: enough to rebuild every view, and to nobody more than it may know (section 13)."""

import msgspec
import pytest

from engine.kabale import KABALE

CARDS = sorted(card.id for card in KABALE.components.influence)


def value_of(goal):
    return int(goal.rsplit("_", 1)[1])


def points_of(goals, set_scoring):
    """Section 9 and ruling D1, written down a second time."""
    values = [(goal.rsplit("_", 1)[0], value_of(goal)) for goal in goals]
    plain = sum(value for _, value in values)
    best = [max(value for name, value in values if name == symbol) for symbol in {name for name, _ in values}]
    if len(best) < 6:
        return plain
    if set_scoring == "all_goals":
        return 2 * plain - (len(goals) - 6)
    return max(plain, 2 * sum(best) - (len(goals) - 6))


class Reader:
    """A client that keeps table and hand up to date from its events alone, as JSON values."""

    def __init__(self, viewer, set_scoring):
        self.viewer = viewer
        self.set_scoring = set_scoring
        self.own = {}
        self.cards = []
        self.table = {"last_round": None, "lost_goals": [], "pending": None, "columns": []}

    def read(self, event):
        event = msgspec.json.decode(msgspec.json.encode(event))
        getattr(self, event.pop("type"))(**event)

    # --- views ---

    def seen_table(self):
        table = self.table
        columns = [
            {**column, "fulfilled": column["closed"] or len(column["slots"]) >= value_of(column["goal"])}
            for column in table["columns"]
        ]
        seats = [{**seat, "score": points_of(seat["goals"], self.set_scoring)} for seat in table["seats"]]
        return {**table, "rounds": 6, "columns": columns, "seats": seats}

    def seen_hand(self):
        places = [
            (number, place, slot)
            for number, column in enumerate(self.table["columns"])
            for place, slot in enumerate(column["slots"])
            if slot["owner"] == self.viewer
        ]
        face_down = [(number, place) for number, place, slot in places if not slot["face_up"]]
        tucked = [(number, place) for number, place, slot in places if slot["tucked"]]
        return {
            "seat": self.viewer,
            "hand": sorted(self.own["hand"]),
            "face_down": [
                {"column": number, "slot": place, "character": self.cards[number][place][0]}
                for number, place in face_down
            ],
            "tucked": [
                {"column": number, "slot": place, "character": self.cards[number][place][1]} for number, place in tucked
            ],
            "discard_pile": sorted(self.own["discard_pile"]),
            "undrawn": sorted(self.own["undrawn"]),
        }

    # --- events ---

    def kabale_dealt(self, seats, hand_size, draw_pile_size, goal_stack_size, you):
        assert (you is None) == (self.viewer is None)
        self.table["goal_stack_size"] = goal_stack_size
        self.table["seats"] = [
            {
                "seat": seat,
                "hand_size": hand_size,
                "draw_pile_size": draw_pile_size,
                "discard_pile_size": 0,
                "goals": [],
            }
            for seat in range(seats)
        ]
        if you:
            left = [card for card in CARDS if card not in you["cards"]]
            self.own = {"hand": you["cards"], "undrawn": left, "discard_pile": []}

    def goals_revealed(self, goals, goal_stack_size, you, **rest):
        self.table |= {"round": rest["round"], "goal_stack_size": goal_stack_size}
        self.table["columns"] = [{"goal": goal, "closed": False, "slots": []} for goal in goals]
        self.cards = [[] for _ in goals]

    def kabale_turn_begun(self, seat, you):
        self.table |= {"turn": seat, "phase": "place_card"}

    def kabale_seat_skipped(self, seat, you):
        assert self.table["seats"][seat]["hand_size"] == 0

    def card_placed(self, seat, column, slot, you):
        assert seat == self.table["turn"]
        assert (you is None) == (self.viewer != seat)
        slots = self.table["columns"][column]["slots"]
        assert slot == len(slots)
        slots.append({"owner": seat, "face_up": False, "character": None, "tucked": False})
        self.cards[column].append([you and you["card"], None])
        self.table["seats"][seat]["hand_size"] -= 1
        if you:
            self.own["hand"].remove(you["card"])

    def card_turned_up(self, owner, column, slot, character, you):
        lying = self.table["columns"][column]["slots"][slot]
        assert lying["owner"] == owner
        lying |= {"face_up": True, "character": character}
        assert self.cards[column][slot][0] in (None, character)
        self.cards[column][slot][0] = character

    def card_killed(self, owner, column, slot, character, you):
        assert (you is None) == (self.viewer != owner)
        lying = self.table["columns"][column]["slots"].pop()
        assert (lying["owner"], lying["face_up"], lying["character"]) == (owner, False, character)
        assert slot == len(self.table["columns"][column]["slots"])
        card, _ = self.cards[column].pop()
        self.table["seats"][owner]["discard_pile_size"] += 1
        if you:
            assert you["card"] == card
            self.own["discard_pile"].append(card)

    def explorer_moved(self, owner, origin_slot, to, slot, you, **origin):
        origin = origin["from"]
        explorer = self.table["columns"][origin]["slots"].pop(origin_slot)
        assert (explorer["owner"], explorer["character"]) == (owner, "explorer")
        assert slot == len(self.table["columns"][to]["slots"])
        self.table["columns"][to]["slots"].append(explorer | {"face_up": False})
        self.cards[to].append(self.cards[origin].pop(origin_slot))

    def column_closed(self, column, you):
        self.table["columns"][column]["closed"] = True

    def ability_offered(self, seat, kind, column, slot, you):
        self.table |= {"phase": kind, "pending": {"seat": seat, "column": column, "slot": slot}}

    def decided(self, seat):
        assert self.table["pending"]["seat"] == seat
        self.table["pending"] = None

    def goals_swapped(self, seat, columns, you):
        self.decided(seat)
        one, other = (self.table["columns"][column] for column in columns)
        one["goal"], other["goal"] = other["goal"], one["goal"]

    def swap_declined(self, seat, you):
        self.decided(seat)

    def tuck_declined(self, seat, you):
        self.decided(seat)

    def card_tucked(self, seat, column, slot, you):
        assert (you is None) == (self.viewer != seat)
        self.decided(seat)
        self.table["columns"][column]["slots"][slot]["tucked"] = True
        self.table["seats"][seat]["hand_size"] -= 1
        if you:
            self.own["hand"].remove(you["card"])
            self.cards[column][slot][1] = you["card"]

    def own_pile_shuffled(self, seat, draw_pile_size, you):
        counts = self.table["seats"][seat]
        assert (counts["draw_pile_size"], counts["discard_pile_size"]) == (0, draw_pile_size)
        counts |= {"draw_pile_size": draw_pile_size, "discard_pile_size": 0}
        if seat == self.viewer:
            self.own |= {"undrawn": self.own["discard_pile"], "discard_pile": []}

    def influence_drawn(self, seat, count, you):
        assert count > 0
        assert (you is None) == (self.viewer != seat)
        self.table["seats"][seat]["draw_pile_size"] -= count
        self.table["seats"][seat]["hand_size"] += count
        if you:
            assert len(you["cards"]) == count
            self.own["hand"] += you["cards"]
            self.own["undrawn"] = [card for card in self.own["undrawn"] if card not in you["cards"]]

    def kabale_round_ended(self, you, **ended):
        assert (ended["round"], ended["ended_by"]) == (self.table["round"], self.table["turn"])
        self.table["last_round"] = {**ended, "columns": []}

    def column_scored(self, column, scored, you):
        lying = self.table["columns"][column]
        assert lying["goal"] == scored["goal"]
        for slot, card in zip(lying["slots"], scored["cards"], strict=True):
            assert slot["owner"] == card["owner"]
            assert slot["character"] in (None, card["character"])
            assert slot["tucked"] == (card["tucked"] is not None)
            cards = [card["character"], *([card["tucked"]] if card["tucked"] else [])]
            self.table["seats"][card["owner"]]["discard_pile_size"] += len(cards)
            if card["owner"] == self.viewer:
                self.own["discard_pile"] += cards
        assert column == len(self.table["last_round"]["columns"])
        self.table["last_round"]["columns"].append(scored)
        winner = scored["winner"]
        goals = self.table["lost_goals"] if winner is None else self.table["seats"][winner]["goals"]
        goals.append(scored["goal"])
        goals.sort()

    def kabale_ended(self, scores, you):
        self.table |= {"columns": [], "phase": "over", "turn": None}
        assert scores == [points_of(seat["goals"], self.set_scoring) for seat in self.table["seats"]]


def plain(view):
    return msgspec.json.decode(msgspec.json.encode(view))


def compare(reader, state):
    assert reader.seen_table() == plain(KABALE.table(state))
    if reader.viewer is not None:
        assert reader.seen_hand() == plain(KABALE.hand(state, reader.viewer))


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_events_rebuild_every_view(match, options_of, seats):
    """Section 13: after the set-up and after every move, each viewer's events so far give its table and its hand."""
    for number in range(8):
        options = options_of(number)
        game = match(number, seats, **options)
        readers = [Reader(viewer, options["set_scoring"]) for viewer in (None, *range(seats))]
        told = 0
        moves = iter(game)
        while True:
            for reader in readers:
                for event in game.log[told:]:
                    reader.read(event.seen_by(reader.viewer))
                compare(reader, game.state)
            told = len(game.log)
            if next(moves, None) is None:
                break
        assert KABALE.result(game.state)


def test_secrets_go_to_their_owner_alone(match):
    """Section 13: only these events tell anybody more, and only the seat that they are about."""
    allowed = {
        "kabale_dealt": lambda event: set(range(event.seats)),
        "card_placed": lambda event: {event.seat},
        "card_tucked": lambda event: {event.seat},
        "influence_drawn": lambda event: {event.seat},
        "card_killed": lambda event: {event.owner},
    }
    kinds = set()
    for number in range(10):
        for event in match(number, 2 + number % 5).play_out().log:
            tag = event.public.__struct_config__.tag
            kinds.add(tag)
            assert event.public.you is None
            assert set(event.private) == (allowed[tag](event.public) if tag in allowed else set())
            for private in event.private.values():
                assert msgspec.structs.replace(private, you=None) == event.public
    assert kinds >= set(allowed) | {"explorer_moved", "column_closed", "goals_swapped", "own_pile_shuffled"}


def test_tags_are_its_own():
    """Tags of moves and events are unique within the game, and none is used twice."""
    moves = [kind.__struct_config__.tag for kind in KABALE.move_type.__args__]
    events = [kind.__struct_config__.tag for kind in KABALE.event_type.__args__]
    assert moves == ["place_card", "swap_goals", "decline_swap", "tuck_card", "decline_tuck"]
    assert len(set(moves + events)) == len(moves + events) == 5 + 19


def test_events_survive_json(match):
    """Every event can be read back as it was sent, as each seat reads it."""
    game = match(3, 4).play_out()
    for event in game.log:
        for viewer in (None, 0, 1, 2, 3):
            read = event.seen_by(viewer)
            assert msgspec.json.decode(msgspec.json.encode(read), type=KABALE.event_type) == read
