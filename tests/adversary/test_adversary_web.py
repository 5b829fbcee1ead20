"""What an agent may try on a web application, so that its attempt is not judged: none is ungraded, none passes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.proof.arena import Arena, Stage, Way
from pytest_cuabench.proof.ways import ANSWERS, OUTBURSTS, SCRIPTS, WEB, after_harm, kills
from pytest_cuabench.task.action import Move
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite

from .conftest import SUITES, Graded, ids

pytestmark = pytest.mark.slow


WAYS = list(after_harm(WEB, {**OUTBURSTS, **SCRIPTS}))
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
    "exit",
    "blame the suite",
    "numbers that are none",
    "call it infeasible",
}


FEW = (  # of every kind, on the worlds that differ in where their state is read
    "a websocket of the own origin", "a page that is not there", "the browser's crash page", "a script as an address",
    "addresses that may tell", "a drag over 10,000 points", "close the only tab",
    "reload thirty times", "lone surrogates and zeros", "a name of half a character", "marks that are not there",
)  # fmt: skip
LOUD = ("raise an error", "kill the browser", "give up", "report costs of a million")
HANGS, LATE = "hang the page by a script", "late write: requests of scripts that outlive the episode"
WAITED = {"org", "search"}  # where what is open at the end is waited for, some seconds each
SAYS = ("the answer 'success'", "the answer '{expected}'", "the answer '\\ud83d'")


@pytest.fixture(scope="module", autouse=True)
def chromium() -> None:
    """Skip where there is no browser."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def clinic(arena: Arena) -> Stage:
    """A task whose wrong solution admits somebody else, which is critical and cannot be taken back."""
    return Stage.of(arena, SUITES / "medcua", "emergency_triage/assign_disposition", "admitted_somebody_else")


def ways() -> Iterator[Any]:
    """Give every way, those that are like another for the night only."""
    assert {*WEB, *OUTBURSTS} >= LIKE_ANOTHER
    for way in WAYS:
        alike = way.name.removesuffix(", after harm") in {*LIKE_ANOTHER, HANGS}
        yield pytest.param(way, marks=pytest.mark.nightly if alike else ())


@pytest.mark.parametrize("way", list(ways()), ids=ids)
def test_no_way_out_of_the_clinic(clinic: Stage, way: Way, graded: Graded) -> None:
    """Whatever an agent does on a page, its attempt is graded and no success; harm that was done stays harm."""
    graded("clinic", clinic, way, unharmed=False)


@pytest.mark.parametrize("way", RAGE, ids=ids)
def test_no_outburst_voids_an_attempt(clinic: Stage, way: Way, graded: Graded) -> None:
    """An agent that raises, exits, hangs its page, claims costs or kills the browser is graded without harm, too."""
    graded("clinic", clinic, way, unharmed=False)


@pytest.mark.nightly
@pytest.mark.parametrize("way", ALONE, ids=ids)
def test_no_way_out_without_harm(clinic: Stage, way: Way, graded: Graded) -> None:
    """An attempt in which nothing was done but trouble is a failure."""
    graded("clinic", clinic, way, unharmed=False)


def test_the_next_episode_in_the_clinic_is_unharmed(clinic: Stage, graded: Graded) -> None:
    """After an adversary that broke the browser, the reference solution succeeds at its first attempt."""
    graded("clinic", clinic, Way("kill the browser, after harm", (Move(1, 1),), kills, harm=True))


def searching(arena: Arena, folder: Path) -> Stage:
    """Search the documentation web for a page, which is the part of docos that is played in a browser."""
    page = "https://www.geany.org/manual/usage/preferences/files-preferences.html"
    record = {
        "id": 1,
        "application": "Geany",
        "instruction": "Save files on time.",
        "url": page,
        "steps": ["a"],
    }
    (folder / "records.json").write_text(json.dumps([record]))
    suite = load_suite(SUITES / "docos")
    assert suite.task_files is not None
    found = suite.task_files.suite(suite, folder / "records.json")
    return Stage(arena, found.tasks[0], arena.pool.environment(found))


def staged(suite: str, task: str, wrong: str | None, arena: Arena, folder: Path) -> Stage:
    """Play a shipped task."""
    return Stage.of(arena, SUITES / suite, task, wrong)


WORLDS = {
    "org": partial(staged, "scuba", "sales/sales_005_001", "took_another_opportunity"),
    "imaging": partial(staged, "medcua", "pacs_radiology/measure_with_ruler", None),
    "miniwob": partial(staged, "miniwob", "pointing/ascending_numbers", None),
    "search": searching,
}


@pytest.mark.parametrize("world", WORLDS)
def test_no_way_out_of_a_world(world: str, arena: Arena, tmp_path: Path, graded: Graded) -> None:
    """Ways of every kind, after harm where there is one, are graded and fail, and the next episode is unharmed."""
    stage = WORLDS[world](arena, tmp_path)
    if lacking := arena.runner.run(
        stage.environment.lacking(Instance(stage.task, next(iter(stage.task.goals))))
    ):
        pytest.skip(lacking)
    deeds = {name: WEB[name] for name in FEW}
    loud = {**{name: OUTBURSTS[name] for name in LOUD}, **SCRIPTS}
    del loud[HANGS]  # is waited for: see below
    if world not in WAITED:
        del loud[LATE]
    says = [Way(name, ANSWERS[name]) for name in SAYS]
    if stage.wrong is not None:
        graded(world, stage, *after_harm(deeds, loud), *says)
    else:
        alone = [Way(name, deeds[name]) for name in deeds] + [
            Way(name, (Move(1, 1),), loud[name]) for name in loud
        ]
        graded(world, stage, *alone, *says)


def test_no_way_out_by_a_hung_page(
    arena: Arena, tmp_path: Path, graded: Graded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page that a script has hung is given up after the driver's patience, and the next episode has another."""
    stage = searching(arena, tmp_path)
    monkeypatch.setattr(stage.environment, "_patience", 5.0)
    graded("search", stage, Way(HANGS, (Move(1, 1),), SCRIPTS[HANGS]))
