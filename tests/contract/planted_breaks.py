"""Changes that break clients, planted into the real contract one by one, and what has to be said of each."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from changes import breaking
from changes.found import resolved
from support.contract import document

Edit = Callable[[dict[str, Any]], Any]

BREAKS: dict[str, tuple[Edit, str]] = {}
"""By what it is: an edit of the contract, and a part of what a breaking change then says."""


def breaks(what: str, said: str) -> Callable[[Edit], Edit]:
    """Enter an edit into the table."""

    def enter(edit: Edit) -> Edit:
        assert what not in BREAKS
        BREAKS[what] = edit, said
        return edit

    return enter


def planted(edit: Edit, contract: dict[str, Any] | None = None) -> dict[str, Any]:
    """A copy of the contract with an edit, which must have changed something."""
    original = contract or document()
    copy = json.loads(json.dumps(original))  # much faster than deepcopy
    edit(copy)
    assert copy != original, "the edit changes nothing"
    return copy


def is_found(what: str) -> bool:
    """Whether the comparison names a planted break."""
    edit, said = BREAKS[what]
    return any(said in str(change) for change in breaking(document(), planted(edit)))


def found_of_all() -> tuple[int, int]:
    """How many planted breaks are found, and how many there are."""
    return sum(is_found(what) for what in BREAKS), len(BREAKS)


def operation(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """An operation by its id."""
    return next(
        entry
        for item in contract["paths"].values()
        for entry in item.values()
        if isinstance(entry, dict) and entry.get("operationId") == name
    )


def schema(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """A schema by its name."""
    return contract["components"]["schemas"][name]


def fields(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """The fields of a schema."""
    return schema(contract, name)["properties"]


def parameter(contract: dict[str, Any], owner: str, name: str) -> dict[str, Any]:
    """A parameter of an operation."""
    return _parameters(contract, owner)[name]


def without_parameter(contract: dict[str, Any], owner: str, name: str) -> None:
    """Take a parameter away from one operation."""
    place = list(_parameters(contract, owner)).index(name)
    del operation(contract, owner)["parameters"][place]


def _parameters(contract: dict[str, Any], owner: str) -> dict[str, dict[str, Any]]:
    """The parameters of an operation by their names, whether written there or among the components."""
    each = [resolved(contract, entry) for entry in operation(contract, owner)["parameters"]]
    return {entry["name"]: entry for entry in each}


def renamed(entries: dict[str, Any], old: str, new: str) -> None:
    """Give something another name."""
    entries[new] = entries.pop(old)


# --- operations ---


@breaks("a path is gone", "/v1/join: the path is gone")
def _(contract):
    del contract["paths"]["/v1/join"]


@breaks("a path is called otherwise", "/v1/games/{game}: the path is gone")
def _(contract):
    renamed(contract["paths"], "/v1/games/{game}", "/v1/game/{game}")


@breaks("a parameter of a path is called otherwise", "/v1/games/{game}: the path is gone")
def _(contract):
    renamed(contract["paths"], "/v1/games/{game}", "/v1/games/{id}")
    contract["paths"]["/v1/games/{id}"]["parameters"][0]["name"] = "id"


@breaks("an operation is gone", "leaveMatch: the operation is gone")
def _(contract):
    del contract["paths"]["/v1/matches/{match}/players/me"]["delete"]


@breaks("an operation has another method", "startMatch: the operation is gone")
def _(contract):
    renamed(contract["paths"]["/v1/matches/{match}/start"], "post", "put")


@breaks("an operationId is another one", "getView: the operation is called showView now")
def _(contract):
    operation(contract, "getView")["operationId"] = "showView"


@breaks("an operation moves to another class of generated clients", "joinByCode: the first tag")
def _(contract):
    operation(contract, "joinByCode")["tags"] = ["matches"]


@breaks("security is added", "getView: who comes with nothing is let in no longer")
def _(contract):
    operation(contract, "getView")["security"] = [{"token": []}]


@breaks("security is added where there was none", "createPlayer: who comes with nothing")
def _(contract):
    operation(contract, "createPlayer")["security"] = [{"token": []}]


@breaks("a second proof is asked for", "playMove: who comes with token is let in no longer")
def _(contract):
    contract["components"]["securitySchemes"]["device"] = {"type": "apiKey", "in": "header", "name": "X-Device"}
    operation(contract, "playMove")["security"] = [{"token": [], "device": []}]


@breaks("tokens are sent in another way", "security scheme token: scheme from 'bearer' to 'basic'")
def _(contract):
    contract["components"]["securitySchemes"]["token"]["scheme"] = "basic"


@breaks("the contract is written in another version of OpenAPI", "openapi: from OpenAPI 3.1 to 3.2")
def _(contract):
    contract["openapi"] = "3.2.0"


@breaks("the service is somewhere else", "servers: / is gone")
def _(contract):
    contract["servers"] = [{"url": "/api"}]


# --- parameters ---


@breaks("a query parameter is gone", "listMatches, query parameter has_open_seat: is gone")
def _(contract):
    without_parameter(contract, "listMatches", "has_open_seat")


@breaks("a query parameter is called otherwise", "listMatches, query parameter cursor: is gone")
def _(contract):
    parameter(contract, "listMatches", "cursor")["name"] = "after"


@breaks("Idempotency-Key is dropped", "createMatch, header parameter idempotency-key: is gone")
def _(contract):
    without_parameter(contract, "createMatch", "Idempotency-Key")


@breaks("a parameter becomes necessary", "listMatches, query parameter game: is needed")
def _(contract):
    parameter(contract, "listMatches", "game")["required"] = True


@breaks("a new parameter is necessary", "getReplay, query parameter format: is new and needed")
def _(contract):
    new = {"in": "query", "name": "format", "required": True, "schema": {"type": "string"}}
    operation(contract, "getReplay").setdefault("parameters", []).append(new)


@breaks("a parameter takes fewer values", "MatchStatus: the value 'cancelled' is gone in requests")
def _(contract):
    schema(contract, "MatchStatus")["enum"].remove("cancelled")


@breaks("a parameter takes other values", "listMatches, query parameter status: is StartedMatchStatus now")
def _(contract):
    parameter(contract, "listMatches", "status")["schema"]["$ref"] = "#/components/schemas/StartedMatchStatus"


@breaks("a parameter is bounded more", "listMatches, query parameter limit: maximum from 100 to 50")
def _(contract):
    parameter(contract, "listMatches", "limit")["schema"]["maximum"] = 50


@breaks("a parameter that is left out counts as something else", "listMatches, query parameter limit: left out")
def _(contract):
    parameter(contract, "listMatches", "limit")["schema"]["default"] = 10


@breaks("a parameter is written in another form", "listMatches, query parameter game: is written in another form")
def _(contract):
    parameter(contract, "listMatches", "game")["explode"] = False


# --- what is sent ---


@breaks("a body is not taken any more", "startMatch, body: is not taken any more")
def _(contract):
    del operation(contract, "startMatch")["requestBody"]


@breaks("a body is taken where none was", "leaveMatch, body: is new and needed")
def _(contract):
    operation(contract, "leaveMatch")["requestBody"] = deepcopy(operation(contract, "startMatch")["requestBody"])


@breaks("bodies come as another media type", "createPlayer, body as application/json: is gone")
def _(contract):
    renamed(operation(contract, "createPlayer")["requestBody"]["content"], "application/json", "application/cbor")


@breaks("a field of a body is gone", "NewKabaleMatch.move_seconds: the field is gone in requests")
def _(contract):
    del fields(contract, "NewKabaleMatch")["move_seconds"]


@breaks("a field of a body is called otherwise", "JoinByCode.join_code: the field is gone in requests")
def _(contract):
    renamed(fields(contract, "JoinByCode"), "join_code", "code")


@breaks("a new field of a body is necessary", "NewPlayer.locale: a new field that is needed in requests")
def _(contract):
    fields(contract, "NewPlayer")["locale"] = {"type": "string"}
    schema(contract, "NewPlayer")["required"].append("locale")


@breaks("a field of a body becomes necessary", "NewKabaleMatch.name: is needed in requests")
def _(contract):
    schema(contract, "NewKabaleMatch")["required"].append("name")


@breaks("a field of a body takes fewer values", "KabaleOptions.set_scoring: the value 'set_only' is gone in requests")
def _(contract):
    fields(contract, "KabaleOptions")["set_scoring"]["enum"].remove("set_only")


@breaks("a number in a body is bounded more", "NewKabaleMatch.seats: maximum from 6 to 5")
def _(contract):
    fields(contract, "NewKabaleMatch")["seats"]["maximum"] = 5


@breaks("a number in a body must be greater", "NewKabaleMatch.seats: minimum from 2 to 3")
def _(contract):
    fields(contract, "NewKabaleMatch")["seats"]["minimum"] = 3


@breaks("a text in a body must be shorter", "NewKabaleMatch.name: maxLength from 60 to 30")
def _(contract):
    fields(contract, "NewKabaleMatch")["name"]["maxLength"] = 30


@breaks("a text in a body has another pattern", "JoinByCode.join_code: pattern from")
def _(contract):
    fields(contract, "JoinByCode")["join_code"]["pattern"] = "^[0-9]*$"


@breaks("a text in a body gets a format", "NewKabaleMatch.name: format 'email' is new")
def _(contract):
    fields(contract, "NewKabaleMatch")["name"]["format"] = "email"


@breaks("a field of a body has another type", "NewKabaleMatch.seats: type 'integer' has become 'string' in requests")
def _(contract):
    fields(contract, "NewKabaleMatch")["seats"] = {"type": "string"}


@breaks("what was sent by default is another thing", "KabaleOptions.set_scoring: left out, it counted as 'all_goals'")
def _(contract):
    fields(contract, "KabaleOptions")["set_scoring"]["default"] = "set_only"


@breaks("a game can no longer be chosen", "NewMatch: the member NewKabaleMatch is gone")
def _(contract):
    union = schema(contract, "NewMatch")
    union["oneOf"] = [member for member in union["oneOf"] if not member["$ref"].endswith("/NewKabaleMatch")]
    del union["discriminator"]["mapping"]["kabale"]


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
