"""What the pages for people refer to is there: files, chapters, commands."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md"), *(ROOT / "k8s").rglob("*.md")]
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MAKE = re.compile(r"(?:`|^\s*)(?:\w+=\S+ )*make ([a-z][a-z0-9-]*)", flags=re.MULTILINE)
MADE = {ROOT / "bench/results.md"}
"""What a command writes when it is run."""
TOPICS = "What is on this page"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def commands(page: Path) -> set[str]:
    """What a page has its readers make: in blocks, in lines that are indented, and between backticks."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```\w*\n(.*?)^ *```$|(`[^`\n]+`)|^( {4}\S.*)$", text, flags=re.DOTALL | re.MULTILINE)
    return set(MAKE.findall("\n".join(map("".join, blocks))))


def targets() -> set[str]:
    """The commands of the Makefile."""
    return set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """The chapters of a page, as links name them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@every_page
def test_links_lead_somewhere(page: Path):
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, chapter = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists() or target in MADE, f"{link} leads nowhere"
        if chapter:
            assert chapter in anchors(target), f"{link}: there is no such chapter"


@every_page
def test_commands_are_there(page: Path):
    assert not commands(page) - targets(), "the Makefile has no such command"


def test_commands_of_pages_are_found():
    """Else the test before would look at nothing."""
    assert {"secrecy", "faults", "compare", "image-check"} <= commands(ROOT / "docs/releasing.md")
    assert {"test", "lint", "random-play", "secrecy"} <= commands(ROOT / "CONTRIBUTING.md")


def test_the_makefile_tells_of_all_its_commands():
    told = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^  make (\S+)", told, flags=re.MULTILINE)) == targets() - {"all"}


def test_the_page_for_operators_says_what_is_on_it():
    """In the order in which it comes."""
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    chapters = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    (contents,) = re.findall(rf"^## {TOPICS}$(.*?)^## ", text, flags=re.MULTILINE | re.DOTALL)
    assert [TOPICS, *re.findall(r"^\s*- \[([^\]]+)\]\(#", contents, flags=re.MULTILINE)] == chapters


def test_every_release_is_in_the_changelog_and_has_its_contract():
    """The newest one is the project's version, or that has been raised for the next."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$", text, flags=re.MULTILINE)
    assert len(versions) == len(re.findall(r"^## (?!Unreleased$)", text, flags=re.MULTILINE)), "each has its date"
    kept = {file.stem for file in (ROOT / "openapi/released").glob("*.yaml")}
    assert set(versions) <= kept
    with (ROOT / "pyproject.toml").open("rb") as file:
        present = tomllib.load(file)["project"]["version"]
    ordered = sorted({*versions, present}, key=lambda version: [int(number) for number in version.split(".")])
    assert ordered[::-1] == list(dict.fromkeys([present, *versions]))
