"""Phases: what is played before a task's own episode, each in an environment of its own, and what it hands on.

`[[phases]]` of `suite.toml` declares them (`schema.py`). The functions of a phase are in one module of the suite
and have fixed names; `case` is the task's, with its goal as `goal` and its `[reference]` as `url`, `query`, `steps`:

    def check(evidence, case) -> Findings        whether the phase reached its end; never part of the task's verdict
    def measure(evidence, case) -> dict          its metrics, by name: numbers and words
    def named(evidence, case) -> str | None      the document that is handed on, by its name in the phase's world
    def expected(case) -> str                    the document that it should be
    async def solve(pilot, case)                 the reference solution
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.tracebacks import told

if TYPE_CHECKING:
    from pytest_cuabench.task.evidence import Evidence
    from pytest_cuabench.task.functions import Functions
    from pytest_cuabench.task.model import Case, SuiteInfo, Task

Metric = float | str
_LONGEST = 40_000  # characters of a document
_LARGEST = 1024 * 1024  # bytes of a picture
MOST_PICTURES = 8
SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "check": ("evidence", "case"),
    "measure": ("evidence", "case"),
    "named": ("evidence", "case"),
    "expected": ("case",),
    "solve": ("pilot", "case"),
}


@dataclass(frozen=True, slots=True)
class Reference:
    """Where the steps of a task are told.

    Attributes:
        url: The document that tells them.
        query: What somebody who looks for it would ask.
        steps: The steps in words, in their order.
        beyond: Why somebody knows what the solution types and neither goal nor document has, by patterns of its words.
    """

    url: str
    query: str
    steps: tuple[str, ...]
    beyond: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that a phase hands on.

    Attributes:
        name: Its name in the phase's world, such as its URL.
        pictures: PNG files of what is pictured in it.
        page: PNG file of the whole document as a person sees it; it is recorded, and not given to the agent.
    """

    name: str
    title: str
    text: str
    html: str = ""
    pictures: tuple[bytes, ...] = ()
    page: bytes = b""

    @property
    def told(self) -> str:
        """The text that an agent is given, at most 40,000 characters of it."""
        cut = f"\n(cut after {_LONGEST:,} characters)" if len(self.text) > _LONGEST else ""
        return f"{self.title}\n{self.name}\n\n{self.text[:_LONGEST]}{cut}"

    @property
    def shown(self) -> tuple[bytes, ...]:
        """The pictures that an agent is given: the first eight that are no larger than 1 MiB."""
        return tuple(picture for picture in self.pictures if len(picture) <= _LARGEST)[:MOST_PICTURES]


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
            {"url": reference.url, "query": reference.query, "steps": list(reference.steps)}
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


def phase_places(suite: SuiteInfo) -> tuple[SuiteInfo, ...]:
    """Return where the phases before a suite's tasks are played, each once."""
    phases = (phase for task in suite.tasks[:1] for phases in task.phases.values() for phase in phases)
    return tuple({phase.name: phase.place for phase in phases}.values())


def faults(functions: Functions) -> Iterator[str]:
    """Yield what is wrong with the names and signatures of a phase's module, with the file and line."""
    for name, parameters in SIGNATURES.items():
        if name not in functions:
            near = did_you_mean(name, functions.defined)
            yield f"{functions.file}: def {name}({', '.join(parameters)}) is missing{near}"
        yield from functions.signature_faults(name, parameters)
