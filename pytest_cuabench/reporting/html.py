"""`report.html`: a run as one page that needs no network; the screenshots lie beside it.

The page holds its data as JSON that cannot close the element it stands in, and a policy by which the browser
runs only the script and the styles of this package. The script builds every element itself and never reads
a text as markup.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from urllib.parse import quote

from pytest_cuabench.evidence import Change
from pytest_cuabench.failures import Thresholds, failure_of
from pytest_cuabench.ledger import Attempt, Run
from pytest_cuabench.reporting.figures import (
    Rate,
    breakdown,
    changes,
    cost,
    difficulties,
    failures,
    matrix,
    measured,
    outcomes,
    plain,
    rate,
    spent,
    steps,
)
from pytest_cuabench.reporting.marks import marks
from pytest_cuabench.reporting.words import action_words, reason
from pytest_cuabench.stats import percentile

FILE = "report.html"
MAX_BYTES = 4_500_000
_TEMPLATES = Path(__file__).parent / "templates"
_STYLES = ("base.css", "overview.css", "detail.css")
_SCRIPTS = ("dom.js", "overview.js", "table.js", "player.js", "detail.js", "main.js")
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class _Limits(NamedTuple):
    """How much of a run the page holds; the files beside it hold all."""

    text: int
    steps: int
    changes: int


# The first that keeps the page small enough is taken.
_LEVELS = (_Limits(4000, 1000, 200), _Limits(800, 200, 50), _Limits(200, 80, 20), _Limits(80, 30, 8))


def write_report(run: Run) -> Path:
    """Write the page into the run's folder and return its path."""
    data = _data(run)
    for limits in _LEVELS:
        text = _embedded(_trimmed(data, limits))
        if len(text.encode()) <= MAX_BYTES:
            break
    file = run.folder / FILE
    file.write_text(_page(run.name, text), encoding="utf-8")
    return file


# The page


def _page(title: str, data: str) -> str:
    style, script = _joined(_STYLES), _joined(_SCRIPTS)
    parts = {
        "title": html.escape(title),
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "data": data,
    }
    before, *pieces = (_TEMPLATES / "report.html").read_text(encoding="utf-8").split("{{")
    filled = (parts[name.strip()] + rest for name, _, rest in (piece.partition("}}") for piece in pieces))
    return before + "".join(filled)


@cache
def _joined(names: Sequence[str]) -> str:
    text = "\n".join((_TEMPLATES / name).read_text(encoding="utf-8") for name in names)
    return f"\n{text}"


def _policy(style: str, script: str) -> str:
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' file:; "
        f"style-src {_hash(style)}; script-src {_hash(script)}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _embedded(data: Any) -> str:
    """Return JSON without a character that HTML or JavaScript could take for its own."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES).encode(errors="backslashreplace").decode()


# The data


def _data(run: Run) -> dict[str, Any]:
    played: dict[str, list[Attempt]] = defaultdict(list)
    for attempt in run.attempts():
        played[attempt.instance].append(attempt)
    last = [attempts[-1] for attempts in played.values()]
    return {
        "run": run.name,
        "agents": sorted({attempt.agent for attempt in last if attempt.agent}),
        "suites": sorted({attempt.suite for attempt in last}),
        "started": min((attempt.started for attempt in last), default=""),
        "rate": _rate(rate(last)),
        "outcomes": [
            {"label": o.label, "words": o.words, "graded": o.graded, "count": n}
            for o, n in outcomes(last).items()
        ],
        "failures": [
            {"label": kind.label, "words": kind.words, "count": count}
            for kind, count in failures(run, last).items()
        ],
        "thresholds": Thresholds.of(run).to_json(),
        "breakdown": [
            {"grouping": grouping, "name": name, "rate": _rate(found.rate), "texts": measured(found)}
            for grouping, groups in breakdown(last).items()
            for name, found in groups.items()
        ],
        "figures": _figures([attempt for attempts in played.values() for attempt in attempts], last),
        "difficulties": difficulties(last),
        "matrix": [
            {"application": row, "cells": {column: _rate(cell) for column, cell in cells.items()}}
            for row, cells in matrix(last).items()
        ],
        "instances": [_instance(run, attempts) for _, attempts in sorted(played.items())],
    }


def _rate(value: Rate) -> dict[str, Any]:
    return {"k": value.successes, "n": value.graded, "low": round(value.low, 4), "high": round(value.high, 4)}


def _figures(attempts: Sequence[Attempt], last: Sequence[Attempt]) -> dict[str, Any]:
    graded = [attempt.steps for attempt in last if attempt.result.graded]
    successes = [attempt.steps for attempt in last if attempt.outcome == "success"]
    dollars, complete = cost(attempts)
    return {
        "steps": median(graded) if graded else None,
        "steps_of_successes": median(successes) if successes else None,
        "reset": _spread(attempt.seconds.reset for attempt in attempts if attempt.seconds.reset),
        "step": _spread(seconds for attempt in attempts for seconds in attempt.step_seconds),
        "model": _spread(
            (attempt.seconds.model - attempt.seconds.waited) / attempt.steps
            for attempt in attempts
            if attempt.steps
        ),
        "cost": round(dollars, 6),
        "cost_complete": complete,
        "tokens_in": sum(attempt.usage.tokens_in for attempt in attempts),
        "tokens_out": sum(attempt.usage.tokens_out for attempt in attempts),
        "tokens_cached": sum(attempt.usage.tokens_cached for attempt in attempts),
        "attempts": len(attempts),
    }


def _spread(values: Iterable[float]) -> list[float] | None:
    known = list(values)
    found = [percentile(known, q) for q in (50, 95)]
    return [round(value, 4) for value in found if value is not None] or None


def _instance(run: Run, attempts: Sequence[Attempt]) -> dict[str, Any]:
    last = attempts[-1]
    names = ("application", "task", "variant", "seed", "epoch", "difficulty", "domain", "tier", "agent")
    details = ("outcome", "goal", "answer", "error", "ending", "steps", "max_steps")
    verdict, usage = last.verdict, spent(attempts)
    failed = failure_of(run, last, Thresholds.of(run))
    changed = [row for change in changes(run, last) for row in _change(change)]
    return {
        "id": last.instance,
        **{name: getattr(last, name) for name in (*names, *details)},
        "reason": reason(last, 240),
        "failure": failed.label if failed else None,
        "score": verdict.score if verdict else None,
        "reward": verdict.reward if verdict else None,
        "seconds": last.seconds.total,
        "cost": usage.cost,
        "tokens_in": usage.tokens_in,
        "tokens_out": usage.tokens_out,
        "tokens_cached": usage.tokens_cached,
        "milestones": [asdict(item) for item in verdict.milestones] if verdict else [],
        "violations": [asdict(item) for item in verdict.violations] if verdict else [],
        "changes": changed,
        "changed": len(changed),
        "attempts": [_attempt(run, attempt) for attempt in attempts],
    }


def _change(change: Change) -> Iterator[list[Any]]:
    """Yield collection, key, operation, field, before and after; nothing is null, not an empty text."""
    for name, values in change.fields.items():
        before, after = (None if value is None else plain(value) for value in values)
        yield [change.collection, change.key, change.op, name, before, after]


def _attempt(run: Run, attempt: Attempt) -> dict[str, Any]:
    folder = run.folder / (attempt.trajectory or "")
    pictures = {file.name for file in folder.glob("*.png")} if attempt.trajectory else set()
    frames = [_frame(step, pictures) for step in steps(run, attempt)]
    if frames or "final.png" in pictures:
        frames.append({"end": True, "shot": "final.png" if "final.png" in pictures else None})
    return {
        "number": attempt.number,
        "outcome": attempt.outcome,
        "words": attempt.result.words,
        "error": attempt.error,
        "seconds": asdict(attempt.seconds),
        "folder": quote(attempt.trajectory or ""),
        "frames": frames,
        "played": len(frames),
    }


def _frame(step: Mapping[str, Any], pictures: set[str]) -> dict[str, Any]:
    actions = step["actions"]
    facts = {
        "shot": step["screenshot"] if step["screenshot"] in pictures else None,
        "thought": step["thought"],
        "actions": [action_words(action) for action in actions],
        "typed": [action["text"] for action in actions if len(str(action.get("text", ""))) > 60],
        "marks": marks(actions),
        "results": [result for result in step["results"] if result["error"] or result["text"]],
        "notices": step["notices"],
        "format_error": step["format_error"],
        "wrote": step["wrote"],
    }
    said = {name: value for name, value in facts.items() if value}
    return {"n": step["step"], "at": step["time"], "took": step["seconds"], **said}


# Keeping the page small


def _trimmed(data: Mapping[str, Any], limits: _Limits) -> dict[str, Any]:
    return {**data, "instances": [_shorter(instance, limits) for instance in data["instances"]]}


def _shorter(value: Any, limits: _Limits) -> Any:
    if isinstance(value, str):
        left_out = len(value) - limits.text
        return value if left_out <= 20 else f"{value[: limits.text]}… ({left_out:,} more characters)"
    if isinstance(value, list | tuple):
        return [_shorter(item, limits) for item in value]
    if isinstance(value, dict):
        return {name: _part(name, item, limits) for name, item in value.items()}
    return value


def _part(name: str, value: Any, limits: _Limits) -> Any:
    if name in ("id", "folder"):
        return value
    limit = {"frames": limits.steps, "changes": limits.changes}.get(name)
    if limit is not None and len(value) > limit:  # how an episode ends says more than how it began
        value = value[-limit:] if name == "frames" else value[:limit]
    return _shorter(value, limits)
