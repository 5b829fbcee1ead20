"""Set-up mistakes are found once, before anything is played: one sentence and exit code 4, with workers, too."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pytest_cuabench.collection import session_loop
from pytest_cuabench.errors import SettingError

Play = Callable[..., pytest.RunResult]
AGENTS = {
    "class NoMethods:\n    pass\n": (
        "mine:NoMethods",
        "agent 'NoMethods' is not a valid agent: NoMethods has no start, no decide, no close; see docs/agents.md",
    ),
    "class Wants:\n    def __init__(self, profile, more):\n        pass\n": (
        "mine:Wants",
        "cannot create agent 'Wants': TypeError: *missing 1 required positional argument: 'more'",
    ),
    "class Breaks:\n    def __init__(self):\n        raise ValueError('my mistake')\n": (
        "mine:Breaks",
        "cannot create agent 'Breaks': ValueError: my mistake (*mine.py:3)",
    ),
    "class Leaves:\n    def __init__(self):\n        raise SystemExit(0)\n": (
        "mine:Leaves",
        "cannot create agent 'Leaves': SystemExit: 0 (*mine.py:3)",
    ),
    "class Short:\n    def start(self): ...\n    def decide(self, s): ...\n    def close(self): ...\n": (
        "mine:Short",
        "agent 'Short' is not a valid agent: Short.start has to accept 1 arguments: *",
    ),
    "def make():\n    return None\n": (
        "mine:make",
        "agent 'make' is not a valid agent: NoneType has no start, *",
    ),
    "import sys\nsys.exit(0)\n": (
        "mine:Any",
        "cannot import agent 'Any' from 'mine:Any': SystemExit: 0 *",
    ),
    "import nothing_of_the_kind\n": ("mine:Any", "agent 'Any': no module named 'nothing_of_the_kind'; *"),
    "class Lazy:\n    def __init__(self):\n        import nothing_of_the_kind\n": (
        "mine:Lazy",
        "agent 'Lazy': no module named 'nothing_of_the_kind'; *",
    ),
    "Any = 7\n": ("mine:Any", "agent 'Any': 'mine:Any' is not a class; expected module:Class"),
    "x = 1\n": ("mine:Any", "cannot import agent 'Any' from 'mine:Any': AttributeError: *"),
}


def one_sentence(result: pytest.RunResult, sample: pytest.Pytester, pattern: str) -> None:
    """See that a session ended with one sentence and exit code 4, and that nothing was played or is left."""
    assert result.ret == pytest.ExitCode.USAGE_ERROR, str(result.stdout)
    errors = [line for line in result.errlines if line.startswith("ERROR: ")]
    assert len(errors) == 1, result.errlines
    result.stderr.fnmatch_lines([f"ERROR: {pattern.replace('[', '[[]')}"])
    said = result.stdout.str() + result.stderr.str()
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert not list(sample.path.glob("reports/*/trajectories"))
    for ledger in sample.path.glob("reports/*/ledger.jsonl"):  # a worker may have written its plan by then
        assert [json.loads(line)["type"] for line in ledger.read_text().splitlines()] == ["plan"]


@pytest.fixture(autouse=True)
def _forget() -> Any:
    yield
    sys.modules.pop("mine", None)


@pytest.mark.parametrize("text", AGENTS)
def test_a_class_that_is_no_agent(play: Play, sample: pytest.Pytester, text: str) -> None:
    """A class that cannot be imported, made or played is refused before anything is collected."""
    agent, pattern = AGENTS[text]
    (sample.path / "mine.py").write_text(text)
    sample.syspathinsert()
    one_sentence(play(f"--agent={agent}"), sample, pattern)
    assert not (sample.path / "reports").exists()


@pytest.mark.parametrize(
    ("options", "pattern"),
    [
        (["--agent=replay"], "--agent=replay needs a run or a trajectory, such as replay:reports/RUN"),
        (["--agent=replay:nothere"], "--agent=replay: no such folder: nothere"),
        (["--agent=replay:suites"], "suites is not a run: it holds no ledger.jsonl"),
        (
            ["--agent=json:JSONDecoder"],
            "agent 'JSONDecoder' is not a valid agent: JSONDecoder has no start, no decide, no close; *",
        ),
        (
            ["--agent=json:nothing"],
            "cannot import agent 'nothing' from 'json:nothing': AttributeError: *",
        ),
        (["--agent=openai"], "agent 'openai' reads its key from OPENAI_API_KEY, which is not set; *"),
        (["--agent=gemini"], "agent 'gemini' reads its key from GEMINI_API_KEY, which is not set; *"),
        (["--agent=claude"], "agent 'claude' reads its key from ANTHROPIC_API_KEY, which is not set; *"),
        (["--agent=bare.toml"], "agent 'bare' reads its key from ANTHROPIC_API_KEY, which is not set; *"),
        (
            ["--agent=away.toml"],
            "agent 'away': nothing answers at http://127.0.0.1:9/v1 (Connection refused); start the server, *",
        ),
        (["--agent=deep.toml"], "*/deep.toml is not valid TOML: it is nested too deeply"),
        (["--agent=bad.toml"], "*/bad.toml is not valid TOML: *"),
        (
            ["--agent=noop", "--cua-chromium=/nothing/here"],
            "--cua-chromium: The Chromium '/nothing/here' is not an executable*",
        ),
        (
            ["--agent=noop", "--cua-world=desktop=vmware,nowhere=qemu"],
            "--cua-world: no world named 'nowhere'; *",
        ),
        (["--agent=noop", "--cua-sedes=1"], "unrecognized option --cua-sedes; did you mean --cua-seeds?"),
        (
            ["--agent=noop", "--cua-tasks=sciencebord=here"],
            "--cua-tasks: no suite named 'sciencebord'; known: *; did you mean 'scienceboard'?",
        ),
        (["--agent=fixture"], "--agent=fixture: define a fixture named 'agent' in your conftest.py *"),
        (["--agent=noop", "--cua-gate=deep.toml"], "*/deep.toml is not valid TOML: it is nested too deeply"),
        (["--agent=noop", "--cua-reports=deep.toml"], "--cua-reports: cannot write to */deep.toml *"),
        (
            ["--agent=noop", "--cua-gate=signed.toml"],
            "*/signed.toml: the gate requires signatures (require_signed), but *",
        ),
    ],
)
@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.nightly)])
def test_mistakes(
    sample: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    pattern: str,
    workers: tuple[str, ...],
) -> None:
    """Whatever is set up wrongly is said in one sentence, once."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    (sample.path / "deep.toml").write_text("a = " + "[" * 20_000)
    (sample.path / "bad.toml").write_text("adapter = \n")
    (sample.path / "bare.toml").write_text('adapter = "anthropic"\nmodel = "claude-sonnet-4-5"\n')
    (sample.path / "away.toml").write_text(
        'adapter = "chat"\nmodel = "m"\n[options]\nurl = "http://127.0.0.1:9/v1"\n'
    )
    (sample.path / "signed.toml").write_text("rate = 0.5\nrequire_signed = true\n")
    run = sample.runpytest_subprocess if workers else sample.runpytest_inprocess
    one_sentence(run("suites/sample", *options, *workers), sample, pattern)


def test_variables(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment variable that is almost a setting's is refused, and a further one of this project's is not."""
    monkeypatch.setenv("CUABENCH_WORLD_TOKEN", "t")
    monkeypatch.setenv("CUABENCH_MAXCOST", "5")
    result = sample.runpytest_inprocess("suites/sample", "--agent=noop")
    one_sentence(result, sample, "CUABENCH_MAXCOST is not a setting; did you mean CUABENCH_MAX_COST?")


@pytest.mark.usefixtures("without_environment")
def test_person_without_a_display(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person cannot play without a window, and is told so before anything is played."""
    monkeypatch.setattr(
        "pytest_cuabench.agents.builtin.human.HumanAgent.check", lambda self: None
    )  # has a terminal
    monkeypatch.setattr(
        "pytest_cuabench.drivers.chromium.browser.executable.find_chromium",
        lambda *_, **__: "/usr/bin/chromium",
    )
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    result = sample.runpytest_inprocess("suites/sample", "--agent=human")
    one_sentence(result, sample, "a person needs a window, and there is no display; set DISPLAY, *")


def test_fixture_that_returns_no_agent(sample: pytest.Pytester) -> None:
    """What the user's own fixture returns is looked at before it is asked for a decision."""
    sample.makeconftest("import pytest\n\n\n@pytest.fixture\ndef agent():\n    return 5\n")
    result = sample.runpytest_inprocess("suites/sample", "--agent=fixture", "-k", "note-intent")
    result.assert_outcomes(errors=1, deselected=5)
    result.stdout.fnmatch_lines(
        ["what the fixture 'agent' returns is not a valid agent: int has no start, *"]
    )
    assert "Traceback" not in result.stdout.str()


@pytest.fixture
def without_environment(change: Any) -> None:
    """Let the suite be played on the driver that its own file names."""
    change("conftest.py", "def environment()", "def another_place()")


@pytest.mark.usefixtures("without_environment")
@pytest.mark.parametrize(
    ("option", "pattern"),
    [
        ("--cua-world=clinic=docker", "--cua-world: the world clinic runs on the driver chromium only; *"),
        (
            "--cua-chromium=/nothing/here",
            "--cua-chromium: The Chromium '/nothing/here' is not an executable file; *",
        ),
    ],
)
@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.slow)])
def test_worlds(sample: pytest.Pytester, option: str, pattern: str, workers: tuple[str, ...]) -> None:
    """A place that a suite's world cannot be at is found when the suite is known."""
    run = sample.runpytest_subprocess if workers else sample.runpytest_inprocess
    result = run("suites/sample", "--agent=noop", option, *workers)
    one_sentence(result, sample, pattern)


@pytest.mark.usefixtures("without_environment")
def test_no_browser_at_all(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no browser is installed, and one is needed, nothing is played."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(sample.path))
    result = sample.runpytest_inprocess("suites/sample", "--agent=noop")
    one_sentence(result, sample, "No Chromium was found on this computer; *")


@pytest.mark.parametrize("options", [("--collect-only",), ("--cua-dry-run",)])
def test_looking_needs_no_key(play: Play, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]) -> None:
    """What plays nothing needs no key."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert play("--agent=openai", *options).ret == pytest.ExitCode.OK


@pytest.mark.parametrize("file", ["suite.toml", "desk/note.toml"])
def test_a_suite_that_is_nested_too_deeply(play: Play, sample: pytest.Pytester, file: str) -> None:
    """A suite's file that no parser can read is one sentence of the collection."""
    (sample.path / "suites" / "sample" / file).write_text("a = " + "[" * 20_000)
    result = play("--agent=oracle")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines([f"*/{file} is not valid TOML: it is nested too deeply"])
    assert "Traceback" not in result.stdout.str()
    assert "RecursionError" not in result.stdout.str()


def test_a_temporary_folder_that_is_not_there(
    play: Play, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A TMPDIR that names no folder is a mistake of the set-up, not of an environment."""
    missing = sample.path / "not there"
    monkeypatch.setenv("TMPDIR", str(missing))
    pattern = f"TMPDIR names {missing}, which is no folder; type: mkdir -p '{missing}', or: unset TMPDIR"
    one_sentence(play("--agent=oracle"), sample, pattern)


def test_a_running_loop() -> None:
    """Where a test before left Playwright's sync API running, a suite is refused with a sentence and no traceback."""

    async def within() -> None:
        with pytest.raises(SettingError, match="an event loop runs already, and a suite cannot be played"):
            session_loop.refuse_running_loop()

    session_loop.refuse_running_loop()
    asyncio.run(within())
