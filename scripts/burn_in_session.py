"""The whole path once: real sessions of pytest with an agent that tosses coins, a baseline, and the gate.

Everything is played in a folder that is gone afterwards: six nights of main, which `cuabench baseline update` adds,
and then three candidates, each judged by `--cua-gate`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EPOCHS = 6
GATE = """rate = 0.3
[baseline]
margin = 0.4  # three tasks are few
"""
COIN = '''
"""Does the task or nothing at all, by a coin whose side is as probable as the environment says."""
import json
import os
import random

from pytest_cuabench.task.action import Answer, Key, Terminate
from pytest_cuabench.testing import ScriptedAgent

CHANCE = random.Random(os.environ["COIN_SEED"])
SKILL = json.loads(os.environ["COIN_SKILL"])


class Coin(ScriptedAgent):
    def __init__(self):
        super().__init__(())

    async def start(self, briefing):
        await super().start(briefing)
        skill = SKILL["note" if "n for" in briefing.goal or "was seen" in briefing.goal else "other"]
        done = CHANCE.random() < skill
        self._script = [Key(("n",)), Answer("2")] if done else [Terminate("success")]
'''
CANDIDATES: dict[str, Mapping[str, float]] = {
    "the same agent": {"note": 0.95, "other": 0.95},
    "one task fails from now on": {"note": 0.0, "other": 0.95},
    "four fifths of its skill is lost": {"note": 0.19, "other": 0.19},
}


def played() -> Iterator[tuple[str, str, str, int]]:
    """Yield, for each candidate: its name, pytest's last line, the gate's first reason, and the exit code."""
    with tempfile.TemporaryDirectory(prefix="burn-in-") as name:
        folder = Path(name)
        _prepare(folder)
        for night in range(6):
            _pytest(folder, f"night-{night}", CANDIDATES["the same agent"], ())
            _run(folder, {}, "-c", _CLI, "baseline", "update", f"reports/night-{night}")
        for number, (candidate, skill) in enumerate(CANDIDATES.items()):
            code, lines = _pytest(folder, f"candidate-{number}", skill, ("--cua-gate=gate.toml",))
            title = next(n for n, line in enumerate(lines) if "cuabench gate" in line)
            yield candidate, lines[-1].strip("= "), lines[title + 1], code


_CLI = "import sys; from pytest_cuabench.commands.cli import main; sys.exit(main())"


def _prepare(folder: Path) -> None:
    shutil.copytree(ROOT / "tests" / "sample_suite", folder / "suites" / "sample")
    (folder / "coin.py").write_text(COIN, encoding="utf-8")
    (folder / "gate.toml").write_text(GATE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def _pytest(
    folder: Path, run: str, skill: Mapping[str, float], options: tuple[str, ...]
) -> tuple[int, list[str]]:
    played = f"--cua-run={run}", f"--cua-epochs={EPOCHS}", "--cua-screenshots=off", "--agent=coin:Coin"
    about = {"COIN_SEED": run, "COIN_SKILL": str(dict(skill)).replace("'", '"')}
    return _run(folder, about, "-m", "pytest", "--color=no", "-rN", "suites/sample", *played, *options)


def _run(folder: Path, more: Mapping[str, str], *arguments: str) -> tuple[int, list[str]]:
    paths = os.pathsep.join((str(folder), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **more}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.strip().splitlines()
