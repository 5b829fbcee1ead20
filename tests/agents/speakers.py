"""Makers' models that do as they are told: canonical actions in, a reply as that model writes it out."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, ClassVar

from PIL import Image

from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.task.action import Action, Answer, Click, Drag, Key, Move, Scroll, Size, Terminate, Type

from . import action_writers
from .action_writers import At, Unspeakable
from .servers import anthropic, chat, gemini, openai
from .servers.serving import BROKEN
from .speaking import (
    NOWHERE,
    OBJECTION,
    Body,
    Line,
    Speaker,
    cells,
    decoded,
    fractions,
    thousandths,
)


class Claude(Speaker):
    """Claude with one of its computer tools."""

    adapter = "pytest_cuabench.agents.makers.anthropic.agent:AnthropicAgent"
    counted = (1000, 20, 700, 100)
    sent = ("max_tokens", "temperature", "system.0.text")
    complaints: ClassVar = {
        "empty": "it was empty",
        "prose": "it held no call of a tool",
        "refusal": "it was a refusal",
        "long": "it was cut off after 8192 tokens",
    }
    trimming: ClassVar = {"interval": 0}

    @property
    def key(self) -> str:
        return anthropic.KEY

    @contextmanager
    def serve(self) -> Iterator[Line]:
        with anthropic.running() as server:
            yield Line(server, server.url, lambda one: server.play([one]), lambda: server.refused)

    def pictures(self, body: Body) -> list[Image.Image]:
        blocks = [block for message in body["messages"] for block in message["content"]]
        inner = (part for block in blocks for part in (*(block.get("content") or ()), block))
        return [decoded(part["source"]["data"]) for part in inner if part["type"] == "image"]

    def opens(self, body: Body) -> bool:
        return all(message["role"] == "user" for message in body["messages"])

    def say(self, actions: Sequence[Action], at: At) -> Any:
        calls = (self._call(action, at) for action in actions)
        return anthropic.reply(anthropic.say("I go on."), *calls, usage=anthropic.USED)

    def _call(self, action: Action, at: At) -> Any:
        match action:
            case Click(x, y, button, count):
                name = {1: f"{button}_click", 2: "double_click", 3: "triple_click"}[count]
                return anthropic.act(name, coordinate=list(at(x, y)))
            case Move(x, y):
                return anthropic.act("mouse_move", coordinate=list(at(x, y)))
            case Drag(path=(start, end)):
                places = {"start_coordinate": list(at(*start)), "coordinate": list(at(*end))}
                return anthropic.act("left_click_drag", **places)
            case Scroll(x, y, dy=dy):
                way = {"scroll_direction": "down" if dy > 0 else "up", "scroll_amount": abs(dy)}
                return anthropic.act("scroll", coordinate=list(at(x, y)), **way)
            case Key(keys):
                return anthropic.act("key", text="+".join(keys))
            case Type(text):
                return anthropic.act("type", text=text)
            case Terminate(status):
                return anthropic.use("finish", status=status)
            case Answer(text):
                return anthropic.use("finish", status="success", answer=text)
        raise Unspeakable(action)

    def uncounted(self, said: Any) -> Any:
        return replace(said, changes={"usage": None})

    def fault(self, status: int, message: str = "trouble", after: float | None = None) -> Any:
        return anthropic.Fault(status, {"retry-after": str(after)} if after else {}, message)

    @property
    def troubles(self) -> Mapping[str, Any]:
        return {
            **{how: anthropic.Fault(how) for how in BROKEN},
            "garbled": anthropic.Fault("garbled"),
            "refusal": anthropic.reply(
                anthropic.say("I cannot help with this."), stop_reason="refusal", usage=anthropic.USED
            ),
            "empty": anthropic.reply(),
            "prose": anthropic.reply(anthropic.say("All done!")),
            "long": anthropic.reply(anthropic.say("I wi"), stop_reason="max_tokens"),
        }


class OpenAI(Speaker):
    """OpenAI's models with the tool that takes batches."""

    adapter = "pytest_cuabench.agents.makers.openai.agent:OpenAIAgent"
    asks = True
    counted = (1000, 20, 800, 50)
    sent = ("max_output_tokens", "temperature", "instructions")
    complaints: ClassVar = {
        "empty": "the reply is empty",
        "prose": "it calls no tool",
        "refusal": "it is a refusal (I cannot help with this.)",
        "long": "the reply was cut off",
    }

    @property
    def key(self) -> str:
        return openai.KEY

    @contextmanager
    def serve(self) -> Iterator[Line]:
        with openai.Server().running() as server:
            yield Line(server, server.url, server.play, lambda: server.refused)

    def pictures(self, body: Body) -> list[Image.Image]:
        return [decoded(url.partition(",")[2]) for url in openai.picture_urls(body)]

    def opens(self, body: Body) -> bool:
        return "previous_response_id" not in body and "You have begun already" not in openai.words(body)

    def say(self, actions: Sequence[Action], at: At) -> Any:
        calls = [self._call(action, at) for action in actions]
        said = [openai.think("I go on.")]
        for ends, group in groupby(calls, lambda call: call.get("type") == "function_call"):
            together = list(group)
            said += together if ends else self._batched(together)
        return openai.Said(said)

    def _batched(self, calls: list[Body]) -> list[Body]:
        return [openai.computer(*calls)]

    def _call(self, action: Action, at: At) -> Body:
        def xy(x: int | None, y: int | None) -> Body:
            return dict(zip("xy", at(x, y), strict=True))

        match action:
            case Click(x, y, button, 1):
                return {"type": "click", "button": "wheel" if button == "middle" else button, **xy(x, y)}
            case Click(x, y, "left", 2):
                return {"type": "double_click", **xy(x, y)}
            case Drag(path=path):
                return {"type": "drag", "path": [xy(*point) for point in path]}
            case Scroll(x, y, dx, dy):
                return {"type": "scroll", **xy(x, y), "scroll_x": 100 * dx, "scroll_y": 100 * dy}
            case Key(keys):
                return {"type": "keypress", "keys": [key if len(key) == 1 else key.upper() for key in keys]}
            case Type(text):
                return {"type": "type", "text": text}
            case Terminate(status):
                return openai.finish(status)
            case Answer(text):
                return openai.finish("success", text)
        raise Unspeakable(action)

    def concern(self, said: Any) -> Any:
        check = {"id": "cu_sc_1", "code": "malicious_instructions", "message": OBJECTION}
        next(item for item in said.items if item["type"] == "computer_call")["pending_safety_checks"] = [
            check
        ]
        return said

    def uncounted(self, said: Any) -> Any:
        return replace(said, changes={"usage": None})

    def fault(self, status: int, message: str = "trouble", after: float | None = None) -> Any:
        return openai.Fault(status, message, headers={"retry-after": str(after)} if after else {})

    @property
    def troubles(self) -> Mapping[str, Any]:
        cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
        return {
            **{how: openai.Fault(how) for how in BROKEN},
            "garbled": openai.Fault("garbage"),
            "refusal": openai.Said([openai.refuse("I cannot help with this.")]),
            "empty": openai.Said([]),
            "prose": openai.Said([openai.say("All done!")]),
            "long": openai.Said([openai.think()], cut),
        }


class OpenAIPreview(OpenAI):
    """The older model, which does one thing at a time."""

    def _batched(self, calls: list[Body]) -> list[Body]:
        return [openai.single(call) for call in calls]


class Gemini(Speaker):
    """Gemini with its present functions."""

    adapter = "pytest_cuabench.agents.makers.gemini.agent:GeminiAgent"
    asks = True
    counted = (1000, 50, 400, 0)
    sent = (
        "generationConfig.maxOutputTokens",
        "generationConfig.temperature",
        "systemInstruction.parts.0.text",
    )
    complaints: ClassVar = {
        "empty": "it is empty",
        "prose": "calls no function",
        "refusal": "refused (PROHIBITED_CONTENT)",
        "long": "cut off before",
    }

    @property
    def key(self) -> str:
        return gemini.KEY

    @contextmanager
    def serve(self) -> Iterator[Line]:
        with gemini.Google().running() as server:
            yield Line(server, server.url, server.play, lambda: server.refusals)

    def pictures(self, body: Body) -> list[Image.Image]:
        parts = [part for content in body["contents"] for part in content["parts"]]
        inner = (one for part in parts for one in (*part.get("functionResponse", {}).get("parts", ()), part))
        held = [gemini.decoded(one["inlineData"]["data"]) for one in inner if "inlineData" in one]
        return [Image.open(io.BytesIO(data)) for data in held]

    def opens(self, body: Body) -> bool:
        return len(body["contents"]) == 1

    def say(self, actions: Sequence[Action], at: At) -> Any:
        return gemini.reply(gemini.thinks("I go on."), *(self._call(action, at) for action in actions))

    def _call(self, action: Action, at: At) -> Body:
        match action:
            case Click(x, y, button, count):
                where = dict(zip("xy", at(x, y), strict=True))
                left = {1: "click", 2: "double_click", 3: "triple_click"}[count]
                return gemini.call(left if button == "left" else f"{button}_click", **where, intent="click")
            case Drag(path=(start, end)):
                places = zip(("start_x", "start_y", "end_x", "end_y"), (*at(*start), *at(*end)), strict=True)
                return gemini.call("drag_and_drop", **dict(places))
            case Scroll(x, y, dy=dy):
                where = dict(zip("xy", at(x, y), strict=True))
                way = {"direction": "down" if dy > 0 else "up", "magnitude_in_wheel_clicks": abs(dy)}
                return gemini.call("scroll", **where, **way)
            case Key(keys):
                return gemini.call("hotkey", keys=list(keys))
            case Type(text):
                return gemini.call("type", text=text, press_enter=False)
            case Terminate(status):
                return gemini.finish(status)
            case Answer(text):
                return gemini.finish("success", answer=text)
        raise Unspeakable(action)

    def concern(self, said: Any) -> Any:
        call = next(part for part in said["candidates"][0]["content"]["parts"] if part.get("functionCall"))
        call["functionCall"]["args"]["safety_decision"] = {
            "decision": "require_confirmation",
            "explanation": OBJECTION,
        }
        return said

    def uncounted(self, said: Any) -> Any:
        return said | {"usageMetadata": {}}

    def fault(self, status: int, message: str = "trouble", after: float | None = None) -> Any:
        return gemini.Fault(status, delay=f"{after}s" if after else None, message=message)

    @property
    def troubles(self) -> Mapping[str, Any]:
        return {
            **{how: gemini.Fault(kind=how) for how in BROKEN},
            "garbled": gemini.Fault(kind="garbage"),
            "refusal": gemini.blocked(),
            "empty": gemini.reply(),
            "prose": gemini.reply(gemini.says("All done!")),
            "long": gemini.reply(gemini.says("I will"), reason="MAX_TOKENS"),
        }


class GeminiLegacy(Gemini):
    """Gemini with the functions of 2.5, which types only where it clicks."""

    def say(self, actions: Sequence[Action], at: At) -> Any:
        parts, left = [], list(actions)
        while left:
            match left:
                case [Click(x, y, "left", 1), Key(("ctrl", "a")), Type(text), *left]:
                    parts.append(self._filled(at(x, y), text, clear=True))
                case [Click(x, y, "left", 1), Type(text), *left]:
                    parts.append(self._filled(at(x, y), text, clear=False))
                case [first, *left]:
                    parts.append(self._call(first, at))
        return gemini.reply(gemini.says("I go on."), *parts)

    @staticmethod
    def _filled(place: tuple[Any, Any], text: str, *, clear: bool) -> Body:
        x, y = place
        how = {"press_enter": False, "clear_before_typing": clear}
        return gemini.call("type_text_at", x=x, y=y, text=text, **how)

    def _call(self, action: Action, at: At) -> Body:
        match action:
            case Click(x, y, "left", 1):
                return gemini.call("click_at", **dict(zip("xy", at(x, y), strict=True)))
            case Drag(path=(start, end)):
                names = ("x", "y", "destination_x", "destination_y")
                places = zip(names, (*at(*start), *at(*end)), strict=True)
                return gemini.call("drag_and_drop", **dict(places))
            case Scroll(x, y, dy=dy):
                where = dict(zip("xy", at(x, y), strict=True))
                direction = "down" if dy > 0 else "up"
                return gemini.call("scroll_at", **where, direction=direction, magnitude=abs(dy) * 160)
            case Key(keys):
                return gemini.call("key_combination", keys="+".join(keys))
            case Terminate() | Answer():
                return super()._call(action, at)
        raise Unspeakable(action)


@dataclass(frozen=True, eq=False, kw_only=True)
class Chat(Speaker):
    """A model behind chat completions.

    Attributes:
        writer: How it writes actions.
        native: Whether its server sets calls apart.
    """

    adapter = "pytest_cuabench.agents.makers.chat.agent:ChatAgent"
    listed = False
    counted = (100, 10, 40, 0)
    sent = ("max_tokens", "temperature", "messages.0.content")
    complaints: ClassVar = {
        "empty": "the reply is empty",
        "prose": "the reply holds no action",
        "refusal": "a refusal, not an action (I cannot help with this.)",
        "long": "cut off after 10 tokens",
    }
    writer: action_writers.ActionWriter
    native: bool = False

    @property
    def key(self) -> str:
        return chat.KEY

    @property
    def models(self) -> tuple[str, ...]:
        """The models that its server knows."""
        return (str(self.profile("").model),)

    @contextmanager
    def serve(self) -> Iterator[Line]:
        with chat.serving() as server:
            server.models = self.models
            server.by_turns = self.profile("").options.get("prompt") != "official"
            yield Line(server, server.url, server.play, lambda: server.refused)

    def pictures(self, body: Body) -> list[Image.Image]:
        contents = [one["content"] for one in body["messages"] if isinstance(one["content"], list)]
        parts = [part for content in contents for part in content if part["type"] == "image_url"]
        return [chat.picture_of(part) for part in parts]

    def opens(self, body: Body) -> bool:
        return all(message["role"] != "assistant" for message in body["messages"])

    def say(self, actions: Sequence[Action], at: At) -> Any:
        if not self.native:
            return chat.Said(self.writer.reply(actions, at))
        calls = [call for action in actions for call in self.writer.words(action, at)]
        return chat.Said(None, [("computer_use", json.dumps(call)) for call in calls])

    def uncounted(self, said: Any) -> Any:
        return replace(said, usage=None)

    def fault(self, status: int, message: str = "trouble", after: float | None = None) -> Any:
        return chat.Fault(status, {"retry-after": str(after)} if after else {}, message)

    @property
    def troubles(self) -> Mapping[str, Any]:
        return {
            **{how: chat.Fault(how=how) for how in BROKEN},
            "garbled": chat.Fault(how="body", body='{"id": "chat'),
            "refusal": chat.Said(None, refusal="I cannot help with this."),
            "empty": chat.Said(""),
            "prose": chat.Said("I would rather not say."),
            "long": chat.Said("I will", finish="length"),
        }


_DESCRIBED = re.compile(r"the thing ([\d.]+) of the way across and ([\d.]+) of the way down")


class Pair(Chat):
    """A planner and a grounder on one server; the planner names things, the grounder knows where they are."""

    adapter = "pytest_cuabench.agents.makers.chat.planner:PlannerAgent"
    complaints: ClassVar = {**Chat.complaints, "empty": "the reply holds no call", "prose": "invalid Python"}

    @property
    def models(self) -> tuple[str, ...]:
        return (str(self.profile("").model), self._grounder)

    @property
    def _grounder(self) -> str:
        return str(load_profile(self.plays, NOWHERE).options["grounder"]["model"])

    def profile(self, url: str, **options: Any) -> Profile:
        found = super().profile(url, **options)
        grounder = {**found.options["grounder"], "url": url, **options.pop("grounder", {})}
        return found.model_copy(update={"options": {**found.options, "grounder": grounder}})

    def aside(self, body: Body) -> Any:
        """Find what the planner described, on a scale from 0 to 1000."""
        if body["model"] != self._grounder:
            return None
        (words,) = (part["text"] for part in body["messages"][-1]["content"] if part["type"] == "text")
        described = _DESCRIBED.search(words)
        assert described, words
        across, down = map(float, described.groups())
        return chat.Said("({}, {})".format(*thousandths(Size(1, 1), across, down)))


PAIR = Pair(
    name="planner-grounder",
    plays="planner-grounder",
    writer=action_writers.Plan(),
    numbers=fractions,
    most=20,
)
CLAUDES = (
    Claude(name="claude computer_toolset_20260801", plays="claude", temperature=None),
    Claude(name="claude computer_20251124", plays="claude", model="claude-opus-4-7"),
    Claude(name="claude computer_20250124", plays="claude", model="claude-sonnet-4-5"),
)
OPENAIS = (
    OpenAI(name="openai computer", plays="openai", shown=(1,) * 5),
    OpenAIPreview(name="openai computer_use_preview", plays="openai", model="computer-use-preview", most=1),
)
RESENT = OpenAI(name="openai computer (resend)", plays="openai", options={"state": "resend"})
GEMINIS = (
    Gemini(name="gemini current", plays="gemini", numbers=cells),
    GeminiLegacy(
        name="gemini legacy", plays="gemini", model="gemini-2.5-computer-use-preview-10-2025", numbers=cells
    ),
)


def _chat(name: str, plays: str, writer: action_writers.ActionWriter, **more: Any) -> Chat:
    dialect = name.partition(" ")[0]
    options = {"dialect": dialect, **more.pop("options", {})}
    return Chat(name=f"chat {name}", plays=plays, writer=writer, options=options, **more)


CHATS = (
    _chat("qwen", "qwen-vl", action_writers.QwenJson(), numbers=thousandths),
    _chat("qwen (XML)", "qwen-vl", action_writers.QwenXml(), numbers=thousandths),
    _chat(
        "qwen (functions)",
        "qwen-vl",
        action_writers.QwenJson(),
        numbers=thousandths,
        native=True,
        options={"functions": True, "prompt": "cuabench"},
    ),
    _chat("qwen2.5", "qwen-vl", action_writers.QwenJson()),
    _chat("ui-tars", "ui-tars", action_writers.Tars()),
    _chat("ui-tars-2", "ui-tars-2", action_writers.Tars2(), numbers=thousandths),
    _chat("opencua", "opencua", action_writers.OpenCua()),
    _chat(
        "opencua (fractions)",
        "opencua",
        action_writers.OpenCua(),
        numbers=fractions,
        options={"coordinates": "relative"},
    ),
    _chat("kimi", "kimi", action_writers.OpenCua(), numbers=fractions),
    _chat("pyautogui", "openai-compatible", action_writers.PyAutoGui()),
    _chat("scienceboard", "scienceboard-style", action_writers.PyAutoGui()),
    _chat("computer_13", "openai-compatible", action_writers.Computer13()),
    _chat("browsergym", "openai-compatible", action_writers.BrowserGym()),
    _chat("browser-use", "browser-use-style", action_writers.BrowserUse()),
)
SPEAKERS: tuple[Speaker, ...] = (*CLAUDES, *OPENAIS, *GEMINIS, *CHATS, PAIR)
MAKERS = (CLAUDES[0], OPENAIS[0], GEMINIS[0], CHATS[0], PAIR)  # one for each way to connect
