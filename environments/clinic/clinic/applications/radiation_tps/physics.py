"""The dose model: pencil beams in water through one axial slice, and inverse planning of their intensities.

Everything is a pure function of anatomy, beams and wishes, so that a dose is the same whenever it is asked for.
Lengths are in cm, doses in fractions of the prescribed dose; x points to the patient's left, y to the back.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Grid = NDArray[np.float32]
Mask = NDArray[np.bool_]

ROWS, COLUMNS = 80, 100
ATTENUATION = {"6 MV": 0.045, "6 MV FFF": 0.047, "10 MV": 0.036, "15 MV": 0.031}  # for each cm of water
BUILD_UP = {"6 MV": 2.4, "6 MV FFF": 2.5, "10 MV": 1.6, "15 MV": 1.2}
PRIORITY = {"off": 0.0, "normal": 0.12, "high": 1.0}
MARGIN = {"3DCRT": 1.2, "IMRT": 1.2, "SRS": -0.4}  # grid points that a field reaches beyond the target
ROUNDS = 70
SEGMENTS = 5  # intensity levels of a field
AIM = 0.92  # of a limit: where the optimiser begins to push
WITHOUT_TARGET = frozenset({"Lungs"})  # whose dose is reported without the target inside
BEYOND = 1.0  # cm above and below the target that the slice stands for


@dataclass(frozen=True)
class Ellipse:
    """An ellipse in the slice."""

    x: float
    y: float
    rx: float
    ry: float


@dataclass(frozen=True)
class Structure:
    """A contoured structure: its outline in the slice, and how far it reaches along the body."""

    name: str
    outline: tuple[Ellipse, ...]
    length: float


@dataclass(frozen=True)
class Beam:
    """One field, as far as dose depends on it."""

    gantry: float
    energy: str
    weight: float


@dataclass(frozen=True)
class Wish:
    """What the optimiser is asked for an organ: a limit in fractions of the prescription, and how much it counts."""

    structure: str
    metric: str
    level: float
    priority: str


@dataclass(frozen=True)
class Anatomy:
    """The slice: the body, the target, the organs, and the spacing of the dose grid."""

    body: Structure
    target: Structure
    organs: tuple[Structure, ...]
    spacing: float


@dataclass(frozen=True, eq=False)
class Dose:
    """What a plan gives: the dose at every grid point, and the relative output of each beam."""

    grid: Grid
    output: tuple[float, ...]


def _forward(fluence: Grid, lit: Grid) -> Grid:
    """Return the dose of intensities; not `@`, whose threads would fight over the cores for so little work."""
    dose: Grid = np.einsum("i,ij->j", fluence, lit)
    return dose


def _backward(lit: Grid, slope: Grid) -> Grid:
    """Return how the intensities share in a slope of the dose."""
    shares: Grid = np.einsum("ij,j->i", lit, slope)
    return shares


@lru_cache(maxsize=8)
def points(spacing: float) -> tuple[Grid, Grid]:
    """Return x and y of every grid point."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS].astype(np.float32)
    return (x - (COLUMNS - 1) / 2) * spacing, (y - (ROWS - 1) / 2) * spacing


@lru_cache(maxsize=256)
def inside(anatomy: Anatomy, structure: Structure, margin: float = 0.0) -> Mask:
    """Return which grid points belong to a structure, enlarged by a margin."""
    x, y = points(anatomy.spacing)
    mask = np.zeros((ROWS, COLUMNS), dtype=np.bool_)
    for part in structure.outline:
        mask |= ((x - part.x) / (part.rx + margin)) ** 2 + ((y - part.y) / (part.ry + margin)) ** 2 <= 1
    if structure.name in WITHOUT_TARGET:
        mask &= ~inside(anatomy, anatomy.target)
    return mask


def _ray(anatomy: Anatomy, gantry: float) -> tuple[Grid, Grid]:
    """Return for every point its place across the beam, seen from the target, and its depth in the body."""
    angle = np.deg2rad(gantry)
    right, down = (
        float(np.sin(angle)),
        float(-np.cos(angle)),
    )  # towards the source: 0 is the front, 90 the left
    x, y = points(anatomy.spacing)
    (centre,), (body,) = anatomy.target.outline, anatomy.body.outline
    across = (x - centre.x) * down - (y - centre.y) * right
    px, py, dx, dy = (x - body.x) / body.rx, (y - body.y) / body.ry, right / body.rx, down / body.ry
    a, b, c = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - 1
    depth = (np.sqrt(np.maximum(b * b - a * c, 0)) - b) / a
    return across.astype(np.float32), np.where(c <= 0, np.maximum(depth, 0), 0).astype(np.float32)


def _beamlets(anatomy: Anatomy, beam: Beam, technique: str) -> Grid:
    """Return the dose of each beamlet of a field that covers the target, one row for each."""
    across, depth = _ray(anatomy, beam.gantry)
    width, edge = anatomy.spacing * 1.5, MARGIN[technique] * anatomy.spacing
    target = across[inside(anatomy, anatomy.target)]
    places = np.arange(target.min() - edge, target.max() + edge + width / 2, width, dtype=np.float32)
    off_axis = (across[None] - places[:, None, None]) / np.float32(width * 0.8)
    np.multiply(off_axis, off_axis, out=off_axis)
    np.exp(-0.5 * off_axis, out=off_axis)
    off_axis += 0.02 * np.exp(-0.5 * (across / (width * 5)) ** 2)  # scatter
    falloff = np.exp(-ATTENUATION[beam.energy] * depth) * (1 - np.exp(-BUILD_UP[beam.energy] * depth))
    off_axis *= (falloff * (depth > 0)).astype(np.float32)
    return off_axis.reshape(len(places), -1)


@lru_cache(maxsize=4)
def _fields(anatomy: Anatomy, beams: tuple[Beam, ...], technique: str) -> tuple[Grid, NDArray[np.intp]]:
    fields = [_beamlets(anatomy, beam, technique) for beam in beams]
    owner = np.repeat(np.arange(len(fields)), [len(field) for field in fields])
    return np.concatenate(fields), owner


@lru_cache(maxsize=256)
def compute(
    anatomy: Anatomy, beams: tuple[Beam, ...], wishes: tuple[Wish, ...], technique: str, norm: str
) -> Dose:
    """Return the dose of a plan: open fields, or those of IMRT, whose intensities are optimised."""
    lit, owner = _fields(anatomy, beams, technique)
    target = inside(anatomy, anatomy.target).ravel()
    fluence = np.array([beam.weight for beam in beams], dtype=np.float32)[owner]
    fluence = fluence / _forward(fluence, lit[:, target]).mean()
    if technique == "IMRT":
        fluence = _segmented(_optimise(anatomy, lit, fluence, wishes), owner)
    grid = _forward(fluence, lit)
    scale = np.float32(1 / reference(grid[target], norm))
    output = np.bincount(owner, weights=fluence * scale, minlength=len(beams))
    return Dose((grid * scale).reshape(ROWS, COLUMNS), tuple(float(value) for value in output))


def reference(target: Grid, norm: str) -> float:
    """Return the dose in the target that the normalisation makes the prescribed one."""
    if norm == "d95":
        return float(np.percentile(target, 5))
    if norm == "mean":
        return float(target.mean())
    return float(target.max()) * 0.8  # the 80 % isodose line


def _optimise(anatomy: Anatomy, lit: Grid, fluence: Grid, wishes: tuple[Wish, ...]) -> Grid:
    """Descend along the gradient of a quadratic cost, with momentum, over intensities that cannot be negative."""
    organs = {organ.name: organ for organ in anatomy.organs}
    wanted = [wish for wish in wishes if wish.structure in organs and PRIORITY[wish.priority]]
    masks = [inside(anatomy, anatomy.target), _around(anatomy)]
    masks += [inside(anatomy, organs[wish.structure]) for wish in wanted]
    seen = lit[
        :, np.concatenate([np.flatnonzero(mask) for mask in masks])
    ]  # one after the other, as often as wanted
    cuts = np.cumsum([np.count_nonzero(mask) for mask in masks])[:-1]
    target = seen[:, : cuts[0]]
    steepest = 2 + sum(PRIORITY[wish.priority] for wish in wanted)
    step = np.float32(0.9 / (_stiffness(target) / target.shape[1] * steepest))
    ahead = before = fluence
    for turn in range(ROUNDS):
        in_target, in_ring, *in_organs = np.split(_forward(ahead, seen), cuts)
        slopes = [
            (in_target - 1.03) * (2.0 / len(in_target)),
            np.maximum(in_ring - 1.0, 0) * (0.3 / len(in_ring)),
        ]
        slopes += [_push(wish, received) for wish, received in zip(wanted, in_organs, strict=True)]
        after = np.maximum(ahead - step * _backward(seen, np.concatenate(slopes)), 0).astype(np.float32)
        ahead = after + np.float32(turn / (turn + 3)) * (after - before)
        before = after
    return before


def _segmented(fluence: Grid, owner: NDArray[np.intp]) -> Grid:
    """Return intensities as a collimator delivers them: each field in steps, for the leaves move between segments."""
    most = np.zeros(int(owner.max()) + 1, dtype=np.float32)
    np.maximum.at(most, owner, fluence)
    step = np.maximum(most[owner], np.float32(1e-6)) / np.float32(SEGMENTS)
    stepped: Grid = (np.round(fluence / step) * step).astype(np.float32)
    return stepped


def _stiffness(lit: Grid) -> float:
    """Return the largest eigenvalue of the quadratic cost, by power iteration."""
    guess: Grid = np.ones(len(lit), dtype=np.float32)
    size = 1.0
    for _ in range(8):
        guess = _backward(lit, _forward(guess, lit))
        size = float(np.sqrt(np.square(guess).sum()))
        guess /= np.float32(size)
    return size


def _push(wish: Wish, received: Grid) -> Grid:
    """Return how much less an organ should receive at each of its points."""
    aim, weight = wish.level * AIM, PRIORITY[wish.priority]
    if wish.metric == "Dmean":
        beyond = max(float(received.mean()) - aim, 0.0)
        return np.full(len(received), weight * beyond / len(received), dtype=np.float32)
    excess: Grid = np.maximum(received - np.float32(aim), 0)
    weight *= (1.0 if wish.metric == "Dmax" else 0.3) / max(int(np.count_nonzero(excess)), 1)
    return excess * np.float32(weight)


def _around(anatomy: Anatomy) -> Mask:
    """Return the tissue near the target, where no hot spots are wanted."""
    near = inside(anatomy, anatomy.target, margin=5 * anatomy.spacing)
    return near & ~inside(anatomy, anatomy.target) & inside(anatomy, anatomy.body)


def received(anatomy: Anatomy, structure: Structure, dose: Dose) -> tuple[Grid, float]:
    """Return the dose to a structure in the slice, and the share of its volume that the slice stands for.

    Above and below the target there is no dose, as if the fields ended there.
    """
    share = min(1.0, (anatomy.target.length + 2 * BEYOND) / structure.length)
    return dose.grid[inside(anatomy, structure)], share


def measure(anatomy: Anatomy, structure: Structure, dose: Dose, metric: str, prescribed: float) -> float:
    """Return a figure of a structure: Dmax, Dmean, D95 in Gy, or V20 and the like in percent."""
    values, share = received(anatomy, structure, dose)
    if metric == "Dmax":
        return round(float(values.max()) * prescribed, 1)
    if metric == "D95":
        return round(float(np.percentile(values, 5)) * prescribed, 1)
    if metric == "Dmean":
        return round(float(values.mean()) * share * prescribed, 1)
    return round(float((values * prescribed >= float(metric[1:])).mean()) * share * 100, 1)


def histogram(
    anatomy: Anatomy, structure: Structure, dose: Dose, top: float, bins: int = 60
) -> list[tuple[float, float]]:
    """Return a cumulative dose-volume histogram: fractions of the prescription, and of the volume."""
    values, share = received(anatomy, structure, dose)
    levels = np.linspace(0, top, bins)
    volumes = (values[None] >= levels[:, None]).mean(axis=1) * share
    volumes[0] = 1.0
    return [(float(level), float(volume)) for level, volume in zip(levels, volumes, strict=True)]
