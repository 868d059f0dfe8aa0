"""Images, built and looked at by buildah: without an engine, and with chroot where others have containers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from image_run.commands import run


class Images:
    """Images in a folder of their own, which nobody else uses."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._buildah = ("buildah", "--root", folder / "images", "--runroot", folder / "run", "--storage-driver", "vfs")

    def build(self, name: str, context: Path, dockerfile: Path, *options: str | Path) -> None:
        """Build an image in Docker's format; that of OCI has no health check.

        Raises:
            Unable: a step failed.
        """
        run(
            *(*self._buildah, "build", "--quiet", "--isolation", "chroot", "--format", "docker", "--pull-never"),
            *("--file", dockerfile, "--tag", name, *options, context),
        )

    def config(self, name: str) -> dict[str, Any]:
        """The configuration of an image, as Docker has it."""
        said = run(*self._buildah, "inspect", "--type", "image", name).stdout
        config: dict[str, Any] = json.loads(said)["Docker"]["config"]
        return config

    @contextmanager
    def root(self, name: str) -> Iterator[Path]:
        """The root of a container made of an image."""
        container = run(*self._buildah, "from", "--pull-never", name).stdout.strip()
        try:
            yield Path(run(*self._buildah, "mount", container).stdout.strip())
        finally:
            run(*self._buildah, "umount", container)
            run(*self._buildah, "rm", container)
