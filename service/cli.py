"""The command line: ``turncoat serve``, ``sweep``, ``verify``, ``export``, ``import`` and ``settings``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO, NoReturn

import click

from engine.catalogue import GAMES
from engine.replay import BadReplay, read
from engine.replay import verify as check
from service.launcher import LaunchError
from service.launcher.folder import url_of_running_store
from service.launcher.launcher import launch
from service.setting_checks import look
from service.setting_page import FORMS, rows
from service.settings import STORE_URL, BadSetting, Settings, absolute_files, read_settings, refuse, variable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="turncoat", message="%(prog)s %(version)s")
def main() -> None:
    """Turncoat hosts card games with hidden allegiances behind an HTTP API.

    \b
    To begin, with a store that it brings along:
      turncoat serve
      curl http://127.0.0.1:8080/v1/games

    Everything is set by environment variables; `turncoat settings` tells which there are, and what is wrong with those
    that are set.
    """  # noqa: D301  # click takes the escape for: do not wrap what follows


@main.command()
@click.option("--host", help="Address to listen on.  [TURNCOAT_HOST, else 127.0.0.1: this machine only]")
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one.  [TURNCOAT_PORT, else 8080]")
@click.option("--workers", type=int, help="Worker processes, about one per core.  [TURNCOAT_WORKERS, else 2]")
def serve(host: str | None, port: int | None, workers: int | None) -> None:
    """Serve the API until Ctrl-C.

    It says where it listens once it answers. The API's documentation is at /docs there.

    WHERE MATCHES ARE KEPT. Unless REDIS_URL names a Redis or Valkey, a store of its own is started, and ended with
    the service. Its data, and the secrets made for it, are in the folder .turncoat where the command is run
    (TURNCOAT_DATA), so matches and tokens outlast a restart. One server at a time can use a folder.

    \b
    SEVERAL MACHINES share one store and the same secrets:
      export REDIS_URL=redis://store.example:6379/0
      export TURNCOAT_TOKEN_KEYS=first:a-random-secret-of-32-characters-or-more
      export TURNCOAT_ID_SECRET=another-random-secret-of-32-characters-or-more
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
        settings, wrong = look()
        refuse(wrong)
        sys.exit(launch(settings))
    except BadSetting as error:
        _fail(error, 2)
    except LaunchError as error:
        _fail(error, 1)


@main.command()
@click.option("--interval", type=float, help="Seconds between two looks.  [TURNCOAT_SWEEP_INTERVAL, else 1]")
def sweep(interval: float | None) -> None:
    """Make overdue decisions until Ctrl-C, and serve nothing.

    In matches with a time for each decision, somebody has to notice when it is over. `turncoat serve` does that
    itself. Where it shall not, set TURNCOAT_SWEEP_INTERVAL=0 for it and run this beside it, with the same REDIS_URL and
    the same secrets. Several may run at once; one of them at a time does the work.
    """
    if interval is not None:
        os.environ[variable("sweep_interval")] = str(interval)
    settings, wrong = look()
    try:
        refuse(wrong)
    except BadSetting as error:
        _fail(error, 2)
    if settings.redis_url is None:
        _fail(BadSetting(f"{STORE_URL} is not set; where a store is embedded, turncoat serve sweeps itself"), 2)
    if not settings.sweep_interval:  # which is for the others
        os.environ[variable("sweep_interval")] = str(Settings.sweep_interval)
    os.environ.update(absolute_files(settings))
    _become("service.sweep")


# An id may begin with a dash, and then with the letter h.
@main.command(context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]})
@click.argument("match")
def export(match: str) -> None:
    """Write a match to standard output, as a file that `turncoat import` takes.

    MATCH is its id. The store is the one that REDIS_URL names, else the one that a running `turncoat serve` keeps
    in this folder (TURNCOAT_DATA).

    \b
      turncoat export MATCH > match.json

    THE FILE HOLDS ALL SECRETS of the match: hands, roles, the seed, and who sits where. Whoever has it can win.
    """  # noqa: D301  # click takes the escape for: do not wrap what follows
    _find_store()
    _become("service.transfer", "export", match)


@main.command("import")
@click.argument("file", type=click.File("rb"))
def import_(file: BinaryIO) -> None:
    """Put a match that was exported into the store.

    FILE is what `turncoat export` wrote; - reads it from standard input. The store is found as there.

    A match that is in the store is left as it is. What was played after the export is not in the file. The players
    go on with the tokens that they have, if this service has the keys that signed them; whoever is to decide has the
    whole time for it again; and the match is kept as long as one that was changed just now.
    """
    _find_store()
    os.dup2(file.fileno(), sys.stdin.fileno())
    _become("service.transfer", "import")


@main.command()
@click.argument("replay", type=click.File("rb"))
def verify(replay: BinaryIO) -> None:
    """Check a finished match.

    REPLAY is the file with the answer of GET /v1/matches/{match}/replay; - reads it from standard input:

    \b
      curl -s http://127.0.0.1:8080/v1/matches/MATCH/replay | turncoat verify -

    The commitment is checked, and the whole match is repeated: every shuffle, every move, what everybody was told,
    and the result. The first difference is named, by a JSON pointer, and the exit code is 1.
    """  # noqa: D301  # click takes the escape for: do not wrap what follows
    try:
        game, told = read(replay.read(), GAMES)
        check(game, told)
    except BadReplay as error:
        _fail(error, 1)
    else:
        click.echo(
            f"Confirmed: match {told.match} of {game.id} was committed to its seed, "
            f"and its {len(told.moves)} moves and {len(told.events)} events follow from it."
        )


@main.command("settings")
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)), default="text", help="For a person, the README or a program."
)
def settings_(form: str) -> None:
    """Print every setting: its default, its meaning, and what it is set to here.

    Secrets are not shown; that they are set is. So is what is wrong with a setting, as `turncoat serve` would refuse it
    where this is run, and the exit code is 2 then: a way to check a configuration before it is used.

    \b
      turncoat settings | less
      env $(cat production.env) turncoat settings > /dev/null && echo fine
    """  # noqa: D301  # click takes the escape for: do not wrap what follows
    settings, wrong = look()
    click.echo(FORMS[form](rows(settings, wrong)))
    for complaint in wrong:
        click.echo(f"Error: {complaint.message}", err=True)
    sys.exit(2 if wrong else 0)


def _find_store() -> None:
    """Have the process that comes next find the store that a running server keeps, if no other is named."""
    try:
        settings = read_settings()
    except BadSetting as error:
        _fail(error, 2)
    if settings.redis_url is None:
        url = url_of_running_store(settings.data)
        if url is None:
            _fail(BadSetting(f"{STORE_URL} is not set, and no turncoat serve runs on {settings.data.absolute()}"), 2)
        os.environ[STORE_URL] = url
    os.environ.update(absolute_files(settings))


def _become(module: str, *arguments: str) -> NoReturn:
    """Become a process that may import the application.

    The folder that the packages are in comes first on its path, whatever lies where the operator is.
    """
    os.chdir(Path(__file__).parents[1])
    os.execv(sys.executable, [sys.executable, "-m", module, *arguments])  # noqa: S606  # this is the operator's own


def _fail(error: Exception, code: int) -> NoReturn:
    for line in str(error).splitlines():
        click.echo(f"Error: {line}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
