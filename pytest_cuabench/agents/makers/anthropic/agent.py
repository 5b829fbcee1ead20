"""Agent backed by Claude's computer tool, at Anthropic, on Google's Vertex AI or on Amazon's Bedrock."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import anthropic
import httpx2
from pydantic import Field

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.makers.anthropic.calls import FINISH, Call, Reader
from pytest_cuabench.agents.makers.anthropic.conversation import (
    Block,
    Conversation,
    bounds,
    cached,
    image,
    text,
)
from pytest_cuabench.agents.makers.anthropic.models import (
    TOOLS,
    Platform,
    ToolType,
    always_thinks,
    find_model,
)
from pytest_cuabench.agents.makers.anthropic.reply import NO_CALL, PAUSED, Garbled, Reply
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.calls import Trouble, of_connection, of_status
from pytest_cuabench.agents.models.extras import extras, named_space
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions, Shown
from pytest_cuabench.agents.models.money import Tariff
from pytest_cuabench.agents.models.pictures import Limit, resized, size_of
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.task.action import Action, CursorPosition, Point, Screenshot, Size, Zoom
from pytest_cuabench.task.observation import ActionResult, Box, Observation

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")  # what the SDK reads by itself
_Client = anthropic.AsyncAnthropic | anthropic.AsyncAnthropicVertex | anthropic.AsyncAnthropicBedrock

_ENDING = (
    "You end the task yourself by calling the tool finish, never by words alone: with status success when all is "
    "done, failure when you give up, infeasible when it cannot be done at all. Where the task asks for an answer, "
    "give it in answer, exactly in the form that the task wants. You may call several tools in one turn; they are "
    "carried out in order up to the first that fails, and afterwards you see the screen."
)
_HALTED = "This was not tried, because a call before it in the same turn failed."
_NO_PICTURES = "No pictures are shown in this task; read the text."
_PRICED_BY: dict[Platform, str] = {"anthropic": "anthropic", "vertex": "google", "bedrock": "aws"}
_LONGEST = 1000  # characters of a sentence about a malformed call; it may quote what the model wrote


class Options(ModelOptions):
    """`[options]` of a profile that plays with Claude.

    Attributes:
        platform: Who serves the model. On `vertex` and `bedrock`, region, project and credentials come from where
            Google's and Amazon's own tools find them.
        tool: Version of the computer tool, instead of what is known of the model.
        max_tokens: Longest reply, thoughts included.
        interval: How many screenshots beyond `history` may gather before old ones are left out; the conversation
            only grows meanwhile, and is read from the cache.
        thinking: `adaptive`, `disabled`, or how many tokens of thought at most; nothing leaves it to the model.
        effort: How much the model should put into its replies.
    """

    platform: Platform = "anthropic"
    tool: ToolType | None = None
    max_tokens: int = Field(default=8192, ge=16)
    interval: int = Field(default=16, ge=0)
    thinking: Literal["adaptive", "disabled"] | Annotated[int, Field(ge=1024)] | None = None
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None


@dataclass(frozen=True, slots=True)
class _Heard:
    """The calls of the last reply, the actions they were read as, and what is wrong with the first that was not."""

    calls: tuple[Call, ...] = ()
    actions: tuple[Action, ...] = ()
    problem: str | None = None


class AnthropicAgent(ModelAgent):
    """Agent backed by a Claude model.

    Attributes:
        tool: The version of the computer tool that is used.
        note: A sentence for the record, where something about the model is only supposed.
    """

    server = "Anthropic"
    provider = "anthropic"

    # Of one episode
    _system: str
    _tools: list[dict[str, Any]]
    _reader: Reader
    _conversation: Conversation
    _heard: _Heard
    _unsaid: str | None

    def __init__(self, profile: Profile) -> None:
        self.options = profile.read_options(Options)
        super().__init__(profile, self.options)
        platform = self.options.platform
        if self.options.thinking not in (None, "adaptive") and always_thinks(self.model):
            raise SettingError(
                f"agent {profile.name!r}: {self.model} always thinks; remove options.thinking, or "
                'write options.effort = "low" for shorter thoughts'
            )
        self._server = {"anthropic": "Anthropic", "vertex": "Vertex AI", "bedrock": "Bedrock"}[platform]
        self.kind, self.note = find_model(self.model)
        self.tool = TOOLS[self.options.tool] if self.options.tool else self.kind.tool(platform)
        self.tariff = Tariff(self.model, _PRICED_BY[platform], self.options.prices)
        self._client: _Client | None = None

    def check(self) -> None:
        """See that there is a key; on other platforms their own clients find one.

        Raises:
            SettingError: The key is missing.
        """
        known = any(os.environ.get(name) for name in _KEYS)
        if self.options.platform == "anthropic" and not self.profile.key and not known:
            raise SettingError(
                f"agent {self.profile.name!r} reads its key from {_KEYS[0]}, which is not set; "
                f"type: export {_KEYS[0]}=..."
            )
        super().check()

    def shown(self, call: int) -> Shown:
        """Pictures gather before old ones are left out; only then is the conversation written to the cache anew."""
        keep, most = bounds(self.options.history, self.options.interval)
        beyond = call + 1 - most
        pictures = call + 1 if beyond <= 0 else keep + (beyond - 1) % (most - keep + 1)
        return Shown(pictures, cached=call > 0 and not (beyond > 0 and pictures == keep), written=True)

    @property
    def action_space(self) -> str:
        """The version of the computer tool, and whether there are extras."""
        return named_space(self.tool.type, self.profile)

    def picture_limit(self) -> Limit:
        """Return what the model takes without shrinking it."""
        return self.kind.limit

    async def begin(self) -> None:
        """Begin a new conversation, and connect if there is no connection.

        Raises:
            SettingError: The platform's region or package is missing.
        """
        self._client = self._client or self._connect()
        shown = replace(self.briefing, screen=self.image_size)  # places are pixels of the picture
        self._system = self.options.system or prompts.instructions(shown, _ENDING)
        more = extras(self.profile, self.briefing)
        self._tools = [
            self.tool.declared(self.image_size),
            FINISH,
            *(
                {"name": name, "description": extra.description, "input_schema": extra.schema}
                for name, extra in more.items()
            ),
        ]
        self._reader = Reader(self.tool, more, self.pixels)
        self._conversation = Conversation(self.options.history, self.options.interval, bound=self.kind.bound)
        self._conversation.hear([text(prompts.task(self.briefing)), *map(image, self.briefing.pictures)])
        self._heard = _Heard()
        self._unsaid = self.note

    async def turn(self, seen: Observation) -> Decision:
        """Show what is seen, with the results of the last calls, and read the reply."""
        self._conversation.hear(self._told(seen))
        reply = await self.call(self._ask)
        self.spend(*reply.usage())
        return self._read(reply)

    async def close(self) -> None:
        """Let go of the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def explain(self, error: Exception) -> Trouble | None:
        """Return what an exception of the SDK means."""
        match error:
            case anthropic.APIStatusError():
                return self._trouble(error)
            case anthropic.APITimeoutError() | httpx2.TimeoutException():
                return of_connection(self._server, error, self.options.timeout)
            case anthropic.APIConnectionError() | httpx2.TransportError():
                return of_connection(self._server, error)
            case Garbled():
                return Trouble(f"{self._server} sends {error}", again=True, answered=False)
            case ImportError() if error.name:
                return Trouble(
                    f"{self._server} needs the package {error.name!r}; "
                    f"type: pip install 'anthropic[{self.options.platform}]'",
                    again=False,
                    refusal="account",
                )
        return None

    def _trouble(self, error: anthropic.APIStatusError) -> Trouble:
        said = self._without_key(error.api_message or "")
        if error.status_code == 400 and "computer" in said:
            said = f"{said} - {self.tool.type} was sent; options.tool chooses another"
        headers = error.response.headers
        return of_status(
            self._server, error.status_code, said, headers, key=self.profile.key, model=self.model
        )

    # Speaking

    def _connect(self) -> _Client:
        key = os.environ.get(self.profile.key) if self.profile.key else None
        common: dict[str, Any] = {
            "base_url": self.options.url,
            "timeout": self.options.timeout,
            "max_retries": 0,  # calls are tried again in one place for all makers
        }
        try:
            match self.options.platform:
                case "bedrock":
                    return anthropic.AsyncAnthropicBedrock(api_key=key, **common)
                case "vertex":
                    return anthropic.AsyncAnthropicVertex(access_token=key, **common)
                case _:
                    return anthropic.AsyncAnthropic(api_key=key, **common)
        except (ValueError, ImportError, anthropic.AnthropicError) as error:
            raise SettingError(f"agent {self.profile.name!r}: {error}") from error

    async def _ask(self) -> Reply:
        assert self._client is not None
        # The old tools are only known to the beta interface.
        messages: Any = self._client.beta.messages if self.tool.beta else self._client.messages
        with warnings.catch_warnings():  # that a model will retire one day must not break a strict test run
            warnings.simplefilter("ignore", DeprecationWarning)
            response = await messages.with_raw_response.create(**self._request())
        try:
            reply = await response.json()
        except ValueError as error:
            raise Garbled("invalid JSON") from error
        if not isinstance(reply, dict):
            raise Garbled("JSON that is not a message")
        return Reply(reply)

    def _request(self) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self.options.max_tokens,
            "system": cached([text(self._system)]),  # with the tools, which come before it
            "tools": self._tools,
            "messages": self._conversation.messages(),
        }
        if self.tool.beta:
            request["betas"] = [self.tool.beta]
        if thinking := self._thinking():
            request["thinking"] = thinking
        if self.options.effort:
            request["output_config"] = {"effort": self.options.effort}
        if self.options.temperature is not None:
            request["extra_body"] = {"temperature": self.options.temperature}
        return request

    def _thinking(self) -> dict[str, Any] | None:
        match self.options.thinking:
            case int(budget):
                return {"type": "enabled", "budget_tokens": budget}
            case "disabled":
                return {"type": "disabled"}
            case None if not self.kind.thinks:
                return None
        return {"type": "adaptive", "display": "summarized"}

    # Telling what is seen

    def _told(self, seen: Observation) -> list[Block]:
        picture = None if seen.screenshot is None else image(self.picture(seen))
        results = self._results(seen, picture)
        words = prompts.look(self._beside(results, seen))
        # The result of a failed call takes text alone.
        on_last = bool(results) and "is_error" not in results[-1]
        if picture and on_last and picture not in results[-1]["content"]:
            results[-1]["content"].append(picture)
        return [
            *results,
            *([text(words)] if words else []),
            *([picture] if picture and not on_last else []),
        ]

    def _results(self, seen: Observation, picture: Block | None) -> list[Block]:
        """Return a result for each call of the last reply: what it gave, why it failed, or that it was not tried."""
        heard, results = self._heard, []
        for place, call in enumerate(heard.calls):
            if place < len(seen.results):
                last = place == len(heard.calls) - 1
                blocks = self._outcome(heard.actions[place], seen.results[place], picture, last=last)
                results.append(_result(call, blocks, failed=seen.results[place].error is not None))
            elif place == len(seen.results) == len(heard.actions) and heard.problem:
                results.append(_result(call, [text(heard.problem)], failed=True))
            else:
                results.append(_result(call, [text(_HALTED)], failed=True))
        return results

    def _outcome(
        self, action: Action, result: ActionResult, picture: Block | None, *, last: bool
    ) -> list[Block]:
        if result.error:
            return [text(result.error)]
        if isinstance(action, Screenshot) and picture and (last or not result.image):
            return [picture]
        if isinstance(action, CursorPosition) and result.text:
            return [text(self._on_picture(result.text))]
        if isinstance(action, Screenshot | Zoom) and not picture:
            return [text(_NO_PICTURES)]
        words = [text(result.text)] if result.text else []
        shown = [image(self._shrunk(result.image))] if result.image else []
        return [*words, *shown] or [text("OK")]

    def _beside(self, results: Sequence[Block], seen: Observation) -> Observation:
        """Return what is told beside the results: nothing twice, and places as the picture has them."""
        problem = self._heard.problem if results else None
        return replace(
            seen,
            results=(),
            notices=tuple(notice for notice in seen.notices if not problem or problem not in notice),
            tree=seen.tree and tuple(node._replace(box=self._box(node.box)) for node in seen.tree),
        )

    @property
    def _shrinking(self) -> tuple[float, float]:
        """How many of the picture's pixels one of the screen's is, in both directions."""
        shown, screen = self.image_size, self.briefing.screen
        return shown.width / screen.width, shown.height / screen.height

    def _box(self, box: Box) -> Box:
        across, down = self._shrinking
        return Box(box.x * across, box.y * down, box.width * across, box.height * down)

    def _on_picture(self, place: str) -> str:
        """Return the pointer's place as the model counts; the environment says it in pixels of the screen."""
        numbers = re.fullmatch(r"(\d+),\s*(\d+)", place.strip())
        if not numbers:
            return place
        x, y = self.pixels.from_screen(Point(int(numbers[1]), int(numbers[2])))
        return f"X={int(x)},Y={int(y)}"

    def _shrunk(self, png: bytes) -> bytes:
        """Return a picture of the screen, or of a part that was scaled up to its size, as large as is sent."""
        across, down = self._shrinking
        width, height = size_of(png)
        return resized(png, Size(max(1, round(width * across)), max(1, round(height * down))))

    # Decision

    def _read(self, reply: Reply) -> Decision:
        blocks = reply.kept
        self._heard = self._understand(blocks)
        called = bool(self._heard.calls)
        problem = self._heard.problem or reply.problem(self.options.max_tokens, called=called)
        if called or problem in (NO_CALL, PAUSED):  # what is not kept could not be answered
            self._conversation.answer(blocks)
        raw, withheld = self._record(reply), reply.withheld
        return Decision(self._heard.actions, reply.thought, format_error=problem, raw=raw, withheld=withheld)

    def _understand(self, blocks: Sequence[Block]) -> _Heard:
        actions: list[Action] = []
        calls: tuple[Call, ...] = ()
        try:
            calls = tuple(Call.of(block) for block in blocks if block["type"] == "tool_use")
            for call in calls:
                actions.append(self._reader.read(call))
        except ActionError as error:
            return _Heard(calls, tuple(actions), str(error)[:_LONGEST])
        return _Heard(calls, tuple(actions))

    def _record(self, reply: Reply) -> dict[str, Any]:
        """Return the reply for the record, with the note if it was not said in this episode."""
        note, self._unsaid = self._unsaid, None
        return reply.record() | ({"note": note} if note else {})

    def _without_key(self, said: str) -> str:
        key = os.environ.get(self.profile.key) if self.profile.key else None
        return said.replace(key, "...") if key else said


def _result(call: Call, blocks: list[Block], *, failed: bool) -> Block:
    result: Block = {"type": "tool_result", "tool_use_id": call.id, "content": blocks}
    if call.toolset:
        result["toolset_name"] = call.toolset
    if failed:
        result["is_error"] = True
    return result
