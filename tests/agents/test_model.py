"""What all models as players share: options, what was spent, money that is held and turns that are waited for."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents.base import Agent, Briefing, Decision
from pytest_cuabench.agents.models.budget import SpendLimit
from pytest_cuabench.agents.models.calls import Trouble, of_connection, of_status
from pytest_cuabench.agents.models.model import ModelAgent, ModelOptions
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import ActionError, BudgetSpent, EnvironmentFailure, ProviderFailure, SettingError
from pytest_cuabench.task.action import Key, Size
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.task.usage import Usage

SCREEN = Size(1280, 720)
PRICES = {"input": 1.0, "output": 10.0}
PRESS = Key(("n",))


class Fault(Exception):
    """The server's refusal; 0 is a cut connection."""

    def __init__(self, status: int, **headers: str) -> None:
        super().__init__(f"fault {status}")
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Robot(ModelAgent):
    """A model whose server plays a script: tokens in, out and cached, or an exception; each turn makes some calls."""

    server = "Robots"

    def __init__(self, *script: Any, calls: int = 1, tells: bool = True, **options: Any) -> None:
        profile = Profile(adapter="robot", name="robot", model="robot-1", key="ROBOT_KEY", options=options)
        super().__init__(profile, profile.read_options(ModelOptions))
        self.script = list(script)
        self.calls = calls
        self.tells = tells
        self.slept: list[float] = []
        self.sent = 0
        self._sleep = self._caller._sleep = self.skip

    async def skip(self, seconds: float) -> None:
        self.slept.append(seconds)

    def explain(self, error: Exception) -> Trouble | None:
        if not isinstance(error, Fault):
            return None
        if error.status == 0:
            return of_connection(self.server, error)
        return of_status(self.server, error.status, str(error), error.headers)

    def picture_limit(self) -> Limit:
        return Limit(long_edge=640)

    async def begin(self) -> None:
        """There is no conversation to begin."""

    async def ask(self) -> Any:
        self.sent += 1
        answer = self.script.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def turn(self, seen: Observation) -> Decision:
        for _ in range(self.calls):
            tokens = await self.call(self.ask)
            if self.tells:
                self.spend(*tokens)
        return Decision((PRESS,), "I press.", raw={"id": "1"})

    async def close(self) -> None:
        """There is no connection to close."""


async def started(agent: Robot, **briefing: Any) -> None:
    """Begin an episode."""
    await agent.start(replace(Briefing("Note Ada.", "screenshot", SCREEN, (), 5), **briefing))


def play(agent: Robot, decisions: int = 1, seen: Observation | None = None) -> list[Decision]:
    """Return an agent's decisions."""

    async def playing() -> list[Decision]:
        await started(agent)
        return [await agent.decide(seen or Observation(SCREEN)) for _ in range(decisions)]

    return asyncio.run(playing())


def test_it_is_an_agent() -> None:
    """A model is an agent, and its decision holds what its reply was read as."""
    agent: Agent = Robot((100, 10), prices=PRICES)
    (decision,) = play(agent)  # type: ignore[arg-type]
    assert replace(decision, waited=0.0) == Decision(
        (PRESS,), "I press.", Usage(100, 10, 0, 0.0002), raw={"id": "1"}
    )


def test_every_call_of_a_turn_is_counted() -> None:
    """A decision holds what all its calls took, and the next one begins at nothing."""
    first, second = play(Robot((100, 10), (200, 20, 50), (1, 1), (1, 1), calls=2, prices=PRICES), 2)
    assert first.usage == Usage(300, 30, 50, pytest.approx(0.0006))
    assert second.usage.tokens_in == 2


def test_an_unknown_price_stays_unknown() -> None:
    """Tokens are counted though nobody knows what they cost."""
    assert play(Robot((100, 10)))[0].usage == Usage(100, 10, 0, None)


@pytest.mark.parametrize("error", [Fault(401), KeyError("choices")])
def test_what_was_spent_before_a_failure_is_kept(error: Exception) -> None:
    """When the second call of a turn fails, or reading its reply does, the first one has been paid all the same."""
    with pytest.raises(ProviderFailure) as raised:
        play(Robot((100, 10), error, calls=2, prices=PRICES))
    assert raised.value.usage == Usage(100, 10, 0, 0.0002)


@pytest.mark.parametrize("tokens", [(100, 10), (0, 0)], ids=["after a reply", "before one"])
def test_a_bug_of_an_adapter_keeps_what_was_spent(tokens: tuple[int, int]) -> None:
    """What fails in reading a reply makes it one that cannot be read; before a reply it is the adapter's failure."""

    class Broken(Robot):
        async def turn(self, seen: Observation) -> Decision:
            await super().turn(seen)
            raise IndexError("list index out of range")

    problem = "agent 'robot' failed: IndexError: list index out of range"
    if tokens[1]:
        (decision,) = play(Broken(tokens, prices=PRICES))
        assert (decision.actions, decision.usage.cost) == ((), 0.0002)
        assert (decision.format_error, decision.raw) == ("it cannot be read (IndexError)", {"fault": problem})
    else:
        with pytest.raises(ProviderFailure, match=problem):
            play(Broken(tokens, prices=PRICES))


def test_errors_of_ours_pass() -> None:
    """What is no fault of the provider is not made one."""

    class Blind(Robot):
        async def turn(self, seen: Observation) -> Decision:
            self.picture(seen)
            raise ActionError("never reached")

    with pytest.raises(EnvironmentFailure, match="robot needs a screenshot"):
        play(Blind())


def test_waiting_is_told() -> None:
    """Seconds of failed tries and pauses are told, so that they are on no clock of the task."""
    agent = Robot(Fault(429, retry_after="7"), (1, 1))
    now = [0.0]

    async def pass_by(seconds: float) -> None:
        now[0] += seconds

    agent._caller._sleep, agent._caller._clock = pass_by, lambda: now[0]
    assert play(agent)[0].waited == 7


def test_sizes() -> None:
    """Pictures are sent at the size that the model takes, or that the profile says."""
    agent, small = Robot(), Robot(image={"long_edge": 320})
    asyncio.run(started(agent))
    asyncio.run(started(small))
    assert (agent.image_size, small.image_size) == ((640, 360), (320, 180))
    assert agent.pixels.to_screen(639, 359) == (1279, 719)


# Options


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"histroy": 3}, "unknown key options.histroy; known: deadline, history, image,"),
        ({"temperature": 9}, "options.temperature: input should be less than or equal to 2"),
        (
            {"image": {"long": 5}},
            "unknown key options.image.long; known: least, long_edge, pixels",
        ),
        ({"image": {"tile": 0}}, "options.image: long_edge, pixels, tile and least must be 1 or more"),
        ({"prices": {"input": 1}}, "options.prices.output is missing"),
        ({"deadline": float("inf")}, "options.deadline: input should be a finite number"),
        (
            {"requests_per_minute": 0},
            "options.requests_per_minute: input should be greater than or equal to 1",
        ),
        ({"safety": "yes"}, "options.safety: input should be 'deny', 'ack' or 'ask'"),
    ],
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    """A wrong option is one sentence that names the agent, the option and what is wrong."""
    with pytest.raises(SettingError) as raised:
        Robot(**options)
    assert str(raised.value).startswith(f"agent 'robot': {words}")


def test_no_model() -> None:
    """A profile of a model that names none is refused."""
    with pytest.raises(SettingError, match="has no model"):
        ModelAgent.__init__(Robot(), Profile(adapter="robot", name="robot"), ModelOptions())


# Money


def spend_limit_of(folder: Path, dollars: float) -> SpendLimit:
    """Return a spending limit."""
    return SpendLimit(folder / "spend_limit", dollars)


def test_nothing_is_sent_that_cannot_be_paid(tmp_path: Path) -> None:
    """A call whose worst case the spending limit does not cover is not sent; what was spent before is kept."""
    agent = Robot((1000, 900), (1000, 900), calls=2, prices=PRICES, max_tokens=1000)
    agent.set_spend_limit(spend_limit_of(tmp_path, 0.0215))
    with pytest.raises(BudgetSpent, match=r"spending limit reached: \$0\.0115 of \$0\.0215") as raised:
        play(agent)
    assert agent.sent == 1
    assert raised.value.usage == Usage(1000, 900, 0, 0.01)


def test_the_first_call_holds_instructions_and_the_longest_reply(tmp_path: Path) -> None:
    """Before anything is known, a call holds enough for tools, instructions, the picture and the longest reply."""
    spend_limit = spend_limit_of(tmp_path, 100)
    left: list[float] = []

    class Watching(Robot):
        async def ask(self) -> Any:
            left.append(spend_limit.left)
            return await super().ask()

    agent = Watching((1000, 100), (5000, 200), prices=PRICES, max_tokens=1000)
    agent.set_spend_limit(spend_limit)
    play(agent, 2, Observation(SCREEN, b"png", results=(ActionResult(image=b"png"),)))
    first, second = 100 - left[0], 100 - 0.002 - left[1]
    pictures = 2 * 640 * 360 / 400
    assert first == pytest.approx((10_000 + 1000 + len("Task: Note Ada.") + pictures) / 1e6 + 0.01)
    assert second == pytest.approx((1100 + 2000 + pictures) / 1e6 + 0.01, abs=1e-6)
    assert spend_limit.paid == pytest.approx(0.002 + 0.007)
    assert spend_limit.left == pytest.approx(100 - 0.009)


@pytest.mark.parametrize(
    ("script", "paid"),
    [
        ([Fault(503), (1000, 0)], 0.001),
        ([Fault(401)], 0.0),
        ([Fault(0), (1000, 0)], 0.001 + 0.021015),
        ([asyncio.CancelledError()], 0.021015),
    ],
    ids=["refused", "refused for good", "cut", "stopped"],
)
def test_what_failed_tries_cost(tmp_path: Path, script: list[Any], paid: float) -> None:
    """What the server refused is free; what it never answered counts at its worst case."""
    agent = Robot(*script, prices=PRICES, max_tokens=1000)
    spend_limit = spend_limit_of(tmp_path, 1)
    agent.set_spend_limit(spend_limit)
    try:
        play(agent)
    except (ProviderFailure, asyncio.CancelledError):
        assert len(script) == 1
    assert spend_limit.paid == pytest.approx(paid)
    assert spend_limit.left == pytest.approx(1 - paid)


def test_a_reply_that_tells_no_usage_counts_at_its_worst(tmp_path: Path) -> None:
    """A server that does not say what a call took is taken to have used all it could, and to have said as much."""
    agent = Robot((), (), tells=False, calls=2, prices=PRICES, max_tokens=1000)
    spend_limit = spend_limit_of(tmp_path, 1)
    agent.set_spend_limit(spend_limit)
    play(agent)
    assert spend_limit.paid == pytest.approx(0.021015 + 0.021015 + 0.001)
    assert spend_limit.left + spend_limit.paid == pytest.approx(1)


def test_a_reply_of_no_tokens_did_not_tell(tmp_path: Path) -> None:
    """No call takes no tokens at all: its cost is unknown, unless the model is free."""
    agent = Robot((0, 0), prices=PRICES, max_tokens=1000)
    spend_limit = spend_limit_of(tmp_path, 1)
    agent.set_spend_limit(spend_limit)
    assert play(agent)[0].usage == Usage(cost=None)
    assert spend_limit.paid == pytest.approx(0.021015)
    assert play(Robot((0, 0), prices={"input": 0, "output": 0}))[0].usage == Usage()


def test_money_that_is_spent_besides(tmp_path: Path) -> None:
    """What an adapter spends by a second model of its own is paid when the decision is made."""

    class Two(Robot):
        async def turn(self, seen: Observation) -> Decision:
            self._spent += Usage(10, 1, 0, 0.25)
            return await super().turn(seen)

    agent = Two((100, 10), prices=PRICES)
    spend_limit = spend_limit_of(tmp_path, 1)
    agent.set_spend_limit(spend_limit)
    play(agent)
    assert spend_limit.paid == pytest.approx(0.2502)


def test_an_adapter_says_how_long_a_reply_may_be(tmp_path: Path) -> None:
    """Where an adapter allows longer replies than the profile says, that is what is held."""

    class Thinking(Robot):
        @property
        def longest_reply(self) -> int:
            return 200_000

    agent = Thinking((100, 10), prices=PRICES)
    agent.set_spend_limit(spend_limit_of(tmp_path, 2))
    with pytest.raises(BudgetSpent):
        play(agent)


def test_a_model_of_unknown_price_takes_no_spend_limit(tmp_path: Path) -> None:
    """The sentence says how to give prices."""
    with pytest.raises(
        SettingError, match=r"the prices of robot-1 are unknown.*\[options\.prices\] input = "
    ):
        Robot().set_spend_limit(spend_limit_of(tmp_path, 1))


# Rate limits


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for what runs at the same time share."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("ROBOT_KEY", "sk-robot")


@pytest.mark.usefixtures("runtime")
def test_agents_with_one_key_wait_for_one_another() -> None:
    """Requests beyond the limit wait, and what was waited is told as waiting."""
    first, second = (Robot(*[(1, 1)] * 3, requests_per_minute=2) for _ in range(2))
    play(first, 2)
    now = [0.0]

    async def pass_by(seconds: float) -> None:
        now[0] += seconds

    second._sleep, second._caller._clock = pass_by, lambda: now[0]
    (decision,) = play(second)
    assert 50 < decision.waited <= 60
    assert first.slept == [0, 0]


@pytest.mark.usefixtures("runtime")
def test_tokens_are_settled_with_what_they_were() -> None:
    """A first guess is corrected by the truth, so that cheap calls do not wait."""
    agent = Robot(*[(100, 10)] * 5, tokens_per_minute=30_000)
    play(agent, 5)
    assert agent.slept == [0] * 5


@pytest.mark.usefixtures("runtime")
def test_a_limit_that_is_too_narrow() -> None:
    """When a call would wait longer than its deadline, it ends with a sentence on what to change."""
    agent = Robot(*[(1, 1)] * 3, requests_per_minute=1, deadline=30)
    with pytest.raises(ProviderFailure, match=r"allow no call within 30 s; use fewer workers"):
        play(agent, 2)
    assert agent.sent == 1


@pytest.mark.usefixtures("runtime")
def test_no_limit_no_file(tmp_path: Path) -> None:
    """Without a limit nothing is written."""
    play(Robot((1, 1)))
    assert list(tmp_path.iterdir()) == []
