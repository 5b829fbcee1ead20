"""`cuabench report` and `cuabench view`: which run they find, what they write, and what they say of mistakes."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run


@pytest.fixture
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs, `old` and `new`, seen from the folder above it."""
    for age, name in enumerate(("new", "old")):
        run = Run(tmp_path / "reports" / name)
        run.append(
            Attempt(
                Planned("a/b-c", "s", "a", "b", "D", "easy", "c", 0, 0),
                1,
                "noop",
                "cancelled",
                error="stopped",
            )
        )
        os.utime(run.folder / "ledger.jsonl", (1e9 - age, 1e9 - age))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "reports"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a browser was asked to open."""
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda address: bool(asked.append(address)) or True)
    return asked


def test_the_newest_run_is_viewed(
    reports: Path, opened: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a name it is the newest; its page is written where there is none, and its path printed."""
    assert main(["view"]) == 0
    assert capsys.readouterr().out == "reports/new/report.html\n"
    assert opened == [(reports / "new" / "report.html").as_uri()]
    assert (reports / "new" / "report.html").is_file()


@pytest.mark.parametrize("name", ["old", "reports/old"])
def test_a_run_is_named(reports: Path, opened: list[str], name: str) -> None:
    """By its name or by its folder."""
    assert main(["view", name]) == 0
    assert opened == [(reports / "old" / "report.html").as_uri()]


def test_no_browser(
    reports: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no browser can be opened the path is what is left, and that is said."""
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    assert main(["view"]) == 0
    assert "cannot open a browser" in capsys.readouterr().err


def test_reports_are_written_again(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One run's page lies in its folder; that of two in the first one's, or where it is told."""
    assert main(["report", "old"]) == main(["report", "old", "new"]) == 0
    assert main(["report", "old", "new", "--output", "both.html"]) == 0
    printed = capsys.readouterr().out.split("\n")
    assert [line.partition(" (")[0] for line in printed] == [
        "reports/old/report.html",
        "reports/old/comparison.html",
        "both.html",
        "",
    ]
    assert Path("both.html").read_text().count('id="piece-') == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["report", "nope"], "no run named 'nope'; the newest in reports: new, old"),
        (["view", "nope", "--reports=empty"], "no run named 'nope'; empty holds no runs"),
        (["view", "--reports=empty"], "no runs in empty; name a run's folder, or use --reports=DIR"),
        (["report", "old", "reports/old"], "reports/old is named twice"),
        (["report", "old", "--output", "no/where.html"], "No such file or directory"),
    ],
)  # fmt: skip
def test_mistakes(
    reports: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    """One sentence says what is wrong and what there is."""
    assert main(arguments) == 2
    assert sentence in capsys.readouterr().err
