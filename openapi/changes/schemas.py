"""What a value may be. In a request nothing may be taken away, in an answer nothing added that nobody expects."""

from __future__ import annotations

from typing import Any

from changes.bounds import BOUNDS, compare_bounds
from changes.found import Found, Schema, Way, compare_the_rest, name_of, resolved, told
from changes.unions import compare_unions, is_union

_JUDGED = {
    *["$ref", "anyOf", "oneOf", "discriminator", "type", "enum", "const", "default", "deprecated"],
    *["properties", "required", "additionalProperties", "items", "prefixItems"],
}


def compare_schemas(found: Found, where: str, before: Schema, after: Schema, way: Way) -> None:
    """Compare what a value may be, here and in all that it consists of."""
    (old, may_be_null, old_notes), (new, may_be_null_now, new_notes) = (
        _peeled(found.old, before),
        _peeled(found.new, after),
    )
    _compare_notes(found, where, old_notes, new_notes, way)
    if may_be_null != may_be_null_now:
        breaks = may_be_null if way is Way.REQUEST else may_be_null_now
        found.note(where, _in(way, "may be null now" if may_be_null_now else "may not be null any more"), breaks=breaks)
    names = name_of(old), name_of(new)
    old, new = resolved(found.old, old), resolved(found.new, new)
    if names[0] != names[1] and (names[0] or _has_a_type(new)):
        found.breaks(where, f"is {names[1] or 'no named schema'} now instead of {names[0] or 'one without a name'}")
    if names != (None, None):
        if (*names, way) in found.compared:
            return
        found.compared.add((*names, way))
        where = names[0] or where
    if isinstance(old, bool) or isinstance(new, bool):
        old, new = ({} if schema is True else schema for schema in (old, new))
    if old is not False and new is not False:
        _compare_resolved(found, where, old, new, way)
    elif old is not new:
        found.breaks(where, "nothing was allowed here" if old is False else "nothing is allowed here any more")


def _peeled(document: dict[str, Any], schema: Schema) -> tuple[Schema, bool, dict[str, Any]]:
    """What a value is when it is not null, whether it may be null, and what is said of it only here."""
    if not isinstance(schema, dict):
        return schema, False, {}
    notes = {key: value for key, value in schema.items() if key not in ("$ref", "anyOf", "type")}
    alternatives = schema.get("anyOf", [])
    others = [each for each in alternatives if resolved(document, each) != {"type": "null"}]
    if len(others) == 1 and len(alternatives) == 2:
        inner, _, inner_notes = _peeled(document, others[0])
        return inner, True, inner_notes | notes
    if isinstance(schema.get("type"), list) and "null" in schema["type"]:
        kinds = [kind for kind in schema["type"] if kind != "null"]
        enum = {"enum": [value for value in schema["enum"] if value is not None]} if "enum" in schema else {}
        return {**schema, **enum, "type": kinds[0] if len(kinds) == 1 else kinds}, True, {}
    return schema, False, notes if "$ref" in schema else {}


def _compare_notes(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    """Compare what stands beside a reference: seldom more than prose."""
    _compare_defaults(found, where, old, new, way)
    _compare_deprecation(found, where, old, new)
    compare_the_rest(found, where, old, new, {"default", "deprecated"})


def _compare_defaults(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    if way is Way.REQUEST and "default" in old and ("default" not in new or old["default"] != new["default"]):
        now = told(new["default"]) if "default" in new else "nothing"
        found.breaks(where, f"left out, it counted as {told(old['default'])}, and as {now} now")


def _compare_deprecation(found: Found, where: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    if new.get("deprecated", False) != old.get("deprecated", False):
        found.fine(where, "deprecated" if new.get("deprecated") else "deprecated no longer")


def _has_a_type(schema: Schema) -> bool:
    """Whether generated clients make a type of their own for it, rather than use one that the language has."""
    return isinstance(schema, dict) and bool(schema.keys() & {"enum", "properties", "oneOf", "anyOf", "allOf"})


def _in(way: Way, what: str) -> str:
    return f"{what} in {'requests' if way is Way.REQUEST else 'answers'}"


def _compare_resolved(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    if is_union(old) or is_union(new):
        for tag in compare_unions(found, where, old, new, way):
            compare_schemas(found, f"{where}, member {tag.name}", tag.before, tag.after, way)
    else:
        _compare_types(found, where, old, new, way)
        _compare_values(found, where, old, new, way)
        compare_bounds(found, where, old, new, way)
        _compare_objects(found, where, old, new, way)
        _compare_lists(found, where, old, new, way)
    _compare_defaults(found, where, old, new, way)
    _compare_deprecation(found, where, old, new)
    compare_the_rest(found, where, old, new, _JUDGED | BOUNDS)


def _compare_types(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    before, after = _types(old), _types(new)
    if before == after:
        return
    given, taken = (before, after) if way is Way.REQUEST else (after, before)
    fits = taken is None or (given is not None and given <= taken | ({"integer"} if "number" in taken else set()))
    found.note(where, _in(way, f"type {told(old.get('type'))} has become {told(new.get('type'))}"), breaks=not fits)


def _types(schema: dict[str, Any]) -> set[str] | None:
    """The kinds of values; none if it may be any."""
    kinds = schema.get("type")
    return None if kinds is None else set(kinds) if isinstance(kinds, list) else {kinds}


def _compare_values(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    """Compare enumerations. A value is a name that clients know; answers may get new ones."""
    before, after = _values(old), _values(new)
    if before is None or after is None:
        if after is not None:
            found.note(where, _in(way, "only some values are left"), breaks=way is Way.REQUEST)
        elif before is not None:
            found.note(where, _in(way, "any value may come"), breaks=way is Way.ANSWER)
        return
    for value in before:
        if value not in after:
            found.breaks(where, _in(way, f"the value {told(value)} is gone"))
    for value in after:
        if value not in before:
            found.fine(where, _in(way, f"the value {told(value)} is new"))


def _values(schema: dict[str, Any]) -> list[Any] | None:
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _compare_objects(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    before, after = old.get("properties", {}), new.get("properties", {})
    needed, needed_now = set(old.get("required", [])), set(new.get("required", []))
    closed = old.get("additionalProperties", True) is False
    for name, schema in before.items():
        here = f"{where}.{name}"
        if name not in after:
            found.breaks(here, _in(way, "the field is gone"))
            continue
        if (name in needed) != (name in needed_now):
            breaks = (name in needed_now) if way is Way.REQUEST else (name in needed)
            found.note(here, _in(way, "is needed" if name in needed_now else "may be missing"), breaks=breaks)
        compare_schemas(found, here, schema, after[name], way)
    for name in after.keys() - before.keys():
        breaks = name in needed_now if way is Way.REQUEST else closed
        what = "a new field that is needed" if name in needed_now else "a new field"
        found.note(
            f"{where}.{name}", _in(way, what + " of what was closed" * (closed and way is Way.ANSWER)), breaks=breaks
        )
    for name in (needed ^ needed_now) - before.keys() - after.keys():
        found.breaks(f"{where}.{name}", "is needed, or needed no longer, and has no schema")
    _compare_other_fields(found, where, old, new, way)


def _compare_other_fields(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    """Compare what is said of fields that have no name in the contract."""
    before, after = old.get("additionalProperties", True), new.get("additionalProperties", True)
    if before is after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        compare_schemas(found, f"{where}, each field", before, after, way)
        return
    opened = before is False or after is True
    breaks = opened if way is Way.ANSWER else not opened
    found.note(where, _in(way, "other fields may come" if opened else "other fields are restricted"), breaks=breaks)


def _compare_lists(found: Found, where: str, old: dict[str, Any], new: dict[str, Any], way: Way) -> None:
    before, after = old.get("prefixItems", []), new.get("prefixItems", [])
    if len(before) != len(after):
        found.breaks(where, f"its first {len(after)} entries, not {len(before)}, have a meaning each")
    for number, (one, other) in enumerate(zip(before, after, strict=False)):
        compare_schemas(found, f"{where}[{number}]", one, other, way)
    if "items" in old or "items" in new:
        compare_schemas(found, f"{where}[]", old.get("items", True), new.get("items", True), way)
