"""Setup steps common to all applications, and validation of an application's own steps."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from guest import safe_files
from guest.data import SetupError, Step
from guest.errors import BadRequest

COMMON: dict[str, dict[str, Any]] = {
    "write": {"path": str, "text": str},
    "put": {"path": str, "base64": str},
    "folder": {"path": str},
    "keep": {"paths": list},  # what the state tells besides, see `kept.py`
}


def checked(steps: object) -> list[Step]:
    """Validate the steps of a request.

    Raises:
        SetupError: They are not a list of objects with `do`.
    """
    if not isinstance(steps, list) or not all(isinstance(step, dict) and "do" in step for step in steps):
        raise SetupError('setup must be a list of steps such as {"do": "write", "path": "a.txt", "text": ""}')
    return steps


def carry_out(home: Path, steps: Sequence[Step]) -> None:
    """Perform the common steps on a fresh HOME.

    Raises:
        SetupError: A step is malformed, or writes outside of HOME.
    """
    verbs: dict[str, Callable[[Step], None]] = {
        "write": lambda step: safe_files.write(home, step["path"], step["text"].encode()),
        "put": lambda step: safe_files.write(
            home, step["path"], base64.b64decode(step["base64"], validate=True)
        ),
        "folder": lambda step: safe_files.make_folder(home, step["path"]),
        "keep": lambda step: _check_paths(step["paths"]),
    }
    for step in steps:
        if step["do"] in verbs:
            expect(step, COMMON[step["do"]])
            try:
                verbs[step["do"]](step)
            except (BadRequest, OSError, TypeError, ValueError) as error:
                raise SetupError(f"setup step {step['do']}: {error}") from error


def _check_paths(paths: Sequence[str]) -> None:
    for path in paths:
        safe_files.parts(path)


def own(steps: Sequence[Step], known: dict[str, dict[str, Any]]) -> list[Step]:
    """Return the application's own steps, validated against its verbs and their fields.

    Raises:
        SetupError: A verb is unknown, or a field is missing, unknown or of another type.
    """
    found = [step for step in steps if step["do"] not in COMMON]
    for step in found:
        if step["do"] not in known:
            verbs = ", ".join(sorted({*known, *COMMON}))
            raise SetupError(f"setup step {step['do']!r} is unknown here; known: {verbs}")
        expect(step, known[step["do"]])
    return found


def expect(step: Step, fields: dict[str, Any]) -> None:
    """Check that a step has exactly these fields, each of its type (or one of a tuple of types).

    Raises:
        SetupError: A field is missing, unknown or of another type.
    """
    if set(step) - {"do"} != set(fields):
        raise SetupError(f"setup step {step['do']} needs exactly: {', '.join(sorted(fields))}")
    for name, kind in fields.items():
        if not isinstance(step[name], kind):
            raise SetupError(
                f"setup step {step['do']}: {name} is {step[name]!r:.60}, which is of a wrong type"
            )
