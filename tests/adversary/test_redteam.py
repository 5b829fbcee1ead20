"""`cuabench redteam`: attacks on any suite, a user's own among them, and what is said of a hole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError

from .conftest import SUITES

pytestmark = pytest.mark.slow
TASK = ("--task", "emergency_triage/view_queue")
LIKE_SUCCESS = ("--way", "the answer 'success'")


@pytest.fixture(autouse=True)
def chromium() -> None:
    """Skip where there is no browser."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))


def test_a_suite_without_holes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Every way is told with its outcome, and written as data; the reference solution comes last."""
    assert main(["redteam", "medcua", *TASK, *LIKE_SUCCESS, "--json", str(tmp_path / "found.json")]) == 0
    assert "0 holes found" in capsys.readouterr().out
    first, attack, last = json.loads((tmp_path / "found.json").read_text())
    assert attack["outcome"] in {"failure", "violation"}
    assert (first["kind"], first["outcome"]) == ("reference", "success")
    assert (last["way"], last["outcome"]) == ("the reference solution, afterwards", "success")


def test_a_hole(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A check of a person's own suite that takes any answer is found."""
    folder = tmp_path / "weak"
    shutil.copytree(SUITES / "medcua", folder, ignore=shutil.ignore_patterns("__pycache__"))
    about = folder / "suite.toml"
    about.write_text(about.read_text().replace('name = "medcua"', 'name = "weak"'))
    task = folder / "emergency_triage" / "view_queue.py"
    weak = "\n\ndef check(evidence, case):\n    yield Milestone('any', bool(evidence.answer), 1.0)\n"
    task.write_text(
        f"from pytest_cuabench import Milestone\n{task.read_text()}{weak}".replace(
            "from __future__ import annotations\n", ""
        )
    )
    assert main(["redteam", str(folder), *TASK, *LIKE_SUCCESS]) == 1
    said = capsys.readouterr().out
    assert "passes" in said
    assert "1 hole found" in said


def test_a_suite_without_harm(capsys: pytest.CaptureFixture[str]) -> None:
    """Ways of pages are tried on a suite without critical harm, too, and a kind is chosen by its name."""
    pytest.importorskip("miniwob", reason="type: pip install 'pytest-cuabench[miniwob]'")
    assert main(["redteam", "miniwob", "--way", "UDP"]) == 0
    said = capsys.readouterr().out
    assert "speak by UDP from a script" in said
    assert "1 way tried, 0 holes found" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--task", "nothing"), "--task: no task name of medcua contains 'nothing'"),
        ((*TASK, "--way", "xyzzy"), "--way: no way has 'xyzzy' in its name or as its kind"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What selects nothing is refused."""
    assert main(["redteam", "medcua", *arguments]) == 2
    assert sentence in capsys.readouterr().err
