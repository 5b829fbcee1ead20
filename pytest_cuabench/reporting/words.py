"""Texts that the terminal, Allure and the HTML report share."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_cuabench.errors import ActionError
from pytest_cuabench.ledger.attempt import Attempt, PhaseRecord
from pytest_cuabench.task.action import ACTIONS, parse_action
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import cut, dollars, harmless, many, short, visible
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Milestone, Verdict, Violation

WIDTH = 100
_LABEL = 11  # width of a label
_ALIKE = 3  # violations of a kind that are told one by one


# Actions


def action_words(action: Mapping[str, Any]) -> str:
    """Describe a recorded action in one line, such as `click (512, 300)` or `type “Maria”`."""
    kind = action.get("kind", "nothing")
    if not isinstance(kind, str) or kind not in ACTIONS:
        return short(str(kind).replace("_", " "))
    try:
        return short(parse_action(action).words(), 90)
    except ActionError:
        return f"{short(kind, 20)} (malformed)"


def decision_words(actions: list[Mapping[str, Any]], limit: int = 90) -> str:
    """Describe all actions of a step in one line."""
    return cut(", then ".join(map(action_words, actions)) or "no action", limit)


# Tokens and money


def usage_words(usage: Usage) -> str:
    """Format a usage, such as `21,000 tokens in (9,000 cached), 900 out, $0.0412`; an unknown cost reads "unknown"."""
    cached = f" ({usage.tokens_cached:,} cached)" if usage.tokens_cached else ""
    money = "cost unknown" if usage.cost is None else dollars(usage.cost)
    return f"{usage.tokens_in:,} tokens in{cached}, {usage.tokens_out:,} out, {money}"


# Attempts


def attempt_title(attempt: Attempt) -> str:
    """Return one line with the attempt's number, outcome and reason."""
    return cut(f"attempt {attempt.number}: {attempt.outcome} — {short(_reason(attempt), 200)}", 160)


def reason(attempt: Attempt, limit: int = 200) -> str:
    """Return in one line why an attempt is not a success: harm, missed milestones, or the error."""
    return short(_reason(attempt), limit)


def _reason(attempt: Attempt) -> str:
    verdict = attempt.verdict
    if verdict is None or verdict.success:
        return attempt.error or attempt.result.words
    if attempt.result is Outcome.BROKE_ENVIRONMENT and (broke := broke_words(attempt)):
        return broke
    if verdict.violations:
        told = by_kind(verdict.violations)
        return "; ".join(f"{item.severity} {item.dimension}: {item.detail}" for item in told)
    missed = [milestone.name for milestone in verdict.milestones if not milestone.reached]
    return attempt.result.words + (f"; missed: {', '.join(missed)}" if missed else "")


def by_kind(violations: Iterable[Violation]) -> list[Violation]:
    """Return violations with those that are many of a kind as the first of them, which says how many more there are.

    A kind is what hurts the same collection in the same way and words; the record keeps each.
    """
    kinds: dict[tuple[object, ...], list[Violation]] = {}
    for item in violations:
        collection = re.split(r"[./]", item.subject, maxsplit=1)[0]
        words = item.detail.replace(item.subject, "") if item.subject else item.detail
        kinds.setdefault((item.dimension, item.severity, item.committed, collection, words), []).append(item)
    told: list[Violation] = []
    for alike in kinds.values():
        if len(alike) > _ALIKE:
            detail = f"{alike[0].detail.removesuffix('.')} (and {len(alike) - 1} more of this kind)"
            alike = [replace(alike[0], detail=detail)]
        told += alike
    return told


def broke_words(attempt: Attempt) -> str | None:
    """Describe the action that broke the environment; None where none did."""
    broke = attempt.end.broke
    if broke is None:
        return None
    tried = {
        True: "; the environment works without the agent",
        False: "; the environment also fails without the agent",
        None: "",
    }
    return f"after {action_words(broke.action)} in step {broke.step + 1}: {broke.error}{tried[broke.control]}"


def error_message(attempt: Attempt, run_folder: Path | None = None) -> str:
    """Return the error of an ungraded attempt, and the path of its trajectory."""
    what = short(attempt.error or attempt.result.words, 600)
    if attempt.end.broke:
        what += f" (after {action_words(attempt.end.broke.action)} in step {attempt.end.broke.step + 1})"
    return "\n".join([what, *_place("see", attempt.files.trajectory, run_folder)])


def phase_facts(phase: PhaseRecord) -> dict[str, str]:
    """Return what is to be told of an earlier phase, by name."""
    metrics = {
        name: f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in phase.metrics.items()
    }
    return {
        "outcome": phase.outcome,
        "steps": f"{phase.steps} of {phase.max_steps}",
        **({"answer": short(phase.answer, 400)} if phase.answer is not None else {}),
        "handed on": phase.document or "nothing",
        **({"error": phase.error} if phase.error else {}),
        **metrics,
    }


def failure_message(attempt: Attempt, run_folder: Path) -> str:
    """Return the explanation of a failed item, in lines of at most 100 columns.

    Only paths may be longer, so that they can be copied or clicked.
    """
    lines = [*_wrapped("", f"{attempt.item.instance}: {attempt.result.words} ({attempt.outcome})"), ""]
    lines += _fact("goal", attempt.goal, 1200)
    if attempt.verdict is not None:
        lines += _verdict(attempt.verdict)
    if attempt.end.answer is not None:
        lines += _fact("answer", f"“{short(attempt.end.answer, 400)}”")
    if broke := broke_words(attempt):
        lines += _fact("broke", broke)
    elif attempt.error:
        lines += _fact("error", attempt.error)
    lines += _fact("steps", _effort(attempt))
    for phase in attempt.phases:
        lines += _fact(phase.name, ", ".join(f"{name} {words}" for name, words in phase_facts(phase).items()))
    lines += _place("last seen", attempt.files.screenshot or attempt.files.trajectory, run_folder)
    return "\n".join(lines)


def recalled_note(attempt: Attempt) -> str:
    """Return the line for a recorded result that is kept, with the time when it was played."""
    when = f"{attempt.started[:19].replace('T', ' at ')} UTC; the result is kept; --cua-epochs plays several times"
    return "\n".join(_fact("recorded", when))


def _effort(attempt: Attempt) -> str:
    words = f"{attempt.counts.steps} of {attempt.counts.max_steps}"
    if attempt.counts.format_errors:
        words += f", {attempt.counts.format_errors} not parsed"
    if attempt.counts.repairs:
        words += (
            f", repaired {', '.join(f'{kind} {count}' for kind, count in attempt.counts.repairs.items())}"
        )
    if attempt.counts.code_used:
        words += ", ran code"
    if attempt.counts.scripts:
        words += f", {many(attempt.counts.scripts, 'script')} evaluated"
    verdict = attempt.verdict
    return words if verdict is None else f"{words}; score {verdict.score:.2f}, reward {verdict.reward:+.2f}"


def _verdict(verdict: Verdict) -> Iterator[str]:
    for milestone in verdict.milestones:
        yield from _milestone(milestone)
    for violation in by_kind(verdict.violations):
        yield from _violation(violation)


def _milestone(milestone: Milestone) -> Iterator[str]:
    yield from _wrapped("  ✓ " if milestone.reached else "  ✗ ", short(milestone.name, 200))
    if not milestone.reached:
        for name in ("expected", "seen"):
            if text := getattr(milestone, name):
                yield from _wrapped(f"      {name:<9}", short(text, 400))


def _violation(violation: Violation) -> list[str]:
    detail = f"{violation.severity} {violation.dimension}: {violation.detail} [{violation.subject}]"
    return _wrapped("  ! ", short(detail, 600))


def _fact(label: str, text: str, limit: int = 600) -> list[str]:
    return _wrapped(f"  {label:<{_LABEL}}", short(" ".join(text.split()), limit))


def _wrapped(start: str, text: str) -> list[str]:
    lines = textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )
    # A line may begin within a word, and so with what was no command before.
    return [harmless(line) for line in lines] or [start.rstrip()]


def _place(label: str, path: str | None, run_folder: Path | None) -> list[str]:
    if path is None:
        return []
    full = Path(path) if run_folder is None else run_folder / path
    shown = os.path.relpath(full) if full.is_absolute() else str(full)
    return [f"  {label:<{_LABEL}}{visible(min(str(full), shown, key=len))}"]
