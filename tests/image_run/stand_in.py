"""A stand-in for the base image, made of Debian's packages: the same system, and Python in the same place.

Python's own images have it in /usr/local, built from source, with pip and uncompiled. Debian's is moved there; it finds
its library by where it lies itself. So what the Dockerfile does to it is done to the same files.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from image_run.commands import run

PACKAGES = ("ca-certificates", "netbase", "tzdata")
"""What Python's slim images have besides Python."""

_DOCKERFILE = """
FROM scratch
ADD root.tar /
ENV PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin
CMD ["python3"]
"""


def make(folder: Path, suite: str, python: str) -> Path:
    """Make a context to build the stand-in from.

    Args:
        folder: where; must not be there.
        suite: of Debian, such as ``trixie``.
        python: its version there, such as ``3.13``.
    """
    root = folder / "root"
    folder.mkdir()
    run(
        *("mmdebstrap", "--quiet", "--variant=minbase", "--format=directory"),
        f"--include={','.join((f'python{python}', f'python{python}-venv', *PACKAGES))}",
        *(f"--dpkgopt=path-exclude=/usr/share/{kind}/*" for kind in ("doc", "man", "locale", "info")),
        *("--dpkgopt=force-unsafe-io", suite, root),
    )
    _move_python(root, python)
    run("tar", "--create", "--file", folder / "root.tar", "--directory", root, ".")
    shutil.rmtree(root)
    (folder / "Dockerfile").write_text(_DOCKERFILE)
    return folder


def _move_python(root: Path, python: str) -> None:
    programs, library = root / "usr/local/bin", root / f"usr/local/lib/python{python}"
    shutil.rmtree(library, ignore_errors=True)
    shutil.move(root / f"usr/lib/python{python}", library)
    shutil.move(root / f"usr/bin/python{python}", programs / f"python{python}")
    (programs / "python3").symlink_to(f"python{python}")
    (programs / "python").symlink_to("python3")
    for name in ("EXTERNALLY-MANAGED", "sitecustomize.py"):
        (library / name).unlink(missing_ok=True)
    _move_pip(root, programs, library)
    for folder in list(root.glob("usr/local/**/__pycache__")):
        shutil.rmtree(folder)


def _move_pip(root: Path, programs: Path, library: Path) -> None:
    """Install pip from the wheel that Debian has of it. Debian's Python looks for packages under a name of its own."""
    packages, bundled = library / "site-packages", library / "ensurepip/_bundled"
    packages.mkdir()
    bundled.mkdir(parents=True, exist_ok=True)
    (library / "dist-packages").symlink_to("site-packages")
    for wheel in (root / "usr/share/python-wheels").glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(packages)
        shutil.move(wheel, bundled)
    for name in ("pip", "pip3"):
        (programs / name).write_text("#!/usr/local/bin/python3\nfrom pip._internal.cli.main import main\nmain()\n")
        (programs / name).chmod(0o755)
