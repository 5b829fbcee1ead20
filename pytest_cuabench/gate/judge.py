"""Judge a run by all requirements of a gate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pytest_cuabench.gate.baseline import Baseline
from pytest_cuabench.gate.breakage import error_bounds
from pytest_cuabench.gate.compare import compare
from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Finding, Judgement
from pytest_cuabench.gate.floor import above_floor
from pytest_cuabench.gate.integrity import check_record
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.gate.requirements import code, completeness, isolation, must_pass, zero_tolerance
from pytest_cuabench.gate.thresholds import bounds
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.signing import Key


def judge_run(
    run: Run, gate: Gate, key: Key | None = None, suites: Mapping[str, Path] | None = None
) -> Judgement:
    """Judge a recorded run: first the integrity of its record, then its results.

    Args:
        key: The key that verifies the ledger's signatures, if it has any.
        suites: Folders of suites that are neither shipped nor installed, by name; used to verify regrades.

    Raises:
        SettingError: The baseline or the floor cannot be read, or signatures are required and there is no key.
    """
    file, floor = gate.baseline_file(), gate.floor_file()
    checked = check_record(run, key, suites or {}, require_signed=gate.require_signed)
    found = judge(
        checked.recorded,
        gate,
        Baseline.read(file) if file else None,
        run.name,
        Baseline.read(floor, "cuabench floors SUITE") if floor else None,
    )
    return replace(found, findings=(*checked.findings, *found.findings), record=checked.counts)


def judge(
    recorded: Recorded,
    gate: Gate,
    baseline: Baseline | None = None,
    run: str = "",
    floor: Baseline | None = None,
) -> Judgement:
    """Judge a record in memory, without reading or writing files."""
    agent = ", ".join(recorded.agents)
    demands = gate.model_dump(mode="json", exclude_defaults=True)
    return Judgement(run, agent, tuple(_findings(recorded, gate, baseline, floor)), demands)


def _findings(
    recorded: Recorded, gate: Gate, baseline: Baseline | None, floor: Baseline | None
) -> Iterator[Finding]:
    yield from completeness(recorded, gate)
    yield from isolation(recorded, gate)
    yield from code(recorded, gate)
    yield from must_pass(recorded, gate)
    yield from zero_tolerance(recorded, gate)
    yield from bounds(recorded, gate)
    yield from error_bounds(recorded, gate, baseline)
    if gate.baseline and baseline is None:
        raise ValueError("the gate requires a comparison, but there is no baseline")
    if gate.floor and floor:
        yield from above_floor(recorded, floor, gate.floor)
    if gate.baseline and baseline:
        yield from compare(recorded, baseline, gate.baseline, gate.coverage)
