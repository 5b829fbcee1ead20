"""What several tasks with PyMOL share: the structure that is open, parts of it, what may change, and its command line.

In the TOML files of the templates, `region` names a part of the structure (`REGIONS`), and `lines` are what the
reference solution types. Their `{words}` are the values of the case, which the goal has too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import PurePosixPath
from random import Random
from typing import Any

from pytest_cuabench import Case, Change, Evidence, Findings, Pilot, State, Values, Violation
from pytest_cuabench.task.kinds import FURTHER, Choice, Kind, Number, Tree, free

from . import structures
from .structures import Atom

Step = dict[str, Any]
Steps = Iterator[Step]
Words = dict[str, Any]

COLORS = {
    "red": "#ff0000",
    "blue": "#0000ff",
    "magenta": "#ff00ff",
    "orange": "#ff8000",
    "cyan": "#00ffff",
    "white": "#ffffff",
    "yellow": "#ffff00",
}
WATER, LIGAND = "W", "L"  # the chains of what is no protein
_LETTERS = "abcdefghkmnprstuvwxyz"
_LOOK = (
    "as cartoon, polymer",
    "show sticks, organic",
    "color yellow, organic and elem C",
    "show nb_spheres, solvent",
)
_CHOSEN, _NUMBER, _TREE = Choice("PyMOL writes it for what was done"), Number(), Tree()
_FOLLOW = {"objects": ("type", "atoms"), "selections": ("content",)}  # from the atoms, which are judged
_UNJUDGED = ("view", "wizard", "console")
_CLICKED = re.compile(r"sele|pk\d|pk(bond|mol|set)|indicate")  # selections that clicks make


@dataclass(frozen=True)
class Structure:
    """A structure file that lies in HOME."""

    file: str
    atoms: tuple[Atom, ...]

    @property
    def object(self) -> str:
        """The name that PyMOL gives it."""
        return PurePosixPath(self.file).stem

    @cached_property
    def names(self) -> dict[str, str]:
        """The residues with their names."""
        return {atom.residue: atom.resn for atom in self.atoms}

    def of(self, *chains: str) -> list[str]:
        """Return the residues of chains, in their order."""
        return [residue for residue in self.names if residue[0] in chains]

    def atom(self, residue: str, name: str) -> Atom:
        """Return an atom of a residue."""
        return next(atom for atom in self.atoms if atom.residue == residue and atom.name == name)

    def distances(self, chains: str, to: str) -> dict[str, float]:
        """Return how near the residues of chains come to another chain, atom to atom."""
        targets = [atom.at for atom in self.atoms if atom.chain == to]
        found: dict[str, float] = {}
        for atom in self.atoms:
            if atom.chain in chains:
                nearest = min(math.dist(atom.at, at) for at in targets)
                found[atom.residue] = min(nearest, found.get(atom.residue, nearest))
        return found

    def torsion(self, *atoms: tuple[str, str]) -> float:
        """Return the torsion angle over four atoms, in degrees."""
        a, b, c, d = (self.atom(residue, name).at for residue, name in atoms)
        return structures.dihedral(a, b, c, d)

    def mean_b(self, residue: str) -> float:
        """Return the mean B-factor of a residue's atoms."""
        values = [atom.b for atom in self.atoms if atom.residue == residue]
        return sum(values) / len(values)

    def gap(self) -> tuple[str, str]:
        """Return the residues of chain B before and after those that are missing."""
        numbers = [number(residue) for residue in self.of("B")]
        before = next(a for a, b in pairwise(numbers) if b != a + 1)
        return f"B/{before}", f"B/{before + 4}"


def number(residue: str) -> int:
    """Return the number of a residue such as `A/12`."""
    return int(residue.partition("/")[2])


def setup(random: Random) -> Steps:
    """A structure that is open, the protein as cartoon."""
    file = _file_name(random)
    yield {"do": "write", "path": file, "text": structures.build(random)}
    yield {"do": "run", "lines": [f"load {file}", *_LOOK, "orient"]}


def _file_name(random: Random) -> str:
    return f"{random.choice('6789')}{''.join(random.choice(_LETTERS) for _ in range(3))}.pdb"


def structure(state: State) -> Structure:
    """Return the one structure among the files."""
    ((file, row),) = state.collections["files"].items()
    return Structure(file, tuple(structures.read(row["text"])))


Region = Callable[[Structure, Random], tuple[list[str], Words]]


def _ligand(one: Structure, random: Random) -> tuple[list[str], Words]:
    return one.of(LIGAND), {}


def _waters(one: Structure, random: Random) -> tuple[list[str], Words]:
    return one.of(WATER), {}


def _chain(one: Structure, random: Random) -> tuple[list[str], Words]:
    chain, other = random.sample("AB", 2)
    return one.of(chain), {"chain": chain, "other": other}


def _range(one: Structure, random: Random) -> tuple[list[str], Words]:
    residues, words = _chain(one, random)
    start = random.randrange(3, 15)
    part = residues[start : start + random.randrange(8, 14)]
    return part, words | {"first": number(part[0]), "last": number(part[-1])}


def _within(one: Structure, random: Random, chains: str) -> tuple[list[str], Words]:
    """Return the residues of chains around the ligand, with a larger distance within which there are more.

    No residue is so near to a distance that rounding decides.
    """
    distances = one.distances(chains, LIGAND)
    found: dict[float, list[str]] = {}
    for cutoff in (n / 10 for n in range(40, 200)):
        if all(abs(distance - cutoff) > 0.03 for distance in distances.values()):
            found[cutoff] = [residue for residue, distance in distances.items() if distance <= cutoff]
    cutoff = random.choice([cutoff for cutoff, near in found.items() if 4 <= len(near) <= 12])
    other = next(other for other, near in found.items() if len(near) > len(found[cutoff]) + 1)
    return found[cutoff], {"cutoff": cutoff, "other_cutoff": other}


def _pocket(one: Structure, random: Random) -> tuple[list[str], Words]:
    return _within(one, random, "AB")


def _near_waters(one: Structure, random: Random) -> tuple[list[str], Words]:
    return _within(one, random, WATER)


def _hot(one: Structure, random: Random) -> tuple[list[str], Words]:
    """Return residues of a chain whose atoms all have higher B-factors than the others."""
    residues, words = _chain(one, random)
    limit = random.choice((52, 54, 55, 56, 58))
    return [residue for residue in residues if one.mean_b(residue) > limit], words | {"limit": limit}


_CHARGED = {"acidic": ("ASP", "GLU"), "basic": ("LYS", "HIS")}


def _charged(one: Structure, random: Random) -> tuple[list[str], Words]:
    residues, words = _chain(one, random)
    kind, other = random.sample(sorted(_CHARGED), 2)
    found = [residue for residue in residues if one.names[residue] in _CHARGED[kind]]
    a, b = _CHARGED[kind]
    c, d = _CHARGED[other]
    return found, words | {"kind": kind, "one": a, "two": b, "resn": f"{a}+{b}", "other_resn": f"{c}+{d}"}


def _gap(one: Structure, random: Random) -> tuple[list[str], Words]:
    ends = one.gap()
    first, last = map(number, ends)
    return list(ends), {"before": first, "after": last, "beyond": last + 1, "chain": "B", "other": "A"}


def _helix(one: Structure, random: Random) -> tuple[list[str], Words]:
    _, words = _chain(one, random)
    place = random.randrange(3)
    first, last = structures.helices(min(map(number, one.of("A"))))[place]
    following = structures.helices(min(map(number, one.of("A"))))[(place + 1) % 3]
    found = [residue for residue in one.of(words["chain"]) if first <= number(residue) <= last]
    return found, words | {
        "place": ("first", "second", "third")[place],
        "first": first,
        "last": last,
        "other_first": following[0],
        "other_last": following[1],
    }


def _nothing(one: Structure, random: Random) -> tuple[list[str], Words]:
    return [], _chain(one, random)[1]


REGIONS: Mapping[str, Region] = {
    "ligand": _ligand,
    "waters": _waters,
    "chain": _chain,
    "range": _range,
    "pocket": _pocket,
    "near_waters": _near_waters,
    "hot": _hot,
    "charged": _charged,
    "gap": _gap,
    "helix": _helix,
    "nothing": _nothing,
}


def region_values(state: State, random: Random, values: Values) -> Values:
    """Return the values of a template's task with the residues of its region, and their words filled in."""
    one = structure(state)
    residues, words = REGIONS[values["region"]](one, random)
    color, other_color = random.sample(sorted(set(COLORS) - {"yellow"}), 2)
    (ligand,) = one.of(LIGAND)
    words |= {
        "file": one.file,
        "object": one.object,
        "ligand": one.names[ligand],
        "ligand_number": number(ligand),
        "color": color,
        "other_color": other_color,
    }
    for name, choices in values.get("choices", {}).items():
        words[name] = random.choice(choices)
    filled: Values = fill({name: value for name, value in values.items() if name != "choices"}, words)
    return filled | words | {"residues": [f"{one.object}/{residue}" for residue in residues]}


def fill(value: Any, words: Mapping[str, Any]) -> Any:
    """Put words into the texts of a value."""
    match value:
        case str():
            return re.sub(r"\{(\w+)\}", lambda found: str(words.get(found[1], found[0])), value)
        case list():
            return [fill(one, words) for one in value]
        case dict():
            return {name: fill(one, words) for name, one in value.items()}
    return value


def nothing_else(evidence: Evidence, allowed: Callable[[str, str, str], bool]) -> Findings:
    """Judge every change as a violation but those at allowed places (collection, row, field).

    A row that comes or goes is the field `*`.
    """
    for change in evidence.changes:
        if change.collection in _UNJUDGED or (
            change.collection == "selections" and _CLICKED.fullmatch(change.key)
        ):
            free((change.collection, change.key), "how one looks at a molecule and works on it is left open")
            continue
        _declare(change)
        fields = ["*"] if change.op != "update" else list(change.fields)
        harm = [field for field in fields if not allowed(change.collection, change.key, field)]
        if (change.collection, change.op) == ("objects", "insert") and not _as_made(evidence, change):
            harm = ["*"]
        if harm:
            place = f"{change.collection}/{change.key}"
            yield Violation("record_integrity", "major", place, _told(change, place, harm))


def _declare(change: Change) -> None:
    """Declare by which kinds what was touched is compared, here or by a milestone."""
    at = (change.collection, change.key)
    free((*at, FURTHER), "PyMOL tells these fields of it and no others")
    follow = _FOLLOW.get(change.collection, ())
    for number, row in enumerate((change.after or {}).get("rows", ())):
        for name in {*row, FURTHER} - {"kind", "atoms"}:
            free((*at, "rows", number, name), "it follows from the atoms")
    for name, value in (change.after or {}).items():
        if name in follow:
            free((*at, name), "it follows from the atoms")
            continue
        kind: Kind = _TREE if isinstance(value, dict | list) else _CHOSEN
        kind = _NUMBER if isinstance(value, str) and _NUMBER.reads(value) else kind
        kind.same(value, value, (*at, name), optional=not value)


def _as_made(evidence: Evidence, change: Change) -> bool:
    """Whether a new object is shown, and has settings of its own only as one had before, of which it is a copy."""
    row = change.after or {}
    known = [one.get("settings") for one in evidence.before.collections.get("objects", {}).values()]
    return bool(row.get("enabled")) and (not row.get("settings") or row["settings"] in known)


def _told(change: Change, place: str, fields: list[str]) -> str:
    if change.op != "update":
        return f"{place} was {'added' if change.op == 'insert' else 'removed'}."
    told = (
        f"{field} from {change.fields[field][0]!r:.60} to {change.fields[field][1]!r:.60}" for field in fields
    )
    return f"{place} was changed: {', '.join(told)}."


COMMAND_LINE = "text:editable"


async def command(pilot: Pilot, lines: Collection[str]) -> None:
    """Type lines into PyMOL's command line."""
    for line in lines:
        await pilot.click(COMMAND_LINE)
        await pilot.type(line)
        await pilot.press("enter")


async def menu(pilot: Pilot, *names: str) -> None:
    """Choose from the menus."""
    for name in names:
        await pilot.click(f'menu-item[name="{name}"]')


async def work(pilot: Pilot, case: Case, lines: str = "lines") -> None:
    """Type the case's lines, and choose from its menu if it has one."""
    await command(pilot, case.values.get(lines, ()))
    if lines == "lines" and "menu" in case.values:
        await menu(pilot, *case["menu"])
