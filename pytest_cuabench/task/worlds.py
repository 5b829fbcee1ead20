"""Where the folders of worlds lie: beside the user's suite, in an installed package, or shipped.

<suite>/environments/<world>/environment.toml
<project>/environments/<world>/environment.toml     for a suite in <project>/suites/<suite> or <project>/<suite>
<folder of an entry point>/<world>/environment.toml
"""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library
from pytest_cuabench.task.names import unknown_name

GROUP = "pytest_cuabench.worlds"
FILE = "environment.toml"


def world_roots(beside: Path | None) -> list[Path]:
    """Return the folders that may hold a world's folder, in the order in which they are searched.

    Args:
        beside: The folder of the suite, or where `cuabench` was started; without one, only installed and shipped
            worlds are known.
    """
    own = [folder / "environments" for folder in (beside, *beside.parents[:2])] if beside else []
    return list(dict.fromkeys([*own, *library.entry_folders(GROUP), library.ENVIRONMENTS]))


def known_worlds(beside: Path | None) -> dict[str, Path]:
    """Return the folders of all worlds by name; of two worlds with one name the first found counts."""
    found: dict[str, Path] = {}
    for root in world_roots(beside):
        for file in sorted(root.glob(f"*/{FILE}")):
            found.setdefault(file.parent.name, file.parent)
    return found


def world_folder(name: str, beside: Path | None) -> Path:
    """Return the folder of a world.

    Raises:
        SettingError: No world has this name; the message says where it was looked for.
    """
    known = known_worlds(beside)
    if name not in known:
        looked = ", ".join(str(root / name / FILE) for root in world_roots(beside))
        raise SettingError(f"{unknown_name('world', name, known)} (looked for {looked}){library.more()}")
    return known[name]


def world_fixtures(folder: Path) -> Path:
    """Return the folder with the data that a world starts from: `fixtures/<world>` beside `environments`."""
    return folder.parents[1] / "fixtures" / folder.name
