"""The source of the table: its types, its style, its size, and that what is served was built from it."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path

import pytest
from support.tools import node_tool

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "examples" / "table"
BUILT = ROOT / "service" / "table" / "static"
MOST_BYTES = 60_000


@pytest.fixture(scope="module")
def _types():
    """The contract in TypeScript."""
    options = ["--default-non-nullable", "false", "--output", "src/api/contract.ts"]
    run("openapi-typescript", "../../openapi/openapi.yaml", *options)


def run(tool: str, *arguments: str) -> None:
    done = subprocess.run(
        [node_tool(SOURCE, tool), *arguments], cwd=SOURCE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("_types")
def test_the_types_are_right():
    run("tsc")


@pytest.mark.usefixtures("_types")
def test_the_linter_finds_nothing():
    run("eslint", "--max-warnings", "0", ".")


def test_nothing_is_any():
    for file in sorted((SOURCE / "src").rglob("*.ts*")):
        if file.name != "contract.ts":
            assert not re.search(r"\bany\b(?=[\[\],;)>|&]| =)|: any\b|eslint-disable|@ts-", file.read_text()), file


@pytest.mark.usefixtures("_types")
def test_what_is_served_was_built_from_this_source(tmp_path: Path):
    """Byte for byte; else `make table` was forgotten."""
    run("vite", "build", "--outDir", str(tmp_path / "built"), "--emptyOutDir")
    assert contents(tmp_path / "built") == contents(BUILT)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_it_is_small():
    assert sum(len(gzip.compress(content)) for content in contents(BUILT).values()) < MOST_BYTES


def test_it_names_no_other_host():
    """Not even in a comment of a library; the name of a namespace is no address that anybody asks."""
    for name, content in contents(BUILT).items():
        hosts = set(re.findall(rb"https?://([^/\"'`\s]+)", content))
        assert hosts <= {b"www.w3.org"}, name
