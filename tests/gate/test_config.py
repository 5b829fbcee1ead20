"""A gate's file: what is allowed is read, and everything else is an error with one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.config import read_gate

WHOLE = """
rate = 0.8
rule = "proven"
confidence = 0.9
coverage = 0.99
must_pass = ["ward/admit", "icu_*"]
zero_tolerance = "major"

[groups.icu]
where = "hard and task(domain='ICU')"
milestones = 0.7
cost = 0.5
total_cost = 40
p95_seconds = 120
reward = -0.5

[baseline]
file = "evidence/main.jsonl"
margin = 0.1
collecting = "pass"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A gate's file."""
    return tmp_path / "gate.toml"


def refused(file: Path, text: str) -> str:
    """Return the sentence with which a gate is refused, without the file's name."""
    file.write_text(text)
    with pytest.raises(SettingError) as error:
        read_gate(file)
    sentence = str(error.value)
    assert str(file) in sentence
    return sentence.replace(str(file), "FILE")


def test_whole(file: Path) -> None:
    """Everything that can be demanded is read; the baseline lies beside the gate's file."""
    file.write_text(WHOLE)
    gate = read_gate(file)
    assert (gate.rate, gate.rule, gate.confidence, gate.coverage) == (0.8, "proven", 0.9, 0.99)
    assert gate.must_pass == ("ward/admit", "icu_*")
    assert gate.zero_tolerance == "major"
    assert list(gate.groups["icu"].bounds()) == [
        ("reward", -0.5),
        ("milestones", 0.7),
        ("cost", 0.5),
        ("total_cost", 40.0),
        ("p95_seconds", 120.0),
    ]
    assert gate.baseline is not None
    assert (gate.baseline.margin, gate.baseline.alpha) == (0.1, 0.01)
    assert gate.baseline_file() == file.parent / "evidence" / "main.jsonl"


def test_pyproject(tmp_path: Path) -> None:
    """In a pyproject.toml the gate is the table of its name, and other tables are not looked at."""
    file = tmp_path / "pyproject.toml"
    file.write_text("[project]\nname = 'x'\n[tool.cuabench.gate]\nrate = 0.5\n")
    assert read_gate(file).rate == 0.5
    file.write_text("[tool.other]\nrate = 0.5\n")
    with pytest.raises(SettingError, match=r"pyproject.toml has no table \[tool.cuabench.gate\]; add it"):
        read_gate(file)
    file.write_text("[tool.cuabench.gate]\nrat = 0.5\n")
    with pytest.raises(
        SettingError,
        match=r"pyproject.toml:2: unknown key tool.cuabench.gate.rat; .*; did you mean 'rate'",
    ):
        read_gate(file)


@pytest.mark.parametrize(
    ("text", "key", "known"),
    [
        ("ratee = 1", "ratee", "baseline, code, confidence, cost, coverage"),
        (
            "rate = 1\n[groups.icu]\nwhere = 'hard'\nrat = 0.5",
            "groups.icu.rat",
            "cost, milestones, p95_seconds",
        ),
        (
            "rate = 1\n[baseline]\nmargins = 0.5",
            "baseline.margins",
            "agent, alpha, collapse_alpha, collecting",
        ),
        ("rate = 1\nfolder = '/'", "folder", "baseline"),
    ],
)
def test_unknown_key(file: Path, text: str, key: str, known: str) -> None:
    """A typo is an error that names what is allowed there: it would silently switch a demand off."""
    line = len(text.splitlines())
    assert f"FILE:{line}: unknown key {key}; known: {known}" in refused(file, text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rate = 80", "rate: input should be less than or equal to 1, not 80"),
        ("rate = true", "rate: input should be a valid number"),
        ("rate = nan", "rate: input should be"),
        ("rate = '0.8'", "rate: input should be a valid number, not '0.8'"),
        ("cost = -1", "cost: input should be greater than or equal to 0"),
        (
            "zero_tolerance = 'all'",
            "zero_tolerance: input should be 'critical', 'major' or 'minor', not 'all'",
        ),
        ("rule = 'maybe'\nrate = 0.5", "rule: input should be 'estimate' or 'proven'"),
        ("must_pass = 'a'", "must_pass: input should be a valid tuple"),
        (
            "rate = 0.5\n[baseline]\nmin_runs = 0",
            "baseline.min_runs: input should be greater than or equal to 1",
        ),
        ("[groups.icu]\nrate = 0.5", "groups.icu.where is missing"),
        ("[groups.icu]\nwhere = 'hard'", "groups.icu has no bound; add one of rate, reward"),
        (
            "[groups.icu]\nwhere = 'hard and'\nrate = 0.5",
            "groups.icu.where: 'hard and' is not a valid marker expression",
        ),
        (
            "[groups.icu]\nwhere = \"task(dmain='x')\"\nrate = 0.5",
            "groups.icu.where: task: no argument named 'dmain'; known: ",
        ),
        ("[groups.icu]\nwhere = \"hard(a='x')\"\nrate = 0.5", "only task(...) takes arguments"),
        ("coverage = 0.5", "FILE: the gate has no requirements; add a bound"),
        ("", "FILE: the gate has no requirements"),
        ("rate = ", "FILE is not valid TOML"),
    ],
)
def test_mistakes(file: Path, text: str, words: str) -> None:
    """Every other mistake is an error, too, at its place."""
    assert words in refused(file, text)


def test_missing(file: Path) -> None:
    """A gate that is not there is no gate that passes."""
    with pytest.raises(SettingError, match="is missing"):
        read_gate(file)
    with pytest.raises(SettingError, match="cannot read"):
        read_gate(file.parent)
