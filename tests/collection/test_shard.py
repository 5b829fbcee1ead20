"""Every instance is played by exactly one machine, and the machines have equally much to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import ATTEMPT, make_task

from pytest_cuabench.collection.shard import Past, split
from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import Evidence, append_evidence
from pytest_cuabench.ledger.attempt import Seconds
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.model import Instance

ids = st.sets(st.text(min_size=1, max_size=8), max_size=60)
times = st.floats(0, 1e4)


@given(ids, st.integers(1, 20), st.randoms(use_true_random=False))
def test_every_instance_is_in_exactly_one_part(names: set[str], count: int, chance: object) -> None:
    """The parts are disjoint, complete, equal in number but for one, and do not depend on the order of collection."""
    parts = split(names, count)
    assert len(parts) == count
    assert sorted(name for part in parts for name in part) == sorted(names)
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    shuffled = list(names)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert split(shuffled, count) == parts


@given(st.dictionaries(st.text(min_size=1, max_size=8), times, max_size=60), st.integers(1, 20))
def test_parts_of_known_durations(seconds: dict[str, float], count: int) -> None:
    """With durations the parts are disjoint and complete too, and none is longer than the average and one instance."""
    parts = split(seconds, count, seconds)
    assert sorted(name for part in parts for name in part) == sorted(seconds)
    longest = max(sum(seconds[name] for name in part) for part in parts)
    assert longest <= sum(seconds.values()) / count + max(seconds.values(), default=0) + 1e-6


def test_durations_balance_what_numbers_do_not() -> None:
    """One long instance is worth many short ones."""
    seconds = {"long": 100.0} | {f"short-{number}": 10.0 for number in range(10)}
    assert sorted(map(len, split(seconds, 2, seconds))) == [1, 10]


def test_wordings_of_a_task_go_to_different_parts() -> None:
    """Neighbours are dealt out one by one."""
    names = [f"desk/{task}-{variant}" for task in "abc" for variant in ("intent", "step")]
    first, second = split(names, 2)
    assert [name.rpartition("-")[2] for name in first] == ["intent"] * 3
    assert [name.rpartition("-")[2] for name in second] == ["step"] * 3


def test_recorded_seconds() -> None:
    """An instance takes what it took, else what its task took on average, else what the median task took."""
    note, count, both = (make_task(id=name) for name in ("note", "count", "both"))
    played = [
        ("note", "intent", 2.0),
        ("note", "intent", 4.0),
        ("note", "step", 6.0),
        ("count", "step", 10.0),
    ]
    attempts = [
        ATTEMPT.with_values(instance=f"desk/{task}-{variant}", task=task, seconds=Seconds(total=seconds))
        for task, variant, seconds in played
    ]
    asked = [
        Instance(note, "intent"),
        Instance(note, "other"),
        Instance(both, "step"),
        Instance(count, "step"),
    ]
    assert Past([(each.instance, each.seconds.total) for each in attempts]).seconds(asked) == {
        "desk/note-intent": 3.0,
        "desk/note-other": 4.0,
        "desk/both-step": 7.0,
        "desk/count-step": 10.0,
    }
    assert Past([]).seconds(asked[:1]) == {"desk/note-intent": 1.0}


def test_durations_need_an_attempt(tmp_path: Path) -> None:
    """A run in which everything broke tells no duration."""
    run = Run(tmp_path)
    run.append(replace(ATTEMPT, outcome="environment_error", verdict=None))
    with pytest.raises(SettingError, match="holds no graded attempts to take durations from"):
        Past.of(run)
    run.append(ATTEMPT)
    assert Past.of(run).attempts == [ATTEMPT]


def test_durations_of_a_baseline(tmp_path: Path) -> None:
    """The baseline of a repository tells durations as well, by its newest evidence; one without any is no error."""
    file = tmp_path / "cuabench-baseline.jsonl"
    file.touch()
    assert Past.find(str(file), tmp_path).timed == []
    for number, seconds in enumerate(((1.0,), (20.0, 30.0))):
        measured = Fingerprint("task", "world", "0.1.0", {})
        played = [
            ATTEMPT.with_values(fingerprint=measured, seconds=Seconds(total=total), epoch=epoch)
            for epoch, total in enumerate(seconds)
        ]
        append_evidence(file, Evidence.of(f"night-{number}", "2026", ATTEMPT.agent, played))
    assert Past.find(str(file), tmp_path).timed == [(ATTEMPT.instance, 25.0)]
