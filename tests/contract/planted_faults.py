"""Faults that linters have to find, planted into the real contract all at once, each at a place of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from contract.edits import Edit, fields, operation, parameter, renamed, schema
from support.contract import document


@dataclass(frozen=True)
class Fault:
    """A fault, and the rule by which each linter finds it; none where a linter has no such rule."""

    edit: Edit
    redocly: str | None
    spectral: str | None


FAULTS: dict[str, Fault] = {}


def fault(what: str, *, redocly: str | None = None, spectral: str | None = None) -> Callable[[Edit], Edit]:
    """Enter a fault into the table."""

    def enter(edit: Edit) -> Edit:
        assert what not in FAULTS
        assert redocly or spectral
        FAULTS[what] = Fault(edit, redocly, spectral)
        return edit

    return enter


def with_all_faults() -> dict[str, Any]:
    """A copy of the contract that has them all."""
    copy: dict[str, Any] = json.loads(json.dumps(document()))
    for each in FAULTS.values():
        before = json.dumps(copy)
        each.edit(copy)
        assert json.dumps(copy) != before, "the fault changes nothing"
    return copy


# --- operations ---


@fault("an operationId with underscores", redocly="rule/operation-id-is-camel-case", spectral="turncoat-operation-id")
def _(contract):
    operation(contract, "getMe")["operationId"] = "get_me"


@fault("two operations of one name", redocly="operation-operationId-unique", spectral="operation-operationId-unique")
def _(contract):
    operation(contract, "renewToken")["operationId"] = "createPlayer"


@fault("an operation without a name", redocly="operation-operationId", spectral="operation-operationId")
def _(contract):
    del operation(contract, "getReplay")["operationId"]


@fault("an operation that is not explained", redocly="operation-description", spectral="operation-description")
def _(contract):
    del operation(contract, "listGames")["description"]


@fault("an operation without a summary", redocly="operation-summary")
def _(contract):
    del operation(contract, "joinByCode")["summary"]


@fault("a summary with a full stop", spectral="turncoat-summary")
def _(contract):
    operation(contract, "getView")["summary"] += "."


@fault("an operation without a tag", redocly="rule/operation-has-a-tag", spectral="operation-tags")
def _(contract):
    del operation(contract, "leaveMatch")["tags"]


@fault("a tag that there is not", redocly="operation-tag-defined", spectral="operation-tag-defined")
def _(contract):
    operation(contract, "playMove")["tags"] = ["playing"]


@fault("two tags", redocly="operation-singular-tag", spectral="operation-singular-tag")
def _(contract):
    operation(contract, "getMatch")["tags"] = ["matches", "games"]


@fault("nobody says whether a token is needed", spectral="turncoat-operation-says-who-may")
def _(contract):
    del operation(contract, "startMatch")["security"]


@fault("a way in that there is not", redocly="security-defined", spectral="oas3-operation-security-defined")
def _(contract):
    operation(contract, "listMatches")["security"] = [{"password": []}]


# --- paths and parameters ---


@fault("a path with a slash at its end", redocly="no-path-trailing-slash", spectral="path-keys-no-trailing-slash")
def _(contract):
    renamed(contract["paths"], "/v1/join", "/v1/join/")


@fault("a path in capitals", redocly="paths-kebab-case", spectral="turncoat-path")
def _(contract):
    renamed(contract["paths"], "/v1/players/me/tokens", "/v1/players/me/freshTokens")


@fault("a parameter of a path that is not declared", redocly="path-parameters-defined", spectral="path-params")
def _(contract):
    renamed(contract["paths"], "/v1/matches/{match}/replay", "/v1/matches/{which}/replay")


@fault("a parameter that is not explained", redocly="parameter-description", spectral="oas3-parameter-description")
def _(contract):
    del parameter(contract, "listMatches", "game")["description"]


@fault("a parameter in capitals", redocly="rule/query-parameter-is-snake-case", spectral="turncoat-parameter")
def _(contract):
    parameter(contract, "listEvents", "after")["name"] = "laterThan"


@fault("a yes-or-no that does not read like one", redocly="boolean-parameter-prefixes")
def _(contract):
    parameter(contract, "listMatches", "has_open_seat")["name"] = "free"


# --- answers ---


@fault("a refusal that is no problem", redocly="operation-4xx-problem-details-rfc7807", spectral="turncoat-problem")
def _(contract):
    content = operation(contract, "createPlayer")["responses"]["422"]["content"]
    renamed(content, "application/problem+json", "application/json")


@fault("a failure without codes", spectral="turncoat-problem")
def _(contract):
    del operation(contract, "createMatch")["responses"]["500"]["x-problem-codes"]


@fault("an answer in HTML", redocly="response-mime-type")
def _(contract):
    renamed(operation(contract, "getGame")["responses"]["200"]["content"], "application/json", "text/html")


@fault("an answer for everything", spectral="turncoat-no-default-answer")
def _(contract):
    responses = operation(contract, "getView")["responses"]
    responses["default"] = responses["500"]


@fault("no way to succeed", redocly="operation-2xx-response", spectral="operation-success-response")
def _(contract):
    responses = operation(contract, "listMyMatches")["responses"]
    for status in [status for status in responses if status < "400"]:
        del responses[status]


@fault("a header that is not explained", spectral="turncoat-header-described")
def _(contract):
    operation(contract, "createMatch")["responses"]["201"]["headers"]["X-Mood"] = {"schema": {"type": "string"}}


@fault("an answer without a name", spectral="turncoat-schema-named")
def _(contract):
    content = operation(contract, "listEvents")["responses"]["200"]["content"]
    content["application/json"]["schema"] = {"type": "string"}


@fault("an example that is none", redocly="no-invalid-media-type-examples", spectral="oas3-valid-media-example")
def _(contract):
    content = operation(contract, "createPlayer")["requestBody"]["content"]["application/json"]
    content.pop("examples", None)
    content["example"] = {"nome": 7}


# --- schemas ---


@fault("a property in capitals", spectral="turncoat-property")
def _(contract):
    fields(contract, "KabaleMatch")["rulesVersion"] = {"type": "integer", "description": "Of the rules."}


@fault("a property that is not explained", spectral="turncoat-property-described")
def _(contract):
    fields(contract, "Player")["mood"] = {"type": "string"}


@fault("a property that is needed and not there", redocly="no-required-schema-properties-undefined")
def _(contract):
    schema(contract, "KabaleView")["required"].append("clock")


@fault("a union without a mapping", redocly="rule/union-has-a-mapping", spectral="turncoat-union")
def _(contract):
    del schema(contract, "KabaleMove")["discriminator"]["mapping"]


@fault("a union without a discriminator", spectral="turncoat-union")
def _(contract):
    del schema(contract, "VerraeterMove")["discriminator"]


@fault("a union without a name", spectral="turncoat-no-other-union")
def _(contract):
    fields(contract, "KabaleYou")["mood"] = {
        "description": "How you are.",
        "oneOf": [{"type": "string"}, {"type": "integer"}],
    }


@fault("two types at one place", spectral="turncoat-no-other-anyOf")
def _(contract):
    fields(contract, "InsideJobYou")["mood"] = {
        "description": "How you are.",
        "anyOf": [{"type": "string"}, {"type": "integer"}],
    }


@fault("an object without a name", spectral="turncoat-object-named")
def _(contract):
    fields(contract, "VerraeterYou")["mood"] = {
        "description": "How you are.",
        "type": "object",
        "properties": {"good": {"type": "boolean", "description": "Whether it is good."}},
    }


@fault("a schema with a name that a machine made", spectral="turncoat-schema-name")
def _(contract):
    contract["components"]["schemas"]["Generated1"] = {"type": "string"}


@fault("a schema that nobody uses", redocly="no-unused-components", spectral="oas3-unused-component")
def _(contract):
    contract["components"]["schemas"]["Forgotten"] = {"type": "string"}


@fault("a reference that leads nowhere", redocly="no-unresolved-refs", spectral="invalid-ref")
def _(contract):
    fields(contract, "KabaleTable")["mood"] = {"$ref": "#/components/schemas/Mood"}


@fault("a value of an enumeration in capitals", spectral="turncoat-enum-value")
def _(contract):
    schema(contract, "KabaleCharacterId")["enum"].append("Witch")


@fault("a value of an enumeration twice", redocly="no-duplicated-enum-values", spectral="duplicated-entry-in-enum")
def _(contract):
    schema(contract, "InsideJobSuit")["enum"].append(schema(contract, "InsideJobSuit")["enum"][0])


@fault("a value of an enumeration of another type", redocly="no-enum-type-mismatch", spectral="typed-enum")
def _(contract):
    schema(contract, "VerraeterHouse")["enum"].append(7)


# --- the whole ---


@fault("no address", redocly="no-empty-servers", spectral="oas3-api-servers")
def _(contract):
    contract.pop("servers", None)
    contract["servers"] = []


@fault("no licence", redocly="info-license", spectral="info-license")
def _(contract):
    contract["info"].pop("license", None)
    contract["info"]["x-none"] = True


@fault("a script in the text", redocly="no-unsafe-markdown", spectral="no-script-tags-in-markdown")
def _(contract):
    contract["info"]["description"] += "\n<script>alert(1)</script>"


@fault("a word that OpenAPI does not know", redocly="struct", spectral="oas3-schema")
def _(contract):
    operation(contract, "createMatch")["sumary"] = "Misspelt"
