"""What is wrong between settings that are possible, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from service.settings import STORE_FILES, STORE_URL, Complaint, Settings, read, refuse, variable
from service.store_address import parse_address
from service.telemetry.setup import can_trace

_OF_ISSUERS: Final = ("issuer", "audience", "key_set")


def look() -> tuple[Settings, list[Complaint]]:
    """The settings as far as they can be read, and all that is wrong with them or between them.

    What cannot be read has its default.
    """
    settings, wrong = read()
    known = {complaint.variable for complaint in wrong}
    return settings, wrong + [complaint for complaint in together(settings) if complaint.variable not in known]


def together(settings: Settings) -> list[Complaint]:
    """What is wrong between the settings of a service that is to start."""
    wrong = [*_issuer(settings), *_key_set(settings), *_traces(settings)]
    if settings.redis_url is not None:
        wrong += [*_secrets(settings), *_store_files(settings)]
    return wrong


def has_issuer(settings: Settings) -> bool:
    """Whether somebody else makes the tokens.

    Raises:
        BadSetting: something is missing for that.
    """
    refuse(list(_issuer(settings)))
    return settings.issuer is not None


def check_store_files(settings: Settings) -> None:
    """See that the files for TLS are of use; who sets them believes that nobody listens on the way to the store.

    Raises:
        BadSetting: the store is not spoken to over TLS, or there is a certificate without its key.
    """
    refuse(list(_store_files(settings)))


def _issuer(settings: Settings) -> Iterator[Complaint]:
    missing = [variable(name) for name in _OF_ISSUERS if getattr(settings, name) is None]
    if missing and len(missing) < len(_OF_ISSUERS):
        *others, last = map(variable, _OF_ISSUERS)
        yield Complaint(
            missing[0], f"{missing[0]} is not set. An identity provider needs {', '.join(others)} and {last}"
        )


def _key_set(settings: Settings) -> Iterator[Complaint]:
    file = settings.key_set
    if file is not None and "://" not in file and not Path(file).is_file():
        yield Complaint(variable("key_set"), f"{variable('key_set')}: there is no file {file}")


def _traces(settings: Settings) -> Iterator[Complaint]:
    if settings.traces and not can_trace():
        name = variable("traces")
        yield Complaint(name, f"{name} is on, and what makes traces is not installed: turncoat[traces]")


def _secrets(settings: Settings) -> Iterator[Complaint]:
    """Ask for the secrets that all who share a store must have in common."""
    forms = {"id_secret": "at least 32 characters that nobody can guess"}
    if all(getattr(settings, name) is None for name in _OF_ISSUERS):
        forms = {"token_keys": "id:secret", **forms}
    for name, form in forms.items():
        if not getattr(settings, name):
            yield Complaint(
                variable(name),
                f"{variable(name)} is not set. Secrets are only made for the embedded store; a service with a store "
                f"of its own ({STORE_URL}) needs {form}, the same for all that share the store",
            )


def _store_files(settings: Settings) -> Iterator[Complaint]:
    files = [name for name in STORE_FILES if getattr(settings, name) is not None]
    if files and settings.redis_url is not None and not parse_address(settings.redis_url).tls:
        first = variable(files[0])
        yield Complaint(first, f"{first} is set, but {STORE_URL} does not begin with rediss, so there is no TLS")
    if ("store_certificate" in files) != ("store_key" in files):
        certificate, key = variable("store_certificate"), variable("store_key")
        yield Complaint(certificate, f"{certificate} and {key} need each other")
