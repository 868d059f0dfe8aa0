"""Planted breaks of what comes back, of unions and names, and of moves, which go both ways."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from contract.edits import fields, operation, renamed, schema
from contract.table_of_breaks import breaks

# --- what comes back ---


@breaks("a success is gone", "joinMatch, 200: is announced no longer")
def _(contract):
    del operation(contract, "joinMatch")["responses"]["200"]


@breaks("there is a new way to succeed", "createMatch, 202: is new")
def _(contract):
    responses = operation(contract, "createMatch")["responses"]
    responses["202"] = deepcopy(responses["201"])


@breaks("a refusal is gone", "joinMatch, 409: is announced no longer")
def _(contract):
    del operation(contract, "joinMatch")["responses"]["409"]


@breaks("a code is gone", "joinMatch, 409: the code seat-taken is gone")
def _(contract):
    operation(contract, "joinMatch")["responses"]["409"]["x-problem-codes"].remove("seat-taken")


@breaks("an answer has another media type", "listEvents, 200 as text/event-stream: is gone")
def _(contract):
    del operation(contract, "listEvents")["responses"]["200"]["content"]["text/event-stream"]


@breaks("problems are plain JSON", "as application/problem+json: is gone")
def _(contract):
    renamed(operation(contract, "getMe")["responses"]["401"]["content"], "application/problem+json", "application/json")


@breaks("an answer has a body that had none", "leaveMatch, 204: has a body now")
def _(contract):
    answers = operation(contract, "leaveMatch")["responses"]
    answers["204"]["content"] = deepcopy(operation(contract, "getMe")["responses"]["200"]["content"])


@breaks("a header is gone", "createPlayer, 429, header retry-after: is gone")
def _(contract):
    del operation(contract, "createPlayer")["responses"]["429"]["headers"]["Retry-After"]


@breaks("a header has another type", "header retry-after: type 'integer' has become 'string' in answers")
def _(contract):
    contract["components"]["headers"]["Retry-After"]["schema"] = {"type": "string"}


@breaks("an answer is another schema", "getMe, 200 as application/json: is Guest now instead of")
def _(contract):
    content = operation(contract, "getMe")["responses"]["200"]["content"]
    content["application/json"]["schema"]["$ref"] = "#/components/schemas/Guest"


@breaks("a field of an answer is gone", "KabaleView.waiting_on: the field is gone in answers")
def _(contract):
    del fields(contract, "KabaleView")["waiting_on"]


@breaks("a field of an answer is called otherwise", "Guest.token: the field is gone in answers")
def _(contract):
    renamed(fields(contract, "Guest"), "token", "access_token")


@breaks("a field of an answer may be missing", "KabaleMatch.commitment: may be missing in answers")
def _(contract):
    schema(contract, "KabaleMatch")["required"].remove("commitment")


@breaks("a field of an answer may be null", "KabaleMatch.status: may be null now in answers")
def _(contract):
    entry = fields(contract, "KabaleMatch")["status"]
    fields(contract, "KabaleMatch")["status"] = {"anyOf": [entry, {"type": "null"}]}


@breaks("entries of a list may be null", "may be null now in answers")
def _(contract):
    items = fields(contract, "KabaleYou")["hand"]
    items["items"] = {"anyOf": [items["items"], {"type": "null"}]}


@breaks("a field of an answer has another type", "KabaleMatch.rules_version: type 'integer' has become 'string'")
def _(contract):
    fields(contract, "KabaleMatch")["rules_version"] = {"type": "string"}


@breaks("a number in an answer need not be whole", "KabaleMatch.rules_version: type 'integer' has become 'number'")
def _(contract):
    fields(contract, "KabaleMatch")["rules_version"]["type"] = "number"


@breaks("a number in an answer may be greater", "Problem.status: maximum from 599 to 999")
def _(contract):
    fields(contract, "Problem")["status"]["maximum"] = 999


@breaks("a bound of an answer is gone", "Problem.status: minimum 400 is gone")
def _(contract):
    del fields(contract, "Problem")["status"]["minimum"]


@breaks("a time is no longer one", "KabaleMatch.created_at: format 'date-time' is gone")
def _(contract):
    del fields(contract, "KabaleMatch")["created_at"]["format"]


@breaks("a value is called otherwise", "MatchStatus: the value 'playing' is gone in answers")
def _(contract):
    values = schema(contract, "MatchStatus")["enum"]
    values[values.index("playing")] = "running"


@breaks("any value may come", "MatchStatus: any value may come in answers")
def _(contract):
    del schema(contract, "MatchStatus")["enum"]


@breaks("a type of its own is none any more", "KabaleMatch.status: is no named schema now instead of MatchStatus")
def _(contract):
    fields(contract, "KabaleMatch")["status"] = {"type": "string", "enum": schema(contract, "MatchStatus")["enum"]}


@breaks("a card is called otherwise", "KabaleCharacterId: the value 'witch' is gone")
def _(contract):
    values = schema(contract, "KabaleCharacterId")["enum"]
    values[values.index("witch")] = "sorceress"


@breaks("a list is a list of something else", "is KabaleGoalId now instead of KabaleCharacterId")
def _(contract):
    fields(contract, "KabaleYou")["hand"]["items"]["$ref"] = "#/components/schemas/KabaleGoalId"


# --- unions and names ---


@breaks("a union is told apart by another field", "View: discriminated by kind instead of game")
def _(contract):
    schema(contract, "View")["discriminator"]["propertyName"] = "kind"


@breaks("a union is told apart by nothing", "View: there is no discriminator any more")
def _(contract):
    del schema(contract, "View")["discriminator"]


@breaks("a tag leads to another type", "View: the tag kabale leads to '#/components/schemas/VerraeterView'")
def _(contract):
    schema(contract, "View")["discriminator"]["mapping"]["kabale"] = "#/components/schemas/VerraeterView"


@breaks("a tag is called otherwise", "View: the tag inside_job leads to None")
def _(contract):
    renamed(schema(contract, "View")["discriminator"]["mapping"], "inside_job", "heist")


@breaks("the constant of a tag is another one", "KabaleView.game: the value 'kabale' is gone")
def _(contract):
    fields(contract, "KabaleView")["game"]["enum"] = ["intrigue"]


@breaks("a tag may be missing", "KabaleView.game: may be missing in answers")
def _(contract):
    schema(contract, "KabaleView")["required"].remove("game")


@breaks("a union loses a member", "KabaleEvent: the member")
def _(contract):
    union = schema(contract, "KabaleEvent")
    gone = union["oneOf"].pop()
    mapping = union["discriminator"]["mapping"]
    del mapping[next(tag for tag, target in mapping.items() if target == gone["$ref"])]


@breaks("a union is no longer one", "MatchCard: is no union any more")
def _(contract):
    contract["components"]["schemas"]["MatchCard"] = deepcopy(schema(contract, "KabaleMatch"))


@breaks("a schema is called otherwise", "KabaleSlot: there is no schema of that name any more")
def _(contract):
    schemas = contract["components"]["schemas"]
    schemas["KabalePlace"] = schemas.pop("KabaleSlot")
    _refer(contract, "#/components/schemas/KabaleSlot", "#/components/schemas/KabalePlace")


def _refer(value: Any, old: str, new: str) -> None:
    """Have all references to one schema lead to another one."""
    if isinstance(value, dict):
        if value.get("$ref") == old:
            value["$ref"] = new
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            _refer(entry, old, new)


# --- moves, which go both ways ---


@breaks("a move has a new field", "PlaceCard.comment: a new field of what was closed in answers")
def _(contract):
    fields(contract, "PlaceCard")["comment"] = {"type": "string"}


@breaks("a move loses a field", "PlaceCard.column: the field is gone in requests")
def _(contract):
    del fields(contract, "PlaceCard")["column"]
    schema(contract, "PlaceCard")["required"].remove("column")


@breaks("a move is bounded more", "PlaceCard.column: maximum from 5 to 4")
def _(contract):
    fields(contract, "PlaceCard")["column"]["maximum"] = 4


@breaks("a move is bounded less, so that one comes which nobody expects", "PlaceCard.column: maximum from 5 to 9")
def _(contract):
    fields(contract, "PlaceCard")["column"]["maximum"] = 9


@breaks("a move may come with any field", "PlaceCard: other fields may come in answers")
def _(contract):
    schema(contract, "PlaceCard")["additionalProperties"] = True


# --- what nobody has thought of ---


@breaks("a keyword that the comparison does not know", "KabaleOptions: dependentRequired differs")
def _(contract):
    schema(contract, "KabaleOptions")["dependentRequired"] = {"set_scoring": ["traitor_swap"]}


@breaks("a list in a body must not repeat itself", "uniqueItems True is new")
def _(contract):
    deck = fields(contract, "InsideJobOptions")["mission_deck"]
    array = deck if deck.get("type") == "array" else next(each for each in deck["anyOf"] if each.get("type") == "array")
    array["uniqueItems"] = True


# --- what the contract hardly has, and may get ---


@breaks("a way to send tokens is gone", "security scheme token: is gone")
def _(contract):
    renamed(contract["components"]["securitySchemes"], "token", "bearer")


@breaks("a link leads to another operation", "link getView: operationId from 'getView' to 'getMatch'")
def _(contract):
    contract["components"]["links"]["card.getView"]["operationId"] = "getMatch"


@breaks("a link is gone", "link playMove: is gone")
def _(contract):
    del operation(contract, "createMatch")["responses"]["201"]["links"]["playMove"]


@breaks("only some texts are taken", "NewKabaleMatch.name: only some values are left in requests")
def _(contract):
    fields(contract, "NewKabaleMatch")["name"]["enum"] = ["Friday", "Sunday"]


@breaks("a list may hold anything", "KabaleMatch.waiting_on[]: type 'integer' has become None in answers")
def _(contract):
    fields(contract, "KabaleMatch")["waiting_on"]["items"] = True


@breaks("a list holds nothing", "KabaleMatch.waiting_on[]: nothing is allowed here any more")
def _(contract):
    fields(contract, "KabaleMatch")["waiting_on"]["items"] = False


@breaks("entries of a list get a meaning by their place", "KabaleMatch.waiting_on: its first 1 entries")
def _(contract):
    fields(contract, "KabaleMatch")["waiting_on"]["prefixItems"] = [{"type": "integer"}]


@breaks("a field is needed that has no name in the contract", "NewPlayer.locale: is needed, or needed no longer")
def _(contract):
    schema(contract, "NewPlayer")["required"].append("locale")


@breaks("a union of another kind", "View: oneOf and anyOf have changed places")
def _(contract):
    renamed(schema(contract, "View"), "oneOf", "anyOf")


@breaks("a map is one of something else", "each field: type 'string' has become 'integer' in answers")
def _(contract):
    fields(contract, "KabaleGame")["names"]["additionalProperties"] = {"type": "integer"}
