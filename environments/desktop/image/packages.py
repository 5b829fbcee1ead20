"""Which Debian packages go into an image: `packages.txt`, by group."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")
BASE, KERNEL = "base", "kernel"


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
    return tuple(group for group in groups() if group not in (BASE, KERNEL))


def packages(chosen: Iterable[str]) -> tuple[str, ...]:
    """Return the packages of some groups, those of every image included."""
    known = groups()
    return tuple(dict.fromkeys(package for group in (BASE, *chosen) for package in known[group]))
