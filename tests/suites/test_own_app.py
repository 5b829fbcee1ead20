"""The example over a published application, Trac: its tasks are proved, and what they change is told."""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "own_app"
pytestmark = pytest.mark.slow


@pytest.mark.skipif(find_spec("trac") is None, reason="Trac is not installed: pip install 'Trac>=1.6'")
def test_audit(pytester: pytest.Pytester) -> None:
    """Every claim of both tasks holds: reference, nothing done, and each wrong solution for its reason."""
    shutil.copytree(EXAMPLE, pytester.path, dirs_exist_ok=True)

    played = pytester.runpytest_subprocess(
        "tracker", "--cua-audit", "--cua-run=proof", "-p", "no:cacheprovider"
    )

    played.assert_outcomes(passed=12)
    played.stdout.fnmatch_lines(
        ["noop*2 of    2 claims hold", "reference*4 of    4 claims hold", "wrong*6 of    6 claims hold"]
    )
