"""A package of somebody else brings a suite, a world, a driver, an agent and an exporter; all are found and played."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wheels import ROOT, build, run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment with both wheels; what they depend on comes from this environment."""
    folder = tmp_path_factory.mktemp("theirs")
    source = shutil.copytree(Path(__file__).parent / "todo_bench", folder / "source")
    theirs = build(source, folder)
    run(sys.executable, "-m", "venv", "venv", cwd=folder)
    python = folder / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel, theirs, cwd=folder)
    outer = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
    (packages / "outer.pth").write_text("\n".join(outer))
    return python


def pytest_in(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest on the package's suite."""
    command = (python, "-m", "pytest", "--cua-suite=todo", "-p", "no:cacheprovider", *arguments)
    return run(*command, cwd=folder, check=False)


def test_played(python: Path, tmp_path: Path) -> None:
    """The suite is played on its own driver and world by its own agent, and its exporter writes the run."""
    played = pytest_in(
        python,
        tmp_path,
        "--agent=todo_typist",
        "--cua-seeds=0,1",
        "--cua-export=todo_lines,csv",
        "--cua-run=theirs",
    )

    assert played.returncode == 0, played.stdout + played.stderr
    assert "2 passed" in played.stdout
    assert str(ROOT) not in played.stdout
    lines = (
        (tmp_path / "reports" / "theirs" / "exports" / "todo_lines" / "lines.txt").read_text().splitlines()
    )
    assert sorted(lines) == ["desk/add-intent success", "desk/add-intent-s1 success"]
    assert (tmp_path / "reports" / "theirs" / "exports" / "csv" / "attempts.csv").read_text().count(
        '"success","success"'
    ) == 2


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("--agent=todo_typst", "did you mean --agent=todo_typist?"),
        (
            "--cua-export=todo_line",
            "expected names of exporters: atif, csv, hf, mlflow, openinference, todo_lines; did you mean 'todo_lines'?",
        ),
    ],
)
def test_names_are_suggested(python: Path, tmp_path: Path, argument: str, sentence: str) -> None:
    """A wrong name is answered with the name that an installed package brings."""
    refused = pytest_in(python, tmp_path, argument)

    assert refused.returncode == 4
    assert sentence in refused.stderr


def test_export_command(python: Path, tmp_path: Path) -> None:
    """`cuabench export` lets an exporter write a run that ended long ago."""
    pytest_in(python, tmp_path, "--agent=todo_typist", "--cua-run=theirs")

    told = run(
        python.with_name("cuabench"), "export", "theirs", "--to", "todo_lines", cwd=tmp_path, check=False
    )

    assert told.stdout == f"{Path('reports/theirs/exports/todo_lines/lines.txt')}\n", told.stderr


def test_kernel_names_nothing_of_theirs() -> None:
    """No module of pytest-cuabench knows the package's names."""
    sources = [file.read_text(encoding="utf-8") for file in (ROOT / "pytest_cuabench").rglob("*.py")]
    assert not [source for source in sources if "todo_bench" in source or "todo_typist" in source]
