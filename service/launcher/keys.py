"""The service's secrets, where nobody has set any: the keys that sign tokens, and what ids are derived from.

They are made once and kept in the data folder, so that a token is good for longer than the process that issued it, and
so that a creation that is repeated after a restart finds its match. A file holds what the setting would hold; an
operator can move its content there, or add a key to replace another.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from service.launcher import LaunchError
from service.setting_values import BadSetting, parse_id_secret, parse_token_keys

_PRIVATE = 0o600


def keep_token_keys(path: Path) -> str:
    """The keys in the file, in the form of the setting; the first time, keys are made.

    Raises:
        BadSetting: the file does not hold keys.
        LaunchError: the file cannot be read or written.
    """
    text = _keep(path, "token keys", lambda: f"{secrets.token_hex(4)}:{secrets.token_urlsafe(32)}")
    if not parse_token_keys(text, str(path)):
        raise BadSetting(
            f"{path}: there are no keys in it. Without the file, new ones are made; no old token is good then"
        )
    return text


def keep_id_secret(path: Path) -> str:
    """The secret for ids in the file; the first time, one is made.

    Raises:
        BadSetting: the file does not hold a secret.
        LaunchError: the file cannot be read or written.
    """
    text = _keep(path, "secret for ids", lambda: secrets.token_urlsafe(32))
    if parse_id_secret(text, str(path)) is None:
        raise BadSetting(
            f"{path}: there is no secret in it. Without the file, a new one is made; "
            "a match whose creation is repeated then may be created twice"
        )
    return text


def _keep(path: Path, what: str, make: Callable[[], str]) -> str:
    """What is in a file that only we may read, made if it is not there."""
    try:
        if not path.exists():
            _write(path, make())
        # Some volumes widen the modes of all files when they are mounted.
        path.chmod(_PRIVATE)
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LaunchError(f"the {what} in {path} cannot be kept: {error}") from error


def _write(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all, and that nobody else could read at any moment."""
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
