"""What an operation takes and what it answers: parameters, bodies, statuses, media types, headers, links, codes."""

from __future__ import annotations

from typing import Any

from changes.found import Found, Way, compare_the_rest, resolved, told
from changes.schemas import compare_schemas

CODES = "x-problem-codes"

_OF_HEADERS = {"required", "schema", "deprecated"}
_OF_PARAMETERS = {*_OF_HEADERS, "name", "in"}
_FORMS = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}


def compare_parameters(found: Found, where: str, before: list[Any], after: list[Any]) -> None:
    """Compare the parameters of an operation, those of its path among them."""
    old, new = _by_place(found.old, before), _by_place(found.new, after)
    for place, parameter in old.items():
        kind, name = place
        here = f"{where}, {kind} parameter {name}"
        if place not in new:
            found.breaks(here, "is gone")
            continue
        _compare_parameter(found, here, parameter, new[place])
    for place in new.keys() - old.keys():
        needed = new[place].get("required", False)
        found.note(f"{where}, {place[0]} parameter {place[1]}", "is new" + (" and needed" * needed), breaks=needed)


def _by_place(document: dict[str, Any], parameters: list[Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Parameters by where they stand and their names; names of headers are the same in any case."""
    each = [resolved(document, parameter) for parameter in parameters]
    return {(entry["in"], entry["name"].lower() if entry["in"] == "header" else entry["name"]): entry for entry in each}


def _compare_parameter(found: Found, here: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    if before["name"] != after["name"]:
        found.breaks(here, f"is called {after['name']} now")
    needed = [parameter.get("required", False) for parameter in (before, after)]
    if needed[0] != needed[1]:
        found.note(here, "is needed" if needed[1] else "is needed no longer", breaks=needed[1])
    style = [parameter.get("style", _FORMS[parameter["in"]]) for parameter in (before, after)]
    explode = [parameter.get("explode", form == "form") for parameter, form in zip((before, after), style, strict=True)]
    if style[0] != style[1] or explode[0] != explode[1]:
        found.breaks(here, "is written in another form")
    compare_the_rest(found, here, before, after, _OF_PARAMETERS | {"style", "explode"})
    compare_schemas(found, here, before.get("schema", {}), after.get("schema", {}), Way.REQUEST)


def compare_body(found: Found, where: str, before: Any, after: Any) -> None:
    """Compare what is sent."""
    before, after = resolved(found.old, before), resolved(found.new, after)
    here = f"{where}, body"
    if before is None or after is None:
        if after is not None:
            needed = after.get("required", False)
            found.note(here, "is new" + (" and needed" * needed), breaks=needed)
        elif before is not None:
            found.breaks(here, "is not taken any more")
        return
    needed = [body.get("required", False) for body in (before, after)]
    if needed[0] != needed[1]:
        found.note(here, "is needed" if needed[1] else "is needed no longer", breaks=needed[1])
    compare_the_rest(found, here, before, after, {"required", "content"})
    _compare_content(found, here, before["content"], after["content"], Way.REQUEST)


def _compare_content(found: Found, where: str, before: Any, after: Any, way: Way) -> None:
    for media_type, content in before.items():
        here = f"{where} as {media_type}"
        if media_type not in after:
            found.breaks(here, "is gone")
            continue
        compare_the_rest(found, here, content, after[media_type], {"schema"})
        compare_schemas(found, here, content.get("schema", {}), after[media_type].get("schema", {}), way)
    for media_type in after.keys() - before.keys():
        found.fine(f"{where} as {media_type}", "is new")


def compare_answers(found: Found, where: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Compare what comes back."""
    before, after = ({str(status): answer for status, answer in answers.items()} for answers in (before, after))
    for status, answer in before.items():
        here = f"{where}, {status}"
        if status not in after:
            found.breaks(here, "is announced no longer")
            continue
        _compare_answer(found, here, resolved(found.old, answer), resolved(found.new, after[status]))
    for status in after.keys() - before.keys():
        # A client has to take any refusal and failure for one, but cannot know a new way to succeed.
        found.note(f"{where}, {status}", "is new", breaks=not status.startswith(("4", "5")))


def _compare_answer(found: Found, here: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    for code in sorted(set(before.get(CODES, [])) - set(after.get(CODES, []))):
        found.breaks(here, f"the code {code} is gone")
    for code in sorted(set(after.get(CODES, [])) - set(before.get(CODES, []))):
        found.fine(here, f"the code {code} is new")
    if ("content" in before) != ("content" in after):
        found.breaks(here, "has a body now" if "content" in after else "has no body any more")
    else:
        _compare_content(found, here, before.get("content", {}), after.get("content", {}), Way.ANSWER)
    _compare_headers(found, here, before.get("headers", {}), after.get("headers", {}))
    _compare_links(found, here, before.get("links", {}), after.get("links", {}))
    compare_the_rest(found, here, before, after, {"content", "headers", "links", CODES})


def _compare_headers(found: Found, where: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    old = {name.lower(): resolved(found.old, header) for name, header in before.items()}
    new = {name.lower(): resolved(found.new, header) for name, header in after.items()}
    for name, header in old.items():
        here = f"{where}, header {name}"
        if name not in new:
            found.breaks(here, "is gone")
            continue
        always = [each.get("required", False) for each in (header, new[name])]
        if always[0] != always[1]:
            found.note(here, "is always sent" if always[1] else "is not always sent any more", breaks=always[0])
        compare_the_rest(found, here, header, new[name], _OF_HEADERS)
        compare_schemas(found, here, header.get("schema", {}), new[name].get("schema", {}), Way.ANSWER)
    for name in new.keys() - old.keys():
        found.fine(f"{where}, header {name}", "is new")


def _compare_links(found: Found, where: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    for name, link in before.items():
        here = f"{where}, link {name}"
        if name not in after:
            found.breaks(here, "is gone")
            continue
        old, new = resolved(found.old, link), resolved(found.new, after[name])
        for key in sorted((old.keys() | new.keys()) - {"description"}):
            if old.get(key) != new.get(key):
                found.breaks(here, f"{key} from {told(old.get(key))} to {told(new.get(key))}")
    for name in after.keys() - before.keys():
        found.fine(f"{where}, link {name}", "is new")
