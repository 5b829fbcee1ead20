"""Settings that a database keeps for itself, in its dialog and in the form of `toolkit/dialogs.py`."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from ..toolkit import dialogs
from ..toolkit.changes import misread
from ..toolkit.dialogs import check, slipped, solve
from .vault import FILE, SAVE, SAVED, UNLOCK, setup

__all__ = ["check", "setup", "slipped", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    return dialogs.case(state, random, {**values, "file": f"database/{FILE}"}) | {
        "opening": [
            *UNLOCK,
            {"click": 'menu-item[name="Database"]'},
            {"click": 'menu-item[name="Database Settings…"]'},
        ],
        "closing": SAVE,
        "along": [{"place": place, "why": why} for place, why in SAVED.items()],
    }


@wrong("record_integrity/major")
async def renamed_the_database(pilot: Pilot, case: Case) -> None:
    """The database has another name now."""
    name = {"fill": 'text[name="Database name field"]', "to": "Safe"}
    await solve(pilot, misread(case, settings=[*case["settings"], name]))
