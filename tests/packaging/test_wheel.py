"""The wheel, installed where no checkout can be seen, plays an instance."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from wheels import ROOT, run

pytestmark = pytest.mark.slow


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
    assert asked.stderr.startswith(
        "cuabench world: no world named 'nowhere'; known: clinic, desktop, docs_web, "
    )


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
