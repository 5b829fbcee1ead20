"""What is particular to Claude as a player: its table of models, its tools, its calls read strictly, its cache.

What is true of every maker's model stands in `test_provider_contract`.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lazily import lazily
from PIL import Image
from small_world import ROWS, SCREEN, react

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.makers.anthropic.calls import Call, Reader
from pytest_cuabench.agents.makers.anthropic.models import MODELS, TOOLS, count_patches, find_model
from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.task.action import (
    Action,
    Answer,
    Click,
    ClickElement,
    CoordinateSpace,
    CursorPosition,
    Drag,
    HoldKey,
    Key,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    Screenshot,
    Scroll,
    Size,
    Terminate,
    Type,
    Wait,
    Zoom,
)
from pytest_cuabench.task.observation import ActionResult, Box, Mark, Node, Observation, ObservationKind, Tab
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .desk import LOOK, Desk, steps
from .servers import anthropic as maker
from .servers.anthropic import DONE, KEY, PRESS_N, TOOLSET, act, reply, say, think, use
from .speakers import CLAUDES
from .speaking import Speaker
from .tally import ANYTHING, tried

adapter = lazily("pytest_cuabench.agents.makers.anthropic.agent")
OLD, NEW = "computer_20250124", "computer_20251124"
LARGE = Size(2800, 420)  # too long for any model, and quickly drawn
ARN = "arn:aws:bedrock:us-east-1:123456789012:inference-profile"
BRIEFING = Briefing("do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10)


@pytest.fixture
def desk(seated: Callable[[Speaker], Desk]) -> Desk:
    """The desk with Claude."""
    return seated(CLAUDES[0])


class Seeing(FakeEnvironment):
    """The desk, with pictures and the pointer's place as results."""

    async def perform(self, action: Action) -> ActionResult:
        """Answer as the driver of a browser does."""
        result = await super().perform(action)
        match action:
            case Screenshot():
                return ActionResult(image=coloured(self.screen, "red"))
            case Zoom():
                return ActionResult(image=coloured(self.screen, "blue"))
            case CursorPosition():
                return ActionResult(text=f"{self.screen.width - 1},{self.screen.height - 1}")
        return result


def coloured(size: Size, colour: str) -> bytes:
    """Return a picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def seeing(screen: Size = SCREEN) -> Seeing:
    """Return the desk with another screen."""
    return Seeing(ROWS, react, screen)


pictures = CLAUDES[0].pictures


def results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the results in the last message of a request."""
    return [block for block in body["messages"][-1]["content"] if block["type"] == "tool_result"]


def words(body: dict[str, Any]) -> str:
    """Return the texts of the last message of a request, those of results included."""
    blocks = body["messages"][-1]["content"]
    inner = [part for block in blocks for part in block.get("content", [])]
    return "\n".join(part["text"] for part in (*inner, *blocks) if part["type"] == "text")


def bare(messages: list[dict[str, Any]]) -> list[str]:
    """Return messages without the marks for the cache."""
    return [
        json.dumps(message).replace(', "cache_control": {"type": "ephemeral"}', "") for message in messages
    ]


# Which tool a model takes


@pytest.mark.parametrize(
    ("model", "anthropic", "vertex", "bedrock"),
    [
        ("claude-opus-5-5", TOOLSET, TOOLSET, NEW),
        ("global.anthropic.claude-sonnet-5-5-v1:0", TOOLSET, TOOLSET, NEW),
        ("claude-opus-5@20260701", TOOLSET, TOOLSET, NEW),
        ("claude-opus-4-8", TOOLSET, TOOLSET, NEW),
        ("claude-opus-4-7", NEW, NEW, NEW),
        ("us.anthropic.claude-opus-4-6-v1:0", NEW, NEW, NEW),
        ("claude-opus-4-5@20251101", NEW, NEW, NEW),
        ("claude-haiku-4-5-20251001", OLD, OLD, OLD),
        ("anthropic.claude-sonnet-4-5-20250929-v1:0", OLD, OLD, OLD),
        (f"{ARN}/us.anthropic.claude-opus-4-1-20250805-v1:0", OLD, OLD, OLD),
        ("claude-opus-4-0", OLD, OLD, OLD),
        ("claude-3-7-sonnet-latest", OLD, OLD, OLD),
    ],
)
def test_tool(model: str, anthropic: str, vertex: str, bedrock: str) -> None:
    """A model's tool follows from its name, whatever platform, region, date or version stands around it."""
    found, note = find_model(model)
    assert (found.anthropic.type, found.vertex.type, found.bedrock.type) == (anthropic, vertex, bedrock)
    assert note is None


def test_longer_names_are_other_models() -> None:
    """A name is never taken for a longer one that begins like it, or the other way round."""
    kinds = [find_model(f"claude-opus-{version}")[0] for version in ("5", "5-5", "4", "4-1", "4-5", "4-8")]
    assert [kind.names[0] for kind in kinds] == [
        "opus-5", "opus-5-5", "opus-4-1", "opus-4-1", "opus-4-5", "opus-4-8",
    ]  # fmt: skip


def test_no_model_stands_in_two_rows() -> None:
    """Every name of the table leads to one row."""
    names = [name for row in MODELS for name in row.names]
    assert len(names) == len(set(names))
    assert all(find_model(f"claude-{name}")[0] == row for row in MODELS for name in row.names)


@pytest.mark.parametrize("model", ["claude-opus-9", "claude-opus-5-9", "claude-opus-55", "somebody-elses"])
def test_unknown_models(model: str) -> None:
    """A model that is not in the table is taken for one of the newest, and that is said."""
    found, note = find_model(model)
    assert found is MODELS[0]
    assert note is not None
    assert note.startswith(repr(model))


@pytest.mark.parametrize(
    ("model", "screen", "size"),
    [
        ("claude-opus-5-5", (1280, 720), (1280, 720)),
        ("claude-opus-4-7", (1920, 1080), (1920, 1080)),
        ("claude-opus-4-7", (3840, 2160), (2576, 1449)),
        ("claude-opus-4-6", (3840, 2160), (1456, 819)),
        ("claude-opus-4-6", (1075, 1520), (924, 1307)),
    ],
)
def test_picture_sizes(model: str, screen: tuple[int, int], size: tuple[int, int]) -> None:
    """Pictures are made as large as the maker's own arithmetic allows for the model, and no larger."""
    width, height = find_model(model)[0].limit.fit(Size(*screen))
    assert abs(width - size[0]) <= 1
    assert abs(height - size[1]) <= 1


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 8000), st.integers(1, 8000), st.sampled_from(MODELS))
def test_pictures_always_fit(width: int, height: int, model: Any) -> None:
    """No screen leads to a picture beyond the limit, nor to one that is larger than the screen."""
    fitted = model.limit.fit(Size(width, height))
    assert max(fitted) <= model.limit.long_edge
    assert count_patches(fitted) <= model.limit.patches
    assert fitted.width <= width
    assert fitted.height <= height


# What calls mean


def read(name: str, tool: str = TOOLSET, space: CoordinateSpace | None = None, **arguments: Any) -> Action:
    """Read a call of the computer as a tool of some version makes it."""
    kind = TOOLS[tool]  # type: ignore[index]
    reader = Reader(kind, {}, space or CoordinateSpace.native(Size(1000, 1000)))
    if kind.is_set:
        return reader.read(Call("1", name, arguments, "computer"))
    return reader.read(Call("1", "computer", {"action": name} | arguments))


MEANINGS: list[tuple[str, dict[str, Any], Action]] = [
    ("key", {"text": "Return"}, Key(("enter",))),
    ("key", {"text": "ctrl+shift+Escape", "repeat": 3}, Key(("ctrl", "shift", "escape"), 3)),
    ("key", {"text": "Page_Down"}, Key(("pagedown",))),
    ("key", {"text": "super+BackSpace"}, Key(("meta", "backspace"))),
    ("hold_key", {"text": "shift", "duration": 2}, HoldKey(("shift",), 2)),
    ("type", {"text": "Grüße – 12 µg\n"}, Type("Grüße – 12 µg\n")),
    ("cursor_position", {}, CursorPosition()),
    ("mouse_move", {"coordinate": [3, 4]}, Move(3, 4)),
    ("left_mouse_down", {}, MouseDown()),
    ("left_mouse_up", {}, MouseUp()),
    ("left_click", {"coordinate": [3, 4]}, Click(3, 4)),
    ("left_click", {}, Click()),
    ("left_click", {"coordinate": [3.6, 4.2], "text": None}, Click(3, 4)),
    ("left_click", {"coordinate": [3, 4], "text": "ctrl+shift"}, Click(3, 4, modifiers=("ctrl", "shift"))),
    ("left_click", {"coordinate": [3, 4], "text": ""}, Click(3, 4)),
    ("left_click_drag", {"start_coordinate": [1, 2], "coordinate": [3, 4]}, Drag(((1, 2), (3, 4)))),
    ("right_click", {"coordinate": [3, 4]}, Click(3, 4, "right")),
    ("middle_click", {"coordinate": [3, 4]}, Click(3, 4, "middle")),
    ("double_click", {"coordinate": [3, 4]}, Click(3, 4, count=2)),
    ("triple_click", {"coordinate": [3, 4], "text": "super"}, Click(3, 4, count=3, modifiers=("meta",))),
    ("scroll", {"coordinate": [3, 4], "scroll_direction": "up", "scroll_amount": 5}, Scroll(3, 4, dy=-5)),
    ("scroll", {"scroll_direction": "down", "scroll_amount": 5}, Scroll(dy=5)),
    ("scroll", {"scroll_direction": "left", "scroll_amount": 2}, Scroll(dx=-2)),
    (
        "scroll",
        {"scroll_direction": "right", "scroll_amount": 2, "text": "shift"},
        Scroll(dx=2, modifiers=("shift",)),
    ),
    ("wait", {"duration": 2}, Wait(2)),
    ("screenshot", {}, Screenshot()),
    ("zoom", {"region": [10, 20, 30, 50]}, Zoom((10, 20, 30, 50))),
]


@pytest.mark.parametrize("tool", [TOOLSET, NEW])
@pytest.mark.parametrize(("name", "arguments", "action"), MEANINGS)
def test_actions(tool: str, name: str, arguments: dict[str, Any], action: Action) -> None:
    """Each action of the computer tool, old or new, is the canonical action that it means."""
    assert read(name, tool, **arguments) == action


@pytest.mark.slow
def test_every_member_is_known() -> None:
    """All actions that the maker's package knows are read, and none that it does not."""
    assert {name for name, *_ in MEANINGS} == set(
        get_args(lazily("anthropic.types.beta").BetaComputerMemberName)
    )


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("fly", {}, "unknown action 'fly'; known: cursor_position, double_click"),
        ("left_click", {"coordinate": [1000, 4]}, "x=1000 lies outside this screen's coordinates 0 to 999"),
        ("left_click", {"coordinate": [-1, 4]}, "x=-1 lies outside"),
        ("left_click", {"coordinate": [3]}, "coordinate is [3], but must be a list of 2 numbers"),
        ("left_click", {"coordinate": ["3", 4]}, "must be a list of 2 numbers"),
        ("left_click", {"coordinate": [True, 4]}, "must be a list of 2 numbers"),
        ("left_click", {"coordinate": "3,4"}, "must be a list of 2 numbers"),
        ("left_click", {"coordinate": [float("nan"), 4]}, "must be a list of 2 numbers"),
        ("left_click", {"coordinate": [10**400, 4]}, "must be a list of 2 numbers"),
        ("left_click", {"coordinate": [3, 4], "text": "a"}, "are no modifiers"),
        ("left_click", {"coordinate": [3, 4], "times": 2}, "unknown argument times"),
        ("left_mouse_down", {"coordinate": [3, 4]}, "unknown argument coordinate"),
        ("mouse_move", {}, "mouse_move: missing argument coordinate"),
        ("left_click_drag", {"coordinate": [3, 4]}, "missing argument start_coordinate"),
        ("key", {"text": "Hyper_R"}, "unknown key 'Hyper_R'"),
        ("key", {"text": 5}, "text is 5, but must be a key"),
        ("key", {"text": "a", "repeat": 101}, "repeat is 101, but must be 1 to 100"),
        ("key", {"text": "a", "repeat": "3"}, "repeat is '3', but must be a whole number"),
        ("type", {"text": ["a"]}, "text is ['a'], but must be text"),
        ("type", {}, "type: missing argument text"),
        ("hold_key", {"text": "a", "duration": 300}, "seconds is 300, but must be 0 to 60"),
        ("wait", {"duration": "2"}, "must be a number"),
        ("scroll", {"scroll_direction": "north", "scroll_amount": 1}, "'north', but must be up, down"),
        ("scroll", {"scroll_direction": ["up"], "scroll_amount": 1}, "but must be up, down"),
        ("scroll", {"scroll_direction": "up", "scroll_amount": -1}, "but must be a whole number of wheel"),
        ("scroll", {"scroll_direction": "up", "scroll_amount": 1.5}, "but must be a whole number of wheel"),
        ("scroll", {"scroll_direction": "up", "scroll_amount": 0}, "is not 1 to 100 notches"),
        ("zoom", {"region": [30, 20, 10, 50]}, "is empty"),
        ("zoom", {"region": [0, 0, 1001, 10]}, "lies outside"),
        ("screenshot", {"display": 1}, "unknown argument display"),
    ],
)
def test_malformed_actions(name: str, arguments: dict[str, Any], sentence: str) -> None:
    """What no action can be made of is refused with a sentence that says why."""
    with pytest.raises(ActionError, match=r".") as refused:
        read(name, **arguments)
    assert sentence in str(refused.value)


def test_the_oldest_tool_cannot_zoom() -> None:
    """An action that a version does not have is unknown to it."""
    with pytest.raises(ActionError, match="unknown action 'zoom'"):
        read("zoom", OLD, region=[1, 2, 3, 4])
    assert read("wait", OLD, duration=1) == Wait(1)


@pytest.mark.parametrize(
    "call",
    [
        Call("1", "left_click", {}, None),
        Call("1", "left_click", {}, "browser"),
        Call("1", "computer", {"action": "screenshot"}, None),
        Call("1", "finish", {"status": "success"}, "computer"),
        Call("1", "navigate", {"url": "http://x.localhost"}, None),
    ],
)
def test_tools_that_do_not_exist(call: Call) -> None:
    """A tool is known by its set and its name together, and only if it was offered."""
    reader = Reader(TOOLS["computer_toolset_20260801"], {}, CoordinateSpace.native(SCREEN))
    with pytest.raises(ActionError):
        reader.read(call)


def test_places_are_scaled_to_the_screen() -> None:
    """Places on a smaller picture mean the middle of their pixel on the screen, and regions all that they touch."""
    space = CoordinateSpace.image(Size(3840, 2160), Size(1456, 819))
    assert read("left_click", space=space, coordinate=[0, 0]) == Click(1, 1)
    assert read("left_click", space=space, coordinate=[1455, 818]) == Click(3838, 2158)
    assert read("zoom", space=space, region=[0, 0, 1456, 819]) == Zoom((0, 0, 3840, 2160))


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        ({"status": "success"}, Terminate("success")),
        ({"status": "success", "answer": ""}, Terminate("success")),
        ({"status": "success", "answer": " 12 mg"}, Answer(" 12 mg")),
        ({"status": "failure", "reason": "stuck"}, Terminate("failure", "stuck")),
        ({"status": "infeasible", "answer": None}, Terminate("infeasible")),
    ],
)
def test_finish(arguments: dict[str, Any], action: Action) -> None:
    """The tool finish ends the episode, with an answer where one is given."""
    reader = Reader(TOOLS["computer_20251124"], {}, CoordinateSpace.native(SCREEN))
    assert reader.read(Call("1", "finish", arguments)) == action


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"status": "done"},
        {"status": "failure", "answer": "42"},
        {"status": "success", "answer": 42},
        {"status": "success", "note": "x"},
        {"status": ["success"]},
        {"status": "failure", "reason": 5},
    ],
)
def test_malformed_finish(arguments: dict[str, Any]) -> None:
    """An ending that could mean two things, or none, ends nothing."""
    reader = Reader(TOOLS["computer_20251124"], {}, CoordinateSpace.native(SCREEN))
    with pytest.raises(ActionError):
        reader.read(Call("1", "finish", arguments))


ARGUMENTS = st.sampled_from(
    ["text", "repeat", "duration", "coordinate", "start_coordinate", "region", "scroll_direction", "status"]
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([*(name for name, *_ in MEANINGS), "finish", "computer", "navigate"]),
    st.dictionaries(ARGUMENTS, st.sampled_from([[10, 20], 1, "a", "up", "success"]) | ANYTHING, max_size=3),
    st.sampled_from(["computer", None]),
    st.sampled_from(list(TOOLS)),
)
def test_hostile_calls(name: str, arguments: dict[str, Any], toolset: str | None, tool: Any) -> None:
    """Whatever a model writes is an action or an error told to it, nothing else."""
    reader = Reader(TOOLS[tool], {}, CoordinateSpace.native(SCREEN))
    for call in (Call("1", name, arguments, toolset), Call("1", "computer", arguments | {"action": name})):
        action = tried(f"claude {tool}", partial(reader.read, call))
        assert action is None or isinstance(action, Action)


# Whole episodes


def test_pictures_of_results(desk: Desk) -> None:
    """A screenshot within a batch is the picture of that moment, a zoom its own, and the last one the screen."""
    batch = (act("screenshot"), act("zoom", region=[0, 0, 32, 24]), act("key", text="n"), act("screenshot"))
    assert desk.play(reply(*batch), DONE, world=seeing()).last.outcome == "success"
    shown = [picture.convert("RGB").getpixel((1, 1)) for picture in pictures(desk.requests[1])]
    assert shown == [(255, 255, 255), (255, 0, 0), (0, 0, 255), (255, 255, 255)]
    assert [part["type"] for part in results(desk.requests[1])[3]["content"]] == ["image"]


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-opus-4-6"])
def test_large_screens(desk: Desk, model: str) -> None:
    """A large screen is sent smaller, clicks come back to its pixels, and the pointer is told on the picture."""
    sent = find_model(model)[0].limit.fit(LARGE)
    corner = [sent.width - 1, sent.height - 1]
    batch = (act("cursor_position"), act("screenshot"), act("zoom", region=[0, 0, *corner]))
    script = (reply(act("left_click", coordinate=corner)), reply(*batch), PRESS_N, DONE)
    played = desk.play(*script, world=seeing(LARGE), model=model)
    assert played.last.outcome == "success", (played.last.error, desk.refused)
    click = played.world.performed[0]
    assert LARGE.width - click.x <= LARGE.width / sent.width
    assert LARGE.height - click.y <= LARGE.height / sent.height
    assert results(desk.requests[2])[0]["content"][0]["text"] == "X={},Y={}".format(*corner)
    assert {picture.size for picture in pictures(desk.requests[3])} == {tuple(sent)}
    assert sent < LARGE
    assert f"{sent} pixels" in desk.requests[0]["system"][0]["text"]


def test_old_tool_is_told_the_size_of_pictures(desk: Desk) -> None:
    """The old tool is declared with the size of the pictures that are sent, not of the screen."""
    desk.play(DONE, world=seeing(LARGE), model="claude-opus-4-6")
    tool = desk.requests[0]["tools"][0]
    assert (tool["display_width_px"], tool["display_height_px"]) == pictures(desk.requests[0])[0].size
    assert tool["enable_zoom"] is True
    assert desk.line.server.headers[0]["anthropic-beta"] == "computer-use-2025-11-24"


def test_new_tool_needs_no_header(desk: Desk) -> None:
    """The set of tools is declared by its name alone, without a header."""
    desk.play(DONE)
    assert desk.requests[0]["tools"][0] == {"type": TOOLSET}
    assert "anthropic-beta" not in desk.line.server.headers[0]


# What goes wrong on the model's side


def test_malformed_call_and_recovery(desk: Desk) -> None:
    """Calls before a malformed one are carried out, those from it on are not, and each is told its own."""
    bad = act("left_click", coordinate=[999, 4])
    played = desk.play(reply(act("key", text="l"), bad, act("key", text="x")), PRESS_N, DONE)
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 1)
    done, wrong, untried = results(desk.requests[1])
    assert [part["type"] for part in done["content"]] == ["text"]
    assert "is_error" not in done
    assert wrong["is_error"]
    assert "x=999 lies outside this screen's coordinates 0 to 63" in wrong["content"][0]["text"]
    untold = "This was not tried, because a call before it in the same turn failed."
    assert untried["content"][0]["text"] == untold
    assert words(desk.requests[1]).count("x=999") == 1
    assert len(pictures(desk.requests[1])) == 2


def test_failed_action(desk: Desk) -> None:
    """What the environment refuses is told as that call's error, and the rest of the turn as not tried."""
    world = seeing()
    world.capabilities = ("pointer",)
    turn = reply(act("wait", duration=0), act("key", text="n"), act("wait", duration=0))
    assert desk.play(turn, DONE, world=world).last.outcome == "failure"
    fine, failed, untried = results(desk.requests[1])
    assert fine["content"] == [{"type": "text", "text": "OK"}]
    assert failed["content"] == [{"type": "text", "text": "key is not available in this environment"}]
    assert failed["is_error"]
    assert untried["is_error"]


BIO = {"type": "refusal", "category": "bio", "explanation": "This is about biology."}


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        (reply(say("  ")), "it was empty"),
        (reply(think("hm")), "it was empty"),
        (reply(content=None), "it was empty"),
        (reply(content=[1, {"no": "type"}]), "it was empty"),
        (reply(use("fly", to="moon")), "there is no tool 'fly'"),
        (reply({"type": "tool_use", "name": "finish", "input": "x"}), "lacks its id, its name or its input"),
        (
            reply(act("key", text="x"), stop_reason="refusal", stop_details=BIO),
            "a refusal (This is about bio",
        ),
        (reply(act("key", text="x"), stop_reason="max_tokens"), "it was cut off after 8192 tokens"),
        (reply(think("hm"), say("I wi"), stop_reason="max_tokens"), "it was cut off after 8192 tokens"),
        (reply(say("I"), stop_reason="model_context_window_exceeded"), "grown too long"),
    ],
)
def test_useless_replies(desk: Desk, bad: maker.Reply, sentence: str) -> None:
    """A reply of any shape without anything to do is told to the model, and the conversation goes on."""
    played = desk.play(bad, PRESS_N, DONE)
    counted = 0 if "refusal" in sentence else 1  # what is withheld is not counted
    assert (played.last.outcome, played.last.counts.format_errors, desk.refused) == ("success", counted, [])
    assert played.world.performed == [Key(("n",))]
    assert sentence in words(desk.requests[1])


def test_cut_reply_keeps_what_was_said_to_its_end(desk: Desk) -> None:
    """Of a reply that was cut, the calls before the last are carried out; the last may be half of one."""
    cut = reply(think("hm"), act("key", text="n"), act("key", text="x"), stop_reason="max_tokens")
    played = desk.play(cut, DONE)
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 1)
    assert played.world.performed == [Key(("n",))]
    assert len(results(desk.requests[1])) == 1


def test_long_values_are_told_shortly(desk: Desk) -> None:
    """A sentence about a malformed call quotes no more than the beginning of it."""
    played = desk.play(reply(act("wait", duration="x" * 5000)), PRESS_N, DONE)
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 1)
    assert len(words(desk.requests[1])) < 1100


# What goes wrong on the server's side


def test_json_that_is_no_message(desk: Desk) -> None:
    """A reply that is JSON but no message is asked for again."""
    assert desk.play(maker.Fault("list"), PRESS_N, DONE).last.outcome == "success"
    assert len(desk.slept) == 1


def test_wrong_tool(desk: Desk) -> None:
    """A tool that the model does not take is refused by the server, and the sentence names the option."""
    last = desk.play(DONE, tool="computer_20251124").last
    assert last.outcome == "provider_error"
    assert "computer_20251124 was sent; options.tool chooses another" in str(last.error)


def test_tool_of_the_profile(desk: Desk) -> None:
    """The profile's tool wins over the table's."""
    played = desk.play(PRESS_N, DONE, model="claude-opus-5", tool="computer_20251124")
    assert played.last.outcome == "success"
    assert desk.requests[0]["tools"][0]["type"] == "computer_20251124"


def test_unknown_model_is_noted_once(desk: Desk) -> None:
    """That a model's tool is only supposed stands in the record of the first step."""
    recorded = [step["raw"] for step in steps(desk.play(PRESS_N, DONE, model="claude-opus-9"))]
    assert "is not in the table of models" in recorded[0]["note"]
    assert "note" not in recorded[1]


# The conversation


def test_history_is_pruned_rarely(desk: Desk) -> None:
    """Screenshots gather up to the interval, then only the newest are left; in between, all only grows."""
    look = reply(think("hm"), act("mouse_move", coordinate=[1, 1]))
    played = desk.play(*[look] * 11, PRESS_N, DONE, steps=20, history=2, interval=3)
    assert played.last.outcome == "success", (played.last.error, desk.refused)
    counts = [len(pictures(body)) for body in desk.requests]
    assert counts == [1, 2, 3, 4, 5, 2, 3, 4, 5, 2, 3, 4, 5]
    said = [bare(body["messages"]) for body in desk.requests]
    grown = [later[: len(earlier)] == earlier for earlier, later in pairwise(said)]
    assert [number for number, same in enumerate(grown) if not same] == [4, 8]
    assert "[an older screenshot, left out]" in said[5][0]


def test_pictures_just_asked_for_are_shown(desk: Desk) -> None:
    """A pruning leaves all pictures of the last turn, also where these are more than are to be kept."""
    batch = reply(*[act("screenshot")] * 4)
    played = desk.play(PRESS_N, batch, PRESS_N, DONE, world=seeing(), history=1, interval=1)
    assert played.last.outcome == "success"
    assert [len(pictures(body)) for body in desk.requests] == [1, 2, 4, 1]


def test_conversation_is_read_from_the_cache(desk: Desk) -> None:
    """Between prunings, each call reads from the cache all that the call before has put there."""
    batch = reply(*[act("mouse_move", coordinate=[1, 1])] * 25)
    played = desk.play(*[batch] * 4, PRESS_N, DONE, interval=20)
    assert played.last.outcome == "success"
    used = [step["raw"]["usage"] for step in steps(played)]
    assert used[0]["cache_read_input_tokens"] == 0
    for before, after in pairwise(used):
        kept = before["cache_read_input_tokens"] + before["cache_creation_input_tokens"]
        assert after["cache_read_input_tokens"] == kept
        assert after["input_tokens"] == 0


@pytest.mark.parametrize(
    ("model", "sent"), [("claude-opus-5-5", [0, 1, 2, 0, 1, 1]), ("claude-opus-5", [0, 1, 2, 3, 4, 4])]
)
def test_thoughts_are_sent_back(desk: Desk, model: str, sent: list[int]) -> None:
    """Thoughts go back as they came, but not over a pruning where the model is bound to what it had seen."""
    look = reply(think("I look."), act("screenshot"))
    played = desk.play(*[look] * 4, PRESS_N, DONE, model=model, history=1, interval=2)
    assert played.last.outcome == "success", (played.last.error, desk.refused)
    blocks = [
        [block for message in body["messages"] for block in message["content"]] for body in desk.requests
    ]
    assert [sum(block["type"] == "thinking" for block in held) for held in blocks] == sent
    assert steps(played)[0]["thought"] == "I look."
    assert "signature" not in json.dumps(steps(played)[0]["raw"])


@pytest.mark.parametrize(
    ("model", "options", "sent"),
    [
        ("claude-opus-5-5", {}, {"type": "adaptive", "display": "summarized"}),
        ("claude-opus-4-7", {}, None),
        ("claude-opus-4-7", {"thinking": "adaptive"}, {"type": "adaptive", "display": "summarized"}),
        ("claude-opus-5", {"thinking": "disabled"}, {"type": "disabled"}),
        ("claude-sonnet-4-5", {"thinking": 2048}, {"type": "enabled", "budget_tokens": 2048}),
    ],
)
def test_thinking(desk: Desk, model: str, options: dict[str, Any], sent: Any) -> None:
    """Thoughts of models that think are asked for; the profile may say otherwise."""
    assert desk.play(DONE, model=model, **options).last.outcome == "failure"
    assert desk.requests[0].get("thinking") == sent


@pytest.mark.parametrize("thinking", ["disabled", 2048])
def test_thoughts_that_cannot_be_turned_off(desk: Desk, thinking: Any) -> None:
    """A model whose server refuses it is told before anything is played, with what to write instead."""
    with pytest.raises(SettingError, match=r'claude-opus-5-5 always thinks.*options\.effort = "low"'):
        desk.play(DONE, model="claude-opus-5-5", thinking=thinking)


def test_effort_and_temperature(desk: Desk) -> None:
    """How much the model should put into its replies is in the request, and a temperature where it takes one."""
    desk.play(DONE, model="claude-opus-4-6", effort="low", temperature=0.5)
    (body,) = desk.requests
    assert (body["output_config"], body["temperature"], desk.refused) == ({"effort": "low"}, 0.5, [])


# What is told beside the picture


def seen_by(
    desk: Desk, seen: Observation, kind: ObservationKind, *script: Any, screen: Size = SCREEN, **options: Any
) -> Decision:
    """Let Claude decide once."""
    everything = ("pointer", "keyboard", "browser", "elements")
    briefing = Briefing("do it", kind, screen, everything, 10, ("how it is done",))
    return desk.decide(*(script or (DONE,)), seen=seen, briefing=briefing, **options)


def test_tree_is_told_on_the_picture(desk: Desk) -> None:
    """Places in the accessibility tree are those of the picture, which may be smaller than the screen."""
    node = Node("button", "Save", "", (), Box(LARGE.width - 40, LARGE.height - 60, 40, 60), 0)
    seen = Observation(LARGE, blank_png(LARGE), tree=(node,), tabs=(Tab("A", True), Tab("B", False)))
    seen_by(desk, seen, "screenshot+tree", screen=LARGE, model="claude-opus-4-6")
    width, height = pictures(desk.requests[0])[0].size
    x, y = int((LARGE.width - 20) * width / LARGE.width), int((LARGE.height - 30) * height / LARGE.height)
    assert f'button "Save" ({x}, {y})' in words(desk.requests[0])
    assert "Tabs: 0: A (in front); 1: B" in words(desk.requests[0])
    assert "how it is done" in words(desk.requests[0])


def test_marks_can_be_clicked(desk: Desk) -> None:
    """Where boxes are numbered, tools take their numbers."""
    seen = Observation(SCREEN, blank_png(SCREEN), marks=(Mark(7, "button", "Save", Box(1, 1, 2, 2)),))
    turn = reply(use("click_element", mark=7), use("navigate", url="http://a.localhost"))
    decision = seen_by(desk, seen, "marks", turn, extras=True)
    assert decision.actions == (ClickElement(7), Navigate("http://a.localhost"))
    assert '7: button "Save"' in words(desk.requests[0])


def test_tools_follow_the_environment(desk: Desk) -> None:
    """Tools for tabs are offered in a browser, those for boxes only where boxes are shown."""
    seen_by(desk, LOOK, "screenshot", extras=True)
    offered = [tool.get("name", "computer") for tool in desk.requests[0]["tools"]]
    assert offered == ["computer", "finish", "navigate", "back", "forward", "switch_tab", "close_tab"]


def test_no_pictures_where_none_are_shown(desk: Desk) -> None:
    """Where only text is shown, a call for a screenshot brings no picture either."""
    agent = desk.agent()
    desk.answer(reply(act("screenshot")))

    async def decide() -> None:
        await agent.start(Briefing("do it", "dom", SCREEN, ("pointer",), 10))
        await agent.decide(Observation(SCREEN, dom="Hello"))
        looked = Observation(SCREEN, dom="Hello", results=(ActionResult(image=blank_png(SCREEN)),))
        await agent.decide(looked)
        await agent.close()

    asyncio.run(decide())
    assert pictures(desk.requests[1]) == []
    assert "No pictures are shown in this task" in words(desk.requests[1])


# The server itself

STRICT: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("nothing", lambda body: None, ""),
    ("no length", lambda body: body.pop("max_tokens"), "max_tokens: Field required"),
    ("unknown field", lambda body: body.update(top_k=3), "top_k: Extra inputs are not permitted"),
    ("size for a set", lambda body: body["tools"][0].update(display_width_px=9), "display_width_px: Extra"),
    ("old tool", lambda body: body["tools"].__setitem__(0, OLD_TOOL), "does not match any expected tag"),
    ("no set named", lambda body: first_result(body).pop("toolset_name"), "toolset_name must be that"),
    ("no result", lambda body: body["messages"][-1]["content"].pop(0), "without `tool_result` blocks"),
    ("an odd result", lambda body: first_result(body).update(tool_use_id="x"), "without `tool_result`"),
    ("an error in pictures", lambda body: last_result(body).update(is_error=True), "must be type `text`"),
    ("no JPEG", lambda body: source(body).update(media_type="image/jpeg"), "does not match its media type"),
    ("too large", lambda body: source(body).update(data=HUGE), "exceeds the model's maximum image size"),
    ("a changed past", lambda body: body["system"][0].update(text="x"), "bound to a different conversation"),
    ("a forged thought", lambda body: thought(body).update(signature="x"), "Invalid `signature`"),
    ("no thinking", lambda body: body.update(thinking={"type": "disabled"}), "is not supported"),
    ("blank text", lambda body: body["messages"][0]["content"][0].update(text=" "), "non-whitespace"),
    ("no words", lambda body: body["messages"][1].update(content=[]), "non-empty content"),
    ("marks", lambda body: [tool.update(MARK) for tool in [*body["tools"], thought(body)]], "Extra inputs"),
    ("more marks", lambda body: [tool.update(MARK) for tool in body["tools"]], "A maximum of 4 blocks"),
]
MARK = {"cache_control": {"type": "ephemeral"}}
OLD_TOOL = {"type": NEW, "name": "computer", "display_width_px": 64, "display_height_px": 48}
HUGE = base64.b64encode(blank_png(Size(2577, 1))).decode()


def first_result(body: dict[str, Any]) -> dict[str, Any]:
    """Return the first result of the last message."""
    return results(body)[0]


def last_result(body: dict[str, Any]) -> dict[str, Any]:
    """Return the last result of the last message, which shows the screen."""
    return results(body)[-1]


def source(body: dict[str, Any]) -> dict[str, Any]:
    """Return the last picture's source."""
    part: dict[str, Any] = last_result(body)["content"][-1]["source"]
    return part


def thought(body: dict[str, Any]) -> dict[str, Any]:
    """Return the thought in the model's first reply."""
    part: dict[str, Any] = body["messages"][1]["content"][0]
    return part


def test_server_is_strict(desk: Desk) -> None:
    """The server takes the adapter's request as it is, and refuses it with any of the API's rules broken."""
    script = (reply(think("hm"), act("wait", duration=0), act("key", text="n")), DONE)
    assert desk.play(*script).last.outcome == "success"
    good = json.dumps(desk.requests[1])
    headers = {"authorization": f"Bearer {KEY}", "anthropic-version": "2026-10-21"}
    with httpx2.Client(base_url=desk.line.url, headers=headers) as client:
        for case, breaking, sentence in STRICT:
            body = json.loads(good)
            breaking(body)
            answer = client.post("/v1/messages", json=body)
            assert (answer.status_code == 400) == bool(sentence), (case, answer.text)
            assert sentence in answer.text, case


# Platforms, usage, profile


def test_bedrock(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Bedrock the same model is played with the older tool, by Bedrock's own paths."""
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    last = desk.play(PRESS_N, DONE, model="us.anthropic.claude-opus-5-5-v1:0", platform="bedrock").last
    assert last.outcome == "success", (last.error, desk.refused)
    assert desk.requests[0]["anthropic_beta"] == ["computer-use-2025-11-24"]
    assert last.usage.cost is not None


def test_vertex(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Vertex AI the tool is that of the maker's own platform, by Google's paths."""
    monkeypatch.setenv("CLOUD_ML_REGION", "europe-west1")
    monkeypatch.setenv("ANTHROPIC_VERTEX_PROJECT_ID", "a-project")
    last = desk.play(PRESS_N, DONE, platform="vertex").last
    assert last.outcome == "success", (last.error, desk.refused)
    assert desk.requests[0]["tools"][0] == {"type": TOOLSET}


@pytest.mark.parametrize("platform", ["bedrock", "vertex"])
def test_missing_region(desk: Desk, monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    """A platform without its region is explained before anything is asked."""
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "CLOUD_ML_REGION"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingError, match=r"agent 'claude': No .*region"):
        desk.decide(DONE, briefing=BRIEFING, platform=platform)


def test_missing_package(desk: Desk) -> None:
    """A platform whose package is missing is explained with what to type."""
    agent = desk.agent(platform="bedrock")
    trouble = agent.explain(ModuleNotFoundError("No module named 'botocore'", name="botocore"))
    assert trouble is not None
    assert not trouble.again
    assert "pip install 'anthropic[bedrock]'" in trouble.sentence


def test_faults_of_ours_are_not_the_servers(desk: Desk) -> None:
    """An exception that is no server's is not explained as one."""
    assert desk.agent().explain(ZeroDivisionError()) is None


@pytest.mark.parametrize("usage", ["x", {"input_tokens": "many", "output_tokens": -1}])
def test_malformed_usage(desk: Desk, usage: Any) -> None:
    """Counts that are none count nothing."""
    played = desk.play(reply(use("finish", status="failure"), usage=usage))
    assert played.last.usage.tokens_in == 0


@pytest.mark.parametrize("options", [{"tool": "computer_1999"}, {"platform": "moon"}])
def test_wrong_options(options: dict[str, Any]) -> None:
    """A tool or a platform that does not exist is named."""
    profile = Profile(adapter="anthropic", name="claude", model="claude-opus-5", options=options)
    with pytest.raises(SettingError, match=rf"options\.{next(iter(options))}"):
        adapter.AnthropicAgent(profile)


def test_shipped_profile(tmp_path: Path) -> None:
    """The profile that is shipped names a model of the table, and makes an agent."""
    profile = load_profile("claude", tmp_path)
    assert find_model(profile.model or "")[1] is None
    assert (profile.extra, profile.key) == ("anthropic", "ANTHROPIC_API_KEY")
    assert adapter.AnthropicAgent(profile).tool.type == TOOLSET
