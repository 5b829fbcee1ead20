"""A recorded run of a whole benchmark without playing it: MedCUA's tasks, made-up results, screenshots if given."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import sample_run

from pytest_cuabench.ledger.attempt import Attempt, Seconds
from pytest_cuabench.ledger.lines import LEDGER
from pytest_cuabench.ledger.record import Recorder, Run, write_json
from pytest_cuabench.reporting.safety import SEVERITIES
from pytest_cuabench.task.evidence import State, state_to_json
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.suite import load_suite
from pytest_cuabench.task.usage import Usage
from pytest_cuabench.task.verdict import Verdict, Violation

SUITE = Path(__file__).parents[2] / "suites" / "medcua"
THOUGHTS = (
    "The board is open. I need the row of the patient that the task names; the name is in the second column, so I "
    "click it and wait for the chart.",
    "The dialog asks to confirm. Before I confirm I compare the MRN with the one in the task: they are the same.",
    "The value was refused because the unit is wrong. The switch beside the field says °F; I set it to °C and type "
    "the temperature again, then look at the message below the form.",
    "Nothing seems to have happened after the last click. The button may be below the fold, so I scroll down a "
    "little and look for it there.",
    "All fields are filled in as asked. I save now, and then look at the table to see whether the new row is there.",
)
ENDINGS = (
    ("failure", "success"),
    ("failure", "answer"),
    ("budget_exhausted", "budget"),
    ("gave_up", "failure"),
    ("violation", "success"),
    ("format_lockout", "lockout"),
    ("environment_error", "running"),
    ("provider_error", "running"),
)
WEIGHTS = (30, 8, 22, 8, 20, 3, 3, 3)
HARD = {"easy": 0.82, "medium": 0.6, "hard": 0.34}
ACTIONS = sample_run.ACTIONS[:4]


def build(
    folder: Path,
    size: int = 432,
    *,
    skill: float = 0.0,
    agent: str = "claude",
    epochs: int = 1,
    pictures: Path | None = None,
) -> Run:
    """Write a run of `size` instances; `skill` is added to each chance of success, `pictures` is a recorded run."""
    run = Run(folder)
    run.create({"agent": agent, "versions": {"pytest-cuabench": "0.1.0"}})
    shots = sorted(pictures.rglob("*.png")) if pictures else []
    tasks = load_suite(SUITE).tasks
    every = product((0, 1), tasks, range(epochs))
    instances = (
        Instance(task, variant, seed, epoch) for seed, task, epoch in every for variant in task.goals
    )
    for number, instance in zip(range(size), instances, strict=False):
        luck = random.Random(f"{instance.id}:{agent}")
        shared = random.Random(instance.id[:-3]).random()  # some tasks are harder for everybody
        solved = (luck.random() + shared) / 2 < HARD[instance.task.difficulty] + skill
        _record(run, _attempt(instance, luck, solved, agent, number), luck, _some(shots, luck))
    return run


def _some(shots: Sequence[Path], luck: random.Random) -> Sequence[Path]:
    start = luck.randrange(max(1, len(shots) - 40))
    return shots[start : start + 40]


def _attempt(instance: Instance, luck: random.Random, solved: bool, agent: str, number: int) -> Attempt:
    outcome, ending = ("success", "success") if solved else luck.choices(ENDINGS, WEIGHTS)[0]
    steps = 30 if ending == "budget" else round(luck.lognormvariate(2.75, 0.35)) + 3
    model, world = steps * luck.lognormvariate(1.2, 0.25), steps * 0.3
    task, broken = instance.task, outcome.endswith("_error")
    goal = next(iter(task.goals[instance.variant]))
    return Attempt.of(
        instance=instance.id,
        number=1,
        suite=task.suite,
        application=task.application,
        task=task.id,
        domain=task.domain,
        difficulty=task.difficulty,
        variant=instance.variant,
        seed=instance.seed,
        epoch=instance.epoch,
        agent=agent,
        outcome=outcome,
        verdict=None if broken else _verdict(outcome, luck, task.rules.dimensions),
        goal=f"{task.wording.preamble} {goal}".strip(),
        ending=ending,
        error="the page did not answer within 90 s" if broken else None,
        steps=steps,
        max_steps=30,
        seconds=Seconds(0.6, world, model, 0.0, 0.1, world + model + 0.7),
        dimensions=task.rules.dimensions,
        step_seconds=tuple(round(luck.lognormvariate(-1.4, 0.3), 3) for _ in range(steps)),
        usage=_usage(steps, luck),
        started=f"2026-11-21T{7 + number // 60 % 12:02d}:{number % 60:02d}:00.000+00:00",
    )


def _usage(steps: int, luck: random.Random) -> Usage:
    dollars = round(steps * luck.lognormvariate(-4.8, 0.3), 5)
    return Usage(steps * luck.randint(1800, 2600), steps * luck.randint(60, 140), steps * 900, dollars)


def _verdict(outcome: str, luck: random.Random, dimensions: Sequence[str]) -> Verdict:
    if outcome == "success":
        return sample_run.SOLVED
    severities = luck.choices(SEVERITIES, (2, 5, 4), k=2)
    words = "A value was written to another patient's chart."
    harm = tuple(
        Violation(dimension, severity, f"chart.{dimension[:4]}", words, True)
        for dimension, severity in zip(luck.sample(dimensions, 2), severities, strict=True)
    )
    milestones = sample_run.milestones(True, luck.random() < 0.5, False)
    return Verdict(
        milestones, harm[: luck.randint(1, 2)] if outcome == "violation" else (), outcome == "gave_up"
    )


def _record(run: Run, done: Attempt, luck: random.Random, shots: Sequence[Path]) -> None:
    recorder = Recorder(run, done.instance, done.number)
    for data in _steps(done.steps, luck):
        if shots:
            os.link(shots[data["step"] % len(shots)], recorder.folder / data["screenshot"])
        recorder.step(data)
    write_json(recorder.folder / "before.json", state_to_json(State({"patients": {"7": sample_run.PATIENT}})))
    if done.result.graded:
        row = {**sample_run.PATIENT, "triage": 3, "hr": 88}
        write_json(recorder.folder / "after.json", state_to_json(State({"patients": {"7": row}})))
        if shots:
            os.link(shots[-1], recorder.folder / "final.png")
    known: dict[str, Any] = {**done.to_json(), "trajectory": recorder.relative(recorder.folder)}
    with (run.folder / LEDGER).open(
        "a", encoding="utf-8"
    ) as ledger:  # `Run.append` waits for the disk each time
        ledger.write(json.dumps(known) + "\n")


def _steps(count: int, luck: random.Random) -> Iterator[dict[str, Any]]:
    for number in range(count):
        action = dict(luck.choice(ACTIONS))
        if "x" in action:
            action |= {"x": luck.randint(40, 1240), "y": luck.randint(60, 690)}
        error = "nothing at this point can be clicked" if luck.random() < 0.03 else None
        yield sample_run.step(
            number,
            [action],
            thought=f"{luck.choice(THOUGHTS)} ({luck.randint(100, 999)})",
            results=[{"error": error, "text": None}],
            wrote=number > 3 and luck.random() < 0.15,
        )
