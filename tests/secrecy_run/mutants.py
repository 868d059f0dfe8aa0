"""Small faults, one at a time, in what decides who sees what: the view of a game, and the events that it tells.

A mutant shows something to more viewers, shows another thing in its place, or shows nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

READERS: Final = {
    "told everybody": "secretly({event}, {{seat: you for you in ({secrets}).values() for seat in range({seats})}})",
    "told in public": (
        "openly(__import__('msgspec').structs.replace({event}, you=next(iter(({secrets}).values()), None)))"
    ),
    "told nobody": "openly({event})",
    "told a neighbour": "secretly({event}, {{seat - 1 if seat else 1: you for seat, you in ({secrets}).items()}})",
}
"""Other ways to tell a secret."""


@dataclass(frozen=True)
class Mutant:
    """A fault.

    Attributes:
        game: the game that has it.
        file: the module, from the root of the repository.
        place: the function that it is in.
        what: the expression, and what is done to it.
        source: the whole module with the fault.
    """

    game: str
    file: str
    place: str
    what: str
    source: str

    @property
    def name(self) -> str:
        """The same as long as the expression is."""
        return f"{self.file} {self.place}: {self.what}"


def mutants(root: Path, game: str, seats: int) -> list[Mutant]:
    """All faults of a game, in a fixed order.

    Args:
        seats: the fewest that it is played with.
    """
    folder = root / "engine" / game
    events = {
        node.name
        for node in ast.parse((folder / "events.py").read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    made: dict[str, Mutant] = {}
    for path in sorted(folder.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if path.name != "view.py" and "secretly(" not in source and "openly(" not in source:
            continue
        file = str(path.relative_to(root))
        for place, what, text in _of_module(source, events, seats, is_view=path.name == "view.py"):
            mutant = Mutant(game, file, place, what, text)
            again = sum(name.startswith(mutant.name) for name in made)
            if again:
                mutant = replace(mutant, what=f"{what} ({again + 1})")
            made[mutant.name] = mutant
    return list(made.values())


Change: TypeAlias = tuple[str, str]
"""What is done to an expression, in words, and what stands in its place."""


def _of_module(source: str, events: set[str], seats: int, *, is_view: bool) -> Iterator[tuple[str, str, str]]:
    """Of each fault the function, what is done to which expression, and the module with it."""
    for function in ast.parse(source).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and not is_view:
                for what, new in _readers(node, seats):
                    yield function.name, f"{_text(node)}: {what}", _replaced(source, node, new)
            in_question = [node] if is_view else list(ast.walk(node)) if _constructs(node, events) else []
            for inner in in_question:
                for what, new in _values(inner):
                    yield function.name, f"{_text(inner)}: {what}", _replaced(source, inner, new)


def _constructs(node: ast.AST, classes: set[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in classes


def _text(node: ast.AST) -> str:
    """An expression in one line, calls with many arguments in short."""
    if isinstance(node, ast.Call) and len(ast.unparse(node)) > 80:
        return f"{ast.unparse(node.func)}(...)"
    return ast.unparse(node).strip()


def _readers(call: ast.Call, seats: int) -> Iterator[Change]:
    """Other readers for a secret."""
    if isinstance(call.func, ast.Name) and call.func.id == "secretly":
        event, secrets = map(ast.unparse, call.args)
        for what, pattern in READERS.items():
            yield what, pattern.format(event=event, secrets=secrets, seats=seats)


def _values(node: ast.AST) -> Iterator[Change]:
    """Other values in the place of an expression."""
    match node:
        case ast.Call(func=ast.Name(id="len" | "sorted" | "sorted_cards" as name), args=[inner]):
            yield "the list itself", f"list({ast.unparse(inner)})"
            yield "nothing", "0" if name == "len" else "[]"
        case ast.Call(func=ast.Name(id="list"), args=[_]):
            yield "nothing", "[]"
        case ast.Call(func=ast.Name(id=name), keywords=keywords) if keywords:
            yield from _blanked(node, name)
        case ast.Subscript(slice=ast.Name(id="seat")):
            of = ast.unparse(node.value)
            yield "of another seat", f"{of}[(seat + 1) % len({of})]"
        case _:
            yield from _conditions(node)


def _conditions(node: ast.AST) -> Iterator[Change]:
    """Conditions that hold always, never, or the other way round."""
    match node:
        case ast.IfExp():
            yield "always the first", ast.unparse(node.body)
            yield "always the last", ast.unparse(node.orelse)
        case ast.Compare(left=left):
            yield "not", f"not ({ast.unparse(node)})"
            yield "always", "True"
            yield "never", "False"
            if isinstance(node.ops[0], ast.Is | ast.IsNot):
                yield "the value itself", ast.unparse(left)
        case ast.BoolOp(values=values):
            for value in values:
                yield f"only {ast.unparse(value)}", ast.unparse(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", ast.unparse(operand)
        case ast.comprehension(ifs=[_]):
            without = copy.deepcopy(node)
            without.ifs = []
            yield "no condition", ast.unparse(without).strip()
        case _:
            pass


def _blanked(call: ast.Call, name: str) -> Iterator[Change]:
    """A call without each of its named values, which is null instead; of true and false, the other one."""
    for place, keyword in enumerate(call.keywords):
        value = keyword.value.value if isinstance(keyword.value, ast.Constant) else keyword
        other = copy.deepcopy(call)
        other.keywords[place] = ast.keyword(keyword.arg, ast.Constant(not value if isinstance(value, bool) else None))
        if isinstance(value, bool):
            yield f"{name} with another {keyword.arg}", ast.unparse(other)
        elif value is not None:
            yield f"{name} without {keyword.arg}", ast.unparse(other)


def _replaced(source: str, node: ast.AST, new: str) -> str:
    """The module with another expression in the place of one."""
    if isinstance(node, ast.comprehension):
        start, end = _bounds(source, node.target)[0], _bounds(source, node.ifs[-1])[1]
        return source[: source.rindex("for", 0, start)] + new + source[end:]
    start, end = _bounds(source, node)
    return f"{source[:start]}({new}){source[end:]}"


def _bounds(source: str, node: ast.AST) -> tuple[int, int]:
    """Where an expression begins and ends, as places in the text."""
    lines = source.splitlines(keepends=True)

    def place(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
