"""`cuabench cluster`: play a run's shards under Slurm or Kubernetes."""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_cuabench.commands.clusters.engine import Engine, numbers, ranges
from pytest_cuabench.commands.clusters.kubernetes import SPOT, Kubernetes
from pytest_cuabench.commands.clusters.plan import Plan, make_plan
from pytest_cuabench.commands.clusters.progress import Shard, State, run_name, shards_of
from pytest_cuabench.commands.clusters.slurm import Slurm
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.jsonl import recording
from pytest_cuabench.ledger.lines import ABOUT, LEDGER
from pytest_cuabench.ledger.store import Store, is_url
from pytest_cuabench.settings import KEY_VARIABLE
from pytest_cuabench.task.text import dollars, many, say

HELP = "Plan, submit, follow and collect the shards of a run under Slurm or Kubernetes."
_ENGINES: dict[str, type[Engine]] = {"slurm": Slurm, "kubernetes": Kubernetes}
_PLAYED = (0, 1, 10, 11)  # exit codes of pytest: what was played is for the merged run to judge
_SHOWN = 20  # shards, at most, that are named one by one
_BUSY = (State.RUNNING, State.WAITING)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parts = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    plan = _part(
        parts,
        "plan",
        "Split a run into shards, estimate their time and cost, and write the files to submit. Arguments after -- are "
        "pytest's.",
    )
    plan.add_argument("--engine", required=True, choices=sorted(_ENGINES), help="the scheduler")
    plan.add_argument("--shards", type=int, metavar="N", help="number of shards")
    plan.add_argument(
        "--minutes", type=float, metavar="M", help="instead of --shards: minutes that a shard takes, about"
    )
    plan.add_argument("--parallel", type=int, metavar="N", help="shards at the same time (default: all)")
    plan.add_argument(
        "--node-price", type=float, metavar="USD", help="US dollars of a shard's machine per hour"
    )
    plan.add_argument("--partition", metavar="NAME", help="Slurm: the partition")
    plan.add_argument(
        "--image", metavar="NAME", help="Kubernetes: the image, with this package and your suites"
    )
    plan.add_argument("--namespace", metavar="NAME", help="Kubernetes: the namespace")
    plan.add_argument("--secret", metavar="NAME", help="Kubernetes: a secret whose values become variables")
    plan.add_argument(
        "--account", metavar="NAME", help="Kubernetes: a service account that may use the storage"
    )
    plan.add_argument("--spot", choices=sorted(SPOT), help="Kubernetes: play on spot machines of this maker")
    plan.set_defaults(rest=[])
    _part(parts, "submit", "Submit the shards that are neither finished nor running; again, only lost ones.")
    _part(parts, "status", "Print the progress of the shards, and name those that were lost.")
    collect = _part(parts, "collect", "Merge what the shards recorded, and name those that are missing.")
    collect.add_argument("--into", type=Path, metavar="DIR", help="a folder (default: reports/NAME)")
    collect.add_argument("--pictures", choices=("link", "copy"), default="link", help="as for cuabench merge")
    play = _part(parts, "play", "Play one shard; what the scheduler starts.", folder=False)
    play.add_argument("--shards", type=int, required=True, metavar="N", help="number of shards")
    play.add_argument(
        "--only", type=_numbers, metavar="LIST", help="the shards of this submission, such as 3,7"
    )
    play.add_argument("--reports", required=True, metavar="DIR", help="folder or URL of the records")
    play.set_defaults(rest=[])


def _part(parts: Any, name: str, words: str, *, folder: bool = True) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(name, help=words, description=words)
    part.add_argument("name", metavar="NAME", help="name of the cluster run")
    if folder:
        part.add_argument(
            "--folder",
            type=Path,
            default=Path("cluster"),
            metavar="DIR",
            help="folder of plans (default: cluster)",
        )
    return part


def _numbers(text: str) -> list[int]:
    if not re.fullmatch(r"[0-9]+([,-][0-9]+)*", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of shards, such as 3,7")
    return numbers(text)


def run(options: argparse.Namespace) -> int:
    """Run one part of the command; 1 if shards are lost or missing."""
    return {"plan": _plan, "submit": _submit, "status": _status, "collect": _collect, "play": _play}[
        options.what
    ](options)


def _plan(options: argparse.Namespace) -> int:
    folder = _folder(options)
    wanted = ("parallel", "node_price", "partition", "image", "namespace", "secret", "account", "spot")
    plan = make_plan(
        options.name,
        options.engine,
        options.rest,
        shards=options.shards,
        minutes=options.minutes,
        options={name: value for name in wanted if (value := getattr(options, name)) is not None},
    )
    with recording(folder):
        folder.mkdir(parents=True, exist_ok=True)
        written = _ENGINES[plan.engine]().write(plan, folder)
    plan.write(folder)
    _say(*_estimate(plan, range(1, plan.shards + 1)), f"written: {', '.join(map(str, written))}")
    _say(f"to submit it: cuabench cluster submit {plan.name}")
    return 0


def _submit(options: argparse.Namespace) -> int:
    folder = _folder(options)
    plan = Plan.read(folder)
    engine = _ENGINES[plan.engine]()
    shards = _shards(plan, engine, folder)
    due = [shard.number for shard in shards if shard.state in (State.LOST, State.NEW)]
    _say(*_summary(shards))
    if not due:
        _say("nothing to submit")
        return 0
    _say(*_estimate(plan, due))
    _say(f"submitted as {engine.submit(plan, folder, due)}: {many(len(due), 'shard')}, {ranges(due)}")
    return 0


def _status(options: argparse.Namespace) -> int:
    folder = _folder(options)
    plan = Plan.read(folder)
    shards = _shards(plan, _ENGINES[plan.engine](), folder)
    _say(*_summary(shards))
    if lost := _lost(shards):
        _say(f"to play {'it' if len(lost) == 1 else 'them'} again: cuabench cluster submit {plan.name}")
    elif all(shard.state is State.FINISHED for shard in shards):
        _say(f"to merge them: cuabench cluster collect {plan.name}")
    return 1 if lost else 0


def _collect(options: argparse.Namespace) -> int:
    from pytest_cuabench.commands import merge

    plan = Plan.read(_folder(options))
    shards = shards_of(plan, {})
    begun = [shard.number for shard in shards if shard.planned is not None]
    if not begun:
        raise SettingError(f"no shard of {plan.name} has recorded anything in {plan.reports} yet")
    options.runs = [f"{plan.reports}/{run_name(plan.name, number)}" for number in begun]
    options.into = options.into or Path("reports") / plan.name
    code = merge.run(options)
    missing = [shard.number for shard in shards if shard.state is not State.FINISHED]
    if missing:
        _say(
            f"not finished: {many(len(missing), 'shard')}, {ranges(missing)}; cuabench cluster status {plan.name}"
        )
    return 1 if missing else code


def _play(options: argparse.Namespace) -> int:
    """Play one shard: begin its run, or resume it where an earlier try has begun it."""
    import pytest

    number = _number(options)
    name = run_name(options.name, number)
    begun = "--cua-resume" if _is_begun(options.reports, name) else "--cua-run"
    _say(f"shard {number} of {options.shards}: {begun}={name}")
    # As for Ctrl-C: what is in progress is recorded as cancelled, and the copies in object storage are completed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if (
        options.key
    ):  # `main` has taken it out of the environment, where the session looks for it, and takes it out
        os.environ[KEY_VARIABLE] = options.key.reveal()
    shard = (f"--cua-shard={number}/{options.shards}", f"{begun}={name}", f"--cua-reports={options.reports}")
    code = pytest.main([*options.rest, *shard])
    return 0 if code in _PLAYED else int(code)


def _number(options: argparse.Namespace) -> int:
    """Return the shard that the scheduler chose.

    Raises:
        SettingError: No scheduler has started this, or it counts otherwise.
    """
    only = options.only or range(1, options.shards + 1)
    if (task := os.environ.get("SLURM_ARRAY_TASK_ID", "")).isdigit():
        chosen = int(task)
    elif (index := os.environ.get("JOB_COMPLETION_INDEX", "")).isdigit():
        if int(index) >= len(only):
            raise SettingError(
                f"JOB_COMPLETION_INDEX is {index}, but this job has {many(len(only), 'shard')}"
            )
        chosen = only[int(index)]
    else:
        words = "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set"
        raise SettingError(f"{words}; a scheduler starts this command, see cuabench cluster submit")
    if chosen not in only or not 1 <= chosen <= options.shards:
        raise SettingError(f"there is no shard {chosen} of {options.shards} in this job")
    return chosen


def _is_begun(reports: str, name: str) -> bool:
    folder = Path("reports" if is_url(reports) else reports) / name
    if (folder / LEDGER).is_file() or (folder / ABOUT).is_file():
        return True
    return is_url(reports) and Store.open(reports).at(name).holds(ABOUT)


def _folder(options: argparse.Namespace) -> Path:
    folder: Path = (options.folder / options.name).absolute()
    return folder


def _shards(plan: Plan, engine: Engine, folder: Path) -> list[Shard]:
    active, known = engine.active(plan, folder)
    return shards_of(plan, active, known)


def _lost(shards: Sequence[Shard]) -> list[int]:
    return [shard.number for shard in shards if shard.state is State.LOST]


def _summary(shards: Sequence[Shard]) -> Iterator[str]:
    """Yield the shards by state, what runs and what was lost, one by one where they are few."""
    states = Counter(shard.state for shard in shards)
    counted = (f"{states[state]} {state.value}" for state in State if states[state])
    yield f"{many(len(shards), 'shard')}: {', '.join(counted)}"
    told = [
        shard for shard in shards if shard.planned is not None and shard.state in (State.RUNNING, State.LOST)
    ]
    for shard in told[:_SHOWN]:
        yield f"  shard {shard.number}: {shard.state.value}, {shard.played} of {shard.planned} instances have ended"
    if lost := _lost(shards):
        yield f"lost: {ranges(lost)}"
    if ungraded := sum(shard.ungraded for shard in shards):
        yield f"{many(ungraded, 'instance')} ended without a verdict; cuabench cluster collect names them"


def _estimate(plan: Plan, due: Sequence[int]) -> Iterator[str]:
    """Yield what these shards take, in time and money."""
    yield (
        f"{plan.name}: {many(plan.instances, 'instance')} in {many(plan.shards, 'shard')}, {plan.at_once} at once; "
        f"each shard needs {plan.cores:g} CPU and {plan.mebibytes} MiB"
    )
    if plan.seconds is None:
        yield "time and cost are unknown; add --cua-durations=RUN of an earlier run after --"
        return
    mine = sorted((plan.seconds[number - 1] for number in due), reverse=True)
    finish = _finish(mine, plan.options.get("parallel") or len(mine))
    yield (
        f"time: {_hours(finish)} until the last of {many(len(mine), 'shard')}, the longest takes {_hours(mine[0])}; "
        f"{_hours(sum(mine))} of machines"
    )
    share = sum(mine) / sum(plan.seconds)
    models = dollars(None if plan.cost is None else share * plan.cost)
    price = plan.options.get("node_price")
    machines = dollars(price * sum(mine) / 3600) if price is not None else "unknown without --node-price"
    yield f"cost: models {models}, machines {machines}; by the records of an earlier run"


def _finish(seconds: Sequence[float], parallel: int) -> float:
    """Return when the last shard ends, if each begins as soon as there is a place."""
    places = [0.0] * max(1, min(parallel, len(seconds)))
    for each in seconds:
        first = min(range(len(places)), key=places.__getitem__)
        places[first] += each
    return max(places)


def _hours(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{seconds / 3600:.1f} h"


def _say(*lines: str) -> None:
    for line in lines:
        say(f"{line}\n")
    sys.stdout.flush()
