"""Installed but unused, the plugin cannot be told from one that is not there."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

HEAVY = {
    "pydantic", "pydantic_core", "playwright", "PIL", "httpx2", "httpcore2", "allure", "allure_commons",
    "allure_pytest", "jinja2", "starlette", "uvicorn", "greenlet", "openai", "anthropic",
}  # fmt: skip
OTHERS = ("-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:xdist")
PLAIN = """
import pytest

def test_passes():
    pass

def test_fails():
    assert 1 == 2

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.fixture
def broken():
    raise ValueError("broken")

def test_error(broken):
    pass
"""


def without_times(text: str) -> list[str]:
    """Return the lines of a session without what differs from one to the next, and without the lists of plugins."""
    lines = [re.sub(r"in \d+\.\d+s", "in 0s", line) for line in text.splitlines()]
    return [line for line in lines if not line.startswith(("plugins:", "asyncio:"))]


@pytest.mark.parametrize("verbosity", ["-v", pytest.param("-q", marks=pytest.mark.slow)])
def test_prints_nothing(pytester: pytest.Pytester, verbosity: str) -> None:
    """A session without suites looks the same without the plugin and the pytest-asyncio that it brings."""
    pytester.makepyfile(PLAIN)
    options = (*OTHERS, "-p", "no:cacheprovider", verbosity, "-ra", "-W", "always")
    with_it = pytester.runpytest_subprocess(*options)
    without = pytester.runpytest_subprocess(*options, "-p", "no:cuabench", "-p", "no:asyncio")
    assert without_times(with_it.stdout.str()) == without_times(without.stdout.str())
    assert with_it.stderr.str() == without.stderr.str() == ""
    assert "cuabench" not in re.sub("plugins:.*", "", with_it.stdout.str()).replace(sys.executable, "")
    with_it.assert_outcomes(passed=1, failed=1, skipped=1, errors=1)


def test_leaves_no_folder(pytester: pytest.Pytester) -> None:
    """A session without suites writes nothing."""
    pytester.makepyfile("def test(): pass")
    pytester.runpytest_inprocess(*OTHERS, "-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert {path.name for path in pytester.path.iterdir()} <= {
        "test_leaves_no_folder.py",
        "__pycache__",
    }


def test_imports_nothing_heavy(record_property: Callable[[str, object], None]) -> None:
    """Importing the plugin imports a handful of its own modules, pytest, pytest-asyncio and the standard library."""
    code = (
        "import sys, time, pytest, pytest_asyncio; before = set(sys.modules); start = time.perf_counter();"
        "import pytest_cuabench.plugin; print(time.perf_counter() - start);"
        "print('\\n'.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, *names = done.stdout.split()
    record_property("import_seconds", float(seconds))  # for whoever wants to know; it fails nobody
    new = set(names)
    ours = {name for name in new if name.partition(".")[0] == "pytest_cuabench"}
    assert ours == {
        "pytest_cuabench",
        *(
            f"pytest_cuabench.{name}"
            for name in (
                "collection",
                "collection.fixtures",
                "collection.session_loop",
                "collection.stash",
                "errors",
                "plugin",
                "settings",
                "task",
                "task.text",
            )
        ),
    }
    others = {name.partition(".")[0] for name in new - ours}
    assert others <= set(sys.stdlib_module_names)


def test_plain_session_imports_nothing_heavy(pytester: pytest.Pytester) -> None:
    """A session of plain tests ends without having imported what only episodes need."""
    pytester.makepyfile(
        f"""
        import sys

        def test_modules():
            assert not set(sys.modules) & {HEAVY!r}
            assert not [name for name in sys.modules if name.startswith("pytest_cuabench.reporting")]
        """
    )
    done = pytester.runpytest_subprocess(*OTHERS, "-p", "no:allure_pytest")
    done.assert_outcomes(passed=1)


def test_help_and_markers(pytester: pytest.Pytester) -> None:
    """Help shows every option with its default, markers show the one for tasks."""
    options = pytester.runpytest_inprocess(*OTHERS, "--help").stdout.str()
    assert "computer-use-agent benchmarks" in options
    assert "--cua-attempts=N" in options
    assert "(default: 3)" in options
    markers = pytester.runpytest_inprocess(*OTHERS, "--markers").stdout
    markers.fnmatch_lines(
        ["@pytest.mark.task(id, suite, application, domain, difficulty, variant, seed, template): a task"]
    )
