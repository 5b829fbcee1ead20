"""No further write after the reference of a task, and none of its own filled in otherwise, leaves it a success.

The references are played over HTTP, without a browser, and each write on a copy of the session.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from pytest_cuabench.drivers.worlds import World, find_world
from pytest_cuabench.proof.collateral.branching import ASKED, SAME, STRANGER, Extra, Harmless
from pytest_cuabench.proof.collateral.claims import further_writes, knowledge_of, survivors, told
from pytest_cuabench.proof.collateral.report import FILE, Tried, kinds_table
from pytest_cuabench.task import library
from pytest_cuabench.task.model import SuiteInfo, Task
from pytest_cuabench.task.verdict import Milestone, Verdict

SAMPLED = 20
KINDS = 4
SLOW_PAGES = ("ultrasound",)  # drawn again for each request; at night only
OVERLOOKED = {
    "/login: somebody else",
    "/p/*/allergies: reaction, another",
    "/p/*/allergies: reaction, more words",
    "/p/*/allergies: severity, another",
    "/p/*/allergies: source, another",
}
Tries = Callable[..., tuple[list[Extra], set[str]]]


@pytest.fixture(scope="module")
def try_writes(medcua: SuiteInfo) -> Iterator[Tries]:
    """Tries further writes of a task on a seed."""
    with asyncio.Runner() as runner:
        world = World(find_world("clinic"))
        knowledge = knowledge_of(medcua)
        yield lambda task, seed=0, kinds=None: runner.run(further_writes(task, seed, world, knowledge, kinds))
        runner.run(world.close())


def named(suite: SuiteInfo, name: str) -> Task:
    """Return a task of the suite."""
    return next(task for task in suite.tasks if task.name == name)


def sample() -> list[str]:
    """Return tasks of as many applications as can be, the same in every session."""
    from pytest_cuabench.task.suite import load_suite

    chance = Random("collateral")
    tasks = [t for t in load_suite(library.SUITES / "medcua").tasks_here if t.application not in SLOW_PAGES]
    chance.shuffle(tasks)
    places = Counter[str]()
    turns = {task.name: places.update([task.application]) or places[task.application] for task in tasks}
    return sorted(sorted(turns, key=turns.__getitem__)[:SAMPLED])


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if turn % 4 else ()) for turn, name in enumerate(sample())],
)
def test_a_further_write_is_no_success(name, medcua, try_writes):
    """Some kinds of write for some tasks, and some fields of its own; all of them for all tasks at night."""
    extras, _ = try_writes(named(medcua, name), kinds=KINDS)
    assert any(each.where != ASKED for each in extras), "no further write was accepted"
    assert not (left := survivors(extras, knowledge_of(medcua))), told(left)


@pytest.mark.slow
def test_stopping_another_medicine_beside_two_renewals(medcua, try_writes):
    """The write that was once overlooked is among those generated, and is a violation."""
    extras, _ = try_writes(named(medcua, "doctor_prescription/process_renewal_request"))
    stops = [each for each in extras if "/stop" in each.kind and "/withdraw" not in each.kind]
    assert any("insert orders" in each.writes for each in stops)
    assert all("record_integrity/major" in _reasons(each) or each.where == STRANGER for each in stops)


@pytest.mark.slow
def test_a_field_that_a_check_overlooks_survives(medcua, try_writes):
    """A check that looks at the substance only is told which fields of the entry it leaves open."""
    task = named(medcua, "doctor_prescription/add_allergy")

    def careless(evidence, case):
        rows = evidence.after.rows("allergies", mrn=case["mrn"], substance=case["substance"])
        yield Milestone("listed", bool(rows), 1.0)

    extras, _ = try_writes(task.with_functions(check=careless))
    overlooked = {each.kind for each in survivors(extras, knowledge_of(medcua)) if each.where == ASKED}
    assert overlooked == OVERLOOKED


def _reasons(extra: Extra) -> list[str]:
    return [violation.reason for violation in extra.verdict.violations]


def extra(kind: str, where: str = SAME, *, succeeds: bool = True) -> Extra:
    """Return a write of a task of the doctor's."""
    verdict = Verdict((Milestone("done", succeeds, 1.0),))
    return Extra("doctor_prescription/new_prescription", 0, kind, where, ("insert orders",), verdict)


class Declares:
    """What a suite knows that declares one kind of write, and one pair of them."""

    OWNER = "mrn"
    HARMLESS = (
        Harmless("doctor_prescription/*", "/look", "it shows something"),
        Harmless("*", "* + /undo", "it was undone"),
    )


@pytest.mark.parametrize(
    ("found", "left"),
    [
        (extra("/write"), True),
        (extra("/write", succeeds=False), False),
        (extra("/look"), False),
        (extra("/look", STRANGER), True),
        (extra("/write + /undo"), False),
        (extra("/look + /look"), False),
        (extra("/look + /write"), True),
        (replace(extra("/look"), task="other/task"), True),
    ],
)
def test_what_survives(found, left):
    """A success is one unless it was declared, and nothing on another owner's record is harmless."""
    assert bool(survivors([found], Declares())) is left


@pytest.mark.nightly
@pytest.mark.slow
def test_no_further_write_of_any_kind_is_a_success(medcua, try_writes):
    """Every kind on every task; and the figures are those of the docs."""
    knowledge = knowledge_of(medcua)
    tried = [Tried(task, *try_writes(task)) for task in medcua.tasks]
    extras = [extra for each in tried for extra in each.extras]
    assert not (left := survivors(extras, knowledge)), told(left)
    assert kinds_table(tried, knowledge) in FILE.read_text(encoding="utf-8")
