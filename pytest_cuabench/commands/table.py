"""`cuabench table`: result tables from the ledgers of one or several runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from pytest_cuabench.commands.grade import add_suites, suite_folders
from pytest_cuabench.commands.report import add_reports
from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.ledger.run_names import locate_run
from pytest_cuabench.reporting.markdown import escape
from pytest_cuabench.reporting.table import (
    GROUPINGS,
    Played,
    Table,
    cells,
    measured,
    played_in,
    spent,
    success,
)
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.schema import ResultTable, SuiteFile
from pytest_cuabench.task.suite import known_suites
from pytest_cuabench.task.text import columns, many, say, visible
from pytest_cuabench.task.toml import read_strict, read_toml

HELP = "Print success by observation and domain, and cost and time per task, from one or several runs."
_NOTE = "Success of all graded episodes · number of episodes; 95 % intervals, clustered by task."
_SUCCESS = "success"


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
        default=_SUCCESS,
        metavar="NAME",
        help="success and effort by two groupings; or the table of a suite's paper by the suite's name, such as scuba "
        "(default: success)",
    )
    add_suites(parser)
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")
    add_reports(parser)


def run(options: argparse.Namespace) -> int:
    """Print the tables.

    Raises:
        SettingError: A run does not exist, or a layout, grouping or measure is unknown.
    """
    named = [locate_run(name, options.reports) for name in options.runs]
    runs = {run.folder.resolve(): run for run in named}.values()  # duplicates count once
    tables = partial(_success, options)
    if options.layout != _SUCCESS:
        tables = partial(_of_paper, _layout(options.layout, suite_folders(options.suite)))
    say("\n".join(_shown(tables(played_in(runs)), markdown=options.markdown)) + "\n")
    return 0


def success_table(runs: Iterable[Run], rows: Sequence[str], columns: str, *, markdown: bool) -> Iterator[str]:
    """Yield the lines of a table of success by groupings, and its note."""
    table = success(played_in(runs), rows, columns)
    yield from _shown((table, _told(table)), markdown=markdown)


def _shown(parts: Iterable[Table | str], *, markdown: bool) -> Iterator[str]:
    """Yield the lines of tables and notes, with an empty line between two."""
    shown = _markdown if markdown else _aligned
    for number, part in enumerate(parts):
        yield from [""] if number else []
        yield from shown(part) if isinstance(part, Table) else [part]


def _success(options: argparse.Namespace, played: Sequence[Played]) -> Iterator[Table | str]:
    rows = [name.strip() for name in options.rows.split(",")]
    table = success(played, rows, options.columns)
    yield table
    yield _told(table)
    yield spent(played, rows)


def _layout(name: str, suites: Mapping[str, Path]) -> ResultTable:
    """Return the table of a suite's paper.

    Raises:
        SettingError: No known suite of this name has a table.
    """
    files = [folder / "suite.toml" for folder in {**known_suites(), **suites}.values()]
    known = {file.parent.name: file for file in files if "table" in read_toml(file)}
    found = read_strict(known[name], SuiteFile).table if name in known else None
    if found is None:
        raise SettingError(f"--layout: {unknown_name('layout', name, (_SUCCESS, *known))}")
    return found


def _of_paper(layout: ResultTable, played: Sequence[Played]) -> Iterator[Table | str]:
    whole = measured(played, layout.rows, layout.measures)
    yield whole
    yield "Means of graded episodes · number of episodes; 95 % intervals, clustered by task." + _left_out(
        whole
    )
    for grouping in layout.further:
        yield measured(played, (*layout.rows, grouping), layout.measures)


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
    yield from columns([[visible(cell) for cell in row] for row in cells(table)])


def _row(texts: Sequence[str] | Iterator[str]) -> str:
    return f"| {' | '.join(texts)} |"
