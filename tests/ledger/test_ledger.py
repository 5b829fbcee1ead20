"""The record of a run survives crashes, many writers and hostile texts."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import ATTEMPT, make_task

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Recorder, Run, find_run, read_steps
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.usage import Usage

HOSTILE = "a\u2028b\u2029c\x85d\x1ce\rf\ng\ud800h\x00i"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that nothing was written to."""
    return Run(tmp_path / "reports" / "run")


@pytest.fixture
def recorder(run: Run) -> Recorder:
    """The record of a first attempt."""
    return Recorder(run, "desk/note-intent", 1)


def test_round_trip() -> None:
    """An attempt is read back as it was written."""
    assert Attempt.from_json(json.loads(json.dumps(ATTEMPT.to_json()))) == ATTEMPT
    ungraded = ATTEMPT.with_values(
        outcome="environment_error", verdict=None, error="it broke", usage=Usage(cost=None)
    )
    assert Attempt.from_json(json.loads(json.dumps(ungraded.to_json()))) == ungraded


def test_append_and_read(run: Run) -> None:
    """Attempts are read in the order they were added, and the last of an instance wins."""
    assert list(run.attempts()) == []
    again = ATTEMPT.with_values(number=2, answer="43")
    for attempt in (ATTEMPT, ATTEMPT.with_values(instance="desk/count-step"), again):
        run.append(attempt)
    assert [(a.instance, a.number) for a in run.attempts()] == [
        ("desk/note-intent", 1),
        ("desk/count-step", 1),
        ("desk/note-intent", 2),
    ]
    assert run.last_attempts()["desk/note-intent"] == again


def test_each_attempt_is_one_line_at_once(run: Run) -> None:
    """An attempt is on the disk as one line as soon as it was added, whatever its texts hold."""
    for number in (1, 2, 3):
        run.append(ATTEMPT.with_values(number=number, answer=HOSTILE))
        assert (run.folder / LEDGER).read_bytes().count(b"\n") == number
    assert [attempt.answer for attempt in run.attempts()] == [HOSTILE] * 3


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=30))
def test_any_text_is_kept(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    """Answers, errors and thoughts come back as they were, half characters included."""
    run = Run(tmp_path_factory.mktemp("run"))
    run.append(ATTEMPT.with_values(answer=text, error=text))
    recorder = Recorder(run, "a", 1)
    recorder.step({"thought": text, "raw": {text: [text]}})
    recorder.document("case", {"goal": text})
    assert [(a.answer, a.error) for a in run.attempts()] == [(text, text)]
    assert read_steps(recorder.folder) == [{"thought": text, "raw": {text: [text]}}]
    assert json.loads((recorder.folder / "case.json").read_bytes()) == {"goal": text}


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_line_cut_short_by_a_crash(run: Run, cut: int) -> None:
    """A last line that is cut short is passed over, and what is added after it is not lost."""
    run.append(ATTEMPT)
    run.append(ATTEMPT.with_values(number=2, answer="ü" * 200))
    ledger = run.folder / LEDGER
    ledger.write_bytes(ledger.read_bytes()[: -cut - 1])
    assert [attempt.number for attempt in run.attempts()] == [1]
    run.append(replace(ATTEMPT, number=3))
    assert [attempt.number for attempt in run.attempts()] == [1, 3]


def test_line_cut_within_a_character(run: Run) -> None:
    """A line that ends in half a character does not hide the others."""
    run.append(ATTEMPT)
    with (run.folder / LEDGER).open("ab") as file:
        file.write('{"type":"attempt","goal":"ü'.encode()[:-1])
    assert [attempt.number for attempt in run.attempts()] == [1]


def test_unknown_keys_and_lines(run: Run) -> None:
    """What a newer version may have added is passed over; what an older one did not write has its default."""
    run.append(ATTEMPT)
    ledger = run.folder / LEDGER
    data = json.loads(ledger.read_text())
    data |= {"mood": "good", "number": 2}
    data["seconds"]["warming"] = data["usage"]["water"] = 1.0
    del data["answer"], data["usage"]["cost"], data["step_seconds"]
    with ledger.open("a") as file:
        file.write("\n" + json.dumps({"type": "weather"}) + "\n\n" + json.dumps(data) + "\n")
    first, second = run.attempts()
    assert first == ATTEMPT
    usage = replace(ATTEMPT.usage, cost=0.0)
    assert second == ATTEMPT.with_values(number=2, answer=None, step_seconds=(), usage=usage)


WRITER = """
import json, sys
from dataclasses import replace
from pathlib import Path
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run

attempt, who = Attempt.from_json(json.load(sys.stdin)), int(sys.argv[2])
for number in range(40):
    Run(Path(sys.argv[1])).append(attempt.with_values(seed=who, number=number + 1, goal=str(who) * 5000))
"""


def test_concurrent_appends(run: Run) -> None:
    """Lines that several processes add at once are whole, and each process's are in its order."""
    commands = [[sys.executable, "-c", WRITER, str(run.folder), str(who)] for who in range(4)]
    writers = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for command in commands]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(json.dumps(ATTEMPT.to_json()))
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    attempts = list(run.attempts())
    assert len(list(filter(None, (run.folder / LEDGER).read_text().split("\n")))) == len(attempts) == 160
    for who in range(4):
        mine = [attempt for attempt in attempts if attempt.seed == who]
        assert [attempt.number for attempt in mine] == list(range(1, 41))
        assert {attempt.goal for attempt in mine} == {str(who) * 5000}


def test_lost_attempt() -> None:
    """An attempt that ended with its process is known by its instance, and is an environment error."""
    lost = Attempt.lost(Instance(make_task(), "step", 2, 1), "oracle", "the worker died")
    assert (lost.instance, lost.variant, lost.seed, lost.epoch) == ("desk/note-step-s2-e1", "step", 2, 1)
    assert (lost.outcome, lost.error, lost.verdict) == ("environment_error", "the worker died", None)
    assert not lost.result.graded


def test_find_run(run: Run, tmp_path: Path) -> None:
    """A run is a folder with a ledger."""
    run.append(ATTEMPT)
    assert find_run(run.folder) == run
    assert run.name == "run"
    with pytest.raises(SettingError, match=r"is not a run: it holds no ledger\.jsonl"):
        find_run(tmp_path)


def test_recorder(run: Run, recorder: Recorder) -> None:
    """A trajectory is a folder of steps, pictures and documents, named relative to the run."""
    assert recorder.picture("step-000", b"png") == "step-000.png"
    recorder.step({"step": 0, "thought": HOSTILE})
    recorder.step({"step": 1})
    recorder.document("case", {"goal": HOSTILE})
    assert recorder.relative(recorder.folder) == "trajectories/desk/note-intent/1"
    assert recorder.relative(recorder.last) == "trajectories/desk/note-intent/1/step-000.png"
    assert read_steps(recorder.folder) == [{"step": 0, "thought": HOSTILE}, {"step": 1}]
    assert recorder.relative(None) is None


def test_steps_are_kept_whatever_an_agent_calls_raw(recorder: Recorder) -> None:
    """A reply that is no plain data is kept as text, so that no attempt is lost for it."""
    recorder.step({"raw": {"image": b"\xff", "when": object}})
    assert read_steps(recorder.folder)[0]["raw"]["image"] == "b'\\xff'"


def test_recorder_without_pictures(run: Run) -> None:
    """With pictures off, or none to keep, none is written."""
    recorder = Recorder(run, "desk/note-intent", 1, pictures=False)
    assert recorder.picture("final", b"png") is None
    assert Recorder(run, "desk/note-step", 1).picture("final", None) is None
    assert recorder.last is None
    assert list(run.folder.rglob("*.png")) == []


def test_recorder_overwrites_nothing(run: Run, recorder: Recorder) -> None:
    """An attempt that has a trajectory already, of a dead worker or another test, gets another folder beside it."""
    recorder.step({"step": 0})
    again = [Recorder(run, "desk/note-intent", 1) for _ in range(2)]
    assert [record.folder.name for record in (recorder, *again)] == ["1", "1-2", "1-3"]
    assert len(read_steps(recorder.folder)) == 1


def test_steps_cut_short(recorder: Recorder) -> None:
    """A trajectory that a crash cut short is read up to there; a folder without one says so."""
    with pytest.raises(SettingError, match=r"is not a trajectory: it holds no steps\.jsonl"):
        read_steps(recorder.folder)
    recorder.step({"step": 0})
    with (recorder.folder / "steps.jsonl").open("a") as file:
        file.write('{"step":')
    assert read_steps(recorder.folder) == [{"step": 0}]


def test_run_is_created_with_what_it_is(run: Run) -> None:
    """A run says what it is before anything is played."""
    run.create({"agent": "oracle"})
    assert json.loads((run.folder / "run.json").read_text()) == {"agent": "oracle"}
