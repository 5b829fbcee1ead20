"""The console script `cuabench`: what is useful beside a test run.

A subcommand is a module with three names: `HELP`, a sentence; `add_arguments(parser)`; and `run(options)`, which
returns the exit code and raises a `CuabenchError` for what a person should read. Those of drivers, and of other
packages, are entry points in `pytest_cuabench.commands`. Each is imported when it is called.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.text import say, visible
from pytest_cuabench.task.tracebacks import told

GROUP = "pytest_cuabench.commands"
_NAMES = {"importing": "import"}  # of modules that cannot have their command's name


def names() -> dict[str, str]:
    """Return the module of each subcommand by its name: those of this folder, and the entry points."""
    own = (file.stem for file in Path(__file__).parent.glob("[!_]*.py") if file.name != Path(__file__).name)
    found = {_NAMES.get(name, name): f"{__package__}.{name}" for name in own}
    return dict(sorted({**found, **{entry.name: entry.value for entry in entry_points(group=GROUP)}}.items()))


def _import(name: str, module: str) -> ModuleType | None:
    """Return a subcommand; one that cannot be imported is reported."""
    try:
        return import_module(module)
    except Exception as error:
        say(f"cuabench: the command {name} cannot be imported: {told(error)}\n", sys.stderr)
        return None


def _help(name: str, module: str) -> str | None:
    """Return what a subcommand is for, read from its file where that has it as text, so that nothing is imported."""
    with suppress(ImportError, OSError, SyntaxError, ValueError):
        spec = find_spec(module)
        text = Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HELP":
                return str(ast.literal_eval(node.value))
    command = _import(name, module)
    return command.HELP if command else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand; 0 is success, 1 that something broke, 2 that it was asked wrongly."""
    given = sys.argv[1:] if arguments is None else arguments
    wanted = next((word for word in given if not word.startswith("-")), "")
    chosen = _import(wanted, module) if (module := names().get(wanted)) else None
    options = _parse(_parser(wanted, chosen), given)
    assert chosen is not None, "the parser takes no other word"
    from pytest_cuabench.ledger.signing import take_key

    try:
        key = take_key()
        options.key = key.checked() if key else None
        code: int = chosen.run(options)
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
        return 130  # 128 and the number of SIGINT, as shells have it
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


def _parser(wanted: str, chosen: ModuleType | None) -> argparse.ArgumentParser:
    """Return the parser, with the arguments of the chosen subcommand alone; the others are told without an import."""
    parser = _Parser(
        prog="cuabench",
        description="Commands for runs, reports, gates and worlds of computer-use-agent benchmarks.",
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in names().items():
        if name == wanted:
            if chosen is not None:
                chosen.add_arguments(subparsers.add_parser(name, help=chosen.HELP, description=chosen.HELP))
        elif chosen is not None:
            subparsers.add_parser(name)
        elif (help := _help(name, module)) is not None:
            subparsers.add_parser(name, help=help)
    return parser
