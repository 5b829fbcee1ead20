"""From records to tasks: what pytest runs when a suite is told to play ScienceBoard's own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import CheckerFailure, SettingError
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Instance, SuiteInfo, Task
from pytest_cuabench.task.parts import REPORTED, TaskBudget, TaskFunctions, TaskMeta, Wording
from pytest_cuabench.task.verdict import Milestone, Verdict, judge

from .errata import errata
from .evaluators import milestones
from .records import Record, read_record, read_records
from .revisions import digest, revision_of

if TYPE_CHECKING:
    from pytest_cuabench.agents.builtin.oracle import Pilot
    from pytest_cuabench.ledger.attempt import Attempt

VARIANT = "goal"
TIER = "upstream"  # and the revision of the records
RAW_DRIVER, RAW_WORLD = "upstream.lean_world:LeanDriver", "lean"
_SECONDS_OF_A_STEP = 90.0  # model and world; upstream has no limit of time
_DOMAINS = {
    "Celestia": "Astronomy",
    "ChimeraX": "Biochemistry",
    "GrassGIS": "GIS",
    "KAlgebra": "Algebra",
    "Lean": "Theorem proving",
    "TeXstudio": "Documentation",
}
# Upstream says these things in its system prompt; all other instructions name their application themselves.
_LEAN = "Visual Studio Code shows Sci/Basic.lean of a Lean 4 project with Mathlib. Prove its last statement there: "
_RAW_LEAN = (
    "Prove a statement in Lean 4 with Mathlib. You see what the REPL says. In each turn call the API tactic with "
    '{"tactic": ..., "proofState": ...}, naming the state that the tactic is for; sorry and admit are not allowed. '
    "The statement: "
)


@dataclass(frozen=True, slots=True)
class UpstreamTask(Task):
    """A task that a record says; judged as upstream does, for whom the end alone is no giving up."""

    record: Record = field(kw_only=True, repr=False)

    def judge(self, evidence: Evidence, case: Case) -> Verdict:
        """Run the record's evaluators; a state that is right passes however the episode ended, unless `stop` says how.

        Raises:
            CheckerFailure: The record cannot be judged by this evidence.
        """
        try:
            return judge(self.functions.check(evidence, case))
        except CheckerFailure as error:
            raise CheckerFailure(f"{self.name}: {error}") from error


def with_task_files(suite: SuiteInfo, path: Path) -> SuiteInfo:
    """Return a suite whose tasks are the records below a path.

    Raises:
        SettingError: There are none, one is malformed, or they are of two kinds that run on different machines.
    """
    records = read_records(path)
    raw = [record for record in records if record.sort == "Raw"]
    if raw and len(raw) < len(records):
        raise SettingError(
            f"{path} holds records of machines and of Raw Lean, which is no machine; "
            "name one of its folders, such as tasks/VM, tasks/Dual or tasks/Raw"
        )
    tier, rules = f"{TIER} {revision_of(records)}", replace(suite.tasks[0].rules, scripts=REPORTED)
    tasks = tuple(replace(task_of(record, suite.name, tier), rules=rules) for record in records)
    if raw:
        return replace(suite, tasks=tasks, driver=RAW_DRIVER, world=RAW_WORLD)
    return replace(suite, tasks=tasks)


def task_of(record: Record, suite: str, tier: str = TIER) -> UpstreamTask:
    """Return the task that a record says; its difficulty follows from its number of steps."""
    return UpstreamTask(
        id=record.id,
        suite=suite,
        application=record.application,
        meta=TaskMeta(
            _title(record),
            _DOMAINS[record.type],
            record.difficulty,
            tier,
            errata=errata(record),
            digest=digest(record),
        ),
        wording=Wording({VARIANT: ("{instruction}",)}),
        functions=TaskFunctions(partial(_case, record), _check, _no_solution),
        budget=TaskBudget(record.steps, record.steps * _SECONDS_OF_A_STEP),
        record=record,
    )


def task_of_case(case: Case, attempt: Attempt) -> UpstreamTask | None:
    """Return the task of a recorded attempt at a record, which its case holds; None for any other attempt.

    Raises:
        SettingError: The record in it is malformed.
    """
    if attempt.tier.partition(" ")[0] != TIER:
        return None
    return task_of(read_record(case["record"], case["name"], attempt.instance), attempt.suite, attempt.tier)


def record_of(instance: Instance) -> Record:
    """Return the record that an instance plays.

    Raises:
        CheckerFailure: It plays none.
    """
    if not isinstance(instance.task, UpstreamTask):
        raise CheckerFailure(f"{instance.task.name} is no record of ScienceBoard")
    return instance.task.record


def _title(record: Record) -> str:
    first = record.instruction.strip().splitlines()[0]
    return first if len(first) <= 80 else f"{first[:79]}…"


def _case(record: Record, state: State, chance: Random) -> Mapping[str, Any]:
    """Return the instruction, and the record itself: a recorded episode is judged by what it was judged by."""
    told = {"raw": _RAW_LEAN, "vm": _LEAN, "dual": _LEAN}[record.kind] if record.type == "Lean" else ""
    return {"instruction": f"{told}{record.instruction}", "name": record.name, "record": dict(record.data)}


def _check(evidence: Evidence, case: Case) -> Iterable[Milestone]:
    record = read_record(case["record"], case["name"], case["name"])
    return milestones(record, evidence)


async def _no_solution(pilot: Pilot, case: Case) -> None:
    from pytest_cuabench.agents.builtin.oracle import Lost  # it knows tasks, so not at the top

    raise Lost("a record of ScienceBoard says no solution; play it with an agent, or play our own tasks")
