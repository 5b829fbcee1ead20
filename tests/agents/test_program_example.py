"""The example of a program that plays: a task of the clinic, by the HTTP client, in a box without a network."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.task import library

from .boxed import needs_box

EXAMPLE = Path(__file__).parents[2] / "examples/program"


@needs_box
@pytest.mark.slow
def test_plays_the_clinic(pytester: pytest.Pytester, tmp_path: Path) -> None:
    """The program signs in and opens the chart; the record says that it was boxed, and that it cost nothing."""
    folder = tmp_path / "program"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("packages"))
    for name in ("requests", "urllib3", "idna", "certifi", "charset_normalizer"):
        place = Path(importlib.import_module(name).__file__ or "").parent
        shutil.copytree(place, folder / "packages" / name, ignore=shutil.ignore_patterns("*.so"))
    tmp_path.chmod(0o755)
    played = pytester.runpytest_subprocess(
        str(library.SUITES / "medcua"),
        f"--agent={folder / 'clinic.toml'}",
        f"--cua-reports={tmp_path / 'reports'}",
        *("-k", "emergency_triage and open_patient-step", "--cua-attempts=1", "-p", "no:cacheprovider"),
    )
    played.assert_outcomes(passed=1)
    (attempt,) = Run(next(tmp_path.glob("reports/*"))).attempts()
    assert (attempt.conditions.isolation, attempt.usage.cost) == ("box", 0.0)
