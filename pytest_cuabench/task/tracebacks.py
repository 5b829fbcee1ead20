"""Where in a user's code an exception comes from."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task import library


def told(error: BaseException, function: Callable[..., object] | None = None) -> str:
    """Return an exception of a suite's or a user's own code as `Type: message (file:line)`.

    A `SettingError` is a sentence that says so already, such as that a file cannot be imported.
    """
    if isinstance(error, SettingError):
        return str(error)
    message = error.msg if isinstance(error, SyntaxError) else error
    return f"{type(error).__name__}: {message}{raised_at(error, function)}"


def raised_at(error: BaseException, function: Callable[..., object] | None = None) -> str:
    """Return ` (file:line)` of the last frame in a suite's or a user's own code.

    Where there is no such frame it is where `function` begins, the one that was called: what it returned is wrong.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f" ({error.filename}:{error.lineno})"
    places = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if code := getattr(function, "__code__", None):
        places.insert(0, (code.co_filename, code.co_firstlineno))
    own = [f" ({file}:{line})" for file, line in places if _is_own(file)]
    return own[-1] if own else ""


def _is_own(file: str) -> bool:
    installed = (str(Path(__file__).parents[1]), *map(sysconfig.get_path, ("stdlib", "purelib", "platlib")))
    suites: list[Path] = []  # installed, they lie among the libraries
    with suppress(SettingError):
        suites = library.suite_roots()
    return file.startswith(tuple(map(str, suites))) or not file.startswith(("<", *installed))
