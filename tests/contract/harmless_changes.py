"""Changes that no client has to notice, made to the real contract one by one, and what is said of each."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from contract.edits import Edit, fields, operation, parameter, schema

HARMLESS: dict[str, tuple[Edit, str]] = {}
"""By what it is: an edit of the contract, and a part of what is said of it; nothing is said of prose."""


def harmless(what: str, said: str) -> Callable[[Edit], Edit]:
    """Enter an edit into the table."""

    def enter(edit: Edit) -> Edit:
        assert what not in HARMLESS
        HARMLESS[what] = edit, said
        return edit

    return enter


@harmless("prose", "")
def _(contract):
    contract["info"]["description"] = "Something else."
    operation(contract, "getMe")["summary"] = "Something else"
    fields(contract, "Guest")["token"]["description"] = "Something else."
    fields(contract, "Guest")["token"]["examples"] = ["x"]


@harmless("the version of the service", "")
def _(contract):
    contract["info"]["version"] = "9.9.9"


@harmless("schemas in another order", "")
def _(contract):
    contract["components"]["schemas"] = dict(reversed(contract["components"]["schemas"].items()))
    union = schema(contract, "View")
    union["oneOf"].reverse()
    schema(contract, "KabaleView")["required"].reverse()


@harmless("an operation is deprecated", "getMe: deprecated")
def _(contract):
    operation(contract, "getMe")["deprecated"] = True


@harmless("a field is deprecated", "KabaleMatch.commitment: deprecated")
def _(contract):
    fields(contract, "KabaleMatch")["commitment"]["deprecated"] = True


@harmless("a new path", "GET /v1/news: a new operation")
def _(contract):
    contract["paths"]["/v1/news"] = {"get": {**deepcopy(operation(contract, "listGames")), "operationId": "listNews"}}


@harmless("a new operation at a path that there is", "DELETE /v1/players/me: a new operation")
def _(contract):
    item = contract["paths"]["/v1/players/me"]
    item["delete"] = {**deepcopy(item["get"]), "operationId": "forgetMe"}


@harmless("a new query parameter", "listMatches, query parameter seats: is new")
def _(contract):
    operation(contract, "listMatches")["parameters"].append(
        {"in": "query", "name": "seats", "schema": {"type": "integer"}}
    )


@harmless("a parameter takes more values", "listMatches, query parameter limit: maximum from 100 to 500")
def _(contract):
    parameter(contract, "listMatches", "limit")["schema"]["maximum"] = 500


@harmless("no token is needed any more", "getMe: who comes with nothing is let in")
def _(contract):
    operation(contract, "getMe")["security"] = [{}, {"token": []}]


@harmless("a body may be sent in another form too", "createPlayer, body as application/cbor: is new")
def _(contract):
    content = operation(contract, "createPlayer")["requestBody"]["content"]
    content["application/cbor"] = deepcopy(content["application/json"])


@harmless("a body may be left out", "startMatch, body: is needed no longer")
def _(contract):
    operation(contract, "startMatch")["requestBody"]["required"] = False


@harmless("a new field of a body", "NewKabaleMatch.language: a new field in requests")
def _(contract):
    fields(contract, "NewKabaleMatch")["language"] = {"type": "string"}


@harmless("a field of a body may be left out", "JoinByCode.join_code: may be missing in requests")
def _(contract):
    schema(contract, "JoinByCode")["required"].remove("join_code")


@harmless("a field of a body may be null", "NewKabaleMatch.name: may be null now in requests")
def _(contract):
    fields(contract, "NewKabaleMatch")["name"]["type"] = ["string", "null"]


@harmless("a field of a body takes more values", "KabaleSetScoring: the value 'all_twice' is new in requests")
def _(contract):
    schema(contract, "KabaleSetScoring")["enum"].append("all_twice")


@harmless("a body is bounded less", "NewKabaleMatch.seats: maximum from 6 to 8")
def _(contract):
    fields(contract, "NewKabaleMatch")["seats"]["maximum"] = 8


@harmless("a text in a body may be of any form", "JoinByCode.join_code: pattern")
def _(contract):
    del fields(contract, "JoinByCode")["join_code"]["pattern"]


@harmless("a new refusal", "getMe, 418: is new")
def _(contract):
    responses = operation(contract, "getMe")["responses"]
    responses["418"] = deepcopy(responses["401"])


@harmless("a new code", "joinMatch, 409: the code banned is new")
def _(contract):
    operation(contract, "joinMatch")["responses"]["409"]["x-problem-codes"].append("banned")


@harmless("a new header of an answer", "getMe, 200, header age: is new")
def _(contract):
    headers = operation(contract, "getMe")["responses"]["200"].setdefault("headers", {})
    headers["Age"] = {"schema": {"type": "integer"}}


@harmless("a header that is always sent", "getMe, 429, header retry-after: is always sent")
def _(contract):
    contract["components"]["headers"]["Retry-After"]["required"] = True


@harmless("an answer in another form, for whoever asks for it", "getMe, 200 as application/cbor: is new")
def _(contract):
    content = operation(contract, "getMe")["responses"]["200"]["content"]
    content["application/cbor"] = deepcopy(content["application/json"])


@harmless("a new link", "getMe, 200, link Renew: is new")
def _(contract):
    operation(contract, "getMe")["responses"]["200"].setdefault("links", {})["Renew"] = {"operationId": "renewToken"}


@harmless("a new field of an answer", "KabaleView.clock: a new field that is needed in answers")
def _(contract):
    fields(contract, "KabaleView")["clock"] = {"type": "integer"}
    schema(contract, "KabaleView")["required"].append("clock")


@harmless("a field of an answer is always there", "Problem.detail: is needed in answers")
def _(contract):
    schema(contract, "Problem")["required"].append("detail")


@harmless("a field of an answer is never null", "KabaleMatch.name: may not be null any more in answers")
def _(contract):
    fields(contract, "KabaleMatch")["name"]["type"] = "string"


@harmless("a new status of a match", "MatchStatus: the value 'paused' is new in answers")
def _(contract):
    schema(contract, "MatchStatus")["enum"].append("paused")


@harmless("an answer is bounded more", "Problem.status: maximum from 599 to 503")
def _(contract):
    fields(contract, "Problem")["status"]["maximum"] = 503


@harmless("a new kind of event", "KabaleEvent: the member CardTorn is new")
def _(contract):
    torn = contract["components"]["schemas"]["CardTorn"] = deepcopy(schema(contract, "CardTurnedUp"))
    torn["properties"]["type"]["enum"] = ["card_torn"]
    _add_member(contract, "KabaleEvent", "card_torn", "CardTorn")


@harmless("a new game", "NewMatch: the member NewChessMatch is new")
def _(contract):
    schemas = contract["components"]["schemas"]
    for union, member, of in (
        ("NewMatch", "NewChessMatch", "NewKabaleMatch"),
        ("MatchCard", "ChessMatch", "KabaleMatch"),
        ("View", "ChessView", "KabaleView"),
    ):
        schemas[member] = deepcopy(schemas[of])
        schemas[member]["properties"]["game"]["enum"] = ["chess"]
        _add_member(contract, union, "chess", member)


@harmless("a new move", "KabaleMove: the member BurnCard is new")
def _(contract):
    burn = contract["components"]["schemas"]["BurnCard"] = deepcopy(schema(contract, "PlaceCard"))
    burn["properties"]["type"]["enum"] = ["burn_card"]
    _add_member(contract, "KabaleMove", "burn_card", "BurnCard")
    _add_member(contract, "Move", "burn_card", "BurnCard")


def _add_member(contract, union: str, tag: str, member: str) -> None:
    reference = f"#/components/schemas/{member}"
    schema(contract, union)["oneOf"].append({"$ref": reference})
    schema(contract, union)["discriminator"]["mapping"][tag] = reference
