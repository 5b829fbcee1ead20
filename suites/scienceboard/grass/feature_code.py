"""Find the code of a named place."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Exact, Text

from . import mapping
from .mapping import empty_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    rows = mapping.table(state, "geonames")
    row = random.choice(rows)
    other = random.choice([one for one in rows if one["feature_code"] != row["feature_code"]])
    return {"name": row["name"], "code": row["feature_code"], "other": other["feature_code"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the code, in upper case where the goal says so."""
    spec = Text(case["code"], words=("feature", "code", "the", "is"))
    said = re.findall(r"\w+", evidence.answer or "")
    if "upper case" in evidence.goal and case["code"] not in said:
        yield from mapping.answered(evidence, Exact(case["code"]), "code")
    else:
        yield from mapping.answered(evidence, spec, "code")


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the place in the table."""
    await mapping.look(pilot, mapping.PIEMONTE, "geonames", case["code"])


@wrong("information_fidelity/major")
async def told_another_code(pilot: Pilot, case: Case) -> None:
    """The code is that of another place."""
    await solve(pilot, mapping.misread(case, code=case["other"]))
