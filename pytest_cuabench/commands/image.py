"""`cuabench image`: build what desktops in containers and virtual machines are made from."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import NAME, cache
from pytest_cuabench.errors import CuabenchError
from pytest_cuabench.library import ENVIRONMENTS

HELP = "Build the image of desktops from Debian packages: for containers, for virtual machines, or for both."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which kinds, with which applications, and under which name."""
    parser.add_argument("kinds", nargs="+", choices=("docker", "vm"), help="docker, vm, or both")
    parser.add_argument(
        "--with",
        dest="groups",
        metavar="LIST",
        help="only these applications, such as kalgebra,texstudio (default: all of packages.txt)",
    )
    parser.add_argument("--name", default=NAME, help="what the image is called (default: %(default)s)")
    parser.add_argument(
        "--folder", type=Path, default=None, help=f"where virtual machines are put (default: {cache()})"
    )


def run(options: argparse.Namespace) -> int:
    """Run the builder, which says itself what it does; it is a program of the desktop's world.

    Raises:
        CuabenchError: It could not build what was asked for.
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
        raise CuabenchError("nothing was built; the line above says why")
    return done.returncode
