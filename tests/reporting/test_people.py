"""How people performed, as reports tell it."""

from __future__ import annotations

import json
from pathlib import Path

from sample_run import attempt

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.markdown import write_summary
from pytest_cuabench.reporting.people import performances


def _played(
    run: Run, number: int, difficulty: str, seconds: float, *kinds: str, agent: str = "human"
) -> Attempt:
    folder = run.folder / "trajectories" / f"t{number}"
    folder.mkdir(parents=True)
    raw = {"seconds": seconds, "input_events": [[0.1, kind, 1, 2] for kind in kinds]}
    (folder / "steps.jsonl").write_text(json.dumps({"step": 0, "actions": [], "raw": raw}) + "\n")
    played = attempt("desk", f"t{number}", "success", difficulty=difficulty)
    return played.with_values(agent=agent, trajectory=f"trajectories/t{number}")


def test_time_and_inputs_by_difficulty(tmp_path: Path) -> None:
    """Median and mean time, and the mean number of inputs of each kind."""
    run = Run(tmp_path / "run")
    attempts = [
        _played(run, 1, "easy", 10, "click", "key"),
        _played(run, 2, "easy", 20, "click", "scroll"),
        _played(run, 3, "hard", 60, "key", "key", "key"),
    ]
    found = performances(run, attempts)
    assert list(found) == ["easy", "hard", "all"]
    assert found["easy"].cells()[1:] == ("15 s", "15 s", "2.0", "1.0", "0.5", "0.5")
    assert found["all"].cells()[1:] == ("20 s", "30 s", "2.3", "0.7", "1.3", "0.3")


def test_other_players_are_no_people(tmp_path: Path) -> None:
    """Where nobody played by hand there is no table."""
    run = Run(tmp_path / "run")
    assert performances(run, [_played(run, 1, "easy", 10, "click", agent="claude")]) == {}


def test_the_summary_tells_it(tmp_path: Path) -> None:
    """A table of its own."""
    run = Run(tmp_path / "run")
    run.append(_played(run, 1, "easy", 10, "click"))
    assert "How people performed" in write_summary(run).read_text()
