"""Async fixtures, agents and tests of a user's project share pytest-asyncio's session loop with the environments."""

from __future__ import annotations

from collections.abc import Callable

import pytest

CONFTEST = """
import asyncio

import pytest
import pytest_asyncio

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.task.action import Key, Terminate
from pytest_cuabench.testing import FakeEnvironment

LOOPS = {}


def here(who):
    LOOPS.setdefault(who, set()).add(asyncio.get_running_loop())


@FIXTURE
async def client():
    here("client")
    gone = asyncio.get_running_loop().create_future()
    yield gone
    here("client closes")
    gone.set_result("closed")
    assert await gone == "closed"


class Agent:
    def __init__(self, client):
        self.client = client
        self.script = [Key(("n",)), Terminate("success")]

    async def start(self, briefing):
        here("agent")

    async def decide(self, observation):
        await asyncio.wait({self.client}, timeout=0)  # a future of another loop is refused
        return Decision((self.script.pop(0),))

    async def close(self):
        here("agent")


@FIXTURE
async def agent(client):
    return Agent(client)


@FIXTURE
async def environment():
    here("environment")
    await asyncio.sleep(0)

    def react(world, action):
        here("world")
        if action == Key(("n",)):
            world.write("notes", "1", patient="A", text="seen")

    yield FakeEnvironment({"patients": {"A": {"name": "Ada"}, "B": {"name": "Bo"}}}, react)
    here("environment closes")


def pytest_unconfigure():
    playing = set().union(*(loops for who, loops in LOOPS.items() if who != "plain"))
    print("WHO", *sorted(LOOPS))
    print("LOOPS", len(playing), "PLAIN SHARES", bool(playing & LOOPS.get("plain", set())))
"""
TESTS = """
import asyncio

import pytest
from conftest import here


def test_sync(attempt):
    attempt.require()


MARK
async def test_async(attempt, client):
    here("test")
    assert not client.done()
    attempt.require()
"""
PLAIN = """
import asyncio

import pytest
from conftest import here


MARK
async def test_plain():
    here("plain")
"""
STRICT = ("@pytest_asyncio.fixture", "@pytest.mark.asyncio")
UNMARKED = ("@pytest.fixture", "@pytest.mark.asyncio")
AUTO = ("@pytest.fixture", "")
FUNCTION = ('@pytest_asyncio.fixture(loop_scope="function")', "@pytest.mark.asyncio")
SESSION = ('@pytest_asyncio.fixture(loop_scope="session")', '@pytest.mark.asyncio(loop_scope="session")')


@pytest.fixture
def project(sample: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the sample suite with async fixtures, an async agent and async tests of a user's."""

    def run(fixture: str, mark: str, *options: str) -> pytest.RunResult:
        suite = sample.path / "suites" / "sample"
        (suite / "conftest.py").write_text(CONFTEST.replace("@FIXTURE", fixture))
        (suite / "test_sample.py").write_text(TESTS.replace("MARK", mark))
        (suite / "test_plain.py").write_text(PLAIN.replace("MARK", mark))
        chosen = ("-k", "note-intent or plain", "-s", "-p", "no:anyio", "-p", "no:hypothesispytest")
        return sample.runpytest_subprocess("suites/sample", "--agent=fixture", *chosen, *options)

    return run


@pytest.mark.parametrize(
    ("written", "options"),
    [
        pytest.param(STRICT, ("--asyncio-mode=strict",), id="strict"),
        pytest.param(UNMARKED, ("--asyncio-mode=strict",), id="strict-unmarked", marks=pytest.mark.slow),
        pytest.param(AUTO, ("--asyncio-mode=auto",), id="auto", marks=pytest.mark.slow),
        pytest.param(FUNCTION, (), id="function", marks=pytest.mark.slow),
        pytest.param(
            SESSION, ("-o", "asyncio_default_test_loop_scope=module"), id="session", marks=pytest.mark.slow
        ),
    ],
)
def test_one_loop(
    project: Callable[..., pytest.RunResult], written: tuple[str, str], options: tuple[str, ...]
) -> None:
    """All that is async around an episode runs on one loop, which an unrelated async test need not share."""
    result = project(*written, *options)
    result.assert_outcomes(passed=3, deselected=10)
    who = "agent client client closes environment environment closes plain test world"
    result.stdout.fnmatch_lines([f"WHO {who}", f"LOOPS 1 PLAIN SHARES {written is SESSION}"])
    if written is not UNMARKED:  # which pytest-asyncio itself warns of in strict mode
        assert "Deprecat" not in result.stdout.str() + result.stderr.str()


def test_other_loop_is_refused(project: Callable[..., pytest.RunResult]) -> None:
    """A test that plays cannot have a loop of its own, and is told what to write."""
    result = project(STRICT[0], '@pytest.mark.asyncio(loop_scope="function")')
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: *test_sample.py::test_async*: loop_scope='function' is not possible for a test that plays*"]
    )


def test_needs_pytest_asyncio(sample: pytest.Pytester) -> None:
    """A session that plays says that it needs pytest-asyncio; one that does not play runs without."""
    without = ("-p", "no:asyncio", "suites/sample")
    refused = sample.runpytest_inprocess(*without, "--agent=oracle")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: pytest-cuabench plays on the event loop of pytest-asyncio*"])
    assert sample.runpytest_inprocess(*without, "--collect-only").ret == pytest.ExitCode.OK


@pytest.mark.slow
def test_warnings_as_errors(sample: pytest.Pytester) -> None:
    """A project that turns warnings into errors and has no setting of pytest-asyncio plays as others do."""
    sample.runpytest_subprocess("suites/sample", "--agent=oracle", "-W", "error").assert_outcomes(passed=6)
