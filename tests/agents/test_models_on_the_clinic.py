"""Every maker's model plays tasks of the clinic: the real plugin, SDK and browser, and the ordinary checks.

What the models say is what the reference solution did, in their own words; only the server is ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.task.action import Action, Size, Type, parse_action

from .conductor import DEAD, Case, Concern, Conductor, turns
from .speakers import MAKERS, SPEAKERS
from .speaking import Line, Speaker

pytestmark = pytest.mark.slow

APPLICATION = "emergency_triage"
STATE, ANSWER, TYPED = "assign_disposition", "read_vitals", "record_vitals"  # what their checks look at
SCREEN = Size(1280, 720)
CANNOT_TYPE = {
    "chat browser-use"
}  # types into numbered boxes only, which the reference solution knows nothing of
TROUBLED = [*MAKERS[:1], *(pytest.param(one, marks=pytest.mark.nightly) for one in MAKERS[1:])]
WRONG = [
    *MAKERS[:1],
    *(pytest.param(one, marks=pytest.mark.nightly) for one in MAKERS[1:]),
]  # checks do not know who played
IMPATIENT = {"timeout": 5, "deadline": 12}  # seconds
Steps = list[tuple[Action, ...]]


@dataclass(frozen=True)
class Played:
    """A run that is over: its attempts in order, what the terminal said, and where it is kept."""

    attempts: list[Attempt]
    terminal: str
    folder: Path


def play(folder: Path, agent: str, *options: str, **environment: str) -> Played:
    """Run the plugin as a user types it."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--cua-suite=medcua",
        f"--agent={agent}",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*command, *options], cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    terminal = done.stdout + done.stderr
    ledgers = list(folder.glob(f"reports/*/{LEDGER}"))
    assert len(ledgers) == 1, terminal
    return Played(list(Run(ledgers[0].parent).attempts()), terminal, ledgers[0].parent)


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Steps]:
    """What the reference solution does in each of the tasks, step by step."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    tasks = (STATE, ANSWER, TYPED)
    played = play(tmp_path_factory.mktemp("oracle"), "oracle", f"-k={' or '.join(map(step_of, tasks))}")
    return {attempt.task: _recorded(played, attempt) for attempt in played.attempts}


def _recorded(played: Played, attempt: Attempt) -> Steps:
    assert attempt.outcome == "success", played.terminal
    steps = read_steps(played.folder / str(attempt.trajectory))
    return [tuple(parse_action(action) for action in step["actions"]) for step in steps]


def step_of(task: str) -> str:
    """Return what `-k` is given for the step-by-step wording of a task."""
    return f"({APPLICATION} and {task}-step)"


def write_profile(folder: Path, profile: Profile) -> None:
    """Put a profile into the project's own folder, where it wins over the shipped one."""
    agents = folder / "agents"
    agents.mkdir()
    data = profile.model_dump(exclude_none=True, exclude={"name", "argument"})
    lines = [f"{name} = {_toml(value)}" for name, value in data.items()]
    (agents / f"{profile.name}.toml").write_text("\n".join(lines) + "\n")


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(inner)}" for name, inner in value.items()) + " }"
    return json.dumps(value)


def let_play(
    folder: Path, speaker: Speaker, line: Line, cases: Sequence[Case], *options: str, **settings: Any
) -> Played:
    """Let a model play cases in one run; all that it was to say must have been asked for, in proper requests."""
    profile = speaker.profile(line.url, **settings)
    write_profile(folder, profile)
    conductor = Conductor(speaker, SCREEN, cases)
    line.answer(conductor)
    keys = {profile.key: speaker.key} if profile.key else {}
    played = play(folder, profile.name, "--cua-attempts=1", *options, **keys)
    assert list(line.refused()) == []
    assert conductor.unsaid == [], played.terminal
    return played


def players() -> list[Any]:
    """Return all speakers; one of each maker is enough but for the night."""
    return [
        pytest.param(speaker, id=speaker.name, marks=() if speaker in MAKERS else pytest.mark.nightly)
        for speaker in SPEAKERS
        if speaker.name not in CANNOT_TYPE
    ]


@pytest.mark.parametrize("speaker", players())
def test_a_model_that_does_the_right_things_succeeds(
    speaker: Speaker, solutions: dict[str, Steps], tmp_path: Path, record_property: Any
) -> None:
    """A task judged by the record and one judged by the answer: reward 1, no violation, tokens counted."""
    record_property("case", json.dumps([speaker.name, "plain", True]))
    tasks = (ANSWER, STATE)
    cases = [turns(solutions[task], speaker.most) for task in tasks]

    with speaker.serve() as line:
        played = let_play(tmp_path, speaker, line, cases, f"-k={' or '.join(map(step_of, tasks))}")

    assert "2 passed" in played.terminal, played.terminal
    assert [attempt.task for attempt in played.attempts] == list(tasks)
    for attempt, case in zip(played.attempts, cases, strict=True):
        assert judged(attempt) == ("success", 1.0, 0, 0)
        assert attempt.steps == len(case)
        assert attempt.usage.tokens_in > 0


def judged(attempt: Attempt) -> tuple[str, float | None, int, int]:
    """Return what came of an attempt: outcome, reward, violations, replies that were not understood."""
    verdict = attempt.verdict
    violations = len(verdict.violations) if verdict else 0
    return attempt.outcome, verdict.reward if verdict else None, violations, attempt.counts.format_errors


def mistyped(steps: Steps) -> tuple[Steps, str]:
    """Return a solution that types the first measured value wrong, by one, and what it types."""
    flat = [action for step in steps for action in step]
    right = next(action for action in flat if isinstance(action, Type) and action.text.isdecimal())
    wrong = replace(right, text=str(int(right.text) + 1))
    return [tuple(wrong if action is right else action for action in step) for step in steps], wrong.text


def troubled(speaker: Speaker, steps: Steps) -> dict[str, Case]:
    """Return everything that may go wrong on a maker's side, in the course of one solution."""
    first, second, *rest = turns(steps, speaker.most)
    cases: dict[str, Case] = {
        "429 with Retry-After": [first, "busy", second, *rest],
        "500": [first, "broken", second, *rest],
        "silent server": [first, "silent", second, *rest],
        "reply cut off": [first, "cut", second, *rest],
        "refusal, then an empty reply": [first, "refusal", second, "empty", *rest],
        "server dies": [first, second, DEAD],
    }
    if speaker.asks:
        cases["safety check, acknowledged"] = [first, Concern(second), *rest]
    return cases


EXPECTED = {
    "429 with Retry-After": ("success", 1.0, 0, 0),
    "500": ("success", 1.0, 0, 0),
    "silent server": ("success", 1.0, 0, 0),
    "reply cut off": ("success", 1.0, 0, 0),
    "refusal, then an empty reply": ("success", 1.0, 0, 1),
    "server dies": ("provider_error", None, 0, 0),
    "safety check, acknowledged": ("success", 1.0, 0, 0),
}


@pytest.mark.parametrize("speaker", TROUBLED, ids=str)
def test_trouble_of_a_maker_is_not_the_models(
    speaker: Speaker, solutions: dict[str, Steps], tmp_path: Path, record_property: Any
) -> None:
    """What can be tried again is; a server that is gone is no failure of the model, and what it did is kept."""
    cases = troubled(speaker, solutions[STATE])
    for case in EXPECTED:
        record_property("case", json.dumps([speaker.name, case, case in cases]))
    epochs = f"--cua-epochs={len(cases)}"
    settings = IMPATIENT | ({"safety": "ack"} if speaker.asks else {})

    with speaker.serve() as line:
        played = let_play(
            tmp_path, speaker, line, list(cases.values()), f"-k={step_of(STATE)}", epochs, **settings
        )

    found = dict(zip(cases, played.attempts, strict=True))
    assert {case: judged(attempt) for case, attempt in found.items()} == {
        case: EXPECTED[case] for case in cases
    }
    assert f"{len(cases) - 1} passed, " in played.terminal
    assert "1 error" in played.terminal
    check_kept(played, found["server dies"])


def check_kept(played: Played, attempt: Attempt) -> None:
    """Insist that a broken attempt kept its two steps with their tokens, and says what broke."""
    steps = read_steps(played.folder / str(attempt.trajectory))
    assert (attempt.steps, len(steps)) == (2, 2)
    assert all(step["actions"] and step["usage"]["tokens_in"] for step in steps)
    assert attempt.usage.tokens_in >= sum(step["usage"]["tokens_in"] for step in steps)
    assert "500" in str(attempt.error)


@pytest.mark.parametrize("speaker", WRONG, ids=str)
def test_a_wrong_value_fails_by_the_checks(
    speaker: Speaker, solutions: dict[str, Steps], tmp_path: Path, record_property: Any
) -> None:
    """A model that types one value wrong by one is failed by the task's checks, and is no error."""
    record_property("case", json.dumps([speaker.name, "wrong value typed", True]))
    steps, wrong = mistyped(solutions[TYPED])
    case = turns(steps, speaker.most)

    with speaker.serve() as line:
        played = let_play(tmp_path, speaker, line, [case], f"-k={step_of(TYPED)}")

    (attempt,) = played.attempts
    assert "1 failed" in played.terminal, played.terminal
    assert (attempt.outcome, attempt.steps) == ("violation", len(case))
    assert attempt.verdict is not None
    assert attempt.verdict.reward < 1
    (violation,) = attempt.verdict.violations
    assert f"the record says {wrong} " in violation.detail
