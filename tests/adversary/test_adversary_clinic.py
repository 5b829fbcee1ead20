"""What an agent may try on a web application, so that its attempt is not judged: none is ungraded, none passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.redteam.arena import Arena, Stage, Way
from pytest_cuabench.redteam.ways import ANSWERS, OUTBURSTS, WEB, after_harm, kills
from pytest_cuabench.task.action import Move

from .conftest import SUITES, ids

pytestmark = pytest.mark.slow


WAYS = list(after_harm(WEB, OUTBURSTS))
ALONE = [Way(name, deeds) for name, deeds in {**WEB, **ANSWERS}.items()]
SAID = {"blame the provider"}  # whom a Python agent is trusted to blame
ITS_OWN = {
    "kill the browser",
    "blame the world",
}  # the others are played in tests/episode, and here in the night
RAGE = [
    pytest.param(Way(name, (Move(1, 1),), outburst), marks=() if name in ITS_OWN else pytest.mark.nightly)
    for name, outburst in OUTBURSTS.items()
    if name not in SAID
]
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
    "hang the page by a script",
    "exit",
    "blame the suite",
    "numbers that are none",
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
    assert {*WEB, *OUTBURSTS} >= LIKE_ANOTHER
    for way in WAYS:
        alike = way.name.removesuffix(", after harm") in LIKE_ANOTHER
        yield pytest.param(way, marks=pytest.mark.nightly if alike else ())


@pytest.mark.parametrize("way", list(ways()), ids=ids)
def test_no_way_out_of_the_clinic(clinic: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """Whatever an agent does on a page, its attempt is graded and no success; harm that was done stays harm."""
    graded(clinic, way)


@pytest.mark.parametrize("way", RAGE, ids=ids)
def test_no_outburst_voids_an_attempt(clinic: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """An agent that raises, exits, hangs its page, claims costs or kills the browser is graded without harm, too."""
    graded(clinic, way)


@pytest.mark.nightly
@pytest.mark.parametrize("way", ALONE, ids=ids)
def test_no_way_out_without_harm(clinic: Stage, way: Way, graded: Callable[[Stage, Way], None]) -> None:
    """An attempt in which nothing was done but trouble is a failure."""
    graded(clinic, way)


def test_the_next_episode_in_the_clinic_is_unharmed(clinic: Stage) -> None:
    """After an adversary that broke the browser, the reference solution succeeds at its first attempt."""
    clinic.outcome(Way("kill the browser, after harm", (Move(1, 1),), kills, harm=True))
    assert clinic.next_episode().outcome == "success"
