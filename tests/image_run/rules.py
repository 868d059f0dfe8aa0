"""What the Dockerfile and .dockerignore have to say, judged by their text alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "Dockerfile"
DOCKERIGNORE = ROOT / ".dockerignore"

PINNED = re.compile(r"[\w./-]+:(?P<python>\d+\.\d+)\.\d+-slim-(?P<suite>\w+)@sha256:[0-9a-f]{64}")
"""An image by a whole version and by its digest, which are the same for all architectures."""

LABELS = {f"org.opencontainers.image.{name}" for name in ("title", "description", "licenses", "version", "revision")}
CONTEXT = {"pyproject.toml", "requirements.txt", "README.md", "LICENSE", "engine", "service"}
"""All that the image may be made of."""

_INSTALLS = re.compile(r"\b(pip3?|uv)\b.* (install|download|wheel)\b")
_FETCHES = re.compile(r"\b(apt|apt-get|apk|dnf|npm|curl|wget|git|gcc|g\+\+|make|build-essential)\b")
_ARCHITECTURES = re.compile(r"amd64|arm64|aarch64|x86_64|TARGETARCH|TARGETPLATFORM|--platform", re.IGNORECASE)
_SECRETS = re.compile(r"^(REDIS_URL|\w*(SECRET|PASSWORD|TOKEN|KEY)\w*)", re.MULTILINE)
_DECLARATIONS = {
    "ENTRYPOINT": ["turncoat"],
    "CMD": ["serve"],
    "HEALTHCHECK": ["python", "-m", "service.probe"],
}


@dataclass
class Stage:
    """What comes after a FROM: pairs of an instruction and its value."""

    base: str
    name: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def all(self, instruction: str) -> list[str]:
        """The values of every such instruction."""
        return [value for name, value in self.instructions if name == instruction]

    def last(self, instruction: str) -> str:
        """The value of the one that counts; empty if there is none."""
        return (self.all(instruction) or [""])[-1]

    def commands(self) -> list[str]:
        """The shell's commands, one by one."""
        return [part.strip() for run in self.all("RUN") for part in re.split(r"&&|\|\||;|\|", run)]


def structure(text: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, comments left out."""
    parsed = DockerfileParser(fileobj=BytesIO(text.encode())).structure
    return [(entry["instruction"], entry["value"]) for entry in parsed if entry["instruction"] != "COMMENT"]


def stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile."""
    found: list[Stage] = []
    for instruction, value in structure(text):
        if instruction == "FROM":
            base, _, name = re.sub(r"--\S+\s+", "", value).partition(" AS ")
            found.append(Stage(base.strip(), name.strip()))
        elif found:
            found[-1].instructions.append((instruction, value))
    return found


def base(text: str) -> str:
    """The image that the build begins with, as the argument BASE names it."""
    for instruction, value in structure(text):
        if instruction == "ARG" and value.startswith("BASE="):
            return value.removeprefix("BASE=")
    return ""


def dockerfile_findings(text: str, version: str) -> list[str]:
    """What is wrong with a Dockerfile of this version of the project."""
    parts = stages(text)
    if len(parts) < 2:
        return ["there is only one stage, so what builds the image is in it"]
    return [*_of_bases(text, parts), *_of_all_stages(text, parts), *_of_the_image(parts[-1], version)]


def _of_bases(text: str, parts: list[Stage]) -> Iterator[str]:
    if not PINNED.fullmatch(base(text)):
        yield f"the base is not pinned by version and digest: {base(text) or 'no ARG BASE'}"
    yield from (f"a stage has another base: {stage.base}" for stage in parts if stage.base != "${BASE}")
    if text.lstrip().startswith("# syntax"):
        yield "a syntax line fetches what reads the Dockerfile, unpinned"


def _of_all_stages(text: str, parts: list[Stage]) -> Iterator[str]:
    for stage in parts:
        for command in stage.commands():
            if _INSTALLS.search(command) and not re.search(r"--require-hashes|--no-index", command):
                yield f"installs what is not locked: {command}"
            if _FETCHES.search(command):
                yield f"needs more than wheels: {command}"
        yield from (f"COPY and not ADD: {value}" for value in stage.all("ADD"))
        for copied in stage.all("COPY"):
            if not copied.startswith("--from=") and not set(copied.split()[:-1]) <= CONTEXT:
                yield f"copies what does not belong into the image: {copied}"
        for instruction in ("ENV", "ARG"):
            for value in stage.all(instruction):
                yield from (f"a secret in the image: {name[1]}" for name in _SECRETS.finditer(_one_per_line(value)))
    for found in _ARCHITECTURES.finditer(re.sub(r"(?m)^#.*", "", text)):
        yield f"names an architecture: {found[0]}"


def _of_the_image(image: Stage, version: str) -> Iterator[str]:
    yield from (f"installs something in the final stage: {c}" for c in image.commands() if _INSTALLS.search(c))
    if not re.fullmatch(r"[1-9]\d*:[1-9]\d*", image.last("USER")):
        yield f"USER is not a number that is not root's: {image.last('USER') or 'nobody'}"
    for instruction, wanted in _DECLARATIONS.items():
        if _exec_form(image.last(instruction)) != wanted:
            yield f"{instruction} is not {json.dumps(wanted)}: {image.last(instruction) or 'missing'}"
    for instruction, value in {"STOPSIGNAL": "SIGTERM", "EXPOSE": "8080"}.items():
        if image.last(instruction) != value:
            yield f"{instruction} is not {value}: {image.last(instruction) or 'missing'}"
    labels = set(re.findall(r"([\w.]+)=", " ".join(image.all("LABEL"))))
    yield from (f"there is no label {label}" for label in sorted(LABELS - labels))
    if f"VERSION={version}" not in image.all("ARG"):
        yield f"ARG VERSION is not the project's, {version}"
    yield from (f"a volume; the service keeps nothing: {value}" for value in image.all("VOLUME"))


def _one_per_line(assignments: str) -> str:
    return re.sub(r"\s+", "\n", assignments)


def _exec_form(value: str) -> list[str] | None:
    """The words of a command that no shell reads; after CMD and options, as HEALTHCHECK has them."""
    command = re.sub(r"^(--\S+\s+)*(CMD\s+)?", "", value)
    try:
        words: list[str] = json.loads(command)
    except ValueError:
        return None
    return words


def ignore_findings(text: str) -> list[str]:
    """What is wrong with a .dockerignore: what does not belong must stay out, hidden files too."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    let_in = {line.removeprefix("!").strip("/") for line in lines if line.startswith("!")}
    findings = [] if lines[:1] == ["*"] else ["it does not begin by keeping everything out"]
    findings += [f"it lets in {name}" for name in sorted(let_in - CONTEXT)]
    findings += [f"it keeps out {name}" for name in sorted(CONTEXT - let_in)]
    after = lines[max((at for at, line in enumerate(lines) if line.startswith("!")), default=0) + 1 :]
    findings += [f"it does not keep out {name} at the end" for name in ("**/.*", "**/__pycache__") if name not in after]
    return findings


def project_version() -> str:
    """The version of this project."""
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return version


def lint_findings(dockerfile: Path) -> list[str]:
    """What hadolint does not like."""
    program = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([program, "--no-color", dockerfile], capture_output=True, text=True, check=False)
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]
