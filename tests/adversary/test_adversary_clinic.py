"""What an agent may try on a web application, so that its attempt is not judged: none is ungraded, none passes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import psutil
import pytest

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.drivers.chromium.executable import find_chromium
from pytest_cuabench.errors import BudgetSpent, ProviderFailure, SettingError
from pytest_cuabench.task.action import Action, Click, Move, Navigate, Terminate, Wait

from .arena import Adversary, Arena, Stage, Way, told
from .conftest import SUITES, ids

pytestmark = pytest.mark.slow


def own(pattern: str) -> Callable[[Adversary], Action]:
    """Return what navigates to an address made of the episode's own host."""

    def make(agent: Adversary) -> Action:
        origin = agent.environment._session.allowed.origin  # type: ignore[union-attr]
        return Navigate(pattern.format(origin=origin, host=origin.partition("://")[2]))

    return make


def path(points: int) -> list[tuple[int, int]]:
    """Return a way over the page."""
    return [(100 + n % 900, 100 + n % 500) for n in range(points)]


ADDRESSES = {
    "a websocket of the own origin": own("ws://{host}/"),
    "a secure websocket of the own origin": own("wss://{host}/"),
    "ftp of the own origin": own("ftp://{host}/"),
    "an unknown scheme": own("cua-none://{host}/"),
    "blob of the own origin": own("blob:{origin}/0"),
    "filesystem of the own origin": own("filesystem:{origin}/temporary/x"),
    "view-source of the own page": own("view-source:{origin}/"),
    "a name before the own host": own("http://a:b@{host}/"),
    "the own host with a trailing dot": own("http://{host}./"),
    "a page that is not there": own("{origin}/nothing/here"),
    "an address of 100,000 characters": own("{origin}/" + "a" * 100_000),
    "a port that no browser opens": Navigate("http://localhost:1/"),
    "a port that does not exist": Navigate("http://localhost:99999/"),
    "a file of the host": Navigate("file:///etc/passwd"),
    "a page of data": Navigate("data:text/html,<h1>done</h1>"),
    "a script as an address": Navigate("javascript:window.close()"),
    "the browser's crash page": Navigate("chrome://crash"),
    "the browser's kill page": Navigate("chrome://kill"),
    "the browser's hang page": Navigate("chrome://hang"),
    "an empty address": Navigate(""),
    "an address with control characters": Navigate("ht\ttp://\x00\n"),
    "another host": Navigate("http://example.com/"),
    "mail": Navigate("mailto:a@b.c"),
}
ACTIONS: dict[str, tuple[Any, ...]] = {
    "20,000 characters": (Click(640, 360), told("type", text="aé日🙂" * 5_000)),
    "3,000 lines": (Click(640, 360), told("type", text="line\n" * 3_000)),
    "lone surrogates and zeros": (Click(640, 360), told("type", text="\ud800\x00\udfff")),
    "a drag over 10,000 points": (told("drag", path=path(10_000)),),
    "a drag of no points": (told("drag", path=[]),),
    "a million times the same key": (told("key", keys=["a"], repeat=1_000_000),),
    "reload thirty times": (told("key", keys=["f5"], repeat=30),),
    "close the only tab": (told("key", keys=["ctrl", "w"]), told("close_tab"), told("close_tab")),
    "close the window": tuple(
        told("key", keys=keys) for keys in (["alt", "f4"], ["ctrl", "shift", "w"], ["ctrl", "q"])
    ),
    "forty tabs": tuple(told("key", keys=["ctrl", "t"]) for _ in range(40)),
    "a tab that is not there": (told("switch_tab", index=99), told("close_tab", index=-1)),
    "the browser's own windows": tuple(
        told("key", keys=keys)
        for keys in (["ctrl", "p"], ["ctrl", "o"], ["ctrl", "s"], ["f12"], ["ctrl", "shift", "i"], ["f11"])
    ),
    "a key that no keyboard has": (told("key", keys=["hyper", "any"]),),
    "wait for a year": (told("wait", seconds=3e7),),
    "hold a key for a year": (told("hold_key", keys=["a"], seconds=3e7),),
    "never let go": (
        told("key_down", key="shift"),
        told("key_down", key="ctrl"),
        told("mouse_down", x=640, y=360),
        told("click", x=10, y=10),
    ),
    "scroll a billion notches": (told("scroll", x=640, y=360, dy=1_000_000_000),),
    "zoom into nothing": (told("zoom", region=[10, 10, 10, 10]),),
    "marks that are not there": (
        told("click_element", mark=99_999),
        told("fill_element", mark=99_999, text="x"),
    ),
    "beyond the screen": (told("click", x=-1, y=99_999), told("move", x=1280, y=720)),
    "a history that ends": (told("back"), told("back"), told("forward"), told("forward")),
    "code where there is none": (told("run_code", code="import os; os.abort()"),),
    "an application that is not there": (told("open_app", name="xterm"),),
    "nobody to call": tuple(told("call_user", text="help") for _ in range(20)),
}


async def never(agent: Adversary) -> Decision:
    """Never decide."""
    await asyncio.Event().wait()
    raise AssertionError


async def cancelled(agent: Adversary) -> Decision:
    """End as a cancelled task does."""
    raise asyncio.CancelledError


def raises(error: Exception) -> Callable[[Adversary], Any]:
    """Return what fails in the place of a decision."""

    async def fail(agent: Adversary) -> Decision:
        raise error

    return fail


async def kills(agent: Adversary) -> Decision:
    """Kill the browser and look on."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "chrom" in process.name():
                process.kill()
    return Decision((Wait(0.1),))


def returns(thing: Any) -> Callable[[Adversary], Any]:
    """Return what answers with something else than a decision."""

    async def answer(agent: Adversary) -> Any:
        return thing

    return answer


OUTBURSTS: dict[str, Callable[[Adversary], Any]] = {
    "raise an error": raises(KeyError("a mistake")),
    "blame the provider": raises(ProviderFailure("no credit is left")),
    "say that the money is spent": raises(BudgetSpent("the run's money is spent")),
    "cancel from within": cancelled,
    "never decide": never,
    "decide nothing sensible": returns(None),
    "decide a text": returns("click"),
    "give up": returns(Decision((Terminate("failure"),))),
    "call it infeasible": returns(Decision((Terminate("infeasible"),))),
    "replies that cannot be read": returns(Decision(format_error="no JSON")),
    "kill the browser": kills,
}
NO_OP = Move(1, 1)
DEEDS = {**{name: (deed,) for name, deed in ADDRESSES.items()}, **ACTIONS}
WAYS = [
    *(Way(f"{name}, after harm", deeds, harm=True) for name, deeds in DEEDS.items()),
    *(Way(f"{name}, after harm", (NO_OP,), outburst, harm=True) for name, outburst in OUTBURSTS.items()),
]
ALONE = [Way(name, deeds) for name, deeds in DEEDS.items()]
LIKE_ANOTHER = {  # of several that are refused or judged in the same way, one is enough but for the night
    "a secure websocket of the own origin",
    "an unknown scheme",
    "filesystem of the own origin",
    "a name before the own host",
    "the own host with a trailing dot",
    "a page that is not there",
    "a port that does not exist",
    "the browser's kill page",
    "the browser's hang page",
    "an empty address",
    "another host",
    "mail",
    "3,000 lines",
    "a drag of no points",
    "a million times the same key",
    "a tab that is not there",
    "a key that no keyboard has",
    "hold a key for a year",
    "zoom into nothing",
    "an application that is not there",
    "decide a text",
    "call it infeasible",
}


@pytest.fixture(scope="module")
def clinic(arena: Arena) -> Stage:
    """A task whose wrong solution admits somebody else, which is critical and cannot be taken back."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    return Stage.of(arena, SUITES / "medcua", "emergency_triage/assign_disposition", "admitted_somebody_else")


def ways() -> Iterator[Any]:
    """Give every way, those that are like another for the night only."""
    assert {*DEEDS, *OUTBURSTS} >= LIKE_ANOTHER
    for way in WAYS:
        alike = way.name.removesuffix(", after harm") in LIKE_ANOTHER
        yield pytest.param(way, marks=pytest.mark.nightly if alike else ())


@pytest.mark.parametrize("way", list(ways()), ids=ids)
def test_no_way_out_of_the_clinic(clinic: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """Whatever an agent does on a page, its attempt is graded and no success; harm that was done stays harm."""
    graded(clinic, way)


@pytest.mark.nightly
@pytest.mark.parametrize("way", ALONE, ids=ids)
def test_no_way_out_without_harm(clinic: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """An attempt in which nothing was done but trouble is a failure."""
    graded(clinic, way)


def test_the_next_episode_in_the_clinic_is_unharmed(clinic: Stage) -> None:
    """After an adversary that broke the browser, the reference solution succeeds at its first attempt."""
    clinic.outcome(Way("kill the browser, after harm", (NO_OP,), kills, harm=True))
    assert clinic.next_episode().outcome == "success"
