"""Secrets are masked in what is shown of an attempt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import changes, steps
from pytest_cuabench.reporting.marks import Mark
from pytest_cuabench.task.evidence import State, state_to_json
from pytest_cuabench.task.redact import MASK, secrets_in, without

SECRET = "mint-tea-44"


def test_texts_under_secret_names() -> None:
    """Texts under secret names are secrets, however deep; very short ones are not, as they stand in other words."""
    values = {"password": SECRET, "user": {"access_token": "abc"}, "name": "Ada", "pwd": "a1", "otp": 5}
    assert list(secrets_in(values)) == [SECRET, "abc"]


def test_all_texts_of_plain_data_are_masked() -> None:
    """Texts in lists, tuples and tables are masked; what is no text stays."""
    data = {"a": [f"type {SECRET}!", 3, None], "b": ({"c": SECRET},)}
    assert without(data, (SECRET,)) == {"a": [f"type {MASK}!", 3, None], "b": ({"c": MASK},)}
    assert without(data, ()) is data
    ring = Mark(SECRET, [(1, 2)])
    assert without(ring, (SECRET,)) == Mark(MASK, [(1, 2)])


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of one attempt, whose agent typed the password of its goal."""
    run = Run(tmp_path / "run")
    run.create({"settings": {}})
    folder = run.folder / "here"
    folder.mkdir()
    step = {
        "step": 0, "time": 1.0, "seconds": 0.1, "screenshot": None, "notices": [], "format_error": None,
        "thought": f"I type {SECRET}.", "actions": [{"kind": "type", "text": SECRET}],
        "results": [{"error": None, "text": f"typed {SECRET}"}], "wrote": False,
    }  # fmt: skip
    (folder / "steps.jsonl").write_text(json.dumps(step) + "\n")
    (folder / "case.json").write_text(json.dumps({"goal": SECRET, "values": {"password": SECRET}}))
    for name, note in (("before", ""), ("after", f"my {SECRET}")):
        (folder / f"{name}.json").write_text(
            json.dumps(state_to_json(State({"notes": {"1": {"text": note}}})))
        )
    return run


def test_steps_and_changes_are_masked(run: Run) -> None:
    """What reports read of steps and changes has no secret of the case in it."""
    names = {"suite": "s", "application": "desk", "task": "note", "domain": "D", "difficulty": "easy"}
    more: dict[str, Any] = {**names, "variant": "step", "seed": 0, "epoch": 0, "agent": "a"}
    attempt = Attempt.of(instance="desk/note-step", number=1, outcome="failure", trajectory="here", **more)
    (step,), (change,) = steps(run, attempt), changes(run, attempt)
    assert SECRET not in json.dumps(step)
    assert step["actions"] == [{"kind": "type", "text": MASK}]
    assert change.fields == {"text": ("", f"my {MASK}")}
