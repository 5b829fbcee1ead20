"""What an attempt was played with: the same gives the same, and every difference that matters has a name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_world import make_suite, make_task

from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.ledger import fingerprint
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.fingerprint import (
    Fingerprint,
    agent_hash,
    differences,
    fingerprint_of,
    same_agent,
    task_hash,
    world_hash,
)
from pytest_cuabench.task import library
from pytest_cuabench.task.model import Instance, Task

SETTINGS: dict[str, Any] = {"observation": "screenshot", "max_steps": 30, "max_seconds": 600.0}
OLD = Fingerprint("t1", "w1", "0.1.0", {"cua_max_steps": "30", "screen": "640x480"}, "a1")


def taken(task: Task | None = None, **changes: Any) -> Fingerprint:
    """Return the fingerprint of the small world's task."""
    task = task or make_task()
    return fingerprint_of(Instance(task, "intent"), make_suite(task), **SETTINGS | changes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite's folder with two applications."""
    for name in ("shared.py", "toolkit/records.py", "desk/note.py", "ward/note.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("# nothing yet\n")
    (tmp_path / "ward" / "application.toml").touch()
    return tmp_path


def test_same() -> None:
    """Equal tasks played in equal ways have one fingerprint, whatever the variant, seed or epoch."""
    assert taken() == taken()
    assert taken().digest == taken().digest
    assert differences(taken(), taken()) == []
    task = make_task()
    other = fingerprint_of(Instance(task, "step", 4, 2), make_suite(task), **SETTINGS)
    assert other == taken()


def test_parts() -> None:
    """Each part is short, and names what it stands for."""
    found = taken()
    assert len(found.task) == len(found.world) == len(found.digest) == 12
    assert found.settings == {
        "cua_observation": "screenshot",
        "cua_max_steps": "30",
        "cua_max_seconds": "600",
        "screen": "640x480",
    }


@pytest.mark.parametrize(
    "change",
    [
        {"goals": {"intent": ("Note {name}.",), "step": ("Press n for {name}.",)}},
        {"preamble": "Stand up."},
        {"harmless": frozenset()},
        {"difficulty": "hard"},
        {"domain": "Back Office"},
    ],
)
def test_task_changed(change: dict[str, Any]) -> None:
    """What a task declares is part of it."""
    assert differences(taken(), taken(make_task(**change))) == ["the task changed"]


def test_budget_is_a_setting() -> None:
    """A task's own budget is compared as the setting it becomes, and not a second time."""
    assert taken(make_task(steps=99)) == taken()


def test_code_of_the_suite(folder: Path) -> None:
    """The application's Python and what applications share belong to the task; its neighbours' do not."""
    task = make_task()
    before = task_hash(task, folder)
    (folder / "ward" / "note.py").write_text("# of another application\n")
    (folder / "notes.txt").write_text("no code\n")
    assert task_hash(task, folder) == before
    (folder / "shared.py").write_text("# used by all\n")
    shared = task_hash(task, folder)
    (folder / "toolkit" / "records.py").write_text("# used by all as well\n")
    toolkit = task_hash(task, folder)
    (folder / "desk" / "note.py").write_text("# stricter\n")
    assert len({before, shared, toolkit, task_hash(task, folder)}) == 4


def test_renamed_code(folder: Path) -> None:
    """Where a file lies counts, as a rename changes what is imported."""
    before = task_hash(make_task(), folder)
    (folder / "shared.py").rename(folder / "common.py")
    assert task_hash(make_task(), folder) != before


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with one world; return its folder."""
    monkeypatch.setattr(library, "ROOT", tmp_path)
    for name in ("ENVIRONMENTS", "FIXTURES"):
        monkeypatch.setattr(library, name, tmp_path / name.lower())
        (tmp_path / name.lower() / "shop").mkdir(parents=True)
    (tmp_path / "environments" / "shop" / "environment.toml").write_text('module = "shop"\n')
    (tmp_path / "environments" / "shop" / "server.py").write_text("# sells\n")
    monkeypatch.setattr(fingerprint, "world_hash", world_hash.__wrapped__)
    return tmp_path / "environments" / "shop"


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("server.py", True),
        ("pages/index.html", True),
        ("../../fixtures/shop/wares.csv", True),
        ("__pycache__/server.cpython-311.pyc", False),
        ("README.md", False),
        (".editor/state", False),
    ],
)
def test_world_changed(world: Path, name: str, counts: bool) -> None:
    """A world is all its files and the data it starts from, without caches and words for people."""
    before = fingerprint.world_hash("chromium", "shop")
    (world / name).parent.mkdir(parents=True, exist_ok=True)
    (world / name).write_text("something else\n")
    assert (fingerprint.world_hash("chromium", "shop") != before) is counts


def test_world_of_somebody_else() -> None:
    """Of a world whose files are unknown the names of driver and world are compared."""
    assert len({world_hash("a", "x"), world_hash("a", "y"), world_hash("b", "x")}) == 3
    assert world_hash("a", "x") == world_hash("a", "x")
    assert len({world_hash("a", "x", None, app) for app in ("", "{}", '{"url": "http://x"}')}) == 3


def test_differences_are_named() -> None:
    """Each part that differs is named in a few words, settings with both values."""
    new = Fingerprint("t2", "w2", "0.2.0", {"cua_max_steps": "50", "cua_observation": "tree"}, "a2")
    assert differences(OLD, new) == [
        "the task changed",
        "the world changed",
        "the plugin version changed: 0.1.0 -> 0.2.0",
        "settings differ: cua_max_steps 30 -> 50, cua_observation unset -> tree, screen 640x480 -> unset",
    ]


def test_digest_leaves_the_agent_out() -> None:
    """Runs of two agents on the same tasks can be compared: the agent is no part of the digest."""
    other = replace(OLD, agent="a2")
    assert other.digest == OLD.digest
    assert not same_agent(OLD, other)
    assert same_agent(OLD, replace(OLD, agent=""))


@pytest.mark.parametrize("part", ["task", "world", "plugin"])
def test_digest_has_every_part(part: str) -> None:
    """Each other part changes the digest, settings too."""
    assert replace(OLD, **{part: "other"}).digest != OLD.digest
    assert replace(OLD, settings={"screen": "640x480"}).digest != OLD.digest


def test_agent() -> None:
    """What a profile plays with counts; its words for people and its key do not."""
    profile = Profile(adapter="chat", model="m", name="mine", options={"temperature": 0.0})
    same = profile.model_copy(update={"description": "better words", "key": "MY_API_KEY", "extra": "openai"})
    assert agent_hash(profile) == agent_hash(same)
    for change in ({"model": "n"}, {"options": {"temperature": 1.0}}, {"argument": "x"}):
        assert agent_hash(profile.model_copy(update=change)) != agent_hash(profile)


@pytest.mark.parametrize(
    "name", ["api_key", "key", "client-secret", "token", "Authorization", "extra_headers"]
)
def test_secrets_are_in_no_hash(name: str) -> None:
    """A secret in a profile leaves no trace, wherever it stands; a limit of tokens is none."""

    def hashed(**options: Any) -> str:
        return agent_hash(Profile(adapter="chat", options={"grounder": [options]}))

    assert hashed(**{name: "sk-1"}) == hashed(**{name: "sk-2"}) == hashed()
    assert hashed(max_tokens=1) != hashed(max_tokens=2)


def test_round_trip() -> None:
    """A fingerprint is read back as it was written, with keys of newer versions passed over."""
    data = json.loads(json.dumps(OLD.to_json()))
    assert Fingerprint.from_json({**data, "moon": "full"}) == OLD


def test_records(table: Any) -> None:
    """The ledger keeps a fingerprint; records without one are still read."""
    played = table.play([])
    assert played.last.fingerprint is None
    old = {
        key: value for key, value in played.last.to_json().items() if key not in ("fingerprint", "markers")
    }
    assert Attempt.from_json(old) == played.last
    new = played.last.with_values(fingerprint=OLD, markers=("nightly",))
    assert Attempt.from_json(json.loads(json.dumps(new.to_json()))) == new
