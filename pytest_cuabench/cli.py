"""The console script `cuabench`: what is useful beside a test run.

A subcommand is a module of `pytest_cuabench.commands` with three names: `HELP`, a sentence; `add_arguments(parser)`;
and `run(options)`, which returns the exit code and raises a `CuabenchError` for what a person should read.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from pytest_cuabench.commands import baseline, gate, grade, image, merge, org, report, table, view, world
from pytest_cuabench.errors import CuabenchError, SettingError

COMMANDS: dict[str, ModuleType] = {
    "baseline": baseline,
    "gate": gate,
    "grade": grade,
    "image": image,
    "merge": merge,
    "org": org,
    "report": report,
    "table": table,
    "view": view,
    "world": world,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; 0 is success, 1 that something broke, 2 that it was asked wrongly."""
    options = _parser().parse_args(arguments)
    try:
        code: int = COMMANDS[options.command].run(options)
    except CuabenchError as error:
        sys.stderr.write(f"cuabench {options.command}: {error}\n")
        return 2 if isinstance(error, SettingError) else 1
    except OSError as error:
        sys.stderr.write(
            f"cuabench {options.command}: {error.filename or 'files'}: {error.strerror or error}\n"
        )
        return 1
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cuabench", description="Computer-use-agent benchmarks, by hand.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, command in COMMANDS.items():
        command.add_arguments(commands.add_parser(name, help=command.HELP, description=command.HELP))
    return parser
