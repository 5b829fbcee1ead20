"""Lean: a proof that the build accepts, or a record of the REPL that leaves no goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .finding import Finding


def built(checked: Mapping[str, Any]) -> Finding:
    """Return whether the project builds with the statement in it, and without `sorry`."""
    passed = checked["pass"] is True
    return Finding(passed, "the statement is proved", "it is" if passed else "it is not")


def proved(history: Sequence[Mapping[str, Any]]) -> Finding:
    """Return whether some record of the REPL has no error and no goal left; how the episode ended does not matter."""
    passed = any(finished(record) for record in history)
    seen = f"{len(history)} tactics, none of which left no goal"
    return Finding(passed, "no goal is left", "none is" if passed else seen)


def finished(record: Mapping[str, Any]) -> bool:
    """Return whether a record of the REPL says that nothing is left to prove."""
    messages = record.get("messages", ())
    return record.get("goals") == [] and not any(message.get("severity") == "error" for message in messages)
