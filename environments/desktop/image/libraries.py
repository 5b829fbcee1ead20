"""The guest's own code and the Python libraries that it needs, for the Python of the image."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from image.bootstrap import PYTHON
from image.tools import run

DESKTOP = Path(__file__).parent.parent  # environments/desktop
TOOLS = "tools"  # below the libraries; `guest/tools.py` looks there
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input")
BINARY = ("--only-binary=:all:", "--python-version", PYTHON)
_SOURCE_ONLY = ("xcffib",)  # published without a wheel, but pure Python: one built here runs there


def requirements(key: str = "requires") -> tuple[str, ...]:
    """Return what the guest needs, or what programs inside a desktop do (`tools`), as `environment.toml` says."""
    return tuple(tomllib.loads((DESKTOP / "environment.toml").read_text(encoding="utf-8"))[key])


def collect(site: Path, log: Path) -> None:
    """Put the guest's libraries into a folder.

    Raises:
        BuildError: pip cannot get one.
    """
    wheels = site.with_name("wheels")
    needed = requirements()
    by_hand = [one for one in needed if one.startswith(_SOURCE_ONLY)]
    run((*PIP, "wheel", "--no-deps", "--wheel-dir", wheels, *by_hand), log)
    run((*PIP, "install", "--target", site, "--find-links", wheels, *BINARY, *needed), log)
    tools = site / TOOLS
    run((*PIP, "install", "--no-deps", "--target", tools / "python", *requirements("tools")), log)
    (tools / "bin").mkdir()
    (tools / "bin" / "python").symlink_to("/usr/bin/python3")


def collect_applications(folder: Path, wanted: Mapping[str, Sequence[str]], log: Path) -> None:
    """Put what does not come from Debian into a folder for each application.

    Raises:
        BuildError: pip cannot get it.
    """
    folder.mkdir()
    for name, needed in wanted.items():
        run((*PIP, "install", "--target", folder / name, *BINARY, *needed), log)


def code_digest() -> str:
    """Return a digest of what `copy_code` copies; the driver knows it by the same sum."""
    digest = hashlib.sha256()
    for name in ("guest", "vm"):
        for file in sorted((DESKTOP / name).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(DESKTOP).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def copy_code(target: Path) -> None:
    """Copy the guest and the virtual machine's scripts, and nothing that was made from them."""
    for name in ("guest", "vm"):
        shutil.copytree(DESKTOP / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
