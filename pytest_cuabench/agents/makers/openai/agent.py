"""Agent backed by an OpenAI model with the computer tool, over the Responses API."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar, Literal
from urllib.parse import urlsplit

import openai

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.openai.conversation import (
    Conversation,
    Items,
    OnServer,
    Resent,
    message,
    text,
)
from pytest_cuabench.agents.makers.openai.models import TERMS, Tool, tool_of
from pytest_cuabench.agents.makers.openai.reply import FINISH, Call, Check, Reply
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.calls import Refusal, Trouble, of_connection, of_status
from pytest_cuabench.agents.models.extras import Extra, extras, named_space
from pytest_cuabench.agents.models.known import rows_of
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions, Shown
from pytest_cuabench.agents.models.pictures import Limit, data_url, resized
from pytest_cuabench.agents.models.safety import Ask, allowed, ask_terminal
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import ActionError, ProviderFailure, SettingError
from pytest_cuabench.task.action import Action, Terminate
from pytest_cuabench.task.observation import Observation

_ENDING = (
    f"Act with the computer tool only; text without a tool call does nothing. When you are done, call {FINISH}: "
    'status "success", with the answer if the task asks for one; "failure" if you could not do it; "infeasible" if '
    "it cannot be done at all. The first call counts, and it is the end."
)
_HOW_TO_FINISH = (
    f"act with the computer tool, or call {FINISH} with status and answer if there is nothing left to do"
)
_FINISH_TOOL = {
    "type": "function",
    "name": FINISH,
    "description": "End the task. Nothing can be done afterwards.",
    "strict": True,
    "parameters": {
        "type": "object",
        "properties": {
            "status": {"type": "string", "enum": ["success", "failure", "infeasible"]},
            "answer": {
                "type": ["string", "null"],
                "description": "The answer alone, if the task asks for one; the reason if it was not done.",
            },
        },
        "required": ["status", "answer"],
        "additionalProperties": False,
    },
}
_NOT_DONE = "This was not carried out; what follows says why."
_LATER = ("server_error", "rate_limit_exceeded", "vector_store_timeout")  # of failed responses
_LONGEST_ERROR = 600  # characters of a sentence that quotes the model


class Options(ModelOptions):
    """`[options]` of an OpenAI profile, beside those of every model.

    Attributes:
        tool: The computer tool, where the model's name does not say it.
        state: Who keeps the conversation: OpenAI, which sees all screenshots again, or this side, which sends the
            newest ones (`history`) with every request and has nothing stored.
        environment: What the preview tool is told of the screen.
        effort: How hard the model thinks; its own default where it is not said.
        summary: Whether it tells of its reasoning, for the record; some accounts may not ask for it.
    """

    tool: Tool | None = None
    state: Literal["server", "resend"] = "server"
    environment: Literal["windows", "mac", "linux", "ubuntu", "browser"] = "browser"
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: Literal["auto", "concise", "detailed"] | None = None


class Unusable(Exception):
    """A response came, but there is nothing in it to go on from."""

    def __init__(self, sentence: str, *, again: bool) -> None:
        super().__init__(sentence)
        self.again = again


class OpenAIAgent(ModelAgent):
    """Agent backed by an OpenAI model. `ask` shows a question to a person and returns the answer (`safety = "ask"`)."""

    server = "OpenAI"
    provider: ClassVar[str | None] = "openai"
    limits: Options

    def __init__(self, profile: Profile, ask: Ask = ask_terminal) -> None:
        super().__init__(profile, profile.read_options(Options))
        maker = self.provider or "openai"  # a maker with OpenAI's interface has rows of its own
        self._tool = self.limits.tool or tool_of(profile, maker)
        self._terms = TERMS[self._tool]
        largest = next(row.picture for row in rows_of(maker) if row.tool == self._tool)
        self._picture = Limit(largest.long_edge, largest.pixels)
        self._variable = profile.key or "OPENAI_API_KEY"
        self._secret = _read_key(profile, self._variable)
        self._named = _host(self.limits.url) if self.limits.url else self.server
        self._ask = ask
        self._client: openai.AsyncOpenAI | None = None
        self._conversation: Conversation = OnServer("")
        self._calls: tuple[Call, ...] = ()
        self._planned = 0
        self._extras: dict[str, Extra] = {}

    async def begin(self) -> None:
        """Begin a new conversation.

        Raises:
            SettingError: The agent is to see no pictures; the computer tool is useless without them.
        """
        if self.briefing.observation in ("tree", "dom"):
            raise SettingError(
                f"agent {self.profile.name!r} needs screenshots; its observation is {self.briefing.observation!r}, but "
                "must be one of 'screenshot', 'screenshot+tree', 'marks'"
            )
        self._extras = extras(self.profile, self.briefing)
        await self.close()
        self._client = openai.AsyncOpenAI(
            api_key=self._secret, base_url=self.limits.url, timeout=self.limits.timeout, max_retries=0
        )
        goal = prompts.task(self.briefing)
        resent = self.limits.state == "resend"
        self._conversation = Resent(goal, self.limits.history) if resent else OnServer(goal)

    async def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            await self._client.close()
        self._client = None

    def shown(self, call: int) -> Shown:
        """OpenAI sees all pictures again, and reads what it has seen from its cache."""
        if self.limits.state == "server":
            return Shown(call + 1, cached=call > 0)
        return super().shown(call)

    @property
    def action_space(self) -> str:
        """The computer tool, and whether there are extras."""
        return named_space(self._tool, self.profile)

    def picture_limit(self) -> Limit:
        """Return what the tool takes without shrinking it."""
        return self._picture

    @property
    def longest_reply(self) -> int:
        """Tokens that a reply may have at most, reasoning included."""
        said = "max_tokens" in self.limits.model_fields_set
        return self.limits.max_tokens if said else self._terms.longest

    def explain(self, error: Exception) -> Trouble | None:
        """Return what went wrong, without the key."""
        match error:
            case openai.APITimeoutError():
                return of_connection(self._named, error, self.limits.timeout)
            case openai.APIConnectionError():
                return of_connection(self._named, error)
            case openai.APIStatusError():
                return self._of_status(error)
            case Unusable():
                refusal: Refusal | None = None if error.again else "request"
                return Trouble(f"{self._named} {error}", error.again, answered=False, refusal=refusal)
        return None

    def _of_status(self, error: openai.APIStatusError) -> Trouble:
        body = error.body if isinstance(error.body, dict) else {}
        said = str(body.get("message") or "").replace(self._secret, "...")
        status, headers = error.status_code, error.response.headers
        trouble = of_status(self._named, status, said, headers, key=self._variable, model=self.model)
        if error.code == "insufficient_quota":  # comes as 429, but no waiting helps
            return Trouble(f"{trouble.sentence}; check plan and billing", again=False, refusal="account")
        if error.param == "previous_response_id":
            advice = 'set state = "resend" in the profile\'s options'
            return Trouble(f"{trouble.sentence}; {advice}", again=False, refusal="setting")
        return trouble

    # A turn

    async def turn(self, seen: Observation) -> Decision:
        """Show what is seen, and read the reply."""
        said = self._opening(seen) if self._conversation.new else self._answers(seen)
        parameters = self._parameters() | self._conversation.parameters(said)
        reply = await self.call(lambda: self._request(parameters))
        self._conversation.keep(said, reply)
        self._calls = reply.calls
        settled = await self._confirm(reply.calls)
        actions, error = self._read(reply)
        if denied := [check for check in settled if check["answer"] == "denied"]:
            actions, error = [_denied(denied)], None
        self._planned = len(actions)
        withheld = error is not None and reply.withheld
        raw = reply.record() | {"safety_checks": settled}
        return Decision(tuple(actions), reply.thought, format_error=error, raw=raw, withheld=withheld)

    def _read(self, reply: Reply) -> tuple[list[Action], str | None]:
        """Return the actions before the first that was not understood, and the sentence about that one."""
        if reply.problem:
            return [], f"{reply.problem}; {_HOW_TO_FINISH}"
        if reply.refusal is not None:
            return [], f"it is a refusal ({reply.refusal}); {_HOW_TO_FINISH}"
        if not reply.calls:
            return [], f"it calls no tool; {_HOW_TO_FINISH}"
        actions: list[Action] = []
        try:
            for call in reply.calls:
                for action in call.actions(self.pixels, self._extras):
                    actions.append(action)  # one by one: those before a mistake count
        except ActionError as error:
            return actions, f"{error!s:.{_LONGEST_ERROR}} (this and what followed it was not carried out)"
        return actions, None

    async def _confirm(self, calls: tuple[Call, ...]) -> Items:
        """Answer every safety check as the profile says, nothing after a denial; return all for the record."""
        start, settled, going_on = time.monotonic(), [], True
        for call in calls:
            for check in call.checks:
                concern = f"{self.server} asks for a confirmation of what {self.profile.name} does ({check})."
                going_on = going_on and await allowed(self.limits.safety, concern, self._ask)
                answer = "acknowledged" if going_on else "denied"
                settled.append({"call_id": call.id, **check._asdict(), "answer": answer})
        if settled:
            self._waited += time.monotonic() - start  # a person's time is not the model's
        return settled

    # What comes

    async def _request(self, parameters: dict[str, Any]) -> Reply:
        if self._client is None:
            raise ProviderFailure(f"{self.profile.name} was called before its start")
        response = await self._client.responses.with_raw_response.create(**parameters)
        try:
            return self._usable(json.loads(response.text))
        except (ValueError, RecursionError):
            raise Unusable("sent a reply that is not JSON", again=True) from None

    def _usable(self, data: Any) -> Reply:
        if not isinstance(data, dict):
            raise Unusable("sent a reply that is not a response", again=True)
        self._note(_object(data.get("usage")))  # first of all: what cannot be used has its cost, too
        if data.get("status") not in ("completed", "incomplete"):
            told = _object(data.get("error"))
            code, words = told.get("code", "unknown"), told.get("message", "no message")
            raise Unusable(f"gave up on a reply ({code}: {words})"[:_LONGEST_ERROR], again=code in _LATER)
        if not isinstance(data.get("output"), list):
            raise Unusable("sent a reply without output", again=True)
        return Reply(data)

    def _note(self, usage: dict[str, Any]) -> None:
        details = _object(usage.get("input_tokens_details"))
        self.spend(
            _count(usage.get("input_tokens")),
            _count(usage.get("output_tokens")),
            _count(details.get("cached_tokens")),
            _count(details.get("cache_write_tokens")),
        )

    # What is sent

    def _parameters(self) -> dict[str, Any]:
        """Return what is the same in every request."""
        given, shown = self.limits, replace(self.briefing, screen=self.image_size)
        thinking = {"effort": given.effort, "summary": given.summary}
        parameters: dict[str, Any] = {
            "model": self.model,
            "instructions": given.system or prompts.instructions(shown, _ENDING),
            "tools": [self._computer(), _FINISH_TOOL, *map(_declared, self._extras.values())],
            "max_output_tokens": self.longest_reply,
            "temperature": given.temperature,
            "reasoning": {name: value for name, value in thinking.items() if value} or None,
            "truncation": "auto" if self._tool == "computer_use_preview" else None,  # as the preview demands
        }
        return {name: value for name, value in parameters.items() if value is not None}

    def _computer(self) -> dict[str, Any]:
        if self._tool == "computer":
            return {"type": "computer"}
        width, height = self.image_size
        return {
            "type": "computer_use_preview",
            "display_width": width,
            "display_height": height,
            "environment": self.limits.environment,
        }

    def _opening(self, seen: Observation) -> Items:
        words = "\n\n".join(filter(None, (self._conversation.goal_so_far(), prompts.look(seen))))
        return [message(text(words), *map(self._image, (*self.briefing.pictures, self.picture(seen))))]

    def _answers(self, seen: Observation) -> Items:
        """Return the answers to all calls, and after them, as they have no room for words, what is to be told."""
        picture = self.picture(seen)
        content = list(self._told(seen))
        if not any(call.on_screen for call in self._calls):
            content.append(self._image(picture))
        answers = [self._answer(call, picture) for call in self._calls]
        return [*answers, message(*content)] if content else answers

    def _answer(self, call: Call, picture: bytes) -> dict[str, Any]:
        if not call.on_screen:
            return {"type": "function_call_output", "call_id": call.id, "output": _NOT_DONE}
        image = {"type": "computer_screenshot", "image_url": data_url(picture), "detail": self._terms.detail}
        answer = {
            "type": "computer_call_output",
            "call_id": call.id,
            "output": {name: value for name, value in image.items() if value},
        }
        checks = [check._asdict() for check in call.checks]
        return answer | {"acknowledged_safety_checks": checks} if checks else answer

    def _told(self, seen: Observation) -> Iterator[dict[str, Any]]:
        """Give what an answer has no room for: errors and notices, and screenshots from within a batch."""
        words = prompts.look(seen)
        if any(result.error for result in seen.results) and len(seen.results) < self._planned:
            words += "\n\nThe actions after it were not carried out."
        if words:
            yield text(words)
        for result in seen.results[: self._planned - 1]:  # after the last one is now
            if result.image is not None:
                yield text("The screen at the screenshot among your actions:")
                yield self._image(resized(result.image, self.image_size))

    def _image(self, picture: bytes) -> dict[str, Any]:
        return {"type": "input_image", "image_url": data_url(picture), "detail": self._terms.detail or "auto"}


def _declared(extra: Extra) -> dict[str, Any]:
    return {
        "type": "function",
        "name": extra.name,
        "description": extra.description,
        "strict": False,  # strict functions have no optional arguments
        "parameters": extra.schema,
    }


def _host(url: str) -> str:
    return f"the server at {urlsplit(url).netloc.rpartition('@')[2] or url}"


def _read_key(profile: Profile, variable: str) -> str:
    if key := os.environ.get(variable):
        return key
    raise SettingError(
        f"agent {profile.name!r} reads its key from {variable}, which is not set; type: export {variable}=..."
    )


def _denied(checks: Items) -> Action:
    named = "; ".join(str(Check(check["id"], check["code"], check["message"])) for check in checks)
    return Terminate(
        "failure", f"OpenAI asked for a confirmation, which was denied: {named}"[:_LONGEST_ERROR]
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
