"""What holds for every session from this checkout, and the fixtures that suites and tests share.

None of them is used by itself where suites are played, since tests with other fixtures than the plugin's are not played
ahead (`--cua-at-once`).
"""

from __future__ import annotations

import os
import signal

import pytest

# A shell starts its background jobs deaf to Ctrl-C, and what a test starts and interrupts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def hermetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a user's settings, keys and terminal out of a test."""
    for name in os.environ:
        if name.startswith(("CUABENCH_", "ALLURE_")) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    for name in ("PY_COLORS", "NO_COLOR", "FORCE_COLOR", "PYTEST_ADDOPTS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
