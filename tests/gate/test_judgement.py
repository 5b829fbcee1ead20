"""The judgement as a whole, and what is written of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from gate_records import MEASURED, attempt, plays, recorded, runs

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.config import BaselineDemands, Gate
from pytest_cuabench.gate.decision import Decision, Finding, Judgement
from pytest_cuabench.gate.judge import judge
from pytest_cuabench.gate.summary import lines, markdown, write_judgement

PASS, FAIL, UNKNOWN = Decision.PASS, Decision.FAIL, Decision.INCONCLUSIVE
HOSTILE = "<img src=x onerror=alert(1)>|`\x1b[2J\u202e\n## Gate: pass"


def judgement(*decisions: Decision) -> Judgement:
    """Return a judgement of these findings."""
    found = tuple(Finding("bound", f"f{n}", each, f"Reason {n}.") for n, each in enumerate(decisions))
    return Judgement("night", "claude", found, {"rate": 0.5})


@pytest.mark.parametrize(
    ("decisions", "whole", "code"),
    [
        ([PASS, PASS], PASS, 0),
        ([PASS, UNKNOWN], UNKNOWN, 11),
        ([UNKNOWN, FAIL, PASS], FAIL, 10),
        ([], UNKNOWN, 11),
    ],
)
def test_the_worst_decides(decisions: list[Decision], whole: Decision, code: int) -> None:
    """A failure is worse than not knowing, and nothing found is nothing known; no code is one of pytest's others."""
    assert judgement(*decisions).decision is whole
    assert whole.code == code
    assert code == 0 or code not in set(map(int, pytest.ExitCode))


def test_all_demands() -> None:
    """Every kind of demand has its finding, in a fixed order."""
    gate = Gate.model_validate(
        {"rate": 0.5, "must_pass": ["ward/t0"], "zero_tolerance": "critical", "baseline": {}}
    )
    attempts = [each for n in range(60) for each in plays(f"t{n}", "+++")]
    found = judge(recorded(*attempts), gate, runs(7, *attempts), "night")
    assert [each.check for each in found.findings] == [
        *("coverage", "must_pass", "zero_tolerance", "bound", "non_inferiority", "collapse")
    ]
    assert found.decision is PASS
    assert (found.run, found.agent) == ("night", "claude")


def test_a_comparison_needs_a_baseline() -> None:
    """A gate that demands a comparison cannot be judged without one."""
    with pytest.raises(ValueError, match="there is no baseline"):
        judge(recorded(attempt("a")), Gate(baseline=BaselineDemands()), None)


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON holds decision, code, reasons and every finding; the Markdown the same in words."""
    page = tmp_path / "page.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    write_judgement(tmp_path, judgement(PASS, FAIL, UNKNOWN))
    found = json.loads((tmp_path / "gate.json").read_text())
    assert (found["decision"], found["exit_code"], found["reasons"]) == ("fail", 10, ["Reason 1."])
    assert [each["decision"] for each in found["findings"]] == ["pass", "fail", "inconclusive"]
    assert found["gate"] == {"rate": 0.5}
    text = (tmp_path / "gate.md").read_text()
    assert text.startswith("## ✗ Gate: fail\n")
    assert text.index("## Failed") < text.index("## Inconclusive") < text.index("## Passed")
    assert page.read_text() == text


def test_unwritable(tmp_path: Path) -> None:
    """A judgement that cannot be written is an error, and no pass."""
    with pytest.raises(SettingError, match="cannot write the judgement"):
        write_judgement(tmp_path / "none", judgement(PASS))


def test_hostile_names() -> None:
    """Names come from ledgers that anybody may have written: they are only text, on a page and in a terminal."""
    records = recorded(attempt("a", "failure").with_values(instance=HOSTILE, agent=HOSTILE))
    gate = Gate.model_validate({"must_pass": ["ward/a"], "rate": 0.5})
    found = judge(records, gate, run=HOSTILE)
    text = "\n".join(markdown(found))
    assert not re.search(r"(?<!\\)[<>|`]", text)
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## ✗ Gate: fail"]
    for line, _ in lines(found):
        assert line.isprintable()


def test_lines() -> None:
    """A terminal shows the worst first, not more than a screen of it, and the decision last."""
    shown = [line for line, _ in lines(judgement(PASS, *[UNKNOWN] * 30, FAIL))]
    assert shown[0] == "✗ Reason 31."
    assert shown[-2:] == ["and 12 more in gate.md", "gate: fail, exit code 10"]
    assert len(shown) == 22


def test_long_pages() -> None:
    """A page names a hundred reasons of a kind and counts the others."""
    text = "\n".join(markdown(judgement(*[FAIL] * 150)))
    assert text.count("- Reason") == 100
    assert "- and 50 more in `gate.json`" in text


def test_order_does_not_matter() -> None:
    """The same record is judged in the same way, whatever the order in which attempts ended."""
    attempts = [each for n in range(30) for each in plays(f"t{n}", "+-+", fingerprint=MEASURED)]
    gate = Gate.model_validate({"rate": 0.6, "baseline": {"min_runs": 1, "min_plays": 1}})
    baseline = runs(4, *attempts)
    forth, back = (judge(recorded(*each), gate, baseline) for each in (attempts, attempts[::-1]))
    assert {each.reason for each in forth.findings} == {each.reason for each in back.findings}
