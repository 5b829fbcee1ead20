"""Named selections: what they have to hold; the keys of the TOML file are those of `looks.py`."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import molecules
from .molecules import region_values, setup
from .molecules import work as solve

__all__ = ["setup", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    return region_values(state, random, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """The selection has the name, and holds all atoms of the residues and no others."""
    row = evidence.after.collections["selections"].get(case["name"])
    rows = evidence.after.collections["residues"]
    atoms = sum(rows[key]["atoms"] for key in case["residues"] if key in rows)
    holds = row is not None and sorted(row["residues"]) == sorted(case["residues"]) and row["atoms"] == atoms
    seen = f"{row['atoms']} atoms of {len(row['residues'])} residues" if row else "there is none"
    yield Milestone("selected", holds, 1.0, f"{atoms} atoms of {len(case['residues'])} residues", seen)
    yield from molecules.nothing_else(
        evidence, lambda collection, key, field: (collection, key) == ("selections", case["name"])
    )


@wrong("milestone:selected")
async def slipped(pilot: Pilot, case: Case) -> None:
    """Select nearly the same."""
    await molecules.command(pilot, case["slip"])


@wrong("record_integrity/major")
async def changed_more(pilot: Pilot, case: Case) -> None:
    """Change something else, too."""
    await solve(pilot, case)
    await molecules.command(pilot, case["beside"])
