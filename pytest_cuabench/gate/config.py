"""The gate's schema: `[tool.cuabench.gate]` of a pyproject.toml, or a separate TOML file.

An unknown key is an error, and so is a gate without requirements.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StrictStr

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.selection import Where
from pytest_cuabench.task.model import Isolation
from pytest_cuabench.task.toml import read_strict

Rule = Literal["estimate", "proven"]
Severity = Literal["critical", "major", "minor"]
_Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
_Between = Annotated[float, Field(strict=True, gt=0, lt=1, allow_inf_nan=False)]
_Amount = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(strict=True, ge=1)]
_Words = Annotated[StrictStr, Field(min_length=1)]

AT_LEAST = ("rate", "reward", "milestones")
AT_MOST = ("cost", "total_cost", "p95_seconds")
PYPROJECT = "pyproject.toml"
FLOORS = "cuabench-floors.jsonl"
_TABLE = ("tool", "cuabench", "gate")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Demands(_Strict):
    """Bounds for a group of instances.

    Attributes:
        rate: Minimum strict success rate.
        reward: Minimum mean reward (-1 to 1).
        milestones: Minimum mean milestone score (0 to 1).
        cost: Maximum mean US dollars per graded episode.
        total_cost: Maximum US dollars of all attempts.
        p95_seconds: Maximum 95th percentile of an episode's seconds (agent and world, without back-off).
        rule: When a bound passes, see `thresholds.py`; None is the gate's own rule.
    """

    rate: _Share | None = None
    reward: Annotated[float, Field(strict=True, ge=-1, le=1, allow_inf_nan=False)] | None = None
    milestones: _Share | None = None
    cost: _Amount | None = None
    total_cost: _Amount | None = None
    p95_seconds: _Amount | None = None
    rule: Rule | None = None

    def bounds(self) -> Iterator[tuple[str, float]]:
        """Yield the given bounds."""
        for name in (*AT_LEAST, *AT_MOST):
            if (bound := getattr(self, name)) is not None:
                yield name, bound


class Group(Demands):
    """Bounds for the instances that a marker expression selects."""

    where: _Words


class BaselineDemands(_Strict):
    """Settings of the comparison with earlier runs.

    Attributes:
        file: The baseline, relative to the gate's file.
        agent: The agent in the baseline to compare with; None is the run's agent.
        margin: The loss of mean success rate that is not acceptable.
        alpha: Maximum probability that an unchanged suite fails by chance.
        confidence: Required one-sided confidence that the loss is smaller than the margin.
        collapse_alpha: Maximum probability that any instance seems to collapse by chance.
        solid: Minimum success rate in the baseline of an instance that can collapse.
        min_runs: Minimum runs of an instance at its fingerprint before it is compared.
        min_plays: Minimum graded plays of it.
        window: Number of newest runs of an instance that count.
        share: Minimum share of instances with enough evidence for the suite to be compared.
        collecting: The gate's decision before that.
    """

    file: _Words = "cuabench-baseline.jsonl"
    agent: _Words | None = None
    margin: _Between = 0.07
    alpha: _Between = 0.01
    confidence: _Between = 0.95
    collapse_alpha: _Between = 0.005
    solid: _Between = 0.9
    min_runs: _Count = 5
    min_plays: _Count = 10
    window: _Count = 20
    share: _Share = 0.8
    collecting: Literal["inconclusive", "pass"] = "inconclusive"


class FloorDemands(_Strict):
    """Settings of the comparison with agents that know nothing of the tasks.

    Attributes:
        file: What `cuabench floors` wrote, relative to the gate's file.
        confidence: Required one-sided confidence that the run is above it.
    """

    file: _Words = FLOORS
    confidence: _Between = 0.95


class ErrorBounds(_Strict):
    """Bounds on the share of attempts in which the environment broke.

    Attributes:
        environment: Maximum share of all attempts.
        margin: Maximum increase over the share in the baseline.
    """

    environment: _Share | None = None
    margin: _Share | None = None


class Gate(Demands):
    """A gate: bounds for all instances, and further requirements.

    Attributes:
        confidence: Confidence of the two-sided intervals that bounds are compared with.
        coverage: Minimum share of graded instances for any conclusion.
        must_pass: Instances, tasks or globs whose every play must succeed.
        zero_tolerance: The least severity of violations that fail the gate.
        errors: Bounds on the share of attempts in which the environment breaks.
        floor: Whether the run must be above agents that know nothing of the tasks.
        require_signed: Whether every line of the ledger must be signed with the session's key.
        isolation: The accepted isolations of the agent from the judge; empty for all.
        code: Whether agents may run code in the guest.
        scripts: Whether agents may have scripts evaluated in the application's pages where the suite reports them.
    """

    confidence: _Between = 0.95
    coverage: _Share = 0.95
    groups: Mapping[_Words, Group] = Field(default_factory=dict)
    must_pass: tuple[_Words, ...] = ()
    zero_tolerance: Severity | None = None
    errors: ErrorBounds | None = None
    baseline: BaselineDemands | None = None
    floor: FloorDemands | None = None
    require_signed: Annotated[bool, Field(strict=True)] = False
    isolation: tuple[Isolation, ...] = ()
    code: Annotated[bool, Field(strict=True)] = True
    scripts: Annotated[bool, Field(strict=True)] = False
    _folder: Path = PrivateAttr(default=Path())

    def baseline_file(self) -> Path | None:
        """Return the path of the baseline file."""
        return self._folder / self.baseline.file if self.baseline else None

    def floor_file(self) -> Path | None:
        """Return the path of the floor's file."""
        return self._folder / self.floor.file if self.floor else None


def read_gate(file: Path) -> Gate:
    """Read a gate from a pyproject.toml's table, or from a whole other TOML file.

    Raises:
        SettingError: The gate is missing, malformed, or has no requirements.
    """
    table = _TABLE if file.name == PYPROJECT else ()
    gate = read_strict(file, Gate, table)
    gate._folder = file.resolve().parent
    _check(gate, f"{file} [{'.'.join(table)}]" if table else str(file))
    return gate


def _check(gate: Gate, place: str) -> None:
    for name, group in gate.groups.items():
        try:
            Where.compile(group.where)
        except SettingError as error:
            raise SettingError(f"{place}: groups.{name}.where: {error}") from None
        if not any(group.bounds()):
            known = ", ".join((*AT_LEAST, *AT_MOST))
            raise SettingError(f"{place}: groups.{name} has no bound; add one of {known}")
    _check_errors(gate, place)
    others = ("groups", "must_pass", "zero_tolerance", "errors", "baseline", "floor", "isolation")
    if not any(gate.bounds()) and not any(getattr(gate, name) for name in others) and gate.code:
        raise SettingError(
            f"{place}: the gate has no requirements; add a bound such as rate = 0.8, groups, must_pass, "
            "zero_tolerance or a baseline"
        )


def _check_errors(gate: Gate, place: str) -> None:
    if gate.errors is None:
        return
    if gate.errors.environment is None and gate.errors.margin is None:
        raise SettingError(f"{place}: errors has no bound; add environment = 0.02 or margin = 0.02")
    if gate.errors.margin is not None and gate.baseline is None:
        raise SettingError(
            f"{place}: errors.margin needs a baseline; add [baseline], or use errors.environment"
        )
