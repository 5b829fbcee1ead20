"""Output of a judgement: `gate.json` for programs, Markdown for CI pages, lines for the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from pytest_cuabench.errors import RecordFailure, SettingError
from pytest_cuabench.gate.decision import Decision, Finding, Judgement
from pytest_cuabench.ledger.jsonl import write_json
from pytest_cuabench.reporting.markdown import escape
from pytest_cuabench.task.text import visible

JSON = "gate.json"
MARKDOWN = "gate.md"
STEP_SUMMARY = "GITHUB_STEP_SUMMARY"
_LONGEST = 1000
_MOST_ON_A_PAGE = 100  # GitHub's limit is a megabyte
_MOST = 20  # lines in the terminal; the files are complete


def write_judgement(folder: Path, judgement: Judgement) -> None:
    """Write `gate.json` and `gate.md` into a run's folder, and append the Markdown to GitHub's job summary, if any.

    Raises:
        SettingError: A file cannot be written.
    """
    text = "\n".join(markdown(judgement)) + "\n"
    page = os.environ.get(STEP_SUMMARY)
    try:
        write_json(folder / JSON, judgement.to_json())
        (folder / MARKDOWN).write_text(text, encoding="utf-8")
        if page:
            with Path(page).open("a", encoding="utf-8") as file:
                file.write(text)
    except (OSError, RecordFailure) as error:
        raise SettingError(f"cannot write the judgement: {error}") from None


def markdown(judgement: Judgement) -> Iterator[str]:
    """Yield the lines of the Markdown page, the deciding findings first."""
    decision = judgement.decision
    yield f"## {decision.sign} Gate: {decision.label}"
    yield ""
    yield f"Run {escape(judgement.run)}, agent {escape(judgement.agent) or 'none'}, exit code {decision.code}."
    for found, title in _TITLES.items():
        if findings := judgement.of(found):
            yield from ["", f"### {title}", ""]
            yield from (f"- {escape(finding.reason, _LONGEST)}" for finding in findings[:_MOST_ON_A_PAGE])
            if len(findings) > _MOST_ON_A_PAGE:
                yield f"- and {len(findings) - _MOST_ON_A_PAGE} more in `{JSON}`"
    yield ""


def lines(judgement: Judgement) -> Iterator[tuple[str, Decision]]:
    """Yield terminal lines with their decision; the last line is the judgement."""
    ranked = sorted(
        judgement.findings, key=lambda finding: list(Decision).index(finding.decision), reverse=True
    )
    for finding in ranked[:_MOST]:
        yield _line(finding), finding.decision
    if len(ranked) > _MOST:
        yield f"and {len(ranked) - _MOST} more in {MARKDOWN}", Decision.PASS
    decision = judgement.decision
    yield f"gate: {decision.label}, exit code {decision.code}", decision


def _line(finding: Finding) -> str:
    return f"{finding.decision.sign} {visible(finding.reason)}"


_TITLES = {
    Decision.FAIL: "Failed",
    Decision.INCONCLUSIVE: "Inconclusive",
    Decision.PASS: "Passed",
}
