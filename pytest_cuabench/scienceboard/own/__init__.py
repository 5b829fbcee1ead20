"""Our own guest as the stage of upstream records: their preparation in its words, its state in theirs.

What our applications cannot stand for is said before a task is played, in a sentence, and never guessed: programs that
only an upstream machine has, and golds that are facts of data which only that machine holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from pytest_cuabench.scienceboard.own import grass, kalgebra, texstudio
from pytest_cuabench.scienceboard.own.words import Collections, Setup, Unsupported
from pytest_cuabench.scienceboard.probes import Probe
from pytest_cuabench.scienceboard.records import Record

__all__ = ["application", "lacking", "replies", "setup"]


class _Application(Protocol):
    NAME: str

    def setup(self, record: Record) -> Setup:
        """Return the setup of our guest; raises `Unsupported`."""

    def reply(self, probe: Probe, told: Collections) -> Any:
        """Return what an upstream server would reply; raises `Unsupported`."""


_APPLICATIONS: Mapping[str, Any] = {"KAlgebra": kalgebra, "TeXstudio": texstudio, "GrassGIS": grass}
_ELSEWHERE = "{} runs on an upstream machine only: give its address, --cua-world desktop=http://host:5000"


def application(record: Record) -> str:
    """Return our name of a record's application.

    Raises:
        Unsupported: We have none.
    """
    return _of(record).NAME


def setup(record: Record) -> Setup:
    """Return the setup of our guest that a record's preparation means.

    Raises:
        Unsupported: It means something that our guest cannot do.
    """
    return _of(record).setup(record)


def lacking(record: Record) -> str | None:
    """Return why our guest cannot stand for the record's machine, None where it can."""
    try:
        setup(record)
    except Unsupported as reason:
        return str(reason)
    return None


def replies(record: Record, asked: Iterable[Probe], told: Collections) -> dict[str, Any]:
    """Return what upstream's servers would reply to questions about this state, by the keys of the questions."""
    return {probe.key: _of(record).reply(probe, told) for probe in asked}


def _of(record: Record) -> _Application:
    if record.type not in _APPLICATIONS:
        raise Unsupported(_ELSEWHERE.format(record.type))
    found: _Application = _APPLICATIONS[record.type]
    return found
