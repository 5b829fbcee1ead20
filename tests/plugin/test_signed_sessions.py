"""Sessions with a key sign what they record, and no agent, world or worker inherits the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.settings import KEY_VARIABLE

SECRET = "a key of more than sixteen bytes"
SPY = """
import os, subprocess
from pathlib import Path
from pytest_cuabench.task.action import Terminate
from pytest_cuabench.agents.base import Decision

class Spy:
    async def start(self, briefing):
        pass

    async def decide(self, seen):
        environ = Path('/proc/self/environ')
        own = environ.read_bytes() if environ.is_file() else b''
        said = subprocess.run(['env'], capture_output=True).stdout + str(dict(os.environ)).encode() + own
        with Path('seen').open('ab') as file:
            file.write(said)
        return Decision((Terminate('success'),))

    async def close(self):
        pass
"""


@pytest.fixture
def signed(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """Run the sample suite with a key, and with a gate that demands signatures."""
    (sample.path / "spy.py").write_text(SPY)
    (sample.path / "gate.toml").write_text("rate = 0.0\nrequire_signed = true\n")
    monkeypatch.setenv("PYTHONPATH", str(sample.path), prepend=":")
    sample.syspathinsert()

    def run(*options: str, key: str = SECRET, alone: bool = False) -> pytest.RunResult:
        monkeypatch.setenv(KEY_VARIABLE, key)
        start = sample.runpytest_subprocess if alone else sample.runpytest_inprocess
        return start("suites/sample", *options)

    return run


def judge(sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, name: str) -> int:
    """Judge a run by the command."""
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    return main(["gate", str(sample.path / "reports" / name), "--config", str(sample.path / "gate.toml")])


@pytest.mark.parametrize("workers", [(), pytest.param(("-n2",), marks=pytest.mark.slow)])
def test_a_signed_session(
    signed: Any, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: tuple[str, ...]
) -> None:
    """Every line is signed, the session's gate and a later one verify it, and the key is nowhere to be found."""
    options = ("--agent=spy:Spy", "--cua-run=mine", "--cua-gate=gate.toml", "-k", "note", *workers)
    result = signed(*options, alone=True)
    assert result.ret == 0, str(result.stdout)
    result.stdout.fnmatch_lines(
        ["✓ Record: 2 attempts at 2 instances, *; signed by 1 session, 1 of them closed."]
    )
    assert judge(sample, monkeypatch, "mine") == 0
    lines = [
        json.loads(line) for line in (sample.path / "reports" / "mine" / LEDGER).read_text().splitlines()
    ]
    assert [line["type"] for line in lines] == ["plan", "attempt", "attempt", "closed"]
    assert len({line["signed"]["by"].partition(".")[0] for line in lines}) == 1
    seen = (sample.path / "seen").read_bytes()
    assert b"PATH=" in seen
    written = [file.read_bytes() for file in sample.path.rglob("*") if file.is_file()]
    assert not any(SECRET.encode() in text for text in [seen, *written])


def test_resuming(signed: Any, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signed run is resumed with its key and stays signed; without the key one sentence says so."""
    assert signed("--agent=spy:Spy", "--cua-run=mine", "-k", "note").ret == 1
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    refused = sample.runpytest_inprocess("suites/sample", "--agent=spy:Spy", "--cua-resume=mine")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(
        [f"ERROR: --cua-resume: */ledger.jsonl is signed; type: export {KEY_VARIABLE}=*"]
    )
    assert (
        signed("--agent=spy:Spy", "--cua-resume=mine", "--cua-gate=gate.toml", "-k", "note or count").ret == 0
    )
    assert judge(sample, monkeypatch, "mine") == 0


def test_resuming_an_unsigned_run(
    signed: Any, sample: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key does not sign half of a run."""
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    sample.runpytest_inprocess("suites/sample", "--agent=spy:Spy", "--cua-run=mine", "-k", "note")
    before = (sample.path / "reports" / "mine" / LEDGER).read_bytes()
    result = signed("--agent=spy:Spy", "--cua-resume=mine")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [f"ERROR: --cua-resume: */ledger.jsonl is not signed, *; unset {KEY_VARIABLE}, or start a new run"]
    )
    assert (sample.path / "reports" / "mine" / LEDGER).read_bytes() == before


def test_resuming_a_forged_run(sample: pytest.Pytester) -> None:
    """A run whose record contradicts itself is not resumed, and nothing is written."""
    sample.runpytest_inprocess("suites/sample", "--agent=noop", "--cua-run=mine", "-k", "note")
    ledger: Path = sample.path / "reports" / "mine" / LEDGER
    forged = ledger.read_text().replace('"outcome":"failure"', '"outcome":"success"')
    ledger.write_text(forged)
    result = sample.runpytest_inprocess("suites/sample", "--agent=noop", "--cua-resume=mine")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: */ledger.jsonl, line 2: the outcome is success, but its verdict means failure*"]
    )
    assert ledger.read_text() == forged


def test_a_short_key(signed: Any) -> None:
    """A key that can be guessed is refused before anything is played."""
    result = signed("--agent=spy:Spy", key="short")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {KEY_VARIABLE} has 5 bytes, but needs at least 16; *"])
