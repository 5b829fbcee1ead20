"""`cuabench image`: build images from Debian packages: of desktops, and of this plugin for clusters."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

from pytest_cuabench.drivers.desktop.images import NAME, cache
from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.task.library import ROOT
from pytest_cuabench.task.worlds import world_folder

HELP = "Build images from Debian packages: desktops for containers and virtual machines, or this plugin for clusters."
PLUGIN, _PLUGIN_NAME = "plugin", "cuabench-plugin"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "kinds", nargs="+", choices=("docker", "vm", PLUGIN), help="docker, vm or both; or plugin"
    )
    parser.add_argument(
        "--with",
        dest="groups",
        metavar="LIST",
        help="only these applications, such as kalgebra,texstudio (default: all of packages.txt; none for plugin)",
    )
    parser.add_argument(
        "--name", "--tag", help=f"name of the image (default: {NAME}, or {_PLUGIN_NAME} for plugin)"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        default=None,
        help=f"folder for virtual machines and the log (default: {cache()})",
    )
    parser.add_argument(
        "--extras",
        metavar="LIST",
        default="",
        help="plugin: its extras, such as anthropic,s3 (default: none)",
    )
    parser.add_argument(
        "--suite",
        type=Path,
        nargs="+",
        action="extend",
        default=[],
        metavar="PATH",
        help="plugin: suites and other files below the current folder, at the same places in the image",
    )


def run(options: argparse.Namespace) -> int:
    """Run the desktop world's image builder, which prints its own progress.

    Raises:
        SettingError: The arguments do not fit.
        CuabenchError: The image could not be built.
    """
    folder: Path = options.folder or cache()
    chosen = [] if options.groups is None else [f"--with={options.groups}"]
    name = options.name or (_PLUGIN_NAME if PLUGIN in options.kinds else NAME)
    desktop = world_folder("desktop", None)
    done = subprocess.run(  # noqa: S603 - a program of ours
        (
            *(sys.executable, "-m", "image", *options.kinds, *chosen, *_plugin(options)),
            *("--name", name, "--folder", str(folder.absolute())),
        ),
        # `-m` would look into the current folder first, where a module may be called `image`, too.
        env={**os.environ, "PYTHONPATH": str(desktop), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"},
        check=False,
    )
    if done.returncode == 1:
        raise CuabenchError("no image was built; see the line above")
    return done.returncode


def _plugin(options: argparse.Namespace) -> list[str]:
    """Return what the builder is told of the plugin's image."""
    extras = [extra for extra in options.extras.split(",") if extra]
    if options.kinds != [PLUGIN]:
        if PLUGIN in options.kinds:
            raise SettingError(
                "plugin cannot be built together with docker or vm; type: cuabench image plugin"
            )
        if extras or options.suite:
            raise SettingError(
                "--extras and --suite are for the plugin's image; type: cuabench image plugin ..."
            )
        return []
    about = metadata("pytest-cuabench")
    known = about.get_all("Provides-Extra") or []
    if unknown := [extra for extra in extras if extra not in known]:
        raise SettingError(
            f"--extras: no extra is named {', '.join(unknown)}; choose from {', '.join(known)}"
        )
    here = Path.cwd().resolve()
    suites: list[str] = []
    for path in options.suite:
        found = path.resolve()
        if not found.exists():
            raise SettingError(f"--suite: there is no {path}; name a folder or file below {here}")
        if not found.is_relative_to(here) or found == here:
            raise SettingError(f"--suite: {path} is not below the current folder; change to one above it")
        suites.append(str(found.relative_to(here)))
    checkout = (ROOT / "pyproject.toml").is_file()
    source = str(ROOT) if checkout else f"pytest-cuabench=={about['Version']}"
    return [f"--plugin={source}", "--extras", *extras, "--suite", *suites]
