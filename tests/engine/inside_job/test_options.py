"""Section 15: the match options."""

import msgspec
import pytest

from engine.game import BadOptions
from engine.inside_job import INSIDE_JOB
from engine.inside_job.options import InsideJobOptions

ROLES = [
    "accomplice",
    "bugged_agent",
    "decoy",
    "paranoid_agent",
    "prof_no",
    "risk_agent",
    "sleeper_agent",
    "tim_shady",
]
CARD = {"condition": "no_trump", "trump": "red"}


def as_sent(struct):
    return msgspec.json.decode(msgspec.json.encode(struct))


def refusal(seats, options):
    """The reason and the field, or None."""
    try:
        INSIDE_JOB.check_options(msgspec.convert(options, InsideJobOptions), seats)
    except BadOptions as error:
        return error.reason, error.field
    return None


def test_defaults():
    """Section 15; OQ1; OQ21: eight options, each with its default."""
    sent = as_sent(msgspec.convert({}, InsideJobOptions))
    deck = sent.pop("mission_deck")
    assert len(deck) == 24
    assert deck[0] == {"condition": "ascending", "trump": "red"}
    assert sent == {
        "wagers": True,
        "special_roles": [],
        "random_roles": 0,
        "vote_tie": "with_insider",
        "risk_reveal": "any",
        "missions_needed": None,
        "intel_limit": None,
    }
    for seats in (3, 4, 5):
        assert refusal(seats, {}) is None


@pytest.mark.parametrize(
    "options",
    [
        {"wagers": False},
        *({"special_roles": [role]} for role in ROLES),
        *({"random_roles": count} for count in range(6)),
        {"vote_tie": "any"},
        {"risk_reveal": "risk_agent_only"},
        {"risk_reveal": "all"},
        {"missions_needed": 1},
        {"missions_needed": 9},
        {"intel_limit": 2},
        {"intel_limit": 14},
        {"mission_deck": [CARD] * 18},
        {"mission_deck": [CARD] * 100},
        {"mission_deck": [{"condition": "two_wagered", "trump": "blue"}] * 18},
    ],
)
def test_accepted(options):
    """Section 15; OQ1; OQ21: every value that an option can have."""
    (name,) = options
    assert as_sent(msgspec.convert(options, InsideJobOptions))[name] == options[name]
    assert refusal(5, options) is None


@pytest.mark.parametrize(
    "options",
    [
        {"wagers": 1},
        {"wagers": None},
        {"wagers": "true"},
        {"special_roles": ["spy"]},
        {"special_roles": ["agent"]},
        {"special_roles": ["insider"]},
        {"special_roles": "decoy"},
        {"special_roles": None},
        {"special_roles": ["decoy"] * 9},
        *({"random_roles": value} for value in (-1, 6, 1.0, True, None, "1")),
        *({"vote_tie": value} for value in ("none", None, True)),
        *({"risk_reveal": value} for value in ("none", None, "Any")),
        *({"missions_needed": value} for value in (0, 12, 3.0, True, "3")),
        *({"intel_limit": value} for value in (1, 15, 3.0, True, "3")),
        {"mission_deck": [CARD] * 17},
        {"mission_deck": [CARD] * 101},
        {"mission_deck": None},
        {"mission_deck": ["no_trump_red"] * 24},
        {"mission_deck": [{**CARD, "risk": True}] * 24},
        {"mission_deck": [{"condition": "no_trump"}] * 24},
        {"mission_deck": [{"condition": "no_trump", "trump": "purple"}] * 24},
        {"mission_deck": [{"condition": "no_trumps", "trump": "red"}] * 24},
        {"larry": True},
    ],
    ids=repr,
)
def test_no_options_at_all(options):
    """Section 15: anything else is no option of this game."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, InsideJobOptions)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(options), type=InsideJobOptions)


REFUSED = [
    (5, {"special_roles": ["decoy"], "random_roles": 1}, "roles-both-chosen-and-random", "random_roles"),
    (3, {"random_roles": 4}, "more-random-roles-than-players", "random_roles"),
    (4, {"random_roles": 5}, "more-random-roles-than-players", "random_roles"),
    (4, {"missions_needed": 11}, "more-missions-needed-than-tricks", "missions_needed"),
    (5, {"missions_needed": 10}, "more-missions-needed-than-tricks", "missions_needed"),
    (3, {"mission_deck": [CARD] * 21}, "mission-deck-too-small", "mission_deck"),
    (4, {"mission_deck": [CARD] * 19}, "mission-deck-too-small", "mission_deck"),
    (3, {"mission_deck": [CARD] * 18, "special_roles": ["risk_agent"]}, "mission-deck-too-small", "mission_deck"),
    *(
        (
            5,
            {"wagers": False, "mission_deck": [CARD] * 20 + [{"condition": condition, "trump": "red"}]},
            "mission-needs-wagers",
            "mission_deck",
        )
        for condition in ("third_wagered", "winner_wagered", "two_wagered")
    ),
]


@pytest.mark.parametrize(("seats", "options", "reason", "field"), REFUSED)
def test_forbidden_combinations(seats, options, reason, field):
    """Section 15; Section 8 'random_roles': refused at creation with the reason and the field."""
    assert refusal(seats, options) == (reason, field)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"random_roles": 3}),
        (4, {"random_roles": 4}),
        (3, {"missions_needed": 11}),
        (4, {"missions_needed": 10}),
        (3, {"mission_deck": [CARD] * 22}),
        (4, {"mission_deck": [CARD] * 20}),
        (5, {"wagers": False, "mission_deck": [{"condition": "lowest_wins", "trump": "red"}] * 18}),
        (5, {"wagers": False, "random_roles": 5}),
        (5, {"risk_reveal": "all"}),
    ],
)
def test_just_allowed(seats, options):
    """Section 15; Section 8 'random_roles': at the very limits; risk_reveal needs no Risk Agent."""
    assert refusal(seats, options) is None


def test_defaults_follow_the_number_that_plays(dealt):
    """Section 15; Section 3 'table': the same options mean other numbers with fewer seats."""
    tables = [INSIDE_JOB.table(dealt(seats)[0]) for seats in (3, 4, 5)]
    assert [(table.missions_needed, table.intel_limit) for table in tables] == [(9, 6), (7, 5), (6, 4)]
    tables = [INSIDE_JOB.table(dealt(seats, missions_needed=5, intel_limit=3)[0]) for seats in (3, 4, 5)]
    assert [(table.missions_needed, table.intel_limit) for table in tables] == [(5, 3)] * 3


def test_options_do_not_change_the_shuffles(dealt):
    """Section 15: what is not dealt does not change what is."""
    plain, _ = dealt(4, 2)
    other, _ = dealt(4, 2, wagers=False, vote_tie="any", risk_reveal="all", missions_needed=3, intel_limit=9)
    other.options = plain.options
    assert INSIDE_JOB.dump(other) == INSIDE_JOB.dump(plain)


def test_without_wagers_tokens_are_collected_all_the_same(match):
    """Section 15; Section 5 'who': a match without the rule keeps everything else."""
    for number in range(10):
        game = match(number, 4, wagers=False)
        for _, move, _ in game:
            assert not getattr(move, "wager", False)
        tricks = len(game.state.succeeded) + len(game.state.failed)
        assert sum(player.tokens for player in game.state.players) == 4 + tricks
