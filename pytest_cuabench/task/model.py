"""Suites and their tasks as declared in their files, and the instances and phases that are played of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.case import Case, Solution, Wrong
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.tracebacks import raised_at, told
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation, judge

if TYPE_CHECKING:
    from pytest_cuabench.task.functions import Functions
    from pytest_cuabench.task.phases import Reference
    from pytest_cuabench.task.web_app import WebApp

CaseBuilder = Callable[[State, random.Random], Mapping[str, Any]]
SetupBuilder = Callable[[random.Random], Iterable[Mapping[str, Any]]]
Check = Callable[[Evidence, Case], Iterable[Milestone | Violation]]

SYNTHETIC = "synthetic"
CodePolicy = Literal["allowed", "reported", "refused"]
"""Whether an agent may act past the screen, by programs in the guest (`run_code`) or by scripts in the application's
pages (`scripts`): allowed; allowed but reported, and not accepted by a gate for scripts unless it says so; refused."""
REPORTED: CodePolicy = "reported"
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
class Document:
    """A document of a task.

    Attributes:
        shows: Ids of the tasks that it demonstrates.
    """

    text: str
    shows: tuple[str, ...] = ()


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
    max_steps: int
    max_seconds: float
    functions: Functions = field(repr=False)

    def task(self, task: Task, case: Case) -> Task:
        """Return the phase as a task, for one case of the task that it precedes."""
        values = self.values(task, case)
        return replace(
            task,
            application=self.application,
            opens="",
            goals=dict.fromkeys(task.goals, self.wording),
            preamble="",
            harmless=frozenset(),
            max_steps=self.max_steps,
            max_seconds=self.max_seconds,
            builder=lambda _state, _random: values,
            checker=self.functions.late("check"),
            solution=self.functions.late("solve"),
            wrong=(),
            prologue=None,
            arranger=None,
            documents={},
            upstream=None,
            also=tuple,
            resources=frozenset(),
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
    """One task of an application, with its functions and solutions.

    Attributes:
        id: Name within the application.
        application: Folder of the application, which is also its name in the world unless `opens` is another.
        goals: Goal patterns by variant, with `{fields}` that the case fills.
        preamble: Text before every goal of the application (how to sign in).
        harmless: Collections whose changes are not judged (access logs).
        prologue: The common first steps of the application; they must not solve the task.
        tier: How close to the real software the application is: `synthetic`, or another name.
        arranger: Creates the steps that prepare the world, beyond its seed.
        digest: Hash of the task's file, if it is not the suite's TOML and Python.
        errata: Known errors of the task, in sentences; its items have the marker `erratum`.
        max_dollars: Maximum cost of the agent's model per episode; None for no limit.
        template: Name of the task's template; empty if it has none.
        values: The task's values in a template, passed to `case`.
        labels: Names of further markers.
        resources: Parts of a shared world that the task changes; tasks with a common part never run together.
        documents: Documents of the task, by variant.
        upstream: The check by the benchmark authors' rules, if they differ from the suite's.
        run_code: Whether the agent may run programs in the guest, see `CodePolicy`.
        scripts: Whether the agent may have scripts evaluated in the application's pages, see `CodePolicy`.
        also: Returns further, independent solutions by name.
        dimensions: What the suite's violations hurt, see `Violation.dimension`.
        reference: Where its steps are told, if that is a part of the task.
        phases: What is played before it, by variant.
        opens: Name in the world of what a session is opened for, if it is not `application`.
        proved: Whether it has a reference solution; without one it is played only with `--cua-unproved`.
        kinds: Whether each value that its check compares is compared by a kind, as the audit then requires.
    """

    id: str
    title: str
    suite: str
    application: str
    domain: str
    difficulty: str
    max_steps: int
    max_seconds: float
    goals: Mapping[str, tuple[str, ...]]
    preamble: str
    harmless: frozenset[str]
    builder: CaseBuilder = field(repr=False)
    checker: Check = field(repr=False)
    solution: Solution = field(repr=False)
    wrong: Sequence[Wrong] = field(repr=False)
    prologue: Solution | None = field(repr=False)
    solved_by_prologue: bool = False
    tier: str = SYNTHETIC
    arranger: SetupBuilder | None = field(default=None, repr=False)
    errata: tuple[str, ...] = ()
    digest: str = ""
    max_dollars: float | None = None
    template: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    resources: frozenset[str] = frozenset()
    documents: Mapping[str, Document] = field(default_factory=dict, repr=False)
    upstream: Check | None = field(default=None, repr=False)
    run_code: CodePolicy = REPORTED
    scripts: CodePolicy = REPORTED
    also: Callable[[], Iterable[tuple[str, Solution]]] = field(default=tuple, repr=False)
    dimensions: tuple[str, ...] = ()
    reference: Reference | None = None
    phases: Mapping[str, tuple[Phase, ...]] = field(default_factory=dict, repr=False)
    opens: str = ""
    proved: bool = True
    kinds: bool = False

    @property
    def name(self) -> str:
        """Return `application/task`."""
        return f"{self.application}/{self.id}"

    def scored_upstream(self) -> Task:
        """Return the task scored by the benchmark authors' rules."""
        return self if self.upstream is None else replace(self, checker=self.upstream)

    def setup(self, seed: int) -> tuple[Mapping[str, Any], ...]:
        """Return the steps that prepare the world for this task, as plain data; empty if its seed suffices.

        Raises:
            CheckerFailure: The steps cannot be created.
        """
        if self.arranger is None:
            return ()
        try:
            steps = tuple(self.arranger(random.Random(f"{self.name}:setup:{seed}")))  # noqa: S311 - variety
            json.dumps(steps)  # refuses what a world could not be sent
        except Exception as error:
            raise CheckerFailure(
                f"cannot set up {self.name} for seed {seed}: {told(error, self.arranger)}"
            ) from error
        return steps

    def case(self, state: State, variant: str, seed: int) -> Case:
        """Create the case from a world's starting state.

        Raises:
            CheckerFailure: The world lacks required data, or a goal has an unknown field.
        """
        chance = random.Random(f"{self.name}:{seed}")  # noqa: S311 - variety, not secrecy
        try:
            values = dict(self.builder(state, chance))
            json.dumps(values)  # refuses what a record could not keep
        except Exception as error:
            raise CheckerFailure(
                f"cannot create the case of {self.name} for seed {seed}: {told(error, self.builder)}"
            ) from error
        pattern = random.Random(f"{self.name}:{variant}:{seed}").choice(self.goals[variant])  # noqa: S311
        return Case(fill(f"{self.preamble} {pattern}".strip(), values, self.name), values)

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
            return judge(self.checker(evidence.about(case.goal), case), gave_up=gave_up)
        except CheckerFailure as error:
            raise CheckerFailure(f"{self.name}: {error}{raised_at(error, self.checker)}") from error
        except Exception as error:
            if (readable := self._without_newest_writes(evidence, case)) is not None:
                return judge(_unreadable(readable, error), gave_up=gave_up)
            raise CheckerFailure(f"cannot judge {self.name}: {told(error, self.checker)}") from error

    def _without_newest_writes(self, evidence: Evidence, case: Case) -> Verdict | None:
        """Return the verdict on the newest state that the check can read; None where it cannot read the one before."""
        untouched = Evidence(evidence.before, evidence.before, None, evidence.ending)
        for earlier in chain(evidence.about(case.goal).rewound(), (untouched,)):
            try:
                return judge(self.checker(earlier, case))
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
        return self.task.documents.get(self.variant)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """What is played before the task in this variant."""
        return self.task.phases.get(self.variant, ())

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of further markers, including whether the document demonstrates this task."""
        if self.document is None or not self.document.shows:
            return self.task.labels
        return (*self.task.labels, "exact_demo" if self.task.id in self.document.shows else "similar_demo")

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
