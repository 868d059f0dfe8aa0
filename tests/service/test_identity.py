"""Tokens: which are accepted, for how long, and what becomes of them when keys are replaced."""

from __future__ import annotations

import base64
import json

import jwt
import pytest

from service.identity import BadToken, Tokens
from service.settings import TokenKey

DAY = 24 * 60 * 60
NOW = 1_800_000_000
OLD = TokenKey("old", "the old secret, which is long enough for every algorithm that is tried")
NEW = TokenKey("new", "the new secret, which is long enough for every algorithm that is tried")


class Clock:
    """A time that the tests set."""

    def __init__(self) -> None:
        self.now: float = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(clock: Clock) -> Tokens:
    return Tokens([NEW, OLD], DAY, clock)


CLAIMS = {"iss": "turncoat", "sub": "somebody", "name": "Ada", "iat": NOW, "exp": NOW + DAY}


def signed(claims=CLAIMS, key=NEW, algorithm="HS256", kid: object = NEW.id, **headers) -> str:
    """A token as somebody else could make it."""
    return jwt.encode(claims, key.secret if key else "", algorithm, headers={"kid": kid, **headers})


def base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def test_a_guest_gets_a_token_that_speaks_for_them(tokens: Tokens):
    token, guest = tokens.new_guest("Ada")
    assert tokens.player(token) == guest
    assert (guest.name, guest.expires_at) == ("Ada", NOW + DAY)


def test_the_table_s_own_token_is_a_good_one(tokens: Tokens):
    """Otherwise the refusals below would prove nothing."""
    assert tokens.player(signed()).name == "Ada"
    assert tokens.player(signed(key=OLD, kid=OLD.id)).name == "Ada"


def test_two_guests_of_one_name_are_two_players(tokens: Tokens):
    guests = [tokens.new_guest("Ada") for _ in range(50)]
    assert len({player.id for _, player in guests}) == len({token for token, _ in guests}) == 50
    assert all(len(player.id) == 22 for _, player in guests)


BAD_TOKENS = {
    "empty": "",
    "a word": "token",
    "dots": "..",
    "garbled": "a.b.c",
    "four parts": "a.b.c.d",
    "not ASCII": "\xe4.\xf6.\xfc",
    "control characters": "\x00\n",
    "header that is no JSON": f"{base64url(b'x')}.{base64url(b'{}')}.x",
    "header that is a list": f"{base64url(b'[]')}.{base64url(b'{}')}.x",
    "header nested by the thousand": f"{base64url(b'[' * 1400)}.{base64url(b'{}')}.x",
    "header with a number of 1,400 digits": f"{base64url(b'9' * 1400)}.{base64url(b'{}')}.x",
    "header that is not UTF-8": f"{base64url(bytes([255, 254]))}.{base64url(b'{}')}.x",
    "unsigned": signed().rpartition(".")[0] + ".",
    "cut off": signed()[:-1],
    "another signature": signed(key=TokenKey("new", "another secret, which is long enough")),
    "signature of another token": ".".join(
        [*signed({**CLAIMS, "name": "Eve"}).split(".")[:2], signed().rpartition(".")[2]],
    ),
    "signed by the other key": signed(key=OLD),
    "algorithm none": jwt.encode(CLAIMS, None, "none", headers={"kid": NEW.id}),
    "algorithm None, unsigned": f"{base64url(json.dumps({'alg': 'None', 'kid': 'new'}).encode())}."
    f"{base64url(json.dumps(CLAIMS).encode())}.",
    "HS512": signed(algorithm="HS512"),
    "HS384": signed(algorithm="HS384"),
    "no key id": jwt.encode(CLAIMS, NEW.secret, "HS256"),
    "unknown key id": signed(kid="newest"),
    "key id that is a path": signed(kid="../../dev/null"),
    "empty key id": signed(kid=""),
    "another issuer": signed({**CLAIMS, "iss": "elsewhere"}),
    "no issuer": signed({name: value for name, value in CLAIMS.items() if name != "iss"}),
    "no subject": signed({name: value for name, value in CLAIMS.items() if name != "sub"}),
    "no name": signed({name: value for name, value in CLAIMS.items() if name != "name"}),
    "no end": signed({name: value for name, value in CLAIMS.items() if name != "exp"}),
    "an end that is no number": signed({**CLAIMS, "exp": "tomorrow"}),
    "an end without an end": signed({**CLAIMS, "exp": float("inf")}),
    "expired": signed({**CLAIMS, "exp": NOW}),
    "for somebody else": signed({**CLAIMS, "aud": "elsewhere"}),
    "not yet valid": signed({**CLAIMS, "nbf": 99_999_999_999}),
    "critical extension": signed(crit=["x"], x=1),
    "too long": signed({**CLAIMS, "more": "x" * 2048}),
    "a megabyte": "a" * 1_000_000,
}


@pytest.mark.parametrize("token", BAD_TOKENS.values(), ids=BAD_TOKENS)
def test_a_bad_token_is_refused_every_time(tokens: Tokens, token: str):
    for _ in range(2):
        with pytest.raises(BadToken):
            tokens.player(token)


def test_a_longest_name_fits_into_a_token(tokens: Tokens):
    token, guest = tokens.new_guest("🂡" * 40)
    assert tokens.player(token) == guest


def test_a_renewed_token_speaks_for_the_same_guest_and_longer(tokens: Tokens, clock: Clock):
    token, guest = tokens.new_guest("Ada")
    clock.now += DAY - 1
    fresh, renewed = tokens.renewed(tokens.player(token))
    assert (renewed.id, renewed.name, renewed.expires_at) == (guest.id, "Ada", clock.now + DAY)
    clock.now += DAY - 1
    assert tokens.player(fresh) == renewed
    with pytest.raises(BadToken):
        tokens.player(token)


# --- time ---


def test_a_token_ends(tokens: Tokens, clock: Clock):
    token, _ = tokens.new_guest("Ada")
    clock.now += DAY - 1
    assert tokens.player(token).name == "Ada"
    clock.now += 1
    with pytest.raises(BadToken):
        tokens.player(token)


def test_a_remembered_token_ends_too(tokens: Tokens, clock: Clock):
    """Checked signatures are remembered; the end is looked at on every use."""
    token, _ = tokens.new_guest("Ada")
    for _ in range(3):
        tokens.player(token)
    assert tokens._remembered.cache_info().hits == 2
    clock.now += DAY
    for _ in range(2):
        with pytest.raises(BadToken):
            tokens.player(token)


def test_a_refused_token_is_not_remembered(tokens: Tokens):
    with pytest.raises(BadToken):
        tokens.player("a.b.c")
    assert tokens._remembered.cache_info().currsize == 0


def test_memory_is_bounded(tokens: Tokens):
    assert tokens._remembered.cache_info().maxsize == 4096


def test_a_token_outlives_a_restart(clock: Clock):
    """Regression 21: a new process with the same keys knows the players of the old one."""
    token, guest = Tokens([NEW], DAY, clock).new_guest("Ada")
    assert Tokens([NEW], DAY, clock).player(token) == guest


# --- keys ---


def test_keys_are_replaced_without_locking_anybody_out(clock: Clock):
    before = Tokens([OLD], DAY, clock)
    token, guest = before.new_guest("Ada")

    during = Tokens([NEW, OLD], DAY, clock)
    assert during.player(token) == guest
    newer, newer_guest = during.new_guest("Eve")
    assert jwt.get_unverified_header(newer)["kid"] == "new"

    after = Tokens([NEW], DAY, clock)
    assert after.player(newer) == newer_guest
    with pytest.raises(BadToken):
        after.player(token)


def test_without_a_key_there_are_no_tokens(clock: Clock):
    with pytest.raises(ValueError, match="no key"):
        Tokens([], DAY, clock)


def test_a_key_shows_no_secret():
    assert NEW.secret not in repr(NEW)


def test_a_token_carries_no_more_than_it_must(tokens: Tokens):
    token, guest = tokens.new_guest("Ada")
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims == {"iss": "turncoat", "sub": guest.id, "name": "Ada", "iat": NOW, "exp": NOW + DAY}
    assert jwt.get_unverified_header(token) == {"alg": "HS256", "typ": "JWT", "kid": "new"}
