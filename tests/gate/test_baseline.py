"""The baseline is an append-only file of evidence that keeps its fingerprints."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from gate_records import MEASURED, attempt, plays

from pytest_cuabench.commands.cli import main
from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import Baseline, Evidence, Plays, Support, append_evidence, instance_of
from pytest_cuabench.ledger.record import Run

LONGER = replace(MEASURED, settings={"cua_max_steps": "50"})
EVIDENCE = Evidence.of(
    "night-1", "2026", "claude", [*plays("a", "++-!"), *plays("b", "-", fingerprint=LONGER)]
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A baseline that is not there yet."""
    return tmp_path / "baseline.jsonl"


def test_evidence() -> None:
    """Evidence is the graded plays of each instance, all epochs together, with their fingerprint and duration."""
    assert EVIDENCE.instances == {
        "ward/a-intent": Plays(MEASURED, 3, 2, 41.5),
        "ward/b-intent": Plays(LONGER, 1, 0, 41.5),
    }


def test_what_is_no_evidence() -> None:
    """Plays of another agent, or of an older version that kept no fingerprint, show nothing."""
    attempts = [attempt("a", agent="other"), attempt("b", fingerprint=None), attempt("c", "cancelled")]
    assert Evidence.of("r", "", "claude", attempts).instances == {}


def test_round_trip(file: Path) -> None:
    """What is appended is read back, with all that a fingerprint has."""
    append_evidence(file, EVIDENCE)
    assert Baseline.read(file).evidence == (EVIDENCE,)
    (line,) = file.read_text().splitlines()
    assert len(json.loads(line)["contexts"]) == 2


def test_append_only(file: Path) -> None:
    """What is in the file stays as it is, and a newline that an editor left out is made up for."""
    append_evidence(file, EVIDENCE)
    before = file.read_text()
    file.write_text(before.removesuffix("\n"))
    append_evidence(file, replace(EVIDENCE, run="night-2"))
    assert file.read_text().startswith(before)
    assert [each.run for each in Baseline.read(file).evidence] == ["night-1", "night-2"]


def test_twice(file: Path) -> None:
    """A run is evidence once; another run of the same name is another one."""
    append_evidence(file, EVIDENCE)
    with pytest.raises(SettingError, match=r"run night-1 of 2026 is already in"):
        append_evidence(file, EVIDENCE)
    append_evidence(file, replace(EVIDENCE, started="2027"))


def test_no_evidence(file: Path) -> None:
    """A run without evidence is refused, and makes no file."""
    with pytest.raises(SettingError, match="run empty holds no evidence"):
        append_evidence(file, Evidence("empty", "", "claude", {}))
    assert not file.exists()


@pytest.mark.parametrize(
    "line",
    [
        "<<<<<<< main",
        "[]",
        '{"type": "evidence"}',
        '{"run":1,"started":1,"agent":1,"instances":{"a":[0,"t",1,2]}}',
    ],
)
def test_damaged(file: Path, line: str) -> None:
    """A line that is no evidence is an error with its number, and never passed over."""
    append_evidence(file, EVIDENCE)
    with file.open("a") as opened:
        opened.write(f"\n{line}\n")
    with pytest.raises(SettingError, match=r"line 3 is not valid evidence .*; restore the line or remove it"):
        Baseline.read(file)


def test_missing(file: Path) -> None:
    """Without a file there is nothing to compare with; the sentence says how to get one."""
    with pytest.raises(SettingError, match=r"cuabench baseline update RUN --file baseline.jsonl"):
        Baseline.read(file)


def test_support() -> None:
    """What counts is the newest runs of the instance, by this agent, at this very fingerprint."""
    other = replace(EVIDENCE, agent="other")
    better = Evidence.of("night-3", "2028", "claude", plays("a", "+++"))
    changed = Evidence.of("night-4", "2029", "claude", plays("a", "---", fingerprint=LONGER))
    baseline = Baseline((EVIDENCE, other, EVIDENCE, better, changed))
    assert baseline.support("claude", "ward/a-intent", MEASURED, 20) == Support(3, 9, 7)
    assert baseline.support("claude", "ward/a-intent", MEASURED, 1) == Support(1, 3, 3)
    assert baseline.support("claude", "ward/a-intent", LONGER, 20) == Support(1, 3, 0)
    assert baseline.support("claude", "ward/none", MEASURED, 20) == Support()
    assert baseline.newest("claude", "ward/a-intent") == LONGER
    assert baseline.newest("nobody", "ward/a-intent") is None


def test_the_agents_profile_does_not_matter() -> None:
    """A new release of the agent is compared with the old one: that is what the baseline is for."""
    released = replace(MEASURED, agent="new profile")
    assert Baseline((EVIDENCE,)).support("claude", "ward/a-intent", released, 20).plays == 3


def test_instances_without_epochs() -> None:
    """Epochs are repeats of one instance; seeds and variants are others."""
    names = [instance_of(each) for each in plays("a", "+++")]
    assert names == ["ward/a-intent"] * 3
    assert instance_of(attempt("a-e1")) == "ward/a-e1-intent"


def record(folder: Path, *attempts: object, agent: str | None = "claude") -> str:
    """Write a run; return its folder."""
    run = Run(folder)
    run.create({"agent": agent, "started": "2026-11-21"})
    for each in attempts:
        run.append(each)
    return str(folder)


def test_command(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`cuabench baseline update` adds a run once, and says what it added."""
    run = record(tmp_path / "night-1", *plays("a", "++-"), *plays("b", "+"))
    assert main(["baseline", "update", run, "--file", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}: added 4 graded plays of 2 instances by claude, run night-1\n"
    assert main(["baseline", "update", run, "--file", str(file)]) == 2
    assert "is already in" in capsys.readouterr().err


def test_command_refuses(tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Audits, runs of two agents and folders that are no runs are no evidence."""
    audit = record(tmp_path / "audit", attempt("a", agent="audit"), agent=None)
    mixed = record(tmp_path / "mixed", attempt("a"), attempt("b", agent="other"))
    for run, words in (
        (audit, "is an audit"),
        (mixed, "attempts of several agents (claude, other)"),
        (str(tmp_path), "no run named"),
    ):
        assert main(["baseline", "update", run, "--file", str(file)]) == 2
        assert words in capsys.readouterr().err
    assert not file.exists()
