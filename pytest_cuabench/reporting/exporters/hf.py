"""`hf`: a folder that `datasets.load_dataset` reads: a table of attempts, and one of steps with their pictures inside.

    load_dataset(FOLDER, "attempts")   what each attempt came to
    load_dataset(FOLDER, "steps")      what the agent saw, thought and did; `screen` is a picture

The folder can be pushed to a hub as it is. Tables are written in parts: a run's pictures are never all in memory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Image, Value
from datasets.table import embed_table_storage
from pyarrow.parquet import ParquetWriter

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.exporters.records import FACTS, Episode, episodes
from pytest_cuabench.reporting.words import reason

_ROWS = 64  # in memory at once, with their pictures
_WHOLE = ("number", "seed", "epoch", "steps", "max_steps", "tokens_in", "tokens_out", "tokens_cached")
_DECIMAL = ("score", "reward", "seconds", "dollars")
_WORDS = (
    "attempt",
    *(name for name in FACTS if name not in _WHOLE),
    "model",
    "goal",
    "answer",
    "reason",
    "verdict",
)
ATTEMPTS = Features(
    {
        **{name: Value("string") for name in _WORDS},
        **{name: Value("int64") for name in _WHOLE},
        **{name: Value("float64") for name in _DECIMAL},
        "success": Value("bool"),
        "end": Image(),
    }
)
STEPS = Features(
    {
        **{
            name: Value("string") for name in ("attempt", "phase", "goal", "thought", "calls", "seen", "said")
        },
        **{name: Value("int64") for name in ("step", "tokens_in", "tokens_out", "tokens_cached")},
        "dollars": Value("float64"),
        "wrote": Value("bool"),
        "began": Value("timestamp[us, tz=UTC]"),
        "ended": Value("timestamp[us, tz=UTC]"),
        "screen": Image(),
    }
)
_CARD = """---
configs:
- config_name: attempts
  default: true
  data_files: data/attempts.parquet
- config_name: steps
  data_files: data/steps.parquet
---

Episodes of computer-use agents, recorded by pytest-cuabench. `attempts` has one row for each attempt, `steps` one for
each decision; `attempt` joins them. `calls`, `seen`, `said` and `verdict` are JSON.
"""


def export(run: Run, folder: Path) -> Path:
    """Write the attempts of a run."""
    (folder / "data").mkdir()
    _write(folder / "data" / "attempts.parquet", ATTEMPTS, map(_attempt, episodes(run)))
    _write(folder / "data" / "steps.parquet", STEPS, (row for each in episodes(run) for row in _steps(each)))
    card = folder / "README.md"
    card.write_text(_CARD, encoding="utf-8")
    return card


def _write(file: Path, features: Features, rows: Iterable[Mapping[str, Any]]) -> None:
    rest = iter(rows)
    with ParquetWriter(file, features.arrow_schema) as table:
        while part := list(islice(rest, _ROWS)):
            columns = {name: [row[name] for row in part] for name in features}
            made = Dataset.from_dict(columns, features=features).with_format("arrow")[:]
            table.write_table(embed_table_storage(made))  # else pictures are paths on this computer


def _attempt(episode: Episode) -> dict[str, Any]:
    attempt = episode.attempt
    return {
        **episode.facts(),
        "attempt": episode.name,
        "goal": attempt.goal,
        "answer": attempt.end.answer,
        "reason": reason(attempt),
        "verdict": json.dumps(attempt.verdict.to_json()) if attempt.verdict else None,
        "end": _path(episode.parts[-1].end),
    }


def _steps(episode: Episode) -> Iterator[dict[str, Any]]:
    for part in episode.parts:
        for step in part.steps:
            yield {
                "attempt": episode.name,
                "phase": part.name,
                "goal": part.goal,
                "step": step.number,
                "thought": step.thought,
                "calls": json.dumps([call._asdict() for call in step.calls]),
                "seen": json.dumps(step.seen),
                "said": json.dumps(step.said),
                "tokens_in": step.usage.tokens_in,
                "tokens_out": step.usage.tokens_out,
                "tokens_cached": step.usage.tokens_cached,
                "dollars": step.usage.cost,
                "wrote": step.wrote,
                "began": step.began,
                "ended": step.ended,
                "screen": _path(step.screen),
            }


def _path(picture: Path | None) -> str | None:
    return str(picture) if picture else None
