"""Exporters are found by entry point, write the finished run, and never change its verdict."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from pytest_cuabench.reporting.sheet import write_rows

EXPORTERS = """
class Names:
    def export(self, run, folder):
        file = folder / "names.txt"
        file.write_text(" ".join(sorted({attempt.task for attempt in run.attempts()})))
        return file

def broken(run, folder):
    raise KeyError("no such column")
"""


@pytest.fixture
def project(sample: pytest.Pytester) -> pytest.Pytester:
    """The sample project, where a distribution with two exporters is installed."""
    sample.makepyfile(their_exporters=EXPORTERS)
    about = sample.mkdir("theirs-1.0.dist-info")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[pytest_cuabench.exporters]\nnames = their_exporters:Names\nbroken = their_exporters:broken\n"
    )
    sample.syspathinsert()
    return sample


def play(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Play the sample suite with an agent that does nothing."""
    others = ("-p", "no:anyio", "-p", "no:hypothesispytest")
    return project.runpytest_inprocess("suites/sample", "--agent=noop", "--cua-run=one", *others, *arguments)


def test_exported(project: pytest.Pytester) -> None:
    """A class and the built-in `csv` write into folders of the run's exports, and their files are named."""
    played = play(project, "--cua-export=names,csv", "-k", "note")

    played.assert_outcomes(failed=2)
    played.stdout.fnmatch_lines(
        ["names: reports/one/exports/names/names.txt", "csv: reports/one/exports/csv/attempts.csv"]
    )
    exports = project.path / "reports" / "one" / "exports"
    assert (exports / "names" / "names.txt").read_text() == "note"
    with (exports / "csv" / "attempts.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [rows[0][name] for name in ("tokens_in", "tokens_out", "tokens_cached")] == ["0", "0", "0"]
    assert [(row["instance"], row["outcome"], row["reward"]) for row in rows] == [
        ("desk/note-intent", "failure", "0.0"),
        ("desk/note-step", "failure", "0.0"),
    ]


def test_broken_exporter(project: pytest.Pytester) -> None:
    """An exporter that breaks is one warning; outcome and exit code are those of the run."""
    played = play(project, "--cua-export=broken", "-k", "note")

    assert played.ret == 1
    played.assert_outcomes(failed=2)
    played.stdout.fnmatch_lines(
        [
            "cuabench: warning: the exporter broken broke, and the run is as it was: KeyError: 'no such column' *"
        ]
    )


def test_unknown_exporter(project: pytest.Pytester) -> None:
    """A wrong name is refused before anything is played."""
    refused = play(project, "--cua-export=name")

    assert refused.ret == 4
    refused.stderr.fnmatch_lines(
        ["*: 'name'; expected names of exporters: *broken, csv, *, names, *; did you mean 'names'?"]
    )
    assert not Path(project.path / "reports").exists()


def test_formulas_are_text(tmp_path: Path) -> None:
    """A cell that a spreadsheet would run begins with an apostrophe, and no other separator splits a text."""
    formulas = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\uff1d1"]
    file = tmp_path / "cells.csv"
    with file.open("w", newline="") as stream:
        write_rows(stream, [formulas, ["desk", 3, None, "-5", "a;=1+1"]])
    text = file.read_bytes().decode()
    first, second = csv.reader(io.StringIO(text, newline=""))
    assert first == [f"'{formula}" for formula in formulas]
    assert second == ["desk", "3", "", "-5", "a;=1+1"]
    assert '"a;=1+1"' in text
