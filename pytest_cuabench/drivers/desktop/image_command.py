"""`cuabench image`: build the images of desktops in containers and virtual machines."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import NAME, cache
from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.task.library import ENVIRONMENTS

HELP = "Build the desktop images for containers, virtual machines or both, from Debian packages."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("kinds", nargs="+", choices=("docker", "vm"), help="docker, vm or both")
    parser.add_argument(
        "--with",
        dest="groups",
        metavar="LIST",
        help="only these applications, such as kalgebra,texstudio (default: all of packages.txt)",
    )
    parser.add_argument("--name", default=NAME, help="name of the image (default: %(default)s)")
    parser.add_argument(
        "--folder", type=Path, default=None, help=f"folder for virtual machines (default: {cache()})"
    )


def run(options: argparse.Namespace) -> int:
    """Run the desktop world's image builder, which prints its own progress.

    Raises:
        CuabenchError: The image could not be built.
    """
    folder: Path = options.folder or cache()
    chosen = [] if options.groups is None else [f"--with={options.groups}"]
    desktop = ENVIRONMENTS / "desktop"
    done = subprocess.run(  # noqa: S603 - a program of ours
        (
            *(sys.executable, "-m", "image", *options.kinds, *chosen),
            *("--name", options.name, "--folder", str(folder.absolute())),
        ),
        cwd=desktop,
        env={**os.environ, "PYTHONPATH": str(desktop), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
    )
    if done.returncode == 1:
        raise CuabenchError("no image was built; see the line above")
    return done.returncode
