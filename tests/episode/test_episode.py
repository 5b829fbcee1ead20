"""One attempt from reset to verdict: how it may end, what it may cost, what is told and what is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from small_world import ROWS, SECRET, FakeClock, Table, check, make_task, make_world, press, react

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.episode import clocks
from pytest_cuabench.errors import CheckerFailure, EnvironmentFailure, Leaked, ProviderFailure
from pytest_cuabench.ledger.record import Recorder, read_steps
from pytest_cuabench.task.action import Answer, CallUser, Click, Key, Move, Terminate, Type, Wait
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import Box, Node, Observation
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Milestone, Violation
from pytest_cuabench.testing import FakeEnvironment, ScriptedAgent

DONE, FAILED, CANNOT = Terminate("success"), Terminate("failure"), Terminate("infeasible")
NOTHING = Move(1, 1)
HANG = 0.05  # seconds until something that hangs counts as broken


class Game(FakeEnvironment):
    """A world that is over with the first write."""

    async def state(self) -> State:
        return replace(await super().state(), ended=bool(self.journal))


class Bad(ScriptedAgent):
    """A scripted agent some of whose methods are replaced."""

    def __init__(self, script: Any = (DONE,), **methods: Callable[..., Any]) -> None:
        super().__init__(script)
        for name, method in methods.items():
            setattr(self, name, method)


async def hang(*arguments: Any) -> Any:
    """Never return."""
    await asyncio.Event().wait()


async def timeout(*arguments: Any) -> Any:
    """Fail as a client does whose own deadline has passed."""
    raise TimeoutError("the client's own deadline")


async def cancelled(*arguments: Any) -> Any:
    """Fail as a part of the other side does that is cancelled from within."""
    raise asyncio.CancelledError


async def bug(*arguments: Any) -> Any:
    """Fail as code does that has a mistake."""
    raise ZeroDivisionError("a mistake")


# How an attempt ends


@pytest.mark.parametrize(
    ("script", "outcome", "ending", "steps"),
    [
        ([press("n"), DONE], "success", "success", 2),
        ([press("n"), Answer("42")], "success", "answer", 2),
        ([NOTHING, DONE], "failure", "success", 2),
        ([Answer("42")], "failure", "answer", 1),
        ([press("n"), FAILED], "gave_up", "failure", 2),
        ([FAILED], "gave_up", "failure", 1),
        ([CANNOT], "infeasible_declared", "infeasible", 1),
        ([NOTHING], "budget_exhausted", "budget", 10),
        ([press("n"), NOTHING], "success", "budget", 10),
        ([press("x"), DONE], "violation", "violation", 1),
        ([press("n"), press("x"), DONE], "violation", "violation", 2),
        ([Decision(format_error="no JSON")], "format_lockout", "lockout", 5),
        ([press("n"), Decision(format_error="no JSON")], "success", "lockout", 6),
        ([press("b")], "broke_environment", "broke", 1),
        ([press("e")], "broke_environment", "broke", 1),
        ([NOTHING, ProviderFailure("no credit")], "provider_error", "broke", 1),
        ([ZeroDivisionError("a mistake")], "provider_error", "broke", 0),
    ],
)
def test_outcome(table: Table, script: list[Any], outcome: str, ending: str, steps: int) -> None:
    """An attempt's outcome follows from what was done, and its ending from what ended it."""
    last = table.play(script).last
    assert (last.outcome, last.ending) == (outcome, ending)
    assert last.steps == steps
    assert (last.verdict is not None) == last.result.graded
    assert (last.error is None) == (ending != "broke")


def test_success_with_an_unrelated_change(table: Table) -> None:
    """What the check does not mind does not matter to the outcome."""
    assert table.play([press("l"), press("n"), DONE]).last.outcome == "success"


def test_agent_is_told_of_nothing_judged(table: Table) -> None:
    """Neither briefing nor observations hold what the task is judged by, at any depth."""
    script = [
        press("n"),
        Decision(format_error="x"),
        Click(999, 1),
        CallUser("what is expected?"),
        press("x"),
        DONE,
    ]
    played = table.play(script, attempts=1)
    assert len(played.agent.observations) == 5
    told = repr(played.agent.briefing) + "".join(map(repr, played.agent.observations))
    for judged in (
        SECRET,
        "noted",
        "a note for Ada",
        "patient_identity",
        "a note was written",
        "milestone",
        "score",
    ):
        assert judged not in told
    assert SECRET in (played.folder() / "case.json").read_text()
    fields = {
        "goal",
        "observation",
        "screen",
        "capabilities",
        "max_steps",
        "documents",
        "pictures",
        "phase",
        "scripts",
    }
    assert set(Briefing.__dataclass_fields__) == fields
    assert all(type(seen) is Observation for seen in played.agent.observations)


def test_briefing(table: Table) -> None:
    """The agent is told the goal, the screen, what works there, and its budget of steps."""
    briefing = table.play([DONE], steps=7).agent.briefing
    assert briefing == Briefing(
        "Sit down. Note that Ada was seen.", "screenshot", (64, 48), ("pointer", "keyboard"), 7
    )


# Batches, answers, and what the agent is told


def test_batch_in_one_step(table: Table) -> None:
    """The actions of a decision are carried out in order, in one step, and their results are shown together."""
    played = table.play([Decision((Move(1, 1), Click(2, 2), Key(("n",)))), DONE])
    assert played.world.performed == [Move(1, 1), Click(2, 2), Key(("n",))]
    assert played.last.steps == 2
    assert [result.error for result in played.agent.observations[1].results] == [None, None, None]


def test_batch_stops_at_first_error(table: Table) -> None:
    """After an action that the screen refuses the rest of a batch is not carried out; the agent is told why."""
    played = table.play([Decision((Move(1, 1), Click(999, 1), Key(("n",)))), DONE])
    assert played.world.performed == [Move(1, 1)]
    errors = [result.error for result in played.agent.observations[1].results]
    assert errors == [None, "click: (999, 1) lies outside the 64x48 screen"]
    assert played.last.outcome == "failure"
    assert [result["error"] for result in read_steps(played.folder())[0]["results"]] == errors


def test_results_are_of_the_last_decision(table: Table) -> None:
    """An observation shows the results of the last decision only."""
    played = table.play([Click(999, 1), NOTHING, DONE])
    assert [len(seen.results) for seen in played.agent.observations] == [0, 1, 1]
    assert played.agent.observations[2].results[0].error is None


def test_first_answer_counts(table: Table) -> None:
    """There is no second answer, neither in a batch nor later."""
    played = table.play([Decision((Answer("first"), Answer("second"))), Answer("third")])
    assert (played.last.answer, played.last.steps) == ("first", 1)


def test_nothing_is_carried_out_after_the_end(table: Table) -> None:
    """Actions that stand behind an answer or an end are not carried out."""
    for end in (Answer("42"), DONE, FAILED):
        played = table.play([Decision((Key(("n",)), end, Key(("x",)), Answer("later")))])
        assert played.world.performed == [Key(("n",))]
        assert played.last.verdict is not None
        assert played.last.verdict.violations == ()
    assert played.last.answer is None


def test_nobody_is_there_to_call(table: Table) -> None:
    """An agent that asks the user is told that nobody is there, and goes on, within a batch, too."""
    played = table.play([Decision((CallUser("who?"), Key(("n",)))), DONE])
    assert [r.text for r in played.agent.observations[1].results] == [
        "No user is present; go on by yourself.",
        None,
    ]
    assert played.last.outcome == "success"


def test_format_errors_are_told_and_counted(table: Table) -> None:
    """A reply that was not understood costs a step, is told to the agent in the next observation, and counted."""
    played = table.play([Decision(format_error="no JSON"), Decision(), press("n"), DONE])
    assert [seen.notices for seen in played.agent.observations] == [
        (),
        ("Your last reply was not understood: no JSON",),
        ("Your last reply was not understood: the reply holds no action",),
        (),
    ]
    assert (played.last.counts.format_errors, played.last.steps, played.last.outcome) == (2, 4, "success")


def test_lockout_is_for_errors_in_a_row(table: Table) -> None:
    """Four replies that are not understood are forgiven when the next one is; five in a row are not."""
    bad = Decision(format_error="no JSON")
    forgiven = table.play([bad] * 4 + [press("l")] + [bad] * 4 + [press("n"), DONE], steps=20).last
    assert (forgiven.outcome, forgiven.counts.format_errors, forgiven.steps) == ("success", 8, 11)
    locked = table.play([bad] * 4 + [Decision()], steps=20).last
    assert (locked.outcome, locked.counts.format_errors, locked.steps) == ("format_lockout", 5, 5)


def test_nothing_is_carried_out_after_the_lockout(table: Table) -> None:
    """The reply that locks an agent out does nothing any more."""
    played = table.play([Decision((Key(("l",)),), format_error="half of it")])
    assert len(played.world.performed) == 4
    assert played.last.outcome == "format_lockout"


def test_notices_of_the_world_are_kept(table: Table) -> None:
    """What the environment has to say is shown beside what this loop has to say."""

    class Talking(FakeEnvironment):
        async def observe(self, kind: Any) -> Observation:
            return replace(await super().observe(kind), notices=("a dialog closed",))

    played = table.play([Decision(), DONE], world=Talking(ROWS, react))
    assert played.agent.observations[1].notices == (
        "Your last reply was not understood: the reply holds no action",
        "a dialog closed",
    )


# Budgets and clocks


def test_budget_of_steps(table: Table) -> None:
    """An agent is asked no more often than its budget allows; the last decision is still carried out."""
    played = table.play([NOTHING, NOTHING, press("n")], steps=3)
    assert (played.last.steps, played.last.ending, played.last.outcome) == (3, "budget", "success")
    assert len(played.agent.observations) == played.last.counts.max_steps == 3


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    """The episode's clock, which goes by hand."""
    clock = FakeClock()
    monkeypatch.setattr(clocks, "time", clock)
    return clock


def timed(clock: FakeClock, script: list[Any], thinking: float = 0, acting: float = 0, **more: float) -> Any:
    """Return an agent and a world that take their time."""
    agent, world = Bad(script), make_world()
    agent.decide = clock.passing(thinking, agent.decide)  # type: ignore[method-assign]
    world.perform = clock.passing(acting, world.perform)  # type: ignore[method-assign]
    for name, seconds in more.items():
        setattr(world, name, clock.passing(seconds, getattr(world, name)))
    return agent, world


def test_budget_of_seconds(table: Table, clock: FakeClock) -> None:
    """World and model time together end an episode; both are recorded."""
    agent, world = timed(clock, [NOTHING], thinking=3, acting=2)
    last = table.play(agent, world=world, seconds=9).last
    assert (last.outcome, last.steps) == ("budget_exhausted", 2)
    assert (last.seconds.model, last.seconds.world) == (6, 4)


def test_reset_is_not_on_the_task(table: Table, clock: FakeClock) -> None:
    """The time that a world takes to get ready is recorded, and is not the agent's."""
    agent, world = timed(clock, [press("n"), DONE], thinking=1, reset=80)
    last = table.play(agent, world=world, seconds=9).last
    assert (last.outcome, last.seconds.reset, last.seconds.total) == ("success", 80, 82)


def test_waiting_is_not_on_the_task(table: Table, clock: FakeClock) -> None:
    """Back-off that an agent reports is recorded as waited, and is not counted against its time."""
    slow = [Decision((NOTHING,), waited=29.0)] * 3 + [press("n"), Decision((DONE,), waited=29.0)]
    agent, world = timed(clock, slow, thinking=30)
    last = table.play(agent, world=world, seconds=40).last
    assert (last.outcome, last.steps) == ("success", 5)
    assert (last.seconds.waited, last.seconds.model) == (116, 150)


def test_batch_ends_with_the_budget(table: Table, clock: FakeClock) -> None:
    """A batch does not go on when the time has run out."""
    agent, world = timed(clock, [Decision((Wait(5.0),) * 100)], acting=5)
    last = table.play(agent, world=world, seconds=12).last
    assert (last.outcome, last.steps, last.seconds.world) == ("budget_exhausted", 1, 15)


def test_step_seconds_are_the_worlds(table: Table, clock: FakeClock) -> None:
    """The time of a step is that of the world, without the agent's thinking."""
    agent, world = timed(clock, [NOTHING, DONE], thinking=30, acting=2, observe=1)
    last = table.play(agent, world=world, seconds=100).last
    assert last.cost.step_seconds == (3, 1)
    assert last.seconds.world == 5  # with the look at the end


def test_an_episode_ends_when_its_money_is_spent(table: Table) -> None:
    """No decision is asked for once the decisions before have cost the budget; an unknown price ends nothing."""
    step = Decision((NOTHING,), usage=Usage(cost=0.25))
    last = table.play([step] * 9, dollars=0.5).last
    assert (last.ending, last.steps, last.counts.actions) == ("budget", 2, 2)
    unknown = Decision((NOTHING,), usage=Usage(cost=None))
    assert table.play([unknown] * 4, dollars=0.5, steps=4).last.steps == 4


def test_usage_is_added_up(table: Table) -> None:
    """Tokens and money of all decisions are summed; an unknown price makes the sum unknown."""
    step = Decision((NOTHING,), usage=Usage(10, 2, 1, 0.25))
    assert table.play([step, replace(step, actions=(DONE,))]).last.usage == Usage(20, 4, 2, 0.5)
    unknown = Decision((DONE,), usage=Usage(10, 2, 1, None))
    assert table.play([step, unknown]).last.usage == Usage(20, 4, 2, None)


# Harm


def test_committed_critical_harm_ends_the_episode(table: Table) -> None:
    """After harm that nothing can mend the agent is not asked again, and the rest of the step still counts."""
    played = table.play([press("x", "n"), press("u"), DONE])
    assert (played.last.ending, played.last.steps) == ("violation", 1)
    assert played.last.verdict is not None
    assert (played.last.verdict.completed, played.last.verdict.reward) == (True, 0.0)


def test_undone_harm_is_remembered(table: Table) -> None:
    """Harm that was undone within the same step has been done."""
    played = table.play([press("x", "u"), press("n"), DONE])
    assert played.last.outcome == "violation"
    after = json.loads((played.folder() / "after.json").read_text())
    assert after["collections"]["notes"] == {}
    assert [write["op"] for write in after["journal"]] == ["insert", "delete"]


@pytest.mark.parametrize(("severity", "committed"), [("critical", False), ("major", True), ("minor", True)])
def test_other_harm_does_not_end_the_episode(table: Table, severity: Any, committed: bool) -> None:
    """Harm that is not committed or not critical lets the agent go on, and is judged at the end."""

    def judging(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        yield Milestone("noted", bool(evidence.after.rows("notes", patient="A")), 1.0)
        for write in evidence.journal:
            if write.row.get("patient") == "B":
                yield Violation("data_accuracy", severity, "notes", "a note for Bo", committed=committed)

    last = table.play([press("x"), press("n"), DONE], task=make_task(check=judging)).last
    assert (last.steps, last.ending, last.outcome) == (3, "success", "violation")


def test_mended_harm_that_is_not_committed(table: Table) -> None:
    """Harm that is judged by what is true at the end may be mended."""

    def judging(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        yield Milestone("noted", bool(evidence.after.rows("notes", patient="A")), 1.0)
        if evidence.after.rows("notes", patient="B"):
            yield Violation("patient_identity", "critical", "notes", "a note for Bo")

    task = make_task(check=judging)
    assert table.play([press("x"), press("u"), press("n"), DONE], task=task).last.outcome == "success"
    assert table.play([press("x"), press("n"), DONE], task=task).last.outcome == "violation"


# What the task is judged by


def test_already_achieved(table: Table) -> None:
    """A task that is true before the agent did anything is a fault of the suite: not played, not tried again."""
    world = FakeEnvironment({**ROWS, "notes": {"1": {"patient": "A"}}}, react)
    played = table.play([DONE], world=world, attempts=3)
    assert played.last.outcome == "checker_error"
    assert played.last.error == "desk/note-intent is already solved before the agent's first step"
    assert len(played.attempts) == world.resets == 1
    assert played.agent.briefing is None


def test_evidence_at_the_end(table: Table) -> None:
    """The check is given the answer, the ending, and the world before and after."""
    seen: list[Evidence] = []

    def judging(evidence: Evidence, case: Case) -> Iterator[Milestone | Violation]:
        seen.append(evidence)
        yield from check(evidence, case)

    table.play([press("n"), Answer("42")], task=make_task(check=judging))
    assert [evidence.ending for evidence in seen] == ["running", "running", "answer"]
    assert [evidence.answer for evidence in seen] == [None, None, "42"]
    assert [change.op for change in seen[-1].changes] == ["insert"]
    assert seen[-1].before.rows("notes") == []


@pytest.mark.parametrize(
    "broken",
    [
        {"case": lambda state, chance: {}[0]},
        {"goals": {"intent": ("{nobody}",)}},
        {"check": lambda evidence, case: 1 / 0},
        {"check": lambda evidence, case: [Milestone("a", False, 0.5)]},
        {"check": lambda evidence, case: [Milestone("a", bool(evidence.journal[0]), 1.0)]},
    ],
)
def test_broken_task(table: Table, broken: dict[str, Any]) -> None:
    """A task that cannot be built or judged is no failure of the agent, and trying again would not help."""
    played = table.play([press("n"), DONE], task=make_task(**broken), attempts=3)
    assert played.last.outcome == "checker_error"
    assert played.last.error is not None
    assert played.last.error.startswith(
        ("desk/note", "cannot create the case of desk/note", "cannot judge desk/note")
    )
    assert len(played.attempts) == 1
    assert played.agent.closed == 1


def test_check_that_breaks_later(table: Table) -> None:
    """A check that breaks on what the agent did is graded, as a failure: no agent may void its own attempt."""

    def judging(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("a", False, 1.0 if not evidence.journal else 1 / 0)

    last = table.play([press("n"), DONE], task=make_task(check=judging)).last
    assert (last.outcome, last.error) == ("failure", None)
    assert last.verdict is not None
    assert "ZeroDivisionError: division by zero" in last.verdict.milestones[0].seen


def test_commits(table: Table) -> None:
    """Steps that wrote to what is judged, or answered, are commits; harmless writes are none."""
    script = [NOTHING, press("l"), press("n"), NOTHING, Answer("42")]
    assert table.play(script).last.end.commits == (2, 4)


def test_commits_of_harmless_writes(table: Table) -> None:
    """Where nothing else was written there is no commit."""
    assert table.play([NOTHING, press("l"), NOTHING, DONE]).last.end.commits == ()


def test_commits_before_the_first_write(table: Table) -> None:
    """Where nothing was written yet, a step that the world only noted as seen is no commit."""

    class Looking(FakeEnvironment):
        async def revision(self) -> int:
            return await super().revision() + len(self.performed)

    assert table.play([press("v"), press("n"), DONE], world=Looking(ROWS, react)).last.end.commits == (1,)


def test_commits_of_looking(table: Table) -> None:
    """A harmless write that the score depends on, such as that something was looked at, is a commit."""

    def looked(evidence: Evidence, case: Case) -> Iterator[Milestone]:
        yield Milestone("looked", bool(evidence.after.rows("log")), 1.0)

    task = make_task(check=looked)
    assert table.play([press("n"), press("l"), press("l"), DONE], task=task).last.end.commits == (0, 1)


def test_commits_of_a_world_without_journal(table: Table) -> None:
    """In a world that cannot tell its writes, every step that changed it is a commit."""

    class Silent(FakeEnvironment):
        async def state(self) -> Any:
            return replace(await super().state(), journal=(), journaled=False)

    assert table.play([NOTHING, press("n"), DONE], world=Silent(ROWS, react)).last.end.commits == (1,)


def test_world_that_cannot_tell_its_revision(table: Table) -> None:
    """Without a revision nothing is judged on the way, and all of it at the end."""

    class Unknowing(FakeEnvironment):
        async def revision(self) -> Any:
            return None

    last = table.play([press("x"), press("n"), DONE], world=Unknowing(ROWS, react)).last
    assert (last.steps, last.outcome) == (3, "violation")


def test_writes_before_the_start_do_not_count(table: Table) -> None:
    """What was written while the world got ready is no deed of the agent."""

    class Prepared(FakeEnvironment):
        async def reset(self, instance: Instance) -> None:
            await super().reset(instance)
            self.write("notes", "0", patient="B", text="from last week")

    last = table.play([press("l"), press("n"), DONE], world=Prepared(ROWS, react)).last
    assert (last.outcome, last.end.commits) == ("success", (1,))


# Infrastructure failures


def test_environment_failure_is_tried_again(table: Table) -> None:
    """An attempt whose world broke is played again on a fresh world, as often as allowed; each is kept."""
    played = table.play([press("f", "n"), DONE], attempts=3)
    assert [(a.number, a.outcome, a.error) for a in played.attempts] == [
        (1, "environment_error", "the desk shook"),
        (2, "success", None),
    ]
    assert table.told == played.attempts
    assert (played.world.resets, played.agent.closed) == (4, 2)  # with two controls
    assert played.folder(1).is_dir()
    assert (played.folder(2) / "verdict.json").is_file()
    assert not (played.folder(1) / "verdict.json").exists()


@pytest.mark.parametrize(("attempts", "played"), [(1, 1), (3, 3)])
def test_attempts_are_bounded(table: Table, attempts: int, played: int) -> None:
    """A world that breaks every time is not tried more often than allowed."""
    world = make_world()
    world.observe = bug  # type: ignore[method-assign]
    done = table.play([NOTHING], world=world, attempts=attempts)
    assert len(done.attempts) == done.world.resets == played
    assert done.last.outcome == "environment_error"
    assert done.last.error == "observing the screen failed: ZeroDivisionError: a mistake"


@pytest.mark.parametrize("script", [[DONE], [press("x")], [FAILED], [Decision()]])
def test_graded_attempts_are_not_tried_again(table: Table, script: list[Any]) -> None:
    """What the agent did wrong it did; there is no second chance."""
    assert len(table.play(script, attempts=3).attempts) == 1


@pytest.mark.parametrize("method", ["reset", "observe", "perform", "settle", "revision", "state", "activity"])
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        (hang, "took more than 0.05 s"),
        (bug, "failed: ZeroDivisionError: a mistake"),
        (timeout, "failed: TimeoutError: the client's own deadline"),
        (cancelled, "was cancelled by its own code"),
    ],
)
def test_broken_environment(table: Table, method: str, how: Any, sentence: str) -> None:
    """Whatever the environment does not do, or does not do in time, is its own error, and says what was awaited."""
    world = make_world()
    setattr(world, method, how)
    last = table.play([press("n"), DONE], world=world, reset=HANG, action=HANG).last
    assert last.outcome == "environment_error"
    assert last.error is not None
    assert last.error.endswith(sentence)
    assert last.error.split()[0] in ("resetting", "observing", "carrying", "waiting", "reading")


def test_long_actions_may_take_long(table: Table) -> None:
    """A legal action never runs out of time because its text is long."""
    world = make_world()
    perform = world.perform

    async def slow(action: Any) -> Any:
        await asyncio.sleep(10 * HANG)
        return await perform(action)

    world.perform = slow  # type: ignore[method-assign]
    long, short = Type("x" * 100), Type("x")
    assert table.play([Decision((long,)), DONE], world=world, action=HANG).last.error is None
    error = table.play([Decision((short,)), DONE], world=world, action=HANG).last.error
    assert str(error).startswith(f"carrying out type took more than {HANG + short.extra_seconds():g} s")


@pytest.mark.parametrize("method", ["start", "decide"])
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        (hang, "took more than 0.05 s"),
        (bug, "failed: ZeroDivisionError: a mistake"),
        (timeout, "failed: TimeoutError: the client's own deadline"),
        (cancelled, "was cancelled by its own code"),
    ],
)
def test_broken_agent(table: Table, method: str, how: Any, sentence: str) -> None:
    """Whatever the agent does not do, or does not do in time, is its own error: graded, once, and it is closed."""
    played = table.play(Bad(**{method: how}), decision=HANG, attempts=2)
    assert (played.last.outcome, len(played.attempts)) == ("gave_up", 1)
    assert played.last.error is not None
    assert played.last.error.endswith(sentence)
    assert played.last.error.startswith(("starting the agent", "waiting for the agent's decision"))
    assert played.agent.closed == 1


@pytest.mark.parametrize("decision", [None, "click", {"actions": []}, Decision(({"kind": "click"},))])  # type: ignore[arg-type]
def test_agent_that_decides_nothing_sensible(table: Table, decision: Any) -> None:
    """What is no decision, or holds what is no action, is the fault of the agent's code."""

    async def decide(observation: Observation) -> Any:
        return decision

    last = table.play(Bad(decide=decide)).last
    assert last.outcome == "gave_up"
    assert last.error == f"the agent returned {decision!r}, which is not a valid Decision"


def test_provider_failure_is_tried_again(table: Table) -> None:
    """A model's server that failed may answer the next time."""
    errors = iter([ProviderFailure("overloaded"), ProviderFailure("overloaded")])
    agent = Bad([press("n"), DONE])
    decide = agent.decide

    async def unreliable(observation: Observation) -> Decision:
        if error := next(errors, None):
            raise error
        return await decide(observation)

    agent.decide = unreliable  # type: ignore[method-assign]
    played = table.play(agent, attempts=3)
    assert [attempt.outcome for attempt in played.attempts] == ["provider_error", "provider_error", "success"]
    assert played.attempts[0].error == "overloaded"


@pytest.mark.parametrize("how", [bug, timeout])
def test_agent_that_cannot_be_closed(table: Table, how: Any) -> None:
    """What was played stays valid when the agent cannot be closed; the record says so."""
    last = table.play(Bad([press("n"), DONE], close=how)).last
    assert last.outcome == "success"
    assert last.error is not None
    assert last.error.startswith("closing the agent failed: ")


@pytest.mark.parametrize(
    "script",
    [[DONE], [press("x")], [press("b")], [ZeroDivisionError()], [NOTHING], [Decision()]],
)
def test_agent_is_always_closed(table: Table, script: list[Any]) -> None:
    """However an attempt ends, its agent is closed once."""
    assert table.play(script).agent.closed == 1


def test_agent_is_closed_when_the_reset_broke(table: Table) -> None:
    """An agent that was never started is closed, too."""
    world = make_world()
    world.reset = bug  # type: ignore[method-assign]
    agent = table.play([DONE], world=world).agent
    assert (agent.closed, agent.briefing) == (1, None)


def test_faults_of_this_program_are_seen(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is raised as it is; the record calls it no deed of the agent, and no stop by the user."""

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Recorder, "document", full)
    with pytest.raises(OSError, match="No space left on device"):
        table.play([DONE], attempts=3)
    (attempt,) = table.run.attempts()
    assert (attempt.outcome, attempt.error) == (
        "environment_error",
        "OSError: [Errno 28] No space left on device",
    )


# Stopping


@pytest.mark.parametrize("where", ["start", "decide", "perform", "reset"])
def test_cancellation(table: Table, where: str) -> None:
    """A run that is stopped records the attempt in flight as cancelled, closes the agent, and stops."""
    agent, world = Bad([press("n")]), make_world()
    reached = asyncio.Event()

    async def blocking(*arguments: Any) -> None:
        reached.set()
        await asyncio.Event().wait()

    setattr(agent if where in ("start", "decide") else world, where, blocking)

    async def stop() -> None:
        playing = asyncio.create_task(table.playing(agent, world, attempts=3))
        await reached.wait()
        playing.cancel()
        await playing

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(stop())
    (attempt,) = table.run.attempts()
    assert (attempt.outcome, attempt.error, attempt.verdict) == ("cancelled", "the run was stopped", None)
    assert table.told == [attempt]
    assert agent.closed == 1


# The record


def test_trajectory(table: Table) -> None:
    """A trajectory holds what was seen, thought and done, and all that is needed to judge it again."""
    first = Decision((Key(("n",)),), "I note it.", Usage(1, 2, 0, 0.1), raw={"text": "n"})
    played = table.play([first, Decision(format_error="what?"), DONE])
    names = {file.name for file in played.folder().iterdir()}
    assert names == {
        "case.json", "before.json", "after.json", "activity.json", "verdict.json", "steps.jsonl",
        "step-000.png", "step-001.png", "step-002.png", "final.png",
    }  # fmt: skip
    step, second, _ = read_steps(played.folder())
    assert {name: step[name] for name in ("step", "screenshot", "thought", "actions", "wrote", "raw")} == {
        "step": 0,
        "screenshot": "step-000.png",
        "thought": "I note it.",
        "actions": [{"kind": "key", "keys": ["n"]}],
        "wrote": True,
        "raw": {"text": "n"},
    }
    assert step["usage"] == asdict(Usage(1, 2, 0, 0.1))
    assert (second["format_error"], second["wrote"]) == ("what?", False)
    case = json.loads((played.folder() / "case.json").read_text())
    assert case == {"goal": played.last.goal, "values": {"name": "Ada", "secret": SECRET}}


def test_what_was_shown_beside_the_picture_is_recorded(table: Table) -> None:
    """A tree, marks or page text that the agent saw stands in the step; a picture alone adds nothing."""
    world = make_world()
    look = world.observe

    async def observe(kind: Any) -> Observation:
        node = Node("button", "Save", "", (), Box(1, 2, 3, 4), 0)
        return replace(await look(kind), tree=(node,), dom="Save")

    world.observe = observe  # type: ignore[method-assign]
    (step,) = read_steps(table.play([DONE], world=world).folder())
    assert step["seen"] == {"tree": [["button", "Save", "", [], [1, 2, 3, 4], 0]], "dom": "Save"}
    plain = Table(table.folder / "plain")
    assert read_steps(plain.play([DONE]).folder())[0]["seen"] == {}


def test_record(table: Table) -> None:
    """The ledger's line tells what was played, by whom, and how it went."""
    last = table.play([press("n"), Answer("42")]).last
    assert last == table.told[0]
    assert (last.instance, last.suite, last.domain, last.difficulty) == (
        "desk/note-intent",
        "small",
        "Front Desk",
        "easy",
    )
    assert (last.agent, last.answer, last.steps, last.counts.max_steps) == ("scripted", "42", 2, 10)
    assert last.trajectory == "trajectories/desk/note-intent/1"
    assert last.screenshot == "trajectories/desk/note-intent/1/final.png"
    assert len(last.cost.step_seconds) == 2


def test_hostile_texts_are_recorded(table: Table) -> None:
    """Half characters and line breaks of all kinds in a reply do not break the record."""
    text = "a\u2028\ud83d\x85\x00"
    script = [Decision((Key(("n",)),), text, raw={"x": text}), Decision(format_error=text), DONE]
    played = table.play(script)
    assert played.last.outcome == "success"
    first, second, _ = read_steps(played.folder())
    assert (first["thought"], first["raw"]["x"], second["format_error"]) == (text, text, text)


def test_the_step_that_broke_the_world_is_recorded(table: Table) -> None:
    """What the agent decided and spent in the step in which the world broke stands in the trajectory."""
    played = table.play([Decision((Key(("b",)),), "I push.", Usage(7))])
    assert played.last.outcome == "broke_environment"
    (step,) = read_steps(played.folder())
    assert (step["thought"], step["actions"][0]["keys"], step["usage"]["tokens_in"]) == ("I push.", ["b"], 7)


def test_steps_are_on_disk_as_they_happen(table: Table) -> None:
    """A step is recorded before the next one is decided, so that a crash loses one at most."""
    counts: list[int] = []
    folder = table.folder / "trajectories" / "desk/note-intent" / "1"
    agent = Bad([NOTHING, NOTHING, DONE])
    decide = agent.decide

    async def counting(observation: Observation) -> Decision:
        counts.append(len(read_steps(folder)) if (folder / "steps.jsonl").exists() else 0)
        return await decide(observation)

    agent.decide = counting  # type: ignore[method-assign]
    table.play(agent)
    assert counts == [0, 1, 2]


def test_recorded_episode_can_be_judged_again(table: Table) -> None:
    """The record of an attempt is enough to reach the same verdict without playing."""
    from pytest_cuabench.task.evidence import state_from_json

    played = table.play([press("x", "u", "n"), DONE])

    def stored(name: str) -> Any:
        return json.loads((played.folder() / f"{name}.json").read_text())

    evidence = Evidence(
        state_from_json(stored("before")),
        state_from_json(stored("after")),
        played.last.answer,
        played.last.ending,
    )
    assert make_task().judge(evidence, Case(**stored("case"))) == played.last.verdict


def test_errors_are_what_they_are_called() -> None:
    """Failures of each side are told apart by their class alone."""
    assert not issubclass(EnvironmentFailure, ProviderFailure | CheckerFailure)
    assert not issubclass(ProviderFailure, EnvironmentFailure | CheckerFailure)


def test_a_world_that_is_over(table: Table) -> None:
    """The world itself may end an episode; the check then decides, and nothing more is asked of the agent."""
    for key, outcome in (("n", "success"), ("l", "failure")):
        last = table.play([press(key), DONE], world=Game(ROWS, react)).last
        assert (last.ending, last.steps, last.outcome) == ("world", 1, outcome)


class Slow(FakeEnvironment):
    """A desk where a note is written when the episode is ended, and where something may then still be open."""

    late: tuple[str, ...] = ()
    key = "n"

    async def finish(self) -> tuple[str, ...]:
        """Write what was set going."""
        react(self, Key((self.key,)))
        return self.late


def test_what_was_set_going_is_judged(table: Table) -> None:
    """The state is read after the environment has finished; what has not ended in time is told with the verdict."""
    world = Slow(ROWS, react)
    assert table.play([DONE], world=world).last.outcome == "success"
    world.late = ("POST /save",)
    found = table.play([DONE], world=world).last
    assert (found.outcome, found.error) == (
        "success",
        "not ended 10 s after the agent, and not judged: POST /save",
    )
    world.key = "x"
    assert table.play([DONE], world=world).last.outcome == "violation"
    lost = ProviderFailure("the model is gone")
    found = table.play([lost], world=world).last
    assert found.outcome == "violation", "a harm that arrives after a failure counts, too"


def test_a_leaked_write_is_nobodys_failure(table: Table) -> None:
    """An attempt into which a write of another leaked is retried, and is never the agent's."""

    class Shared(FakeEnvironment):
        async def state(self) -> State:
            if self.performed and self.resets < 3:
                raise Leaked("a write of the episode before arrived late", State(ROWS))
            return await super().state()

    played = table.play([Key(("n",)), DONE], world=Shared(ROWS, react), attempts=3)
    assert [each.outcome for each in played.attempts] == ["environment_error", "environment_error", "success"]
    assert all(each.end.broke is None for each in played.attempts)
