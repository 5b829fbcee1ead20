from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sample_run
from PIL import Image

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.video import make_videos

HERE = Path(__file__).parent
ONLY_ALLURE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
CONFTEST = """
import os
from pathlib import Path

import pytest
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.allure import tell

RUN = Run(Path(os.environ["SAMPLE_RUN"]))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    tell(item.config, item, [a for a in RUN.attempts() if a.instance == item.callspec.id], RUN)
    return (yield)
"""
SUITE = """
from dataclasses import dataclass

import pytest
from conftest import RUN


@dataclass(frozen=True)
class Instance:
    attempt: object
    words: frozenset = frozenset({"the", "order", "of", "these", "differs", "from", "run", "to", "run"})


LAST = RUN.last_attempts()


@pytest.mark.easy
@pytest.mark.parametrize("instance", [pytest.param(Instance(LAST[name]), id=name) for name in LAST])
def test_medcua(instance):
    if not instance.attempt.result.graded:
        raise RuntimeError("broken")
    assert instance.attempt.outcome == "success"
"""


def play(folder: Path, run: Run, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a small suite that tells Allure of a recorded run."""
    folder.mkdir(exist_ok=True)
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_medcua.py").write_text(SUITE)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = easy\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "allure_pytest.plugin",
        "-p",
        "no:cacheprovider",
        *options,
    ]
    path = os.pathsep.join((str(HERE.parents[1]), str(folder)))
    environment = {**os.environ, "SAMPLE_RUN": str(run.folder), "PYTHONPATH": path, **ONLY_ALLURE}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def results(folder: Path) -> dict[str, dict[str, Any]]:
    found = (json.loads(file.read_text(encoding="utf-8")) for file in folder.glob("*-result.json"))
    return {result["name"]: result for result in found}


@pytest.fixture(scope="module")
def told(run: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, Any]]]:
    """Allure's folder after a run, and the results in it by name."""
    folder = tmp_path_factory.mktemp("allure")
    make_videos(run, [run.last_attempts()["emergency_triage/discharge-intent"]], "on")
    finished = play(folder, run, "--alluredir=results")
    assert "7 failed, 3 passed" in finished.stdout
    assert "warning" not in finished.stdout
    return folder / "results", results(folder / "results")


def labels(result: dict[str, Any], name: str) -> list[str]:
    return sorted(label["value"] for label in result["labels"] if label["name"] == name)


def walk(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        yield step
        yield from walk(step.get("steps", []))


def test_labels_say_where_an_instance_belongs(told: Any) -> None:
    """Suite, domain, application, severity and tags are labels, none of them twice."""
    result = told[1]["emergency_triage/discharge-intent"]
    expected = {
        "epic": ["medcua"],
        "feature": ["Emergency"],
        "story": ["emergency_triage"],
        "parentSuite": ["medcua"],
        "severity": ["critical"],  # that of the worst harm
        "tag": ["easy", "hard", "intent"],
    }
    assert {name: labels(result, name) for name in expected} == expected
    solved = told[1]["emergency_triage/record_vitals-intent"]
    assert (labels(solved, "tag"), labels(solved, "severity")) == (["easy", "intent"], [])


def test_parameters_are_readable(told: Any) -> None:
    """The item's own object is not shown; agent, epoch, seed and variant are."""
    result = told[1]["radiology_orders/compare-intent-s2"]
    assert {p["name"]: p["value"] for p in result["parameters"]} == {
        "agent": "claude", "epoch": "0", "seed": "2", "variant": "intent"
    }  # fmt: skip
    assert result["description"] == sample_run.GOAL


def test_history_is_the_same_in_the_next_run(told: Any, run: Run, tmp_path: Path) -> None:
    """Every instance has its own history and test case, equal in a second process."""
    play(tmp_path, run, "--alluredir=results")
    again = results(tmp_path / "results")
    for key in ("historyId", "testCaseId"):
        first = {name: result[key] for name, result in told[1].items()}
        assert len(set(first.values())) == 10
        assert first == {name: result[key] for name, result in again.items()}


def test_steps_have_the_times_they_took(told: Any) -> None:
    """The reset and each decision stand where they happened, one after the other."""
    result = told[1]["emergency_triage/discharge-intent"]
    reset, first, second = result["steps"][:3]
    assert reset["name"] == "0 · reset the world"
    assert first["name"] == "1 · click (230, 148)"
    assert second["name"] == "2 · type “Maria Gonzalez”"
    assert reset["stop"] - reset["start"] == 400
    assert (first["start"], first["stop"] - first["start"]) == (reset["stop"], 1500)
    assert second["start"] == first["stop"]
    assert reset["start"] == 1763711100000


def test_findings_are_steps(told: Any) -> None:
    """Each milestone and each violation is a step, with expected and seen to read."""
    steps = {step["name"]: step for step in told[1]["emergency_triage/discharge-intent"]["steps"]}
    reached, _, missed = steps["Milestones"]["steps"]
    assert (reached["status"], missed["status"]) == ("passed", "failed")
    assert missed["statusDetails"]["message"] == "expected: triage = 3\nseen: triage is empty"
    harm, slip = steps["Violations"]["steps"]
    assert harm["name"] == "critical · patient_identity · vitals.hr"
    assert (harm["status"], slip["status"]) == ("failed", "failed")


def test_several_attempts_are_parents_of_their_steps(told: Any) -> None:
    """A broken attempt is broken, the one after it passed, and the milestones come once."""
    steps = told[1]["emergency_triage/record_vitals-step"]["steps"]
    assert [step["name"].partition(" — ")[0] for step in steps] == [
        "attempt 1: environment_error", "attempt 2: success", "Milestones"
    ]  # fmt: skip
    assert [step["status"] for step in steps] == ["broken", "passed", "passed"]
    assert len(steps[1]["steps"]) == 8


def test_pictures_show_where_the_agent_clicked(told: Any) -> None:
    """The screenshot of a click is a marked copy; every attachment named lies in the folder."""
    folder, found = told
    result = found["emergency_triage/discharge-intent"]
    for step in (result, *walk(result["steps"])):
        assert all((folder / attachment["source"]).is_file() for attachment in step.get("attachments", []))
    click = result["steps"][1]["attachments"]
    assert [attachment["name"] for attachment in click] == ["thought", "screen before"]
    with Image.open(folder / click[1]["source"]) as marked:
        assert marked.getpixel((230, 148 - 16)) == (213, 0, 110)


def test_what_changed_and_the_answer_are_attached(told: Any) -> None:
    """The differences of the world are a table, the answer is a text."""
    folder, found = told
    attached = {
        a["name"]: folder / a["source"] for a in found["emergency_triage/assign_bay-intent"]["attachments"]
    }
    assert attached["answer"].read_text() == "bay 12"
    rows = list(csv.reader(io.StringIO(attached["what changed"].read_text())))
    assert rows[1] == ["patients", "7", "update", "hr", "", "88"]
    assert "last screenshot" in attached


def test_a_video_is_attached(told: Any) -> None:
    """It is a picture that moves, and Allure is told so."""
    attached = {a["name"]: a for a in told[1]["emergency_triage/discharge-intent"]["attachments"]}
    assert attached["video"]["type"] == "image/webp"
    assert (told[0] / attached["video"]["source"]).suffix == ".webp"


def test_hostile_text_is_told_as_text(hostile_run: Run, tmp_path: Path) -> None:
    """Markup is escaped where Allure renders it, and lengths stay sensible."""
    play(tmp_path, hostile_run, "--alluredir=results")
    result = results(tmp_path / "results")["emergency_triage/hostile-intent"]
    assert "<script" not in result["descriptionHtml"]
    decisions = result["steps"][1:4]
    assert [step["status"] for step in decisions] == ["failed", "failed", "passed"]
    assert "cannot parse the reply" in decisions[1]["statusDetails"]["message"]
    assert max(len(step["name"]) for step in walk(result["steps"])) <= 200
    assert not any("\u202e" in step["name"] for step in walk(result["steps"]))


def test_trouble_with_the_report_is_a_warning_only(tmp_path: Path) -> None:
    """What cannot be written leaves the test passed, even where warnings are errors."""
    run = Run(tmp_path / "run")
    sample_run.record(run, sample_run.attempt("a", "b", "success", started="yesterday"), size=(320, 180))
    finished = play(tmp_path / "suite", run, "--alluredir=results", "-W", "error::pytest.PytestWarning")
    assert "1 passed, 1 warning" in finished.stdout
    assert "cannot add test_medcua.py::test_medcua[a/b-intent] to Allure: ValueError" in finished.stdout


def test_without_a_results_folder_nothing_happens(run: Run, tmp_path: Path) -> None:
    """A run without --alluredir is not told anything and warns of nothing."""
    finished = play(tmp_path, run)
    assert "3 passed" in finished.stdout
    assert "warning" not in finished.stdout
