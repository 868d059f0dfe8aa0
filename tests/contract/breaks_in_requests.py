"""Planted breaks of operations, their parameters and what is sent to them."""

from __future__ import annotations

from copy import deepcopy

from contract.edits import fields, operation, parameter, renamed, schema, without_parameter
from contract.table_of_breaks import breaks

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


@breaks("a field of a body takes fewer values", "KabaleSetScoring: the value 'set_only' is gone in requests")
def _(contract):
    schema(contract, "KabaleSetScoring")["enum"].remove("set_only")


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
