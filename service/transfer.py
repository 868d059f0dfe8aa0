"""What ``turncoat export`` and ``turncoat import`` become: a match as a file, out of one store and into another.

It is a module of its own because the command line imports no application.
"""

from __future__ import annotations

import sys
from typing import Final, Literal, NoReturn

import msgspec

from service.app import open_archive
from service.archive import Archive
from service.launcher.console import say
from service.match import Stored, Whole
from service.problems import Problem
from service.settings import BadSetting, read_settings
from service.store import Client, StoreFull, StoreUnavailable
from service.store.check import NotThere, Refused, Unfit, examine

_VERSIONS_BETWEEN: Final = 1_000_000
"""A match that comes back goes on with a version that it had never had, whatever was played after it was exported."""


class MatchFile(msgspec.Struct, forbid_unknown_fields=True):
    """A match in a file, secrets and all. Bytes are in Base64.

    Attributes:
        turncoat_match: the version of this format.
        match: its id.
        version: of the match, when it was exported.
        record: who plays what, as it was stored.
        state: the game's own state, as it was stored; empty before the start.
        events: what happened, as it was stored.
        moves: what was played, as it was stored.
    """

    turncoat_match: Literal[1]
    match: str
    version: int
    record: bytes
    state: bytes
    events: list[bytes]
    moves: list[bytes]


class NoMatchFile(Exception):
    """What was read is no match that was exported."""


def encoded(match: str, whole: Whole) -> bytes:
    """A match as the content of a file."""
    stored = whole.stored
    file = MatchFile(1, match, stored.version, stored.match, stored.state, whole.events, whole.moves)
    return msgspec.json.format(msgspec.json.encode(file), indent=1) + b"\n"


def decoded(content: bytes) -> tuple[str, Whole]:
    """The id of the match in a file, and all of it.

    Raises:
        NoMatchFile: it is none; the message says why.
    """
    try:
        file = msgspec.json.decode(content, type=MatchFile)
    except msgspec.DecodeError as error:
        raise NoMatchFile(f"this is no match that was exported: {error}") from error
    stored = Stored(file.version + _VERSIONS_BETWEEN, file.record, file.state, b"")
    return file.match, Whole(stored, file.events, file.moves)


def export(archive: Archive, match: str) -> None:
    """Write a match to standard output.

    Raises:
        Problem: there is none.
    """
    sys.stdout.buffer.write(encoded(match, archive.whole(match)))
    sys.stdout.buffer.flush()


def restore(archive: Archive, content: bytes) -> None:
    """Put a match that was exported into the store.

    Raises:
        NoMatchFile: it is none, or one that was changed.
        Problem: this version cannot read it, or there is one with its id.
    """
    match, whole = decoded(content)
    try:
        status = archive.restore(match, whole)
    except ValueError as error:
        raise NoMatchFile(f"this match was changed since it was exported: {error}") from error
    say(f"Imported: match {match}, {status}, with {len(whole.moves)} moves")


def look_at_store(client: Client, replicas: int, *, to_keep: bool) -> None:
    """See whether the store will do, and say what an operator should know of it.

    Args:
        client: of the store.
        replicas: how many are to confirm what is written.
        to_keep: whether something is to be kept there. What is fit for nothing better can still be read, and had
            better be.

    Raises:
        Unfit: it will not do.
        NotThere: it does not answer.
    """
    try:
        warnings = examine(client, replicas)
    except Refused:
        raise
    except Unfit as error:
        if to_keep:
            raise
        say(f"Warning: {error}", trouble=True)
        return
    for warning in warnings if to_keep else []:
        say(f"Warning: {warning}", trouble=True)


def main(task: str, match: str) -> int:
    """Do what the command line asks for.

    Args:
        task: ``export`` or ``import``; the latter reads standard input.
        match: the id of the match to export.

    Returns:
        the exit code.
    """
    try:
        settings = read_settings()
        kept = open_archive(settings)
        archive = kept.archive
        look_at_store(kept.client, settings.store_replicas, to_keep=task == "import")
        if task == "export":
            export(archive, match)
        else:
            restore(archive, sys.stdin.buffer.read())
    except BadSetting as error:
        return _failed(f"{error}", 2)
    except NoMatchFile as error:
        return _failed(f"{error}")
    except Problem as problem:
        return _failed(_PROBLEMS[problem.code])
    except Unfit as error:
        return _failed(f"{error}")
    except NotThere as reason:
        return _failed(f"the store does not answer: {reason}")
    except StoreFull:
        return _failed("the store has no room")
    except StoreUnavailable:
        return _failed("the store does not answer. Nothing was exported; whether a match was imported is unknown")
    return 0


_PROBLEMS: Final = {
    "no-such-match": "there is no such match",
    "unreadable-match": "this version of turncoat cannot read the match",
    "already-started": "there is a match with this id, or with its join code, already",
}


def _failed(why: str, code: int = 1) -> int:
    say(f"Error: {why}", trouble=True)
    return code


def _run() -> NoReturn:
    sys.exit(main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""))


if __name__ == "__main__":
    _run()
