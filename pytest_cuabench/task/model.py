"""Suites and their tasks as declared in their files, and the instances and phases that are played of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.parts import (
    Document,
    Proof,
    Rules,
    Scope,
    TaskBudget,
    TaskFunctions,
    TaskMeta,
    Wording,
)
from pytest_cuabench.task.tracebacks import raised_at, told
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation, judge

if TYPE_CHECKING:
    from pytest_cuabench.task.functions import Functions
    from pytest_cuabench.task.phases import Reference
    from pytest_cuabench.task.web_app import WebApp

Isolation = Literal[
    "adapter",
    "box",
    "box_with_hosts",
    "box_with_network",
    "container",
    "container_with_hosts",
    "in_process",
    "insider",
]
"""The isolation of an agent from the judge (docs/trust.md).

* `adapter`: plugin code; the model or person behind it sees only the briefing and observations.
* `in_process`: the user's Python code, in the judge's process, trusted not to inspect it.
* `box`: a program of the user, in a box without a network that shows it nothing of the judge.
* `box_with_hosts`: the same, with a proxy that leads to the hosts which its profile names and no others.
* `box_with_network`: the same, with this computer's network, and so the ports of worlds.
* `container`, `container_with_hosts`: the same as `box` and `box_with_hosts`, in a container.
* `insider`: gets the case, like the reference solution and a replay, and is not measured.
"""
_FIELD = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Phase:
    """What is played before a task's own episode.

    Attributes:
        place: The environment that it is played in, as a suite without tasks.
        application: Name of the application in the phase's world.
        played: Whether the agent plays it; otherwise the expected document is handed on.
        wording: Goal patterns, with the fields of the case and `{goal}`.
    """

    name: str
    place: SuiteInfo
    application: str
    played: bool
    wording: tuple[str, ...]
    budget: TaskBudget
    functions: Functions = field(repr=False)

    def task(self, task: Task, case: Case) -> Task:
        """Return the phase as a task, for one case of the task that it precedes."""
        values = self.values(task, case)
        return replace(
            task,
            application=self.application,
            wording=Wording(dict.fromkeys(task.wording.goals, self.wording)),
            functions=TaskFunctions(
                lambda _state, _random: values, self.functions.late("check"), self.functions.late("solve")
            ),
            budget=replace(self.budget, dollars=task.budget.dollars),
            scope=Scope(),
            phases={},
        )

    def values(self, task: Task, case: Case) -> dict[str, Any]:
        """Return the values of the phase's case."""
        reference = task.reference
        known = (
            {
                "url": reference.url,
                "as_well": list(reference.as_well),
                "query": reference.query,
                "steps": list(reference.steps),
            }
            if reference
            else {}
        )
        return {**case.values, **known, "goal": case.goal}

    def call(self, name: str, *arguments: Evidence | Case) -> Any:
        """Return the result of a function of the phase's module.

        Raises:
            CheckerFailure: It failed.
        """
        function = self.functions.late(name)
        try:
            return function(*arguments)
        except Exception as error:
            raise CheckerFailure(f"phase {self.name}: {name}: {told(error, function)}") from error


@dataclass(frozen=True, slots=True)
class Task:
    """One task of an application.

    Attributes:
        id: Name within the application.
        application: Folder of the application, which is also its name in the world unless `scope.opens` is another.
        values: The task's values in a template, passed to `case`.
        reference: Where its steps are told, if that is a part of the task.
        phases: What is played before it, by variant.
    """

    id: str
    suite: str
    application: str
    meta: TaskMeta
    wording: Wording
    functions: TaskFunctions = field(repr=False)
    budget: TaskBudget
    scope: Scope = field(default_factory=Scope)
    rules: Rules = field(default_factory=Rules)
    proof: Proof = field(default_factory=Proof)
    values: Mapping[str, Any] = field(default_factory=dict)
    reference: Reference | None = None
    phases: Mapping[str, tuple[Phase, ...]] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """Return `application/task`."""
        return f"{self.application}/{self.id}"

    # What suites and their tests read most, by shorter names.

    @property
    def title(self) -> str:
        return self.meta.title

    @property
    def domain(self) -> str:
        return self.meta.domain

    @property
    def difficulty(self) -> str:
        return self.meta.difficulty

    @property
    def template(self) -> str:
        return self.meta.template

    @property
    def goals(self) -> Mapping[str, tuple[str, ...]]:
        return self.wording.goals

    def scored_upstream(self) -> Task:
        """Return the task scored by the benchmark authors' rules."""
        upstream = self.functions.upstream
        return self if upstream is None else self.with_functions(check=upstream)

    def with_functions(self, **functions: Any) -> Task:
        """Return the task with other functions of these names, see `TaskFunctions`."""
        return replace(self, functions=replace(self.functions, **functions))

    def setup(self, seed: int) -> tuple[Mapping[str, Any], ...]:
        """Return the steps that prepare the world for this task, as plain data; empty if its seed suffices.

        Raises:
            CheckerFailure: The steps cannot be created.
        """
        if self.functions.setup is None:
            return ()
        try:
            steps = tuple(self.functions.setup(random.Random(f"{self.name}:setup:{seed}")))  # noqa: S311 - variety
            json.dumps(steps)  # refuses what a world could not be sent
        except Exception as error:
            raise CheckerFailure(
                f"cannot set up {self.name} for seed {seed}: {told(error, self.functions.setup)}"
            ) from error
        return steps

    def case(self, state: State, variant: str, seed: int) -> Case:
        """Create the case from a world's starting state.

        Raises:
            CheckerFailure: The world lacks required data, or a goal has an unknown field.
        """
        # A text as the seed gives the same numbers in every process; its `hash` does not.
        chance = random.Random(f"{self.name}:{seed}")  # noqa: S311 - variety, not secrecy
        try:
            values = dict(self.functions.case(state, chance))
            json.dumps(values)  # refuses what a record could not keep
        except Exception as error:
            raise CheckerFailure(
                f"cannot create the case of {self.name} for seed {seed}: {told(error, self.functions.case)}"
            ) from error
        pattern = random.Random(f"{self.name}:{variant}:{seed}").choice(self.wording.goals[variant])  # noqa: S311
        return Case(fill(f"{self.wording.preamble} {pattern}".strip(), values, self.name), values)

    def judge(self, evidence: Evidence, case: Case) -> Verdict:
        """Judge the evidence of an episode.

        If a check fails on the state after the episode, but not on the state before it, the episode caused that. So
        that an agent cannot void its own attempt, the task then counts as not done, and harm is judged with as few of
        the newest writes reverted as necessary.

        Raises:
            CheckerFailure: The check failed on the state before the episode, too.
        """
        ended = evidence.ending
        gave_up = ended in ("failure", "broke") or (ended == "infeasible" and not case.infeasible)
        try:
            return judge(self.functions.check(evidence.about(case.goal), case), gave_up=gave_up)
        except CheckerFailure as error:
            raise CheckerFailure(f"{self.name}: {error}{raised_at(error, self.functions.check)}") from error
        except Exception as error:
            if (readable := self._without_newest_writes(evidence, case)) is not None:
                return judge(_unreadable(readable, error), gave_up=gave_up)
            raise CheckerFailure(f"cannot judge {self.name}: {told(error, self.functions.check)}") from error

    def _without_newest_writes(self, evidence: Evidence, case: Case) -> Verdict | None:
        """Return the verdict on the newest state that the check can read; None where it cannot read the one before."""
        untouched = Evidence(evidence.before, evidence.before, None, evidence.ending)
        for earlier in chain(evidence.about(case.goal).rewound(), (untouched,)):
            try:
                return judge(self.functions.check(earlier, case))
            except Exception:  # noqa: S112 - whatever it is, this state cannot be read either
                continue
        return None


def _unreadable(readable: Verdict, error: Exception) -> Iterator[Milestone | Violation]:
    """Yield what a state comes to that a check cannot read: nothing done, and the harm of the newest one it can."""
    broke = f"the check failed on it: {type(error).__name__}: {error}"
    yield Milestone("readable", False, 1.0, "a state that the check can read", broke)
    yield from readable.violations


@dataclass(frozen=True, slots=True, repr=False)
class Instance:
    """One pytest item: a task in one variant with one seed, in one epoch."""

    task: Task
    variant: str
    seed: int = 0
    epoch: int = 0

    @property
    def id(self) -> str:
        """Return the item's id, such as `emergency_triage/record_vitals-step`."""
        seed = f"-s{self.seed}" if self.seed else ""
        epoch = f"-e{self.epoch}" if self.epoch else ""
        return f"{self.task.name}-{self.variant}{seed}{epoch}"

    @property
    def document(self) -> Document | None:
        """The document of the task in this variant."""
        return self.task.wording.documents.get(self.variant)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What is played before the task in this variant."""
        return self.task.phases.get(self.variant, ())

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of further markers, including whether the document demonstrates this task."""
        if self.document is None or not self.document.shows:
            return self.task.meta.labels
        return (
            *self.task.meta.labels,
            "exact_demo" if self.task.id in self.document.shows else "similar_demo",
        )

    def __repr__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True, repr=False)
class PhaseInstance(Instance):
    """A phase of an instance, played like an instance.

    Attributes:
        phase: The phase's name.
        whole: The instance that it belongs to.
    """

    phase: str = ""
    whole: Instance | None = None

    @property
    def id(self) -> str:
        assert self.whole is not None
        return self.whole.id


def phase_instance(phase: Phase, whole: Instance, case: Case) -> PhaseInstance:
    """Return a phase of an instance whose case is known."""
    task = phase.task(whole.task, case)
    return PhaseInstance(task, whole.variant, whole.seed, whole.epoch, phase=phase.name, whole=whole)


class PublishedTasks(Protocol):
    """The task files that a benchmark was published with, see `TaskFiles`."""

    def suite(self, suite: SuiteInfo, path: Path) -> SuiteInfo: ...
    def task(self, case: Case, attempt: object) -> Task | None: ...
    @property
    def stage(self) -> Any | None: ...


@dataclass(frozen=True, slots=True)
class SuiteInfo:
    """A suite's declaration and tasks.

    Attributes:
        task_files: How the task files that its benchmark was published with are played; None where they cannot be.
        places: The suite as it is for applications that have an environment of their own.
    """

    name: str
    title: str
    paper: str
    driver: str
    world: str
    screen: Size
    audit_seeds: tuple[int, ...]
    tasks: tuple[Task, ...]
    folder: Path
    task_files: PublishedTasks | None = field(default=None, repr=False)
    app: WebApp | None = None
    places: Mapping[str, SuiteInfo] = field(default_factory=dict, repr=False, compare=False)

    @property
    def tasks_here(self) -> tuple[Task, ...]:
        """The tasks that are played in the suite's own environment."""
        return tuple(task for task in self.tasks if task.application not in self.places)

    def of(self, application: str) -> SuiteInfo:
        """Return the suite with the environment that an application is played in."""
        return self.places.get(application, self)


def phase_places(suite: SuiteInfo) -> tuple[SuiteInfo, ...]:
    """Return where the phases before a suite's tasks are played, each once."""
    phases = (phase for task in suite.tasks[:1] for phases in task.phases.values() for phase in phases)
    return tuple({phase.name: phase.place for phase in phases}.values())


def fields(pattern: str) -> frozenset[str]:
    """Return the names of a pattern's `{fields}`."""
    return frozenset(_FIELD.findall(pattern))


def fill(pattern: str, values: Mapping[str, Any], where: str) -> str:
    """Fill the `{fields}` of a pattern by name; other characters have no meaning.

    Raises:
        CheckerFailure: A field has no value.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise CheckerFailure(
                f"{where}: unknown placeholder {{{match[1]}}}; known: {', '.join(sorted(values))}"
                f"{did_you_mean(match[1], values, '{{{}}}')}"
            )
        return str(values[match[1]])

    return _FIELD.sub(value, pattern)
