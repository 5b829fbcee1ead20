"""Tries every further write after every reference of a suite, and writes the figures into docs/collateral.md.

scripts/collateral [medcua] [scienceboard]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.proof.collateral.branching import Declarations, Extra
from pytest_cuabench.proof.collateral.claims import further_writes, knowledge_of, survivors, told
from pytest_cuabench.proof.collateral.report import (
    FILE,
    Tried,
    kinds_table,
    written,
)
from pytest_cuabench.task import library
from pytest_cuabench.task.suite import load_suite

WORKERS = 2
MEDCUA, SCIENCEBOARD = "medcua", "scienceboard"
Found = list[tuple[str, list[Extra], set[str]]]


async def _application(name: str) -> Found:
    suite = load_suite(library.SUITES / MEDCUA)
    knowledge = knowledge_of(suite)
    assert knowledge is not None
    world = World(find_world(suite.world))
    try:
        return [
            (task.name, *await further_writes(task, 0, world, knowledge))
            for task in suite.tasks_here
            if task.application == name
        ]
    finally:
        await world.close()


def application(name: str) -> Found:
    """Return the further writes of each task of an application."""
    return asyncio.run(_application(name))


def medcua() -> tuple[list[Tried], Declarations]:
    """Return the further writes of MedCUA, made over HTTP."""
    suite = load_suite(library.SUITES / MEDCUA)
    knowledge = knowledge_of(suite)
    assert knowledge is not None
    names = list(dict.fromkeys(task.application for task in suite.tasks_here))
    with ProcessPoolExecutor(WORKERS) as pool:
        found = {
            name: (extras, refused) for made in pool.map(application, names) for name, extras, refused in made
        }
    return [Tried(task, *found[task.name]) for task in suite.tasks_here], knowledge


def scienceboard() -> tuple[list[Tried], Declarations]:
    """Return the further writes of ScienceBoard, made in states of the tests."""
    sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
    from suites import scienceboard_collateral as world

    return world.tried(), world


def main() -> int:
    """Write the figures; 1 when a write survives."""
    suites = {MEDCUA: medcua, SCIENCEBOARD: scienceboard}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help=" or ".join(suites))
    chosen = parser.parse_args().suites or list(suites)
    if unknown := set(chosen) - set(suites):
        parser.error(f"no writes are generated for {', '.join(sorted(unknown))}; known: {', '.join(suites)}")
    lines = []
    for name in chosen:
        tried, knowledge = suites[name]()
        lines += told(survivors((extra for one in tried for extra in one.extras), knowledge)).splitlines()
        table = kinds_table(tried, knowledge)
        FILE.write_text(written(name, table, FILE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write("\n".join(lines or ["no write survives"]) + "\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
