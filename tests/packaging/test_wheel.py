"""The wheel, installed where no checkout can be seen, plays an instance."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    return subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=check)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what git tracks; the copy is gone afterwards."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    listed = run(
        "git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT
    ).stdout.splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, source, cwd=folder)
    shutil.rmtree(source)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with nothing in it but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=folder)
    return python


def test_wheel_holds_all_definitions(wheel: Path) -> None:
    """Suites, worlds, their data, agents and report assets are in the wheel; tests and caches are not."""
    names = zipfile.ZipFile(wheel).namelist()

    library = {name.split("/")[2] for name in names if name.startswith("pytest_cuabench/_library/")}

    assert library == {"agents", "environments", "fixtures", "suites"}
    assert {"clinic", "desktop", "kit", "salesforce"} <= {
        name.split("/")[3] for name in names if name.startswith("pytest_cuabench/_library/environments/")
    }
    assert "pytest_cuabench/py.typed" in names
    assert any(name.startswith("pytest_cuabench/reporting/page/assets/vendor/chart.js") for name in names)
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


def test_wheel_brings_the_console_script(python: Path, tmp_path: Path) -> None:
    """`cuabench` is installed beside Python, and knows the shipped worlds."""
    asked = run(python.with_name("cuabench"), "world", "nowhere", cwd=tmp_path, check=False)

    assert asked.returncode == 2
    assert asked.stderr == "cuabench world: no world is named 'nowhere'; known: clinic, desktop, salesforce\n"


def test_wheel_plays_an_instance(python: Path, tmp_path: Path) -> None:
    """In an empty folder, the installed plugin plays a shipped suite's instance in a real browser."""
    played = run(
        *(python, "-m", "pytest", "--cua-suite=medcua", "--agent=oracle", "-k", "print_wristband-step"),
        *("-p", "no:cacheprovider"),
        cwd=tmp_path,
        check=False,
    )

    assert played.returncode == 0, played.stdout + played.stderr
    assert "1 passed" in played.stdout
    assert str(ROOT) not in played.stdout
    assert list(tmp_path.glob("reports/*/report.html"))
