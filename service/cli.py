"""The command line: ``turncoat serve``."""

from __future__ import annotations

import os
import sys

import click

from service.launcher import LaunchError
from service.launcher.launcher import launch
from service.settings import BadSetting, read_settings, variable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Turncoat hosts card games with hidden allegiances behind an HTTP API."""


@main.command()
@click.option("--host", help="Address to listen on.  [TURNCOAT_HOST, else 127.0.0.1: this machine only]")
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one.  [TURNCOAT_PORT, else 8080]")
@click.option("--workers", type=int, help="Worker processes, about one per core.  [TURNCOAT_WORKERS, else 2]")
def serve(host: str | None, port: int | None, workers: int | None) -> None:
    """Serve the API until Ctrl-C.

    It says where it listens once it answers. The API's documentation is at /docs there.

    WHERE MATCHES ARE KEPT. Unless REDIS_URL names a Redis or Valkey, a store of its own is started, and ended with
    the service. Its data, and the keys that sign the players' tokens, are in the folder .turncoat where the command is
    run (TURNCOAT_DATA), so matches and tokens outlast a restart. One server at a time can use a folder.

    \b
    SEVERAL MACHINES share one store and the same keys:
      export REDIS_URL=redis://store.example:6379/0
      export TURNCOAT_TOKEN_KEYS=first:a-long-random-secret-of-32-characters-or-more
      turncoat serve --host 0.0.0.0

    HOW IT ENDS. Ctrl-C or SIGTERM lets the requests that run finish; a second Ctrl-C does not.

    Every option is a setting too, and there are more settings than options: all are environment variables, and one
    that is misspelt is refused.
    """  # noqa: D301  # click takes the escape for: do not wrap what follows
    for name, value in {"host": host, "port": port, "workers": workers}.items():
        if value is not None:
            # The workers read their settings from the environment.
            os.environ[variable(name)] = str(value)
    try:
        sys.exit(launch(read_settings()))
    except BadSetting as error:
        _fail(error, 2)
    except LaunchError as error:
        _fail(error, 1)


def _fail(error: Exception, code: int) -> None:
    click.echo(f"Error: {error}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
