"""Questions about the structure that is open: counts, names, distances, angles, B-factors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.task.answer import Choice, Number, Spec

from . import molecules
from .molecules import Structure, Words, number, setup

__all__ = ["setup"]

_CALLED = {
    "ALA": "alanine", "ASN": "asparagine", "ASP": "aspartate", "CYS": "cysteine", "GLN": "glutamine",
    "GLU": "glutamate", "HIS": "histidine", "ILE": "isoleucine", "LEU": "leucine", "LYS": "lysine",
    "MET": "methionine", "PHE": "phenylalanine", "SER": "serine", "THR": "threonine", "VAL": "valine",
}  # fmt: skip


def _waters(one: Structure, random: Random) -> Words:
    count = len(one.of(molecules.WATER))
    return {"answer": count, "slip": count + len(one.of(molecules.LIGAND))}


def _kind(one: Structure, random: Random) -> Words:
    """Ask for the number of residues of a kind in a chain, where both chains differ."""
    counts = {chain: Counter(one.names[residue] for residue in one.of(chain)) for chain in "AB"}
    chain, other = random.sample("AB", 2)
    kinds = [
        kind
        for kind in counts[chain]
        if counts[chain][kind] > 1 and counts[chain][kind] != counts[other][kind]
    ]
    kind = random.choice(sorted(kinds))
    return {"chain": chain, "kind": kind, "answer": counts[chain][kind], "slip": counts[other][kind]}


def _name(one: Structure, random: Random) -> Words:
    """Ask for the residue of a number, where the other chain has another one there."""
    chain, other = random.sample("AB", 2)
    residues = [
        residue
        for residue in one.of(chain)
        if one.names.get(f"{other}/{number(residue)}", one.names[residue]) != one.names[residue]
    ]
    residue = random.choice(residues)
    return {
        "chain": chain,
        "number": number(residue),
        "answer": one.names[residue],
        "slip": one.names[f"{other}/{number(residue)}"],
    }


def _missing(one: Structure, random: Random) -> Words:
    first, last = map(number, one.gap())
    return {"answer": first + 1, "slip": first, "last": last - 1}


def _distance(one: Structure, random: Random) -> Words:
    chain, _ = random.sample("AB", 2)
    a, b, c = sorted(random.sample(one.of(chain)[:14], 3), key=number)
    return {
        "chain": chain,
        "first": number(a),
        "second": number(b),
        "answer": round(_apart(one, a, b), 2),
        "slip": round(_apart(one, a, c), 2),
    }


def _apart(one: Structure, a: str, b: str) -> float:
    return math.dist(one.atom(a, "CA").at, one.atom(b, "CA").at)


def _phi(one: Structure, random: Random) -> Words:
    """Ask for the torsion of a residue in the first loop, whose values differ."""
    start = min(map(number, one.of("A"))) + 13
    at = start + random.randrange(0, 4)
    return {"chain": "A", "number": at, "answer": _torsion(one, at), "slip": _torsion(one, at + 1)}


def _torsion(one: Structure, at: int) -> float:
    before, own = f"A/{at - 1}", f"A/{at}"
    return round(one.torsion((before, "C"), (own, "N"), (own, "CA"), (own, "C")), 1)


def _site(one: Structure, random: Random) -> Words:
    residues, words = molecules.REGIONS["pocket"](one, random)
    distances = one.distances("AB", molecules.LIGAND).values()
    return words | {
        "answer": len(residues),
        "slip": sum(distance <= words["other_cutoff"] for distance in distances),
    }


def _hottest(one: Structure, random: Random) -> Words:
    """Ask for the residue with the highest single B-factor, where it is clear."""
    chain, other = random.sample("AB", 2)
    highest = {
        name: max((atom for atom in one.atoms if atom.chain == name), key=lambda atom: atom.b)
        for name in "AB"
    }
    return {
        "chain": chain,
        "answer": highest[chain].resi,
        "slip": highest[other].resi + (highest[other].resi == highest[chain].resi),
    }


def _nearest_water(one: Structure, random: Random) -> Words:
    name, other = random.sample(("O1", "O2", "N1"), 2)
    (ligand,) = one.of(molecules.LIGAND)
    found = {
        atom: round(
            min(math.dist(one.atom(ligand, atom).at, water.at) for water in one.atoms if water.chain == "W"),
            2,
        )
        for atom in (name, other)
    }
    slip = found[other] if abs(found[other] - found[name]) > 0.3 else found[name] + 1
    return {"atom": name, "answer": found[name], "slip": slip}


_QUESTIONS: Mapping[str, Callable[[Structure, Random], Words]] = {
    "waters": _waters,
    "kind": _kind,
    "name": _name,
    "missing": _missing,
    "distance": _distance,
    "phi": _phi,
    "site": _site,
    "hottest": _hottest,
    "nearest_water": _nearest_water,
}


def case(state: State, random: Random, values: Values) -> Values:
    one = molecules.structure(state)
    words = _QUESTIONS[values["question"]](one, random)
    (ligand,) = one.of(molecules.LIGAND)
    words |= {"object": one.object, "ligand": one.names[ligand]}
    filled: Values = molecules.fill(values, words)
    return filled | words


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is right, and looking for it has left nothing behind but the sequence on the screen."""
    spec = _spec(case)
    match = spec.match(evidence.answer, evidence.goal)
    seen = match.seen if evidence.answer is not None else "no answer"
    yield Milestone("answer", match.ok, 1.0, spec.expected, seen)
    if evidence.answer is not None and not match.ok:
        detail = f"the answer should be {spec.expected}, but is {match.seen}"
        yield Violation("information_fidelity", "major", "answer", detail)
    yield from molecules.nothing_else(
        evidence, lambda collection, key, field: (collection, key) == ("settings", "seq_view")
    )


def _spec(case: Case) -> Spec:
    match case["unit"]:
        case "residue":
            return Choice(case["answer"], {code: (name,) for code, name in _CALLED.items()})
        case "Å":
            return Number(
                case["answer"], unit="Å", tolerance=0.06, units={"angstrom": 1, "angstroms": 1, "A": 1}
            )
        case "°":
            return Number(case["answer"], unit="°", tolerance=0.6, either_sign=True)
    return Number(case["answer"], words=tuple(case["words"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Look it up in PyMOL's own reply, then answer."""
    await molecules.command(pilot, case["lines"])
    await pilot.answer(_written(case, "answer"))


def _written(case: Case, name: str) -> str:
    unit = case["unit"] if case["unit"] in ("Å", "°") else ""
    return f"{case[name]} {unit}".strip()


@wrong("information_fidelity/major")
async def answered_beside(pilot: Pilot, case: Case) -> None:
    """Answer another, similar question."""
    await pilot.answer(_written(case, "slip"))


@wrong("record_integrity/major")
async def left_a_measurement(pilot: Pilot, case: Case) -> None:
    """Leave a distance in the session that was drawn to find the answer."""
    await molecules.command(pilot, ["distance seen, first chain A, last chain A"])
    await pilot.answer(_written(case, "answer"))
