"""The soak tells growth from noise, and knows its player's verdicts."""

from __future__ import annotations

import json
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_cuabench.task.outcome import Outcome

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def soak() -> Any:
    """The script as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        return import_module("soak")


def samples(**rises: float) -> list[dict[str, float]]:
    """Return samples of an hour, of figures that rise from 100 by so much, with noise of 1 and a start that differs."""
    chance = np.random.default_rng(0)
    hours = np.linspace(0, 1, 121)
    return [
        {
            "hours": hour,
            "episodes": number,
            "steps": 10 * number,
            "CPU": number,
            **{
                name: (100 + rise * hour) * min(1, 0.5 + 5 * hour) + chance.normal()
                for name, rise in rises.items()
            },
        }
        for number, hour in enumerate(hours, 1)
    ]


def test_growth(soak: Any) -> None:
    """What rises steadily grows, what falls or only fills its caches does not, and the interval holds the slope."""
    found = {line.name: line for line in soak.lines(samples(leak=10, cache=0, less=-10))}
    assert {name: line.grows for name, line in found.items()} == {"leak": True, "cache": False, "less": False}
    assert abs(found["leak"].slope - 10) < found["leak"].half < 5


def test_too_short(soak: Any, tmp_path: Path) -> None:
    """A soak with too few samples tells no slope, in place of a flat one."""
    (tmp_path / soak.ABOUT).write_text('{"pace": 1, "think": 1}')
    (tmp_path / soak.SAMPLES).write_text("".join(f"{json.dumps(each)}\n" for each in samples(leak=10)[:11]))
    (said,) = soak.table(tmp_path, None)
    assert said.startswith("11 samples with steps, one each 30 s, tell no slope; play until there are 12")
    with pytest.raises(SystemExit, match=r"9 samples after --warm-up=0\.93 tell no slope"):
        list(soak.lines(samples(leak=10), 0.93))


def test_player(soak: Any) -> None:
    """Half of the instances are solved, a quarter is left and a quarter given up, whatever their task."""
    for task in ("desk/note", "probe/line"):
        names = [f"{task}-{variant}-e{epoch}" for variant in ("intent", "step") for epoch in range(500)]
        found = Counter(map(soak.expected, names))
        assert set(found) == {Outcome.SUCCESS, Outcome.FAILURE, Outcome.GAVE_UP}
        assert 0.4 < found[Outcome.SUCCESS] / len(names) < 0.6


def test_end(soak: Any, tmp_path: Path) -> None:
    """Simulated hours are steps at a pace, of all episodes at once; lines that are still written are not counted."""
    run = tmp_path / "reports" / soak.RUN
    run.mkdir(parents=True)
    (tmp_path / "t").mkdir()
    attempt = json.dumps({"type": "attempt", "steps": 480})
    (run / "ledger.jsonl").write_text(
        json.dumps({"type": "plan"}) + "\n" + f"{attempt}\n{attempt}\n" + attempt
    )
    sampler = soak.Sampler(tmp_path, 2**22)  # no process has this number
    sample = sampler.take()
    assert (sample["episodes"], sample["steps"]) == (2, 960)
    given = soak.arguments(["--simulated-hours", "1", "--pace", "60"])
    assert soak.over(sample, given)
    assert not soak.over(sample | {"steps": 959}, given)
