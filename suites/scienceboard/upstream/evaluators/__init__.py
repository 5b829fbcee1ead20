"""Upstream's evaluators, each a pure function of an item and of what the world replied.

An item holds or it does not; a task is done when all of its items hold. What upstream calls false because a key is not
there stays false here; that a world broke was met before, when it was read, and is no answer at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.verdict import Milestone

from ..items import (
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
from ..lambdas import Meter, Refused
from ..probes import asked_by, reply
from ..records import Record
from . import chimerax, dump, kalgebra, lean, texstudio
from .finding import Finding, Limit
from .stop import stopped

__all__ = ["Finding", "findings", "milestones"]


def milestones(record: Record, evidence: Evidence) -> Iterator[Milestone]:
    """Yield one milestone for each item, all of equal weight; upstream passes where all are reached.

    Raises:
        CheckerFailure: The world was not asked what the record needs, or replied what its protocol does not have; or
            all items hold but for what is not understood, which may be what was asked for.
    """
    found = list(findings(record, evidence))
    unread = [finding for finding in found if finding.unread]
    if unread and evidence.ending != "running" and all(one.reached or one.unread for one in found):
        raise CheckerFailure(f"it is not understood here what is drawn: {unread[0].seen}")
    for number, (item, finding) in enumerate(zip(record.judged, found, strict=True)):
        name = f"{number + 1}_{item.type}"
        yield Milestone(name, finding.reached, 1 / len(found), finding.expected, finding.seen)


def findings(record: Record, evidence: Evidence) -> Iterator[Finding]:
    """Yield what is found of each item, in the record's order; the work of all of them together has a limit."""
    meter = Meter()
    for item in record.judged:
        if isinstance(item, Stop):
            yield stopped(item, evidence)
        else:
            yield _found(item, record, evidence, meter)


def _found(item: Item, record: Record, evidence: Evidence, meter: Meter) -> Finding:
    try:
        return _of_state(item, record, evidence.after, meter)
    except KeyError as error:
        if evidence.ending == "running":  # before the agent began, only what leaves no trace is asked
            return Finding(False, item.type, "not asked yet")
        raise CheckerFailure(f"the world was not asked {error}") from None
    except Limit as limit:
        if not _within_limits(item, record, evidence.before):
            raise
        return Finding(False, item.type, f"{limit}; it did not before the episode")


def _within_limits(item: Item, record: Record, before: State) -> bool:
    """Whether an item could be judged of the state before the episode: then it is the episode that made it too much."""
    try:
        _of_state(item, record, before, Meter())
    except (KeyError, CheckerFailure):
        return False
    return True


def _of_state(item: Item, record: Record, state: State, meter: Meter) -> Finding:
    """Judge an item by the replies in a state.

    Raises:
        KeyError: The world was not asked.
        Limit: It takes too long.
        CheckerFailure: The world replied what its protocol does not have.
    """
    replies = [reply(state, probe) for probe in asked_by(item, record)]
    try:
        return _judged(item, record, replies, meter)
    except Refused as error:
        raise Limit(f"{item.type}: {error}") from error
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise CheckerFailure(
            f"{item.type}: the world replied what its protocol does not have: {type(error).__name__}: {error}"
        ) from error


def _judged(item: Item, record: Record, replies: list[Any], meter: Meter) -> Finding:
    match item:
        case Info():
            return dump.info(item, *replies, meter=meter)
        case Db():
            return dump.db(item, *replies, meter=meter)
        case Val():
            return kalgebra.val(item, *replies)
        case Var():
            return kalgebra.var(item, *replies)
        case Eqn():
            return kalgebra.eqn(item, *replies)
        case ChimeraInfo():
            return chimerax.info(item, *replies)
        case States():
            return chimerax.states(item, *replies, meter=meter)
        case Contains():
            return chimerax.contains(item, replies[0], replies[1] if len(replies) > 1 else None)
        case Edited():
            return texstudio.edited(item, record.touched(item.path), *replies)
        case Include():
            return texstudio.include(item, *replies, meter=meter)
        case Compile():
            return texstudio.compiled(item, *replies)
        case Placeholder():
            return lean.proved(*replies) if record.sort == "Raw" else lean.built(*replies)
        case Stop():
            raise CheckerFailure("how an episode ended is asked of nobody")
