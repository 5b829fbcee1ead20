"""The parts that a task is composed of: its meta data, wording, functions, budget, scope, rules and proof."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pytest_cuabench.task.case import Case, Solution, Wrong
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.verdict import Milestone, Violation

CaseBuilder = Callable[[State, random.Random], Mapping[str, Any]]
SetupBuilder = Callable[[random.Random], Iterable[Mapping[str, Any]]]
Check = Callable[[Evidence, Case], Iterable[Milestone | Violation]]

SYNTHETIC = "synthetic"
CodePolicy = Literal["allowed", "reported", "refused"]
"""Whether an agent may act past the screen, by programs in the guest (`run_code`) or by scripts in the application's
pages (`scripts`): allowed; allowed but reported, and not accepted by a gate for scripts unless it says so; refused."""
REPORTED: CodePolicy = "reported"


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a task.

    Attributes:
        shows: Ids of the tasks that it demonstrates.
    """

    text: str
    shows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskMeta:
    """What is said about a task, and no part of what is asked.

    Attributes:
        tier: How close to the real software the application is: `synthetic`, or another name.
        template: Name of the task's template; empty if it has none.
        labels: Names of further markers.
        errata: Known errors of the task, in sentences; its items have the marker `erratum`.
        digest: Hash of the task's file, if it is not the suite's TOML and Python.
    """

    title: str
    domain: str
    difficulty: str
    tier: str = SYNTHETIC
    template: str = ""
    labels: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """What an agent is given to read.

    Attributes:
        goals: Goal patterns by variant, with `{fields}` that the case fills.
        preamble: Text before every goal of the application (how to sign in).
        documents: Documents of the task, by variant.
    """

    goals: Mapping[str, tuple[str, ...]]
    preamble: str = ""
    documents: Mapping[str, Document] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class TaskFunctions:
    """The functions of a task.

    Attributes:
        case: Builds the values of the case from a world's starting state.
        check: Judges the evidence of an episode.
        solve: The reference solution.
        wrong: Plausible wrong solutions, and why each has to fail.
        also: Returns further, independent solutions by name.
        prologue: The common first steps of the application; they must not solve the task.
        setup: Creates the steps that prepare the world, beyond its seed.
        upstream: The check by the benchmark authors' rules, if they differ from the suite's.
    """

    case: CaseBuilder
    check: Check
    solve: Solution
    wrong: Sequence[Wrong] = ()
    also: Callable[[], Iterable[tuple[str, Solution]]] = tuple
    prologue: Solution | None = None
    setup: SetupBuilder | None = None
    upstream: Check | None = None


@dataclass(frozen=True, slots=True)
class TaskBudget:
    """The limits of an episode.

    Attributes:
        dollars: Maximum cost of the agent's model; None for no limit.
    """

    steps: int
    seconds: float
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What a task has to do with in its world.

    Attributes:
        opens: Name in the world of what a session is opened for, if it is not the application.
        harmless: Collections whose changes are not judged (access logs).
        resources: Parts of a shared world that the task changes; tasks with a common part never run together.
    """

    opens: str = ""
    harmless: frozenset[str] = frozenset()
    resources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a suite, which all of its tasks share.

    Attributes:
        run_code: Whether the agent may run programs in the guest, see `CodePolicy`.
        scripts: Whether the agent may have scripts evaluated in the application's pages, see `CodePolicy`.
        dimensions: What the suite's violations hurt, see `Violation.dimension`.
    """

    run_code: CodePolicy = REPORTED
    scripts: CodePolicy = REPORTED
    dimensions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """What an audit has to show of a task.

    Attributes:
        proved: Whether it has a reference solution; without one it is played only with `--cua-unproved`.
        kinds: Whether each value that its check compares is compared by a kind, as the audit then requires.
        solved_by_prologue: Whether the prologue alone solves it.
    """

    proved: bool = True
    kinds: bool = False
    solved_by_prologue: bool = False
