"""What is true of every maker's model as an agent: whole episodes through the maker's SDK, against a strict server.

Each test is played by one model of each maker, and where it is about the conversation, in each way to keep one. Where
makers differ, a `Speaker` holds the difference. What only one maker has is tested in the file of that maker.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from small_world import ROWS, SCREEN, react

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.models import safety
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Action, Answer, Click, Key, Scroll, Size, Type
from pytest_cuabench.task.observation import ActionResult, Observation
from pytest_cuabench.testing import FakeEnvironment, blank_png

from .conductor import Concern, Status, Uncounted
from .desk import DONE, LOOK, NOTE, VARIABLE, Desk, records, steps, told
from .speakers import CLAUDES, GEMINIS, MAKERS, OPENAIS, PAIR, RESENT
from .speaking import OBJECTION, Speaker

PLAYERS = [speaker for speaker in MAKERS if speaker is not PAIR]
WAYS = [*MAKERS, RESENT]  # to keep a conversation
LOG = Key(("l",))
PRICES = {"input": 2, "output": 10, "cached": 0.1, "written": 4}
BRIEFING = Briefing("do it", "screenshot", SCREEN, ("pointer", "keyboard"), 10)
NOBODY = "http://127.0.0.1:9/v1"


@pytest.fixture(params=PLAYERS, ids=str)
def speaker(request: pytest.FixtureRequest) -> Speaker:
    """Each model in turn."""
    found: Speaker = request.param
    return found


@pytest.fixture
def desk(speaker: Speaker, seated: Callable[[Speaker], Desk]) -> Desk:
    """The desk with this model."""
    return seated(speaker)


every_way = pytest.mark.parametrize("speaker", WAYS, ids=str)
every_tool = pytest.mark.parametrize("speaker", [*WAYS, *CLAUDES[1:], *OPENAIS[1:], *GEMINIS[1:]], ids=str)
only_asking = pytest.mark.parametrize("speaker", [one for one in WAYS if one.asks], ids=str)


# Whole episodes


@every_tool
def test_success(desk: Desk) -> None:
    """A task is played to its end by a model that is told the task and sees the screen."""
    played = desk.play(NOTE, DONE)

    assert (played.last.outcome, played.last.steps, desk.refused) == ("success", 2, [])
    assert played.world.performed == [NOTE]
    assert "Note that Ada was seen." in told(desk.requests[0])
    assert len(desk.speaker.pictures(desk.requests[0])) == 1
    assert desk.speaker.pictures(desk.requests[1])


def test_answer(desk: Desk) -> None:
    """The answer that the model gives is the answer of the episode."""
    last = desk.play(NOTE, Answer("98.6 °F")).last
    assert (last.ending, last.answer, last.outcome) == ("answer", "98.6 °F", "success")


@every_way
def test_several_calls_a_turn(desk: Desk) -> None:
    """Actions of one turn are carried out in order, in one step."""
    played = desk.play((Click(3, 4), LOG, NOTE), DONE)

    assert (played.last.outcome, played.last.steps, desk.refused) == ("success", 2, [])
    assert played.world.performed == [Click(3, 4), LOG, NOTE]


@every_way
def test_an_end_within_a_turn(desk: Desk) -> None:
    """What is called before the end is carried out first; nothing is done after it."""
    played = desk.play((NOTE, DONE, Key(("x",))))

    assert (played.last.outcome, played.last.steps) == ("success", 1)
    assert played.world.performed == [NOTE]


@every_way
def test_a_second_episode_knows_nothing_of_the_first(desk: Desk) -> None:
    """An agent that plays again begins with the same request, also after a failure."""
    agent = desk.agent()
    assert desk.play(NOTE, Status(400), agent=agent).last.outcome == "gave_up"
    first = desk.requests[0]

    assert desk.play(NOTE, DONE, agent=agent).last.outcome == "success"
    assert desk.requests[0] == first


@every_way
def test_history(desk: Desk) -> None:
    """A request holds as many screenshots as the profile keeps; the conversation goes on without the older ones."""
    played = desk.play(*[LOG] * 3, NOTE, DONE, history=2, **desk.speaker.trimming)

    assert (played.last.outcome, desk.refused) == ("success", [])
    assert tuple(len(desk.speaker.pictures(body)) for body in desk.requests) == desk.speaker.shown


@every_tool
def test_pictures_of_documents(desk: Desk) -> None:
    """A document that an earlier phase found is shown with its pictures, before the first screen."""
    agent = desk.agent()
    desk.answer(DONE)
    found = replace(BRIEFING, documents=("How to note",), pictures=(blank_png(Size(8, 8)),))

    async def decided() -> None:
        await agent.start(found)
        await agent.decide(LOOK)
        await agent.close()

    asyncio.run(decided())
    assert desk.refused == []
    assert "How to note" in told(desk.requests[0])
    document, _screen = desk.speaker.pictures(desk.requests[0])
    assert document.size == (8, 8)


@every_way
def test_pictures_of_a_dry_run(desk: Desk) -> None:
    """Each request of an episode holds as many pictures as a dry run counts for it."""
    desk.play(*[LOG] * 6, NOTE, DONE, history=2)
    player = desk.agent(history=2)
    counted = [player.shown(call).pictures for call in range(len(desk.requests))]
    sent = [len(desk.speaker.pictures(body)) for body in desk.requests]
    kept = (
        "previous_response_id" in desk.requests[1]
    )  # by the server, which shows the model all of them again
    assert (list(accumulate(sent)) if kept else sent) == counted


@pytest.mark.parametrize(
    "speaker", [speaker for speaker in MAKERS if speaker in (*CLAUDES, *OPENAIS, *GEMINIS)], ids=str
)
def test_extras_are_the_same_for_all(desk: Desk) -> None:
    """With extras each maker's model may bring a tab to the front by our function; without, none is offered one."""
    briefing = Briefing("do it", "screenshot", SCREEN, ("pointer", "keyboard", "browser"), 10)
    desk.decide(DONE, briefing=briefing)
    assert "switch_tab" not in json.dumps(desk.requests[0])
    desk.decide(DONE, briefing=briefing, extras=True)
    assert all(f'"{name}"' in json.dumps(desk.requests[0]) for name in ("switch_tab", "close_tab"))
    assert desk.refused == []
    assert desk.agent(extras=True).action_space.endswith("with extras")


def test_smaller_pictures(desk: Desk) -> None:
    """Pictures have the size that the profile says, and a place on them is that place on the screen."""
    world = FakeEnvironment(ROWS, react, Size(1920, 1080))
    corners = Click(0, 0), Click(960, 540), Click(1919, 1079)

    played = desk.play(corners, (NOTE, DONE), world=world, image={"long_edge": 640})

    assert played.last.outcome == "success"
    assert {picture.size for body in desk.requests for picture in desk.speaker.pictures(body)} == {(640, 360)}
    for meant, clicked in zip(corners, world.performed, strict=False):
        assert abs(clicked.x - meant.x) <= 3
        assert abs(clicked.y - meant.y) <= 3


@every_way
def test_a_failed_action(desk: Desk) -> None:
    """What the environment refuses is told to the model once; what came after it in the turn is not done."""

    class Stuck(FakeEnvironment):
        async def perform(self, action: Action) -> ActionResult:
            stuck = isinstance(action, Click)
            return ActionResult(error="the button is stuck") if stuck else await super().perform(action)

    played = desk.play((LOG, Click(3, 4), Key(("x",))), NOTE, DONE, world=Stuck(ROWS, react))

    assert (played.last.outcome, played.last.counts.format_errors, desk.refused) == ("success", 0, [])
    assert played.world.performed == [LOG, NOTE]
    assert told(desk.requests[1]).count("the button is stuck") == 1


def test_what_a_page_says_in_broken_characters(desk: Desk) -> None:
    """Half a character among what is seen does not break the request."""

    class Broken(FakeEnvironment):
        async def observe(self, kind: Any) -> Observation:
            return Observation(SCREEN, LOOK.screenshot, notices=("a \ud800 b",))

    assert desk.play(NOTE, DONE, world=Broken(ROWS, react)).last.outcome == "success"


# What is not understood


@every_way
def test_useless_replies(desk: Desk) -> None:
    """A reply without anything to do is told to the model as what it is, and the episode goes on."""
    complaints = desk.speaker.complaints

    counted = len(complaints) - 1  # a refusal is told as well, but is no mistake in writing

    played = desk.play(LOG, *complaints, NOTE, DONE)

    assert (played.last.outcome, played.last.counts.format_errors, desk.refused) == ("success", counted, [])
    assert played.world.performed == [LOG, NOTE]
    for number, complaint in enumerate(complaints.values(), 1):
        error = steps(played)[number]["format_error"]
        assert complaint in error
        assert error in told(desk.requests[number + 1])
        assert desk.speaker.pictures(desk.requests[number + 1])


def test_lockout(desk: Desk) -> None:
    """A model whose replies cannot be read ends after five of them, and all its replies are counted."""
    last = desk.play("prose").last

    assert (last.outcome, last.steps, last.counts.format_errors) == ("format_lockout", 5, 5)


def test_refusals_are_no_lockout(desk: Desk) -> None:
    """A model that only refuses uses up its steps: it could write a refusal no other way."""
    last = desk.play("refusal").last
    assert (last.outcome, last.steps, last.counts.format_errors) == ("budget_exhausted", 10, 0)
    assert last.usage.tokens_in == 10 * desk.speaker.counted[0]


@every_way
def test_actions_before_a_mistake(desk: Desk) -> None:
    """Of a turn, what comes before a mistake is done, and nothing from it on; the model is told the mistake."""
    played = desk.play((LOG, Click(9999, 4), Key(("x",))), NOTE, DONE)

    assert (played.last.outcome, played.last.counts.format_errors, desk.refused) == ("success", 1, [])
    assert played.world.performed == [LOG, NOTE]
    assert steps(played)[0]["format_error"] in told(desk.requests[1])


@every_way
def test_impossible_actions(desk: Desk) -> None:
    """What no environment may be asked for is a format error each time, and breaks neither request nor record."""
    impossible = (
        Click(9999, 4),
        unchecked(Key, keys=("hyper",)),
        unchecked(Type, text="x" * 20_001),
        unchecked(Type, text="\ud800"),
        unchecked(Scroll, x=3, y=4, dy=10_000),
    )

    played = desk.play(*impossible[:3], LOG, *impossible[3:], NOTE, DONE)

    assert (played.last.outcome, played.last.counts.format_errors, desk.refused) == (
        "success",
        len(impossible),
        [],
    )
    assert played.world.performed == [LOG, NOTE]
    assert all(len(step["format_error"] or "") < 1100 for step in steps(played))


def unchecked(kind: type[Action], **values: Any) -> Action:
    """Return an action that its class would not let pass."""
    action = object.__new__(kind)
    for one in fields(kind):
        object.__setattr__(action, one.name, values.get(one.name, one.default))
    return action


# What the server does


def test_trouble_that_passes(desk: Desk) -> None:
    """Trouble that passes is waited for, as long as the server asks; it costs no step and no time of the task."""
    trouble = (Status(429, after=7), Status(500), Status(503), Status(529), "cut", "garbled")

    played = desk.play(Status(500), LOG, *trouble, NOTE, DONE)

    assert (played.last.outcome, played.last.steps, played.last.counts.format_errors) == ("success", 3, 0)
    assert len(desk.slept) == 1 + len(trouble)
    assert desk.slept[1] == 7
    assert played.last.seconds.waited == pytest.approx(sum(desk.slept), abs=1)
    assert all(body == desk.requests[2] for body in desk.requests[2:9])
    assert played.last.usage.tokens_in == 3 * desk.speaker.counted[0]


def test_silence(desk: Desk) -> None:
    """A server that says nothing is asked again after the timeout."""
    assert desk.play("silent", NOTE, DONE, timeout=0.3).last.outcome == "success"
    assert desk.slept


def test_silence_for_good(desk: Desk) -> None:
    """The sentence about a server that never answers says for how long it was silent."""
    last = desk.play("silent", timeout=0.05, deadline=2).last
    assert last.outcome == "provider_error"
    assert "did not reply within 0.05 s" in str(last.error)


@pytest.mark.parametrize("how", ["stalls", "cut"])
def test_a_reply_that_stops_in_the_middle(desk: Desk, how: str) -> None:
    """A reply that stalls, or whose connection breaks, is asked for again."""
    assert desk.play(how, NOTE, DONE, timeout=0.3).last.outcome == "success"
    assert desk.slept


def test_a_reply_that_drips(desk: Desk) -> None:
    """A reply of which a byte arrives now and then never times out, but the call's deadline ends it in a sentence."""
    last = desk.play(NOTE, "drips", timeout=0.5, deadline=2).last
    assert (last.outcome, last.steps, last.verdict) == ("provider_error", 1, None)
    assert "no complete reply within 2 s" in str(last.error)


@pytest.mark.parametrize(
    ("status", "said", "outcome"),
    [
        (400, "This model's maximum context length is 8192 tokens.", "budget_exhausted"),
        (413, "no", "budget_exhausted"),
        (422, "an odd message", "gave_up"),
        (404, "gone", "gave_up"),
        (451, "not here", "gave_up"),
        (400, "Your credit balance is too low.", "provider_error"),
    ],
)
def test_a_refusal_after_the_first_reply(desk: Desk, status: int, said: str, outcome: str) -> None:
    """Where a first request was accepted, a later one that is refused is graded; what the account lacks is not."""
    played = desk.play(NOTE, Status(status, said), attempts=3)
    assert (played.last.outcome, len(played.attempts)) == (
        "success" if outcome == "budget_exhausted" else outcome,
        1,
    )
    assert played.last.usage.tokens_in == desk.speaker.counted[0]
    assert ("--cua-observation" in str(played.last.error)) == ("maximum" in said)


def test_a_key_that_expires(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is refused after some steps stops the run in a sentence; what was used before is kept."""
    played = desk.play(NOTE, Status(401, "The key has expired."), attempts=3)
    assert f"returned 401: the key is invalid; check {VARIABLE}" in str(played.stopped)
    assert "has expired." in str(played.stopped)
    assert (played.last.outcome, played.last.steps, len(played.attempts)) == ("provider_error", 1, 1)
    assert played.last.usage.tokens_in == desk.speaker.counted[0]


@every_way
def test_a_fault_that_never_passes(desk: Desk) -> None:
    """A server that stays broken ends the attempt ungraded at the deadline; what was used before is kept."""
    last = desk.play(NOTE, Status(503, "No capacity.", after=20), deadline=50).last

    assert (last.outcome, last.steps, last.verdict) == ("provider_error", 1, None)
    assert "returned 503" in str(last.error)
    assert "No capacity." in str(last.error)
    assert "tried 3 times within 50 s" in str(last.error)
    assert desk.slept == [20, 20]
    assert last.usage.tokens_in == desk.speaker.counted[0]


@pytest.mark.parametrize(
    ("status", "sentence", "stops"),
    [
        (400, "returned 400: the request is invalid", False),
        (403, "returned 403: the key has no access to the model {model!r}", True),
        (404, "returned 404: the model {model!r} or the URL does not exist", False),
    ],
)
def test_a_refusal(desk: Desk, status: int, sentence: str, stops: bool) -> None:
    """What no other try can mend is said in one sentence, at once; what is refused to the key stops the run."""
    played = desk.play(Status(status, f"Key {desk.speaker.key}  is suspended."), attempts=3)

    error = str(played.last.error)
    assert (played.last.outcome, played.last.usage.tokens_in) == ("provider_error", 0)
    assert sentence.format(model=played.agent.model) in error
    assert "is suspended." in error
    assert desk.speaker.key not in error + records(played)
    assert (len(desk.requests), len(played.attempts), desk.slept) == (1, 1, [])
    assert (played.stopped is not None) == stops


def test_a_wrong_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong key is named by its variable, never by itself, and stops the run."""
    monkeypatch.setenv(VARIABLE, "sk-wrong-secret-1")

    played = desk.play(DONE, attempts=3)

    assert f"returned 401: the key is invalid; check {VARIABLE}" in str(played.stopped)
    assert str(played.stopped) == played.last.error
    assert "sk-wrong-secret-1" not in str(played.last.error) + records(played)
    assert (len(desk.refused), len(played.attempts), desk.slept) == (1, 1, [])


def test_no_key(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent whose key is not set is not made."""
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(SettingError, match=f"reads its key from {VARIABLE}, which is not set"):
        desk.agent()


def test_nobody_there(desk: Desk) -> None:
    """A server that cannot be reached is a provider's fault, and the sentence says where to look."""
    last = desk.play(DONE, url=NOBODY, deadline=2).last
    assert last.outcome == "provider_error"
    assert "cannot connect to" in str(last.error)
    assert "check url and network" in str(last.error)


def test_a_decision_is_cancelled(desk: Desk) -> None:
    """A decision that is cancelled ends at once; its agent can be closed, and plays again."""
    agent = desk.agent()
    desk.answer("silent")

    async def cancelled() -> None:
        await agent.start(BRIEFING)
        deciding = asyncio.create_task(agent.decide(LOOK))
        while not desk.requests:
            await asyncio.sleep(0.005)
        deciding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await deciding
        await agent.close()

    asyncio.run(cancelled())
    assert desk.play(NOTE, DONE, agent=agent).last.outcome == "success"


def test_closing_without_beginning(desk: Desk) -> None:
    """An agent that was never started can be closed, and twice."""
    agent = desk.agent()
    asyncio.run(agent.close())
    asyncio.run(agent.close())


# Tokens and records


def test_usage_and_cost(desk: Desk) -> None:
    """Tokens of all calls add up, those from and into a cache included, each at its price."""
    usage = desk.play(NOTE, DONE, prices=PRICES).last.usage

    read, wrote, cached, kept = desk.speaker.counted
    assert (usage.tokens_in, usage.tokens_out, usage.tokens_cached) == (2 * read, 2 * wrote, 2 * cached)
    one = (read - cached - kept) * 2 + cached * 0.1 + kept * 4 + wrote * 10
    assert usage.cost == pytest.approx(2 * one / 1e6)


def test_public_prices(desk: Desk) -> None:
    """Without prices of the profile's own the public ones count; a cost that nobody knows is unknown."""
    usage = desk.play(DONE, prices=None).last.usage
    assert usage.tokens_in == desk.speaker.counted[0]
    assert bool(usage.cost) == desk.speaker.listed


def test_no_usage(desk: Desk) -> None:
    """A server that counts no tokens is played all the same."""
    last = desk.play(Uncounted((NOTE,)), Uncounted((DONE,))).last
    assert (last.outcome, last.usage.tokens_in) == ("success", 0)


def test_the_record_is_plain_data(desk: Desk) -> None:
    """The record keeps the reply and what the model said beside its calls, but neither the key nor a picture."""
    played = desk.play(NOTE, DONE)

    assert steps(played)[0]["raw"]
    assert steps(played)[0]["thought"] == "I go on."
    assert desk.speaker.key not in records(played)
    assert "iVBOR" not in records(played)


# Options


def test_options_are_sent(desk: Desk) -> None:
    """Length, temperature and instructions of the profile are in the request."""
    options = {"max_tokens": 99, "temperature": desk.speaker.temperature, "system": "Be quick."}

    desk.play(DONE, **options)

    (request,) = desk.requests
    sent = [reduce(part, place.split("."), request) for place in desk.speaker.sent]
    assert (sent, desk.refused) == (list(options.values()), [])


def part(value: Any, name: str) -> Any:
    """Return a part of a request, None where it is not sent."""
    return value.get(name) if isinstance(value, dict) else value[int(name)]


def test_a_wrong_option(desk: Desk) -> None:
    """An option that does not exist is named when the agent is made."""
    with pytest.raises(SettingError, match=r"unknown key options\.histroy"):
        desk.agent(histroy=3)


# Questions of the maker's safety service


@only_asking
def test_safety_denied(desk: Desk) -> None:
    """By default a question ends the episode before anything is done, and is in the record."""
    played = desk.play(LOG, Concern((NOTE,)))

    assert (played.last.outcome, played.world.performed) == ("gave_up", [LOG])
    raw = json.dumps(steps(played)[1]["raw"])
    assert OBJECTION in raw
    assert '"answer": "denied"' in raw


@only_asking
def test_safety_acknowledged(desk: Desk) -> None:
    """With `ack` the action is carried out, the server is told so, and the question is in the record."""
    played = desk.play(Concern((NOTE, LOG)), DONE, safety="ack")

    assert (played.last.outcome, desk.refused) == ("success", [])
    assert '"answer": "acknowledged"' in json.dumps(steps(played)[0]["raw"])


@only_asking
@pytest.mark.parametrize(
    ("line", "outcome"), [("yes\n", "success"), ("Y", "success"), ("no\n", "gave_up"), ("", "gave_up")]
)
def test_safety_asked(desk: Desk, line: str, outcome: str) -> None:
    """With `ask` a person reads the question and decides; only a yes is a yes."""
    asked: list[str] = []

    played = desk.play(
        Concern((NOTE,)), DONE, safety="ask", ask=lambda question: asked.append(question) or line
    )

    assert (played.last.outcome, len(asked)) == (outcome, 1)
    assert OBJECTION in asked[0]


@only_asking
def test_safety_without_a_terminal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody can be asked the attempt is not graded, and what was used is kept."""
    monkeypatch.setattr(safety, "Path", lambda name: Path("/nowhere") / name.strip("/"))

    last = desk.play(Concern((NOTE,)), safety="ask").last

    assert last.outcome == "provider_error"
    assert last.error == 'safety = "ask" needs a terminal; run pytest in one, without -n'
    assert last.usage.tokens_in == desk.speaker.counted[0]
