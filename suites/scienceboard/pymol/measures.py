"""Distances, angles and torsions that shall be drawn; the keys of the TOML file are those of `looks.py`."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import molecules
from .molecules import setup
from .molecules import work as solve

__all__ = ["setup", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    one = molecules.structure(state)
    residue, after = _neighbours(one, random)
    (ligand,) = one.of(molecules.LIGAND)
    name = random.choice(("O1", "O2", "N1", "CL1"))
    words = {
        "object": one.object,
        "ligand": one.names[ligand],
        "ligand_number": molecules.number(ligand),
        "chain": residue[0],
        "number": molecules.number(residue),
        "before": molecules.number(residue) - 1,
        "after": molecules.number(after),
        "resn": one.names[residue],
        "atom": name,
        "other": "B" if residue[0] == "A" else "A",
    }
    filled: Values = molecules.fill(values, words)
    return filled | words


def _neighbours(one: molecules.Structure, random: Random) -> tuple[str, str]:
    """Return a residue and the one after it, with another one before it, in both chains."""
    residues = one.of(random.choice("AB"))
    place = random.randrange(2, 11)
    return residues[place], residues[place + 1]


def check(evidence: Evidence, case: Case) -> Findings:
    """There is one new measurement, and it is between the atoms, in this order or the opposite one."""
    before, after = (state.collections["measurements"] for state in (evidence.before, evidence.after))
    added = sorted(set(after) - set(before))
    rows = [row for name in added for row in after[name]["rows"]]
    wanted = (case["atoms"], case["atoms"][::-1])
    right = [row for row in rows if row["kind"] == case["kind"] and row["atoms"] in wanted]
    seen = "; ".join(f"{row['kind']} {row['atoms']}" for row in rows[:3]) or "there is none"
    yield Milestone("drawn", len(right) == 1, 1.0, f"{case['kind']} {case['atoms']}", seen)
    asked = added[0] if len(added) == 1 and len(rows) <= 1 else None
    yield from molecules.nothing_else(
        evidence,
        lambda collection, key, field: collection in ("measurements", "objects") and key == asked,
    )


@wrong("milestone:drawn")
async def slipped(pilot: Pilot, case: Case) -> None:
    """Measure between other atoms."""
    await molecules.command(pilot, case["slip"])


@wrong("record_integrity/major")
async def measured_twice(pilot: Pilot, case: Case) -> None:
    """Leave a first, wrong try in the session."""
    await molecules.command(pilot, case["slip"])
    await solve(pilot, case)
