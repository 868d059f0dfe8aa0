"""A verifier in another language, written after docs/randomness.md, agrees; and it notices what was changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playthroughs.option_sets import GAMES
from support.play import Playthrough

from engine.randomness import VERSION, Randomness, commitment
from engine.replay import ReplaySeat, ReplayTypes, events_of

SCRIPT = Path(__file__).with_name("verify.js")
VECTORS = Path(__file__).parents[2] / "docs" / "randomness-vectors.json"
NOON = "2026-01-01T12:00:00Z"


@pytest.fixture(scope="session")
def node() -> str:
    found = shutil.which("node") or shutil.which("nodejs")
    if found is None:
        reason = "node is missing: the JavaScript verifier of the shuffles cannot be run"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture
def verify(node: str):
    """Run the verifier on a value: its exit code, and what it prints."""

    def run(check: str, value: Any) -> tuple[int, str]:
        done = subprocess.run(
            [node, str(SCRIPT), check, "-"],
            input=json.dumps(value),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        return done.returncode, (done.stdout + done.stderr).strip()

    return run


def replay_of(game_id: str, seats: int, number: int) -> dict[str, Any]:
    """A finished match as the service tells it, as JSON values."""
    game = GAMES[game_id]
    name, seed = f"verified-{number}", bytes([number]) * 32
    entropies = ["", *(f"entropy-{seat}" if seat % 2 else "" for seat in range(1, seats))]
    match = Playthrough(game, seats, game.options_type(), seed)
    match.randomness = Randomness(name, seed, [entropy.encode() for entropy in entropies])
    match.state, match.log = game.deal(seats, match.options, match.randomness.deal())
    for _ in match.steps():
        pass
    types = ReplayTypes(game)
    replay = types.replay(
        match=name,
        rules_version=game.rules_version,
        randomness_version=VERSION,
        options=msgspec.convert(msgspec.to_builtins(match.options), types.options),
        seats=[ReplaySeat(seat=seat, name=f"Player {seat}", entropy=entropies[seat]) for seat in range(seats)],
        seed=seed.hex(),
        commitment=commitment(name, seed),
        moves=[
            types.move(number=played, at=NOON, seat=seat, move=move, stand_in=False)
            for played, (seat, move) in enumerate(match.moves, start=1)
        ],
        events=events_of(types, [(NOON, event) for event in match.log]),
        result=game.result(match.state),
    )
    return json.loads(msgspec.json.encode(replay))


def test_the_test_vectors(verify):
    assert verify("vectors", json.loads(VECTORS.read_text())) == (0, "checked: 4 test vectors")


def other(value: Any) -> Any:
    match value:
        case int():
            return value + 1
        case str():
            return ("0" if value[0] != "0" else "1") + value[1:]
        case _:
            return [other(value[0]), *value[1:]]


@pytest.mark.parametrize(
    "name",
    [
        *["match", "seed", "entropies", "commitment", "deal_words_below_2_32", "move_12_shuffle_of_0_to_11"],
        "stand_in_12_choice_of_a_to_f",
    ],
)
def test_other_vectors_are_refused(verify, name):
    vectors = json.loads(VECTORS.read_text())
    case = vectors["cases"][1]
    case[name] = ["heads", *case[name][1:]] if name == "entropies" else other(case[name])
    code, printed = verify("vectors", vectors)
    assert code == 1
    assert printed.startswith("/cases/1/")


@pytest.mark.parametrize(("seats", "number"), [(3, 1), (3, 2), (4, 3), (4, 4)])
def test_replays_of_verraeter(verify, seats, number):
    replay = replay_of("verraeter", seats, number)
    code, printed = verify("replay", replay)
    assert code == 0, printed
    kinds = [event["public"]["type"] for event in replay["events"]]
    drawn = sum(e["public"]["count"] for e in replay["events"] if e["public"]["type"] == "supplies_drawn")
    assert printed == (
        f"checked: the commitment, the deal, {kinds.count('conflict_declared')} drafts, {drawn} cards drawn and "
        f"{kinds.count('discard_pile_shuffled')} reshuffles"
    )
    assert kinds.count("discard_pile_shuffled") > 0


@pytest.mark.parametrize("game_id", [game for game in GAMES if game != "verraeter"])
def test_replays_of_other_games(verify, game_id):
    replay = replay_of(game_id, GAMES[game_id].seats[0], 5)
    code, printed = verify("replay", replay)
    assert (code, printed) == (
        0,
        f"checked: the commitment of a match of {game_id}; its shuffles were not checked",
    )
    replay["commitment"] = other(replay["commitment"])
    assert verify("replay", replay)[0] == 1


@pytest.fixture(scope="module")
def original() -> dict[str, Any]:
    return replay_of("verraeter", 4, 3)


def event_of(replay: dict[str, Any], kind: str, place: int = 0) -> dict[str, Any]:
    return [event for event in replay["events"] if event["public"]["type"] == kind][place]


def secret_of(replay: dict[str, Any], kind: str, place: int) -> dict[str, Any]:
    event = event_of(replay, kind, place)
    return event["private"][str(event["public"]["seat"])]["you"]


def forge_seed(replay):
    replay["seed"] = other(replay["seed"])
    replay["commitment"] = commitment(replay["match"], bytes.fromhex(replay["seed"]))


def change_card(replay):
    cards = secret_of(replay, "supplies_drawn", -1)["cards"]
    cards[0] = 2 if cards[0] != 2 else 3


def change_circle(replay):
    landscapes = event_of(replay, "verraeter_dealt")["public"]["landscapes"]
    landscapes[0], landscapes[1] = landscapes[1], landscapes[0]


def change_offer(replay):
    """The last of the cards offered first is the one that was put aside."""
    actions = secret_of(replay, "actions_offered", 4)["actions"]
    every = {"traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"}
    actions[-1:] = every - set(actions)
    actions.sort()


def change_kept(replay):
    secret_of(replay, "action_drafted", 0)["action"] = "nothing"


def change_start(replay):
    dealt = event_of(replay, "verraeter_dealt")["public"]
    dealt["start_seat"] = (dealt["start_seat"] + 1) % 4


def change_entropy(replay):
    replay["seats"][1]["entropy"] += "!"


def change_commitment(replay):
    replay["commitment"] = other(replay["commitment"])


def change_reshuffle(replay):
    event_of(replay, "discard_pile_shuffled")["public"]["draw_pile_size"] += 1


def drop_move(replay):
    del replay["moves"][-1]


def change_seed(replay):
    replay["seed"] = "Z" + replay["seed"][1:]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (forge_seed, "/events/0/"),
        (change_seed, "/seed"),
        (change_commitment, "/commitment"),
        (change_entropy, "/events/0/"),
        (change_start, "/events/0/public/start_seat"),
        (change_circle, "/events/0/public/landscapes"),
        (change_offer, "/events/"),
        (change_kept, "/events/"),
        (change_card, "/events/"),
        (change_reshuffle, "/events/"),
        (drop_move, "/moves"),
    ],
)
def test_changed_replays_are_refused(verify, original, change, place):
    replay = json.loads(json.dumps(original))
    change(replay)
    code, printed = verify("replay", replay)
    assert code == 1, printed
    assert printed.startswith(place)


def test_what_it_cannot_do(verify, node):
    assert subprocess.run([node, str(SCRIPT)], capture_output=True, check=False).returncode == 2
    assert verify("nothing", {})[0] == 2
