"""`cuabench judge`: what it asks, which answers it takes, and that it decides nothing."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.attempt import Attempt, AttemptFiles
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.verdict import Milestone, Verdict

TASK = "suggest_sooner"
JUDGE = """
from pathlib import Path
from pytest_cuabench.agents.base import Decision
from pytest_cuabench.task.action import Answer, Click
from pytest_cuabench.task.usage import Usage

class Judge:
    async def start(self, briefing):
        self.replies = iter(Path("replies.txt").read_text().splitlines())
        Path("asked.txt").write_text(briefing.goal)
        Path("pictures.txt").write_text(str(len(briefing.pictures)))

    async def decide(self, observation):
        reply = next(self.replies)
        Path("notices.txt").write_text(" ".join(observation.notices))
        action = Click(1, 1) if reply == "click" else Answer(reply)
        return Decision((action,), "", Usage(10, 5, 0, 0.5))

    async def close(self):
        pass
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run with one graded attempt of ten steps at a task with reference steps."""
    found = Run(tmp_path / "reports" / "r")
    folder = found.folder / "trajectories" / "x"
    folder.mkdir(parents=True)
    picture = BytesIO()
    Image.new("RGB", (64, 48)).save(picture, "PNG")
    with (folder / "steps.jsonl").open("w") as steps:
        for number in range(10):
            (folder / f"step-{number:03}.png").write_bytes(picture.getvalue())
            steps.write(json.dumps({"thought": f"thought {number}", "actions": [{"kind": "wait"}]}) + "\n")
    found.append(
        Attempt(
            Planned(f"geany/{TASK}-search", "docos", "geany", TASK, "D", "easy", "search", 0, 0),
            1,
            "noop",
            "failure",
            verdict=Verdict((Milestone("last", False, 1.0, "", ""),)),
            goal="Suggest names sooner.",
            files=AttemptFiles("trajectories/x"),
        )
    )
    (tmp_path / "scripted_judge.py").write_text(JUDGE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    return found


def judged(run: Run, *replies: str) -> dict[str, object]:
    """Return the line that the judge's replies lead to."""
    Path("replies.txt").write_text("\n".join(replies))
    assert main(["judge", "r", "--model", "scripted_judge:Judge"]) == 0
    line: dict[str, object] = json.loads((run.folder / "judged.jsonl").read_text().splitlines()[-1])
    return line


def test_a_count(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """It is recorded with what it cost, and the mean is printed."""
    line = judged(run, '{"steps": 2, "explanation": "Two were done."}')
    assert (line["steps"], line["explanation"], line["cost"]) == (2, "Two were done.", 0.5)
    assert "noop search: 2.00 reference steps" in capsys.readouterr().out


def test_what_is_asked(run: Run) -> None:
    """The question has goal, reference steps and what was done, and eight of the screenshots come with it."""
    judged(run, '{"steps": 0, "explanation": ""}')
    asked = Path("asked.txt").read_text()
    assert [words in asked for words in ("Suggest names sooner.", "1. ", "thought 9")] == [True] * 3
    assert Path("pictures.txt").read_text() == "7"


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("two", "reply is not JSON"),
        ('{"steps": 2}', "not an object with"),
        ('{"steps": 99, "explanation": ""}', "must be a whole number from 0 to"),
        ('{"steps": true, "explanation": ""}', "must be a whole number"),
        ('{"steps": 1, "explanation": 3}', "must be a text"),
        ('{"steps": 1, "steps": 2, "explanation": ""}', "reply is not JSON"),
        ("click", "reply is not JSON"),
    ],
)
def test_other_answers(run: Run, reply: str, problem: str) -> None:
    """Anything but the object is asked for again, and after three tries there is no count."""
    line = judged(run, reply, reply, reply)
    assert line["steps"] is None
    assert problem in str(line["problem"])
    assert "JSON object only" in Path("notices.txt").read_text()


def test_a_second_try(run: Run) -> None:
    """A judge that corrects itself is heard."""
    assert judged(run, "well", '{"steps": 1, "explanation": "One."}')["steps"] == 1


def test_nothing_is_judged_twice(run: Run) -> None:
    """Another call asks only for what has no count yet."""
    judged(run, '{"steps": 1, "explanation": "One."}')
    judged(run, "not asked")
    assert len((run.folder / "judged.jsonl").read_text().splitlines()) == 1


def test_the_verdict_stays(run: Run) -> None:
    """The ledger is not touched."""
    before = (run.folder / "ledger.jsonl").read_bytes()
    judged(run, '{"steps": 4, "explanation": "All were done, so it is a success."}')
    assert (run.folder / "ledger.jsonl").read_bytes() == before


def test_the_cost_is_limited(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """It stops where the limit is reached."""
    Path("replies.txt").write_text("no\nno\nno")
    assert main(["judge", "r", "--model", "scripted_judge:Judge", "--max-cost", "0.6"]) == 1
    assert "cost" in capsys.readouterr().err


def test_no_reference_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run of another suite is refused in one sentence."""
    monkeypatch.chdir(tmp_path)
    Run(tmp_path / "reports" / "r").append(
        Attempt(
            Planned("a/b-c", "medcua", "a", "b", "D", "easy", "c", 0, 0),
            1,
            "noop",
            "cancelled",
            error="stopped",
        )
    )
    assert main(["judge", "r", "--model", "noop"]) == 2
    assert "no attempt whose task has reference steps" in capsys.readouterr().err
