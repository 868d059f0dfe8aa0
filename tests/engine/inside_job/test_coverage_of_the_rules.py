"""Every numbered statement of sections 3 to 9 and every ruling is named by a test, and every test asserts something."""

import ast
import pathlib

STATEMENTS = {
    "3": ["table", 1, 2, 3, 4, 5],
    "4": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "to the end"],
    "5": [
        "who",
        "how many",
        "effect",
        "owner's count",
        "already trump",
        "winner's prize",
        "equal highest rank",
        "printed against wagered",
        "not after playing",
    ],
    "7": ["reveal", "insider", "agents", "both", *(f"check {number}" for number in range(1, 7))],
    "8": [
        "announced",
        "places",
        *(f"rule {number}" for number in range(1, 6)),
        "number of sets",
        "random_roles",
        "follow suit",
        "insider wins",
        "bugged_agent",
        "paranoid_agent",
        "risk_agent",
        "sleeper_agent",
        "prof_no",
        "decoy",
        "accomplice",
        "tim_shady",
        *(f"order {number}" for number in range(1, 5)),
    ],
    "9": [
        "when",
        "simultaneously",
        "voters",
        "targets",
        "one vote each",
        *(f"result {number}" for number in range(1, 4)),
        "afterwards",
    ],
}
OF_SECTION_6 = {
    *(f"Section 6.1 '{point}'" for point in ("complete trick", "colour, value, position", "roles do not matter")),
    "Section 6.1 'strict'",
    "Section 6.2",
    "Section 6.3",
    "Section 6.4",
}
RULINGS = {f"OQ{number}" for number in range(1, 25)}
ELSEWHERE = {"Section 10", "Section 15", "Section 16"}


def named(section, statement):
    if isinstance(statement, int):
        return f"Section {section}.{statement}"
    if statement.startswith(("check ", "rule ", "order ", "result ")):
        return f"Section {section} {statement}"
    return f"Section {section} '{statement}'"


EXPECTED = OF_SECTION_6 | RULINGS | {named(section, one) for section, all_ in STATEMENTS.items() for one in all_}


def rule_tests():
    """Every test function but those of this file, with its name."""
    here = pathlib.Path(__file__)
    for path in sorted(here.parent.glob("test_*.py")):
        if path != here:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield f"{path.name}::{node.name}", node


def references(node):
    """What a test says it tests: everything before the first colon, between semicolons."""
    head, colon, _ = (ast.get_docstring(node) or "").partition(": ")
    return head.split("; ") if colon else []


def test_every_test_names_what_it_tests():
    for name, node in rule_tests():
        assert references(node), name
        assert set(references(node)) <= EXPECTED | ELSEWHERE, (name, set(references(node)) - EXPECTED - ELSEWHERE)


def test_every_statement_and_every_ruling_is_named_by_a_test():
    found = {reference for _, node in rule_tests() for reference in references(node)}
    assert found == EXPECTED | ELSEWHERE


def test_every_test_asserts_something():
    for name, node in rule_tests():
        asserts = [inner for inner in ast.walk(node) if isinstance(inner, ast.Assert)]
        raises = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == "raises"]
        compares = [
            inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == "agrees_with"
        ]
        assert asserts or raises or compares, f"{name} asserts nothing"
