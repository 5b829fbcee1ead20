"""A patient on paper: anatomy, goals and directive, drawn until the story's condition on the dose holds."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from clinic.applications.radiation_tps import physics
from clinic.applications.radiation_tps.physics import Anatomy, Beam, Ellipse, Structure, Wish

TRIES = 200
CLEAR = 0.02  # how far off a limit every figure must be, so that no rounding decides


@dataclass(frozen=True)
class Goal:
    """A goal of the protocol."""

    structure: str
    metric: str
    sense: str
    limit: float


@dataclass(frozen=True)
class Setup:
    """What a plan is made of: the directive, or something else."""

    dose: float
    fractions: int
    norm: str
    technique: str
    fields: int
    gantry: int
    energy: str
    collimator: int = 0


@dataclass(frozen=True)
class Draft:
    """A patient on paper."""

    site: str
    anatomy: Anatomy
    goals: tuple[Goal, ...]
    directive: Setup

    @property
    def organs(self) -> list[str]:
        """The names of the organs."""
        return [organ.name for organ in self.anatomy.organs]

    def gantries(self, setup: Setup) -> list[float]:
        """Return the angles of equally spaced fields."""
        return [round((setup.gantry + i * 360 / setup.fields) % 360, 1) for i in range(setup.fields)]

    def missed(self, setup: Setup, priorities: dict[str, str]) -> list[str] | None:
        """Return which structures miss a goal; None when a figure is too near to its limit to tell."""
        beams = tuple(Beam(angle, setup.energy, 1.0) for angle in self.gantries(setup))
        wishes = tuple(
            Wish(
                goal.structure, goal.metric, _level(goal) / setup.dose, priorities.get(goal.structure, "off")
            )
            for goal in self.goals
            if goal.sense == "max"
        )
        dose = physics.compute(self.anatomy, beams, wishes, setup.technique, setup.norm)
        known = {each.name: each for each in (self.anatomy.target, *self.anatomy.organs)}
        found: list[str] = []
        for goal in self.goals:
            value = physics.measure(self.anatomy, known[goal.structure], dose, goal.metric, setup.dose)
            if abs(value - goal.limit) < CLEAR * goal.limit:
                return None
            if (value < goal.limit) is (goal.sense == "min") and goal.structure not in found:
                found.append(goal.structure)
        return found


def _level(goal: Goal) -> float:
    return float(goal.metric[1:]) if goal.metric.startswith("V") else goal.limit


def draw(
    chance: random.Random, sites: dict[str, Any], site: str, suits: Callable[[Draft], bool] | None = None
) -> Draft:
    """Draw patients of a site until one suits."""
    for _ in range(TRIES):
        anatomy = _anatomy(chance, sites[site])
        setup = _directive(chance, sites[site], anatomy, site)
        goals = _goals(chance, sites[site], setup.dose)
        draft = Draft(site, anatomy, goals, setup)
        if suits is None or suits(draft):
            return draft
    raise LookupError(f"no patient with {site} suits")


def _anatomy(chance: random.Random, facts: dict[str, Any]) -> Anatomy:
    side = chance.choice((1, -1)) if facts["mirror"] else 1
    body = _structure(chance, "Body", facts["body"] | {"play": 0.0}, 1)
    target, *organs = (
        _structure(chance, name, each, side if each.get("target") else 1)
        for name, each in facts["structures"].items()
    )
    return Anatomy(body, target, tuple(organs), facts["spacing"])


def _structure(chance: random.Random, name: str, facts: dict[str, Any], side: int) -> Structure:
    """Draw a structure; the target may lie on either side of the body."""
    play = facts["play"]

    def around(value: float) -> float:
        return round(value + chance.uniform(-play, play), 2)

    def about(value: float) -> float:
        return round(value * chance.uniform(1 - play / 4, 1 + play / 4), 2)

    outline = tuple(
        Ellipse(side * around(x), around(y), about(rx), about(ry)) for x, y, rx, ry in facts["shapes"]
    )
    return Structure(name, outline, facts["length"])


def _directive(chance: random.Random, facts: dict[str, Any], anatomy: Anatomy, site: str) -> Setup:
    dose, fractions = chance.choice(facts["directives"])
    fields, energy = chance.choice(facts["fields"]), chance.choice(facts["energies"])
    if site == "brain":
        return Setup(single_fraction(anatomy.target), fractions, "iso80", "SRS", fields, 0, energy)
    norm, gantry = chance.choice(("d95", "mean")), chance.choice((0, 10, 20, 30))
    collimator = chance.choice((0, 5, 10))
    return Setup(float(dose), fractions, norm, "IMRT", fields, gantry, energy, collimator)


def diameter_mm(target: Structure) -> int:
    """Return the largest diameter of a target."""
    (part,) = target.outline
    return round(20 * max(part.rx, part.ry))


def single_fraction(target: Structure) -> float:
    """Return the dose of radiosurgery in one fraction after RTOG 90-05."""
    diameter = diameter_mm(target)
    return 24.0 if diameter <= 20 else 18.0 if diameter <= 30 else 15.0


def _goals(chance: random.Random, facts: dict[str, Any], dose: float) -> tuple[Goal, ...]:
    return tuple(
        Goal(name, metric, sense, round(limit * dose, 1) if name == "PTV" else limit)
        for name, goals in facts["goals"].items()
        for metric, sense, alternatives in goals
        for limit in (chance.choice(alternatives),)
    )
