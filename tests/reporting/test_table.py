"""The tables of papers, from ledgers that were never played."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from reporting.sample_run import attempt

from pytest_cuabench.commands import cli
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Seconds
from pytest_cuabench.ledger.fingerprint import Fingerprint
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.table import cells, played_in, spent, success
from pytest_cuabench.task.usage import Usage

SAMPLE = Path(__file__).parents[1] / "sample_suite"


def ledger(folder: Path, observation: str, agent: str, results: dict[str, list[bool]], **more: Any) -> Run:
    """Write a run: for each domain, whether the tasks of it succeeded."""
    run = Run(folder)
    run.create(
        {"settings": {"agent": f"{agent} (--agent)", "observation": f"{observation} (--cua-observation)"}}
    )
    for domain, successes in results.items():
        for number, won in enumerate(successes):
            outcome = "success" if won else "failure"
            run.append(attempt(domain.lower(), f"t{number}", outcome, domain=domain, agent=agent, **more))
    return run


@pytest.fixture
def runs(tmp_path: Path) -> list[Run]:
    """Two agents with a screenshot, one of them with a tree, too."""
    first = {"Algebra": [True, True, False, False], "GIS": [False, False]}
    return [
        ledger(tmp_path / "a", "screenshot", "claude", first),
        ledger(tmp_path / "b", "tree", "claude", {"Algebra": [True] * 4, "GIS": [True, False]}),
        ledger(tmp_path / "c", "screenshot", "qwen", {"Algebra": [False] * 4}, usage=Usage(10, 10, 0, None)),
    ]


def test_success_by_observation_and_domain(runs: list[Run]) -> None:
    """The paper's layout: a row for each observation and agent, a column for each domain, and all of them."""
    table = success(played_in(runs), ["observation", "agent"], "domain")
    assert table.headings == ("observation", "agent", "Algebra", "GIS", "overall")
    figures = {key: [(each.value, each.n) for each in row] for key, row in table.rows}
    assert figures == {
        ("screenshot", "claude"): [(0.5, 4), (0.0, 2), (pytest.approx(1 / 3), 6)],
        ("screenshot", "qwen"): [(0.0, 4), (None, 0), (0.0, 4)],
        ("tree", "claude"): [(1.0, 4), (0.5, 2), (pytest.approx(5 / 6), 6)],
    }
    for _, row in table.rows:
        assert all(each.low <= each.value <= each.high for each in row if each.value is not None)


def test_seeds_of_a_task_are_no_further_tasks(tmp_path: Path) -> None:
    """Ten plays of two tasks have the wide interval of two tasks."""
    run = Run(tmp_path / "a")
    run.create({})
    for seed in range(5):
        run.append(attempt("algebra", "t0", "success", seed=seed))
        run.append(attempt("algebra", "t1", "failure", seed=seed))
    ((_, row),) = success(played_in([run]), ["agent"], "application").rows
    assert (row[0].n, row[0].tasks) == (10, 2)
    assert (row[0].low, row[0].high) == (pytest.approx(0, abs=0.02), pytest.approx(1, abs=0.02))


def test_the_attempts_own_fingerprint_says_what_was_shown(tmp_path: Path) -> None:
    """A resumed run may hold two observations."""
    run = Run(tmp_path / "a")
    run.create({"settings": {}})
    shown = Fingerprint("t", "w", "0", {"cua_observation": "marks"})
    run.append(attempt("algebra", "t0", "success").with_values(fingerprint=shown))
    run.append(attempt("algebra", "t1", "success"))
    table = success(played_in([run]), ["observation"], "domain")
    assert [key for key, _ in table.rows] == [("marks",), ("unknown",)]


def test_what_was_not_graded_is_left_out_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It counts in no rate and in no mean."""
    run = ledger(tmp_path / "a", "screenshot", "claude", {"GIS": [True]})
    run.append(attempt("gis", "t9", "environment_error", domain="GIS", agent="claude"))
    assert cli.main(["table", str(run.folder)]) == 0
    said = capsys.readouterr().out
    assert "100.0 % (0.0–100.0) · 1" in said  # of one task, nothing more is known
    assert "1 instance could not be graded and are excluded." in said


def test_money_and_time_of_a_task(runs: list[Run]) -> None:
    """Means over graded episodes; money that is not known of one is not known of all."""
    run = runs[0]
    run.append(
        attempt(
            "gis",
            "t9",
            "success",
            domain="GIS",
            usage=Usage(1, 1, 0, 0.4),
            seconds=Seconds(model=2.0, total=5.0),
        )
    )
    table = list(cells(spent(played_in(runs), ["agent"])))
    assert table[0] == ("agent", "cost per task", "seconds per task", "agent seconds per task", "steps")
    assert table[1][0] == "claude"
    assert table[1][1] == "$0.0688"
    assert table[2] == ("qwen", "–", "10.9", "8.1", "7.0")


def test_the_command_prints_both_tables(runs: list[Run], capsys: pytest.CaptureFixture[str]) -> None:
    """For a terminal in columns, for a page as Markdown; difficulties from the easiest on."""
    folders = [str(run.folder) for run in runs]
    assert cli.main(["table", *folders, folders[0]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["observation", "agent", "Algebra", "GIS", "overall"]
    assert lines[1].startswith("screenshot   claude  50.0 %")
    runs[0].append(attempt("gis", "t8", "success", difficulty="hard", agent="a|b"))
    assert cli.main(["table", *folders, "--markdown", "--rows", "agent", "--columns", "difficulty"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "| agent | easy | hard | overall |"
    assert lines[1] == "| --- | ---: | ---: | ---: |"
    assert lines[2].startswith("| a\\|b | – | 100.0 %")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--rows", "colour"],
            "no grouping named 'colour'; known: agent, application, demonstration, difficulty",
        ),
        (["--rows", "domain"], "the grouping domain is named twice"),
        (["nowhere"], "no run named 'nowhere'"),
        (
            ["--layout", "scubba"],
            "--layout: no layout named 'scubba'; known: docos, scuba, success; did you mean 'scuba'?",
        ),
    ],
)
def test_mistakes_are_a_sentence(
    arguments: list[str], sentence: str, runs: list[Run], capsys: pytest.CaptureFixture[str]
) -> None:
    """With what is allowed instead."""
    assert cli.main(["table", str(runs[0].folder), *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_the_layout_of_scuba(runs: list[Run], capsys: pytest.CaptureFixture[str]) -> None:
    """The measures of its Table 3 by agent, tier and variant; then by persona, difficulty and demonstration."""
    for task, label in (("t20", "exact_demo"), ("t21", "similar_demo")):
        runs[0].append(attempt("sales", task, "success", variant="demo", labels=(label,), actions=4))
    assert cli.main(["table", str(runs[0].folder), "--layout", "scuba"]) == 0
    tables = [part.splitlines() for part in capsys.readouterr().out.split("\n\n")]
    assert tables[0][0].split() == [
        "agent",
        "tier",
        "variant",
        *["milestone", "score", "success", "minutes", "steps", "actions", "tokens", "cost"],
    ]
    assert [part[0].split()[3] for part in tables[2:]] == ["application", "difficulty", "demonstration"]
    rows = [re.split(r"\s{2,}", line) for line in tables[4][1:]]
    assert {row[3] for row in rows} == {"no demo", "exact demo", "similar demo"}
    assert next(row for row in rows if row[3] == "exact demo")[8] == "4.0"


def test_a_suite_declares_its_layout(
    runs: list[Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A suite in ./suites has the columns and rows that its `suite.toml` names; an unknown column is a sentence."""
    suite = shutil.copytree(SAMPLE, tmp_path / "suites" / "mine") / "suite.toml"
    declared = suite.read_text() + '[table]\nmeasures = ["steps", "success"]\nrows = ["agent"]\n'
    suite.write_text(declared)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["table", str(runs[0].folder), "--layout", "mine"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["agent", "steps", "success"]
    assert lines[1].split()[:2] == ["claude", "7.0"]
    suite.write_text(declared.replace('"steps"', '"stepps"'))
    assert cli.main(["table", str(runs[0].folder), "--layout", "mine"]) == 2
    assert "no measure named 'stepps'; known: actions, agent seconds per task" in capsys.readouterr().err


def test_no_attempts_make_an_empty_table(tmp_path: Path) -> None:
    """Headings, and nothing below them."""
    run = Run(tmp_path / "a")
    run.create({})
    assert list(cells(success(played_in([run]), ["agent"], "domain"))) == [("agent", "overall")]
    with pytest.raises(SettingError):
        success([], ["agent", "agent"], "domain")
