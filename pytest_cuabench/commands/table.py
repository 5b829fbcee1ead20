"""`cuabench table`: the tables of papers from the ledgers of one or several runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence

from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.reporting.markdown import escape
from pytest_cuabench.reporting.table import GROUPINGS, Table, cells, played_in, spent, success
from pytest_cuabench.reporting.words import many, visible
from pytest_cuabench.run_names import locate_run

HELP = "Print success by observation and domain, and what each task took, from one or several runs."
_NOTE = "Success of all graded episodes · their number; 95 % intervals, clustered by task."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which runs, and how they are grouped."""
    known = ", ".join(sorted(GROUPINGS))
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's folder, or its name")
    parser.add_argument(
        "--rows",
        default="observation,agent",
        metavar="LIST",
        help=f"what rows are of (default: observation,agent); known: {known}",
    )
    parser.add_argument(
        "--columns", default="domain", metavar="NAME", help="what columns are of (default: domain)"
    )
    parser.add_argument("--markdown", action="store_true", help="as tables of Markdown")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Print both tables.

    Raises:
        SettingError: A run is not there, or a grouping is not known.
    """
    named = [locate_run(name, options.reports) for name in options.runs]
    runs = {run.folder.resolve(): run for run in named}.values()  # one that is named twice counts once
    rows = [name.strip() for name in options.rows.split(",")]
    played = played_in(runs)
    table = success(played, rows, options.columns)
    shown = _markdown if options.markdown else _aligned
    lines = [*shown(table), "", _told(table), "", *shown(spent(played, rows))]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _told(table: Table) -> str:
    left_out = (
        f" {many(table.left_out, 'instance')} could not be graded and left out." if table.left_out else ""
    )
    return _NOTE + left_out


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
