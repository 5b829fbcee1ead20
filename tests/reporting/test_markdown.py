from __future__ import annotations

import re
from pathlib import Path

import sample_run

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.markdown import escape, write_summary
from pytest_cuabench.task.usage import Usage


def test_the_summary_tells_the_run(run: Run) -> None:
    """Rate, matrix, outcomes and a line for each instance that did not succeed."""
    text = write_summary(run).read_text(encoding="utf-8")
    assert "**3 of 9** graded instances succeeded: 33.3 % (12.1–64.6)" in text
    assert "1 could not be graded. Tier: synthetic. Agent: " in text
    assert "| application | easy | medium | hard | all |" in text
    assert "| violation | 1 | the agent did harm |" in text
    failing = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(failing) == 7
    assert any("critical patient\\_identity\\: A heart rate" in line for line in failing)


def test_the_summary_breaks_the_run_down(run: Run) -> None:
    """Measures by domain, difficulty, variant and tier, and how attempts failed with the thresholds."""
    text = write_summary(run).read_text(encoding="utf-8")
    assert "| domain | Pharmacy | 0.0 % (0.0–49.0) | \\+0\\.00 | 25 % | 7\\.0 | 21,900 |" in text
    assert "| tier | synthetic | 33.3 % (12.1–64.6) | \\+0\\.22 | 11 % | 7\\.0 | 21,900 |" in text
    assert "| chat\\_give\\_up | 2 | the agent reported that it failed" in text
    assert "Early abort: at most 3 steps. Heavy loop: at least 5 rounds of the same steps." in text


def test_the_summary_tells_what_was_spent(run: Run, tmp_path: Path) -> None:
    """Tokens and money of all attempts, those too that were tried again; a cost with an unknown part is unknown."""
    text = write_summary(run).read_text(encoding="utf-8")
    assert "| 11 | 231,000 | 0 | 9,900 | \\$0\\.45 |" in text
    unknown = Run(tmp_path)
    sample_run.record(unknown, sample_run.attempt("a", "b", "success", usage=Usage(10, 2, 5, 0.5)))
    sample_run.record(unknown, sample_run.attempt("a", "c", "success", usage=Usage(10, 2, 0, None)))
    assert "| 2 | 20 | 5 | 4 | unknown |" in write_summary(unknown).read_text(encoding="utf-8")


def test_hostile_text_is_only_text(hostile_run: Run) -> None:
    """No tag, link, cell border or new line of a model's text means anything in the summary."""
    text = write_summary(hostile_run).read_text(encoding="utf-8")
    assert not re.search(r"(?<!\\)[<>|\[\]]", text.partition("Instances without success")[2])
    assert "\\<script\\>" in text
    assert max(map(len, text.splitlines())) < 800


def test_escaping_keeps_a_text_within_its_cell() -> None:
    """A pipe, a new line and a heading sign lose their meaning."""
    assert escape("# a | b\n[c](d)") == "\\# a \\| b⏎\\[c\\]\\(d\\)"


def test_a_run_without_attempts_has_a_summary(tmp_path: Path) -> None:
    """A run that ended before its first attempt is said to have graded none."""
    text = write_summary(Run(tmp_path)).read_text(encoding="utf-8")
    assert "**0 of 0** graded instances succeeded." in text


def test_repeated_plays(tmp_path: Path) -> None:
    """Where instances were played several times, pass@k and pass^k have a table."""
    run = Run(tmp_path)
    for epoch, outcome in enumerate(("success", "failure", "success")):
        for task in ("refill", "stock"):
            done = sample_run.attempt("pharmacy", task, outcome, epoch=epoch)
            run.append(done.with_values(instance=f"{done.instance}-e{epoch}"))
    text = write_summary(run).read_text(encoding="utf-8")
    assert "| intent | pass\\^2 | 33.3 % (" in text
    assert "| intent | pass\\@3 | 100.0 % (" in text
    assert "| 6 episodes of 2 tasks |" in text


def test_single_plays(run: Run) -> None:
    """Where each instance was played once, there is no table of repeated plays."""
    assert "Repeated plays" not in write_summary(run).read_text(encoding="utf-8")
