"""The reference solution plays like any agent: one decision after the other, seeing what it did."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from small_world import ROWS, Table, make_task, make_world, press, react

from pytest_cuabench.agents.builtin.oracle import OracleAgent, Pilot
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.ledger.record import read_steps
from pytest_cuabench.task.action import Action, Answer, Click, Key, Scroll, Size, Terminate, Type
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import Box, Placed
from pytest_cuabench.testing import FakeEnvironment

Play = Callable[[Any, Case], Awaitable[None]]


def decisions(played: Any) -> list[list[str]]:
    """Return the kinds of actions of each decision."""
    return [[action["kind"] for action in step["actions"]] for step in read_steps(played.folder())]


def with_solution(solution: Play) -> OracleAgent:
    """Return an oracle that plays a solution."""
    return OracleAgent(solution=solution)


def test_reference_solution(table: Table) -> None:
    """The oracle plays the task's own solution, and says that it is done when that has ended."""
    played = table.play(OracleAgent())
    assert played.last.outcome == "success"
    assert decisions(played) == [["key"], ["terminate"]]


def test_solution_waits_for_its_actions(table: Table) -> None:
    """A solution goes on after its action was carried out, never before."""
    world = make_world()
    seen: list[tuple[str, list[Action]]] = []

    async def solution(pilot: Pilot, case: Case) -> None:
        seen.append(("start", list(world.performed)))
        await pilot.press("a")
        seen.append(("after a", list(world.performed)))
        await pilot.type("text")
        seen.append(("after text", list(world.performed)))

    table.play(with_solution(solution), world=world)
    a, text = Key(("a",)), Type("text")
    assert seen == [("start", []), ("after a", [a]), ("after text", [a, text])]


def test_world_is_seen_between_actions(table: Table) -> None:
    """What a solution reads is true after its last action and before its next."""

    class Counting(FakeEnvironment):
        async def read(self, target: str) -> str:
            return str(len(self.journal))

    read: list[str] = []

    async def solution(pilot: Pilot, case: Case) -> None:
        for _ in range(3):
            read.append(await pilot.read("count"))
            await pilot.press("l")
        read.append(await pilot.read("count"))

    table.play(with_solution(solution), world=Counting(ROWS, react))
    assert read == ["0", "1", "2", "3"]


def test_picture_is_of_the_last_step(table: Table) -> None:
    """A solution may judge the picture after its last action, and before its first one."""
    seen: list[bytes] = []

    async def solution(pilot: Pilot, case: Case) -> None:
        seen.append(await pilot.screenshot())
        await pilot.press("a")
        seen.append(await pilot.screenshot())

    played = table.play(with_solution(solution))
    assert seen[1] == (played.folder() / "step-001.png").read_bytes()
    assert seen[0]


def test_fill_is_one_decision(table: Table) -> None:
    """Filling a field is one decision: click, select all, type."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.fill("name", "Ada")

    played = table.play(with_solution(solution))
    assert played.world.performed == [Click(32, 24), Key(("ctrl", "a")), Type("Ada")]
    assert decisions(played) == [["click", "key", "type"], ["terminate"]]


def test_hand(table: Table) -> None:
    """Each thing a pilot does is the canonical action of that name."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("menu", count=2)
        await pilot.press("Ctrl+Return", repeat=2)
        await pilot.type("ü\n")
        assert await pilot.sees("anything")
        assert await pilot.read("title") == "title"
        await pilot.answer(case["name"])
        raise AssertionError("nothing follows an answer")

    played = table.play(with_solution(solution))
    assert played.world.performed == [Click(32, 24, count=2), Key(("ctrl", "enter"), 2), Type("ü\n")]
    assert (played.last.answer, played.last.ending, played.last.steps) == ("Ada", "answer", 4)


def test_unused_answer_is_the_end(table: Table) -> None:
    """The episode ends with the answer, without another decision."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.answer("42")

    assert decisions(table.play(with_solution(solution))) == [["answer"]]


class Page(FakeEnvironment):
    """A world with a page that scrolls, on which things have places."""

    def __init__(self, **places: tuple[float, float]) -> None:
        super().__init__(ROWS, self._scrolls, Size(640, 480))
        self.places = places
        self.offset = (0, 0)

    def _scrolls(self, world: FakeEnvironment, action: Action) -> None:
        if isinstance(action, Scroll):
            self.offset = (self.offset[0] + 50 * action.dx, self.offset[1] + 50 * action.dy)
        react(world, action)

    async def locate(self, target: str) -> Box | None:  # type: ignore[override]
        """Return where a thing is on the screen now."""
        if target == "all":
            raise LookupError("all selects 2 elements")
        if target not in self.places:
            return None
        x, y = self.places[target]
        return Box(x - self.offset[0], y - self.offset[1], 10, 10)

    async def read(self, target: str) -> str | None:  # type: ignore[override]
        """Return the text of a thing."""
        return target if target in self.places else None


@pytest.mark.parametrize("place", [(20, 4000), (20, -700), (900, 20), (-900, 20), (3000, 3000), (20, 475)])
def test_scrolls_into_view(table: Table, place: tuple[int, int]) -> None:
    """A thing beyond the screen's edge, in whatever direction, is scrolled to and then clicked."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("far")

    played = table.play(with_solution(solution), world=Page(far=place), steps=40)
    *scrolls, click = played.world.performed
    assert scrolls
    assert all(isinstance(action, Scroll) for action in scrolls)
    assert isinstance(click, Click)
    assert played.last.outcome == "failure"  # nothing was noted


def test_scrolls_what_a_frame_hides(table: Table) -> None:
    """A thing on the screen but beyond its frame's edge is scrolled to by the wheel over the frame."""

    class Framed(Page):
        async def place(self, target: str) -> Placed | None:
            box = await self.locate(target)
            return box and Placed(box, Box(40, 100, 200, 60))

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("hidden")

    world = Framed(hidden=(60, 90))
    *scrolls, click = table.play(with_solution(solution), world=world, steps=40).world.performed
    assert {(action.x, action.y) for action in scrolls if isinstance(action, Scroll)} == {(140, 130)}
    assert scrolls[0].dy < 0  # type: ignore[union-attr]
    assert isinstance(click, Click)
    assert 100 <= click.y < 160


def test_no_scroll_for_what_is_in_view(table: Table) -> None:
    """A thing on the screen is clicked at once, in its middle."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("near")

    assert table.play(with_solution(solution), world=Page(near=(3, 5))).world.performed == [Click(8, 10)]


async def _click_nothing(pilot: Pilot, case: Case) -> None:
    await pilot.click("nothing")


async def _click_several(pilot: Pilot, case: Case) -> None:
    await pilot.click("all")


async def _read_nothing(pilot: Pilot, case: Case) -> None:
    await pilot.press("l")
    await pilot.read("nothing")


async def _off_screen(pilot: Pilot, case: Case) -> None:
    await pilot.act(Click(999, 1))
    raise AssertionError("a refused action stops the solution")


async def _never_in_view(pilot: Pilot, case: Case) -> None:
    await pilot.click("stuck")


async def _mistake(pilot: Pilot, case: Case) -> None:
    await pilot.press("l")
    case["no such value"]


@pytest.mark.parametrize(
    ("solution", "why"),
    [
        (_click_nothing, "no element nothing on the screen"),
        (_click_several, "all selects 2 elements"),
        (_read_nothing, "no element nothing on the screen"),
        (_off_screen, "click: (999, 1) lies outside the 640x480 screen"),
        (_never_in_view, "cannot scroll stuck into view"),
        (_mistake, "KeyError: 'no such value'"),
    ],
)
def test_lost(table: Table, solution: Play, why: str) -> None:
    """A solution that does not find its way is an infrastructure failure, and says what it looked for."""

    class Stuck(Page):
        async def locate(self, target: str) -> Box | None:  # type: ignore[override]
            return Box(0, 9999, 1, 1) if target == "stuck" else await super().locate(target)

    last = table.play(with_solution(solution), world=Stuck(), steps=50).last
    assert last.outcome == "provider_error"
    assert str(last.error).startswith(f"the solution of desk/note failed: {why} ({__file__}:")


def test_waits_for_what_appears_late(table: Table) -> None:
    """Where the environment says that elements may come late, they are waited for, without a step of the agent."""

    class Slow(Page):
        late_seconds = 5.0
        looks = 0

        async def locate(self, target: str) -> Box | None:  # type: ignore[override]
            self.looks += 1
            return await super().locate(target) if self.looks > 2 else None

        async def read(self, target: str) -> str | None:  # type: ignore[override]
            self.looks += 1
            return await super().read(target) if self.looks > 5 else None

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("near")
        assert await pilot.read("near") == "near"

    assert table.play(with_solution(solution), world=Slow(near=(3, 5))).world.performed == [Click(8, 10)]


async def _three(pilot: Pilot, case: Case) -> None:
    for key in ("l", "n", "l"):
        await pilot.press(key)


def test_one_object_plays_several_episodes(table: Table) -> None:
    """A new episode starts its solution from the beginning, also after one that was cut off in the middle."""
    agent = OracleAgent(solution=_three)
    assert table.play(agent, steps=1).last.outcome == "budget_exhausted"
    for _ in range(2):
        assert table.play(agent).last.outcome == "success"


def test_attempts_of_one_object(table: Table) -> None:
    """After trouble with the world the solution is played again from its start."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.press("f")
        await pilot.press("n")

    played = table.play(with_solution(solution), attempts=2)
    assert [attempt.outcome for attempt in played.attempts] == ["environment_error", "success"]


def test_instance_decides_what_is_played(table: Table) -> None:
    """One oracle plays each instance's own solution."""

    async def other(pilot: Pilot, case: Case) -> None:
        await pilot.answer(f"{case['name']} again")

    agent = OracleAgent()
    table.play(agent)
    task = make_task(id="other", solve=other)
    assert table.play(agent, instance=Instance(task, "step")).last.answer == "Ada again"


def test_world_without_eyes(table: Table) -> None:
    """In an environment that cannot find elements the oracle says so."""

    class Blind(FakeEnvironment):
        locate = Environment.locate  # type: ignore[assignment]

    last = table.play(OracleAgent(), world=Blind(ROWS, react)).last
    assert (last.outcome, last.error) == (
        "provider_error",
        "the oracle cannot find elements in this environment",
    )


def test_nothing_is_left_running(table: Table) -> None:
    """A solution that is still waiting when the episode ends is stopped."""
    ended: list[str] = []

    async def solution(pilot: Pilot, case: Case) -> None:
        try:
            await pilot.press("x")
            await pilot.press("n")
        finally:
            ended.append("stopped")

    async def play() -> list[str]:
        await table.playing(with_solution(solution), make_world())
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    assert asyncio.run(play()) == []
    assert ended == ["stopped"]


def test_hanging_solution(table: Table) -> None:
    """A solution that waits for nothing runs into the deadline of decisions, and leaves nothing behind."""

    async def solution(pilot: Pilot, case: Case) -> None:
        await asyncio.Event().wait()

    async def play() -> tuple[str, int]:
        attempt = await table.playing(with_solution(solution), make_world(), decision=0.05)
        await asyncio.sleep(0)
        return attempt.outcome, len(asyncio.all_tasks())

    assert asyncio.run(play()) == ("provider_error", 1)


def test_solution_that_does_nothing(table: Table) -> None:
    """A solution may end without acting."""

    async def solution(pilot: Pilot, case: Case) -> None:
        return

    played = table.play(with_solution(solution))
    assert (played.last.outcome, played.last.steps) == ("failure", 1)


def test_kinds_are_those_of_any_agent(table: Table) -> None:
    """The oracle's record looks like that of an agent that pressed the same key."""
    oracle, scripted = table.play(OracleAgent()), table.play([press("n"), Terminate()])
    assert oracle.last.verdict == scripted.last.verdict
    assert oracle.last.end.commits == scripted.last.end.commits == (0,)
    assert isinstance(Answer("x"), Action)


def test_world_breaks_under_the_hand(table: Table) -> None:
    """A world that breaks while the pilot looks for an element is trouble of the world, not of the solution."""

    class Breaking(FakeEnvironment):
        async def locate(self, target: str) -> Box:
            raise EnvironmentFailure("the X server has ended")

    async def solution(pilot: Pilot, case: Case) -> None:
        await pilot.click("here")

    played = table.play(with_solution(solution), world=Breaking(ROWS, react))
    assert (played.last.outcome, played.last.error) == ("environment_error", "the X server has ended")
