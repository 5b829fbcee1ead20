from __future__ import annotations

import math
from random import Random

import pytest
from shipped import shipped

SEEDS = range(12)


@pytest.fixture(scope="module")
def structures():
    """The module that builds structures, loaded with the suite."""
    import importlib

    task = next(task for task in shipped("scienceboard").tasks if task.application == "pymol")
    task.setup(0)
    import sys

    (name,) = (name for name in sys.modules if name.endswith("pymol.structures"))
    return importlib.import_module(name)


@pytest.mark.parametrize("seed", SEEDS)
def test_structures_are_sound(structures, seed):
    """No two residues overlap, so that PyMOL bonds only neighbours, and the text fits into a state."""
    text = structures.build(Random(seed))
    atoms = structures.read(text)
    assert len(text) < 64 * 1024
    for n, atom in enumerate(atoms):
        for other in atoms[n + 1 :]:
            if atom.chain != other.chain or abs(atom.resi - other.resi) > 1:
                assert math.dist(atom.at, other.at) > 2.2, (atom, other)


def test_structures_differ_by_seed(structures):
    """Sequence, numbers and ligand follow from the seed alone."""
    texts = [structures.build(Random(seed)) for seed in SEEDS]
    assert texts[0] == structures.build(Random(0))
    assert len(set(texts)) == len(texts)


def test_residues_are_left_handed_amino_acids(structures):
    """Side chains are on the side where those of proteins are, and helices have a helix's torsions."""
    atoms = {(atom.residue, atom.name): atom.at for atom in structures.read(structures.build(Random(1)))}
    first = min(int(residue[2:]) for residue, _ in atoms if residue[0] == "A")
    one, two = f"A/{first + 5}", f"A/{first + 6}"
    beta = structures.dihedral(*(atoms[one, name] for name in ("N", "C", "CA", "CB")))
    phi = structures.dihedral(atoms[one, "C"], *(atoms[two, name] for name in ("N", "CA", "C")))
    assert beta == pytest.approx(122.6, abs=0.5)
    assert phi == pytest.approx(-60, abs=0.5)
