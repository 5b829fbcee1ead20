"""Tasks of the clinic, solved by a client that repeats what the reference solution did."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from serving.conftest import PLAIN, STOP

from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.serving.catalogue import Catalogue, collect

pytestmark = pytest.mark.slow
SELECT = "emergency_triage and intent and (login or record_vitals)"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """The steps of the reference solutions, as pytest recorded them."""
    reports = tmp_path_factory.mktemp("reference")
    words = ["--cua-suite=medcua", "--agent=oracle", f"--cua-reports={reports}", "--cua-run=reference"]
    command = [sys.executable, "-m", "pytest", *PLAIN, "-q", *words, "-k", SELECT]
    played = subprocess.run(command, cwd=reports, env=dict(os.environ), capture_output=True, text=True)
    assert played.returncode == 0, played.stdout
    run = Run(reports / "reference")
    return {
        each.instance: [{"actions": step["actions"]} for step in read_steps(run.folder / each.trajectory)]
        for each in run.attempts()
        if each.trajectory
    }


@pytest.fixture
def medcua(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Catalogue:
    """These instances, collected for sessions."""
    monkeypatch.chdir(tmp_path)
    return collect("medcua", (*PLAIN, "-k", SELECT))


@pytest.mark.usefixtures("openenv_package")
def test_openenv(scripts: dict[str, Any], medcua: Catalogue) -> None:
    """OpenEnv's own client gets the reward 1 for the reference solutions, four at once, and 0 for doing nothing."""
    from serving.test_openenv import client, served

    async def one(address: str, instance: str, steps: list[dict[str, Any]]) -> float:
        async with client(address, message_timeout_s=120) as env:
            await env.reset(instance=instance)
            for step in steps:
                result = await env.step(step)
            return float(result.reward)

    async def work(address: str, sessions: object) -> list[float]:
        played = [one(address, instance, steps) for instance, steps in scripts.items()]
        idle = [one(address, instance, [STOP]) for instance in scripts]
        return await asyncio.gather(*played, *idle)

    rewards: list[float] = served(medcua, work, at_once=2)
    assert rewards == [1.0] * len(scripts) + [0.0] * len(scripts)


def test_gymnasium(
    scripts: dict[str, Any], medcua: Catalogue, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The Gymnasium environment gives the same rewards."""
    gym: Any = pytest.importorskip("pytest_cuabench.serving.gym")
    collected: Callable[..., Catalogue] = lambda *_: medcua  # noqa: E731
    monkeypatch.setattr(gym, "_collected", collected)
    env = gym.make("medcua")
    rewards = []
    for instance, steps in scripts.items():
        env.reset(options={"instance": instance})
        for step in steps:
            _, reward, terminated, _, _ = env.step(json.dumps(step["actions"]))
        assert terminated
        rewards.append(reward)
    env.close()
    assert rewards == [1.0] * len(scripts)
