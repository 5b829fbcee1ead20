"""Gemini as a player: Google's own SDK in whole episodes against a server that refuses what Google refuses."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import random
import re
import string
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lazily import lazily
from PIL import Image
from small_world import Played, Table, make_world

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.gemini_functions import SETS, Functions, set_of
from pytest_cuabench.agents.models.calls import Caller
from pytest_cuabench.agents.profile import Profile, known_profiles, load_profile
from pytest_cuabench.errors import ActionError, EnvironmentFailure, ProviderFailure, SettingError
from pytest_cuabench.ledger.record import read_steps
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
    Google,
    blocked,
    call,
    decoded,
    finish,
    reply,
    says,
    thinks,
)
from .tally import tried

if TYPE_CHECKING:
    from pytest_cuabench.agents.gemini import GeminiAgent

adapter = lazily("pytest_cuabench.agents.gemini")

VARIABLE = "GEMINI_API_KEY"
NOTE = call("press_key", key="n", intent="note that Ada was seen")
LEGACY_NOTE = call("key_combination", keys="n")
NOWHERE = call("move", x=500, y=500)
DONE = finish()
ASKS = {"decision": "require_confirmation", "explanation": "This changes a record."}
BLOCKS = {"decision": "blocked", "explanation": "This is not allowed."}
BROWSER = ("pointer", "keyboard", "browser")
HTTP = httpx2.Client(verify=False, trust_env=False)


@pytest.fixture(scope="module")
def running() -> Iterator[Google]:
    """One server for all tests of this module."""
    with Google().running() as server, HTTP:
        yield server


@pytest.fixture
def google(running: Google, monkeypatch: pytest.MonkeyPatch) -> Google:
    """The server with nothing to play yet, and a key to it."""
    for name in (
        "GOOGLE_API_KEY",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_LOCATION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(VARIABLE, KEY)
    running.play()
    return running


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A place to play at, with a run's folder of its own."""
    return Table(tmp_path / "run")


class Clock:
    """A clock that goes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        self.slept.append(seconds)
        self.now += seconds


def make(google: Google, model: str = "gemini-3.5-flash", ask: Any = None, **options: Any) -> GeminiAgent:
    """Return a Gemini that plays at the server and never really waits."""
    asked = {} if ask is None else {"ask": ask}
    profile = Profile(
        adapter="gemini", name="gem", model=model, key=VARIABLE, options={"url": google.url, **options}
    )
    agent = adapter.GeminiAgent(profile, **asked)
    agent.clock = Clock()  # type: ignore[attr-defined]
    agent._caller = Caller(
        agent.explain,
        deadline=agent.limits.deadline,
        sleep=agent.clock.sleep,
        clock=agent.clock,  # type: ignore[attr-defined]
    )
    return agent


def surfing() -> FakeEnvironment:
    """Return the desk in a browser."""
    world = make_world()
    world.capabilities = BROWSER
    return world


def steps(played: Played) -> list[dict[str, Any]]:
    """Return the record of an episode."""
    return read_steps(played.folder())


def answers(google: Google, number: int) -> list[dict[str, Any]]:
    """Return the function responses at the end of a request."""
    parts = google.requests[number]["contents"][-1]["parts"]
    return [part["functionResponse"] for part in parts]


def pictures(content: dict[str, Any]) -> int:
    """Return how many pictures a message holds."""
    held = 0
    for part in content["parts"]:
        held += "inlineData" in part
        held += len(part.get("functionResponse", {}).get("parts", ()))
    return held


def tool(google: Google) -> dict[str, Any]:
    """Return the ComputerUse tool of the last request."""
    found: dict[str, Any] = google.requests[-1]["tools"][0]["computerUse"]
    return found


# Whole episodes


@pytest.mark.parametrize(
    ("model", "note"), [*((m, NOTE) for m in CURRENT), *((m, LEGACY_NOTE) for m in LEGACY)]
)
def test_success(google: Google, table: Table, model: str, note: dict[str, Any]) -> None:
    """Each model that is known plays the task with the functions it was taught."""
    google.play(reply(thinks("Press n."), note), reply(says("Noted."), DONE))

    played = table.play(make(google, model))

    assert (played.last.outcome, played.last.steps, google.refusals) == ("success", 2, [])
    assert [step["thought"] for step in steps(played)] == ["Press n.", "Noted."]
    assert google.paths[0] == f"/v1beta/models/{model}:generateContent"
    assert set(google.keys) == {KEY}


def test_answer_is_given(google: Google, table: Table) -> None:
    """The answer of `finish` is the answer of the episode."""
    google.play(reply(NOTE, finish(answer="4,2 µmol")))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.answer, played.last.ending) == ("success", "4,2 µmol", "answer")


@pytest.mark.parametrize(
    ("status", "outcome"), [("failure", "gave_up"), ("infeasible", "infeasible_declared")]
)
def test_giving_up(google: Google, table: Table, status: str, outcome: str) -> None:
    """A status other than success ends the episode as what it says, whatever is said with it."""
    google.play(reply(finish(status, answer="the button is gone")))

    played = table.play(make(google))

    assert played.last.outcome == outcome
    assert steps(played)[0]["actions"][0]["reason"] == "the button is gone"


def test_first_message(google: Google, table: Table) -> None:
    """The task comes with the first screenshot before it, and the instructions as instructions."""
    google.play(reply(DONE))

    table.play(make(google))

    [message] = google.requests[0]["contents"]
    assert [next(iter(part)) for part in message["parts"]] == ["inlineData", "text"]
    assert message["parts"][1]["text"].endswith("Note that Ada was seen.")
    instructions = google.requests[0]["systemInstruction"]["parts"][0]["text"]
    assert "64x48" in instructions
    assert "finish" in instructions


def test_several_calls_a_turn(google: Google, table: Table) -> None:
    """All calls of a turn are carried out and answered in order, by name and id, each with a screenshot."""
    google.play(reply(call("click", x=0, y=999), NOWHERE, NOTE), reply(DONE))

    played = table.play(make(google))

    assert played.last.outcome == "success"
    assert played.world.performed[:2] == [Click(0, 47), Move(32, 24)]
    assert [(one["name"], one["id"]) for one in answers(google, 1)] == [
        ("click", "call-1"),
        ("move", "call-2"),
        ("press_key", "call-3"),
    ]
    assert all(one["parts"][0]["inlineData"]["mimeType"] == "image/png" for one in answers(google, 1))
    assert all(one["response"] == {"url": ""} for one in answers(google, 1))


def test_no_address_is_told(google: Google, table: Table) -> None:
    """The address of the page is a constant, because an agent sees no address bar."""
    google.play(reply(NOTE), reply(NOWHERE), reply(DONE))

    table.play(make(google), world=surfing())

    assert [one["response"]["url"] for number in (1, 2) for one in answers(google, number)] == ["", ""]


def test_call_of_several_actions_fails_at_the_first(google: Google, table: Table) -> None:
    """An action that fails is the error of its own call; the calls after it are answered as not carried out."""
    google.play(reply(NOWHERE, call("navigate", url="x"), NOTE), reply(NOTE), reply(DONE))
    world = surfing()
    capabilities = world.capabilities
    agent = make(google)
    begin = agent.begin

    async def lose_the_browser() -> None:
        await begin()
        world.capabilities = capabilities[:2]

    agent.begin = lose_the_browser  # type: ignore[method-assign]
    played = table.play(agent, world=world)

    errors = [one["response"].get("error", "") for one in answers(google, 1)]
    assert errors[0] == ""
    assert "not available" in errors[1]
    assert "before it failed" in errors[2]
    assert played.last.outcome == "success"
    assert played.last.format_errors == 0


def test_a_look_within_a_turn_is_shown(google: Google, table: Table) -> None:
    """A screenshot asked for between other calls is the one that was taken then."""
    google.play(reply(call("take_screenshot"), NOTE), reply(DONE))
    red = io.BytesIO()
    Image.new("RGB", (64, 48), "red").save(red, "PNG")

    class Seeing(FakeEnvironment):
        async def perform(self, action: Action) -> ActionResult:
            result = await super().perform(action)
            return ActionResult(image=red.getvalue()) if isinstance(action, Screenshot) else result

    made = make_world()
    world = Seeing(made._start, made._reaction)
    table.play(make(google), world=world)

    first, second = (decoded(one["parts"][0]["inlineData"]["data"]) for one in answers(google, 1))
    assert (first, second) == (red.getvalue(), blank_png(Size(64, 48)))


def test_texts_come_with_the_last_answer(google: Google, table: Table) -> None:
    """What the world says beside the picture is told once, with the last answer of the turn."""
    google.play(reply(NOWHERE, NOTE), reply(DONE))

    class Talking(FakeEnvironment):
        async def observe(self, kind: Any) -> Observation:
            return Observation(self.screen, blank_png(self.screen), notices=("A dialog closed.",))

    made = make_world()
    table.play(make(google), world=Talking(made._start, made._reaction))

    assert [one["response"].get("output") for one in answers(google, 1)] == [None, "A dialog closed."]


def test_next_episode_starts_anew(google: Google, table: Table) -> None:
    """An agent that plays a second episode remembers nothing of the first."""
    google.play(reply(NOTE), reply(DONE))
    agent = make(google)
    table.play(agent)
    google.play(reply(NOTE), reply(DONE))

    assert table.play(agent).last.outcome == "success"
    assert len(google.requests[0]["contents"]) == 1


# What is not understood


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (call("open_app", app_name="Mail"), "no such function"),
        (call("long_press", x=1, y=1), "no such function"),
        (call("list_apps"), "no such function"),
        (call("click_at", x=1, y=1), "no such function"),
        (call("navigate", url="http://elsewhere"), "no such function"),
        (call("teleport"), "no such function"),
        (call(""), "a call without a name"),
        (call("click", x=1), "y is missing"),
        (call("click", x=1, y=1000), "lies outside"),
        (call("click", x="1", y=1), "lies outside"),
        (call("click", x=True, y=1), "lies outside"),
        (call("click", x=1, y=1, force=9), "no argument 'force'"),
        (call("type", text=5), "must be text"),
        (call("type", text=""), "nothing to type"),
        (call("type", text="a", press_enter="yes"), "must be true or false"),
        (call("press_key", key="hyper"), "unknown key"),
        (call("hotkey", keys=[1]), "must be text such as"),
        (call("key_down", key=["a"]), "must be text"),
        (call("scroll", direction="sideways"), "must be one of up"),
        (call("scroll", direction="up", magnitude=0), "a number above 0"),
        (call("scroll", direction="up", magnitude=10, magnitude_in_pixels=10), "only one of"),
        (call("scroll", direction="down", magnitude_in_wheel_clicks=500), "1 to 100 notches"),
        (call("drag_and_drop", x=1, y=1), "destination_x is missing"),
        (call("wait", seconds=1000), "must be 0 to 60"),
        (call("wait", seconds="long"), "must be a number"),
        (call("finish", status="done"), "must be one of success"),
        (call("finish", status="success", answer=4), "must be text"),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else None,
)
def test_bad_call_then_recovery(google: Google, table: Table, bad: dict[str, Any], words: str) -> None:
    """A bad call is told to the model with its fault, the calls before it are done, those after it are not."""
    google.play(reply(NOWHERE, bad, call("press_key", key="x")), reply(NOTE), reply(DONE))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.format_errors, google.refusals) == ("success", 1, [])
    assert steps(played)[0]["actions"] == [Move(32, 24).to_json()]
    assert words in steps(played)[0]["format_error"]
    done, told = answers(google, 1)
    assert "error" not in done["response"]
    assert words in told["response"]["error"]
    assert "not understood" in told["response"]["output"]


def test_bad_calls_for_ever(google: Google, table: Table) -> None:
    """A model that never calls a function that is there locks itself out, and that is graded."""
    google.play(reply(call("teleport")))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.format_errors) == ("format_lockout", 5)


@pytest.mark.parametrize(
    ("nothing", "words"),
    [
        (reply(), "it is empty"),
        (reply(says("")), "it is empty"),
        (reply(thinks("Hm.")), "it is empty"),
        ({}, "it is empty"),
        ({"candidates": []}, "it is empty"),
        (reply(says("All done!")), "calls no function"),
        (reply(says("I will"), reason="MAX_TOKENS"), "cut for its length"),
        (reply(reason="MAX_TOKENS"), "cut for its length"),
        (reply(reason="SAFETY"), "refused (SAFETY)"),
        (
            reply(says("I cannot"), reason="PROHIBITED_CONTENT", finishMessage="No."),
            "refused (PROHIBITED_CONTENT)",
        ),
        (reply(NOTE, reason="RECITATION"), "refused (RECITATION)"),
        (blocked(), "refused (PROHIBITED_CONTENT)"),
    ],
)
def test_no_call_then_recovery(google: Google, table: Table, nothing: dict[str, Any], words: str) -> None:
    """A reply without a call to follow does nothing, is told to the model as what it is, and can be mended."""
    google.play(reply(NOWHERE), nothing, reply(NOTE), reply(DONE))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.format_errors, google.refusals) == ("success", 1, [])
    assert steps(played)[1]["actions"] == []
    assert words in google.requests[2]["contents"][-1]["parts"][1]["text"]
    assert [content["role"] for content in google.requests[2]["contents"]] == ["user", "model"] * 2 + ["user"]


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"])
def test_malformed_call_is_asked_for_again(google: Google, table: Table, reason: str) -> None:
    """A call that Google itself cannot read is no turn: it is asked for again, and all tries are paid."""
    google.play(reply(reason=reason), reply(NOTE), reply(DONE))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.steps, played.last.format_errors) == ("success", 2, 0)
    assert played.last.usage.tokens_in == 3 * USED["promptTokenCount"]
    assert google.requests[0] == google.requests[1]


def test_malformed_call_again_and_again(google: Google, table: Table) -> None:
    """After some malformed calls in a row it is a format error, which can still be mended."""
    broken = reply(reason="MALFORMED_FUNCTION_CALL")
    google.play(*[broken] * adapter.MALFORMED_TRIES, reply(NOTE), reply(DONE))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.steps, played.last.format_errors) == ("success", 3, 1)
    assert "malformed (MALFORMED_FUNCTION_CALL)" in steps(played)[0]["format_error"]


@pytest.mark.parametrize("reason", ["MISSING_THOUGHT_SIGNATURE", "PUP_LIMITED_DISABLED"])
def test_ends_that_are_not_the_models(google: Google, table: Table, reason: str) -> None:
    """A reply that ends for a fault of ours or of the account is no failure of the model."""
    google.play(reply(reason=reason))

    played = table.play(make(google))

    assert played.last.outcome == "provider_error"
    assert reason in (played.last.error or "")
    assert played.last.usage.tokens_in == USED["promptTokenCount"]


# What the server refuses, and what breaks


@pytest.mark.parametrize(
    "fault",
    [
        Fault(429, delay="7.5s"),
        Fault(429, headers={"Retry-After": "7.5"}),
        Fault(500),
        Fault(503),
        Fault(504),
        Fault(kind="cut"),
        Fault(kind="garbage"),
        Fault(kind="odd"),
    ],
    ids=["429-body", "429-header", "500", "503", "504", "cut", "garbage", "odd"],
)
def test_fault_then_recovery(google: Google, table: Table, fault: Fault) -> None:
    """A passing fault is waited for, as long as the server says, and costs no step and no time of the task."""
    google.play(reply(NOWHERE), fault, fault, reply(NOTE), reply(DONE))
    agent = make(google)

    played = table.play(agent)

    assert (played.last.outcome, played.last.steps) == ("success", 3)
    slept = agent.clock.slept  # type: ignore[attr-defined]
    assert len(slept) == 2
    assert fault.status != 429 or slept == [7.5, 7.5]
    assert played.last.seconds.waited == pytest.approx(sum(slept), abs=1)


def test_silence(google: Google, table: Table) -> None:
    """A server that says nothing is asked again after the timeout."""
    google.play(Fault(kind="silent"), reply(NOTE), reply(DONE))
    agent = make(google, timeout=0.2)

    async def be_patient(seconds: float) -> None:  # a busy machine may need longer for an answer
        agent._client._api_client._http_options.timeout = 30_000

    agent._caller = Caller(agent.explain, deadline=60, sleep=be_patient)
    played = table.play(agent)

    assert played.last.outcome == "success"
    assert google.asked == 3


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(kind="foreign"), "sent an invalid reply"),
        (Fault(kind="number"), "sent an invalid reply"),
        (Fault(429, delay="30s", message="Quota exceeded."), "returned 429: the rate limit is exceeded"),
        (Fault(503), "returned 503: the server failed"),
        (Fault(kind="garbage"), "sent an invalid reply"),
        (Fault(kind="cut"), "cannot connect to"),
    ],
    ids=lambda value: None if isinstance(value, str) else f"{value.status or value.kind}",
)
def test_fault_for_good(google: Google, table: Table, fault: Fault, words: str) -> None:
    """A server that does not recover makes the attempt ungraded; what had been spent is kept."""
    google.play(reply(NOTE), reply(NOWHERE), fault)

    played = table.play(make(google, deadline=100))

    assert (played.last.outcome, played.last.steps, played.last.verdict) == ("provider_error", 2, None)
    assert words in (played.last.error or "")
    assert "tried" in (played.last.error or "")
    assert played.last.usage.tokens_in == 2 * USED["promptTokenCount"]


def test_usage_within_a_decision_that_dies(google: Google, table: Table) -> None:
    """What a malformed reply cost is kept when the try after it never comes back."""
    google.play(reply(reason="MALFORMED_FUNCTION_CALL"), Fault(400))

    played = table.play(make(google))

    assert played.last.outcome == "provider_error"
    assert played.last.usage.tokens_out == 50


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "returned 400: the request is invalid (Bad day.)"),
        (403, "returned 403: the key has no access to the model 'gemini-3.5-flash'"),
        (404, "returned 404: the model 'gemini-3.5-flash' or the URL does not exist"),
        (413, "returned 413: the request is too large"),
    ],
)
def test_refused_requests_are_not_repeated(google: Google, table: Table, status: int, words: str) -> None:
    """What no second try can mend is said in one sentence, at once."""
    google.play(Fault(status, message="Bad  day."))
    agent = make(google)

    played = table.play(agent, attempts=3)

    assert (played.last.outcome, google.asked, len(played.attempts)) == ("provider_error", 1, 1)
    assert words in (played.last.error or "")
    assert (played.stopped is not None) == (status == 403)


def test_wrong_key(google: Google, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong key is named by its variable, never by itself, though Google calls it a bad request."""
    monkeypatch.setenv(VARIABLE, "AIza-wrong")

    played = table.play(make(google), attempts=3)

    assert f"returned 401: the key is invalid; check {VARIABLE}" in str(played.stopped)
    assert str(played.stopped) == played.last.error
    assert "AIza-wrong" not in (played.last.error or "")
    assert google.asked == 1


def test_key_never_gets_into_records(google: Google, table: Table) -> None:
    """A server that repeats the key does not get it into the record."""
    google.play(Fault(403, message=f"Consumer {KEY} is suspended."))

    played = table.play(make(google))

    assert "suspended" in (played.last.error or "")
    assert KEY not in (played.last.error or "")
    assert not any(KEY in file.read_text() for file in played.run.folder.rglob("*.json*"))


def test_no_key(google: Google, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key nothing is sent, and the sentence says how to name one."""
    monkeypatch.delenv(VARIABLE)

    played = table.play(make(google))

    assert played.last.outcome == "provider_error"
    assert 'key = "GEMINI_API_KEY"' in (played.last.error or "")
    assert google.asked == 0


def test_a_model_without_the_tool(google: Google, table: Table) -> None:
    """A model that cannot use computers is told apart by the server, and not tried twice."""
    played = table.play(make(google, WITHOUT[0], functions="current"))

    assert "Computer Use is not enabled" in (played.last.error or "")
    assert google.asked == 1


def test_nobody_there(google: Google, table: Table) -> None:
    """A closed port is a fault of the provider's side, with a sentence about address and network."""
    played = table.play(make(google, url="http://127.0.0.1:9", deadline=5))

    assert played.last.outcome == "provider_error"
    assert "check url and network" in (played.last.error or "")


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
    answer: dict[str, Any] = body["contents"][2]["parts"][0]["functionResponse"]
    return answer


def _spoil(body: dict[str, Any], how: str) -> None:
    contents, part = body["contents"], body["contents"][2]["parts"]
    match how:
        case "no answer":
            contents[2]["parts"] = [{"text": "Go on."}]
        case "one answer too many":
            part.append(part[0])
        case "other name":
            _answer(body)["name"] = "move"
        case "other id":
            _answer(body)["id"] = "call-2"
        case "no screenshot":
            del _answer(body)["parts"]
        case "no picture at all":
            _answer(body)["parts"][0]["inlineData"]["data"] = "AAAA"
        case "no url":
            _answer(body)["response"] = {}
        case "words among answers":
            part.insert(0, {"text": "Here:"})
        case "words before the picture":
            contents[0]["parts"].reverse()
        case "not acknowledged":
            contents[1]["parts"][0]["functionCall"]["args"]["safety_decision"] = ASKS
        case "two users":
            contents.insert(0, contents[0])
        case "begins with the model":
            del contents[0]
        case "ends with the model":
            del contents[2]
        case "wrong role":
            contents[0]["role"] = "system"
        case "nothing said":
            contents[0]["parts"] = []
        case "signature lost":
            del contents[1]["parts"][0]["thoughtSignature"]
        case "turn changed":
            contents[1]["parts"][0]["functionCall"]["args"]["x"] = 7
        case "no tool":
            body["tools"] = []
        case "unknown field":
            body["tool"] = []
        case "unknown function excluded":
            body["tools"][0]["computerUse"]["excludedPredefinedFunctions"] = ["click_at"]
        case "no environment":
            body["tools"][0]["computerUse"] = {}


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("no answer", "number of function response parts"),
        ("one answer too many", "number of function response parts"),
        ("other name", "does not match"),
        ("other id", "does not match"),
        ("no screenshot", "must contain a screenshot"),
        ("no picture at all", "Unable to process input image"),
        ("no url", "must contain url"),
        ("words among answers", "must not be mixed"),
        ("words before the picture", "before the text"),
        ("not acknowledged", "must be acknowledged"),
        ("two users", "roles alternate"),
        ("begins with the model", "roles alternate"),
        ("ends with the model", "roles alternate"),
        ("wrong role", "valid role"),
        ("nothing said", "must not be empty"),
        ("signature lost", "thought_signature"),
        ("turn changed", "not valid"),
        ("no tool", "computer_use tool is required"),
        ("unknown field", "Cannot find field"),
        ("unknown function excluded", "Unknown predefined function"),
        ("no environment", "is not supported"),
    ],
)
def test_server_is_strict(google: Google, how: str, words: str) -> None:
    """The server refuses a request that Google refuses, and takes it unspoiled."""
    asked = call("click", safety_decision=ASKS) if how == "not acknowledged" else call("click")
    google.play(reply(asked), reply(DONE))

    def send(body: dict[str, Any]) -> httpx2.Response:
        place = f"{google.url}/v1beta/models/gemini-3.5-flash:generateContent"
        return HTTP.post(place, json=body, headers={"x-goog-api-key": KEY})

    body = _good()
    issued = send({**body, "contents": body["contents"][:1]}).json()["candidates"][0]["content"]
    body["contents"][1] = issued
    _spoil(body, how)
    refused = send(body)

    assert refused.status_code == 400
    assert refused.json()["error"]["status"] == "INVALID_ARGUMENT"
    assert words in refused.json()["error"]["message"]
    whole = _good()
    whole["contents"][1] = issued | {"parts": json.loads(json.dumps(google._issued[0]))}
    if how == "not acknowledged":
        _answer(whole)["response"]["safety_acknowledgement"] = "true"
    assert send(whole).status_code == 200


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("gemini-3.5-flash:generateContent", {}, 403),
        ("gemini-3.5-flash:generateContent", {"x-goog-api-key": "no"}, 400),
        ("gemini-4-none:generateContent", {"x-goog-api-key": KEY}, 404),
        ("gemini-3.5-flash:countTokens", {"x-goog-api-key": KEY}, 404),
    ],
)
def test_server_admits_nobody_else(google: Google, path: str, headers: dict[str, str], status: int) -> None:
    """A missing or wrong key, an unknown model or method gets Google's error."""
    answer = HTTP.post(f"{google.url}/v1beta/models/{path}", json=_good(), headers=headers)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, status)


# Safety


def test_safety_denied(google: Google, table: Table) -> None:
    """By default a question of the safety service ends the episode before the call, and is in the record."""
    google.play(reply(NOWHERE, call("press_key", key="n", safety_decision=ASKS), NOTE))

    played = table.play(make(google))

    assert (played.last.outcome, played.last.steps) == ("gave_up", 1)
    assert played.world.performed == [Move(32, 24)]
    assert steps(played)[0]["raw"]["safety"] == [
        {
            "function": "press_key",
            "decision": "require_confirmation",
            "explanation": "This changes a record.",
            "answer": "denied",
        }
    ]


def test_safety_acknowledged(google: Google, table: Table) -> None:
    """With `ack` the call is carried out and its answer says so; answers to other calls do not."""
    google.play(reply(call("press_key", key="n", safety_decision=ASKS), NOWHERE), reply(DONE))

    played = table.play(make(google, safety="ack"))

    assert (played.last.outcome, google.refusals) == ("success", [])
    assert [one["response"].get("safety_acknowledgement") for one in answers(google, 1)] == ["true", None]
    assert steps(played)[0]["raw"]["safety"][0]["answer"] == "acknowledged"


@pytest.mark.parametrize(
    ("line", "outcome"), [("yes\n", "success"), ("Y", "success"), ("no\n", "gave_up"), ("", "gave_up")]
)
def test_safety_asked(google: Google, table: Table, line: str, outcome: str) -> None:
    """With `ask` a person reads the explanation and decides; only a yes is a yes."""
    google.play(reply(call("press_key", key="n", safety_decision=ASKS)), reply(DONE))
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return line

    played = table.play(make(google, safety="ask", ask=ask))

    assert played.last.outcome == outcome
    assert len(asked) == 1
    assert "press_key: This changes a record." in asked[0]


@pytest.mark.parametrize(("safety", "outcome"), [("deny", "gave_up"), ("ack", "success"), ("ask", "success")])
def test_safety_blocked(google: Google, table: Table, safety: str, outcome: str) -> None:
    """A blocked call is never carried out: it ends the episode, or the model goes on without it."""
    google.play(reply(call("press_key", key="x", safety_decision=BLOCKS)), reply(NOTE), reply(DONE))

    played = table.play(make(google, safety=safety, ask=lambda question: pytest.fail(question)))

    assert played.last.outcome == outcome
    assert Key(("x",)) not in played.world.performed
    if safety != "deny":
        assert played.last.format_errors == 1
        assert "This is not allowed." in answers(google, 1)[0]["response"]["error"]


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
def test_safety_in_doubt(google: Google, table: Table, decision: Any, asks: bool) -> None:
    """A decision that nobody knows counts as a question."""
    google.play(reply(call("press_key", key="n", safety_decision=decision)), reply(DONE))

    assert table.play(make(google)).last.outcome == ("gave_up" if asks else "success")


def test_question_after_a_bad_call(google: Google, table: Table) -> None:
    """A question behind a call that was not understood is not answered, and not shown to the model again."""
    google.play(
        reply(call("teleport"), call("press_key", key="x", safety_decision=ASKS)), reply(NOTE), reply(DONE)
    )

    played = table.play(make(google, safety="ack"))

    assert (played.last.outcome, google.refusals) == ("success", [])
    assert len(answers(google, 1)) == 1


def test_bad_call_with_a_question(google: Google, table: Table) -> None:
    """A bad call whose question was answered is acknowledged as well as told wrong."""
    google.play(reply(call("teleport", safety_decision=ASKS)), reply(NOTE), reply(DONE))

    assert table.play(make(google, safety="ack")).last.outcome == "success"
    assert google.refusals == []
    assert answers(google, 1)[0]["response"]["safety_acknowledgement"] == "true"


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
    google: Google, table: Table, model: str, capabilities: Any, environment: str, excluded: set[str] | None
) -> None:
    """Google is told what the screen is, and which of its functions are of no use there."""
    google.play(reply(DONE))
    world = make_world()
    world.capabilities = capabilities

    table.play(make(google, model), world=world)

    assert google.refusals == []
    assert tool(google)["environment"] == f"ENVIRONMENT_{environment}"
    assert set(tool(google).get("excludedPredefinedFunctions", ())) == (excluded or set())


def test_environment_can_be_said(google: Google, table: Table) -> None:
    """A profile may call a screen a browser that has no ability of one; its functions are excluded then."""
    google.play(reply(call("go_back")), reply(DONE))

    played = table.play(make(google, environment="browser"))

    assert tool(google)["environment"] == "ENVIRONMENT_BROWSER"
    assert set(tool(google)["excludedPredefinedFunctions"]) == {"navigate", "go_back", "go_forward"}
    assert played.last.format_errors == 1


def test_options_are_sent(google: Google, table: Table) -> None:
    """Length, temperature, thinking, instructions and Google's safety switches come from the profile."""
    google.play(reply(DONE))

    table.play(
        make(
            google,
            max_tokens=99,
            temperature=0.5,
            thinking="low",
            system="Be quick.",
            injection_detection=True,
            disabled_safety_policies=["SENSITIVE_DATA_MODIFICATION"],
        )
    )

    [request] = google.requests
    assert request["generationConfig"] == {
        "maxOutputTokens": 99,
        "temperature": 0.5,
        "thinkingConfig": {"includeThoughts": True, "thinkingLevel": "LOW"},
    }
    assert request["systemInstruction"]["parts"] == [{"text": "Be quick."}]
    assert tool(google)["enablePromptInjectionDetection"] is True
    assert tool(google)["disabledSafetyPolicies"] == ["SENSITIVE_DATA_MODIFICATION"]


def test_nothing_is_sent_unasked(google: Google, table: Table) -> None:
    """Without options only a length and the wish for thoughts are sent; `finish` is the one function of ours."""
    google.play(reply(DONE))

    table.play(make(google))

    [request] = google.requests
    assert request["generationConfig"] == {
        "maxOutputTokens": 16_384,
        "thinkingConfig": {"includeThoughts": True},
    }
    [declared] = request["tools"][1]["functionDeclarations"]
    assert declared["name"] == "finish"
    assert len(request["tools"]) == 2


@pytest.mark.parametrize("history", [1, 2, 3])
def test_history(google: Google, table: Table, history: int) -> None:
    """Only the screenshots of the last turns are sent again; in their place the older ones leave a word."""
    google.play(*[reply(NOWHERE, NOWHERE)] * 5, reply(NOTE), reply(DONE))

    played = table.play(make(google, history=history))

    assert (played.last.outcome, google.refusals) == ("success", [])
    seen = [pictures(content) for content in google.requests[-1]["contents"] if content["role"] == "user"]
    assert [bool(number) for number in seen] == [False] * (7 - history) + [True] * history
    assert seen[-1] == 1
    left = next(content for content in google.requests[-1]["contents"] if content["role"] == "user")
    assert "left out" in left["parts"][0]["text"]
    assert "Note that Ada was seen." in left["parts"][1]["text"]


def test_signatures_and_thoughts_are_replayed(google: Google, table: Table) -> None:
    """What the model thought and signed goes back as it came, and stays out of the record."""
    google.play(reply(thinks("First."), says("Then."), NOTE), reply(DONE))

    played = table.play(make(google))

    first, second, third = google.requests[1]["contents"][1]["parts"]
    assert (first["text"], first["thought"], second["text"]) == ("First.", True, "Then.")
    assert third["thoughtSignature"]
    assert steps(played)[0]["thought"] == "First.\n\nThen."
    assert "ignature" not in json.dumps(steps(played)[0]["raw"])


def test_intents_stand_in_for_words(google: Google, table: Table) -> None:
    """A reply without words is recorded with what its calls say they are for."""
    google.play(reply(NOTE, call("wait", intent="let it settle")), reply(DONE))

    assert steps(table.play(make(google)))[0]["thought"] == "note that Ada was seen\nlet it settle"


def test_record(google: Google, table: Table) -> None:
    """The record holds the reply as plain data, and which spelling of an argument was used."""
    google.play(reply(call("scroll", direction="down", magnitude_in_wheel_clicks=2), NOTE), reply(DONE))

    raw = steps(table.play(make(google)))[0]["raw"]

    assert raw["spellings"] == ["magnitude_in_wheel_clicks", "key"]
    assert raw["reply"]["candidates"][0]["finish_reason"] == "STOP"
    assert raw["reply"]["candidates"][0]["content"]["parts"][0]["function_call"]["name"] == "scroll"
    assert raw["reply"]["response_id"] == "r-1"


@pytest.mark.parametrize(
    ("image", "size"), [(None, (64, 48)), ({"long_edge": 32}, (32, 24)), ({"pixels": 768}, (32, 24))]
)
def test_image_size(google: Google, table: Table, image: Any, size: tuple[int, int]) -> None:
    """Pictures have the size that the profile allows, and places mean the same on each."""
    google.play(reply(call("click", x=500, y=999)), reply(NOTE), reply(DONE))
    options = {} if image is None else {"image": image}

    played = table.play(make(google, **options))

    first = google.requests[0]["contents"][0]["parts"][0]["inlineData"]["data"]
    second = answers(google, 1)[0]["parts"][0]["inlineData"]["data"]
    for data in (first, second):
        with Image.open(io.BytesIO(decoded(data))) as picture:
            assert picture.size == size
    assert played.world.performed[0] == Click(32, 47)


def test_usage_and_cost(google: Google, table: Table) -> None:
    """Tokens read, read from the cache, thought and said are counted, and cost what the profile says."""
    google.play(reply(NOTE), reply(DONE))

    used = table.play(make(google, prices={"input": 1.0, "output": 10.0, "cached": 0.5})).last.usage

    assert (used.tokens_in, used.tokens_out, used.tokens_cached) == (2000, 100, 800)
    assert used.cost == pytest.approx((1200 * 1 + 800 * 0.5 + 100 * 10) / 1e6)


def test_known_price(google: Google, table: Table) -> None:
    """A model whose price is public costs something; one that nobody knows has an unknown cost."""
    google.play(reply(NOTE), reply(DONE))
    assert (table.play(make(google)).last.usage.cost or 0) > 0

    google.play(reply(LEGACY_NOTE), reply(DONE))
    assert table.play(make(google, LEGACY[0])).last.usage.cost is None


def test_tool_prompt_tokens_count_as_read(google: Google, table: Table) -> None:
    """Tokens of tool results that Google counts apart are read, too; a reply without usage costs nothing."""
    google.play(reply(NOTE) | {"usageMetadata": {"toolUsePromptTokenCount": 7}}, reply(DONE))

    assert table.play(make(google)).last.usage.tokens_in == 1007


# Vertex AI


@pytest.fixture
def vertex(google: Google, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options of a profile on Vertex AI, where credentials take the place of the key."""
    monkeypatch.delenv(VARIABLE)
    credentials = lazily("google.oauth2.credentials").Credentials(TOKEN)
    monkeypatch.setattr(lazily("google.auth"), "default", lambda **_: (credentials, "another"))
    return {"project": "ours", "location": "europe-west4"}


def test_vertex(google: Google, table: Table, vertex: dict[str, Any]) -> None:
    """On Vertex AI a project and a place stand in the address, and no key is sent."""
    google.play(reply(NOTE), reply(DONE))

    played = table.play(make(google, vertex=vertex))

    assert (played.last.outcome, google.refusals) == ("success", [])
    place = "/v1beta1/projects/ours/locations/europe-west4/publishers/google/models/gemini-3.5-flash"
    assert google.paths == [f"{place}:generateContent"] * 2
    assert google.keys == [None, None]


def test_vertex_explains(google: Google, table: Table, vertex: dict[str, Any]) -> None:
    """What Vertex AI says about how a reply ended is told, too."""
    google.play(reply(reason="SAFETY", finishMessage="Not this."), reply(NOTE), reply(DONE))

    played = table.play(make(google, vertex=vertex))

    assert steps(played)[0]["format_error"] == "it was refused (SAFETY, Not this.)"
    assert played.last.outcome == "success"


def test_vertex_without_credentials(
    google: Google, table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without credentials nothing is sent, and the sentence says what to type."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "nothing.json"))

    played = table.play(make(google, vertex={"project": "ours"}))

    assert played.last.outcome == "provider_error"
    assert "gcloud auth application-default login" in (played.last.error or "")
    assert google.asked == 0


# Profiles and models


def test_profile_is_shipped(tmp_path: Path) -> None:
    """`--agent=gemini` is known, names its extra and its key, and its options are allowed."""
    profile = load_profile("gemini", tmp_path)

    assert "gemini" in known_profiles(tmp_path)
    assert (profile.adapter, profile.extra, profile.key) == ("gemini", "gemini", VARIABLE)
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
        ("gemini-3-pro-preview", None),
        ("gemini-flash-latest", None),
        ("gemini-3.5", None),
        ("gpt-6", None),
    ],
)
def test_functions_by_model(model: str, kind: str | None) -> None:
    """The table tells which functions a model was taught; the longer name is not taken for the shorter."""
    assert set_of(model) == kind


def test_table_is_read_in_order() -> None:
    """No model fits two lines of the table, so that their order hides nothing."""
    for model in (*LEGACY, *CURRENT, "gemini-4-pro", "gemini-3.9-flash-lite"):
        assert sum(bool(re.fullmatch(pattern, model)) for pattern, _ in SETS) == 1


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        ("gemini-flash-latest", {}, 'functions = "current"'),
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


def test_functions_can_be_said(google: Google, table: Table) -> None:
    """A model that the table does not know plays with the functions that the profile names."""
    google.play(reply(NOTE), reply(DONE))

    assert table.play(make(google, MOVING, functions="current")).last.outcome == "success"


@pytest.mark.parametrize("kind", ["tree", "dom"])
def test_observations_without_a_picture(google: Google, kind: Any) -> None:
    """An observation that Google's tool cannot work with is refused before anything is sent."""

    async def begin() -> None:
        await make(google).start(Briefing("do it", kind, Size(64, 48), (), 5))

    with pytest.raises(SettingError, match="--cua-observation=screenshot"):
        asyncio.run(begin())


def test_tree_is_on_the_models_grid(google: Google) -> None:
    """Places in the accessibility tree are told as the model's functions name them."""
    google.play(reply(call("click", x=501, y=250)))
    node = Node("button", "Save", "", (), Box(300, 100, 40, 40), 0)

    async def play() -> Any:
        agent = make(google)
        await agent.start(Briefing("do it", "screenshot+tree", Size(640, 480), BROWSER[:2], 5))
        seen = Observation(Size(640, 480), blank_png(Size(640, 480)), tree=(node,))
        decision = await agent.decide(seen)
        await agent.close()
        return decision

    decision = asyncio.run(play())

    text = google.requests[0]["contents"][0]["parts"][1]["text"]
    assert 'button "Save" (500, 251)' in text
    assert decision.actions == (Click(320, 120),)
    assert "0 to 999" in google.requests[0]["systemInstruction"]["parts"][0]["text"]


def test_no_screenshot(google: Google) -> None:
    """A world that shows no picture is broken, and nothing is sent."""

    async def play() -> None:
        agent = make(google)
        await agent.start(Briefing("do it", "screenshot", Size(64, 48), (), 5))
        try:
            await agent.decide(Observation(Size(64, 48)))
        finally:
            await agent.close()

    with pytest.raises(EnvironmentFailure, match="needs a screenshot"):
        asyncio.run(play())
    assert google.asked == 0


def test_terminal_is_needed_to_ask(google: Google, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a person is to be asked and none is there, nobody is blamed for it but the setting."""
    google.play(reply(call("press_key", key="n", safety_decision=ASKS)))

    def nobody(question: str) -> str:
        raise ProviderFailure("there is no terminal")

    assert table.play(make(google, safety="ask", ask=nobody)).last.outcome == "provider_error"


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


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
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
    st.sampled_from(["legacy", "current"]), _NAMES, st.dictionaries(_ARGUMENTS, _LIKELY | _JSON, max_size=6)
)
def test_anything_is_read_or_refused(kind: Any, name: str, args: dict[str, Any]) -> None:
    """Whatever a model writes is actions or one sentence about what is wrong, and nothing else."""
    found = tried(f"gemini {kind}", lambda: read(kind, name, **args))
    if found is not None:
        assert found[0]
        assert all(isinstance(action, Action) for action in found[0])


def test_hostile_replies(google: Google, table: Table) -> None:
    """Replies made of anything end an episode as graded, and the record of them can be read."""
    chance = random.Random(4711)
    names = [*PREDEFINED["current browser"], "finish", "eval", "x" * 3000]
    values: list[Any] = [0, 999, -1, 1e300, "a" * 30_000, "\ud800", "<script>", None, [], {"a": [1]}, True]

    def part() -> dict[str, Any]:
        keys = chance.sample(["x", "y", "text", "keys", "key", "direction", "url", "safety_decision", "é"], 3)
        return call(chance.choice(names), **{key: chance.choice(values) for key in keys})

    google.play(*(reply(says(chance.choice(string.printable)), part(), part()) for _ in range(40)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played = table.play(make(google, safety="ack"), steps=40)

    assert (played.last.result.graded, played.last.error, google.refusals) == (True, None, [])
    assert len(steps(played)) == played.last.steps
