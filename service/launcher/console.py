"""What the launcher says to the person who started it."""

from __future__ import annotations

import os
import sys

import click


def say(text: str, *, trouble: bool = False) -> None:
    """Print a line, on standard error if it tells of trouble.

    The terminal may be gone, or the reader of a pipe; the service goes on, or ends in good order, without them.
    """
    try:
        click.echo(text, err=trouble)
    except OSError:
        # What could not be written would be tried once more at the end of the process, and fail again.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, (sys.stderr if trouble else sys.stdout).fileno())
        os.close(nowhere)
