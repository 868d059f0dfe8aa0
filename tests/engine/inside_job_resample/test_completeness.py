"""Every state that a viewer must hold possible comes out of resampling, about equally often, and no other."""

from collections import Counter, defaultdict
from itertools import permutations, product

import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import CARDS
from engine.inside_job.dealing import Dealing, weighted
from engine.inside_job.events import MissionChosen, MissionsDrawn, TrickCardPlayed
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.rules import RULES_VERSION
from engine.inside_job.state import InsideJobState, Player
from engine.randomness import Stream


@pytest.fixture(scope="module")
def small(late_positions):
    """Positions in which a viewer must hold 2 to 150 worlds possible, with all of these worlds.

    One or two for each kind: roles open or not, the viewer's role, the insider side known or not.
    """
    groups = defaultdict(list)
    for position in late_positions:
        for viewer in position.viewers:
            over, role = position.state.phase == "over", None if viewer is None else position.roles[viewer]
            wanted = any(len(groups[over, role, known]) < 2 - over for known in {True, over})
            if not wanted or position.hidden_deals(viewer) > 1300:
                continue
            worlds = position.worlds(viewer)
            kind = (over, role, len({roles for roles, _ in worlds}) == 1)
            if 1 < len(worlds) <= 150 and len(groups[kind]) < 2 - over:
                groups[kind].append((position, viewer, worlds))
    groups = {kind: entries for kind, entries in groups.items() if entries}
    assert {(False, "agent", False), (False, "insider", True), (True, "agent", True)} <= set(groups)
    return [entry for entries in groups.values() for entry in entries]


def world(position):
    return position.roles, position.hands


def test_exactly_the_possible_roles_and_hands_come_out(small):
    """Rules, sections 4.3 and 10: none that contradicts a suit that was not followed, and each of the others."""
    for position, viewer, worlds in small:
        assert world(position) in worlds
        found = Counter()
        for number in range(20 * len(worlds)):
            found[world(position.resampled(viewer, number))] += 1
        assert set(found) == worlds, (position.name, viewer)
        assert max(found.values()) < 52, (position.name, viewer)
        assert min(found.values()) > 2, (position.name, viewer)


def test_small_positions_are_of_many_kinds(small):
    """Some suits were not followed, somebody was proved to be on the insider side, and so was not everybody."""
    assert len(small) >= 12
    certain = sum(len({roles for roles, _ in worlds}) == 1 for _, _, worlds in small)
    assert 0 < certain < len(small)


# --- laid out by hand ---


def lay_out(roles, hands, deck=(), drawn=(), discarded=None, phase="play_card", start=0, **fields):
    roles = roles.split()
    special = sorted(set(roles) - {"agent", "insider"})
    return InsideJobState(
        rules_version=RULES_VERSION,
        options=InsideJobOptions(special_roles=special),
        special_roles=special,
        phase=phase,
        trick=3,
        start_seat=start,
        players=[
            Player(
                role=role,
                hand=list(hand),
                tokens=1,
                revealed=role in ("accomplice", "bugged_agent"),
                discarded=list((discarded or {}).get(seat, ())),
            )
            for seat, (role, hand) in enumerate(zip(roles, hands, strict=True))
        ],
        supply=11,
        undealt=[],
        mission_deck=list(deck),
        drawn=sorted(drawn),
        mission="all_even_blue" if phase == "play_card" else None,
        **fields,
    )


def gone(*left):
    """Seat 0 has played every card but these, each of them as a lead."""
    return tricks(*([(0, card)] for card in CARDS if card not in left))


def tricks(*plays):
    """Tricks, one after the other, as events."""
    events = []
    for number, trick in enumerate(plays, start=1):
        events.append(MissionsDrawn(trick=number, seat=trick[0][0], mission_deck_size=0))
        events += [TrickCardPlayed(seat=seat, card=card, wager=False) for seat, card in trick]
    return events


def outcomes(state, seen, viewer, look, count=400):
    random = Stream(b"outcomes")
    return Counter(look(INSIDE_JOB.resample(state, seen, viewer, random)) for _ in range(count))


def hands_and_insider(state):
    insider = next(seat for seat, player in enumerate(state.players) if player.role in ("insider", "prof_no"))
    return insider, *(tuple(player.hand) for player in state.players[1:])


def test_nothing_proved():
    """All roles and all hands, a third of the cards each way."""
    state = lay_out("agent agent insider", [[], ["red_1"], ["blue_1"]])
    found = outcomes(state, gone("red_1", "blue_1"), 0, hands_and_insider)
    assert set(found) == {
        (insider, *hands) for insider in (1, 2) for hands in ((("red_1",), ("blue_1",)), (("blue_1",), ("red_1",)))
    }
    assert min(found.values()) > 60


def test_who_did_not_follow_has_no_such_card_or_is_the_insider():
    """Rules, section 4.3: either of the two."""
    state = lay_out("agent agent insider", [[], ["red_1"], ["blue_1"]])
    seen = gone("red_1", "blue_1", "red_5", "blue_5") + tricks([(0, "blue_5"), (1, "red_5")])
    found = outcomes(state, seen, 0, hands_and_insider)
    assert set(found) == {
        (1, ("red_1",), ("blue_1",)),
        (1, ("blue_1",), ("red_1",)),
        (2, ("red_1",), ("blue_1",)),
    }
    assert max(found.values()) < 2 * min(found.values())


def test_who_followed_later_is_the_insider():
    """Rules, section 4.3: so all the others followed suit whenever they could."""
    state = lay_out("agent insider agent", [[], ["red_1"], ["blue_1"]])
    left = ("red_1", "blue_1", "blue_5", "blue_6", "blue_7", "red_5", "red_6")
    seen = gone(*left) + tricks(
        [(0, "blue_5"), (1, "red_5")], [(0, "blue_6"), (1, "blue_7")], [(0, "blue_8"), (2, "red_6")]
    )
    # Seat 1 is exposed, so seat 2 has no blue card.
    state.players[1].hand, state.players[2].hand = ["blue_1"], ["red_1"]
    assert set(outcomes(state, seen, 0, hands_and_insider)) == {(1, ("blue_1",), ("red_1",))}


def test_the_insider_knows_that_all_others_followed():
    """Rules, section 4.3: no other suspect is left."""
    state = lay_out("insider agent agent", [[], ["red_1"], ["blue_1"]])
    seen = gone("red_1", "blue_1", "blue_5", "red_5") + tricks([(0, "blue_5"), (1, "red_5")])
    assert set(outcomes(state, seen, 0, hands_and_insider)) == {(0, ("red_1",), ("blue_1",))}


def test_revealed_seats_are_no_suspects():
    """Rules, section 10: a revealed agent who did not follow has no card of that suit."""
    state = lay_out("agent agent insider", [[], ["red_1"], ["blue_1"]])
    state.players[1].revealed = True
    seen = gone("red_1", "blue_1", "blue_5", "red_5") + tricks([(0, "blue_5"), (1, "red_5")])
    assert set(outcomes(state, seen, 0, hands_and_insider)) == {(2, ("red_1",), ("blue_1",))}


def test_accomplice_knows_the_partner():
    """Rules, section 8: the partner's role stays; nobody else knows it."""
    state = lay_out("accomplice insider decoy agent", [[], ["red_1"], ["blue_1"], ["red_2"]], partner=1)
    seen = gone("red_1", "blue_1", "red_2")
    assert {found[0] for found in outcomes(state, seen, 0, hands_and_insider)} == {1}
    state = lay_out("accomplice insider decoy agent", [[], ["red_1"], ["blue_1"], ["red_2"]], partner=3)
    assert {found[0] for found in outcomes(state, seen, 0, hands_and_insider)} == {1, 2}
    assert {found[0] for found in outcomes(state, seen, None, hands_and_insider)} == {1, 2, 3}


def test_all_hidden_roles_change_places():
    """Rules, section 8: every way to give the hidden roles to the hidden seats."""
    state = lay_out("bugged_agent prof_no decoy agent", [[], ["red_1"], ["blue_1"], ["red_2"]])
    found = outcomes(
        state, gone("red_1", "blue_1", "red_2"), 0, lambda other: tuple(player.role for player in other.players)
    )
    assert set(found) == {("bugged_agent", *roles) for roles in permutations(("prof_no", "decoy", "agent"))}
    assert min(found.values()) > 35


def test_a_spectator_suspects_everybody():
    """Rules, section 10: five hidden roles, in every order."""
    state = lay_out("agent insider agent decoy agent", [["red_1"], ["red_2"], ["red_3"], ["red_4"], ["red_5"]])
    seen = gone("red_1", "red_2", "red_3", "red_4", "red_5")
    found = outcomes(state, seen, None, lambda other: tuple(player.role for player in other.players))
    assert set(found) == set(permutations(("agent", "insider", "agent", "decoy", "agent")))
    assert len(found) == 20


def test_open_roles_stay_after_the_end():
    """Rules, section 9: all roles are public then; hands are not."""
    state = lay_out("agent agent insider", [[], ["red_1"], ["blue_1"]], phase="over", ending="insider_escaped_vote")
    found = outcomes(state, gone("red_1", "blue_1"), 0, hands_and_insider)
    assert set(found) == {(2, ("red_1",), ("blue_1",)), (2, ("blue_1",), ("red_1",))}


# --- missions ---

NORMAL = ["all_odd_red", "last_wins_green", "one_suit_blue"]
RISK = "risk_two_wagered_green"


def missions(state):
    return tuple(tuple(player.discarded) for player in state.players), tuple(state.drawn), tuple(state.mission_deck)


def chosen(*missions):
    return [MissionChosen(seat=seat, mission=mission) for seat, mission in missions]


def test_discarded_drawn_and_deck_change_places():
    """Rules, section 10: what others discarded and drew, and the order of the deck; the own stays."""
    state = lay_out(
        "agent agent insider",
        [[], [], []],
        deck=["no_trump_red"],
        drawn=["all_odd_red", "last_wins_green"],
        discarded={0: ["some_trump_red"], 1: ["one_suit_blue"]},
        phase="choose_mission",
        start=2,
    )
    seen = gone() + chosen((0, "ascending_blue"), (1, "ascending_red"))
    hidden = ["no_trump_red", "all_odd_red", "last_wins_green", "one_suit_blue"]
    found = outcomes(state, seen, 0, missions)
    assert set(found) == {
        ((("some_trump_red",), (discarded,), ()), tuple(sorted(drawn)), (deck,))
        for discarded, deck, *drawn in permutations(hidden)
    }
    assert min(found.values()) > 15
    for discarded, drawn, deck in outcomes(state, seen, 2, missions):
        assert drawn == ("all_odd_red", "last_wins_green")
        assert {*discarded[0], *discarded[1], *deck} == {"no_trump_red", "one_suit_blue", "some_trump_red"}
    spectator = outcomes(state, seen, None, missions, 2000)
    assert len(spectator) == 5 * 4 * 3


def test_who_chose_a_normal_mission_discarded_no_risk_mission():
    """Rules, section 8, Risk Agent: it would have had to be chosen; who chose one may have had two."""
    state = lay_out(
        "agent risk_agent insider",
        [[], [], []],
        deck=["no_trump_red", RISK],
        discarded={1: ["one_suit_blue"], 2: ["all_odd_red"]},
    )
    seen = gone() + chosen((1, "ascending_red"), (2, "risk_lowest_wins_yellow"))
    hidden = ["no_trump_red", RISK, "one_suit_blue", "all_odd_red"]
    found = outcomes(state, seen, 0, missions, 1000)
    assert set(found) == {
        (((), (one,), (other,)), (), deck)
        for one, other, *rest in permutations(hidden)
        if one != RISK
        for deck in [tuple(rest)]
    }
    assert min(found.values()) > 25
    assert max(found.values()) < 95


def test_equal_missions():
    """Rules, section 15: a deck may have repeats."""
    state = lay_out("agent agent insider", [[], [], []], deck=["no_trump_red"] * 2, discarded={1: ["all_odd_red"]})
    found = outcomes(state, gone() + chosen((1, "no_trump_red")), 0, missions)
    assert set(found) == {
        (((), ("all_odd_red",), ()), (), ("no_trump_red", "no_trump_red")),
        (((), ("no_trump_red",), ()), (), ("all_odd_red", "no_trump_red")),
        (((), ("no_trump_red",), ()), (), ("no_trump_red", "all_odd_red")),
    }


# --- votes ---


def votes(state):
    return tuple(player.role for player in state.players), tuple(p.vote and tuple(p.vote) for p in state.players)


def test_votes_not_yet_shown_are_any_that_the_roles_allow():
    """Rules, section 9: the Paranoid Agent may have cast two."""
    state = lay_out("agent paranoid_agent insider agent", [[], [], [], []], phase="cast_vote")
    state.players[0].vote, state.players[1].vote = [2], [0, 2]
    expected = set()
    for roles in set(permutations(("paranoid_agent", "insider", "agent"))):
        single = [(target,) for target in (0, 2, 3)]
        double = [(0, 2), (0, 3), (2, 3)] if roles[0] == "paranoid_agent" else []
        expected |= {(("agent", *roles), ((2,), vote, None, None)) for vote in single + double}
    assert set(outcomes(state, gone(), 0, votes, 2000)) == expected
    assert {vote[0] for _, vote in outcomes(state, gone(), None, votes)} == {(1,), (2,), (3,)} | {
        (1, 2),
        (1, 3),
        (2, 3),
    }


def test_votes_that_are_shown_stay():
    """Rules, section 9: after the end all of them are public."""
    state = lay_out("agent agent insider", [[], [], []], phase="over", ending="insider_escaped_vote")
    for player, vote in zip(state.players, ([1], [0], [1]), strict=True):
        player.vote = vote
    assert set(outcomes(state, gone(), None, votes)) == {(("agent", "agent", "insider"), ((1,), (0,), (1,)))}


# --- counting deals ---

PACK = ["blue_1", "blue_2", "red_1", "red_2", "green_1", "yellow_1"]


def brute_force(sizes, forbidden):
    """Every deal, by trying all orders."""
    found = set()
    for order in permutations(PACK):
        rest, hands = list(order), []
        for size in sizes:
            hands.append(tuple(sorted(rest[:size])))
            rest = rest[size:]
        if all(card.split("_")[0] not in suits for hand, suits in zip(hands, forbidden, strict=True) for card in hand):
            found.add(tuple(hands))
    return found


SIZES = [(2, 2, 2), (1, 2, 3), (3, 3, 0), (1, 1, 4), (6, 0, 0), (0, 2, 4)]
FORBIDDEN = [
    (set(), set(), set()),
    ({"blue"}, set(), set()),
    ({"blue"}, {"blue"}, set()),
    ({"blue"}, {"red", "green"}, set()),
    ({"blue", "red"}, {"yellow"}, {"green"}),
    ({"blue", "red", "green", "yellow"}, {"blue"}, set()),
    ({"red"}, {"red"}, {"red"}),
]


@pytest.mark.parametrize(("sizes", "forbidden"), list(product(SIZES, FORBIDDEN)))
def test_deals_are_counted_and_each_is_as_likely(sizes, forbidden):
    """As many as there are by trying; each comes out about equally often."""
    expected = brute_force(sizes, forbidden)
    dealing = Dealing(PACK, sizes, forbidden)
    assert dealing.ways() == len(expected)
    if not expected:
        return
    random = Stream(b"deals")
    found = Counter(tuple(tuple(sorted(hand)) for hand in dealing.one(random)) for _ in range(60 * len(expected)))
    assert set(found) == expected
    assert min(found.values()) > 60 - 5 * 8
    assert max(found.values()) < 52 + 5 * 8


def test_weights_of_any_size():
    """Also beyond what a stream gives at once; a weight of zero never comes."""
    random = Stream(b"weights")
    found = Counter(weighted([1 << 80, 0, 1 << 80, 1 << 81], random) for _ in range(800))
    assert set(found) == {0, 2, 3}
    assert 340 < found[3] < 460
    assert 140 < found[0] < 260
    assert [weighted([0, 1], random) for _ in range(5)] == [1] * 5
    thirds = Counter(weighted([1 << 30] * 3, random) for _ in range(900))
    assert min(thirds.values()) > 250
