"""The wheels of this checkout, built once for a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from wheels import ROOT, run

collect_ignore = ["todo_bench"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which `scripts/build` has built everything."""
    folder = tmp_path_factory.mktemp("dist")
    run(ROOT / "scripts" / "build", folder, cwd=ROOT)
    return folder


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    """The wheel of the engine."""
    return next(built.glob("pytest_cuabench-*.whl"))
