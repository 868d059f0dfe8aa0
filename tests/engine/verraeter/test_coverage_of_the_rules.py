"""Every numbered fact and every ruling of the rules is named by a test, and every test asserts something."""

import ast
import pathlib
import re

FACTS = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42,
}  # fmt: skip
RULINGS = {
    "Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12", "Q13", "Q14", "Q15",
    "Q16", "Q17", "Q18", "Q19", "Q20", "Q21", "Q22", "Q23", "Q24", "Q25", "Q26", "Q27", "Q28", "Q29", "Q30",
}  # fmt: skip

NAMES = re.compile(
    r"^(?:Facts? (?P<facts>\d+(?:, \d+)*))?(?:; )?(?:[Rr]ulings? (?P<rulings>Q\d+(?:, Q\d+)*))?: \S", re.DOTALL
)


def rule_tests():
    """Every test function but those of this file, with the name of its file."""
    here = pathlib.Path(__file__)
    for path in sorted(here.parent.glob("test_*.py")):
        if path != here:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield f"{path.name}::{node.name}", node


def test_every_test_names_what_it_tests():
    for name, node in rule_tests():
        found = NAMES.match(ast.get_docstring(node) or "")
        assert found, f"{name} names no fact and no ruling"
        assert found["facts"] or found["rulings"], f"{name} names no fact and no ruling"


def test_every_fact_and_every_ruling_is_named_by_a_test():
    facts, rulings = set(), set()
    for _, node in rule_tests():
        found = NAMES.match(ast.get_docstring(node) or "")
        facts |= {int(number) for number in re.findall(r"\d+", found["facts"] or "")}
        rulings |= set(re.findall(r"Q\d+", found["rulings"] or ""))
    assert sorted(FACTS - facts) == []
    assert sorted(RULINGS - rulings) == []
    assert facts - FACTS == rulings - RULINGS == set()


def test_every_test_asserts_something():
    for name, node in rule_tests():
        asserts = [inner for inner in ast.walk(node) if isinstance(inner, ast.Assert)]
        raises = [inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr == "raises"]
        assert asserts or raises, f"{name} asserts nothing"
