"""The comment on a pull or merge request: what a gate decided, what got worse and better, and main's figures beside.

A task got worse where most plays in the baseline succeeded and most of the run's did not, and better the other way
round. A hidden first line names the gate and when its run began, so that the next run finds the comment again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import Baseline, Evidence, instance_of
from pytest_cuabench.gate.compare import Pair, pairs
from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Decision
from pytest_cuabench.gate.recorded import Recorded
from pytest_cuabench.gate.summary import JSON
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.stats import wilson
from pytest_cuabench.reporting import markdown
from pytest_cuabench.reporting.figures import Rate, percent, rate, spent
from pytest_cuabench.reporting.words import reason
from pytest_cuabench.task.bounded import parse_json
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import dollars, many

_MOST = 10  # instances in a table, as a request is read between other things
_MOST_REASONS = 5
_REFERENCE = re.compile(
    r"(?<=[@#!~%&$^])(?=\w)"
)  # to people, requests, labels: forges link them even where escaped
_MARK = re.compile(r"<!-- cuabench (\{.*?\}) -->")


@dataclass(frozen=True, slots=True)
class Mark:
    """The hidden line of a comment: which gate it is of, and when the run began that it tells of."""

    gate: str
    started: str

    @classmethod
    def read(cls, body: str) -> Mark | None:
        """Return the mark at the beginning of a comment; None if it is not one of a gate."""
        line = _MARK.match(body)
        try:
            data = parse_json(line[1].encode()) if line else {}
            return cls(str(data["gate"]), str(data["started"]))
        except (KeyError, TypeError, ValueError):
            return None

    def __str__(self) -> str:
        text = json.dumps({"gate": self.gate, "started": self.started}, ensure_ascii=True)
        # A gate's name must not end the HTML comment.
        return f"<!-- cuabench {text.replace('<', chr(92) + 'u003c').replace('>', chr(92) + 'u003e')} -->"


@dataclass(frozen=True, slots=True)
class Report:
    """Where the whole report of a run can be read, and at which commit it was played; empty where unknown."""

    address: str = ""
    commit: str = ""


def escape(text: object, limit: int = 200) -> str:
    """Escape a text for a table cell; nobody is notified and nothing is linked by it."""
    return _REFERENCE.sub("\u2060", markdown.escape(text, limit))  # a word joiner, which nobody sees


def comment(run: Run, gate: Gate, name: str = "", report: Report | None = None) -> tuple[Mark, str]:
    """Return the mark and the whole text of the comment on a judged run.

    Args:
        name: The gate's name, which tells several gates of one pipeline apart; the run's suites by default.

    Raises:
        SettingError: The run was not judged, or its record or the baseline cannot be read.
    """
    recorded, judged = Recorded.of(run), _judged(run)
    name = name or ", ".join(sorted({attempt.suite for attempt in recorded.last.values()})) or run.name
    file = gate.baseline_file()
    baseline = Baseline.read(file) if file else None
    mark = Mark(name, str(run.about().get("started") or ""))
    lines = _lines(recorded, judged, name, gate, baseline)
    return mark, "\n".join([str(mark), *lines, "", _origin(run, report or Report())]) + "\n"


def _judged(run: Run) -> Mapping[str, Any]:
    try:
        found = parse_json((run.folder / JSON).read_bytes())
        Decision[str(found["decision"]).upper()]
        return {**found, "reasons": [str(each) for each in found["reasons"]]}
    except OSError:
        words = "was not judged yet"
    except (ValueError, KeyError, TypeError):
        words = f"has a {JSON} that cannot be read"
    raise SettingError(f"the run {run.name} {words}; type: cuabench gate {run.name} --config gate.toml")


def _lines(
    recorded: Recorded, judged: Mapping[str, Any], name: str, gate: Gate, baseline: Baseline | None
) -> Iterator[str]:
    decision = Decision[str(judged["decision"]).upper()]
    yield f"### {decision.sign} Gate {decision.label}: {escape(name)}"
    yield ""
    graded = recorded.graded()
    yield f"Agent {escape(str(judged.get('agent', ''))) or 'none'}: {_rate(rate(graded))} succeeded."
    compared: list[Pair] = []
    if gate.baseline and baseline:
        agent = gate.baseline.agent or next(iter(recorded.agents), "")
        compared = [
            pair for pair in pairs(graded, baseline, agent, gate.baseline.window) if pair.support.plays
        ]
        yield _main(compared, baseline, agent)
    if decision is not Decision.PASS:
        yield ""
        reasons = judged["reasons"]
        yield from (f"- {escape(each, 500)}" for each in reasons[:_MOST_REASONS])
        if len(reasons) > _MOST_REASONS:
            yield f"- and {many(len(reasons) - _MOST_REASONS, 'further reason')} in `{JSON}`"
    yield from _changed("Worse than main", [pair for pair in compared if _worse(pair)], recorded)
    yield from _changed("Better than main", [pair for pair in compared if _better(pair)], None)
    yield ""
    yield _effort(recorded)


def _rate(found: Rate) -> str:
    return f"**{found.successes} of {found.graded}** graded instances, {escape(percent(found))},"


def _main(compared: Sequence[Pair], baseline: Baseline, agent: str) -> str:
    """Return the sentence on the same instances in the baseline, and how old that is."""
    newest = next((each for each in reversed(baseline.evidence) if each.agent == agent), None)
    if not newest:
        return f"The baseline has no evidence of {escape(agent) or 'an agent'} yet."
    age = f"newest run {escape(newest.run)}, {_age(newest)}"
    if not compared:
        return f"Nothing in the baseline can be compared: {age}, of other fingerprints."
    plays = sum(pair.support.plays for pair in compared)
    good = sum(pair.support.successes for pair in compared)
    digests = sorted(f"{pair.instance} {pair.fingerprint.digest}" for pair in compared if pair.fingerprint)
    shared = sha256("\n".join(digests).encode()).hexdigest()[:12]
    main = escape(percent(Rate(good, plays, *wilson(good, plays))))
    return f"Main on {many(len(compared), 'instance')} of these: {main} ({age}, fingerprint `{shared}`)."


def _age(evidence: Evidence) -> str:
    try:
        started = datetime.fromisoformat(evidence.started)
    except ValueError:
        return "of unknown age"
    days = (datetime.now(UTC) - (started if started.tzinfo else started.replace(tzinfo=UTC))).days
    return "dated in the future" if days < 0 else "of today" if not days else f"{many(days, 'day')} old"


def _worse(pair: Pair) -> bool:
    return 2 * pair.support.successes > pair.support.plays and 2 * pair.successes < pair.plays


def _better(pair: Pair) -> bool:
    return 2 * pair.support.successes < pair.support.plays and 2 * pair.successes > pair.plays


def _changed(title: str, changed: list[Pair], recorded: Recorded | None) -> Iterator[str]:
    """Yield a table of instances, the largest change first; with a record also what is missing or harmful."""
    if not changed:
        return
    yield from ["", f"**{title}: {many(len(changed), 'instance')}**", ""]
    heading = ["instance", "main", "here", *(["why"] if recorded else [])]
    yield f"| {' | '.join(heading)} |"
    yield f"|---|---:|---:|{'---|' if recorded else ''}"
    for pair in sorted(changed, key=lambda each: (-abs(each.difference), each.instance))[:_MOST]:
        cells = [
            escape(pair.instance),
            f"{pair.support.successes}/{pair.support.plays}",
            f"{pair.successes}/{pair.plays}",
            *([escape(_why(pair, recorded.graded()))] if recorded else []),
        ]
        yield f"| {' | '.join(cells)} |"
    if len(changed) > _MOST:
        yield f"\nand {many(len(changed) - _MOST, 'further instance')} in the report."


def _why(pair: Pair, graded: Iterable[Attempt]) -> str:
    """Return the reason of a play that did not succeed, harm before anything else."""
    failed = [
        attempt
        for attempt in graded
        if instance_of(attempt) == pair.instance and attempt.result is not Outcome.SUCCESS
    ]
    harmful = [attempt for attempt in failed if attempt.verdict and attempt.verdict.violations]
    return reason((harmful or failed)[0])


def _effort(recorded: Recorded) -> str:
    hours = sum(attempt.seconds.total for attempt in recorded.all) / 3600
    time = f"{hours:.1f} hours" if hours >= 1 else f"{hours * 60:.0f} minutes"
    cost = escape(dollars(spent(recorded.all).cost))
    return f"{many(len(recorded.all), 'attempt')}, cost {cost}, {time} of episodes."


def _origin(run: Run, report: Report) -> str:
    parts = [f"run {escape(run.name)}"]
    if report.commit:
        parts.append(f"commit {escape(report.commit[:12])}")
    if report.address:
        parts.insert(0, f"[report](<{report.address}>)")
    return " · ".join(parts)
