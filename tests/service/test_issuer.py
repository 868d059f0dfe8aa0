"""Tokens of an identity provider: which are accepted, for how long, and whom they speak for."""

from __future__ import annotations

import base64
import hmac
import json
import re

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from support.issuer import AUDIENCE, ISSUER, issued, key_set, private_key, published

from service.identity import BadToken
from service.issuer import LEEWAY, IssuedTokens, player_id
from service.key_set import APART, OLD, KeySet, KeySetUnavailable

NOW = 1_800_000_000
HOUR = 3600
EVERY = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
ONE, TWO = published("ES256", "k1"), published("ES256", "k2", which=1)


class World:
    """The time, and what the provider publishes."""

    def __init__(self) -> None:
        self.now: float = NOW
        self.body = key_set(ONE)
        self.failure: Exception | None = None
        self.asked = 0

    def read(self) -> bytes:
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return self.body


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def tokens(world: World) -> IssuedTokens:
    return IssuedTokens(ISSUER, AUDIENCE, KeySet(world.read, lambda: world.now), lambda: world.now)


def token(*args, **others) -> str:
    return issued(*args, now=NOW, **others)


def base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def refused(tokens: IssuedTokens, token: str) -> None:
    for _ in range(2):
        with pytest.raises(BadToken):
            tokens.player(token)


# --- which are accepted ---


@pytest.mark.parametrize("algorithm", EVERY)
def test_every_algorithm_of_the_list_is_accepted(tokens: IssuedTokens, world: World, algorithm: str):
    world.body = key_set(published(algorithm if algorithm[0] != "P" else "RS256", "k1"))
    player = tokens.player(token(algorithm))
    assert (player.name, player.expires_at) == ("Ada Lovelace", NOW + HOUR)


def test_ed448_is_accepted_too(tokens: IssuedTokens, world: World):
    world.body = key_set(published("Ed448", "k1"))
    headers = {"kid": "k1"}
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOW + HOUR}
    assert tokens.player(jwt.encode(claims, private_key("Ed448"), "EdDSA", headers=headers)).id


@pytest.mark.parametrize("audience", [AUDIENCE, [AUDIENCE], ["account", AUDIENCE]])
def test_the_audience_may_be_one_of_several(tokens: IssuedTokens, audience: object):
    assert tokens.player(token(aud=audience)).name == "Ada Lovelace"


def test_a_token_that_names_no_key_is_checked_by_the_only_one(tokens: IssuedTokens, world: World):
    assert tokens.player(token(kid=None)).name == "Ada Lovelace"
    world.body = key_set(ONE, TWO)
    world.now += OLD
    refused(tokens, token(kid=None))


def by_hand(header: object, claims: object, key=None) -> str:
    """A token as nobody's library would make it."""
    parts = [base64url(json.dumps(part).encode()) for part in (header, claims)]
    signing = ".".join(parts).encode()
    signature = b"" if key is None else jwt.algorithms.get_default_algorithms()["ES256"].sign(signing, key)
    return ".".join([*parts, base64url(signature)])


GOOD = {"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "exp": NOW + HOUR}
SHARED = "a-secret-that-is-shared-with-the-issuer-and-long-enough-for-HS512-which-takes-64-bytes"


def test_the_table_s_own_token_is_a_good_one(tokens: IssuedTokens):
    """Otherwise the refusals below would prove nothing."""
    assert tokens.player(by_hand({"alg": "ES256", "kid": "k1"}, GOOD, private_key("ES256")))


def signed_by_hand(**claims: object) -> str:
    return by_hand({"alg": "ES256", "kid": "k1"}, {**GOOD, **claims}, private_key("ES256"))


PUBLIC = {
    "PEM": private_key("ES256").public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
    "DER": private_key("ES256").public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
    "JSON": json.dumps(ONE, sort_keys=True).encode(),
}


def with_public_key_as_secret(form: str) -> str:
    """The old confusion: the public key is known to all, and must not be taken for a shared secret."""
    unsigned = by_hand({"alg": "HS256", "kid": "k1"}, GOOD).removesuffix(".")
    return f"{unsigned}.{base64url(hmac.digest(PUBLIC[form], unsigned.encode(), 'sha256'))}"


BAD_TOKENS = {
    "empty": "",
    "a word": "token",
    "garbled": "a.b.c",
    "not ASCII": "\xe4.\xf6.\xfc",
    "header that is a list": f"{base64url(b'[]')}.{base64url(b'{}')}.x",
    "header nested by the thousand": f"{base64url(b'[' * 4000)}.{base64url(b'{}')}.x",
    "header with a number of 5,000 digits": f"{base64url(b'9' * 5000)}.{base64url(b'{}')}.x",
    "no algorithm": by_hand({"kid": "k1"}, GOOD, private_key("ES256")),
    "an algorithm that is a list": by_hand({"alg": ["ES256"], "kid": "k1"}, GOOD, private_key("ES256")),
    "a key id that is a number": by_hand({"alg": "ES256", "kid": 1}, GOOD, private_key("ES256")),
    "a key id that is a list": by_hand({"alg": "ES256", "kid": ["k1"]}, GOOD, private_key("ES256")),
    "unsigned": token().rpartition(".")[0] + ".",
    "cut off": token()[:-4],
    "signed by another key": token(which=1),
    "signed by a key of another name": token(kid="k2"),
    "another claim under the same signature": ".".join(
        [*token(sub="eve").split(".")[:2], token().rpartition(".")[2]],
    ),
    "algorithm none": jwt.encode(GOOD, None, "none", headers={"kid": "k1"}),
    "algorithm NONE": by_hand({"alg": "NONE", "kid": "k1"}, GOOD),
    **{
        f"{algorithm} with a shared secret": jwt.encode(GOOD, SHARED, algorithm, headers={"kid": "k1"})
        for algorithm in ("HS256", "HS384", "HS512")
    },
    **{f"HS256 with the public key for a secret, as {form}": with_public_key_as_secret(form) for form in PUBLIC},
    "another algorithm than the key's": token("RS256"),
    "ES256K": token("ES256K"),
    "another issuer": token(iss="https://id.example/realms/other"),
    "an issuer that ours begins with": token(iss=ISSUER[:-1]),
    "a list of issuers": signed_by_hand(iss=[ISSUER]),
    "no issuer": token(iss=None),
    "another audience": token(aud="account"),
    "other audiences": token(aud=["account", "turncoat-admin"]),
    "no audience": token(aud=None),
    "an empty audience": token(aud=[]),
    "an audience that is an object": signed_by_hand(aud={AUDIENCE: True}),
    "no subject": token(sub=None),
    "an empty subject": token(sub=""),
    "a subject that is a number": signed_by_hand(sub=7),
    "a subject without an end": token(sub="s" * 1025),
    "no end": token(exp=None),
    "expired": token(exp=NOW),
    "expired long ago": token(exp=-1),
    "an end that is a text": signed_by_hand(exp=str(NOW + HOUR)),
    "an end that is a truth value": signed_by_hand(exp=True),
    "an end that is null": signed_by_hand(exp=None),
    "an end without an end": signed_by_hand(exp=float("inf")),
    "an end that is no number": signed_by_hand(exp=float("nan")),
    "an end of 400 digits": signed_by_hand(exp=10**400),
    "not good yet": token(nbf=NOW + LEEWAY + 1),
    "issued tomorrow": token(iat=NOW + 24 * HOUR),
    "a beginning that is a text": signed_by_hand(nbf="now"),
    "a beginning that is a truth value": signed_by_hand(nbf=True),
    "issued at no time": signed_by_hand(iat=None),
    "critical extension": jwt.encode(GOOD, private_key("ES256"), "ES256", headers={"kid": "k1", "crit": ["x"], "x": 1}),
    "claims that are a list": by_hand({"alg": "ES256", "kid": "k1"}, [GOOD], private_key("ES256")),
    "our own guests' kind": jwt.encode(
        {"iss": "turncoat", "sub": "somebody", "name": "Ada", "exp": NOW + HOUR}, SHARED, "HS256", headers={"kid": "k1"}
    ),
    "too long": token(more="x" * 8192),
    "a megabyte": "a" * 1_000_000,
}


@pytest.mark.parametrize("token", BAD_TOKENS.values(), ids=BAD_TOKENS)
def test_a_bad_token_is_refused_every_time(tokens: IssuedTokens, token: str):
    refused(tokens, token)


def test_a_key_that_names_its_algorithm_checks_no_other(tokens: IssuedTokens, world: World):
    world.body = key_set(published("RS256", "k1", alg="PS256"))
    assert tokens.player(token("PS256"))
    refused(tokens, token("RS256"))


def test_what_could_not_be_accepted_anyhow_asks_nobody_for_keys(tokens: IssuedTokens, world: World):
    tokens.player(token())
    world.now += APART
    for header in ({"alg": "HS256", "kid": "k9"}, {"alg": "none", "kid": "k9"}, {"alg": "ES256", "kid": ["k9"]}):
        refused(tokens, by_hand(header, GOOD, private_key("ES256")))
    refused(tokens, token(kid="k9", more="x" * 8192))
    assert world.asked == 1


# --- for how long ---


def test_a_token_ends_to_the_second(tokens: IssuedTokens, world: World):
    tokens.player(token())
    world.now += HOUR - 1
    assert tokens.player(token())
    world.now += 1
    refused(tokens, token())


def test_a_clock_that_is_a_little_ahead_does_no_harm(tokens: IssuedTokens):
    assert tokens.player(token(nbf=NOW + LEEWAY, iat=NOW + LEEWAY))


def test_a_token_that_is_not_good_yet_becomes_good(tokens: IssuedTokens, world: World):
    early = token(nbf=NOW + 100)
    refused(tokens, early)
    world.now += 100
    assert tokens.player(early)


@pytest.mark.parametrize("end", [253_402_300_800, 10**15, 10.0**15])
def test_an_end_after_the_last_date_is_the_last_date(tokens: IssuedTokens, end: float):
    assert tokens.player(token(exp=end)).expires_at == 253_402_300_799


ONCE = token()


def test_a_signature_is_checked_once(tokens: IssuedTokens):
    for _ in range(3):
        tokens.player(ONCE)
    assert tokens._remembered.cache_info().hits == 2


def test_a_remembered_token_ends_with_its_key(tokens: IssuedTokens, world: World):
    assert tokens.player(ONCE)
    world.body = key_set(TWO)
    world.now += OLD
    refused(tokens, ONCE)
    assert tokens.player(token(kid="k2", which=1))


def test_a_remembered_token_ends_when_another_key_takes_the_name(tokens: IssuedTokens, world: World):
    assert tokens.player(ONCE)
    world.body = key_set({**TWO, "kid": "k1"})
    world.now += OLD
    refused(tokens, ONCE)


def test_a_key_that_is_published_otherwise_is_still_the_same(tokens: IssuedTokens, world: World):
    before = tokens.player(ONCE)
    world.body = key_set({**ONE, "x5t": "abc"}, TWO)
    world.now += OLD
    assert tokens.player(ONCE) == before


def test_keys_are_replaced_without_locking_anybody_out(tokens: IssuedTokens, world: World):
    old, new = token(), token(kid="k2", which=1)
    assert tokens.player(old)
    world.body = key_set(ONE, TWO)
    world.now += APART
    assert tokens.player(new) == tokens.player(old)
    world.body = key_set(TWO)
    world.now += OLD
    assert tokens.player(new)
    refused(tokens, old)


def test_while_the_keys_cannot_be_read(tokens: IssuedTokens, world: World):
    """Nobody is told that a token is bad which may be good."""
    assert tokens.player(token())
    world.failure = OSError()
    world.now += OLD
    assert tokens.player(token(sub="ben")).name == "Ada Lovelace"
    for _ in range(2):
        with pytest.raises(KeySetUnavailable):
            tokens.player(token(kid="k2", which=1))
    refused(tokens, token(which=1))
    world.failure, world.body = None, key_set(ONE, TWO)
    world.now += APART
    assert tokens.player(token(kid="k2", which=1))


# --- whom they speak for ---


def test_an_id_has_the_form_of_a_guest_s(tokens: IssuedTokens):
    for subject in ("ada", "auth0|5f7c8ec7c33c6c004bbafe82", "a:b{c}\n*", "🂡" * 200, "\ud800"):
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}", tokens.player(token(sub=subject)).id)


def test_an_id_depends_on_the_issuer_and_the_subject_only(tokens: IssuedTokens):
    ids = {tokens.player(token(sub="ada", name=name, exp=NOW + n)).id for n, name in enumerate(["Ada", "Eve"], 1)}
    assert ids == {player_id(ISSUER, "ada")}
    pairs = [("ab", "c"), ("a", "bc"), ("abc", ""), ('a", "b', "c"), ("a", 'b", "c')]
    assert len({player_id(*pair) for pair in pairs}) == len(pairs)


def test_an_id_never_changes():
    """Players would lose their matches: this is a promise to every running service."""
    assert player_id(ISSUER, "f3a1c9d2-ada") == "DY6NXo1Imr_UGsNMg2tbEm"


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": "Ada"}, "Ada"),
        ({"name": "Ada", "preferred_username": "ada99"}, "Ada"),
        ({"name": None, "preferred_username": "ada99"}, "ada99"),
        ({"name": "", "preferred_username": "ada99"}, "ada99"),
        ({"name": " \u202e\n", "preferred_username": "ada99"}, "ada99"),
        ({"name": 7, "preferred_username": ["ada"]}, "Player"),
        ({"name": None}, "Player"),
        ({"name": "  Ada \t Lovelace\n"}, "Ada Lovelace"),
        ({"name": "Ada\u202eecalevoL\u0000\u009f\ufeff"}, "AdaecalevoL"),
        ({"name": "Ada\ud800"}, "Ada"),
        ({"name": "🂡" * 60}, "🂡" * 40),
        ({"name": "x" * 39 + " y"}, "x" * 39),
        ({"name": "José 李"}, "José 李"),
    ],
)
def test_a_name_is_one_that_a_guest_could_have(tokens: IssuedTokens, claims: dict, name: str):
    assert tokens.player(token(**claims)).name == name
