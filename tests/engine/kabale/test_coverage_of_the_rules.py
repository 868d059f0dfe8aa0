"""Every vector, ruling, section and character of the rules is named by a test, and every test asserts something."""

import ast
import pathlib
import re

RULINGS = {"D1", "D2", "D3", *(f"Q{number}" for number in range(1, 21))}
SECTIONS = {"2", "2.1", "2.2", "3", "4", "5", "6", "7", "8", "9", "13", "14"}
CHARACTERS = {
    *(
        "king",
        "queen",
        "juliet",
        "prince",
        "explorer",
        "hermit",
        "dragon",
        "musketeers",
        "traitor",
        "assassin",
        "storm",
    ),
    *("alchemist", "fencer", "landlord", "merchant", "cardinal", "troubadour", "wizard", "romeo", "beggar", "giant"),
    *("squire", "witch", "disguise", "double"),
}
VECTORS = {
    "Cardinal A, Storm B, Merchant A (religion)",
    "Merchant B, Landlord A, Cardinal C (music)",
    "King A, Wizard B, Assassin C, Troubadour A (music)",
    "Storm A, Witch B, Assassin C, Traitor A (trade)",
    "King A, Wizard B, Witch C, Assassin A (trade)",
    "King A, Wizard B, Wizard C (trade)",
    "King A, Wizard B, Musketeers C, Troubadour B, Squire C, Prince C (music)",
    "King A, Prince B, Squire B (trade)",
    "Queen A, Prince B, Squire B, Wizard A (trade)",
    "Romeo A, Juliet A, Romeo B, King C (trade)",
    "Beggar A, King B, Squire C (trade)",
    "Beggar A, Beggar B, King C (trade)",
    "Squire C, Giant A, Hermit B, Storm C (trade)",
    "Double A, Double B, Merchant C (trade)",
    "Beggar A, King B, Double C (trade)",
    "Dragon A, King B, Witch B, Squire A (trade)",
    "Witch A, Beggar B (trade)",
    "Witch A, Witch B, Storm A (trade)",
    "Double A, King B, Wizard C, Hermit B (trade)",
    "Double A, King A, Witch B, Squire B (trade)",
    "Disguise A with Musketeers, Beggar B, Alchemist C (alchemy)",
    "Dragon A, Dragon B, Storm A, empty Disguise B (trade)",
}
TURN_VECTORS = set("abcde")

LIST = r"[\w.]+(?: step \d)?(?:(?:,| and) [\w.]+(?: step \d)?)*"
CLAUSE = re.compile(rf"(?P<kind>[Rr]ulings?|[Ss]ections?|[Cc]haracters?) (?P<names>{LIST})(?P<end>; |: )", re.DOTALL)


def rule_tests():
    """Every test function but those of this file and of the stand-in, with its name and docstring."""
    here = pathlib.Path(__file__)
    for path in sorted(here.parent.glob("test_*.py")):
        if path.name not in (here.name, "test_stand_in.py"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield f"{path.name}::{node.name}", node, ast.get_docstring(node) or ""


def named(text):
    """What a docstring names, by kind: the clauses at its beginning, up to the first colon."""
    found = {"ruling": set(), "section": set(), "character": set()}
    position = 0
    while clause := CLAUSE.match(text, position):
        kind = clause["kind"].lower().removesuffix("s")
        found[kind] |= set(re.split(r", | and ", re.sub(r" steps? \d", "", clause["names"])))
        position = clause.end()
        if clause["end"] == ": ":
            break
    return found


def test_every_test_says_what_it_tests():
    for name, _, text in rule_tests():
        assert len(text) > 20, f"{name} does not say what it tests"


def test_every_ruling_section_and_character_is_named_by_a_test():
    found = {"ruling": set(), "section": set(), "character": set()}
    for _, _, text in rule_tests():
        for kind, names in named(text).items():
            found[kind] |= names
    for kind, names in (("ruling", RULINGS), ("section", SECTIONS), ("character", CHARACTERS)):
        assert sorted(names - found[kind]) == [], f"no test names this {kind}"
        assert sorted(found[kind] - names) == [], f"there is no such {kind}"


def test_every_vector_has_a_test_that_plays_it():
    vectors = {}
    for name, node, text in rule_tests():
        for vector in re.findall(r"^Vector: (.*)\.$", text):
            cards, category = re.fullmatch(r"(.*) \((\w+)\)", vector).groups()
            constants = {inner.value for inner in ast.walk(node) if isinstance(inner, ast.Constant)}
            assert {cards, category} <= constants, f"{name} plays another column"
            assert vector not in vectors
            vectors[vector] = name
    assert sorted(VECTORS - set(vectors)) == []
    assert set(vectors) == VECTORS


def test_every_turn_vector_has_a_test():
    assert {letter for _, _, text in rule_tests() for letter in re.findall(r"^Turn vector \((\w)\): ", text)} == (
        TURN_VECTORS
    )


def test_every_test_asserts_something():
    for name, node, _ in rule_tests():
        asserts = [inner for inner in ast.walk(node) if isinstance(inner, ast.Assert)]
        raises = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == "raises"]
        calls = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == "compare"]
        assert asserts or raises or calls, f"{name} asserts nothing"
