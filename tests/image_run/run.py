"""Build the container image without an engine, and hold it to what it promises.

The steps of the Dockerfile are run by buildah, on a root that mmdebstrap makes of Debian's packages, and what comes out
is run by runc. Needs root, those programs, and the package registries; from the moment when the wheels are there, the
network is cut off.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "openapi"))

from image_run import planting, playing, rules, stand_in, wheels
from image_run.building import Images
from image_run.commands import Unable, look_for_programs, run
from image_run.judging import config_findings, root_findings
from image_run.report import Report

ROOT = Path(__file__).parents[2]
BASE, IMAGE = "localhost/base", "localhost/turncoat"

_CLONE_NEWNET = 0x40000000
_WHEELS_ONLY = "[global]\nno-index = true\nfind-links = /mnt\n"
_LARGEST = 350
"""MB that the image may have, unpacked."""


def read(report: Report) -> None:
    """Judge what can be judged without building anything."""
    report.step("reading the Dockerfile")
    text, version = rules.DOCKERFILE.read_text(), rules.project_version()
    report.check("the Dockerfile keeps the rules of the house", rules.dockerfile_findings(text, version))
    report.check(".dockerignore keeps out all but what belongs", rules.ignore_findings(rules.DOCKERIGNORE.read_text()))
    report.check("hadolint finds nothing", rules.lint_findings(rules.DOCKERFILE))


def cut_off() -> None:
    """Leave this process and its children no network but a loopback of their own."""
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET):
        raise Unable(f"no network of its own for this process: {os.strerror(ctypes.get_errno())}")
    run("ip", "link", "set", "lo", "up")


class Building:
    """The image, from its wheels to its run.

    Args:
        folder: for all that is made.
        report: what is told.
    """

    def __init__(self, folder: Path, report: Report) -> None:
        pinned = rules.PINNED.fullmatch(rules.base(rules.DOCKERFILE.read_text()))
        if pinned is None:
            raise Unable("without a pinned base there is nothing to build on")
        self._python, self._suite = pinned["python"], pinned["suite"]
        self._version = rules.project_version()
        self._locked = wheels.versions(wheels.LOCK.read_text(), self._python, wheels.here())
        self._folder = folder
        self._report = report
        self._images = Images(folder)
        self._wheels = folder / "wheels" / wheels.here()
        self._options = ("--build-arg", f"BASE={BASE}", "--secret", f"id=pip.conf,src={folder / 'pip.conf'}")

    def fetch(self, keep: Path | None) -> None:
        """Download all that is needed: the wheels for both architectures, and a stand-in for the base."""
        for machine in wheels.MACHINES:
            self._report.step(f"downloading the wheels for {machine}")
            count = wheels.fetch(self._folder / "wheels" / machine, self._python, machine)
            what = f"{count} wheels for {machine} and Python {self._python}, each with a hash of the lock file"
            self._report.check(what)
        if keep is not None and keep.exists():
            shutil.copytree(keep, self._folder / "base")
            return
        self._report.step(f"making a stand-in for the base, of Debian {self._suite}")
        stand_in.make(self._folder / "base", self._suite, self._python)
        if keep is not None:
            shutil.copytree(self._folder / "base", keep)

    def build(self) -> None:
        """Carry out the Dockerfile, with nothing but the work tree, the base and the wheels."""
        (self._folder / "pip.conf").write_text(_WHEELS_ONLY)
        self._report.step("building the base")
        self._images.build(BASE, self._folder / "base", self._folder / "base" / "Dockerfile")
        self._report.step("building the image, without network")
        self._images.build(IMAGE, ROOT, rules.DOCKERFILE, *self._options, "--volume", f"{self._wheels}:/mnt:ro")
        self._report.check("every step of the Dockerfile was carried out")
        let_in = planting.context_findings(self._images, self._folder / "tree")
        self._report.check(".dockerignore keeps secrets and strangers from a build", let_in)

    def look(self) -> None:
        """Judge the image, at rest and running."""
        self._report.step("looking at the image")
        config = self._images.config(IMAGE)
        what = "user, entry point, health check, signal, port and labels are declared"
        self._report.check(what, config_findings(config, self._version))
        with self._images.root(IMAGE) as root:
            what = "only locked packages, no tools, no rights, nothing from the work tree, all of it compiled"
            self._report.check(what, root_findings(root, self._locked, self._version))
            size, ours = _megabytes(root), _megabytes(root / "opt/turncoat")
            self._report.check(
                f"{size} MB, {ours} MB of them in /opt/turncoat", [] if size < _LARGEST else ["too large"]
            )
            self._report.step("running it: read-only, without capabilities")
            trial = playing.Trial(self._folder, root, config, self._report)
            trial.commands()
            trial.health()
            with playing.store(self._folder / "store"):
                trial.serve()
                trial.sweep()

    def plant(self) -> None:
        """See that the check finds what it is for."""
        self._report.step("planting faults")
        count, missed = planting.plant(self._images, IMAGE, self._folder / "planted", self._locked, self._version)
        self._report.check(f"{count} planted faults are found in an image", missed)
        taken = planting.other_wheels(self._images, ROOT, self._wheels, self._folder / "other", *self._options)
        self._report.check("a wheel that is not the one that was locked stops the build", taken)


def _megabytes(folder: Path) -> int:
    return int(run("du", "--summarize", "--block-size=1000000", folder).stdout.split()[0])


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What to do."""
    parser = argparse.ArgumentParser(prog="make image-check IMAGE_ARGS=", description=__doc__)
    parser.add_argument("--base", type=Path, help="folder to keep the stand-in in, and to take it from the next time")
    return parser.parse_args(given)


def main() -> int:
    """Check all; 1 if anything is at fault, 2 if the check cannot be made, 130 after an interruption."""
    options, report = arguments(), Report()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="turncoat-image-") as folder:
        try:
            read(report)
            look_for_programs()
            building = Building(Path(folder), report)
            building.fetch(options.base)
            cut_off()
            building.build()
            building.look()
            building.plant()
        except Unable as error:
            print(error, file=sys.stderr)
            return 2
        except AssertionError as error:  # what the tests' own clients and containers say of what they met
            report.check("the run", [str(error)])
        except KeyboardInterrupt:
            print("\ninterrupted", file=sys.stderr)
            return 130
    return report.conclude()


if __name__ == "__main__":
    sys.exit(main())
