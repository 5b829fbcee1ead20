"""`cuabench determinism`: whether repeated plays of the same decisions give the same verdict, state and screens."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.reporting.repeats import ASPECTS, Agreement, agreements
from pytest_cuabench.reporting.table import played_in
from pytest_cuabench.task.text import columns, many, say

HELP = "Compare repeated plays (epochs, or several runs): do they agree in verdict, final state and screens?"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder, or its name")
    parser.add_argument("--all", action="store_true", help="also list the tasks whose plays all agree")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Print a line for each task whose plays deviate, and a total; return 1 if any verdict deviates.

    Raises:
        SettingError: A run does not exist, or no instance was played twice.
    """
    found = list(agreements(played_in(locate_run(name, options.reports) for name in options.runs)))
    if not found:
        raise SettingError(
            "no instance was played twice; play epochs (--cua-epochs=20), or name several runs"
        )
    shown = [each for each in found if options.all or any(each.deviating.values())]
    for line in columns([["task", "plays", *ASPECTS, "first difference"], *map(_row, shown)]):
        say(f"{line}\n")
    say("\n" + "\n".join(_total(found)) + "\n")
    return 1 if any(each.deviating["verdict"] for each in found) else 0


def _row(found: Agreement) -> list[str]:
    first = "; ".join(f"{aspect}: {where}" for aspect, where in found.first.items())
    return [found.task, str(found.plays), *(_cell(found, aspect) for aspect in ASPECTS), first]


def _cell(found: Agreement, aspect: str) -> str:
    return f"{found.deviating[aspect]} (at most {found.bound(aspect) * 100:.0f} %)"


def _total(found: Sequence[Agreement]) -> Iterator[str]:
    """Yield a line for each aspect, over all tasks."""
    plays = sum(each.plays for each in found)
    for aspect in ASPECTS:
        whole = Agreement("", plays, {aspect: sum(each.deviating[aspect] for each in found)}, {})
        count = whole.deviating[aspect]
        tasks = sum(1 for each in found if each.deviating[aspect])
        yield (
            f"{aspect}: {count} of {many(plays, 'play')} deviate, in {tasks} of {many(len(found), 'task')}; "
            f"at most {whole.bound(aspect) * 100:.2g} % of plays (95 % confidence)"
        )
