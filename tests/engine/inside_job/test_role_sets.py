"""Section 8: which special roles go together, and who gets them."""

from collections import Counter
from itertools import combinations

import pytest

from engine.game import BadOptions
from engine.inside_job import INSIDE_JOB
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.roles import allowed_sets

ALL = (
    "accomplice",
    "bugged_agent",
    "decoy",
    "paranoid_agent",
    "prof_no",
    "risk_agent",
    "sleeper_agent",
    "tim_shady",
)
NUMBERS = {(3, True): 50, (4, True): 96, (5, True): 188, (3, False): 36, (4, False): 58, (5, False): 106}


def refusal(seats, **options):
    """The reason and the field, or None."""
    try:
        INSIDE_JOB.check_options(InsideJobOptions(**options), seats)
    except BadOptions as error:
        return error.reason, error.field
    return None


def allowed_by_the_rules(roles, seats, wagers):
    """The five rules, written down a second time."""
    neutral = len({"decoy", "accomplice", "tim_shady"} & set(roles))
    return (
        len(set(roles) - {"prof_no"}) <= seats - 1
        and neutral <= (2 if seats == 5 else 1)
        and (wagers or "risk_agent" not in roles)
        and not (seats == 3 and {"bugged_agent", "accomplice"} <= set(roles))
    )


@pytest.mark.parametrize(("seats", "wagers"), NUMBERS)
def test_number_of_allowed_sets(seats, wagers):
    """Section 8 'number of sets'; Section 8 rule 2; Section 8 rule 3: counted, and the same by either way."""
    sets = allowed_sets(seats, wagers=wagers)
    assert len(sets) == len(set(sets)) == NUMBERS[seats, wagers]
    every = [roles for count in range(9) for roles in combinations(ALL, count)]
    assert set(sets) == {roles for roles in every if allowed_by_the_rules(roles, seats, wagers)}
    accepted = {roles for roles in every if refusal(seats, special_roles=roles, wagers=wagers) is None}
    assert accepted == set(sets)
    assert list(sets) == sorted(sets)
    assert () in sets


REFUSED = [
    (3, ("decoy", "decoy"), {}, "special-role-twice"),  # rule 1
    (5, ("prof_no", "decoy", "prof_no"), {}, "special-role-twice"),
    (3, ("bugged_agent", "paranoid_agent", "sleeper_agent"), {}, "too-many-special-roles"),  # rule 2
    (
        4,
        ("prof_no", "bugged_agent", "paranoid_agent", "sleeper_agent", "decoy"),
        {},
        "too-many-special-roles",
    ),
    (3, ("decoy", "tim_shady"), {}, "too-many-neutral-roles"),  # rule 3
    (4, ("accomplice", "decoy"), {}, "too-many-neutral-roles"),
    (5, ("accomplice", "decoy", "tim_shady"), {}, "too-many-neutral-roles"),
    (5, ("risk_agent",), {"wagers": False}, "risk-agent-needs-wagers"),  # rule 4
    (3, ("bugged_agent", "accomplice"), {}, "too-many-roles-face-up"),  # rule 5
    (3, ("prof_no", "bugged_agent", "accomplice"), {}, "too-many-roles-face-up"),
]


@pytest.mark.parametrize(("seats", "roles", "options", "reason"), REFUSED)
def test_forbidden_sets(seats, roles, options, reason):
    """Section 8 rule 1; Section 8 rule 2; Section 8 rule 3; Section 8 rule 4; Section 8 rule 5; OQ20: with a reason."""
    assert refusal(seats, special_roles=roles, **options) == (reason, "special_roles")


@pytest.mark.parametrize(
    ("seats", "roles"),
    [
        (3, ("prof_no", "bugged_agent", "paranoid_agent")),
        (4, ("bugged_agent", "accomplice")),
        (5, ("tim_shady", "decoy", "risk_agent", "sleeper_agent", "prof_no")),
        (5, ("accomplice", "tim_shady", "bugged_agent", "paranoid_agent")),
    ],
)
def test_allowed_sets_in_any_order(seats, roles):
    """Section 8 rule 2; Section 8 rule 3; Section 8 rule 5: at the very limits."""
    assert refusal(seats, special_roles=roles) is None
    assert refusal(seats, special_roles=roles[::-1]) is None


def test_checked_again_for_fewer_seats():
    """Section 8 rule 3: what five may play, four may not."""
    roles = ("decoy", "tim_shady")
    assert refusal(5, special_roles=roles) is None
    assert refusal(4, special_roles=roles) == ("too-many-neutral-roles", "special_roles")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_as_many_role_cards_as_players(dealt, seats):
    """Section 8 'places'; Section 8 'prof_no': each takes an agent's place, Prof. No the insider's."""
    for wagers in (True, False):
        for roles in allowed_sets(seats, wagers=wagers):
            state, _ = dealt(seats, special_roles=roles, wagers=wagers)
            expected = Counter(roles)
            if "prof_no" not in roles:
                expected["insider"] = 1
            expected["agent"] = seats - sum(expected.values())
            assert Counter(player.role for player in state.players) == +expected


def test_roles_in_play_are_announced(dealt):
    """Section 8 'announced': openly and sorted, not who has them."""
    roles = ("tim_shady", "prof_no", "decoy")
    state, events = dealt(5, special_roles=roles)
    assert events[0].public.special_roles == INSIDE_JOB.table(state).special_roles == sorted(roles)
    assert [seat.role for seat in INSIDE_JOB.table(state).seats] == [None] * 5


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("wagers", [True, False])
def test_random_roles(dealt, seats, wagers):
    """Section 8 'random_roles': one of the allowed sets of so many; every one comes, about equally often."""
    for count in range(1, seats + 1):
        sets = [roles for roles in allowed_sets(seats, wagers=wagers) if len(roles) == count]
        assert sets
        found = Counter()
        for number in range(8 * len(sets)):
            state, events = dealt(seats, number, random_roles=count, wagers=wagers)
            found[tuple(state.special_roles)] += 1
            assert events[0].public.special_roles == state.special_roles
            special = [player.role for player in state.players if player.role not in ("agent", "insider")]
            assert sorted(special) == state.special_roles
        assert set(found) <= set(sets)
        assert len(found) > 0.9 * len(sets)
        assert max(found.values()) <= 24


def test_random_set_is_the_one_that_the_rules_number(dealt):
    """Section 8 'random_roles': sets in lexicographic order, and the very first thing that chance decides."""

    class First:
        def __init__(self, index):
            self.index = index

        def choice(self, items):
            return items[self.index]

        def below(self, bound):
            return bound - 1

        def shuffle(self, items):
            pass

    drawn = []
    for index in range(7):
        state, _ = INSIDE_JOB.deal(3, InsideJobOptions(random_roles=1, wagers=False), First(index))
        drawn.append(state.special_roles)
    expected = sorted([role] for role in ALL if role != "risk_agent")
    assert drawn == expected


def test_no_random_roles_by_default(dealt):
    """Section 8 'random_roles': 0 of them are none."""
    state, _ = dealt(5)
    assert state.special_roles == []
