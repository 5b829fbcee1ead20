"""What is asked: tasks as their files declare them, and the instances that pytest runs."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_cuabench.action import Size
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.evidence import Evidence, State
from pytest_cuabench.verdict import Milestone, Verdict, Violation, judge

if TYPE_CHECKING:
    from pytest_cuabench.adapters.oracle import Hand

CaseBuilder = Callable[[State, random.Random], Mapping[str, Any]]
SetupBuilder = Callable[[random.Random], Iterable[Mapping[str, Any]]]
Check = Callable[[Evidence, "Case"], Iterable[Milestone | Violation]]
Solution = Callable[["Hand", "Case"], Awaitable[None]]

SYNTHETIC = "synthetic"
_FIELD = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class Case:
    """One task made concrete by what the world holds: the goal in words, and the values it is judged by.

    `values` is plain data, so that a recorded episode can be judged again without playing. Where they hold
    `"infeasible": True` nobody can do the task, and the right ending is to say so.
    """

    goal: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def infeasible(self) -> bool:
        """Whether the task cannot be done, so that to say `infeasible` is no giving up."""
        return self.values.get("infeasible") is True


@dataclass(frozen=True, slots=True)
class Wrong:
    """A plausible wrong solution and why it must fail: `dimension/severity`, or `milestone:NAME`.

    Attributes:
        score: What it must score, where that is declared.
    """

    name: str
    reason: str
    solution: Solution
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """Something to read with a task.

    Attributes:
        shows: Ids of the tasks that it shows being done, where it is made of demonstrations.
    """

    text: str
    shows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One task of an application, with everything that builds, judges and proves it.

    Attributes:
        id: Name within the application.
        application: Folder of the application, which is also its name in the world.
        goals: For each variant, patterns of wording with `{fields}` that the case fills.
        preamble: Said before every goal of the application (how to sign in).
        harmless: Collections whose changes are not judged (logs of who looked at what).
        prologue: What every user of the application does first; must not solve the task.
        tier: How close to the real software the application is: `synthetic`, or a name of its own.
        arranger: Builds the steps that prepare the world, where it does not follow from the seed alone.
        digest: Hash of the file that the task was read from, where it is not a suite's declarations and Python.
        errata: What is known to be wrong with the task, in sentences; its items carry the marker `erratum`.
        max_dollars: What the agent's model may cost in one episode; None for no limit.
        template: Name of the template that it is one of, empty where it is none's.
        values: What the task says of itself beside its words; the builder of a template is given it.
        labels: Names of further markers.
        resources: What of a world that several share it changes: two tasks with one in common never run together.
        documents: What is to be read with the task, by variant.
        upstream: How the benchmark's authors scored it, where that is another way than ours.
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
    wrong: tuple[Wrong, ...] = field(repr=False)
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

    @property
    def name(self) -> str:
        """Return `application/task`."""
        return f"{self.application}/{self.id}"

    def scored_upstream(self) -> Task:
        """Return the task as the benchmark's authors score it."""
        return self if self.upstream is None else replace(self, checker=self.upstream)

    def setup(self, seed: int) -> tuple[Mapping[str, Any], ...]:
        """Return the steps that prepare the world for this task, as plain data; none where the seed says it all.

        Raises:
            CheckerFailure: They cannot be built.
        """
        if self.arranger is None:
            return ()
        try:
            steps = tuple(self.arranger(random.Random(f"{self.name}:setup:{seed}")))  # noqa: S311 - variety
            json.dumps(steps)  # refuses what a world could not be sent
        except Exception as error:
            raise CheckerFailure(
                f"{self.name} cannot be set up for seed {seed}: {type(error).__name__}: {error}"
            ) from error
        return steps

    def case(self, state: State, variant: str, seed: int) -> Case:
        """Build the case that a world's starting state means.

        Raises:
            CheckerFailure: The world lacks what the task needs, or a wording names an unknown field.
        """
        chance = random.Random(f"{self.name}:{seed}")  # noqa: S311 - variety, not secrecy
        try:
            values = dict(self.builder(state, chance))
            json.dumps(values)  # refuses what a record could not keep
        except Exception as error:
            raise CheckerFailure(
                f"{self.name} cannot be built for seed {seed}: {type(error).__name__}: {error}"
            ) from error
        pattern = random.Random(f"{self.name}:{variant}:{seed}").choice(self.goals[variant])  # noqa: S311
        return Case(fill(f"{self.preamble} {pattern}".strip(), values, self.name), values)

    def judge(self, evidence: Evidence, case: Case) -> Verdict:
        """Run the checks on what is known of an episode.

        Raises:
            CheckerFailure: The check itself broke.
        """
        gave_up = evidence.ending == "failure" or (evidence.ending == "infeasible" and not case.infeasible)
        try:
            return judge(self.checker(evidence, case), gave_up=gave_up)
        except CheckerFailure as error:
            raise CheckerFailure(f"{self.name}: {error}") from error
        except Exception as error:
            raise CheckerFailure(f"{self.name} cannot be judged: {type(error).__name__}: {error}") from error


@dataclass(frozen=True, slots=True, repr=False)
class Instance:
    """One pytest item: a task in one wording, on one seed, for the n-th time."""

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
        """What is to be read with the task in this variant."""
        return self.task.documents.get(self.variant)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of further markers; where demonstrations are read, whether this very task is among them."""
        if self.document is None or not self.document.shows:
            return self.task.labels
        return (*self.task.labels, "exact_demo" if self.task.id in self.document.shows else "similar_demo")

    def __repr__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class SuiteInfo:
    """What a suite folder says of the suite as a whole."""

    name: str
    title: str
    paper: str
    driver: str
    world: str
    screen: Size
    audit_seeds: tuple[int, ...]
    tasks: tuple[Task, ...]
    folder: Path


def fill(pattern: str, values: Mapping[str, Any], where: str) -> str:
    """Put values into `{fields}` by name; nothing else in the pattern means anything.

    Raises:
        CheckerFailure: A field has no value.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise CheckerFailure(
                f"{where}: the wording names {{{match[1]}}}, known: {', '.join(sorted(values))}"
            )
        return str(values[match[1]])

    return _FIELD.sub(value, pattern)


def wrong(task: str, reason: str, score: float | None = None) -> Callable[[Solution], Solution]:
    """Declare a plausible wrong solution of `task` (or of all tasks of that template) and why it must fail.

    `reason` is `dimension/severity` of the violation it must earn, or `milestone:NAME` of the one it must miss;
    `score` is the share of milestones it must reach, where that is the same on every seed.
    """

    def mark(solution: Solution) -> Solution:
        known = getattr(solution, "wrong_for", ())
        vars(solution)["wrong_for"] = (*known, (task, reason, score))
        return solution

    return mark
