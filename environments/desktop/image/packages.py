"""Which packages go into an image: `packages.txt`, by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")
BASE, KERNEL, PLUGIN = "base", "kernel", "plugin"
PYPI = "pypi:"  # before what does not come from Debian


def groups() -> Mapping[str, tuple[str, ...]]:
    """Return every group with its packages, in the order of the file."""
    found: dict[str, tuple[str, ...]] = {}
    for line in LIST.read_text(encoding="ascii").splitlines():
        if words := line.partition("#")[0].split():
            group, package = words
            found[group] = (*found.get(group, ()), package)
    return found


def choosable() -> tuple[str, ...]:
    """Return the groups that an image may have or leave out."""
    return tuple(group for group in groups() if group not in (BASE, KERNEL, PLUGIN))


def packages(chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the Debian packages of some groups, those of every image included."""
    known = groups()
    found = dict.fromkeys(package for group in (BASE, *chosen) for package in known[group])
    return tuple(package for package in found if not package.startswith(PYPI))


def from_pypi(chosen: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return what each of some groups needs that Debian lacks, as requirements of pip."""
    known = groups()
    found = {
        group: tuple(one.removeprefix(PYPI) for one in known[group] if one.startswith(PYPI))
        for group in chosen
    }
    return {group: wanted for group, wanted in found.items() if wanted}
