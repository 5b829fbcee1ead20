"""TeXstudio of our guest in the place of upstream's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..probes import Probe
from ..records import Record
from ..steps import Launch, Opt, Step, Touch
from . import needs
from .words import (
    HOME,
    Collections,
    Setup,
    Unsupported,
    below_home,
    text_of,
    words_of,
    written,
)

NAME = "texstudio"
NEEDY = True
_FIGURES = "figs/"


def setup(record: Record) -> Setup:
    """Return files, the editor with those that it opens, and KAlgebra beside it where the record starts it."""
    if any(_FIGURES in step.text for step in record.begin if isinstance(step, Touch)):
        raise Unsupported("the figures of the record's document lie in upstream's machine only")
    return [ours for step in record.begin for ours in _steps(step)]


def _steps(step: Step) -> Iterator[Mapping[str, Any]]:
    match step:
        case Touch():
            yield written(step)
        case Launch() if "texstudio" in words_of(step):
            yield from (
                {"do": "open", "path": below_home(word)}
                for word in words_of(step)
                if word.startswith(f"{HOME}/")
            )
        case Launch() if any(word.endswith("/kalgebra") for word in words_of(step)):
            yield {"do": "start", "application": "kalgebra", "setup": []}
        case Opt():
            return
        case _:
            raise Unsupported("the record starts a program beside TeXstudio that upstream's machine only has")


def unmet(record: Record, told: Collections) -> str | None:
    """Return what the record's document uses and our LaTeX does not have."""
    return needs.styles(record, told)


def reply(probe: Probe, told: Collections) -> Any:
    """Return a file's text, or whether the document compiles in a copy of its folder."""
    match probe.question:
        case "file":
            return text_of(told, probe.about["path"])
        case "tex.check":
            main = f"{below_home(probe.about['path'])}/{probe.about['file']}.tex"
            return {"pass": told.get("builds", {}).get(main, {}).get("ok") is True}
    raise Unsupported(f"TeXstudio is not asked {probe.question}")
