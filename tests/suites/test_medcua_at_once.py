"""Real workstations played at once: the same results as one at a time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.chromium.executable import find_chromium
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task.library import SUITES

pytestmark = pytest.mark.slow
SELECTED = "icu_central"  # pages that move by themselves


def results(folder: Path, *how: str) -> dict[str, Any]:
    """Play audits of some tasks and return what their verdicts are made of."""
    try:
        find_chromium(None)
    except SettingError as error:
        pytest.skip(str(error))
    command = [
        *(sys.executable, "-m", "pytest", str(SUITES / "medcua"), "-q", "-p", "no:cacheprovider"),
        *("--cua-audit-quick", "-k", f"({SELECTED}) and (reference-s0 or noop)", f"--rootdir={folder}"),
        *("--cua-reports=reports", "--cua-run=this", *how),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 0, done.stdout[-3000:]
    return {
        attempt.instance: (
            *(attempt.number, attempt.outcome, attempt.verdict, attempt.goal, attempt.answer),
            *(attempt.steps, attempt.actions, attempt.commits, attempt.cut, attempt.head_start),
        )
        for attempt in Run(folder / "reports" / "this").attempts()
    }


def test_results_do_not_depend_on_what_is_played_beside(tmp_path: Path) -> None:
    """One at a time, and sixteen at once in one browser: each claim ends the same way, with the same steps."""
    folders = tmp_path / "one", tmp_path / "many"
    for folder in folders:
        folder.mkdir()
    one = results(folders[0], "-n2")
    many = results(folders[1], "--cua-at-once=16")
    assert len(one) > 10
    assert many == one
