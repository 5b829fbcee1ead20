"""The OpenEnv server with the package `openenv`, which needs another version of `mcp` than this environment has."""

from __future__ import annotations

import sys
from importlib.metadata import requires
from pathlib import Path

import pytest

from wheels import ROOT, run

TESTS = ("test_openenv.py", "test_clinic.py::test_openenv", "test_command.py::test_signals_end_everything")


@pytest.mark.slow
def test_the_openenv_server_with_its_own_package(tmp_path: Path) -> None:
    """The server's tests pass where its package, installed in a folder, comes before what this environment has."""
    wanted = next(
        name.partition(";")[0] for name in requires("pytest-cuabench") or () if name.startswith("openenv")
    )
    run(sys.executable, "-m", "pip", "install", "--quiet", "--target", "own", wanted, cwd=tmp_path)
    tests = [f"tests/serving/{name}" for name in TESTS]
    own = ("env", f"PYTHONPATH={tmp_path / 'own'}", sys.executable, "-m", "pytest")
    played = run(*own, *tests, "-n0", "-q", "-rs", "-p", "no:cacheprovider", cwd=ROOT, check=False)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "openenv]'" not in played.stdout, "nothing is skipped for want of the package"
