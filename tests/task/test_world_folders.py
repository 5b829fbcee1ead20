"""Worlds are found beside the suite, in installed packages and among the shipped ones."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pytest_cuabench.drivers.worlds import find_world
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.worlds import GROUP, known_worlds, world_folder


def make_world(folder: Path, text: str = 'module = "todo"\n') -> Path:
    """Write the file of a world program."""
    folder.mkdir(parents=True)
    (folder / "environment.toml").write_text(text)
    return folder


@pytest.mark.parametrize("place", ["suites/mine/environments", "suites/environments", "environments"])
def test_beside_the_suite(tmp_path: Path, place: str) -> None:
    """A world lies in the suite's folder, or in one of the two around it."""
    folder = make_world(tmp_path / place / "todo")

    assert world_folder("todo", tmp_path / "suites" / "mine") == folder


def test_nearest_wins(tmp_path: Path) -> None:
    """Of two worlds with one name, the nearest to the suite is taken, and before a shipped one."""
    near, _ = (
        make_world(tmp_path / "mine" / "environments" / "clinic"),
        make_world(tmp_path / "environments" / "clinic"),
    )

    assert world_folder("clinic", tmp_path / "mine") == near
    assert world_folder("clinic", tmp_path / "other") == tmp_path / "environments" / "clinic"
    assert world_folder("clinic", None) == library.ENVIRONMENTS / "clinic"


def test_of_an_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point names a package whose folder holds worlds."""
    (tmp_path / "their_worlds").mkdir()
    (tmp_path / "their_worlds" / "__init__.py").touch()
    folder = make_world(tmp_path / "their_worlds" / "todo")
    monkeypatch.syspath_prepend(tmp_path)
    entry = EntryPoint("theirs", "their_worlds", GROUP)
    monkeypatch.setattr(library, "entry_points", lambda group: [entry] if group == GROUP else [])

    spec = find_world("todo")

    assert spec.folder == folder
    assert spec.fixtures == tmp_path / "fixtures" / "todo"


def test_broken_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point that cannot be imported is named."""
    entry = EntryPoint("theirs", "no_such_package_anywhere", GROUP)
    monkeypatch.setattr(library, "entry_points", lambda group: [entry])

    with pytest.raises(
        SettingError, match=r"pytest_cuabench\.worlds: theirs = no_such_package_anywhere cannot"
    ):
        known_worlds(None)


def test_unknown_world(tmp_path: Path) -> None:
    """The sentence names what is known, the nearest name, and every file that was looked for."""
    make_world(tmp_path / "environments" / "todo")
    suite = tmp_path / "suites" / "mine"

    with pytest.raises(SettingError) as failure:
        world_folder("tood", suite)

    said = str(failure.value)
    shipped = {file.parent.name for file in library.ENVIRONMENTS.glob("*/environment.toml")}
    known = ", ".join(sorted(shipped | {"todo"}))
    assert said.startswith(f"no world named 'tood'; known: {known}; did you mean 'todo'?")
    for root in (suite, suite.parent, tmp_path, library.ROOT):
        assert str(root / "environments" / "tood" / "environment.toml") in said


def test_malformed_file(tmp_path: Path) -> None:
    """All mistakes in `environment.toml` are told with their lines."""
    make_world(tmp_path / "environments" / "todo", 'modul = "todo"\nrequires = 3\n')

    with pytest.raises(SettingError) as failure:
        find_world("todo", tmp_path)

    said = str(failure.value)
    assert "environment.toml:1: unknown key modul" in said
    assert "environment.toml:2: requires:" in said
    assert "module is missing" in said
