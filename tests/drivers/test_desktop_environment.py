"""A desktop as an environment, on a guest without a desktop: calls, layers, quarantine, and sentences of trouble."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from starlette.responses import JSONResponse, Response

from pytest_cuabench.drivers.desktop import guest, guest_http
from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment
from pytest_cuabench.errors import CheckerFailure, EnvironmentFailure, SettingError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Size
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.observation import ActionResult, Box
from pytest_cuabench.testing import blank_png

from .fake_guest import BUTTON, SCREEN, FakeMachine, fake_machine

pytestmark = pytest.mark.asyncio


ZOOM = act.Zoom((0, 0, 9, 9))
HANGS = 60.0  # seconds that a guest takes to answer


@pytest_asyncio.fixture
async def machine() -> AsyncIterator[FakeMachine]:
    """A machine with a guest that is well."""
    async with fake_machine() as made:
        yield made


@pytest_asyncio.fixture
async def desktop(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DesktopEnvironment]:
    """A desktop on that machine, whose guest is given up soon after its patience."""
    monkeypatch.setattr(guest, "_CAP", 0.2)
    environment = DesktopEnvironment(machine, SCREEN)
    yield environment
    await environment.close()


def desk(steps: Any = ()) -> Any:
    """Return as much of an instance as a driver reads, of the application `desk` with a setup."""
    return SimpleNamespace(task=SimpleNamespace(application="desk", setup=lambda seed: steps), seed=1)


async def test_reset(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A reset sends the application with its setup; the first says that a machine was started, others the layer."""
    steps = [{"do": "write", "path": "a.txt", "text": "1"}]
    await desktop.reset(desk(steps))
    assert machine.guest.asked("POST /session") == [{"application": "desk", "setup": steps}]
    assert desktop.last_reset == Reset("fake", "start")
    for layer in ("clean", "home"):
        machine.guest.layer = layer
        await desktop.reset(desk())
        assert desktop.last_reset == Reset("fake", layer)
    assert machine.starts == 1


async def test_state(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """State, revision and the fingerprint are the guest's."""
    machine.guest.state = {"collections": {"files": {"a": {"size": 1}}}, "revision": 7, "fingerprint": "f7"}
    await desktop.reset(desk())
    state = await desktop.state()
    assert (state.collections["files"]["a"], state.revision, state.fingerprint) == ({"size": 1}, 7, "f7")
    assert await desktop.revision() == 7
    assert await desktop.locate('push-button[name="Add"]') == Box(100, 100, 40, 20)
    assert await desktop.read('push-button[name="Add"]') == "Add"


async def test_state_of_a_broken_desktop(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """When a part of the desktop is broken, the failure says so and holds what could still be read."""
    await desktop.reset(desk())
    machine.guest.state |= {"collections": {"files": {"a": {"size": 1}}}, "trouble": "the X server has ended"}
    with pytest.raises(EnvironmentFailure, match="the X server has ended") as failure:
        await desktop.state()
    assert failure.value.state is not None
    assert failure.value.state.collections == {"files": {"a": {"size": 1}}}


async def test_code_that_cannot_be_run(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A program that the guest refuses is an error of the action, and no failure of the desktop."""
    await desktop.reset(desk())
    machine.guest.trouble["/code"] = said(400, "code must be UTF-8")
    result = await desktop.perform(act.RunCode("print(1)"))
    assert result.error == "run_code: code must be UTF-8"


@pytest.mark.parametrize(
    ("kind", "has"),
    [
        ("screenshot", {"screenshot"}),
        ("tree", {"tree"}),
        ("screenshot+tree", {"screenshot", "tree"}),
        ("marks", {"screenshot", "marks"}),
    ],
)
async def test_observations(desktop: DesktopEnvironment, kind: Any, has: set[str]) -> None:
    """Each kind holds what it says, and where the pointer is."""
    await desktop.reset(desk())
    seen = await desktop.observe(kind)
    assert {name for name in ("screenshot", "tree", "marks", "dom") if getattr(seen, name) is not None} == has
    assert (seen.size, seen.cursor) == (SCREEN, (3, 4))


async def test_state_is_read_once(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """To read a state may take a program's work: without an action in between it is not read again."""
    await desktop.reset(desk())
    await desktop.state()
    await desktop.revision()
    assert len(machine.guest.asked("GET /session/state")) == 1
    machine.guest.state["revision"] = 2
    await desktop.perform(act.Click(1, 1))
    assert (await desktop.revision(), (await desktop.state()).revision) == (2, 2)
    assert len(machine.guest.asked("GET /session/state")) == 2
    await desktop.settle()
    await desktop.state()
    await desktop.reset(desk())
    await desktop.state()
    assert len(machine.guest.asked("GET /session/state")) == 4


async def test_long_tree_is_cut(machine: FakeMachine) -> None:
    """A tree beyond its budget is cut, and the agent is told how much of it was."""
    machine.guest.nodes += [{**BUTTON, "name": f"Button {number}"} for number in range(500)]
    desktop = DesktopEnvironment(machine, SCREEN, tokens=1000)
    await desktop.reset(desk())
    seen = await desktop.observe("tree")
    assert seen.tree is not None
    told = len(seen.tree)
    assert 20 < told < 100
    assert seen.notices == (
        f"The accessibility tree has 502 elements; only the first {told} are listed here, about 1000 tokens "
        f"({502 - told} elements were cut off).",
    )
    await desktop.close()


async def test_no_page_text(desktop: DesktopEnvironment) -> None:
    """A desktop has no page text, and says what to ask for instead."""
    await desktop.reset(desk())
    with pytest.raises(SettingError, match=r"a desktop has no page text; use --cua-observation=tree"):
        await desktop.observe("dom")


async def test_actions_are_sent_as_they_are(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """What the guest carries out is sent in the canonical notation."""
    await desktop.reset(desk())
    actions: list[Action] = [
        act.Click(3, 4, count=2),
        act.Key(("ctrl", "a")),
        act.Type("é\n"),
        act.OpenApp("x"),
    ]
    for action in actions:
        assert (await desktop.perform(action)).error is None
    sent = machine.guest.asked("POST /actions")
    assert [act.parse_action(body["actions"][0]) for body in sent] == actions


async def test_marks_become_points(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A mark that was shown can be clicked and filled; another one is the agent's mistake."""
    await desktop.reset(desk())
    click = act.ClickElement(1, count=2)
    assert "not on the last observation (none" in str((await desktop.perform(click)).error)
    await desktop.observe("marks")
    assert (await desktop.perform(click)).error is None
    assert (await desktop.perform(act.FillElement(1, "new"))).error is None
    assert "(1 to 1)" in str((await desktop.perform(act.ClickElement(2))).error)
    clicked, filled = (body["actions"] for body in machine.guest.asked("POST /actions"))
    assert clicked == [{"kind": "click", "x": 120, "y": 110, "count": 2}]
    assert [one["kind"] for one in filled] == ["click", "key", "key", "type"]
    await desktop.reset(desk())
    assert (await desktop.perform(click)).error is not None


async def test_looks_and_programs(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A screenshot and a zoom are pictures, the pointer's place and what a program printed are words."""
    await desktop.reset(desk())
    assert (await desktop.perform(act.Screenshot())).image
    assert (await desktop.perform(act.Zoom((0, 0, 10, 10)))).image
    assert (await desktop.perform(act.CursorPosition())).text == "3,4"
    assert (await desktop.perform(act.RunCode("print(5)"))).text == "exit code 1\n5\nstderr:\noops"
    assert machine.guest.asked("POST /code")[0]["language"] == "python"


async def test_mistakes_of_the_agent(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """What makes no sense here comes back as the action's error, whether we see it or the guest does."""
    await desktop.reset(desk())
    assert "outside the 800x600 screen" in str((await desktop.perform(act.Click(800, 1))).error)
    assert "not available" in str((await desktop.perform(act.Navigate("http://x"))).error)
    machine.guest.results = [{"error": "open_app: there is no x", "text": None}]
    assert (await desktop.perform(act.OpenApp("x"))).error == "open_app: there is no x"


async def test_unconfined_guest_runs_no_programs(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """Where nothing confines a program, none is run, and agents are not told they could."""
    machine.guest.confinement = "none"
    await desktop.reset(desk())
    assert "code" not in desktop.capabilities
    assert "not available" in str((await desktop.perform(act.RunCode("1"))).error)


def said(status: int, sentence: str) -> Response:
    """Return an answer of the guest that says no."""
    return JSONResponse({"error": sentence}, status)


@pytest.mark.parametrize(
    ("path", "trouble", "sentence"),
    [
        ("/session", said(503, "the X server has ended"), "POST /session: the X server has ended"),
        ("/session", HANGS, "did not answer POST /session within"),
        ("/session", JSONResponse({"seconds": 1}), "answers /session in a shape that is not of protocol 1"),
        ("/session", Response("<html>"), "answers POST /session with no JSON object"),
        ("/session", JSONResponse([1]), "answers POST /session with no JSON object"),
        ("/health", JSONResponse({"protocol": 2}), "speaks protocol 2, not 1"),
    ],
)
async def test_broken_resets(
    machine: FakeMachine, desktop: DesktopEnvironment, path: str, trouble: Any, sentence: str
) -> None:
    """A guest that breaks, hangs or talks nonsense while it is reset is an infrastructure failure, in one sentence."""
    machine.guest.trouble[path] = trouble
    if trouble == HANGS:  # only then is time to run out
        desktop._deadline = 0.3
    with pytest.raises(EnvironmentFailure) as failure:
        await desktop.reset(desk())
    assert sentence in str(failure.value)
    assert "\n" not in str(failure.value)
    assert desktop.last_reset is None


@pytest.mark.parametrize(
    ("path", "trouble", "sentence"),
    [
        ("/actions", said(503, "the X server has ended"), "POST /actions: the X server has ended"),
        ("/actions", said(400, "what?"), "refuses POST /actions: what?"),
        ("/actions", JSONResponse({"results": 3}), "answers /actions in a shape"),
        ("/actions", said(401, "no"), "POST /actions: no"),
        ("/session/state", Response("[" * 100_000), "answers GET /session/state with no JSON object"),
        ("/session/state", Response("x" * 5000), "answers GET /session/state with more than 4000 bytes"),
        (
            "/session/state",
            Response('{"collections": {}, "revision": 1e999}'),
            "answers /session/state in a shape",
        ),
        ("/screenshot", HANGS, "did not answer GET /screenshot within 0.5 s"),
        (
            "/session/state",
            JSONResponse({"collections": [], "revision": 1}),
            "answers /session/state in a shape",
        ),
    ],
)
async def test_broken_episodes(
    machine: FakeMachine,
    desktop: DesktopEnvironment,
    path: str,
    trouble: Any,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Trouble while an episode runs is a failure of the environment, whatever a guest's programs had it say."""
    await desktop.reset(desk())
    if isinstance(trouble, Response) and trouble.body.startswith(b"xxx"):
        monkeypatch.setattr(guest_http, "MAX_REPLY", 4000)
    machine.guest.trouble[path] = trouble

    async def episode() -> None:
        await desktop.perform(act.Click(1, 1))
        if trouble == HANGS:  # only then is time to run out
            desktop._guest._http_client._patience = 0.5  # type: ignore[union-attr]
        await desktop.observe("screenshot")
        await desktop.state()

    with pytest.raises(EnvironmentFailure) as failure:
        await episode()
    assert sentence in str(failure.value)


WHOLE = blank_png(SCREEN)
LARGE = (50_000).to_bytes(4)


async def test_odd_pictures(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A screenshot that is none, of another size, cut, damaged or a bomb is trouble of the desktop, in one sentence."""
    await desktop.reset(desk())
    for picture, told in (
        (b"", "is no PNG"),
        (b"GIF89a" + bytes(99), "is no PNG"),
        (WHOLE[:20], "is no PNG"),
        (blank_png(Size(640, 480)), "is of 640x480 pixels, not of 800x600"),
        (WHOLE[:16] + LARGE + LARGE + WHOLE[24:], "is of 50000x50000 pixels"),
        (WHOLE[:33] + WHOLE[8:16] + LARGE + LARGE + WHOLE[24:], "cannot be decoded"),
        (WHOLE[: len(WHOLE) // 2], "cannot be decoded"),
        (WHOLE[:60] + b"x" * 99 + WHOLE[159:], "cannot be decoded"),
    ):
        machine.guest.trouble["/screenshot"] = Response(picture)
        for seen in (desktop.observe("marks"), desktop.perform(act.Screenshot()), desktop.perform(ZOOM)):
            with pytest.raises(EnvironmentFailure, match=f"its screenshot {told}"):
                await seen


async def test_wrong_setup_is_the_suites_fault(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A setup that the guest does not understand is a fault of the task."""
    machine.guest.trouble["/session"] = said(400, "step 1: there is no verb 'dance'")
    with pytest.raises(CheckerFailure, match="cannot set desk up: step 1: there is no verb 'dance'"):
        await desktop.reset(desk())


@pytest.mark.slow
async def test_long_actions_may_take_long(desktop: DesktopEnvironment, machine: FakeMachine) -> None:
    """A guest may take longer over a longer text or path; a short action is given up after the usual patience."""
    await desktop.reset(desk())
    desktop._guest._patience = 0.5  # type: ignore[union-attr]
    machine.guest.trouble["/actions"] = 1.2  # the usual patience is 0.7 s here
    for action in (act.Type("x" * 20), act.Drag(((1, 1), (2, 2)) * 6), act.Key(("a",), 20)):
        assert await desktop.perform(action) == ActionResult()
    with pytest.raises(EnvironmentFailure, match=r"did not answer POST /actions within 0\.8 s"):
        await desktop.perform(act.Type("x"))


async def test_ambiguous_selector(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A selector that finds several elements is a fault of the solution, and no trouble of the desktop."""
    await desktop.reset(desk())
    machine.guest.trouble["/locate"] = said(409, "2 elements fit push-button")
    with pytest.raises(LookupError, match="2 elements fit push-button"):
        await desktop.locate("push-button")


async def test_wrong_token() -> None:
    """A guest that wants another token is told before anything is played, with where to put it."""
    async with fake_machine(token="wrong") as machine:
        desktop = DesktopEnvironment(machine, SCREEN)
        with pytest.raises(SettingError, match="rejects the token; set CUABENCH_WORLD_TOKEN"):
            await desktop.lacking(desk())
        await desktop.close()


async def test_wrong_screen(machine: FakeMachine) -> None:
    """A guest with another screen than the suite's is refused."""
    desktop = DesktopEnvironment(machine, Size(1920, 1080))
    with pytest.raises(SettingError, match="screen is 800x600, but the suite needs 1920x1080"):
        await desktop.lacking(desk())
    await desktop.close()


async def test_missing_application(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """What is not installed in the desktop is told with what to type; nothing is said of what is there."""
    assert await desktop.lacking(desk()) is None
    await desktop.close()
    machine.guest.applications["desk"] = {
        "available": False,
        "missing": ["/usr/bin/desk"],
        "packages": ["deskd"],
    }
    assert (
        await desktop.lacking(desk()) == "desk cannot run on this desktop without deskd; "
        "type there: sudo apt-get install --no-install-recommends deskd"
    )


async def test_dead_guest(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A guest that is gone is told with the last words of its machine."""
    machine.running, machine._socket = True, machine._socket.with_name("nobody")
    machine.said = "Xvfb: no space left"
    with pytest.raises(EnvironmentFailure, match=r"no desktop answers at .*/nobody: Xvfb: no space left"):
        await desktop.reset(desk())


async def test_quarantine(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """One failure is the guest's to mend; after two in a row the machine is recreated, which the next reset tells."""
    await desktop.reset(desk())
    for _ in range(2):
        machine.guest.trouble["/actions"] = said(503, "the X server has ended")
        with pytest.raises(EnvironmentFailure):
            await desktop.perform(act.Click(1, 1))
        assert machine.recreations == 0
        await desktop.reset(desk())
    assert machine.recreations == 1
    assert desktop.last_reset
    assert desktop.last_reset.layer == "recreate"
    assert "failed 2 times in a row" in str(desktop.last_reset.reason)
    assert "the X server has ended" in str(desktop.last_reset.reason)
    await desktop.reset(desk())
    assert desktop.last_reset == Reset("fake", "home")


async def test_a_success_between_failures(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """Two failures with a sound episode between them are no reason to throw a desktop away."""
    for _ in range(3):
        await desktop.reset(desk())
        machine.guest.trouble["/actions"] = said(503, "hiccup")
        with pytest.raises(EnvironmentFailure):
            await desktop.perform(act.Click(1, 1))
        machine.guest.trouble.clear()
        await desktop.reset(desk())
        await desktop.perform(act.Click(1, 1))
    assert machine.recreations == 0


async def test_machine_that_ended(machine: FakeMachine, desktop: DesktopEnvironment) -> None:
    """A machine that ended by itself is started again at the next reset."""
    await desktop.reset(desk())
    machine.running = False
    await desktop.reset(desk())
    assert desktop.last_reset == Reset("fake", "recreate", "it had ended by itself")
    assert machine.starts == 2


async def test_before_reset(desktop: DesktopEnvironment) -> None:
    """Before a reset there is nothing to look at, and closing twice harms nobody."""
    with pytest.raises(EnvironmentFailure, match="reset comes first"):
        await desktop.perform(act.Click(1, 1))
    await desktop.close()
    await desktop.close()
