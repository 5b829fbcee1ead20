"""`openinference`: `traces.jsonl`, OpenTelemetry spans in OTLP's JSON form; a line is one attempt, as a trace.

    agent                      the attempt: goal, answer, what it came to
        step 1, step 2, ...    one decision of the agent
            chat               what the model was shown and what it replied (not for agents without a model)
            click, type, ...   an action: its arguments, and what it returned

Attributes follow OpenInference, and OpenTelemetry's GenAI conventions, which are still in development. Identifiers are
made from the run's content, so a second export is the same trace and not a further one.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from openinference.semconv.trace import (
    ImageAttributes,
    MessageAttributes,
    MessageContentAttributes,
    OpenInferenceMimeTypeValues,
    OpenInferenceSpanKindValues,
    SpanAttributes,
    ToolCallAttributes,
)
from opentelemetry.exporter.otlp.json.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.exporters.records import Call, Episode, Part, Step, episodes
from pytest_cuabench.reporting.words import reason

FILE = "traces.jsonl"


def export(run: Run, folder: Path) -> Path:
    """Write the attempts of a run."""
    with (folder / FILE).open("w", encoding="utf-8") as file:
        for episode in episodes(run):
            file.write(encode_spans(_Trace(run, episode).spans()).to_json() + "\n")
    return folder / FILE


class _Trace:
    """The spans of one attempt."""

    def __init__(self, run: Run, episode: Episode) -> None:
        self._run = run
        self._episode = episode
        self._seed = f"{run.name}\0{run.about().get('started')}\0{episode.name}\0{episode.began.isoformat()}"
        self._trace = self._number("trace", 16)
        self._resource = Resource({"service.name": "pytest-cuabench", "session.id": run.name})
        self._scope = InstrumentationScope("pytest_cuabench", version("pytest-cuabench"))
        self._model = {"gen_ai.request.model": episode.model} if episode.model else {}

    def spans(self) -> Sequence[ReadableSpan]:
        """Return the span of the attempt, and those of its steps."""
        attempt = self._episode.attempt
        root = self._context("attempt")
        steps = [
            span
            for part in self._episode.parts
            for step in part.steps
            for span in self._step(root, part, step)
        ]
        facts = {name: value for name, value in self._episode.facts().items() if value is not None}
        attributes = {
            SpanAttributes.OPENINFERENCE_SPAN_KIND: OpenInferenceSpanKindValues.AGENT.value,
            SpanAttributes.AGENT_NAME: attempt.agent,
            SpanAttributes.SESSION_ID: self._run.name,
            SpanAttributes.INPUT_VALUE: attempt.goal,
            SpanAttributes.OUTPUT_VALUE: attempt.end.answer or "",
            SpanAttributes.METADATA: json.dumps(facts),
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": attempt.agent,
            "gen_ai.agent.version": self._episode.version,
            "gen_ai.conversation.id": self._episode.name,
            **self._model,
        }
        status = Status() if attempt.result.graded else Status(StatusCode.ERROR, reason(attempt))
        span = (self._episode.began, self._episode.ended)
        events = list(self._judged())
        return [
            self._span(f"invoke_agent {attempt.agent}", root, None, span, attributes, status, events),
            *steps,
        ]

    def _judged(self) -> Iterator[Event]:
        """Yield the verdict, as the event of an evaluation."""
        verdict = self._episode.attempt.verdict
        if verdict is not None:
            for name, score in (("success", float(verdict.success)), ("reward", verdict.reward)):
                told: dict[str, str | float] = {
                    "gen_ai.evaluation.name": name,
                    "gen_ai.evaluation.score.value": score,
                    "gen_ai.evaluation.score.label": self._episode.attempt.outcome,
                    "gen_ai.evaluation.explanation": reason(self._episode.attempt),
                }
                yield Event("gen_ai.evaluation.result", told, _nanoseconds(self._episode.ended))

    def _step(self, root: SpanContext, part: Part, step: Step) -> Iterator[ReadableSpan]:
        name = f"{part.name} step {step.number + 1}" if part.name else f"step {step.number + 1}"
        here = self._context(name)
        told: dict[str, Any] = {
            SpanAttributes.OPENINFERENCE_SPAN_KIND: OpenInferenceSpanKindValues.CHAIN.value,
            SpanAttributes.OUTPUT_VALUE: step.thought,
            **({SpanAttributes.METADATA: json.dumps(dict(step.said))} if step.said else {}),
        }
        if not self._episode.by_model:  # else they are with the call of the model, once
            told |= _message(f"{SpanAttributes.LLM_INPUT_MESSAGES}.0.", "user", _shown(part, step))
        yield self._span(name, here, root, (step.began, step.ended), told)
        if self._episode.by_model:
            chat = f"chat {self._episode.model or self._episode.attempt.agent}"
            at = (step.began, step.acted)
            yield self._span(chat, self._context(f"{name} chat"), here, at, self._chat(part, step))
        for call in step.calls:
            status = Status(StatusCode.ERROR, call.error) if call.error else Status()
            at, context = (step.acted, step.ended), self._context(call.id)
            yield self._span(call.name, context, here, at, _action(call), status)

    def _chat(self, part: Part, step: Step) -> dict[str, Any]:
        usage, output = step.usage, f"{SpanAttributes.LLM_OUTPUT_MESSAGES}.0."
        calls = {
            f"{output}{MessageAttributes.MESSAGE_TOOL_CALLS}.{place}.{name}": value
            for place, call in enumerate(step.calls)
            for name, value in _call(call).items()
        }
        return {
            SpanAttributes.OPENINFERENCE_SPAN_KIND: OpenInferenceSpanKindValues.LLM.value,
            SpanAttributes.LLM_MODEL_NAME: self._episode.model or self._episode.attempt.agent,
            **_message(f"{SpanAttributes.LLM_INPUT_MESSAGES}.0.", "user", _shown(part, step)),
            f"{output}{MessageAttributes.MESSAGE_ROLE}": "assistant",
            f"{output}{MessageAttributes.MESSAGE_CONTENT}": step.thought,
            **calls,
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT: usage.tokens_in,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: usage.tokens_out,
            SpanAttributes.LLM_TOKEN_COUNT_TOTAL: usage.tokens_in + usage.tokens_out,
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT_DETAILS_CACHE_READ: usage.tokens_cached,
            **({} if usage.cost is None else {SpanAttributes.LLM_COST_TOTAL: usage.cost}),
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": usage.tokens_in,
            "gen_ai.usage.output_tokens": usage.tokens_out,
            "gen_ai.usage.cache_read.input_tokens": usage.tokens_cached,
            **self._model,
        }

    def _span(
        self,
        name: str,
        context: SpanContext,
        parent: SpanContext | None,
        span: tuple[datetime, datetime],
        attributes: Mapping[str, Any],
        status: Status | None = None,
        events: Sequence[Event] = (),
    ) -> ReadableSpan:
        return ReadableSpan(
            name=name,
            context=context,
            parent=parent,
            resource=self._resource,
            attributes=attributes,
            events=events,
            kind=SpanKind.INTERNAL,
            instrumentation_scope=self._scope,
            status=status or Status(),
            start_time=_nanoseconds(span[0]),
            end_time=_nanoseconds(span[1]),
        )

    def _context(self, name: str) -> SpanContext:
        flags = TraceFlags(TraceFlags.SAMPLED)
        return SpanContext(self._trace, self._number(name, 8), is_remote=False, trace_flags=flags)

    def _number(self, name: str, size: int) -> int:
        return int.from_bytes(sha256(f"{self._seed}\0{name}".encode()).digest()[:size])


def _shown(part: Part, step: Step) -> list[dict[str, str]]:
    """Return what the agent was shown before a decision, as contents of a message."""
    kind, text = MessageContentAttributes.MESSAGE_CONTENT_TYPE, MessageContentAttributes.MESSAGE_CONTENT_TEXT
    words = [*([part.goal] if step is part.steps[0] else ()), *step.texts, *step.said.get("notices", ())]
    contents = [{kind: "text", text: each} for each in words]
    if step.screen:
        address = f"{MessageContentAttributes.MESSAGE_CONTENT_IMAGE}.{ImageAttributes.IMAGE_URL}"
        data = base64.b64encode(step.screen.read_bytes()).decode()
        contents.append({kind: "image", address: f"data:image/png;base64,{data}"})
    return contents


def _message(start: str, role: str, contents: Sequence[Mapping[str, str]]) -> dict[str, str]:
    return {
        f"{start}{MessageAttributes.MESSAGE_ROLE}": role,
        **{
            f"{start}{MessageAttributes.MESSAGE_CONTENTS}.{number}.{name}": value
            for number, content in enumerate(contents)
            for name, value in content.items()
        },
    }


def _call(call: Call) -> dict[str, str]:
    return {
        ToolCallAttributes.TOOL_CALL_ID: call.id,
        ToolCallAttributes.TOOL_CALL_FUNCTION_NAME: call.name,
        ToolCallAttributes.TOOL_CALL_FUNCTION_ARGUMENTS_JSON: json.dumps(call.arguments),
    }


def _action(call: Call) -> dict[str, Any]:
    arguments = json.dumps(call.arguments)
    return {
        SpanAttributes.OPENINFERENCE_SPAN_KIND: OpenInferenceSpanKindValues.TOOL.value,
        SpanAttributes.TOOL_NAME: call.name,
        SpanAttributes.TOOL_PARAMETERS: arguments,
        SpanAttributes.INPUT_VALUE: arguments,
        SpanAttributes.INPUT_MIME_TYPE: OpenInferenceMimeTypeValues.JSON.value,
        SpanAttributes.OUTPUT_VALUE: call.error or call.text,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id,
    }


def _nanoseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1e6) * 1000  # a float of seconds holds no nanoseconds
