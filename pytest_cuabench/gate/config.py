"""What a gate may demand: `[tool.cuabench.gate]` of a pyproject.toml, or a TOML file of its own.

Nothing is optional by accident: an unknown key is an error, and so is a gate that demands nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StrictStr

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.where import Where
from pytest_cuabench.strict import fit_strict, read_toml

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
_TABLE = ("tool", "cuabench", "gate")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Demands(_Strict):
    """Bounds for a group of instances.

    Attributes:
        rate: Strict success, at least.
        reward: Mean reward (-1 to 1), at least.
        milestones: Mean milestone score (0 to 1), at least.
        cost: Mean US dollars of a graded episode, at most.
        total_cost: US dollars of all attempts, at most.
        p95_seconds: 95th percentile of an episode's seconds on its two clocks, without back-off, at most.
        rule: What it takes to pass, see `thresholds.py`; None is the gate's own.
    """

    rate: _Share | None = None
    reward: Annotated[float, Field(strict=True, ge=-1, le=1)] | None = None
    milestones: _Share | None = None
    cost: _Amount | None = None
    total_cost: _Amount | None = None
    p95_seconds: _Amount | None = None
    rule: Rule | None = None

    def bounds(self) -> Iterator[tuple[str, float]]:
        """Yield the bounds that are demanded."""
        for name in (*AT_LEAST, *AT_MOST):
            if (bound := getattr(self, name)) is not None:
                yield name, bound


class Group(Demands):
    """Bounds for the instances that a marker expression chooses."""

    where: _Words


class BaselineDemands(_Strict):
    """How a run is compared with the evidence of earlier ones.

    Attributes:
        file: The baseline, relative to the gate's file.
        agent: The agent in the baseline to compare with; None is the run's own.
        margin: A mean success rate lower by this much is not acceptable any more.
        alpha: How probable it may be that a suite that did not change fails by chance.
        confidence: How sure it has to be, one-sided, that the loss is smaller than the margin.
        collapse_alpha: How probable it may be that any instance seems to have collapsed by chance.
        solid: The success rate that an instance had in the baseline, to be one that can collapse.
        min_runs: Runs of an instance, at its fingerprint, before it is compared.
        min_plays: Graded plays of it, likewise.
        window: So many newest runs of an instance count.
        share: The share of instances that must have been admitted for the suite to be compared.
        collecting: What the gate says while they are not.
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


class Gate(Demands):
    """A gate: bounds for all instances, and what else is demanded.

    Attributes:
        confidence: Of the two-sided intervals that bounds are compared with.
        coverage: The share of instances that must have been graded for anything to be concluded.
        must_pass: Instances, tasks or globs of them, of which every play must succeed.
        zero_tolerance: No violation of this severity or a worse one may happen at all.
    """

    confidence: _Between = 0.95
    coverage: _Share = 0.95
    groups: Mapping[_Words, Group] = Field(default_factory=dict)
    must_pass: tuple[_Words, ...] = ()
    zero_tolerance: Severity | None = None
    baseline: BaselineDemands | None = None
    _folder: Path = PrivateAttr(default=Path())

    def baseline_file(self) -> Path | None:
        """Return where the baseline lies."""
        return self._folder / self.baseline.file if self.baseline else None


def read_gate(file: Path) -> Gate:
    """Read a gate from a pyproject.toml's table, or from the whole of another TOML file.

    Raises:
        SettingError: It is missing, malformed, or demands nothing; the sentence names the key and what is allowed.
    """
    data: Any = read_toml(file)
    place = str(file)
    if file.name == PYPROJECT:
        place = f"{file} [{'.'.join(_TABLE)}]"
        for name in _TABLE:
            data = data.get(name) if isinstance(data, dict) else None
        if not isinstance(data, dict):
            raise SettingError(f"{file} has no table [{'.'.join(_TABLE)}]; write one, or name another file")
    gate = fit_strict(data, Gate, place)
    gate._folder = file.resolve().parent
    _check(gate, place)
    return gate


def _check(gate: Gate, place: str) -> None:
    for name, group in gate.groups.items():
        try:
            Where.compile(group.where)
        except SettingError as error:
            raise SettingError(f"{place}: groups.{name}.where: {error}") from None
        if not any(group.bounds()):
            known = ", ".join((*AT_LEAST, *AT_MOST))
            raise SettingError(f"{place}: groups.{name} demands nothing; give it one of {known}")
    if not (any(gate.bounds()) or gate.groups or gate.must_pass or gate.zero_tolerance or gate.baseline):
        raise SettingError(
            f"{place} demands nothing; give it a bound such as rate = 0.8, groups, must_pass, zero_tolerance "
            "or a baseline"
        )
