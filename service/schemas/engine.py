"""The engine's types in the contract, taken from their definitions instead of written again.

msgspec makes JSON Schemas of its structs. They become components of the contract here, with what clients expect of
it: unions are ``oneOf`` with a discriminator, the ``Attributes`` of a docstring describe the properties, and in
types that only go out every property is there every time, so all are required.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, reduce
from operator import or_
from typing import Any, ClassVar, Final, Literal, NamedTuple, get_origin

import msgspec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, ValidationError, fields

from service.problems import Detail
from service.schemas.details import of_msgspec
from service.schemas.fields import AnswerSchema, RequestSchema

REFERENCE: Final = "#/components/schemas/{name}"


class NamedUnion(NamedTuple):
    """A union of structs, told apart by their tags, with a name for the contract.

    A union of a single struct is one too: a client that knows it as a union is ready for the next member.
    """

    name: str
    members: tuple[type[msgspec.Struct], ...]

    @property
    def engine_type(self) -> Any:
        """The union as msgspec takes it."""
        return reduce(or_, self.members)

    @property
    def reference(self) -> dict[str, str]:
        """Points to its entry."""
        return {"$ref": REFERENCE.format(name=self.name)}

    def entry(self) -> dict[str, Any]:
        """Its entry: the members, and the tag that tells them apart."""
        references = {
            str(member.__struct_config__.tag): REFERENCE.format(name=member.__name__) for member in self.members
        }
        return {
            "oneOf": [{"$ref": reference} for reference in references.values()],
            "discriminator": {
                "propertyName": self.members[0].__struct_config__.tag_field,
                "mapping": references,
            },
        }


class EngineType(fields.Field[Any]):
    """A value of an engine type, strict at every depth."""

    def __init__(self, engine_type: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.named = engine_type if isinstance(engine_type, NamedUnion) else None
        self.engine_type = self.named.engine_type if self.named else engine_type
        # What the library finds out about a type it keeps with a struct, and with nothing else: for a union of thirty
        # moves it would find it out each time, which takes far longer than reading one of them.
        self._kept = msgspec.defstruct("Kept", [("value", self.engine_type)])

    def read(self, value: Any) -> Any:
        """The engine's own value.

        Raises:
            msgspec.ValidationError: there is none like this.
        """
        with suppress(msgspec.ValidationError):
            kept: Any = msgspec.convert({"value": value}, self._kept)
            return kept.value
        return msgspec.convert(value, self.engine_type)  # says where in the value itself what is wrong

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        try:
            return self.read(value)
        except msgspec.ValidationError as error:
            raise ValidationError(of_msgspec(error)) from error

    def _serialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Any:
        return msgspec.to_builtins(value)


class TaggedUnion(Schema):
    """One of several schemas, told apart by the value of one field.

    Subclasses set ``tag``, the name of the field, and ``branches``, the schema for each of its values.
    """

    tag: ClassVar[str]
    branches: ClassVar[Mapping[str, type[Schema]]]

    def load(self, data: Any, **_kwargs: Any) -> Any:
        """Load with the schema that the tag names.

        Raises:
            ValidationError: there is no such schema, or it refuses the data.
        """
        if not isinstance(data, Mapping):
            raise ValidationError({"_schema": [Detail("object")]})
        value = data.get(self.tag)
        if not isinstance(value, str) or value not in self.branches:
            raise ValidationError({self.tag: [Detail("one-of", choices=", ".join(self.branches))]})
        return _instance(self.branches[value]).load(data)

    def dump(self, obj: Any, **_kwargs: Any) -> Any:
        """Dump with the schema that the object's tag names."""
        return _instance(self.branches[self.get_attribute(obj, self.tag, None)]).dump(obj)


@cache
def _instance(schema: type[Schema]) -> Schema:
    """A schema, made once: that takes longer than using it."""
    return schema()


class UnionRequest(TaggedUnion, RequestSchema):
    """A union that comes in."""


class UnionAnswer(TaggedUnion, AnswerSchema):
    """A union that goes out."""


class Converter(OpenAPIConverter):
    """apispec's converter, which in addition knows unions."""

    def schema2jsonschema(self, schema: Any) -> Any:
        """The JSON Schema of a marshmallow schema."""
        is_union = isinstance(schema, TaggedUnion) or (isinstance(schema, type) and issubclass(schema, TaggedUnion))
        if not is_union:
            return super().schema2jsonschema(schema)
        members = {value: self.resolve_nested_schema(branch) for value, branch in schema.branches.items()}
        return {
            "oneOf": list(members.values()),
            "discriminator": {
                "propertyName": schema.tag,
                "mapping": {value: member["$ref"] for value, member in members.items()},
            },
        }


def engine_type_reference(_converter: Any, field: fields.Field[Any], **_kwargs: Any) -> dict[str, Any]:
    """What the contract says of an :class:`EngineType` field: a reference to the engine's type."""
    if not isinstance(field, EngineType):
        return {}
    return field.named.reference if field.named else _entry(field.engine_type)


def components(
    engine_types: Iterable[Any], unions: Iterable[NamedUnion], vocabulary: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """The entries that the contract needs for these types, by name.

    Where one of the unions, or one of the sets of ids in the vocabulary, is used inside a type, a reference to its
    entry stands for it.
    """
    unions = list(unions)
    named = {union.name: union.entry() for union in unions} | {name: _entry(ids) for name, ids in vocabulary.items()}
    known = references(named, named)
    types = [*engine_types, *(member for union in unions for member in union.members)]
    _, schemas = msgspec.json.schema_components(types, ref_template=REFERENCE)
    return named | {name: _documented(with_references(_finished(schema), known)) for name, schema in schemas.items()}


def choices(prefix: str, options: type[msgspec.Struct]) -> dict[str, Any]:
    """What options are chosen from, by names made of theirs: the same for those that come in and those that go out."""
    return {
        prefix + "".join(word.title() for word in field.name.split("_")): field.type
        for field in msgspec.structs.fields(options)
        if get_origin(field.type) is Literal
    }


def standalone(engine_type: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a type by itself, without references, for clients that make a form of it."""
    entries = components([engine_type], [], {})
    inlined: dict[str, Any] = _inlined(entries[engine_type.__name__], entries)
    return inlined


def _inlined(schema: Any, entries: Mapping[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_inlined(part, entries) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inlined = {key: _inlined(value, entries) for key, value in schema.items() if key != "$ref"}
    return _inlined(entries[schema["$ref"].rsplit("/", 1)[1]], entries) | inlined if "$ref" in schema else inlined


def references(schemas: Mapping[str, Any], names: Iterable[str]) -> dict[tuple[Any, ...], dict[str, str]]:
    """For some of these schemas, by what makes them the same, what refers to them."""
    return {_identity(schemas[name]): {"$ref": REFERENCE.format(name=name)} for name in names}


def _identity(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """What makes two unions, or two sets of ids, the same; empty for any other schema."""
    return (*(member["$ref"] for member in schema.get("oneOf", ())), *sorted(schema.get("enum", ())))


def with_references(schema: Any, known: Mapping[tuple[Any, ...], dict[str, str]]) -> Any:
    """A schema with references to those that are known, wherever one of them is written out."""
    if isinstance(schema, list):
        return [with_references(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    reference = known.get(_identity(schema))
    if reference is not None:
        beside = {key: value for key, value in schema.items() if key in ("description", "default")}
        return {**reference, **beside}
    return {key: with_references(value, known) for key, value in schema.items()}


def _entry(engine_type: Any) -> dict[str, Any]:
    """A type as it is written where it is used: a reference, or a union of references."""
    (schema,), _ = msgspec.json.schema_components([engine_type], ref_template=REFERENCE)
    entry: dict[str, Any] = _finished(schema)
    return entry


def _finished(schema: Any) -> Any:
    """A schema as msgspec makes it, with the contract's conventions."""
    if isinstance(schema, list):
        return [_finished(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    finished = {key: _finished(value) for key, value in schema.items() if key != "title"}
    if "discriminator" in finished:
        finished["oneOf"] = finished.pop("anyOf")
    if finished.get("type") == "object" and "properties" in finished and "additionalProperties" not in finished:
        finished["required"] = list(finished["properties"])
        for entry in finished["properties"].values():
            entry.pop("default", None)
    values = finished.get("enum")
    if values and "type" not in finished:
        kinds = {type(value) for value in values}
        if len(kinds) == 1:
            finished = {"type": {str: "string", int: "integer"}[kinds.pop()], **finished}
    return finished


def _documented(schema: dict[str, Any]) -> dict[str, Any]:
    """Move the ``Attributes`` section of a docstring to the properties that it describes."""
    description, _, attributes = schema.get("description", "").partition("\n\nAttributes:\n")
    if description:
        schema["description"] = description
    for name, text in _attributes(attributes):
        name_on_wire = _WIRE_NAMES.get(name, name)
        if name_on_wire in schema.get("properties", {}):
            entry = schema["properties"][name_on_wire]
            schema["properties"][name_on_wire] = {"description": text, **entry}
    return schema


_WIRE_NAMES: Final = {"origin": "from"}
"""Fields whose name on the wire is a word that Python keeps for itself."""


def _attributes(section: str) -> Iterator[tuple[str, str]]:
    """The entries of an ``Attributes`` section."""
    for entry in re.split(r"\n(?=    \w)", "\n" + section):
        name, colon, text = entry.strip().partition(":")
        if colon and name.isidentifier():
            yield name, " ".join(text.split())
