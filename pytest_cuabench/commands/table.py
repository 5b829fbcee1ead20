"""`cuabench table`: result tables from the ledgers of one or several runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import partial

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.reporting.markdown import escape
from pytest_cuabench.reporting.table import GROUPINGS, Played, Table, cells, played_in, scored, spent, success
from pytest_cuabench.task.text import many, visible

HELP = "Print success by observation and domain, and cost and time per task, from one or several runs."
_NOTE = "Success of all graded episodes · number of episodes; 95 % intervals, clustered by task."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    known = ", ".join(sorted(GROUPINGS))
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder, or its name")
    parser.add_argument(
        "--rows",
        default="observation,agent",
        metavar="LIST",
        help=f"groupings of the rows (default: observation,agent); known: {known}",
    )
    parser.add_argument(
        "--columns", default="domain", metavar="NAME", help="grouping of the columns (default: domain)"
    )
    parser.add_argument(
        "--layout",
        default="success",
        choices=("success", "scuba"),
        help="success and effort by two groupings; or the measures of SCUBA's paper by agent, variant, persona, "
        "difficulty and demonstration (default: success)",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Print the tables.

    Raises:
        SettingError: A run does not exist, or a grouping is unknown.
    """
    named = [locate_run(name, options.reports) for name in options.runs]
    runs = {run.folder.resolve(): run for run in named}.values()  # duplicates count once
    shown = _markdown if options.markdown else _aligned
    tables = _scuba if options.layout == "scuba" else partial(_success, options)
    lines = [
        line
        for part in tables(played_in(runs))
        for line in (*(shown(part) if isinstance(part, Table) else [part]), "")
    ]
    sys.stdout.write("\n".join(lines[:-1]) + "\n")
    return 0


def _success(options: argparse.Namespace, played: Sequence[Played]) -> Iterator[Table | str]:
    rows = [name.strip() for name in options.rows.split(",")]
    table = success(played, rows, options.columns)
    yield table
    yield _told(table)
    yield spent(played, rows)


def _scuba(played: Sequence[Played]) -> Iterator[Table | str]:
    common = ("agent", "tier", "variant")
    whole = scored(played, common)
    yield whole
    yield "Means of graded episodes · number of episodes; 95 % intervals, clustered by task." + _left_out(
        whole
    )
    for more in ("application", "difficulty", "demonstration"):
        yield scored(played, (*common, more))


def _told(table: Table) -> str:
    return _NOTE + _left_out(table)


def _left_out(table: Table) -> str:
    if not table.left_out:
        return ""
    return f" {many(table.left_out, 'instance')} could not be graded and are excluded."


def _markdown(table: Table) -> Iterator[str]:
    heading, *rows = cells(table)
    words = len(heading) - (len(table.rows[0][1]) if table.rows else 0)
    yield _row(map(escape, heading))
    yield _row("---" if place < words else "---:" for place in range(len(heading)))
    yield from (_row([*map(escape, row[:words]), *row[words:]]) for row in rows)


def _aligned(table: Table) -> Iterator[str]:
    rows = [[visible(cell) for cell in row] for row in cells(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _row(texts: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(texts)} |"
