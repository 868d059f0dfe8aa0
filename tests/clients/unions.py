"""What generated clients of Kotlin and Swift make of the contract's unions: read in their source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FREE_FORM = {"GameOptions.schema", "GameOptions.defaults"}
"""Fields that hold JSON of any shape: a JSON Schema of options, and their defaults."""


def unions(document: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The unions of a contract: their members by their tags."""
    return {
        name: {tag: reference.rsplit("/", 1)[1] for tag, reference in schema["discriminator"]["mapping"].items()}
        for name, schema in document["components"]["schemas"].items()
        if "oneOf" in schema
    }


def shapeless(document: dict[str, Any]) -> set[str]:
    """The fields for which a contract gives no shape: by what they hold, or since there is never anything in them."""
    schemas = document["components"]["schemas"]
    empty = [f"#/components/schemas/{name}" for name, schema in schemas.items() if schema.get("properties") == {}]
    nothing = [{"$ref": reference} for reference in empty]
    return FREE_FORM | {
        f"{name}.{field}"
        for name, schema in schemas.items()
        for field, entry in schema.get("properties", {}).items()
        if any(option in nothing for option in entry.get("anyOf", ()))
    }


def kotlin_faults(folder: Path, document: dict[str, Any]) -> Iterator[str]:
    """What is wrong in a Kotlin client: unions that are not sealed, lack a member or do not go by the tag."""
    models = folder / "kotlin/src/main/kotlin/turncoat/models"
    for name, members in unions(document).items():
        text = _text(models / f"{name}.kt")
        if f"sealed interface {name} {{" not in text:
            yield f"{name} is not sealed"
        wrappers = dict(re.findall(rf"value class (\w+)\(val value: (\w+)\) : {name}\b", text))
        if sorted(wrappers.values()) != sorted(members.values()):
            yield f"{name} has the members {sorted(wrappers.values())}"
        read = re.findall(
            rf'"(\w+)" -> \{{\s+val decoded = decoder\.json\.decodeFromJsonElement\((\w+)\.serializer\(\), element\)'
            rf"\s+{name}\.(\w+)\(decoded\)",
            text,
        )
        if {tag: member for tag, member, wrapper in read if wrappers.get(wrapper) == member} != members:
            yield f"{name} does not tell its members by their tags"
    anything = set(_anything(models, r"\bval `?(\w+)`?: .*\b(?:Any|JsonElement)\b", ".kt"))
    yield from (f"{field} may hold anything" for field in sorted(anything - shapeless(document)))
    yield from (f"{field} is Any" for field in sorted(_anything(models, r"\bval `?(\w+)`?: .*\bAny\b", ".kt")))


def swift_faults(folder: Path, document: dict[str, Any]) -> Iterator[str]:
    """What is wrong in a Swift client, likewise."""
    models = folder / "swift/Sources/Turncoat/Models"
    for name, members in unions(document).items():
        text = _text(models / f"{name}.swift")
        if not re.search(rf"public enum {name}: [\w, ]*Codable", text):
            yield f"{name} is no enumeration"
        cases = dict(re.findall(r"^    case (\w+)\((\w+)\)$", text, flags=re.MULTILINE))
        if sorted(cases.values()) != sorted(members.values()):
            yield f"{name} has the members {sorted(cases.values())}"
        read = re.findall(r'case "(\w+)":\s+self = \.(\w+)\(try (\w+)\(from: decoder\)\)', text)
        if {tag: member for tag, case, member in read if cases.get(case) == member} != members:
            yield f"{name} does not tell its members by their tags"
    anything = set(_anything(models, r"\b(?:let|var) `?(\w+)`?: .*\b(?:Any|AnyCodable|JSONValue)\b", ".swift"))
    yield from (f"{field} may hold anything" for field in sorted(anything - shapeless(document)))


def _text(file: Path) -> str:
    return file.read_text("utf-8") if file.exists() else ""


def _anything(models: Path, declaration: str, ending: str) -> Iterator[str]:
    """The fields whose declaration is such."""
    files = sorted(models.glob(f"*{ending}"))
    assert len(files) > 100
    for file in files:
        for field in re.findall(declaration, file.read_text("utf-8")):
            yield f"{file.stem}.{field}"
