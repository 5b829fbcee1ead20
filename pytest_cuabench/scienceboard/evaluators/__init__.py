"""Upstream's evaluators, each a pure function of an item and of what the world replied.

An item holds or it does not; a task is done when all of its items hold. What upstream calls false because a key is not
there stays false here; that a world broke was met before, when it was read, and is no answer at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.scienceboard.evaluators import chimerax, dump, kalgebra, lean, texstudio
from pytest_cuabench.scienceboard.evaluators.finding import Finding
from pytest_cuabench.scienceboard.evaluators.stop import stopped
from pytest_cuabench.scienceboard.items import (
    ChimeraInfo,
    Compile,
    Contains,
    Db,
    Edited,
    Eqn,
    Include,
    Info,
    Item,
    Placeholder,
    States,
    Stop,
    Val,
    Var,
)
from pytest_cuabench.scienceboard.probes import asked_by, reply
from pytest_cuabench.scienceboard.records import Record
from pytest_cuabench.verdict import Milestone

__all__ = ["Finding", "findings", "milestones"]


def milestones(record: Record, evidence: Evidence) -> Iterator[Milestone]:
    """Yield one milestone for each item, all of equal weight; upstream passes where all are reached.

    Raises:
        CheckerFailure: The world was not asked what the record needs, or replied what its protocol does not have.
    """
    found = list(findings(record, evidence))
    for number, (item, finding) in enumerate(zip(record.judged, found, strict=True)):
        name = f"{number + 1}_{item.type}"
        yield Milestone(name, finding.reached, 1 / len(found), finding.expected, finding.seen)


def findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    """Yield what is found of each item, in the record's order."""
    for item in record.judged:
        if isinstance(item, Stop):
            yield stopped(item, evidence)
        else:
            yield _found(item, record, evidence)


def _found(item: Item, record: Record, evidence: Evidence) -> Finding:
    try:
        replies = [reply(evidence.after, probe) for probe in asked_by(item, record)]
    except KeyError as error:
        if evidence.ending == "running":  # before the agent began, only what leaves no trace is asked
            return Finding(False, item.type, "not asked yet")
        raise CheckerFailure(f"the world was not asked {error}") from None
    try:
        return _judged(item, record, replies)
    except (KeyError, TypeError, AttributeError) as error:
        raise CheckerFailure(
            f"{item.type}: the world replied what its protocol does not have: {type(error).__name__}: {error}"
        ) from error


def _judged(item: Item, record: Record, replies: list[Any]) -> Finding:
    match item:
        case Info():
            return dump.info(item, *replies)
        case Db():
            return dump.db(item, *replies)
        case Val():
            return kalgebra.val(item, *replies)
        case Var():
            return kalgebra.var(item, *replies)
        case Eqn():
            return kalgebra.eqn(item, *replies)
        case ChimeraInfo():
            return chimerax.info(item, *replies)
        case States():
            return chimerax.states(item, *replies)
        case Contains():
            return chimerax.contains(item, replies[0], replies[1] if len(replies) > 1 else None)
        case Edited():
            return texstudio.edited(item, record.touched(item.path), *replies)
        case Include():
            return texstudio.include(item, *replies)
        case Compile():
            return texstudio.compiled(item, *replies)
        case Placeholder():
            return lean.proved(*replies) if record.sort == "Raw" else lean.built(*replies)
        case Stop():
            raise CheckerFailure("how an episode ended is asked of nobody")
