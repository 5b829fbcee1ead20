"""The console script `cuabench`: what is useful beside a test run.

A subcommand is a module with three names: `HELP`, a sentence; `add_arguments(parser)`; and `run(options)`, which
returns the exit code and raises a `CuabenchError` for what a person should read. Those of drivers, and of other
packages, are entry points in `pytest_cuabench.commands`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from pytest_cuabench.commands import (
    baseline,
    cluster,
    determinism,
    export,
    floors,
    gate,
    grade,
    importing,
    judge,
    merge,
    models,
    redteam,
    report,
    serve,
    table,
    view,
    watch,
    world,
)
from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.ledger.signing import take_key
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.text import say, visible
from pytest_cuabench.task.tracebacks import told

GROUP = "pytest_cuabench.commands"
_ALWAYS: dict[str, ModuleType] = {
    "baseline": baseline,
    "cluster": cluster,
    "determinism": determinism,
    "export": export,
    "floors": floors,
    "gate": gate,
    "grade": grade,
    "import": importing,
    "judge": judge,
    "merge": merge,
    "models": models,
    "redteam": redteam,
    "report": report,
    "serve": serve,
    "table": table,
    "view": view,
    "watch": watch,
    "world": world,
}


def commands() -> dict[str, ModuleType]:
    """Return all subcommands by name; one that cannot be imported is reported and left out."""
    found = dict(_ALWAYS)
    for entry in entry_points(group=GROUP):
        try:
            found[entry.name] = entry.load()
        except Exception as error:
            say(f"cuabench: the command {entry.name} cannot be imported: {told(error)}\n", sys.stderr)
    return dict(sorted(found.items()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; 0 is success, 1 that something broke, 2 that it was asked wrongly."""
    known = commands()
    options = _parse(_parser(known), sys.argv[1:] if arguments is None else arguments)
    try:
        key = take_key()
        options.key = key.checked() if key else None
        code: int = known[options.command].run(options)
    except CuabenchError as error:
        say(f"cuabench {options.command}: {visible(str(error))}\n", sys.stderr)
        return 2 if isinstance(error, SettingError) else 1
    except OSError as error:
        say(
            f"cuabench {options.command}: {error.filename or 'files'}: {error.strerror or error}\n",
            sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _parse(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments; what stands behind `--` is for another program, of commands that declare `rest`."""
    given = list(arguments)
    end = given.index("--") if "--" in given else len(given)
    options = parser.parse_args(given[:end])
    if end < len(given):
        if not hasattr(options, "rest"):
            parser.error(f"unrecognized arguments: {' '.join(given[end:])}")
        options.rest = given[end + 1 :]
    return options


class _Parser(argparse.ArgumentParser):
    """Suggests the nearest of the words that are allowed, as Python 3.14's `suggest_on_error` does."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += did_you_mean(str(value), map(str, action.choices or ()))
            raise

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super().parse_known_args(args, namespace)
        for argument in unknown:
            if near := did_you_mean(argument.partition("=")[0], self._option_string_actions, "{}"):
                self.error(f"unrecognized argument {argument}{near}")
        return found, unknown


def _parser(known: Mapping[str, ModuleType]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cuabench",
        description="Commands for runs, reports, gates and worlds of computer-use-agent benchmarks.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in known.items():
        command.add_arguments(subparsers.add_parser(name, help=command.HELP, description=command.HELP))
    return parser
