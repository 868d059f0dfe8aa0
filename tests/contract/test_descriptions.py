"""What is said in one place of fields and types is said of some, and everything has something said of it."""

from __future__ import annotations

from support.contract import document

from service.schemas.descriptions import ANY_FIELD, ONE_FIELD, TYPES, described

SCHEMAS = document()["components"]["schemas"]
SAID = {
    f"{name}.{field}": entry.get("description")
    for name, schema in SCHEMAS.items()
    for field, entry in schema.get("properties", {}).items()
}


def test_nothing_is_said_of_what_there_is_not():
    """Nor of what has its own description."""
    assert {name: SCHEMAS[name]["description"] for name in TYPES} == TYPES
    assert {name: SAID[name] for name in ONE_FIELD} == ONE_FIELD
    for field, text in ANY_FIELD.items():
        assert any(name.endswith(f".{field}") and said == text for name, said in SAID.items()), field


def test_what_is_said_at_the_declaration_counts_for_more():
    schemas = {
        "Card": {"type": "string", "description": "A card."},
        "View": {
            "description": "Mine.",
            "properties": {
                "seat": {"type": "integer", "description": "Mine."},
                "border": {"$ref": "#/components/schemas/Card"},
                "you": {"type": "string", "enum": ["tag"]},
                "score": {"type": "integer"},
            },
        },
    }
    view = described(schemas)["View"]
    assert view["description"] == "Mine."
    assert [entry.get("description") for entry in view["properties"].values()] == [
        *["Mine.", None, None],
        ANY_FIELD["score"],
    ]
