"""Invented crystal structures: two copies of a bundle of three helices, a ligand in a groove, waters around.

Backbones come from torsion angles, side chains from ideal bonds and angles, each in the first rotamer that fits. Names,
numbers, residues, B-factors and places differ with the seed. `build` returns the text of a PDB file, `read` its atoms.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

Point = tuple[float, float, float]

_HELIX = (-60.0, -45.0)
_LENGTH = 13  # residues of a helix
_LOOPS: tuple[tuple[tuple[float, float], ...], ...] = (  # of four residues; the helices then lie side by side
    ((-79, 130), (-53, 124), (-128, 164), (-141, 169)),
    ((-130, 124), (-129, 136), (88, 11), (-83, 74)),
)
_TORSIONS = (*[_HELIX] * _LENGTH, *_LOOPS[0], *[_HELIX] * _LENGTH, *_LOOPS[1], *[_HELIX] * _LENGTH)
_HELICES = ((0, 12), (17, 29), (34, 46))  # first and last residue
_ROTAMERS = (-65.0, 180.0, 62.0)
_ROOM = 2.9  # between atoms that are not bonded

# Atoms beyond CB: name, the three atoms before it, bond length, angle, dihedral (x: the rotamer's angle is added).
_SIDES = {
    "SER": "OG N CA CB 1.42 111 x0",
    "CYS": "SG N CA CB 1.81 114 x0",
    "THR": "OG1 N CA CB 1.43 109 x0; CG2 N CA CB 1.53 111 x-120",
    "VAL": "CG1 N CA CB 1.53 110 x0; CG2 N CA CB 1.53 110 x123",
    "ILE": "CG1 N CA CB 1.53 110 x0; CG2 N CA CB 1.53 110 x-122; CD1 CA CB CG1 1.51 114 170",
    "LEU": "CG N CA CB 1.53 116 x0; CD1 CA CB CG 1.52 110 175; CD2 CA CB CG 1.52 110 297",
    "MET": "CG N CA CB 1.53 114 x0; SD CA CB CG 1.80 113 180; CE CB CG SD 1.79 101 180",
    "PHE": "CG N CA CB 1.50 114 x0; CD1 CA CB CG 1.39 121 90; CD2 CA CB CG 1.39 121 270; CE1 CB CG CD1 1.39 121 180; "
    "CE2 CB CG CD2 1.39 121 180; CZ CG CD1 CE1 1.39 120 0",
    "ASP": "CG N CA CB 1.52 113 x0; OD1 CA CB CG 1.25 118 0; OD2 CA CB CG 1.25 118 180",
    "ASN": "CG N CA CB 1.52 113 x0; OD1 CA CB CG 1.23 121 0; ND2 CA CB CG 1.33 116 180",
    "GLU": "CG N CA CB 1.53 114 x0; CD CA CB CG 1.52 113 180; OE1 CB CG CD 1.25 118 0; OE2 CB CG CD 1.25 118 180",
    "GLN": "CG N CA CB 1.53 114 x0; CD CA CB CG 1.52 113 180; OE1 CB CG CD 1.23 121 0; NE2 CB CG CD 1.33 116 180",
    "LYS": "CG N CA CB 1.53 114 x0; CD CA CB CG 1.52 111 180; CE CB CG CD 1.52 111 180; NZ CG CD CE 1.49 112 180",
    "HIS": "CG N CA CB 1.50 114 x0; ND1 CA CB CG 1.38 123 90; CD2 CA CB CG 1.36 131 270; CE1 CB CG ND1 1.32 109 180; "
    "NE2 CB CG CD2 1.37 107 180",
}
_COMPOSITION = (
    *(
        "ALA",
        "LEU",
        "LYS",
        "GLU",
        "SER",
        "VAL",
        "ILE",
        "THR",
        "ASP",
        "ASN",
        "GLN",
        "MET",
        "PHE",
        "HIS",
        "CYS",
    ),
    *("ALA", "LEU", "LYS", "GLU", "ALA", "LEU", "SER"),
)
_RING = tuple(
    (1.39 * math.cos(math.radians(60 * n)), 1.39 * math.sin(math.radians(60 * n))) for n in range(6)
)
_LIGAND: tuple[tuple[str, str, float, float], ...] = (
    *((f"C{n + 1}", "C", x, y) for n, (x, y) in enumerate(_RING)),
    ("C7", "C", 2.88, 0.0), ("O1", "O", 3.50, 1.06), ("N1", "N", 3.55, -1.16), ("C8", "C", 5.00, -1.22),
    ("O2", "O", -2.76, 0.0),
    ("CL1", "CL", -1.565, 2.711),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom of a PDB file."""

    name: str
    resn: str
    chain: str
    resi: int
    at: Point
    b: float
    elem: str

    @property
    def residue(self) -> str:
        """Chain and number, as in `A/12`."""
        return f"{self.chain}/{self.resi}"


@dataclass(slots=True)
class _Space:
    """Places of atoms in cells, to find those nearby."""

    cells: dict[tuple[int, int, int], list[tuple[Point, object]]] = field(default_factory=dict)

    def add(self, at: Point, owner: object = None) -> None:
        self.cells.setdefault(_cell(at), []).append((at, owner))

    def free(self, at: Point, room: float, but: Iterable[object] = ()) -> bool:
        """Whether no atom of others is nearer than `room`, which is at most the size of a cell."""
        x, y, z = _cell(at)
        return not any(
            owner not in but and math.dist(at, other) < room
            for i in (x - 1, x, x + 1)
            for j in (y - 1, y, y + 1)
            for k in (z - 1, z, z + 1)
            for other, owner in self.cells.get((i, j, k), ())
        )


def _cell(at: Point) -> tuple[int, int, int]:
    return int(at[0] // 3.6), int(at[1] // 3.6), int(at[2] // 3.6)


def build(random: Random, *, title: str = "THREE-HELIX BUNDLE WITH A BOUND INHIBITOR") -> str:
    """Return the text of a structure."""
    first = random.randint(4, 60)
    ligand = "".join(random.choice("BFGHJKLMQRVWXZ") for _ in range(2)) + random.choice("123456789")
    residues = [random.choice(_COMPOSITION) for _ in _TORSIONS]
    space = _Space()
    atoms: list[Atom] = []
    for chain, backbone in zip("AB", (_backbone(), _second(random)), strict=True):
        gap = random.choice((14, 31)) if chain == "B" else len(_TORSIONS)
        sequence = [random.choice(_COMPOSITION) if random.random() < 0.12 else one for one in residues]
        atoms += _chain(random, chain, first, sequence, backbone, gap, space)
    atoms += _docked(random, ligand, first + 200, space)
    atoms += _waters(random, first + 301, space)
    return _text(atoms, title, first)


def read(text: str) -> list[Atom]:
    """Return the atoms of a PDB file."""
    return [
        Atom(
            line[12:16].strip(),
            line[17:20].strip(),
            line[21],
            int(line[22:26]),
            (float(line[30:38]), float(line[38:46]), float(line[46:54])),
            float(line[60:66]),
            line[76:78].strip(),
        )
        for line in text.splitlines()
        if line.startswith(("ATOM", "HETATM"))
    ]


def helices(first: int) -> list[tuple[int, int]]:
    """Return the first and last residue of each helix of a chain that begins with the number `first`."""
    return [(first + start, first + end) for start, end in _HELICES]


def dihedral(a: Point, b: Point, c: Point, d: Point) -> float:
    """Return the angle between two planes, in degrees."""
    axis = _minus(c, b)
    one, other = _cross(_minus(b, a), axis), _cross(axis, _minus(d, c))
    return math.degrees(math.atan2(_dot(_cross(one, other), axis) / _size(axis), _dot(one, other)))


def _chain(
    random: Random,
    chain: str,
    first: int,
    sequence: Sequence[str],
    backbone: Sequence[dict[str, Point]],
    gap: int,
    space: _Space,
) -> Iterator[Atom]:
    """Yield a chain without the three residues from `gap` on."""
    kept = [n for n in range(len(sequence)) if not gap <= n < gap + 3]
    for n in kept:
        for at in backbone[n].values():
            space.add(at, (chain, n))
    hot = set(random.sample(kept[3:-3], 5))
    for n in kept:
        resn, places = _side(random, chain, n, sequence[n], backbone[n], space)
        end = min(n, len(sequence) - 1 - n)
        base = random.uniform(62, 88) if n in hot else random.uniform(16, 34) + max(0, 4 - end) * 3
        for name, at in places.items():
            yield Atom(name, resn, chain, first + n, at, round(base + random.uniform(-2, 2), 2), name[0])


def _side(
    random: Random, chain: str, n: int, resn: str, own: dict[str, Point], space: _Space
) -> tuple[str, dict[str, Point]]:
    """Return a residue with its side chain; alanine where none of the rotamers fits."""
    backbone = {name: own[name] for name in ("N", "CA", "C", "O", "CB")}
    for rotamer in random.sample(_ROTAMERS, 3):
        places = dict(backbone)
        for line in filter(None, _SIDES.get(resn, "").split("; ")):
            name, a, b, c, bond, bend, turn = line.split()
            degrees = float(turn.removeprefix("x")) + (rotamer if turn.startswith("x") else 0)
            places[name] = _place(places[a], places[b], places[c], float(bond), float(bend), degrees)
        added = [at for name, at in places.items() if name not in backbone]
        if all(space.free(at, _ROOM, [(chain, n)]) for at in added):
            for at in added:
                space.add(at, (chain, n))
            return resn, places
    return "ALA", backbone


def _docked(random: Random, name: str, number: int, space: _Space) -> list[Atom]:
    """Return a ligand in the deepest of several places where it touches the first chain."""
    middle = _middle([backbone["CA"] for backbone in _backbone()])

    def depth(places: Sequence[Point]) -> float:
        return sum(math.dist(at, middle) for at in places)

    places = min((_approached(random, middle, space) for _ in range(8)), key=depth)
    for _ in range(60):  # shake it deeper
        away, step = _direction(random), random.uniform(0.2, 0.8)
        moved = [_moved(at, away, step) for at in places]
        if depth(moved) < depth(places) and all(space.free(at, 3.25) for at in moved):
            places = moved
    for at in places:
        space.add(at)
    return [
        Atom(atom, name, "L", number, at, round(random.uniform(20, 40), 2), elem)
        for (atom, elem, _, _), at in zip(_LIGAND, places, strict=True)
    ]


def _approached(random: Random, middle: Point, space: _Space) -> list[Point]:
    """Return the ligand's atoms, flat above the protein, where it touches on its way along a direction."""
    away = _direction(random)
    along = _unit(_cross(away, _direction(random)))
    across = _cross(away, along)
    flat = [_moved(_moved(middle, along, x - 1), across, y) for _, _, x, y in _LIGAND]
    for tenths in range(220, -220, -5):
        places = [_moved(at, away, tenths / 10) for at in flat]
        if not all(space.free(at, 3.25) for at in places):
            return [_moved(at, away, tenths / 10 + 0.5) for at in flat]
    raise AssertionError("the ligand does not touch the protein")


def _waters(random: Random, number: int, space: _Space) -> Iterator[Atom]:
    middles = [_middle([place["CA"] for place in _backbone()][start : end + 1]) for start, end in _HELICES]
    for n in range(random.randint(24, 38)):
        while True:
            at, away = random.choice(middles), _direction(random)
            distance = next(d for d in range(4, 60) if space.free(_moved(at, away, d), 3.0))
            at = _moved(at, away, distance + random.random() * 0.5)
            if space.free(at, 2.7):
                break
        space.add(at)
        yield Atom("O", "HOH", "W", number + n, at, round(random.uniform(25, 55), 2), "O")


@cache
def _backbone() -> tuple[dict[str, Point], ...]:
    return tuple(_built(_TORSIONS))


def _second(random: Random) -> list[dict[str, Point]]:
    """Return another backbone, bent a little, turned and moved until both are apart."""
    bent = [(a + random.uniform(-1.5, 1.5), b + random.uniform(-1.5, 1.5)) for a, b in _TORSIONS]
    built, first = _built(bent), [place["CA"] for place in _backbone()]
    middle, about = _middle([place["CA"] for place in built]), _middle(first)
    turn, away = math.radians(random.uniform(60, 300)), _direction(random)

    def turned(at: Point) -> Point:
        x, y, z = _minus(at, middle)
        return x * math.cos(turn) - z * math.sin(turn), y, x * math.sin(turn) + z * math.cos(turn)

    round_about = [{name: turned(at) for name, at in place.items()} for place in built]
    for distance in range(10, 60):
        moved = [
            {name: _moved(_plus(at, about), away, distance) for name, at in place.items()}
            for place in round_about
        ]
        if min(math.dist(place["CA"], other) for place in moved for other in first) > 10:
            return moved
    raise AssertionError("the chains do not come apart")


def _built(torsions: Sequence[tuple[float, float]]) -> list[dict[str, Point]]:
    """Return the atoms of a backbone, with CB."""
    n, ca = (0.0, 0.0, 0.0), (1.458, 0.0, 0.0)
    c = _place((0.0, 1.0, 0.0), n, ca, 1.525, 111, -60)
    found = []
    for index, (_, psi) in enumerate(torsions):
        following = _place(n, ca, c, 1.329, 116.6, psi)
        o = _place(n, ca, c, 1.231, 120.5, psi + 180)
        found.append({"N": n, "CA": ca, "C": c, "O": o, "CB": _place(n, c, ca, 1.53, 110.1, 122.6)})
        if index + 1 < len(torsions):
            after = _place(ca, c, following, 1.458, 121.7, 180)
            n, ca, c = following, after, _place(c, following, after, 1.525, 111, torsions[index + 1][0])
    return found


def _text(atoms: Sequence[Atom], title: str, first: int) -> str:
    lines = ["HEADER    HYDROLASE/INHIBITOR", f"TITLE     {title}"]
    named = {atom.residue: atom.resn for atom in atoms}
    serial = 0
    for chain in "AB":
        for a, b in helices(first):
            serial += 1
            start, end = (f"{named[f'{chain}/{n}']} {chain} {n:4d}" for n in (a, b))
            lines.append(f"HELIX  {serial:3d} {serial:3d} {start}  {end}  1{'':30s} {_LENGTH:5d}")
    for serial, atom in enumerate(atoms, 1):
        kind = "HETATM" if atom.chain in "LW" else "ATOM  "
        name = atom.name if len(atom.name) == 4 or len(atom.elem) == 2 else f" {atom.name}"
        x, y, z = atom.at
        lines.append(
            f"{kind}{serial:5d} {name:<4s} {atom.resn:>3s} {atom.chain}{atom.resi:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
            f"{1:6.2f}{atom.b:6.2f}          {atom.elem:>2s}"
        )
        if serial == len(atoms) or atoms[serial].chain != atom.chain:
            lines.append("TER")
    return "\n".join([*lines, "END", ""])


def _place(a: Point, b: Point, c: Point, bond: float, bend: float, turn: float) -> Point:
    """Return the place of an atom from the three before it."""
    t, p = math.radians(bend), math.radians(turn)
    along = _unit(_minus(c, b))
    normal = _unit(_cross(_minus(b, a), along))
    third = _cross(normal, along)
    u, v, w = -bond * math.cos(t), bond * math.sin(t) * math.cos(p), bond * math.sin(t) * math.sin(p)
    return tuple(  # type: ignore[return-value]
        c[n] + u * along[n] + v * third[n] + w * normal[n] for n in range(3)
    )


def _direction(random: Random) -> Point:
    return _unit((random.gauss(0, 1), random.gauss(0, 1), random.gauss(0, 1)))


def _middle(places: Sequence[Point]) -> Point:
    x, y, z = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return x, y, z


def _moved(at: Point, direction: Point, distance: float) -> Point:
    return (at[0] + direction[0] * distance, at[1] + direction[1] * distance, at[2] + direction[2] * distance)


def _plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Point, b: Point) -> Point:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _size(a: Point) -> float:
    return math.sqrt(_dot(a, a))


def _unit(a: Point) -> Point:
    size = _size(a)
    return a[0] / size, a[1] / size, a[2] / size
