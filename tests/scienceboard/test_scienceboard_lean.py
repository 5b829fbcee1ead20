"""Raw Lean over a program that speaks as its REPL does: whole episodes, penalties, and a REPL that dies."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from cuabench_suite_scienceboard.upstream.clients.lean import Program, find_repl, sandbox
from cuabench_suite_scienceboard.upstream.lean_world import LeanWorld
from cuabench_suite_scienceboard.upstream.records import Record
from cuabench_suite_scienceboard.upstream.tasks import task_of

from pytest_cuabench.episode.clocks import Limits
from pytest_cuabench.episode.loop import Episode
from pytest_cuabench.episode.play import Play
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.ledger.record import Recorder, Run
from pytest_cuabench.task.action import Action, CallApi, Click, Terminate, Type, Wait
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.testing import ScriptedAgent
from scienceboard.small_records import small

PROGRAM = Program((sys.executable, str(Path(__file__).parent / "fakes" / "repl.py")), Path(__file__).parent)


def theorem(**changes: Any) -> Record:
    """Return a record of Raw Lean."""
    usual: dict[str, Any] = {
        "type": "Lean",
        "sort": "Raw",
        "steps": 20,
        "penalty": "1:5",
        "snapshot": None,
        "instruction": "theorem T : p := by sorry",
        "initialize": [
            {"func": "import", "libs": ["Mathlib"]},
            {"func": "open", "libs": ["Set"]},
            {"func": "query", "expr": "theorem T : p := by sorry"},
        ],
        "evaluate": [{"type": "placeholder"}],
    }
    return small("A-01", **{**usual, **changes})


def tactic(words: str, state: int = 0, **more: Any) -> CallApi:
    """Return the action that an agent takes."""
    return CallApi("tactic", json.dumps({"tactic": words, "proofState": state, **more}))


@pytest_asyncio.fixture
async def world() -> AsyncIterator[LeanWorld]:
    """A world on the stand-in."""
    lean = LeanWorld(PROGRAM)
    yield lean
    await lean.close()


async def played(world: LeanWorld, folder: Path, *script: Action, record: Record | None = None) -> Episode:
    """Play an episode of these actions, one in each turn."""
    task = task_of(record or theorem(), "scienceboard")
    recorder = Recorder(Run(folder), "lean", 1)
    limits = Limits(task.budget.steps, 60.0)
    episode = Episode(Play(Instance(task, "goal"), world, ScriptedAgent(script), limits, "dom"), recorder)
    await episode.play()
    return episode


@pytest.mark.asyncio
async def test_a_proof_is_found(world: LeanWorld, tmp_path: Path) -> None:
    """Import, open, state; then two tactics, each for the state before; the end does not matter."""
    episode = await played(world, tmp_path, tactic("intro h"), tactic("exact h", 1), Terminate("infeasible"))
    assert episode.end.outcome is Outcome.SUCCESS
    assert isinstance(episode.spec.agent, ScriptedAgent)
    first, last = episode.spec.agent.observations[0].dom, episode.spec.agent.observations[-1].dom
    assert first == 'import Mathlib\nopen Set\n{"proofState": 0, "goal": "⊢ goal"}'
    assert last is not None
    assert last.endswith('{"tactic": "exact h", "proofState": 1, "goals": [], "next": 2}')


@pytest.mark.asyncio
async def test_typed_inputs_are_inputs_too(world: LeanWorld, tmp_path: Path) -> None:
    """An agent that has a keyboard only can play as well."""
    typed = Type('{"tactic": "exact h", "proofState": 0}')
    assert (await played(world, tmp_path, typed, Terminate())).end.outcome is Outcome.SUCCESS


@pytest.mark.asyncio
async def test_replies_of_newer_releases_are_read(world: LeanWorld, tmp_path: Path) -> None:
    """Keys that are not known, such as traces, break nothing."""
    assert (await played(world, tmp_path, tactic("trace"), Terminate())).end.outcome is Outcome.SUCCESS


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("action", "problem"),
    [
        (tactic("sorry"), "sorry is not allowed"),
        (tactic("admit"), "admit is not allowed"),
        (tactic("simp [admittance]"), "admit is not allowed"),
        (tactic("exact h", more=1), "exactly the keys"),
        (CallApi("tactic", '{"tactic": "exact h"}'), "exactly the keys"),
        (CallApi("tactic", '{"tactic": "exact h", "proofState": "0"}'), "a whole number"),
        (CallApi("tactic", '{"tactic": "exact h", "proofState": true}'), "a whole number"),
        (CallApi("tactic", "exact h"), "this is no JSON"),
        (tactic("exact h", 7), "Unknown proof state"),
        (tactic("nonsense"), "unknown tactic"),
    ],
)
async def test_what_is_refused_becomes_a_record_with_an_error(
    action: CallApi, problem: str, world: LeanWorld, tmp_path: Path
) -> None:
    """The agent sees it; it proves nothing, and what upstream does not send is not sent."""
    episode = await played(world, tmp_path, action, Terminate())
    assert episode.end.outcome is Outcome.FAILURE
    assert isinstance(episode.spec.agent, ScriptedAgent)
    (result,) = episode.spec.agent.observations[1].results
    assert result.error is None
    assert result.text is not None
    assert problem in result.text


@pytest.mark.asyncio
async def test_invalid_turns_shorten_the_episode(world: LeanWorld, tmp_path: Path) -> None:
    """1:5 takes five of twenty turns for each; good turns in between do not set the count back."""
    episode = await played(world, tmp_path, tactic("nonsense"))
    assert (episode.end.outcome, episode.counts.steps) == (
        Outcome.BUDGET_EXHAUSTED,
        4,
    )  # 4 turns and 4 times 5 are over 20
    mixed = [tactic("nonsense"), tactic("intro"), tactic("nonsense"), tactic("intro")]
    episode = await played(world, tmp_path / "mixed", *mixed, record=theorem(penalty="2:5"))
    assert episode.end.outcome is Outcome.BUDGET_EXHAUSTED
    assert episode.counts.steps == 15  # one pair of invalid turns costs five of twenty


@pytest.mark.asyncio
async def test_without_a_penalty_the_budget_is_the_records(world: LeanWorld, tmp_path: Path) -> None:
    """All of its steps, invalid or not."""
    episode = await played(world, tmp_path, tactic("nonsense"), record=theorem(penalty=None, steps=7))
    assert episode.counts.steps == 7


@pytest.mark.asyncio
@pytest.mark.parametrize("words", ["die", "garble"])
async def test_a_repl_that_breaks_is_trouble_of_the_world(
    words: str, world: LeanWorld, tmp_path: Path
) -> None:
    """It is not graded, and the next attempt has a REPL that knows nothing of the last."""
    episode = await played(world, tmp_path, tactic(words), Terminate())
    assert episode.end.outcome is Outcome.ENVIRONMENT_ERROR
    again = await played(world, tmp_path / "again", tactic("exact h"), Terminate())
    assert again.end.outcome is Outcome.SUCCESS


@pytest.mark.asyncio
async def test_an_endless_tactic_is_stopped_and_the_proof_goes_on(
    world: LeanWorld, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the agent's own; the states before it are there again, under their numbers."""
    monkeypatch.setattr("cuabench_suite_scienceboard.upstream.lean_world._TACTIC", 0.3)
    script = tactic("intro h"), tactic("hang", 1), tactic("exact h", 1), Terminate()
    episode = await played(world, tmp_path, *script)
    assert isinstance(episode.spec.agent, ScriptedAgent)
    assert "this took more than 0.3 s and was stopped" in str(
        episode.spec.agent.observations[2].results[0].text
    )
    assert episode.end.outcome is Outcome.SUCCESS


@pytest.mark.asyncio
async def test_other_actions_are_told_and_do_nothing(world: LeanWorld, tmp_path: Path) -> None:
    """There is no screen to click, and no other function."""
    episode = await played(world, tmp_path, Click(1, 1), CallApi("shell"), Wait(0.01), Terminate())
    assert isinstance(episode.spec.agent, ScriptedAgent)
    told = [seen.results[0].error for seen in episode.spec.agent.observations[1:]]
    assert told == [
        "click is not available in this environment",
        "call_api: there is no shell; known: tactic",
        None,
    ]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("initialize", "sentence"),
    [
        (
            [{"func": "open", "libs": ["Set"]}, {"func": "query", "expr": "t := by sorry"}],
            "Lean's REPL refuses 'open Set'",
        ),
        ([{"func": "import", "libs": ["Mathlib"]}], "states 0 theorems"),
        ([{"func": "import", "libs": ["A"]}, {"func": "query", "expr": "theorem T : p"}], "leaves 0 places"),
    ],
)
async def test_a_theorem_that_cannot_be_stated_is_not_graded(
    initialize: list[dict[str, Any]], sentence: str, world: LeanWorld, tmp_path: Path
) -> None:
    """Whatever is wrong with it, no agent is judged by it."""
    episode = await played(world, tmp_path, Terminate(), record=theorem(initialize=initialize))
    assert episode.end.outcome is not None
    assert not episode.end.outcome.graded
    assert sentence in str(episode.end.error)


@pytest.mark.asyncio
async def test_only_text_is_shown(world: LeanWorld) -> None:
    """Another observation is a mistake in the call, with what to type."""
    with pytest.raises(SettingError, match="add --cua-observation=dom"):
        await world.observe("screenshot")


def test_a_missing_repl_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variable is upstream's own."""
    monkeypatch.delenv("LEAN_LIB_PATH", raising=False)
    with pytest.raises(SettingError, match="LEAN_LIB_PATH= holds no REPL of Lean: build"):
        find_repl()
    binary = tmp_path / ".lake" / "build" / "bin" / "repl"
    binary.parent.mkdir(parents=True)
    binary.touch()
    (tmp_path / "test" / "Mathlib").mkdir(parents=True)
    monkeypatch.setenv("LEAN_LIB_PATH", str(tmp_path))
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(SettingError, match="apt install bubblewrap"):
        find_repl()
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert find_repl().argv[-2:] == ("env", str(binary))


def test_the_sandbox_shows_no_home_and_no_network(tmp_path: Path) -> None:
    """Only the toolchain and the libraries are bound, read-only."""
    words = sandbox(tmp_path)
    assert "--unshare-all" in words
    assert not [word for word in words if word in ("--bind", "--share-net", "--dev-bind")]


@pytest.mark.asyncio
async def test_a_tactic_cannot_leave_the_sandbox(tmp_path: Path) -> None:
    """A program in the sandbox reads nothing of this machine but what it needs."""
    import shutil
    import subprocess

    if shutil.which("bwrap") is None:
        pytest.skip("needs bubblewrap: apt install bubblewrap")
    (tmp_path / "test" / "Mathlib").mkdir(parents=True)
    look = "ls /home /root /work; touch x; cat /etc/passwd; ls /sys/class/net; echo seen"
    done = subprocess.run(
        [*sandbox(tmp_path), "/bin/sh", "-c", look], capture_output=True, text=True, timeout=30
    )
    if done.returncode and "bwrap:" in done.stderr:
        pytest.skip(f"this machine allows no sandbox: {done.stderr.strip()}")
    assert done.stdout == "seen\n"
    assert not (tmp_path / "test" / "Mathlib" / "x").exists()


@pytest.mark.asyncio
async def test_a_program_that_is_not_there_is_trouble(tmp_path: Path) -> None:
    """It is told with its name."""
    lean = LeanWorld(Program((str(tmp_path / "gone"),), tmp_path))
    with pytest.raises(EnvironmentFailure, match="cannot be started"):
        await lean.reset(Instance(task_of(theorem(), "scienceboard"), "goal"))
