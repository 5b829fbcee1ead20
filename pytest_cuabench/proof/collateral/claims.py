"""The claim itself: no further write of any kind, and nothing filled in otherwise, leaves the task a success."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from pytest_cuabench.proof.collateral import KNOWLEDGE, is_claimed
from pytest_cuabench.proof.collateral.branching import (
    Declarations,
    Extra,
    Harmless,
    Knowledge,
    branches_of,
)
from pytest_cuabench.proof.collateral.otherwise import filled_in_otherwise
from pytest_cuabench.task.suite import code_package

if TYPE_CHECKING:
    from pytest_cuabench.drivers.worlds import World
    from pytest_cuabench.task.model import SuiteInfo, Task


def knowledge_of(suite: SuiteInfo) -> Knowledge | None:
    """Return what a suite's `collateral.py` says; None where there is no such file, and so no such claim."""
    if not is_claimed(suite.folder):
        return None
    return cast(Knowledge, importlib.import_module(f"{code_package(suite.folder)}.{KNOWLEDGE}"))


async def further_writes(
    task: Task, seed: int, world: World, knowledge: Knowledge, kinds: int | None = None
) -> tuple[list[Extra], set[str]]:
    """Return the further writes of a task and its own filled in otherwise, and the kinds never accepted.

    They are of all kinds, or of so many of each of the two that are drawn by the seed.

    Raises:
        LookupError: The reference is no success when it is played over HTTP.
        EnvironmentFailure: The world does not answer, or cannot copy sessions.
    """
    import httpx2

    # Worlds are on this computer, behind no proxy of the environment.
    async with httpx2.AsyncClient(timeout=60, trust_env=False) as client:
        branches = await branches_of(task, seed, world, client, knowledge)
        again = await world.open(task.scope.opens or task.application, seed)
        try:
            others = await filled_in_otherwise(branches, again, kinds)
            return [*await branches.all(kinds), *others], branches.refused
        finally:
            await again.close()
            await branches.hand.visitor.session.close()


def survivors(extras: Iterable[Extra], knowledge: Declarations) -> list[Extra]:
    """Return the writes after which the task is still a success, without those declared harmless."""
    return [extra for extra in extras if extra.survives and not declared(extra, knowledge)]


def declared(extra: Extra, knowledge: Declarations) -> list[Harmless]:
    """Return the declarations that make a write harmless: one of it as a whole, or one of each of its parts."""
    whole = [one for one in knowledge.HARMLESS if one.covers(extra)]
    parts = [replace(extra, kind=kind) for kind in extra.kind.split(" + ")]
    each = [one for part in parts for one in knowledge.HARMLESS if one.covers(part)]
    return whole or (each if len(parts) > 1 and all(declared(part, knowledge) for part in parts) else [])


def told(extras: Sequence[Extra]) -> str:
    """Return survivors in words, one line each."""
    return "\n".join(
        f"{one.task}, seed {one.seed}: still a success after {one.kind} on {one.where} ({'; '.join(one.writes)})"
        for one in extras
    )


async def broken_by(suite: SuiteInfo, task: Task, seed: int, kinds: int | None) -> str | None:
    """Return the further writes that a task's check does not see, if there are any; None also without the claim."""
    from pytest_cuabench.drivers.worlds import World, find_world

    knowledge = knowledge_of(suite)
    if knowledge is None:
        return None
    world = World(find_world(suite.world, suite.folder))
    try:
        extras, _ = await further_writes(task, seed, world, knowledge, kinds)
    except LookupError as error:
        return f"cannot try further writes: {error}"
    finally:
        await world.close()
    return told(survivors(extras, knowledge)) or None
