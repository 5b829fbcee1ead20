"""All demands of a gate on one run, together."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.gate.baseline import Baseline
from pytest_cuabench.gate.compare import compare
from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Finding, Judgement
from pytest_cuabench.gate.musts import completeness, must_pass, zero_tolerance
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.gate.thresholds import bounds
from pytest_cuabench.ledger import Run


def judge_run(run: Run, gate: Gate) -> Judgement:
    """Judge a recorded run.

    Raises:
        SettingError: The baseline cannot be read.
    """
    file = gate.baseline_file()
    return judge(Recorded.of(run), gate, Baseline.read(file) if file else None, run.name)


def judge(recorded: Recorded, gate: Gate, baseline: Baseline | None = None, run: str = "") -> Judgement:
    """Judge what was recorded; reads and writes nothing."""
    agent = ", ".join(recorded.agents)
    demands = gate.model_dump(mode="json", exclude_defaults=True)
    return Judgement(run, agent, tuple(_findings(recorded, gate, baseline)), demands)


def _findings(recorded: Recorded, gate: Gate, baseline: Baseline | None) -> Iterator[Finding]:
    yield from completeness(recorded, gate)
    yield from must_pass(recorded, gate)
    yield from zero_tolerance(recorded, gate)
    yield from bounds(recorded, gate)
    if gate.baseline and baseline is None:
        raise ValueError("the gate demands a comparison, and there is no baseline")
    if gate.baseline and baseline:
        yield from compare(recorded, baseline, gate.baseline, gate.coverage)
