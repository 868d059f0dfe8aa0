"""No text is missing, in any language, and none is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Annotated, Literal

import pytest
from babel.messages.pofile import read_po
from marshmallow import ValidationError, fields, validate
from msgspec import Meta, convert
from msgspec import ValidationError as MsgspecError

import engine
import service
from engine.catalogue import GAMES
from service import texts
from service.change import MOVE_OF_ANOTHER_GAME
from service.problems import KINDS, NOT_VALID, Detail
from service.schemas import details

TOPICS = ("names", "problems")
PARAMETERS = {
    "header-not-supported": {"header"},
    "between": {"min", "max"},
    "at-least": {"min"},
    "at-most": {"max"},
    "length": {"equal"},
    "length-between": {"min", "max"},
    "length-at-least": {"min"},
    "length-at-most": {"max"},
    "one-of": {"choices"},
    "join-code-characters": {"characters"},
    "no-such-seat": {"seats"},
}
"""All that a problem ever mentions besides its fixed words. Nothing that its reader did not send or may not know."""


def entries(topic: str, language: str) -> dict[tuple[str, str], str]:
    """A catalogue as it stands in its file, by context and id."""
    path = Path(texts.__file__).parent / topic / f"{language}.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    assert str(catalogue.locale) == language
    found = [((entry.context, entry.id), entry.string) for entry in catalogue if entry.id]
    assert len(found) == path.read_text(encoding="utf-8").count("\nmsgid "), "an entry stands there twice"
    assert not any(entry.fuzzy for entry in catalogue if entry.id)
    return dict(found)


PROBLEMS = {language: entries("problems", language) for language in texts.LANGUAGES}


def of(context: str) -> set[str]:
    """The ids that the catalogues of problems have in a context."""
    return {id_ for found, id_ in PROBLEMS["en"] if found == context}


def placeholders(text: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(text) if name is not None}


def modules(package: object) -> Iterator[tuple[Path, ast.Module]]:
    """The source of a package."""
    (folder,) = package.__path__
    for path in sorted(Path(folder).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


# --- the catalogues ---


@pytest.mark.parametrize("topic", TOPICS)
def test_all_languages_say_the_same_things_in_the_same_order(topic: str):
    orders = {language: list(entries(topic, language)) for language in texts.LANGUAGES}
    assert orders["de"] == orders["en"]
    assert orders["nl"] == orders["en"]


@pytest.mark.parametrize("language", texts.LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_no_text_is_empty(topic: str, language: str):
    assert all(text and text == text.strip() for text in entries(topic, language).values())


def test_what_a_problem_says_is_said_differently_in_each_language():
    """So that a text that was copied and not translated is found."""
    for key in PROBLEMS["en"]:
        assert len({PROBLEMS[language][key] for language in texts.LANGUAGES}) == len(texts.LANGUAGES), key


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_titles_are_headings_and_all_else_are_sentences(language: str):
    for (context, id_), text in PROBLEMS[language].items():
        assert text.endswith(".") == (context != "title"), id_


def test_no_two_things_are_said_with_the_same_words():
    """Else one of them could do for both."""
    for language in texts.LANGUAGES:
        assert len(set(PROBLEMS[language].values())) == len(PROBLEMS[language])


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_only_details_mention_something_and_the_same_in_each_language(language: str):
    mentioned = {key: placeholders(text) for key, text in PROBLEMS[language].items() if placeholders(text)}
    assert mentioned == {("detail", key): names for key, names in PARAMETERS.items()}


def test_only_games_have_names():
    assert {context for context, _ in entries("names", "en")} == set(GAMES)


# --- what the code says ---


def test_every_code_has_a_title_and_every_title_a_code():
    assert of("title") == set(KINDS)


def test_titles_stand_in_the_order_of_the_table_of_codes():
    assert [id_ for context, id_ in PROBLEMS["en"] if context == "title"] == list(KINDS)


def said_in_the_code() -> Iterator[tuple[str, frozenset[str]]]:
    """The key of every detail that the service can give, with its parameters."""
    for path, module in modules(service):
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Detail":
                key, *more = node.args
                assert not more
                if path != Path(details.__file__):
                    assert isinstance(key, ast.Constant), f"{path}:{node.lineno}: a key that cannot be looked up"
                    yield key.value, frozenset(keyword.arg or "**" for keyword in node.keywords)
    for pattern, key in details.MARSHMALLOW + details.MSGSPEC:
        yield key, frozenset(pattern.groupindex)


def test_every_detail_has_a_text_and_every_text_is_used():
    assert {key for key, _ in said_in_the_code()} == of("detail")


def test_every_detail_has_the_parameters_that_its_text_mentions():
    for key, names in said_in_the_code():
        assert names == PARAMETERS.get(key, set()), key


def reasons_of_the_engine() -> set[str]:
    """Every text of the engine's source that is written like the code of a rule."""
    return {
        node.value
        for _, module in modules(engine)
        for node in ast.walk(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z]+(-[a-z]+)+", node.value)
        and node.value != "date-time"  # JSON Schema's name for a format
    }


def test_every_reason_has_a_text_and_every_text_is_used():
    of_options = {
        *["special-role-twice", "too-many-special-roles", "too-many-neutral-roles", "risk-agent-needs-wagers"],
        *["too-many-roles-face-up", "roles-both-chosen-and-random", "more-random-roles-than-players"],
        *["more-missions-needed-than-tricks", "mission-deck-too-small", "mission-needs-wagers"],
    }
    of_moves = {reason for game in GAMES.values() for reason in game.refusals}
    assert of_moves | of_options == reasons_of_the_engine()
    assert of("reason") == reasons_of_the_engine() | {MOVE_OF_ANOTHER_GAME}


def test_a_reason_that_is_in_no_catalogue_has_no_text():
    """A game that only the tests know must not become a fault of the service."""
    assert texts.reason("too-strange", "de") is None


# --- what the libraries say ---


def marshmallow_says(field: fields.Field, value: object) -> Detail:
    with pytest.raises(ValidationError) as refused:
        field.deserialize(value)
    (message,) = refused.value.messages
    return details.of_marshmallow(message)


@pytest.mark.parametrize(
    ("field", "value", "meant"),
    [
        (fields.String(), None, Detail("null")),
        (fields.String(), 5, Detail("text")),
        (fields.Integer(strict=True), "x", Detail("whole-number")),
        (fields.Integer(), float("inf"), Detail("whole-number")),
        (fields.Boolean(), "x", Detail("true-or-false")),
        (fields.List(fields.String()), "x", Detail("list")),
        (fields.Integer(validate=validate.Range(1, 100)), 0, Detail("between", min="1", max="100")),
        (fields.Integer(validate=validate.Range(min=1)), 0, Detail("at-least", min="1")),
        (fields.Integer(validate=validate.Range(max=-5)), 0, Detail("at-most", max="-5")),
        (fields.String(validate=validate.Length(2, 40)), "a", Detail("length-between", min="2", max="40")),
        (fields.String(validate=validate.Length(min=2)), "a", Detail("length-at-least", min="2")),
        (fields.String(validate=validate.Length(max=2)), "abc", Detail("length-at-most", max="2")),
        (fields.String(validate=validate.Length(equal=8)), "abc", Detail("length", equal="8")),
        (fields.String(validate=validate.OneOf(["a", "b"])), "c", Detail("one-of", choices="a, b")),
        (fields.Email(), "x", NOT_VALID),
    ],
    ids=str,
)
def test_what_marshmallow_says_is_understood(field: fields.Field, value: object, meant: Detail):
    assert marshmallow_says(field, value) == meant


def test_a_detail_stays_what_it_is():
    assert details.of_marshmallow(NOT_VALID) is NOT_VALID


def msgspec_says(type_: object, value: object) -> object:
    with pytest.raises(MsgspecError) as refused:
        convert(value, type_)
    return details.of_msgspec(refused.value)


@pytest.mark.parametrize(
    ("type_", "value", "meant"),
    [
        (int, "x", Detail("whole-number")),
        (int | None, 1.0, Detail("whole-number")),
        (bool, None, Detail("true-or-false")),
        (str, 5, Detail("text")),
        (list[int], {}, Detail("list")),
        (dict[str, int], [], Detail("object")),
        (Annotated[int, Meta(ge=-3)], -4, Detail("at-least", min="-3")),
        (Annotated[int, Meta(le=3)], 10**400, Detail("at-most", max="3")),
        (Annotated[list[int], Meta(min_length=2)], [], Detail("length-at-least", min="2")),
        (Annotated[list[int], Meta(max_length=2)], [1, 2, 3], Detail("length-at-most", max="2")),
        (tuple[int, int], [1], Detail("length", equal="2")),
        (Literal["a", "b"], "c", Detail("no-such-choice")),
        (Literal[1, 2], 3, Detail("no-such-choice")),
        (bytes, "!", NOT_VALID),
    ],
)
def test_what_msgspec_says_is_understood(type_: object, value: object, meant: Detail):
    assert msgspec_says(type_, value) == [meant]


@pytest.mark.parametrize("name", ["x", "", "a b", "a/b~c", " - at `$.a`", "x` - at `$.a`", "\n", "0"])
def test_a_name_that_imitates_a_path_is_no_path(name: str):
    move = GAMES["kabale"].move_type
    assert msgspec_says(move, {"type": "decline_swap", name: 1}) == {name: [Detail("unknown-name")]}
    assert msgspec_says(list[move], [{"type": "decline_swap", name: 1}]) == {"0": {name: [Detail("unknown-name")]}}
