"""Building wheels, installing them without a network, and running programs that do not see this checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PARTS = sorted(file.parent for file in (ROOT / "wheels").glob("*/pyproject.toml"))


def run(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a program without what the environment says of Python."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    return subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=check)


def build(source: Path, folder: Path) -> Path:
    """Build a wheel with the hatchling that is installed here; no network is needed."""
    run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder),
        source,
        cwd=folder,
    )
    return next(folder.glob("*.whl"))


def install(folder: Path, *wheels: Path) -> Path:
    """Return the Python of a new environment with these wheels and what they ask for, and nothing else of this one."""
    run(sys.executable, "-m", "venv", "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", *wheels, cwd=folder)
    site = next((folder / "venv" / "lib").glob("python*/site-packages"))
    ours = {found.name: found for found in distributions(path=[str(site)]) if found.name != "pip"}
    for found in closure(ours, (Requirement(name) for name in ours if name.startswith("pytest-cuabench"))):
        if found.name not in ours:
            _link(found, site)
    return python


def closure(ours: dict[str, Distribution], wanted: Iterable[Requirement]) -> list[Distribution]:
    """Return the packages that requirements lead to; those that are not `ours` have to be installed here."""
    found: dict[tuple[str, str], Distribution] = {}
    left = list(wanted)
    while left:
        one = left.pop()
        for extra in ("", *one.extras):
            if (one.name, extra) not in found:
                package = found[one.name, extra] = ours.get(one.name) or distribution(one.name)
                left += _required(package, extra)
    return list({package.name: package for package in found.values()}.values())


def _required(package: Distribution, extra: str) -> Iterator[Requirement]:
    for text in package.requires or ():
        one = Requirement(text)
        if one.marker is None and extra:
            continue
        if one.marker is None or one.marker.evaluate({"extra": extra}):
            yield one


def _link(package: Distribution, site: Path) -> None:
    """Link the files of a package, hard so that they look as if installed; copy them from another file system."""
    for file in package.files or ():
        if file.parts[0] == ".." or "__pycache__" in file.parts:
            continue
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            source = Path(str(package.locate_file(file))).resolve()
            try:
                target.hardlink_to(source)
            except OSError:
                shutil.copy2(source, target)
