"""Our own guest as the stage of upstream records: their preparation in its words, its state in theirs.

What our applications cannot stand for is said before a task is played, in a sentence, and never guessed: programs that
only an upstream machine has, and golds that are facts of data which only that machine holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ..probes import Probe
from ..records import Record
from . import grass, kalgebra, texstudio
from .words import Collections, Setup, Unsupported

__all__ = ["application", "lacking", "needy", "replies", "setup", "unmet"]


class _Application(Protocol):
    NAME: str
    NEEDY: bool  # whether its records need data or packages that a desktop may not have

    def setup(self, record: Record) -> Setup:
        """Return the setup of our guest; raises `Unsupported`."""

    def unmet(self, record: Record, told: Collections) -> str | None:
        """Return what the record needs and the prepared desktop does not have, in a sentence."""

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


def needy(record: Record) -> bool:
    """Whether what a record needs is known only of a desktop that was prepared for it."""
    return _of(record).NEEDY


def unmet(record: Record, told: Collections) -> str | None:
    """Return what a record needs and a desktop that is prepared for it does not have, None where it has all."""
    return _of(record).unmet(record, told)


def replies(record: Record, asked: Iterable[Probe], told: Collections) -> dict[str, Any]:
    """Return what upstream's servers would reply to questions about this state, by the keys of the questions."""
    return {probe.key: _of(record).reply(probe, told) for probe in asked}


def _of(record: Record) -> _Application:
    if record.type not in _APPLICATIONS:
        raise Unsupported(_ELSEWHERE.format(record.type))
    found: _Application = _APPLICATIONS[record.type]
    return found
