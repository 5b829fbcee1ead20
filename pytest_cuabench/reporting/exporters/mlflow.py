"""`mlflow`: a store of MLflow, `mlflow.db` and `artifacts/`: an MLflow run for the run, and one in it for each attempt.

    mlflow server --backend-store-uri sqlite:///FOLDER/mlflow.db

The experiment is named after the suites. The run has rates as metrics; an attempt has its facts as parameters, its
figures as metrics, and its goal, steps and pictures as artifacts.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.exporters.records import FACTS, Episode, Part, episodes
from pytest_cuabench.reporting.figures import measures
from pytest_cuabench.reporting.words import reason
from pytest_cuabench.task.text import short

# An export calls nobody; MLflow reads this at its import.
os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

from mlflow import MlflowClient
from mlflow.entities import Metric, Param, RunTag

FILE = "mlflow.db"
_FIGURES = (
    "success",
    "score",
    "reward",
    "seconds",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "dollars",
    "steps",
)
_PARENT, _NOTE = "mlflow.parentRunId", "mlflow.note.content"  # tags that MLflow's own pages show
_LONGEST = 500  # characters of a parameter, which older versions refuse beyond
_PICTURES = "screens"
_EPOCH = datetime.fromtimestamp(0, UTC)  # of a run without attempts


def export(run: Run, folder: Path) -> Path:
    """Write the attempts of a run."""
    logging.getLogger("mlflow.store.db").setLevel(logging.WARNING)  # it tells of every table that it makes
    store = MlflowClient(tracking_uri=f"sqlite:///{(folder / FILE).resolve()}")
    last = list(run.last_attempts().values())
    name = ", ".join(sorted({attempt.item.suite for attempt in last})) or run.name
    place = (folder / "artifacts").resolve().as_uri()
    experiment = store.create_experiment(name, artifact_location=place)
    times = [time for each in episodes(run) for time in (each.began, each.ended)]
    began, ended = min(times, default=_EPOCH), max(times, default=_EPOCH)
    whole = store.create_run(experiment, _milliseconds(began), run_name=run.name).info.run_id
    for episode in episodes(run):
        _add(store, experiment, whole, episode)
    found = measures(last)
    rates = {
        "success_rate": found.rate.share,
        "success_rate_low": found.rate.low if found.rate.graded else None,
        "success_rate_high": found.rate.high if found.rate.graded else None,
        "graded": found.rate.graded,
        "ungraded": len(last) - found.rate.graded,
        "reward": found.reward,
    }
    _log(store, whole, {"agent": ", ".join(sorted({attempt.agent for attempt in last}))}, rates, {}, ended)
    store.set_terminated(whole, end_time=_milliseconds(ended))
    return folder / FILE


def _add(store: MlflowClient, experiment: str, whole: str, episode: Episode) -> None:
    """Write one attempt as a run nested in that of the whole run."""
    facts, attempt = episode.facts(), episode.attempt
    name = f"{attempt.item.instance} {attempt.number}"
    tags = {_PARENT: whole, _NOTE: f"{attempt.outcome}: {reason(attempt)}"}
    made = store.create_run(experiment, _milliseconds(episode.began), tags, name).info.run_id
    words = {name: facts[name] for name in (*FACTS, "model") if name not in _FIGURES}
    _log(
        store,
        made,
        words,
        {name: facts[name] for name in _FIGURES},
        {"outcome": attempt.outcome},
        episode.ended,
    )
    store.log_text(made, attempt.goal, "goal.txt")
    store.log_dict(made, {"parts": [_told(part) for part in episode.parts]}, "steps.json")
    if attempt.verdict:
        store.log_dict(made, attempt.verdict.to_json(), "verdict.json")
    for part in episode.parts:
        folder = f"{_PICTURES}/{part.name}" if part.name else _PICTURES
        for picture in (*(step.screen for step in part.steps), part.end):
            if picture is not None:
                store.log_artifact(made, str(picture), folder)
    ended = "FINISHED" if attempt.result.graded else "FAILED"
    store.set_terminated(made, ended, _milliseconds(episode.ended))


def _log(
    store: MlflowClient,
    made: str,
    words: Mapping[str, Any],
    figures: Mapping[str, float | bool | None],
    tags: Mapping[str, str],
    when: datetime,
) -> None:
    at = _milliseconds(when)
    store.log_batch(
        made,
        [Metric(name, float(value), at, 0) for name, value in figures.items() if value is not None],
        [Param(name, short(value, _LONGEST)) for name, value in words.items() if value is not None],
        [RunTag(name, value) for name, value in tags.items()],
    )


def _told(part: Part) -> dict[str, Any]:
    steps = [
        {
            "step": step.number,
            "screen": step.screen.name if step.screen else None,
            "thought": step.thought,
            "calls": [call._asdict() for call in step.calls],
            **step.said,
        }
        for step in part.steps
    ]
    return {"phase": part.name, "goal": part.goal, "steps": steps}


def _milliseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
