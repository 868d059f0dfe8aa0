"""The keys that sign tokens, where nobody has set any.

They are made once and kept in the data folder, so that a token is good for longer than the process that issued it.
The file holds what the setting would hold; an operator can move its content there, or add a key to replace another.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from service.launcher import LaunchError
from service.settings import BadSetting, parse_token_keys

_PRIVATE = 0o600


def keep_token_keys(path: Path) -> str:
    """The keys in the file, in the form of the setting; the first time, keys are made.

    Raises:
        BadSetting: the file does not hold keys.
        LaunchError: the file cannot be read or written.
    """
    try:
        if not path.exists():
            _write(path, f"{secrets.token_hex(4)}:{secrets.token_urlsafe(32)}")
        # Some volumes widen the modes of all files when they are mounted.
        path.chmod(_PRIVATE)
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise LaunchError(f"the token keys in {path} cannot be kept: {error}") from error
    if not parse_token_keys(text, str(path)):
        raise BadSetting(
            f"{path}: there are no keys in it. Without the file, new ones are made; no old token is good then"
        )
    return text


def _write(path: Path, text: str) -> None:
    """Write a file that is there as a whole or not at all, and that nobody else could read at any moment."""
    draft = path.with_name(f"{path.name}.draft")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
