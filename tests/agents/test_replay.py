"""A recorded attempt can be repeated, action by action."""

from __future__ import annotations

from pathlib import Path

from small_world import Table, make_task, make_world, press

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.builtin.replay import ReplayAgent
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Answer, Terminate
from pytest_cuabench.task.model import Instance


def replay(path: Path | str) -> ReplayAgent:
    """Return an agent that repeats a recording."""
    return ReplayAgent(Profile(adapter="replay", argument=str(path)))


def test_replay_of_a_run(table: Table, tmp_path: Path) -> None:
    """A recorded attempt is repeated action by action, mistakes included, with the same verdict."""
    script = [
        Decision(press("l").actions, "first"),
        Decision(format_error="what?"),
        press("l", "n"),
        Answer("42"),
    ]
    original = table.play(script)
    again = Table(tmp_path / "again").play(replay(table.folder))
    assert again.world.performed == original.world.performed
    assert (again.last.verdict, again.last.answer, again.last.steps, again.last.counts.format_errors) == (
        original.last.verdict,
        "42",
        4,
        1,
    )


def test_replay_of_one_trajectory(table: Table, tmp_path: Path) -> None:
    """One attempt's folder can be repeated, also on another instance."""
    original = table.play([press("n"), Terminate()])
    instance = Instance(make_task(id="other"), "step")
    assert (
        Table(tmp_path / "again").play(replay(original.folder()), instance=instance).last.outcome == "success"
    )


def test_replay_of_the_last_attempt(table: Table, tmp_path: Path) -> None:
    """Of several attempts the last is repeated."""
    table.play([press("f", "n"), Terminate()], attempts=2)
    world = make_world()
    world.resets = 5  # the desk does not shake any more
    assert Table(tmp_path / "again").play(replay(table.folder), world=world).last.outcome == "success"


def test_replay_ends_with_its_recording(table: Table, tmp_path: Path) -> None:
    """After the last recorded decision the replay ends the episode."""
    table.play([press("l")], steps=2)
    played = Table(tmp_path / "again").play(replay(table.folder))
    assert (played.last.steps, played.last.ending) == (3, "success")


def test_replay_without_a_recording(table: Table, tmp_path: Path) -> None:
    """A run that does not hold the instance, or is no run, is said to be so."""
    table.play([Terminate()])
    other = Instance(make_task(id="other"), "step")
    last = Table(tmp_path / "a").play(replay(table.folder), instance=other).last
    assert (last.outcome, last.error) == (
        "provider_error",
        f"{table.folder} holds no trajectory of desk/other-step",
    )
    (tmp_path / "empty").mkdir()
    last = Table(tmp_path / "b").play(replay(tmp_path / "empty")).last
    assert last.error == f"{tmp_path}/empty is not a run: it holds no ledger.jsonl"
