"""OpenAI's models play whole episodes against a strict server, through OpenAI's own SDK."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lazily import lazily
from small_world import ROWS, SCREEN, Played, Table, react

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.models import safety
from pytest_cuabench.agents.models.calls import Caller
from pytest_cuabench.agents.models.openai_reply import Reply, read_action
from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.errors import ActionError, ProviderFailure, SettingError
from pytest_cuabench.ledger.record import read_steps
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
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .servers import openai as api
from .servers.openai import Fault, Item, Said, Server, click, computer, finish, press, say, single, think
from .tally import note, tried

if TYPE_CHECKING:
    from pytest_cuabench.agents.openai import OpenAIAgent

adapter = lazily("pytest_cuabench.agents.openai")
openai = lazily("openai")

MODEL, PREVIEW = "gpt-6.1-sol", "computer-use-preview"
NOTE = Said([think("The key n notes it."), computer(press("n"))])
DONE = Said([finish()])
CHECK = {"id": "cu_sc_1", "code": "malicious_instructions", "message": "The page gives orders."}


@pytest.fixture(scope="module")
def running() -> Iterator[Server]:
    """One server for all tests."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def server(running: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server, knowing nothing, and its key in the environment."""
    running.clear()
    monkeypatch.setenv("OPENAI_API_KEY", api.KEY)
    return running


class Desk:
    """A table with a player of the server's model. `slept` holds the pauses between tries, which take no time."""

    def __init__(self, server: Server, table: Table) -> None:
        self.server, self.table = server, table
        self.slept: list[float] = []
        self.asked: list[str] = []

    def agent(self, model: str = MODEL, says: str = "", **options: Any) -> OpenAIAgent:
        """Return a player; `says` is what a person types when asked."""
        profile = Profile(
            adapter="openai", name="openai", model=model, options={"url": self.server.url} | options
        )
        self.playing = agent = adapter.OpenAIAgent(
            profile, ask=lambda question: self.asked.append(question) or says
        )
        clock = lambda: sum(self.slept)  # noqa: E731 - time passes by sleeping only
        agent._caller = Caller(agent.explain, deadline=agent.limits.deadline, sleep=self._sleep, clock=clock)
        return agent

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.playing._client.timeout = 30  # a busy machine may need longer for an answer

    def play(
        self, *script: Said | Fault, world: Any = None, model: str = MODEL, attempts: int = 1, **options: Any
    ) -> Played:
        """Play an episode with a script of replies."""
        self.server.script = list(script)
        agent, world = self.agent(model, **options), world or FakeEnvironment(ROWS, react)
        return self.table.play(agent, world=world, attempts=attempts)


@pytest.fixture
def desk(server: Server, tmp_path: Path) -> Iterator[Desk]:
    """A place to play at; nothing may be refused by the server that a test does not expect to be."""
    desk = Desk(server, Table(tmp_path / "run"))
    yield desk
    assert server.refused == []


def steps(played: Played) -> list[dict[str, Any]]:
    """Return the recorded steps of the last attempt."""
    return read_steps(played.folder())


# Episodes


def test_success(desk: Desk) -> None:
    """The new tool is spoken to as it asks for: no size, original detail, and only what is new after the first."""
    played = desk.play(NOTE, DONE)

    first, second = desk.server.requests
    assert played.last.outcome == "success"
    assert first["tools"][0] == {"type": "computer"}
    assert "truncation" not in first
    assert "previous_response_id" not in first
    assert "Task: " in api.words(first)
    assert "finish" in first["instructions"]
    assert first["instructions"] == second["instructions"]
    assert second["previous_response_id"] == steps(played)[0]["raw"]["id"]
    (answer,) = second["input"]
    assert answer["type"] == "computer_call_output"
    assert answer["output"]["detail"] == "original"
    assert steps(played)[0]["thought"] == "The key n notes it."


def test_usage_and_cost(desk: Desk) -> None:
    """Tokens and cached tokens of all calls add up, at the prices that are known for the model."""
    played = desk.play(NOTE, DONE, prices={"input": 2, "output": 10, "cached": 0.1, "written": 4})

    usage = played.last.usage
    assert (usage.tokens_in, usage.tokens_out, usage.tokens_cached) == (2000, 40, 1600)
    assert usage.cost == pytest.approx((300 * 2 + 1600 * 0.1 + 100 * 4 + 40 * 10) / 1e6)


def test_cost_by_list(desk: Desk) -> None:
    """Without prices of the profile's own, those of genai-prices count."""
    known = desk.play(NOTE, DONE).last.usage.cost
    assert known is not None
    assert 0 < known < 0.01


def test_preview_model(desk: Desk) -> None:
    """The preview model gets size, environment and truncation; it acts once a turn."""
    played = desk.play(Said([single(press("n"))]), DONE, model=PREVIEW, environment="linux")

    first, second = desk.server.requests
    assert played.last.outcome == "success"
    assert first["tools"][0] == {
        "type": "computer_use_preview",
        "display_width": 64,
        "display_height": 48,
        "environment": "linux",
    }
    assert first["truncation"] == second["truncation"] == "auto"
    assert "detail" not in second["input"][0]["output"]


def test_options_are_sent(desk: Desk) -> None:
    """Effort, summary, temperature, length and instructions are sent where they are given, and only there."""
    desk.play(DONE)
    desk.play(DONE, effort="high", summary="concise", temperature=0.5, max_tokens=500, system="Be brief.")

    plain, told = desk.server.requests
    assert not {"reasoning", "temperature"} & set(plain)
    assert plain["max_output_tokens"] == 16_384
    assert told["reasoning"] == {"effort": "high", "summary": "concise"}
    assert (told["temperature"], told["max_output_tokens"], told["instructions"]) == (0.5, 500, "Be brief.")


def test_batch_and_several_calls(desk: Desk) -> None:
    """Batches are carried out in order over all calls of a turn, and every call is answered."""
    turn = Said([computer(press("l"), click(3, 4), call="a"), computer(press("n"), call="b")])
    played = desk.play(turn, DONE)

    assert played.last.outcome == "success"
    assert played.world.performed == [Key(("l",)), Click(3, 4), Key(("n",))]
    assert [item["call_id"] for item in desk.server.requests[1]["input"]] == ["a", "b"]


def test_end_within_a_turn(desk: Desk) -> None:
    """What is called before the end is carried out first, and the end ends the episode."""
    played = desk.play(Said([computer(press("n")), finish(), computer(press("x"))]))

    assert played.last.outcome == "success"
    assert played.world.performed == [Key(("n",))]


@pytest.mark.parametrize(
    ("status", "answer", "ending", "given"),
    [
        ("success", None, "success", None),
        ("success", "", "success", None),
        ("success", "98.6 °F", "answer", "98.6 °F"),
        ("failure", "no such patient", "failure", None),
        ("infeasible", None, "infeasible", None),
    ],
)
def test_ends(desk: Desk, status: str, answer: str | None, ending: str, given: str | None) -> None:
    """The function `finish` ends with a status or an answer."""
    played = desk.play(Said([finish(status, answer)]))
    assert (played.last.ending, played.last.answer) == (ending, given)


def test_second_episode(desk: Desk) -> None:
    """An agent that plays again remembers nothing of the episode before."""
    desk.server.script = [NOTE, DONE, NOTE, DONE]
    agent = desk.agent()

    outcomes = [desk.table.play(agent).last.outcome for _ in range(2)]

    assert outcomes == ["success", "success"]
    assert "previous_response_id" not in desk.server.requests[2]
    assert "have begun" not in api.words(desk.server.requests[2])


# Pictures


@pytest.mark.parametrize(
    ("model", "options", "size"),
    [
        (MODEL, {}, (1920, 1080)),
        (MODEL, {"image": {"long_edge": 960}}, (960, 540)),
        (PREVIEW, {}, (1366, 768)),
    ],
)
def test_image_size(desk: Desk, model: str, options: dict[str, Any], size: tuple[int, int]) -> None:
    """Pictures have the size that the tool is told and does not shrink; clicks on them are scaled back."""
    world = FakeEnvironment(ROWS, react, Size(1920, 1080))
    corner = click(size[0] - 1, size[1] - 1)
    call = single(corner) if model == PREVIEW else computer(corner)

    desk.play(Said([call]), DONE, world=world, model=model, **options)

    assert [list(api.pictures(body)) for body in desk.server.requests] == [[size], [size]]
    (clicked,) = world.performed
    assert 1918 <= clicked.x <= 1919
    assert 1078 <= clicked.y <= 1079
    assert f"{size[0]}x{size[1]} pixels" in desk.server.requests[0]["instructions"]
    if model == PREVIEW:
        tool = desk.server.requests[0]["tools"][0]
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

    answer, message = desk.server.requests[1]["input"]
    assert played.last.outcome == "success"
    assert answer["type"] == "computer_call_output"
    assert [part["type"] for part in message["content"]] == ["input_text", "input_image"]


def test_errors_are_told(desk: Desk) -> None:
    """What the environment refuses is told after the picture, with what was left undone; all calls are answered."""

    class Stuck(FakeEnvironment):
        async def perform(self, action: Action) -> ActionResult:
            return (
                ActionResult(error="the button is stuck")
                if isinstance(action, Click)
                else await super().perform(action)
            )

    turn = Said([computer(click(1, 1), press("x"), call="a"), finish(call_id="b")])
    played = desk.play(turn, NOTE, DONE, world=Stuck(ROWS, react))

    first, second, message = desk.server.requests[1]["input"]
    assert played.last.outcome == "success"
    assert (first["call_id"], second["call_id"]) == ("a", "b")
    assert "not carried out" in second["output"]
    assert "The action failed: the button is stuck" in message["content"][0]["text"]
    assert "The actions after it were not carried out." in message["content"][0]["text"]


def test_needs_pictures(desk: Desk) -> None:
    """An observation without pictures is refused at the start, with those that will do."""
    briefing = Briefing("do it", "dom", SCREEN, ("pointer",), 10)
    with pytest.raises(
        SettingError, match="needs screenshots; its observation is 'dom', but must be one of 'screenshot'"
    ):
        asyncio.run(desk.agent().start(briefing))


# Replies that cannot be understood

HOW = "act with the computer tool, or call finish with status and answer"


@pytest.mark.parametrize(
    ("items", "sentence"),
    [
        ([say("All done!")], f"it calls no tool; {HOW}"),
        ([api.refuse("I cannot help with that.")], r"it is a refusal \(I cannot help with that.\); act with"),
        ([think(), api.refuse("No."), computer(press("x"))], r"it is a refusal \(No.\)"),
        ([], "the reply is empty; act with"),
        ([think("Hm.")], "the reply is empty; act with"),
        ([computer()], "a computer_call holds no action"),
        (
            [computer({"type": "triple_click", "x": 1, "y": 1})],
            "unknown action 'triple_click'; known: click, double",
        ),
        (
            [computer(click(64, 1))],
            r"x=64 lies outside this screen's coordinates 0 to 63 \(this and what followed",
        ),
        ([finish(name="quit")], "there is no function 'quit'; the only one is finish"),
        ([finish(arguments="{")], "finish: the arguments are not valid JSON"),
        ([finish(arguments="[" * 100_000)], "finish: the arguments are not valid JSON"),
        (
            [finish(arguments='{"status": "done"}')],
            "terminate: status is 'done', but must be one of 'success'",
        ),
        ([finish(arguments='{"status": "success", "answer": 5}')], "finish: answer is text or null"),
        ([finish(arguments='{"status": "success", "note": "x"}')], "finish: give status, and answer or null"),
        (
            [{"type": "web_search_call", "id": "ws_1"}],
            "the reply holds 'web_search_call', an unknown tool",
        ),
        (["words"], "the reply holds an invalid item"),
        ([computer(press("x"), call_id=None)], "a computer_call has no call_id of its own"),
        (
            [computer(press("x"), call="a"), computer(press("x"), call="a")],
            "a computer_call has no call_id of its own",
        ),
        ([computer(press("x"), status="incomplete")], "a computer_call was cut off"),
        ([computer(press("x"), pending_safety_checks=[{}])], "a pending safety check has no id"),
        ([computer(press("x"), pending_safety_checks="no")], "pending_safety_checks is not a list"),
    ],
)
@pytest.mark.parametrize("state", ["server", "resend"])
def test_format_error_and_recovery(desk: Desk, state: str, items: list[Any], sentence: str) -> None:
    """What cannot be understood is told to the model and counted; nothing of it is done, and it may go on."""
    played = desk.play(Said(items), NOTE, DONE, state=state)

    assert played.last.outcome == "success"
    assert played.last.format_errors == 1
    assert played.world.performed == [Key(("n",))]
    error = steps(played)[0]["format_error"]
    assert re.search(sentence, error)
    assert error in api.words(desk.server.requests[1])
    assert len(list(api.pictures(desk.server.requests[1]))) >= 1


@pytest.mark.parametrize("state", ["server", "resend"])
def test_actions_before_a_mistake_count(desk: Desk, state: str) -> None:
    """A batch is carried out up to the action that is not understood, and the model is told so."""
    bad = {"type": "scroll", "x": 1, "y": 1, "scroll_x": 0}
    played = desk.play(Said([computer(press("n"), bad, press("x"))]), DONE, state=state)

    assert played.last.outcome == "success"
    assert played.world.performed == [Key(("n",))]
    assert "scroll lacks scroll_y (this and what followed it was not carried out)" in api.words(
        desk.server.requests[1]
    )


@pytest.mark.parametrize(
    "cut",
    [
        Said([think()], {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}),
        Said(
            [computer(press("x"), status="incomplete")],
            {"status": "incomplete", "incomplete_details": {"reason": ["odd"]}},
        ),
    ],
)
def test_cut_reply_begins_anew(desk: Desk, cut: Said) -> None:
    """After a reply that was cut off there is nothing to answer: a new conversation begins where things stand."""
    played = desk.play(NOTE, cut, DONE)

    third = desk.server.requests[2]
    assert played.last.outcome == "success"
    assert played.world.performed == [Key(("n",))]
    assert "previous_response_id" not in third
    assert "Task: " in api.words(third)
    assert 'the last actions you called were:\n{"type": "keypress", "keys": ["n"]}' in api.words(third)
    assert "the reply was cut off" in api.words(third)


def test_lockout(desk: Desk) -> None:
    """A model that never calls a tool is locked out, and this is graded."""
    assert desk.play(*[Said([say("Done.")])] * 5).last.outcome == "format_lockout"


def test_words_that_cannot_be_sent(desk: Desk) -> None:
    """Half a character in a reply is typed nowhere and breaks no later request."""
    text = {"type": "type", "text": "\ud83d"}
    played = desk.play(Said([say("\ud83d"), computer(text)]), NOTE, DONE, state="resend")

    assert played.last.outcome == "success"
    assert "lone surrogate" in steps(played)[0]["format_error"]


# Safety checks


def test_safety_denied(desk: Desk) -> None:
    """By default a safety check ends the episode before anything is done, with the check named."""
    played = desk.play(Said([computer(press("n"), checks=[CHECK])]))

    (step,) = steps(played)
    assert played.last.outcome == "gave_up"
    assert played.world.performed == []
    assert step["actions"][0]["reason"] == (
        "OpenAI asked for a confirmation, which was denied: malicious_instructions: The page gives orders."
    )
    assert [check["answer"] for check in step["raw"]["safety_checks"]] == ["denied"]


@pytest.mark.parametrize("state", ["server", "resend"])
def test_safety_acknowledged(desk: Desk, state: str) -> None:
    """Acknowledged checks are sent back as they came, of every call, and are recorded."""
    other = {"id": "cu_sc_2", "code": None, "message": None}
    turn = Said([computer(press("n"), checks=[CHECK, other]), computer(press("l"))])
    played = desk.play(turn, DONE, safety="ack", state=state)

    answers = [
        item for item in desk.server.requests[1]["input"] if item.get("type") == "computer_call_output"
    ]
    assert played.last.outcome == "success"
    assert answers[0]["acknowledged_safety_checks"] == [CHECK, other]
    assert "acknowledged_safety_checks" not in answers[1]
    assert [check["id"] for check in steps(played)[0]["raw"]["safety_checks"]] == ["cu_sc_1", "cu_sc_2"]
    assert steps(played)[1]["raw"]["safety_checks"] == []


def test_acknowledged_though_not_understood(desk: Desk) -> None:
    """A check is acknowledged also where its call was not understood; the server would not go on without."""
    turn = Said([computer(click(999, 1)), computer(press("x"), checks=[CHECK])])
    assert desk.play(turn, NOTE, DONE, safety="ack").last.outcome == "success"


@pytest.mark.parametrize(
    ("line", "outcome"), [("yes\n", "success"), ("Y", "success"), ("no\n", "gave_up"), ("", "gave_up")]
)
def test_safety_asked(desk: Desk, line: str, outcome: str) -> None:
    """A person is asked once for each check until one is denied; only a yes is a yes."""
    turn = Said([computer(press("n"), checks=[CHECK | {"message": "Bad \x1b[2Jpage"}, CHECK])])
    played = desk.play(turn, DONE, safety="ask", says=line)

    assert played.last.outcome == outcome
    assert len(desk.asked) == (2 if outcome == "success" else 1)
    assert (
        "OpenAI asks for a confirmation of what openai does (malicious_instructions: Bad  [2Jpage)"
        in desk.asked[0]
    )


def test_safety_without_a_terminal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody can be asked, the attempt is not graded, and what was spent is kept."""

    monkeypatch.setattr(safety, "Path", lambda name: Path("/nowhere") / name.strip("/"))
    desk.server.script = [Said([computer(press("n"), checks=[CHECK])])]
    agent = desk.agent(safety="ask")
    agent._ask = safety.ask_terminal
    played = desk.table.play(agent)

    assert played.last.outcome == "provider_error"
    assert played.last.error == 'safety = "ask" needs a terminal; run pytest in one, without -n'
    assert played.last.usage.tokens_in == 1000


# The conversation sent anew


def test_resent_history(desk: Desk) -> None:
    """Nothing is stored; the newest screenshots are sent, and turns before them become words."""
    turns = [Said([think(), computer({"type": "wait"}, call=f"c{number}")]) for number in range(5)]
    desk.play(*turns, DONE, state="resend", history=2)

    requests = desk.server.requests
    assert [len(list(api.pictures(body))) for body in requests] == [1, 2, 2, 2, 2, 2]
    assert all(body["store"] is False and "previous_response_id" not in body for body in requests)
    assert all("Task: " in api.words(body) for body in requests)
    kinds = [item.get("type", item.get("role")) for item in requests[4]["input"]]
    turn = ["reasoning", "computer_call", "computer_call_output"]
    assert kinds == ["user", *turn, *turn]
    assert [item["call_id"] for item in requests[4]["input"] if item.get("type") == "computer_call"] == [
        "c2",
        "c3",
    ]
    assert api.words(requests[4]).count('{"type": "wait"}') == 2
    assert requests[1]["input"][1]["encrypted_content"]


def test_reasoning_is_not_recorded(desk: Desk) -> None:
    """The record keeps a reply as plain data, without pictures, without encrypted reasoning, without the key."""
    played = desk.play(NOTE, DONE, state="resend")

    text = "".join(file.read_text() for file in played.run.folder.rglob("*.json*"))
    assert "computer_call" in text
    for secret in ("gAAAA", "base64", api.KEY):
        assert secret not in text


# Faults


@pytest.mark.parametrize(
    ("fault", "slept"),
    [
        (Fault(429, headers={"Retry-After": "7"}), 7.0),
        (Fault(429, headers={"retry-after-ms": "250"}), 0.25),
        (Fault(500), None),
        (Fault(503), None),
        (Fault(529), None),
        (Fault("cut"), None),
        (Fault("garbage"), None),
        (Fault("silent"), None),
        (Said([], {"status": "failed", "error": {"code": "server_error", "message": "oops"}}), None),
        (Said([], {"output": None}), None),
    ],
)
def test_fault_and_recovery(desk: Desk, fault: Fault | Said, slept: float | None) -> None:
    """What passes is tried again, after the time the server asks for, and the episode goes on where it was."""
    timeout = 2 if fault == Fault("silent") else 30
    played = desk.play(NOTE, fault, DONE, timeout=timeout)

    assert played.last.outcome == "success"
    assert len(desk.slept) == 1
    assert slept is None or desk.slept == [slept]
    assert desk.server.requests[1] == desk.server.requests[2]
    assert played.last.usage.tokens_in == (3000 if isinstance(fault, Said) else 2000)


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (Fault(400, "Bad thing."), "returned 400: the request is invalid (Bad thing.)"),
        (
            Fault(401, f"Wrong key {api.KEY}."),
            "returned 401: the key is invalid; check OPENAI_API_KEY (Wrong key",
        ),
        (Fault(403), "returned 403: the key has no access to the model 'gpt-6.1-sol'; check its permissions"),
        (
            Fault(404),
            "returned 404: the model 'gpt-6.1-sol' or the URL does not exist; check",
        ),
        (
            Fault(429, "You are out of money.", "insufficient_quota"),
            "(You are out of money.); check plan and billing",
        ),
        (
            Fault(400, "Gone.", "previous_response_not_found", "previous_response_id"),
            """(Gone.); set state = "resend" in the profile's options""",
        ),
        (
            Said([], {"status": "failed", "error": {"code": "invalid_prompt", "message": "flagged"}}),
            "gave up on a reply (invalid_prompt: flagged)",
        ),
    ],
)
def test_fault_for_good(desk: Desk, fault: Fault | Said, sentence: str) -> None:
    """What will not pass is explained in a sentence; neither the call nor the attempt is tried again.

    What is refused to the key, and not to the request alone, stops the run.
    """
    played = desk.play(NOTE, fault, attempts=3, prices={"input": 1, "output": 1})

    assert played.last.outcome == "provider_error"
    assert sentence in played.last.error
    assert played.last.error.startswith("the server at 127.0.0.1:")
    assert api.KEY not in played.last.error
    assert desk.slept == []
    assert (len(desk.server.requests), len(played.attempts)) == (2, 1)
    assert (played.stopped is not None) == any(word in sentence for word in ("key", "billing"))
    assert played.last.usage.tokens_in == (2000 if isinstance(fault, Said) else 1000)
    assert played.last.usage.cost > 0


def test_fault_without_end(desk: Desk) -> None:
    """A server that stays down is given up at the deadline; the sentence says how often it was tried."""
    played = desk.play(NOTE, *[Fault(500, headers={"Retry-After": "20"})] * 9, deadline=50)

    assert played.last.outcome == "provider_error"
    assert "tried 3 times within 50 s" in played.last.error
    assert desk.slept == [20, 20]


def test_nobody_there(desk: Desk) -> None:
    """A server that cannot be reached is named, and it is said what to check."""
    agent = desk.agent(url="http://user:secret@127.0.0.1:9/v1")

    async def call() -> None:
        await agent.start(Briefing("do it", "screenshot", SCREEN, ("pointer",), 10))
        try:
            await agent._request({"model": MODEL, "input": "hello"})
        finally:
            await agent.close()

    with pytest.raises(openai.APIConnectionError) as caught:
        asyncio.run(call())
    trouble = agent.explain(caught.value)
    assert trouble is not None
    assert trouble.again
    assert trouble.sentence.startswith("cannot connect to the server at 127.0.0.1:9 (ConnectError: ")
    assert "secret" not in trouble.sentence


def test_asked_before_its_start(desk: Desk) -> None:
    """An agent that was not started has no connection, and says so."""
    agent = desk.agent()
    agent.briefing = Briefing("do it", "screenshot", SCREEN, ("pointer",), 10)
    with pytest.raises(ProviderFailure, match="openai was called before its start"):
        asyncio.run(agent.decide(Observation(SCREEN, blank_png(SCREEN))))


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
    played = desk.play(DONE, model="gpt-4o", tool="computer")

    assert played.last.outcome == "provider_error"
    assert desk.server.refused == ["Tool 'computer' is not supported with gpt-4o."]
    desk.server.refused.clear()


def test_profile(server: Server) -> None:
    """The profile that is shipped makes an agent, and its model takes the new tool."""
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
        ({"colour": 1}, "unknown key options.colour"),
    ],
)
def test_wrong_options(server: Server, options: dict[str, Any], sentence: str) -> None:
    """A wrong option is named before anything is played."""
    with pytest.raises(SettingError, match=sentence):
        adapter.OpenAIAgent(Profile(adapter="openai", name="openai", model=MODEL, options=options))


# Actions

SPACE = CoordinateSpace.native(Size(640, 480))
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
        ({"type": "double_click", "x": 5, "y": 6}, [Click(5, 6, count=2)]),
        (
            {"type": "double_click", "x": 5, "y": 6, "keys": ["ALT"]},
            [Click(5, 6, count=2, modifiers=("alt",))],
        ),
        (
            {
                "type": "drag",
                "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}, {"x": 5, "y": 6}],
                "keys": ["SHIFT"],
            },
            [Drag(((1, 2), (3, 4), (5, 6)), modifiers=("shift",))],
        ),
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
            "click: button is 'middle', but must be one of left, right, wheel, back, for",
        ),
        (click(1, 1, button=["left"]), "click: button is"),
        (click(1, 1, count=3), "click takes no count"),
        (click("1", 1), "x=1 lies outside"),
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


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
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
        actions = tried("openai reply", lambda call=call: list(call.actions(SPACE)))
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


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        (
            {"input": [answer()], "tools": OLD_TOOLS, "truncation": "auto"},
            "Tool 'computer_use_preview' is not support",
        ),
        (
            {"input": [answer()], "model": PREVIEW},
            "Tool 'computer' is not supported with computer-use-preview.",
        ),
        (
            {"input": [answer()], "model": PREVIEW, "tools": OLD_TOOLS},
            "requires 'truncation' to be set to 'auto'",
        ),
        (
            {"input": [answer()], "tools": [{"type": "computer", "display_width": 4}]},
            r"Unknown parameter: 'tools\[0\]",
        ),
        ({"input": [answer()], "model": "gpt-99"}, "The requested model 'gpt-99' does not exist."),
        ({"input": [answer()], "extra_body": {"stop": "x"}}, "Unknown parameter: 'stop'."),
        ({"input": [ask()]}, "No tool output found for computer call c1."),
        ({"input": [answer("c2")]}, "No tool call found for computer call output with call_id c2."),
        ({"input": [answer(), answer()]}, "No tool call found for computer call output with call_id c1."),
        (
            {"input": [answer()], "previous_response_id": "resp_x"},
            "Previous response with id 'resp_x' not found.",
        ),
        (
            {"input": [answer(checks=())]},
            r"unacknowledged safety check for \['cu_sc_1'\]",
        ),
        ({"input": [answer(output={"type": "computer_screenshot"})]}, "Missing required parameter"),
        ({"input": [answer(output=SHOT | {"type": "input_image"})]}, "Invalid value: 'input_image'"),
        ({"input": [answer(output=SHOT | {"error": "no"})]}, "Unknown parameter"),
        ({"input": [answer(output=SHOT | {"detail": "sharp"})]}, "Invalid value: 'sharp'"),
        (
            {"input": [answer(output=SHOT | {"image_url": "data:image/png;base64,AAAA"})]},
            "not represent a valid image",
        ),
        (
            {"input": [answer(output=SHOT | {"image_url": IMAGE.replace("png", "jpeg")})]},
            "The image is data:image/png",
        ),
        ({"input": [answer(output=SHOT | {"image_url": IMAGE.replace("png", "bmp")})]}, "unsupported image"),
    ],
)
def test_server_refuses(server: Server, second: Item, sentence: str) -> None:
    """What the real API refuses, this one refuses, as the SDK's error of a bad request."""
    client = openai.OpenAI(api_key=api.KEY, base_url=server.url, max_retries=0)
    server.script = [Said([computer(press("a"), call="c1", checks=[CHECK])]), DONE]
    usual: dict[str, Any] = {"model": MODEL, "tools": TOOLS}
    first = client.responses.create(**usual, input=[ask()])
    with pytest.raises(openai.BadRequestError, match=sentence):
        client.responses.create(**usual | {"previous_response_id": first.id} | second)
    client.close()
