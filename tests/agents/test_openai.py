"""What is particular to OpenAI's models as players: two tools, two ways to keep the conversation, its actions.

What is true of every maker's model stands in `test_provider_contract`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lazily import lazily
from small_world import ROWS, SCREEN, react

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.openai.calls import read_action
from pytest_cuabench.agents.makers.openai.reply import Reply
from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.errors import ActionError, ProviderFailure, SettingError
from pytest_cuabench.task.action import (
    Action,
    Click,
    CoordinateSpace,
    Drag,
    Key,
    KeyDown,
    KeyUp,
    Move,
    Screenshot,
    Scroll,
    Size,
    Type,
    Wait,
)
from pytest_cuabench.task.observation import ActionResult
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .desk import LOOK, Desk, records, steps
from .servers import openai as api
from .servers.openai import Fault, Item, Said, click, computer, finish, press, single, think
from .speakers import OPENAIS
from .speaking import Speaker
from .tally import ANYTHING, note, tried

adapter = lazily("pytest_cuabench.agents.makers.openai.agent")
openai = lazily("openai")

MODEL, PREVIEW = "gpt-6.1-sol", "computer-use-preview"
NOTE = Said([think("The key n notes it."), computer(press("n"))])
DONE = Said([finish()])
CHECK = {"id": "cu_sc_1", "code": "malicious_instructions", "message": "The page gives orders."}
BRIEFING = Briefing("do it", "screenshot", SCREEN, ("pointer",), 10)


@pytest.fixture
def desk(seated: Callable[[Speaker], Desk]) -> Iterator[Desk]:
    """The desk with OpenAI's model; nothing may be refused by the server that a test does not expect to be."""
    seat = seated(OPENAIS[0])
    yield seat
    assert seat.refused == []


# Episodes


def test_new_tool(desk: Desk) -> None:
    """The new tool is spoken to as it asks for: no size, original detail, and only what is new after the first."""
    played = desk.play(NOTE, DONE)

    first, second = desk.requests
    assert played.last.outcome == "success"
    assert first["tools"][0] == {"type": "computer"}
    assert not {"truncation", "previous_response_id", "reasoning", "temperature"} & set(first)
    assert first["max_output_tokens"] == 16_384
    assert "finish" in first["instructions"]
    assert first["instructions"] == second["instructions"]
    assert second["previous_response_id"] == steps(played)[0]["raw"]["id"]
    (answer,) = second["input"]
    assert answer["type"] == "computer_call_output"
    assert answer["output"]["detail"] == "original"


def test_preview_model(desk: Desk) -> None:
    """The preview model gets size, environment and truncation; it acts once a turn."""
    played = desk.play(Said([single(press("n"))]), DONE, model=PREVIEW, environment="linux")

    first, second = desk.requests
    sizes = {"display_width": 64, "display_height": 48}
    assert played.last.outcome == "success"
    assert first["tools"][0] == {"type": "computer_use_preview", **sizes, "environment": "linux"}
    assert first["truncation"] == second["truncation"] == "auto"
    assert "detail" not in second["input"][0]["output"]


def test_reasoning_options_are_sent(desk: Desk) -> None:
    """Effort and summary are sent where they are given."""
    desk.play(DONE, effort="high", summary="concise")
    assert desk.requests[0]["reasoning"] == {"effort": "high", "summary": "concise"}


def test_every_call_is_answered(desk: Desk) -> None:
    """Each call of a turn has its own answer."""
    turn = Said([computer(press("l"), click(3, 4), call="a"), computer(press("n"), call="b")])
    played = desk.play(turn, DONE)

    assert played.world.performed == [Key(("l",)), Click(3, 4), Key(("n",))]
    assert [item["call_id"] for item in desk.requests[1]["input"]] == ["a", "b"]


@pytest.mark.parametrize(
    ("status", "answer", "ending", "given"),
    [
        ("success", "", "success", None),
        ("failure", "no such patient", "failure", None),
        ("infeasible", None, "infeasible", None),
    ],
)
def test_ends(desk: Desk, status: str, answer: str | None, ending: str, given: str | None) -> None:
    """The function `finish` ends with a status or an answer."""
    played = desk.play(Said([finish(status, answer)]))
    assert (played.last.ending, played.last.answer) == (ending, given)


# Pictures


@pytest.mark.parametrize(("model", "size"), [(MODEL, (1920, 1080)), (PREVIEW, (1366, 768))])
def test_image_size(desk: Desk, model: str, size: tuple[int, int]) -> None:
    """Pictures have the size that the tool is told and does not shrink; clicks on them are scaled back."""
    world = FakeEnvironment(ROWS, react, Size(1920, 1080))
    corner = click(size[0] - 1, size[1] - 1)
    call = single(corner) if model == PREVIEW else computer(corner)

    desk.play(Said([call]), DONE, world=world, model=model)

    assert [list(api.pictures(body)) for body in desk.requests] == [[size], [size]]
    (clicked,) = world.performed
    assert 1918 <= clicked.x <= 1919
    assert 1078 <= clicked.y <= 1079
    assert f"{size[0]}x{size[1]} pixels" in desk.requests[0]["instructions"]
    if model == PREVIEW:
        tool = desk.requests[0]["tools"][0]
        assert (tool["display_width"], tool["display_height"]) == size


class Camera(FakeEnvironment):
    """A world whose screenshots are of another size than the screen, to tell them apart."""

    async def perform(self, action: Action) -> ActionResult:
        result = await super().perform(action)
        return ActionResult(image=blank_png(Size(32, 24))) if isinstance(action, Screenshot) else result


def test_screenshot_within_a_batch(desk: Desk) -> None:
    """A screenshot among the actions is shown as it was; one at the end is the answer's own picture."""
    look = {"type": "screenshot"}
    played = desk.play(Said([computer(look, press("n"), look)]), DONE, world=Camera(ROWS, react))

    answer, message = desk.requests[1]["input"]
    assert played.last.outcome == "success"
    assert answer["type"] == "computer_call_output"
    assert [part["type"] for part in message["content"]] == ["input_text", "input_image"]


def test_errors_are_told(desk: Desk) -> None:
    """What the environment refuses is told after the picture, with what was left undone; all calls are answered."""
    world = FakeEnvironment(ROWS, react)
    world.capabilities = ("pointer",)
    turn = Said([computer(press("x"), click(1, 1), call="a"), finish(call_id="b")])
    desk.play(turn, DONE, world=world)

    first, second, message = desk.requests[1]["input"]
    assert (first["call_id"], second["call_id"]) == ("a", "b")
    assert "not carried out" in second["output"]
    assert "The action failed: key is not available" in message["content"][0]["text"]
    assert "The actions after it were not carried out." in message["content"][0]["text"]


def test_needs_pictures(desk: Desk) -> None:
    """An observation without pictures is refused at the start, with those that will do."""
    briefing = Briefing("do it", "dom", SCREEN, ("pointer",), 10)
    with pytest.raises(
        SettingError, match="needs screenshots; its observation is 'dom', but must be one of 'screenshot'"
    ):
        asyncio.run(desk.agent().start(briefing))


# Replies that cannot be understood


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        ([think(), api.refuse("No."), computer(press("x"))], r"it is a refusal \(No.\)"),
        ([think("Hm.")], "the reply is empty; act with"),
        ([computer()], "a computer_call holds no action"),
        ([computer({"type": "fly", "x": 1, "y": 1})], "unknown action 'fly'; known: click, double"),
        ([computer(click(64, 1))], r"x=64 lies outside .* coordinates 0 to 63 \(this and what followed"),
        ([finish(name="quit")], "there is no function 'quit'; known: finish"),
        ([finish(arguments="{")], "finish: the arguments are not valid JSON"),
        ([finish(arguments="[" * 100_000)], "finish: the arguments are not valid JSON"),
        ([finish(arguments='{"status": "done"}')], "status is 'done', but must be one of 'success'"),
        ([finish(arguments='{"status": "success", "answer": 5}')], "finish: answer is text or null"),
        ([finish(arguments='{"status": "success", "note": "x"}')], "finish: give status, and answer or null"),
        ([{"type": "web_search_call", "id": "w"}], "the reply holds 'web_search_call', an unknown tool"),
        (["words"], "the reply holds an invalid item"),
        ([computer(press("x"), call_id=None)], "a computer_call has no call_id of its own"),
        ([computer(press("x"), call="a")] * 2, "a computer_call has no call_id of its own"),
        ([computer(press("x"), status="incomplete")], "a computer_call was cut off"),
        ([computer(press("x"), pending_safety_checks=[{}])], "a pending safety check has no id"),
        ([computer(press("x"), pending_safety_checks="no")], "pending_safety_checks is not a list"),
    ],
)
def test_format_error_and_recovery(desk: Desk, items: list[Any], sentence: str) -> None:
    """What cannot be understood is told and counted; nothing of it is done, and it can be sent again."""
    played = desk.play(Said(items), NOTE, DONE, state="resend")

    counted = 0 if "refusal" in sentence else 1  # what is withheld is not counted
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", counted)
    assert played.world.performed == [Key(("n",))]
    error = steps(played)[0]["format_error"]
    assert re.search(sentence, error)
    assert error in api.words(desk.requests[1])


@pytest.mark.parametrize(
    ("item", "reason"), [(think(), "max_output_tokens"), (computer(press("x"), status="incomplete"), ["odd"])]
)
def test_cut_reply_starts_over(desk: Desk, item: Item, reason: Any) -> None:
    """After a reply that was cut off there is nothing to answer: a new conversation begins where things stand."""
    cut = {"status": "incomplete", "incomplete_details": {"reason": reason}}
    played = desk.play(NOTE, Said([item], cut), DONE)

    third = desk.requests[2]
    assert played.last.outcome == "success"
    assert played.world.performed == [Key(("n",))]
    assert "previous_response_id" not in third
    assert "Task: " in api.words(third)
    assert 'the last actions you called were:\n{"type": "keypress", "keys": ["n"]}' in api.words(third)
    assert "the reply was cut off" in api.words(third)


# Safety checks


def test_denied_checks_are_named(desk: Desk) -> None:
    """The episode that a check ended says which it was."""
    played = desk.play(Said([computer(press("n"), checks=[CHECK])]))
    assert steps(played)[0]["actions"][0]["reason"] == (
        "OpenAI asked for a confirmation, which was denied: malicious_instructions: The page gives orders."
    )


@pytest.mark.parametrize("state", ["server", "resend"])
def test_safety_acknowledged(desk: Desk, state: str) -> None:
    """Acknowledged checks are sent back as they came, of every call, and are recorded."""
    other = {"id": "cu_sc_2", "code": None, "message": None}
    turn = Said([computer(press("n"), checks=[CHECK, other]), computer(press("l"))])
    played = desk.play(turn, DONE, safety="ack", state=state)

    answers = [item for item in desk.requests[1]["input"] if item.get("type") == "computer_call_output"]
    assert played.last.outcome == "success"
    assert answers[0]["acknowledged_safety_checks"] == [CHECK, other]
    assert "acknowledged_safety_checks" not in answers[1]
    assert [check["id"] for check in steps(played)[0]["raw"]["safety_checks"]] == ["cu_sc_1", "cu_sc_2"]
    assert steps(played)[1]["raw"]["safety_checks"] == []


def test_acknowledged_though_not_understood(desk: Desk) -> None:
    """A check is acknowledged also where its call was not understood; the server would not go on without."""
    turn = Said([computer(click(999, 1)), computer(press("x"), checks=[CHECK])])
    assert desk.play(turn, NOTE, DONE, safety="ack").last.outcome == "success"


@pytest.mark.parametrize(("line", "questions"), [("yes\n", 2), ("no\n", 1)])
def test_each_check_is_asked(desk: Desk, line: str, questions: int) -> None:
    """A person is asked once for each check until one is denied, without control of the terminal."""
    asked: list[str] = []
    turn = Said([computer(press("n"), checks=[CHECK | {"message": "Bad \x1b[2Jpage"}, CHECK])])
    desk.play(turn, DONE, safety="ask", ask=lambda question: asked.append(question) or line)

    assert len(asked) == questions
    words = "OpenAI asks for a confirmation of what openai does (malicious_instructions: Bad  [2Jpage)"
    assert words in asked[0]


# The conversation sent again


def test_resent_history(desk: Desk) -> None:
    """Nothing is stored; the newest screenshots are sent, and turns before them become words."""
    turns = [Said([think(), computer({"type": "wait"}, call=f"c{number}")]) for number in range(5)]
    desk.play(*turns, DONE, state="resend", history=2)

    requests = desk.requests
    assert all(body["store"] is False and "previous_response_id" not in body for body in requests)
    assert all("Task: " in api.words(body) for body in requests)
    kinds = [item.get("type", item.get("role")) for item in requests[4]["input"]]
    turn = ["reasoning", "computer_call", "computer_call_output"]
    assert kinds == ["user", *turn, *turn]
    called = [item["call_id"] for item in requests[4]["input"] if item.get("type") == "computer_call"]
    assert called == ["c2", "c3"]
    assert api.words(requests[4]).count('{"type": "wait"}') == 2
    assert requests[1]["input"][1]["encrypted_content"]


def test_reasoning_is_not_recorded(desk: Desk) -> None:
    """The record keeps a reply without encrypted reasoning."""
    assert "gAAAA" not in records(desk.play(NOTE, DONE, state="resend"))


# Faults


FAILED = {"status": "failed", "error": {"code": "server_error", "message": "oops"}}
FLAGGED = {"status": "failed", "error": {"code": "invalid_prompt", "message": "flagged"}}
EMPTY, GONE = "insufficient_quota", "previous_response_not_found"


@pytest.mark.parametrize("failed", [FAILED, {"output": None}])
def test_failed_response_and_recovery(desk: Desk, failed: Item) -> None:
    """A response that failed is asked for again, and is paid."""
    played = desk.play(NOTE, Said([], failed), DONE)

    assert played.last.outcome == "success"
    assert desk.requests[1] == desk.requests[2]
    assert played.last.usage.tokens_in == 3000


def test_retry_after_in_milliseconds(desk: Desk) -> None:
    """The finer header of OpenAI's counts."""
    desk.play(Fault(429, headers={"retry-after-ms": "250"}), DONE)
    assert desk.slept == [0.25]


@pytest.mark.parametrize(
    ("fault", "sentence", "tokens", "outcome"),
    [
        (Fault(429, "No money.", EMPTY), "(No money.); check plan and billing", 1000, "provider_error"),
        (
            Fault(400, "Gone.", GONE, "previous_response_id"),
            '(Gone.); set state = "resend" in the',
            1000,
            "provider_error",
        ),
        (Said([], FLAGGED), "gave up on a reply (invalid_prompt: flagged)", 2000, "gave_up"),
    ],
)
def test_fault_for_good(desk: Desk, fault: Fault | Said, sentence: str, tokens: int, outcome: str) -> None:
    """What will not pass is explained in a sentence; neither the call nor the attempt is tried again.

    What is refused to the account stops the run; what is refused to a later request alone is graded.
    """
    played = desk.play(NOTE, fault, attempts=3)

    error = str(played.last.error)
    assert played.last.outcome == outcome
    assert error.startswith("the server at 127.0.0.1:")
    assert sentence in error
    assert (len(desk.requests), len(played.attempts), desk.slept) == (2, 1, [])
    assert (played.stopped is not None) == ("billing" in sentence)
    assert played.last.usage.tokens_in == tokens


def test_a_password_in_the_address_is_not_told(desk: Desk) -> None:
    """A server that cannot be reached is named by its host alone."""
    last = desk.play(DONE, url="http://user:secret@127.0.0.1:9/v1", deadline=1).last
    assert "cannot connect to the server at 127.0.0.1:9 (ConnectError: " in str(last.error)
    assert "secret" not in str(last.error)


def test_asked_before_its_start(desk: Desk) -> None:
    """An agent that was not started has no connection, and says so."""
    agent = desk.agent()
    agent.briefing = BRIEFING
    with pytest.raises(ProviderFailure, match="openai was called before its start"):
        asyncio.run(agent.decide(LOOK))


# Profiles


@pytest.mark.parametrize(
    ("model", "tool"),
    [
        ("computer-use-preview", "computer_use_preview"),
        ("computer-use-preview-2025-03-11", "computer_use_preview"),
        ("gpt-5.4", "computer"),
        ("gpt-5.4-mini-2026-03-17", "computer"),
        ("gpt-5.10", "computer"),
        ("gpt-6-astra", "computer"),
        ("gpt-6.2-astra-law", "computer"),
        ("gpt-5.4-nano", None),
        ("gpt-6-chat-latest", None),
        ("gpt-5", None),
        ("gpt-5.3", None),
        ("gpt-5-2025-08-07", None),
        ("gpt-4o", None),
        ("my-gpt-5.4", None),
    ],
)
def test_tool_of_a_model(model: str, tool: str | None) -> None:
    """A model's whole name says which tool it takes; where it does not, the sentence says what to add."""
    profile = Profile(adapter="openai", name="mine", model=model)
    if tool is not None:
        assert adapter.tool_of(profile) == tool
    else:
        with pytest.raises(
            SettingError, match=f"'mine': no computer tool is known for the model '{model}'; if it has"
        ):
            adapter.tool_of(profile)


def test_tool_by_option(desk: Desk) -> None:
    """A deployment by another name is told its tool; the server judges whether it fits."""
    assert desk.play(DONE, model="gpt-4o", tool="computer").last.outcome == "provider_error"
    assert desk.refused == ["Tool 'computer' is not supported with gpt-4o."]
    desk.line.server.refused.clear()


def test_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """The profile that is shipped makes an agent, and its model takes the new tool."""
    monkeypatch.setenv("OPENAI_API_KEY", api.KEY)
    profile = load_profile("openai", Path("."))
    assert adapter.OpenAIAgent(profile).model == MODEL
    assert (profile.extra, profile.key, adapter.tool_of(profile)) == ("openai", "OPENAI_API_KEY", "computer")


def test_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing key is named, with what to type."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(
        SettingError, match="reads its key from OPENAI_API_KEY, which is not set; type: export OPENAI_"
    ):
        adapter.OpenAIAgent(Profile(adapter="openai", name="openai", model=MODEL))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"tool": "mouse"}, "options.tool: input should be 'computer' or 'computer_use_preview'"),
        ({"state": "both"}, "options.state: input should be 'server' or 'resend'"),
    ],
)
def test_wrong_options(desk: Desk, options: dict[str, Any], sentence: str) -> None:
    """A wrong option is named before anything is played."""
    with pytest.raises(SettingError, match=sentence):
        desk.agent(**options)


# Actions

SPACE = CoordinateSpace.native(Size(640, 480))
TWICE = {"type": "double_click", "x": 5, "y": 6}
DRAG = {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}]}
HALF = CoordinateSpace.image(Size(640, 480), Size(320, 240))


def scroll(x: Any, y: Any) -> Item:
    """Return the action that scrolls by pixels."""
    return {"type": "scroll", "x": 5, "y": 6, "scroll_x": x, "scroll_y": y}


@pytest.mark.parametrize(
    ("action", "means"),
    [
        (click(5, 6), [Click(5, 6)]),
        (click(5, 6, button="wheel"), [Click(5, 6, "middle")]),
        (click(5, 6, button="right", keys=None), [Click(5, 6, "right")]),
        (click(5, 6, button="back"), [Click(5, 6, "back")]),
        (click(5, 6, button="forward"), [Click(5, 6, "forward")]),
        (click(5, 6, keys=["CTRL", "SHIFT"]), [Click(5, 6, modifiers=("ctrl", "shift"))]),
        (TWICE, [Click(5, 6, count=2)]),
        (TWICE | {"keys": ["ALT"]}, [Click(5, 6, count=2, modifiers=("alt",))]),
        (DRAG | {"keys": ["SHIFT"]}, [Drag(((1, 2), (3, 4), (5, 6)), modifiers=("shift",))]),
        (press("CTRL", "A"), [Key(("ctrl", "a"))]),
        (press("CTRL", "SHIFT", "T"), [Key(("ctrl", "shift", "t"))]),
        (press("ctrl+a"), [Key(("ctrl", "a"))]),
        (press("SHIFT", "A"), [Key(("shift", "A"))]),
        (press("A"), [Key(("A",))]),
        (press("+"), [Key(("+",))]),
        (press("ARROWLEFT"), [Key(("left",))]),
        (press("ESC"), [Key(("escape",))]),
        (press("ENTER"), [Key(("enter",))]),
        (press("PAGE_DOWN"), [Key(("pagedown",))]),
        (press("CMD", "SPACE"), [Key(("meta", "space"))]),
        (press("F5"), [Key(("f5",))]),
        ({"type": "move", "x": 5, "y": 6}, [Move(5, 6)]),
        (
            {"type": "move", "x": 5, "y": 6, "keys": ["SHIFT", "CTRL"]},
            [KeyDown("shift"), KeyDown("ctrl"), Move(5, 6), KeyUp("ctrl"), KeyUp("shift")],
        ),
        ({"type": "screenshot"}, [Screenshot()]),
        (scroll(0, 120), [Scroll(5, 6, dy=1)]),
        (scroll(0, 121), [Scroll(5, 6, dy=2)]),
        (scroll(0, 1), [Scroll(5, 6, dy=1)]),
        (scroll(0, -1), [Scroll(5, 6, dy=-1)]),
        (scroll(-240, -500), [Scroll(5, 6, dx=-2, dy=-5)]),
        (scroll(0, 100) | {"keys": ["CTRL"]}, [Scroll(5, 6, dy=1, modifiers=("ctrl",))]),
        ({"type": "type", "text": "für 5 µg\n"}, [Type("für 5 µg\n")]),
        ({"type": "wait"}, [Wait(2.0)]),
    ],
)
def test_action(action: Item, means: list[Action]) -> None:
    """Each of OpenAI's actions means what a person would do."""
    assert list(read_action(action, SPACE)) == means


def test_action_on_a_smaller_picture() -> None:
    """Whole pixels of a smaller picture mean their middle on the screen."""
    path = {"type": "drag", "path": [{"x": 0, "y": 0}, {"x": 319, "y": 239}]}
    assert read_action(click(10, 20), HALF) == (Click(21, 41),)
    assert read_action(path, HALF) == (Drag(((1, 1), (639, 479))),)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("click", "an action is an object with a type"),
        ({}, "unknown action None"),
        ({"type": ["click"]}, "unknown action"),
        ({"type": "click", "x": 1, "y": 1}, "click lacks button"),
        ({"type": "click", "button": "left"}, "click lacks x, y"),
        (
            click(1, 1, button="middle"),
            "button is 'middle', but must be one of left, right, wheel, back, for",
        ),
        (click(1, 1, button=["left"]), "click: button is"),
        (click(1, 1, count=3), "click takes no count"),
        (click("one", 1), "x=one lies outside"),
        (click(True, 1), "x=True lies outside"),
        (click(-1, 1), "x=-1 lies outside"),
        (click(1, float("nan")), "y=nan lies outside"),
        (click(1, 10**400), "y=1000"),
        (click(1, 1, keys=["A"]), r"click: \['A'\] cannot be held"),
        (click(1, 1, keys="CTRL"), "click: keys must be a list"),
        (click(1, 1, keys=["BOGUS"]), "unknown key 'BOGUS'"),
        ({"type": "drag", "path": [{"x": 1, "y": 1}]}, "drag: path has 1 points"),
        ({"type": "drag", "path": [[1, 1], [2, 2]]}, "drag: path must be a list of objects with x and y"),
        ({"type": "drag", "path": "here"}, "drag: path must be"),
        (press(), "key: give 1 to 6 keys, not 0"),
        (press("CTRL", "BOGUS"), "unknown key 'BOGUS'"),
        (press(""), "is not a key chord"),
        ({"type": "keypress", "keys": [5]}, "keypress: keys must be a list of names"),
        (scroll(0, 0), "scroll: scroll_x and scroll_y are both 0"),
        (scroll(0, 12_001), "is not 1 to 100 notches"),
        (scroll(0, "far"), "scroll: scroll_y is 'far', but must be a number of pixels"),
        (scroll(0, float("inf")), "scroll: scroll_y is inf"),
        (scroll(0, True), "scroll: scroll_y is True"),
        ({"type": "type", "text": 5}, "type: text is 5, but must be text"),
        ({"type": "type"}, "type lacks text"),
        ({"type": "type", "text": "x" * 20_001}, "at most 20000"),
        ({"type": "wait", "seconds": 5}, "wait takes no seconds"),
    ],
)
def test_malformed_action(action: Any, sentence: str) -> None:
    """What is unknown, missing, too much or of the wrong kind is refused with a sentence, never guessed."""
    with pytest.raises(ActionError, match=sentence):
        read_action(action, SPACE)


FIELDS = ("button", "x", "y", "keys", "path", "scroll_x", "scroll_y", "text")
PARTS = ("content", "summary", "call_id", "actions", "action", "arguments", "name", "pending_safety_checks")
KINDS = ("click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait")


BUSY = settings(  # a busy machine is no failure
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow]
)
LIKELY = st.sampled_from(
    [0, 10, 40.5, 63, "left", "wheel", ["CTRL", "A"], [{"x": 1, "y": 2}] * 2, 120, "Ada"]
)
CALLED = st.fixed_dictionaries(
    {
        "type": st.just("computer_call"),
        "call_id": st.text(min_size=1, max_size=3),
        "actions": st.lists(
            st.sampled_from([click(1, 2), press("n"), {"type": "wait"}]) | ANYTHING, max_size=3
        ),
    }
)


@BUSY
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), LIKELY | ANYTHING, max_size=4))
def test_hostile_actions(kind: str, fields: Item) -> None:
    """Whatever stands in an action, it is read or refused, and nothing else breaks."""
    actions = tried("openai action", lambda: read_action({"type": kind, **fields}, SPACE))

    assert all(isinstance(action, Action) for action in actions or ())


@BUSY
@given(
    st.lists(
        CALLED
        | ANYTHING
        | st.fixed_dictionaries(
            {"type": st.sampled_from(["message", "reasoning", "computer_call", "function_call"]) | ANYTHING},
            optional=dict.fromkeys(PARTS, ANYTHING),
        ),
        max_size=3,
    )
)
def test_hostile_replies(output: list[Any]) -> None:
    """Whatever stands in a reply, it is read or has a problem, and it can be recorded."""
    reply = Reply({"id": "resp_1", "status": "completed", "output": output})

    json.dumps(reply.record()).encode()
    assert isinstance(reply.thought, str)
    assert all(isinstance(line, str) for line in reply.called)
    if reply.problem or not reply.calls:
        note("openai reply", understood=False)
    for call in reply.calls:
        actions = tried("openai reply", lambda call=call: list(call.actions(SPACE, {})))
        assert all(isinstance(action, Action) for action in actions or ())


# The server is as strict as the real one

PIXEL = blank_png(Size(4, 4))
IMAGE = api.data_url(PIXEL)
TOOLS: list[Item] = [{"type": "computer"}]
OLD_TOOLS: list[Item] = [
    {"type": "computer_use_preview", "display_width": 4, "display_height": 4, "environment": "browser"}
]
SHOT = {"type": "computer_screenshot", "image_url": IMAGE}


def answer(call: str = "c1", output: Item = SHOT, checks: tuple[Item, ...] = (CHECK,)) -> Item:
    """Return the answer to a computer call."""
    return {
        "type": "computer_call_output",
        "call_id": call,
        "output": output,
        "acknowledged_safety_checks": list(checks),
    }


def ask(text: str = "go") -> Item:
    """Return a message."""
    return {"role": "user", "content": [{"type": "input_text", "text": text}]}


def shot(**changes: Any) -> Item:
    """Return what is new in a second request: the answer to the call, with something of its picture changed."""
    return {"input": [answer(output=SHOT | changes)]}


OLD = {"input": [answer()], "model": PREVIEW}
SIZED = [{"type": "computer", "display_width": 4}]


REFUSED: list[tuple[dict[str, Any], str]] = [
    (
        {"input": [answer()], "tools": OLD_TOOLS, "truncation": "auto"},
        "'computer_use_preview' is not supp",
    ),
    (OLD, "Tool 'computer' is not supported with computer-use-preview."),
    (OLD | {"tools": OLD_TOOLS}, "requires 'truncation' to be set to 'auto'"),
    ({"input": [answer()], "tools": SIZED}, r"Unknown parameter: 'tools\[0\]"),
    ({"input": [answer()], "model": "gpt-99"}, "The requested model 'gpt-99' does not exist."),
    ({"input": [answer()], "extra_body": {"stop": "x"}}, "Unknown parameter: 'stop'."),
    ({"input": [ask()]}, "No tool output found for computer call c1."),
    ({"input": [answer("c2")]}, "No tool call found for computer call output with call_id c2."),
    ({"input": [answer(), answer()]}, "No tool call found for computer call output with call_id c1."),
    ({"input": [answer()], "previous_response_id": "resp_x"}, "response with id 'resp_x' not found."),
    ({"input": [answer(checks=())]}, r"unacknowledged safety check for \['cu_sc_1'\]"),
    ({"input": [answer(output={"type": "computer_screenshot"})]}, "Missing required parameter"),
    (shot(type="input_image"), "Invalid value: 'input_image'"),
    (shot(error="no"), "Unknown parameter"),
    (shot(detail="sharp"), "Invalid value: 'sharp'"),
    (shot(image_url="data:image/png;base64,AAAA"), "not represent a valid image"),
    (shot(image_url=IMAGE.replace("png", "jpeg")), "The image is data:image/png"),
    (shot(image_url=IMAGE.replace("png", "bmp")), "unsupported image"),
]


def test_server_refuses(desk: Desk) -> None:
    """What the real API refuses, this one refuses, as the SDK's error of a bad request."""
    usual: dict[str, Any] = {"model": MODEL, "tools": TOOLS}
    with openai.OpenAI(api_key=api.KEY, base_url=desk.line.url, max_retries=0) as client:
        desk.answer(Said([computer(press("a"), call="c1", checks=[CHECK])]), DONE)
        first = client.responses.create(**usual, input=[ask()])
        for second, sentence in REFUSED:
            with pytest.raises(openai.BadRequestError, match=sentence):
                client.responses.create(**usual | {"previous_response_id": first.id} | second)
    desk.line.server.refused.clear()
