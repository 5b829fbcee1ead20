"""Add the attempts of an item to its open allure-pytest test result.

Allure counts a history per `historyId`, made of the full name and the parameters. The full name is therefore
given the instance's id, and the parameters are replaced by plain ones (the item's own parameter is an object
whose text may differ from run to run). The agent is a parameter: each agent has a history of its own.
"""

from __future__ import annotations

import html
import importlib
import io
import uuid
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.attempt import Attempt, PhaseRecord
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.figures import changes, plain, steps
from pytest_cuabench.reporting.marks import draw, marks
from pytest_cuabench.reporting.sheet import write_rows
from pytest_cuabench.reporting.video import FILE as VIDEO
from pytest_cuabench.reporting.video import MIME as VIDEO_MIME
from pytest_cuabench.reporting.words import action_words, attempt_title, by_kind, decision_words, phase_facts
from pytest_cuabench.task.evidence import Change
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import short, visible
from pytest_cuabench.task.verdict import Milestone, Violation

LISTENER = "allure_listener"
SEVERITY = {"critical": "critical", "major": "normal", "minor": "minor"}  # of harm; Allure has no "major"
_STATUS = {Outcome.SUCCESS: "passed", Outcome.CANCELLED: "skipped"}


def tell(config: pytest.Config, item: pytest.Item, attempts: Sequence[Attempt], run: Run) -> None:
    """Add an item's attempts to its open Allure result; without `--alluredir` nothing happens.

    Call it before allure-pytest closes the test, such as in a `pytest_runtest_teardown` wrapper. Errors become
    warnings and never change the result of the test, whatever the warning filters are.
    """
    listener: Any = config.pluginmanager.get_plugin(LISTENER)
    if listener is None or not attempts:
        return
    try:
        _ResultWriter(run, _module("model2")).add(listener.allure_logger.get_test(None), item, attempts)
    except Exception as error:
        sentence = f"cannot add {item.nodeid} to Allure: {type(error).__name__}: {short(error, 300)}"
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            item.warn(pytest.PytestWarning(sentence))


def _module(name: str) -> Any:
    return importlib.import_module(f"allure_commons.{name}")  # only here: Allure is no dependency


@dataclass(frozen=True, slots=True)
class _ResultWriter:
    run: Run
    model: Any

    def add(self, result: Any, item: pytest.Item, attempts: Sequence[Attempt]) -> None:
        last = attempts[-1]
        story, attachments = list(self._steps(attempts)), list(self._attachments(last))
        self._identify(result, item, last)
        result.labels.extend(self._labels(item, last))
        result.start = min(result.start, _span(attempts[0])[0])  # the episode runs while the item is set up
        result.description = last.goal
        result.descriptionHtml = f"<p>{html.escape(visible(last.goal))}</p>"
        result.steps.extend(story)
        result.attachments.extend(attachments)

    # Name, parameters and labels

    def _identify(self, result: Any, item: pytest.Item, attempt: Attempt) -> None:
        md5 = _module("utils").md5
        call = getattr(item, "callspec", None)
        native = () if call is None else call.params
        values = attempt.values()
        readable = {name: str(values[name]) for name in ("agent", "epoch", "seed", "variant")}
        kept = [p for p in result.parameters if p.name not in native and p.name not in readable]
        result.name = attempt.item.instance if call is None else call.id
        result.fullName = f"{result.fullName}[{result.name}]"
        result.parameters = [*kept, *(self.model.Parameter(*pair) for pair in readable.items())]
        result.testCaseId = md5(result.fullName)
        counted = sorted((p for p in result.parameters if not p.excluded), key=lambda p: str(p.name))
        result.historyId = md5(result.fullName, *(p.value for p in counted))

    def _labels(self, item: pytest.Item, attempt: Attempt) -> Iterator[Any]:
        labels = {
            "epic": attempt.item.suite,
            "feature": attempt.item.domain,
            "story": attempt.item.application,
            "parentSuite": attempt.item.suite,
            "suite": attempt.item.domain,
            "subSuite": attempt.item.application,
        }
        if attempt.verdict and (harm := {violation.severity for violation in attempt.verdict.violations}):
            labels["severity"] = next(name for word, name in SEVERITY.items() if word in harm)
        for name, value in labels.items():
            yield self.model.Label(name, value)
        tagged = {mark.name for mark in item.iter_markers()}  # allure-pytest turns bare markers into tags
        for tag in (attempt.item.difficulty, attempt.item.variant):
            if tag not in tagged:
                yield self.model.Label("tag", tag)

    # Steps

    def _steps(self, attempts: Sequence[Attempt]) -> Iterator[Any]:
        if len(attempts) == 1:
            yield from self._played(attempts[0])
        else:
            yield from map(self._attempt, attempts)
        verdict, end = attempts[-1].verdict, _span(attempts[-1])[1]
        if verdict is not None:
            yield self._group("Milestones", [self._milestone(item, end) for item in verdict.milestones], end)
            if verdict.violations:
                yield self._group(
                    "Violations", [self._violation(item, end) for item in by_kind(verdict.violations)], end
                )

    def _attempt(self, attempt: Attempt) -> Any:
        status = _STATUS.get(attempt.result, "failed" if attempt.result.graded else "broken")
        step = self._step(attempt_title(attempt), _span(attempt), status, attempt.error)
        step.steps.extend(self._played(attempt))
        return step

    def _played(self, attempt: Attempt) -> Iterator[Any]:
        start = _span(attempt)[0]
        ready = start + round(attempt.cost.seconds.reset * 1000)
        broken = attempt.counts.steps == 0 and not attempt.result.graded
        yield self._step(
            "0 · reset the world",
            (start, ready),
            "broken" if broken else "passed",
            attempt.error if broken else None,
        )
        folder = self.run.folder / (attempt.files.trajectory or "")
        for phase in attempt.phases:
            stop = ready + round(phase.seconds.total * 1000)
            yield self._phase(attempt, phase, folder, (ready, stop))
            ready = stop
        for data in steps(self.run, attempt):
            stop = start + round(data["time"] * 1000)
            yield self._decision(data, folder, (min(ready, stop), stop))
            ready = stop

    def _phase(self, attempt: Attempt, phase: PhaseRecord, folder: Path, span: tuple[int, int]) -> Any:
        """Return an earlier phase with its steps; what it came to is no part of the item's status."""
        step = self._step(f"phase {phase.name}", span, "passed")
        self._parameters(step, phase_facts(phase))
        ready = span[0]
        for data in steps(self.run, attempt, phase.name):
            stop = span[0] + round(data["time"] * 1000)
            step.steps.append(self._decision(data, folder / phase.name, (min(ready, stop), stop)))
            ready = stop
        return step

    def _decision(self, data: Mapping[str, Any], folder: Path, span: tuple[int, int]) -> Any:
        actions = data["actions"]
        problems = [result["error"] for result in data["results"] if result["error"]]
        if data["format_error"]:
            problems.insert(0, f"cannot parse the reply: {data['format_error']}")
        name = f"{data['step'] + 1} · {decision_words(actions)}"
        step = self._step(name, span, "failed" if problems else "passed", "\n".join(problems) or None)
        if len(actions) > 1:
            self._parameters(
                step, {f"action {n}": action_words(action) for n, action in enumerate(actions, 1)}
            )
        texts = {f"result {n}": r["text"] for n, r in enumerate(data["results"], 1) if r["text"]}
        self._parameters(step, texts)
        if data["thought"]:
            step.attachments.append(self._text("thought", data["thought"]))
        picture = folder / str(data["screenshot"])
        if data["screenshot"] and picture.is_file():
            step.attachments.append(self._picture("screen before", picture, actions))
        return step

    def _milestone(self, item: Milestone, at: int) -> Any:
        facts = {"expected": item.expected, "seen": item.seen}
        words = "\n".join(f"{name}: {text}" for name, text in facts.items() if text)
        status, message = ("passed", None) if item.reached else ("failed", words or "not reached")
        step = self._step(item.name, (at, at), status, message)
        self._parameters(step, {name: text for name, text in facts.items() if text})
        return step

    def _violation(self, item: Violation, at: int) -> Any:
        """Return a failed step: a violation of any severity fails the item."""
        step = self._step(
            f"{item.severity} · {item.dimension} · {item.subject}", (at, at), "failed", item.detail
        )
        self._parameters(step, {"committed": "yes" if item.committed else "no"})
        return step

    def _group(self, name: str, children: list[Any], at: int) -> Any:
        failed = any(child.status == "failed" for child in children)
        step = self._step(name, (at, at), "failed" if failed else "passed")
        step.steps.extend(children)
        return step

    def _step(self, name: str, span: tuple[int, int], status: str, message: str | None = None) -> Any:
        start, stop = span
        details = None if message is None else self.model.StatusDetails(message=_lines(message))
        return self.model.TestStepResult(
            name=short(name, 200), start=start, stop=stop, status=status, statusDetails=details
        )

    def _parameters(self, step: Any, values: Mapping[str, str]) -> None:
        step.parameters.extend(
            self.model.Parameter(name, short(value, 1000)) for name, value in values.items()
        )

    # Attachments

    def _attachments(self, attempt: Attempt) -> Iterator[Any]:
        video = self.run.folder / (attempt.files.trajectory or "") / VIDEO
        if video.is_file():
            yield self._attached("video", video, video.suffix.removeprefix("."), VIDEO_MIME)
        picture = self.run.folder / (attempt.files.screenshot or "")
        if picture.is_file():
            yield self._picture("last screenshot", picture, [])
        if attempt.end.answer is not None:
            yield self._text("answer", attempt.end.answer)
        if table := _changes_table(self.run, attempt):
            yield self._attachment("what changed", table.encode(), "CSV")

    def _text(self, name: str, text: str) -> Any:
        return self._attachment(name, text.encode(errors="backslashreplace"), "TEXT")

    def _picture(self, name: str, file: Path, actions: list[dict[str, Any]]) -> Any:
        signs = marks(actions)
        return self._attachment(name, draw(file.read_bytes(), signs) if signs else file, "PNG")

    def _attachment(self, name: str, content: bytes | Path, kind: str) -> Any:
        form = _module("types").AttachmentType[kind]
        return self._attached(name, content, form.extension, form.mime_type)

    def _attached(self, name: str, content: bytes | Path, extension: str, mime: str) -> Any:
        hook = importlib.import_module("allure_commons").plugin_manager.hook
        file_name = self.model.ATTACHMENT_PATTERN.format(prefix=uuid.uuid4(), ext=extension)
        if isinstance(content, Path):
            hook.report_attached_file(source=content, file_name=file_name)
        else:
            hook.report_attached_data(body=content, file_name=file_name)
        return self.model.Attachment(name, file_name, mime)


def _lines(text: str) -> str:
    return "\n".join(short(line, 1000) for line in text.splitlines()[:20])


def _span(attempt: Attempt) -> tuple[int, int]:
    start = round(datetime.fromisoformat(attempt.started).timestamp() * 1000)
    return start, start + round(attempt.cost.seconds.total * 1000)


def _changes_table(run: Run, attempt: Attempt) -> str:
    rows = [row for change in changes(run, attempt) for row in _change_rows(change)]
    if not rows:
        return ""
    out = io.StringIO()
    write_rows(out, [("collection", "key", "change", "field", "before", "after"), *rows])
    return out.getvalue()


def _change_rows(change: Change) -> Iterator[tuple[str, ...]]:
    for name, values in change.fields.items():
        before, after = (visible(plain(value)) for value in values)
        yield change.collection, change.key, change.op, name, before, after
