"""What is particular to Gemini as a player: its two sets of functions, signatures, Vertex AI, Google's own words.

What is true of every maker's model stands in `test_provider_contract`.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import random
import string
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lazily import lazily
from PIL import Image
from small_world import ROWS, make_world, react

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.gemini.calls import Functions
from pytest_cuabench.agents.makers.gemini.models import set_of
from pytest_cuabench.agents.profile import Profile, known_profiles, load_profile
from pytest_cuabench.errors import ActionError, EnvironmentFailure, SettingError
from pytest_cuabench.task.action import (
    Action,
    Answer,
    Back,
    Click,
    CoordinateSpace,
    Drag,
    Forward,
    Key,
    KeyDown,
    KeyUp,
    MouseDown,
    MouseUp,
    Move,
    Navigate,
    Point,
    Screenshot,
    Scroll,
    Size,
    Terminate,
    Type,
    Wait,
)
from pytest_cuabench.task.observation import ActionResult, Box, Node, Observation
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .desk import Desk, steps
from .servers.gemini import (
    CURRENT,
    KEY,
    LEGACY,
    MOVING,
    PREDEFINED,
    TOKEN,
    USED,
    WITHOUT,
    Fault,
    blocked,
    call,
    decoded,
    finish,
    reply,
    says,
    thinks,
)
from .speakers import GEMINIS
from .speaking import Speaker
from .tally import ANYTHING, tried

adapter = lazily("pytest_cuabench.agents.makers.gemini.agent")

NOTE = call("press_key", key="n", intent="note that Ada was seen")
LEGACY_NOTE = call("key_combination", keys="n")
NOWHERE = call("move", x=500, y=500)
DONE = finish()
ASKS = {"decision": "require_confirmation", "explanation": "This changes a record."}
BLOCKS = {"decision": "blocked", "explanation": "This is not allowed."}
BROWSER = ("pointer", "keyboard", "browser")
BRIEFING = Briefing("do it", "screenshot", Size(64, 48), (), 5)


@pytest.fixture
def desk(seated: Callable[[Speaker], Desk]) -> Iterator[Desk]:
    """The desk with Gemini; nothing may be refused by the server that a test does not expect to be."""
    seat = seated(GEMINIS[0])
    yield seat
    assert seat.refused == []


def surfing() -> FakeEnvironment:
    """Return the desk in a browser."""
    world = make_world()
    world.capabilities = BROWSER
    return world


def answers(desk: Desk, number: int) -> list[dict[str, Any]]:
    """Return the function responses at the end of a request."""
    parts = desk.requests[number]["contents"][-1]["parts"]
    return [part["functionResponse"] for part in parts]


def tool(desk: Desk) -> dict[str, Any]:
    """Return the ComputerUse tool of the last request."""
    found: dict[str, Any] = desk.requests[-1]["tools"][0]["computerUse"]
    return found


# Whole episodes


def test_address_of_a_model(desk: Desk) -> None:
    """The model stands in the address, and the key in a header."""
    desk.play(reply(NOTE), reply(DONE))
    assert desk.line.server.paths[0] == "/v1beta/models/gemini-3.5-flash:generateContent"
    assert set(desk.line.server.keys) == {KEY}


def test_giving_up(desk: Desk) -> None:
    """A status other than success ends the episode as what it says, with what is said as the reason."""
    played = desk.play(reply(finish("infeasible", answer="the button is gone")))
    assert played.last.outcome == "infeasible_declared"
    assert steps(played)[0]["actions"][0]["reason"] == "the button is gone"


def test_first_message(desk: Desk) -> None:
    """The task comes with the first screenshot before it, and the instructions as instructions."""
    desk.play(reply(DONE))

    [message] = desk.requests[0]["contents"]
    assert [next(iter(part)) for part in message["parts"]] == ["inlineData", "text"]
    assert message["parts"][1]["text"].endswith("Note that Ada was seen.")
    instructions = desk.requests[0]["systemInstruction"]["parts"][0]["text"]
    assert "64x48" in instructions
    assert "finish" in instructions


def test_several_calls_a_turn(desk: Desk) -> None:
    """All calls of a turn are answered in order, by name and id, each with a screenshot."""
    played = desk.play(reply(call("click", x=0, y=999), NOWHERE, NOTE), reply(DONE))

    assert played.world.performed[:2] == [Click(0, 47), Move(32, 24)]
    named = [(one["name"], one["id"]) for one in answers(desk, 1)]
    assert named == [("click", "call-1"), ("move", "call-2"), ("press_key", "call-3")]
    assert all(one["parts"][0]["inlineData"]["mimeType"] == "image/png" for one in answers(desk, 1))


def test_no_address_is_told(desk: Desk) -> None:
    """The address of the page is a constant, because an agent sees no address bar."""
    desk.play(reply(NOTE), reply(NOWHERE), reply(DONE), world=surfing())
    assert [one["response"] for number in (1, 2) for one in answers(desk, number)] == [{"url": ""}] * 2


def test_call_of_several_actions_fails_at_the_first(desk: Desk) -> None:
    """An action that fails is the error of its own call; the calls after it are answered as not carried out."""

    class Losing(FakeEnvironment):
        async def observe(self, kind: Any) -> Observation:
            self.capabilities = BROWSER[:2]
            return await super().observe(kind)

    world = Losing(ROWS, react)
    world.capabilities = BROWSER
    played = desk.play(reply(NOWHERE, call("navigate", url="x"), NOTE), reply(NOTE), reply(DONE), world=world)

    errors = [one["response"].get("error", "") for one in answers(desk, 1)]
    assert errors[0] == ""
    assert "not available" in errors[1]
    assert "before it failed" in errors[2]
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 0)


def test_a_look_within_a_turn_is_shown(desk: Desk) -> None:
    """A screenshot asked for between other calls is the one that was taken then."""
    red = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(red, "PNG")

    class Seeing(FakeEnvironment):
        async def perform(self, action: Action) -> ActionResult:
            result = await super().perform(action)
            return ActionResult(image=red.getvalue()) if isinstance(action, Screenshot) else result

    desk.play(reply(call("take_screenshot"), NOTE), reply(DONE), world=Seeing(ROWS, react))

    first, second = (decoded(one["parts"][0]["inlineData"]["data"]) for one in answers(desk, 1))
    assert (first, second) == (red.getvalue(), blank_png(Size(64, 48)))


def test_texts_come_with_the_last_answer(desk: Desk) -> None:
    """What the world says beside the picture is told once, with the last answer of the turn."""

    class Talking(FakeEnvironment):
        async def observe(self, kind: Any) -> Observation:
            return Observation(self.screen, blank_png(self.screen), notices=("A dialog closed.",))

    desk.play(reply(NOWHERE, NOTE), reply(DONE), world=Talking(ROWS, react))

    assert [one["response"].get("output") for one in answers(desk, 1)] == [None, "A dialog closed."]


# What is not understood


@pytest.mark.parametrize(
    ("bad", "words"), [(call("teleport"), "no such function"), (call(""), "a call without a name")]
)
def test_bad_call_then_recovery(desk: Desk, bad: dict[str, Any], words: str) -> None:
    """A bad call is told to the model with its fault, the calls before it are done, those after it are not."""
    played = desk.play(reply(NOWHERE, bad, call("press_key", key="x")), reply(NOTE), reply(DONE))

    assert (played.last.outcome, played.last.counts.format_errors) == ("success", 1)
    assert steps(played)[0]["actions"] == [Move(32, 24).to_json()]
    done, told = answers(desk, 1)
    assert "error" not in done["response"]
    assert words in told["response"]["error"]
    assert "not understood" in told["response"]["output"]


@pytest.mark.parametrize(
    ("nothing", "words"),
    [
        (reply(says("")), "it is empty"),
        (reply(thinks("Hm.")), "it is empty"),
        ({}, "it is empty"),
        ({"candidates": []}, "it is empty"),
        (reply(reason="MAX_TOKENS"), "cut off before"),
        (reply(reason="SAFETY"), "refused (SAFETY)"),
        (reply(says("I cannot"), reason="PROHIBITED_CONTENT", finishMessage="No."), "refused (PROHIBITED_"),
        (reply(NOTE, reason="RECITATION"), "refused (RECITATION)"),
        (blocked(), "refused (PROHIBITED_CONTENT)"),
    ],
)
def test_no_call_then_recovery(desk: Desk, nothing: dict[str, Any], words: str) -> None:
    """A reply without a call to follow, in whatever shape, is told to the model as what it is, and can be mended."""
    played = desk.play(reply(NOWHERE), nothing, reply(NOTE), reply(DONE))

    counted = 0 if words.startswith("refused") else 1  # what Google withholds is not counted
    assert (played.last.outcome, played.last.counts.format_errors) == ("success", counted)
    assert steps(played)[1]["actions"] == []
    assert words in desk.requests[2]["contents"][-1]["parts"][1]["text"]
    assert [content["role"] for content in desk.requests[2]["contents"]] == ["user", "model"] * 2 + ["user"]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"])
def test_malformed_call_is_asked_for_again(desk: Desk, reason: str) -> None:
    """A call that Google itself cannot read is no turn: it is asked for again, and all tries are paid."""
    played = desk.play(reply(reason=reason), reply(NOTE), reply(DONE))

    assert (played.last.outcome, played.last.steps, played.last.counts.format_errors) == ("success", 2, 0)
    assert played.last.usage.tokens_in == 3 * USED["promptTokenCount"]
    assert desk.requests[0] == desk.requests[1]


def test_malformed_call_again_and_again(desk: Desk) -> None:
    """After some malformed calls in a row it is a format error, which can still be mended."""
    broken = reply(reason="MALFORMED_FUNCTION_CALL")
    played = desk.play(*[broken] * adapter.MALFORMED_TRIES, reply(NOTE), reply(DONE))

    assert (played.last.outcome, played.last.steps, played.last.counts.format_errors) == ("success", 3, 1)
    assert "malformed (MALFORMED_FUNCTION_CALL)" in steps(played)[0]["format_error"]


@pytest.mark.parametrize("reason", ["MISSING_THOUGHT_SIGNATURE", "PUP_LIMITED_DISABLED"])
def test_ends_that_are_not_the_models(desk: Desk, reason: str) -> None:
    """A reply that ends because of the client or the account is no failure of the model."""
    last = desk.play(reply(reason=reason)).last

    assert last.outcome == "provider_error"
    assert reason in str(last.error)
    assert last.usage.tokens_in == USED["promptTokenCount"]


# What the server refuses, and what breaks


@pytest.mark.parametrize("kind", ["odd", "foreign", "number"])
def test_json_that_is_no_reply(desk: Desk, kind: str) -> None:
    """A reply that is JSON of another shape is asked for again, until the deadline."""
    desk.play(reply(NOTE), Fault(kind=kind), reply(DONE))
    assert len(desk.slept) == 1
    last = desk.play(Fault(kind=kind), deadline=2).last
    assert "sent an invalid reply" in str(last.error)


def test_retry_after_in_a_header(desk: Desk) -> None:
    """Google says in the body how long to wait; a header counts as well."""
    desk.play(Fault(429, headers={"Retry-After": "7.5"}), reply(DONE))
    assert desk.slept == [7.5]


def test_usage_within_a_decision_that_dies(desk: Desk) -> None:
    """What a malformed reply cost is kept when the try after it is refused."""
    last = desk.play(reply(reason="MALFORMED_FUNCTION_CALL"), Fault(400)).last

    assert last.outcome == "gave_up"
    assert last.usage.tokens_out == 50


def test_no_key() -> None:
    """A profile without a key is refused, and the sentence says how to name one."""
    agent = adapter.GeminiAgent(Profile(adapter="gemini", name="gem", model="gemini-3.5-flash"))
    with pytest.raises(SettingError, match='key = "GEMINI_API_KEY"'):
        asyncio.run(agent.start(BRIEFING))


def test_a_model_without_the_tool(desk: Desk) -> None:
    """A model that cannot use computers is told apart by the server, and not tried twice."""
    played = desk.play(model=WITHOUT[0], functions="current")

    assert "Computer Use is not enabled" in str(played.last.error)
    assert len(desk.refused) == 1
    desk.line.server.refusals.clear()


# The server itself


def _good() -> dict[str, Any]:
    """Return a request that the server takes, after one call of `click`."""
    png = base64.b64encode(blank_png(Size(4, 4))).decode()
    picture = {"inlineData": {"mimeType": "image/png", "data": png}}
    answer = {"name": "click", "id": "call-1", "response": {"url": ""}, "parts": [picture]}
    return {
        "contents": [
            {"role": "user", "parts": [picture, {"text": "Go."}]},
            {"role": "model", "parts": [{"functionCall": {"name": "click", "id": "call-1", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": answer}]},
        ],
        "tools": [{"computerUse": {"environment": "ENVIRONMENT_BROWSER"}}],
    }


def _answer(body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = _parts(body)[0]["functionResponse"]
    return answer


def _parts(body: dict[str, Any], place: int = 2) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = body["contents"][place]["parts"]
    return parts


def _asked(body: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = _parts(body, 1)[0]["functionCall"]["args"]
    return asked


def _tool(body: dict[str, Any]) -> dict[str, Any]:
    tool: dict[str, Any] = body["tools"][0]["computerUse"]
    return tool


NO_PICTURE = {"mimeType": "image/png", "data": "AAAA"}
SPOILT: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "no answer": (lambda body: body["contents"][2].update(parts=[{"text": "Go on."}]), "number of function"),
    "one answer too many": (lambda body: _parts(body).append(_parts(body)[0]), "number of function response"),
    "other name": (lambda body: _answer(body).update(name="move"), "does not match"),
    "other id": (lambda body: _answer(body).update(id="call-2"), "does not match"),
    "no screenshot": (lambda body: _answer(body).pop("parts"), "must contain a screenshot"),
    "no picture": (
        lambda body: _answer(body).update(parts=[{"inlineData": NO_PICTURE}]),
        "Unable to process",
    ),
    "no url": (lambda body: _answer(body).update(response={}), "must contain url"),
    "words among answers": (lambda body: _parts(body).insert(0, {"text": "Here:"}), "must not be mixed"),
    "words before the picture": (lambda body: _parts(body, 0).reverse(), "before the text"),
    "not acknowledged": (lambda body: _asked(body).update(safety_decision=ASKS), "must be acknowledged"),
    "two users": (lambda body: body["contents"].insert(0, body["contents"][0]), "roles alternate"),
    "begins with the model": (lambda body: body["contents"].pop(0), "roles alternate"),
    "ends with the model": (lambda body: body["contents"].pop(2), "roles alternate"),
    "wrong role": (lambda body: body["contents"][0].update(role="system"), "valid role"),
    "nothing said": (lambda body: body["contents"][0].update(parts=[]), "must not be empty"),
    "signature lost": (lambda body: _parts(body, 1)[0].pop("thoughtSignature"), "thought_signature"),
    "turn changed": (lambda body: _asked(body).update(x=7), "not valid"),
    "no tool": (lambda body: body.update(tools=[]), "computer_use tool is required"),
    "unknown field": (lambda body: body.update(tool=[]), "Cannot find field"),
    "not excluded": (
        lambda body: _tool(body).update(excludedPredefinedFunctions=["fly"]),
        "Unknown predefined",
    ),
    "no environment": (lambda body: _tool(body).clear(), "is not supported"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_server_is_strict(desk: Desk, how: str) -> None:
    """The server refuses a request that Google refuses, and takes it unspoiled."""
    asked = call("click", safety_decision=ASKS) if how == "not acknowledged" else call("click")
    desk.answer(reply(asked), reply(DONE))

    def send(body: dict[str, Any]) -> httpx2.Response:
        return post(desk, "gemini-3.5-flash:generateContent", body, {"x-goog-api-key": KEY})

    body = _good()
    issued = send({**body, "contents": body["contents"][:1]}).json()["candidates"][0]["content"]
    body["contents"][1] = issued
    spoil, words = SPOILT[how]
    spoil(body)
    refused = send(body)

    assert refused.status_code == 400
    assert refused.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert words in refused.json()["error"]["message"]
    whole = _good()
    whole["contents"][1] = issued | {"parts": json.loads(json.dumps(desk.line.server._issued[0]))}
    if how == "not acknowledged":
        _answer(whole)["response"]["safety_acknowledgement"] = "true"
    assert send(whole).status_code == 200
    desk.line.server.refusals.clear()


def post(desk: Desk, path: str, body: dict[str, Any], headers: dict[str, str]) -> httpx2.Response:
    """Send a request without the SDK."""
    url = f"{desk.line.url}/v1beta/models/{path}"
    return httpx2.post(url, json=body, headers=headers, verify=False, trust_env=False)


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("gemini-3.5-flash:generateContent", {}, 403),
        ("gemini-3.5-flash:generateContent", {"x-goog-api-key": "no"}, 400),
        ("gemini-4-none:generateContent", {"x-goog-api-key": KEY}, 404),
        ("gemini-3.5-flash:countTokens", {"x-goog-api-key": KEY}, 404),
    ],
)
def test_server_admits_nobody_else(desk: Desk, path: str, headers: dict[str, str], status: int) -> None:
    """A missing or wrong key, an unknown model or method gets Google's error."""
    answer = post(desk, path, _good(), headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, status)
    desk.line.server.refusals.clear()


# Safety


def test_a_question_ends_the_turn(desk: Desk) -> None:
    """What comes before a denied call is carried out; the question is in the record with its explanation."""
    played = desk.play(reply(NOWHERE, call("press_key", key="n", safety_decision=ASKS), NOTE))

    assert (played.last.outcome, played.last.steps) == ("gave_up", 1)
    assert played.world.performed == [Move(32, 24)]
    question = {"function": "press_key", **ASKS, "answer": "denied"}
    assert steps(played)[0]["raw"]["safety"] == [question]


def test_safety_acknowledged(desk: Desk) -> None:
    """The answer of an acknowledged call says so; answers to other calls do not."""
    desk.play(reply(call("press_key", key="n", safety_decision=ASKS), NOWHERE), reply(DONE), safety="ack")
    assert [one["response"].get("safety_acknowledgement") for one in answers(desk, 1)] == ["true", None]


@pytest.mark.parametrize(("safety", "outcome"), [("deny", "gave_up"), ("ack", "success"), ("ask", "success")])
def test_safety_blocked(desk: Desk, safety: str, outcome: str) -> None:
    """A blocked call is never carried out: it ends the episode, or the model goes on without it."""
    script = (reply(call("press_key", key="x", safety_decision=BLOCKS)), reply(NOTE), reply(DONE))
    played = desk.play(*script, safety=safety, ask=lambda question: pytest.fail(question))

    assert played.last.outcome == outcome
    assert Key(("x",)) not in played.world.performed
    if safety != "deny":
        assert played.last.counts.format_errors == 1
        assert "This is not allowed." in answers(desk, 1)[0]["response"]["error"]


@pytest.mark.parametrize(
    ("decision", "asks"),
    [
        ({"decision": "regular"}, False),
        ({"decision": "allowed"}, False),
        ({"decision": "something new"}, True),
        ({}, True),
        ("require_confirmation", True),
        ([], True),
    ],
)
def test_safety_in_doubt(desk: Desk, decision: Any, asks: bool) -> None:
    """A decision that nobody knows counts as a question."""
    played = desk.play(reply(call("press_key", key="n", safety_decision=decision)), reply(DONE))
    assert played.last.outcome == ("gave_up" if asks else "success")


def test_question_after_a_bad_call(desk: Desk) -> None:
    """A question behind a call that was not understood is not answered, and not shown to the model again."""
    turn = reply(call("teleport"), call("press_key", key="x", safety_decision=ASKS))
    assert desk.play(turn, reply(NOTE), reply(DONE), safety="ack").last.outcome == "success"
    assert len(answers(desk, 1)) == 1


def test_bad_call_with_a_question(desk: Desk) -> None:
    """A bad call whose question was answered is acknowledged as well as told wrong."""
    turn = reply(call("teleport", safety_decision=ASKS))
    assert desk.play(turn, reply(NOTE), reply(DONE), safety="ack").last.outcome == "success"
    assert answers(desk, 1)[0]["response"]["safety_acknowledgement"] == "true"


# What is sent


@pytest.mark.parametrize(
    ("model", "capabilities", "environment", "excluded"),
    [
        ("gemini-3.5-flash", BROWSER, "BROWSER", None),
        ("gemini-3.5-flash", BROWSER[:2], "DESKTOP", None),
        ("gemini-3-flash-preview", BROWSER, "BROWSER", {"search"}),
        (
            "gemini-3-flash-preview",
            BROWSER[:2],
            "BROWSER",
            {"search", "navigate", "go_back", "go_forward", "open_web_browser"},
        ),
        ("gemini-3.5-flash", BROWSER[1:], "BROWSER", PREDEFINED["current browser"] - {
            "type", "press_key", "hotkey", "key_down", "key_up", "wait", "take_screenshot",
            "navigate", "go_back", "go_forward",
        }),
    ],
)  # fmt: skip
def test_what_the_screen_cannot_do_is_excluded(
    desk: Desk, model: str, capabilities: Any, environment: str, excluded: set[str] | None
) -> None:
    """Google is told what the screen is, and which of its functions are of no use there."""
    world = make_world()
    world.capabilities = capabilities

    desk.play(reply(DONE), world=world, model=model)

    assert tool(desk)["environment"] == f"ENVIRONMENT_{environment}"
    assert set(tool(desk).get("excludedPredefinedFunctions", ())) == (excluded or set())


def test_environment_can_be_said(desk: Desk) -> None:
    """A profile may call a screen a browser that has no ability of one; its functions are excluded then."""
    played = desk.play(reply(call("go_back")), reply(DONE), environment="browser")

    assert tool(desk)["environment"] == "ENVIRONMENT_BROWSER"
    assert set(tool(desk)["excludedPredefinedFunctions"]) == {"navigate", "go_back", "go_forward"}
    assert played.last.counts.format_errors == 1


def test_options_are_sent(desk: Desk) -> None:
    """Thinking and Google's safety switches come from the profile."""
    policies = ["SENSITIVE_DATA_MODIFICATION"]
    desk.play(reply(DONE), thinking="low", injection_detection=True, disabled_safety_policies=policies)

    thinking = {"includeThoughts": True, "thinkingLevel": "LOW"}
    assert desk.requests[0]["generationConfig"]["thinkingConfig"] == thinking
    assert tool(desk)["enablePromptInjectionDetection"] is True
    assert tool(desk)["disabledSafetyPolicies"] == policies


def test_nothing_is_sent_unasked(desk: Desk) -> None:
    """Without options only a length and the wish for thoughts are sent; `finish` is the only declared function."""
    desk.play(reply(DONE))

    [request] = desk.requests
    sent = {"maxOutputTokens": 16_384, "thinkingConfig": {"includeThoughts": True}}
    assert request["generationConfig"] == sent
    [declared] = request["tools"][1]["functionDeclarations"]
    assert declared["name"] == "finish"
    assert len(request["tools"]) == 2


def test_older_pictures_leave_a_word(desk: Desk) -> None:
    """In the place of older screenshots the model reads that they are left out; the task stays."""
    desk.play(*[reply(NOWHERE, NOWHERE)] * 3, reply(NOTE), reply(DONE), history=1)

    first = desk.requests[-1]["contents"][0]
    assert "left out" in first["parts"][0]["text"]
    assert "Note that Ada was seen." in first["parts"][1]["text"]
    assert len(desk.speaker.pictures(desk.requests[-1])) == 1


def test_signatures_and_thoughts_are_replayed(desk: Desk) -> None:
    """What the model thought and signed goes back as it came, and stays out of the record."""
    played = desk.play(reply(thinks("First."), says("Then."), NOTE), reply(DONE))

    first, second, third = desk.requests[1]["contents"][1]["parts"]
    assert (first["text"], first["thought"], second["text"]) == ("First.", True, "Then.")
    assert third["thoughtSignature"]
    assert steps(played)[0]["thought"] == "First.\n\nThen."
    assert "ignature" not in json.dumps(steps(played)[0]["raw"])


def test_intents_stand_in_for_words(desk: Desk) -> None:
    """A reply without words is recorded with what its calls say they are for."""
    played = desk.play(reply(NOTE, call("wait", intent="let it settle")), reply(DONE))
    assert steps(played)[0]["thought"] == "note that Ada was seen\nlet it settle"


def test_record(desk: Desk) -> None:
    """The record holds the reply as plain data, and which spelling of an argument was used."""
    scroll = call("scroll", direction="down", magnitude_in_wheel_clicks=2)
    raw = steps(desk.play(reply(scroll, NOTE), reply(DONE)))[0]["raw"]

    assert raw["spellings"] == ["magnitude_in_wheel_clicks", "key"]
    assert raw["reply"]["candidates"][0]["finish_reason"] == "STOP"
    assert raw["reply"]["candidates"][0]["content"]["parts"][0]["function_call"]["name"] == "scroll"
    assert raw["reply"]["response_id"] == "r-1"


def test_unknown_price(desk: Desk) -> None:
    """A model whose price nobody knows has an unknown cost."""
    assert desk.play(reply(LEGACY_NOTE), reply(DONE), model=LEGACY[0]).last.usage.cost is None


def test_tool_prompt_tokens_count_as_read(desk: Desk) -> None:
    """Tokens of tool results that Google counts apart are read, too."""
    counted = reply(NOTE) | {"usageMetadata": {"toolUsePromptTokenCount": 7}}
    assert desk.play(counted, reply(DONE)).last.usage.tokens_in == 1007


# Vertex AI


@pytest.fixture
def vertex(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options of a profile on Vertex AI, where credentials take the place of the key."""
    credentials = lazily("google.oauth2.credentials").Credentials(TOKEN)
    monkeypatch.setattr("google.auth.default", lambda **_: (credentials, "another"))
    return {"project": "ours", "location": "europe-west4"}


def test_vertex(desk: Desk, vertex: dict[str, Any]) -> None:
    """On Vertex AI a project and a place stand in the address, and no key is sent."""
    assert desk.play(reply(NOTE), reply(DONE), vertex=vertex).last.outcome == "success"

    place = "/v1beta1/projects/ours/locations/europe-west4/publishers/google/models/gemini-3.5-flash"
    assert desk.line.server.paths == [f"{place}:generateContent"] * 2
    assert desk.line.server.keys == [None, None]


def test_vertex_explains(desk: Desk, vertex: dict[str, Any]) -> None:
    """What Vertex AI says about how a reply ended is told, too."""
    ended = reply(reason="SAFETY", finishMessage="Not this.")
    played = desk.play(ended, reply(NOTE), reply(DONE), vertex=vertex)

    assert steps(played)[0]["format_error"] == "it was refused (SAFETY, Not this.)"
    assert played.last.outcome == "success"


def test_vertex_without_credentials(desk: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without credentials nothing is sent, and the sentence says what to type."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nothing.json"))

    last = desk.play(reply(DONE), vertex={"project": "ours"}).last

    assert last.outcome == "provider_error"
    assert "gcloud auth application-default login" in str(last.error)
    assert desk.requests == []


# Profiles and models


def test_profile_is_shipped(tmp_path: Path) -> None:
    """`--agent=gemini` is known, names its extra and its key, and its options are allowed."""
    profile = load_profile("gemini", tmp_path)

    assert "gemini" in known_profiles(tmp_path)
    assert (profile.adapter, profile.extra, profile.key) == ("gemini", "gemini", "GEMINI_API_KEY")
    assert set_of(profile.model or "") == "current"
    adapter.GeminiAgent(profile)


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        *((model, "legacy") for model in LEGACY),
        *((model, "current") for model in CURRENT),
        ("models/gemini-3-flash-preview", "legacy"),
        ("publishers/google/models/gemini-3.5-flash", "current"),
        ("gemini-3.5-pro-preview", "current"),
        ("gemini-3.10-flash", None),
        ("gemini-4-flash", "current"),
        ("gemini-4.1-pro", "current"),
        ("gemini-11-pro", "current"),
        ("gemini-2.5-flash", None),
        ("gemini-3-pro-preview", "legacy"),
        ("gemini-flash-latest", "current"),
        ("gemini-2.0-flash", None),
        ("gemini-3.5", None),
        ("gpt-6", None),
    ],
)
def test_functions_by_model(model: str, kind: str | None) -> None:
    """The table tells which functions a model was taught; the longer name is not taken for the shorter."""
    assert set_of(model) == kind


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("gemini-2.0-flash", {}, 'functions = "current"'),
        ("gemini-3-flash-preview", {"environment": "desktop"}, "browsers only"),
        ("gemini-3.5-flash", {"environment": "mobile"}, "options.environment"),
        ("gemini-3.5-flash", {"vertex": {}}, "options.vertex.project"),
        ("gemini-3.5-flash", {"disabled_safety_policies": ["ALL"]}, "options.disabled_safety_policies"),
        ("gemini-3.5-flash", {"thinking": "hard"}, "options.thinking"),
        ("gemini-3.5-flash", {"api_key": "AIza"}, "options.api_key"),
        (None, {}, "has no model"),
    ],
)
def test_wrong_profiles(model: str | None, options: dict[str, Any], words: str) -> None:
    """A profile that cannot work is refused before anything is played, in one sentence."""
    with pytest.raises(SettingError, match=words.replace(".", r"\.")):
        adapter.GeminiAgent(Profile(adapter="gemini", name="gem", model=model, options=options))


def test_functions_can_be_said(desk: Desk) -> None:
    """A model that the table does not know plays with the functions that the profile names."""
    assert desk.play(reply(DONE), model=MOVING, functions="current").last.steps == 1


@pytest.mark.parametrize("kind", ["tree", "dom"])
def test_observations_without_a_picture(desk: Desk, kind: Any) -> None:
    """An observation that Google's tool cannot work with is refused before anything is sent."""
    with pytest.raises(SettingError, match="--cua-observation=screenshot"):
        desk.decide(reply(DONE), briefing=Briefing("do it", kind, Size(64, 48), (), 5))


def test_tree_is_on_the_models_grid(desk: Desk) -> None:
    """Places in the accessibility tree are told as the model's functions name them."""
    screen = Size(640, 480)
    node = Node("button", "Save", "", (), Box(300, 100, 40, 40), 0)
    briefing = Briefing("do it", "screenshot+tree", screen, BROWSER[:2], 5)
    seen = Observation(screen, blank_png(screen), tree=(node,))

    decision = desk.decide(reply(call("click", x=501, y=250)), seen=seen, briefing=briefing)

    text = desk.requests[0]["contents"][0]["parts"][1]["text"]
    assert 'button "Save" (500, 251)' in text
    assert decision.actions == (Click(320, 120),)
    assert "0 to 999" in desk.requests[0]["systemInstruction"]["parts"][0]["text"]


def test_no_screenshot(desk: Desk) -> None:
    """A world that shows no picture is broken, and nothing is sent."""
    with pytest.raises(EnvironmentFailure, match="needs a screenshot"):
        desk.decide(reply(DONE), seen=Observation(Size(64, 48)), briefing=BRIEFING)
    assert desk.requests == []


# What functions mean

SCREEN = Size(1000, 1200)


def read(kind: Any, name: str, image: Size = SCREEN, **args: Any) -> tuple[list[Action], list[str]]:
    """Read one call on a browser's screen."""
    functions = Functions(kind, BROWSER, CoordinateSpace.normalised(SCREEN, 999), image)
    return functions.read(name, args)


CLEAR = [Key(("ctrl", "a")), Key(("delete",))]
ENTER = Key(("enter",))
AT = Click(10, 24)


@pytest.mark.parametrize(
    ("name", "args", "actions"),
    [
        ("open_web_browser", {}, [Screenshot()]),
        ("wait_5_seconds", {}, [Wait(5)]),
        ("go_back", {}, [Back()]),
        ("go_forward", {}, [Forward()]),
        ("navigate", {"url": "http://x/"}, [Navigate("http://x/")]),
        ("click_at", {"x": 10, "y": 20}, [AT]),
        ("hover_at", {"x": 10, "y": 20}, [Move(10, 24)]),
        ("type_text_at", {"x": 10, "y": 20, "text": "ä"}, [AT, *CLEAR, Type("ä"), ENTER]),
        ("type_text_at", {"x": 10, "y": 20, "text": "ä", "press_enter": False}, [AT, *CLEAR, Type("ä")]),
        ("type_text_at", {"x": 10, "y": 20, "text": "ä", "clear_before_typing": False}, [AT, Type("ä"), ENTER]),
        ("type_text_at", {"x": 10, "y": 20, "text": "", "press_enter": None}, [AT, *CLEAR, ENTER]),
        ("key_combination", {"keys": "Control+Shift+T"}, [Key(("ctrl", "shift", "T"))]),
        ("key_combination", {"keys": "enter"}, [ENTER]),
        ("scroll_document", {"direction": "down"}, [Key(("pagedown",))]),
        ("scroll_document", {"direction": "up"}, [Key(("pageup",))]),
        ("scroll_document", {"direction": "left"}, [Scroll(dx=-4)]),
        ("scroll_document", {"direction": "right"}, [Scroll(dx=4)]),
        ("scroll_at", {"x": 10, "y": 20, "direction": "down"}, [Scroll(10, 24, dy=8)]),
        ("scroll_at", {"x": 10, "y": 20, "direction": "up", "magnitude": 100}, [Scroll(10, 24, dy=-1)]),
        ("scroll_at", {"x": 10, "y": 20, "direction": "left", "magnitude": 600}, [Scroll(10, 24, dx=-5)]),
        ("drag_and_drop", {"x": 10, "y": 20, "destination_x": 0, "destination_y": 999}, [Drag(((10, 24), (0, 1199)))]),
    ],
)  # fmt: skip
def test_legacy_functions(name: str, args: dict[str, Any], actions: list[Action]) -> None:
    """Each function of the older set means what Google's pages say, with their defaults."""
    assert read("legacy", name, **args)[0] == actions


@pytest.mark.parametrize(
    ("name", "args", "actions"),
    [
        ("click", {"x": 10, "y": 20, "intent": "open"}, [AT]),
        ("click", {"x": 10.0, "y": 20.9}, [Click(10, 25)]),
        ("double_click", {"x": 10, "y": 20}, [Click(10, 24, count=2)]),
        ("triple_click", {"x": 10, "y": 20}, [Click(10, 24, count=3)]),
        ("middle_click", {"x": 10, "y": 20}, [Click(10, 24, "middle")]),
        ("right_click", {"x": 10, "y": 20}, [Click(10, 24, "right")]),
        ("mouse_down", {"x": 10, "y": 20}, [MouseDown(10, 24)]),
        ("mouse_down", {}, [MouseDown()]),
        ("mouse_up", {"x": 10, "y": 20}, [MouseUp(10, 24)]),
        ("mouse_up", {}, [MouseUp()]),
        ("move", {"x": 10, "y": 20}, [Move(10, 24)]),
        ("type", {"text": "a\nb"}, [Type("a\nb")]),
        ("type", {"text": "a", "press_enter": True}, [Type("a"), ENTER]),
        ("type", {"text": "", "press_enter": True}, [ENTER]),
        ("type", {"text": "a", "x": 10, "y": 20, "clear_before_typing": True}, [AT, *CLEAR, Type("a")]),
        ("drag_and_drop", {"start_x": 10, "start_y": 20, "end_x": 0, "end_y": 0}, [Drag(((10, 24), (0, 0)))]),
        ("wait", {}, [Wait(1)]),
        ("wait", {"seconds": 2.5}, [Wait(2.5)]),
        ("press_key", {"key": "ENTER"}, [ENTER]),
        ("press_key", {"key": "+"}, [Key(("+",))]),
        ("key_down", {"key": "Shift"}, [KeyDown("shift")]),
        ("key_up", {"key": "Shift"}, [KeyUp("shift")]),
        ("hotkey", {"keys": ["CTRL", "a"]}, [Key(("ctrl", "a"))]),
        ("hotkey", {"keys": "ctrl+a"}, [Key(("ctrl", "a"))]),
        ("take_screenshot", {}, [Screenshot()]),
        ("scroll", {"direction": "down"}, [Scroll(dy=2)]),
        ("scroll", {"x": 10, "y": 20, "direction": "up", "magnitude_in_pixels": 600}, [Scroll(10, 24, dy=-5)]),
        ("scroll", {"x": 10, "y": 20, "direction": "right", "magnitude_in_wheel_clicks": 3}, [Scroll(10, 24, dx=3)]),
        ("scroll", {"x": 10, "y": 20, "direction": "down", "magnitude": 500}, [Scroll(10, 24, dy=5)]),
        ("scroll", {"x": 10, "y": 20, "direction": "down", "magnitude_in_pixels": 1}, [Scroll(10, 24, dy=1)]),
        ("navigate", {"url": "http://x/"}, [Navigate("http://x/")]),
        ("go_back", {}, [Back()]),
        ("go_forward", {}, [Forward()]),
        ("finish", {"status": "success"}, [Terminate("success")]),
        ("finish", {"status": "success", "answer": "42"}, [Answer("42")]),
        ("finish", {"status": "infeasible", "answer": "no"}, [Terminate("infeasible", "no")]),
    ],
)  # fmt: skip
def test_current_functions(name: str, args: dict[str, Any], actions: list[Action]) -> None:
    """Each function of the newer set means what Google's pages say, in every spelling."""
    assert read("current", name, **args)[0] == actions


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("open_app", {"app_name": "Mail"}, "no such function"),
        ("long_press", {"x": 1, "y": 1}, "no such function"),
        ("list_apps", {}, "no such function"),
        ("click_at", {"x": 1, "y": 1}, "no such function"),
        ("navigate", {"url": "http://elsewhere"}, "no such function"),
        ("teleport", {}, "no such function"),
        ("click", {"x": 1}, "y is missing"),
        ("click", {"x": 1, "y": 1000}, "lies outside"),
        ("click", {"x": "one", "y": 1}, "lies outside"),
        ("click", {"x": True, "y": 1}, "lies outside"),
        ("click", {"x": 1, "y": 1, "force": 9}, "no argument 'force'"),
        ("type", {"text": 5}, "must be text"),
        ("type", {"text": ""}, "nothing to type"),
        ("type", {"text": "a", "press_enter": "yes"}, "must be true or false"),
        ("press_key", {"key": "hyper"}, "unknown key"),
        ("hotkey", {"keys": [1]}, "must be text such as"),
        ("key_down", {"key": ["a"]}, "must be text"),
        ("scroll", {"direction": "sideways"}, "must be one of up"),
        ("scroll", {"direction": "up", "magnitude": 0}, "a number above 0"),
        ("scroll", {"direction": "up", "magnitude": 10, "magnitude_in_pixels": 10}, "only one of"),
        ("scroll", {"direction": "down", "magnitude_in_wheel_clicks": 500}, "1 to 100 notches"),
        ("drag_and_drop", {"x": 1, "y": 1}, "destination_x is missing"),
        ("wait", {"seconds": 1000}, "must be 0 to 60"),
        ("wait", {"seconds": "long"}, "must be a number"),
        ("finish", {"status": "done"}, "must be one of success"),
        ("finish", {"status": "success", "answer": 4}, "must be text"),
    ],
)  # fmt: skip
def test_malformed_calls(name: str, args: dict[str, Any], words: str) -> None:
    """What no action can be made of is refused with a sentence that says why."""
    functions = Functions("current", BROWSER[:2], CoordinateSpace.normalised(SCREEN, 999), SCREEN)
    with pytest.raises(ActionError, match=words):
        functions.read(name, args)


@pytest.mark.parametrize(
    ("name", "args", "spellings"),
    [
        ("drag_and_drop", dict.fromkeys(("x", "y", "destination_x", "destination_y"), 1), None),
        ("drag_and_drop", dict.fromkeys(("start_x", "start_y", "end_x", "end_y"), 1), None),
        ("scroll", {"direction": "up", "magnitude_in_pixels": 5}, ["magnitude_in_pixels"]),
        ("scroll", {"direction": "up", "magnitude": 5}, ["magnitude"]),
        ("hotkey", {"keys": ["a"]}, ["keys"]),
        ("hotkey", {"key": "a"}, ["key"]),
        ("click", {"x": 1, "y": 1}, []),
        ("scroll", {"direction": "up"}, []),
    ],
)
def test_spellings_are_noted(name: str, args: dict[str, Any], spellings: list[str] | None) -> None:
    """Where arguments have several names, the record says which one was used."""
    assert read("current", name, **args)[1] == (list(args) if spellings is None else spellings)


def test_pixels_are_those_of_the_picture() -> None:
    """A length in pixels is one of the picture that was sent, which may be smaller than the screen."""
    half = Size(500, 600)
    args = {"x": 0, "y": 0, "direction": "down", "magnitude_in_pixels": 300}

    assert read("current", "scroll", half, **args)[0] == [Scroll(0, 0, dy=5)]


@pytest.mark.parametrize("kind", ["legacy", "current"])
def test_all_predefined_functions_are_known(kind: Any) -> None:
    """No function of Google's sets is unknown here, but the search engine that no world has."""
    functions = Functions(kind, BROWSER, CoordinateSpace.normalised(SCREEN, 999), SCREEN)
    expected = PREDEFINED[f"{kind} browser"] - {"search"}

    assert set(functions._offered) == expected | {"finish"}
    with pytest.raises(ActionError, match="no such function"):
        functions.read("search", {})


@given(st.integers(0, 999), st.integers(0, 999), st.integers(1, 4000), st.integers(1, 4000))
def test_places_round_trip(x: int, y: int, width: int, height: int) -> None:
    """A place on the grid is the screen pixel in whose thousandth it lies, on every screen."""
    space = CoordinateSpace.normalised(Size(width, height), 999)

    point = space.to_screen(x, y)

    assert point == Point(int((x + 0.5) * width / 1000), int((y + 0.5) * height / 1000))


_NAMES = st.sampled_from(sorted(PREDEFINED["legacy browser"] | PREDEFINED["current browser"] | {"finish"}))
_PLACES = [f"{place}{axis}" for place in ("", "start_", "end_", "destination_") for axis in "xy"]
_OTHERS = ["text", "keys", "key", "direction", "seconds", "url", "status", "answer", "press_enter"]
_LENGTHS = ["magnitude", "magnitude_in_pixels", "magnitude_in_wheel_clicks"]
_ARGUMENTS = st.sampled_from([*_PLACES, *_OTHERS, *_LENGTHS])
_LIKELY = st.sampled_from(
    [0, 500, 999, "up", "left", "a", "ctrl+a", True, 1e308, float("nan"), "success", ""]
)


@settings(max_examples=200)
@given(
    st.sampled_from(["legacy", "current"]),
    _NAMES,
    st.dictionaries(_ARGUMENTS, _LIKELY | ANYTHING, max_size=6),
)
def test_anything_is_read_or_refused(kind: Any, name: str, args: dict[str, Any]) -> None:
    """Whatever a model writes is actions or one sentence about what is wrong, and nothing else."""
    found = tried(f"gemini {kind}", lambda: read(kind, name, **args))
    if found is not None:
        assert found[0]
        assert all(isinstance(action, Action) for action in found[0])


def test_hostile_replies(desk: Desk) -> None:
    """Replies made of anything end an episode as graded, and the record of them can be read."""
    chance = random.Random(4711)
    names = [*PREDEFINED["current browser"], "finish", "eval", "x" * 3000]
    values: list[Any] = [0, 999, -1, 1e300, "a" * 30_000, "\ud800", "<script>", None, [], {"a": [1]}, True]

    def part() -> dict[str, Any]:
        keys = chance.sample(["x", "y", "text", "keys", "key", "direction", "url", "safety_decision", "é"], 3)
        return call(chance.choice(names), **{key: chance.choice(values) for key in keys})

    script = [reply(says(chance.choice(string.printable)), part(), part()) for _ in range(40)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played = desk.play(*script, steps=40, safety="ack")

    assert (played.last.result.graded, played.last.error) == (True, None)
    assert len(steps(played)) == played.last.steps
