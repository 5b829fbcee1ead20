"""Who is being planned: one patient for each story that the tasks are about, and others."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from clinic.applications.radiation_tps.draft import Draft, Setup, draw

STORIES = (
    "open",
    "structures",
    "contour",
    "prescribe",
    "beams",
    "optimise",
    "evaluate",
    "approve",
    "srs",
    "full",
)
COMMON = ("head_neck", "thorax", "pelvis")


@dataclass(frozen=True)
class Plan:
    """A plan to be put into the record."""

    setup: Setup | None = None  # prescription and beams
    beams: bool = True
    priorities: dict[str, str] = field(default_factory=dict)
    computed: bool = False
    approved: bool = False
    exported: bool = False


@dataclass(frozen=True)
class Role:
    """A patient of the department: anatomy and directive, status, and what has been done."""

    draft: Draft
    status: str
    missing: tuple[str, ...] = ()
    plans: tuple[Plan, ...] = (Plan(),)


def others(stream: random.Random) -> list[str]:
    """Return how far the patients beside the stories are."""
    count = stream.randint(3, 6)
    return [stream.choice(("planning", "planning", "review", "approved", "treatment")) for _ in range(count)]


def play(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    """Return a patient that suits a story; a status stands for somebody beside the stories."""
    return _ROLES.get(story, _other)(story, chance, sites)


def _all(draft: Draft, priority: str) -> dict[str, str]:
    return dict.fromkeys(draft.organs, priority)


def _feasible(draft: Draft) -> bool:
    """Tell whether pushing every organ a little meets all goals."""
    return draft.missed(draft.directive, _all(draft, "normal")) == []


def _some_off(chance: random.Random, draft: Draft) -> dict[str, str]:
    off = chance.sample(draft.organs, chance.randint(2, len(draft.organs) - 1))
    return {name: "off" if name in off else "normal" for name in draft.organs}


def _open(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    return Role(draw(chance, sites, chance.choice(COMMON)), "planning", plans=(Plan(),))


def _structures(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    draft = draw(chance, sites, chance.choice(COMMON))
    return Role(
        draft, "contouring", tuple(chance.sample(draft.organs, chance.randint(1, len(draft.organs) - 1)))
    )


def _contour(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    draft = draw(chance, sites, chance.choice(COMMON))
    return Role(draft, "contouring", tuple(chance.sample(draft.organs, chance.randint(2, 3))))


def _prescribe(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    return Role(draw(chance, sites, chance.choice(COMMON)), "planning")


def _beams(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    draft = draw(chance, sites, chance.choice(COMMON))
    plan = Plan(draft.directive, beams=False, priorities=_all(draft, "normal"))
    return Role(draft, "planning", plans=(plan,))


def _optimise(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    """Some organs are left out of the optimisation, which then misses a goal."""
    site, held = chance.choice(COMMON), {}

    def suits(draft: Draft) -> bool:
        held["priorities"] = _some_off(chance, draft)
        return bool(draft.missed(draft.directive, held["priorities"])) and _feasible(draft)

    draft = draw(chance, sites, site, suits)
    return Role(draft, "planning", plans=(Plan(draft.directive, priorities=held["priorities"]),))


def _evaluate(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    """A simple plan that misses the goals of one to three structures."""
    site, held = chance.choice(COMMON), {}

    def suits(draft: Draft) -> bool:
        fields, gantry = chance.choice((3, 4, 5)), chance.choice((0, 0, 30, 45))
        held["setup"] = replace(draft.directive, technique="3DCRT", fields=fields, gantry=gantry, norm="mean")
        return len(draft.missed(held["setup"], {}) or ()) in (1, 2, 3)

    draft = draw(chance, sites, site, suits)
    return Role(draft, "review", plans=(Plan(held["setup"], computed=True),))


def _approve(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    """Two plans with a dose, one of which meets all goals."""
    site, held = chance.choice(COMMON), {}

    def suits(draft: Draft) -> bool:
        held["priorities"] = _some_off(chance, draft)
        return bool(draft.missed(draft.directive, held["priorities"])) and _feasible(draft)

    draft = draw(chance, sites, site, suits)
    plans = [
        Plan(draft.directive, priorities=priorities, computed=True)
        for priorities in (held["priorities"], _all(draft, "normal"))
    ]
    chance.shuffle(plans)
    return Role(draft, "review", plans=tuple(plans))


def _srs(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    def suits(draft: Draft) -> bool:
        return draft.missed(draft.directive, {}) == []

    return Role(draw(chance, sites, "brain", suits), "planning")


def _full(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    """A directive that begins at the front, with collimators straight; open fields do not meet the goals."""

    def plain(draft: Draft) -> Draft:
        return replace(draft, directive=replace(draft.directive, gantry=0, collimator=0))

    def suits(draft: Draft) -> bool:
        open_fields = replace(plain(draft).directive, technique="3DCRT")
        return bool(draft.missed(open_fields, {})) and _feasible(plain(draft))

    draft = plain(draw(chance, sites, chance.choice(COMMON), suits))
    return Role(draft, "planning", plans=(Plan(priorities=_all(draft, "normal")),))


def _other(story: str, chance: random.Random, sites: dict[str, Any]) -> Role:
    draft = draw(chance, sites, chance.choice(COMMON))
    done = story in ("approved", "treatment")
    plan = Plan(
        draft.directive,
        priorities=_all(draft, "normal"),
        computed=story != "planning",
        approved=done,
        exported=story == "treatment",
    )
    return Role(draft, story, plans=(plan,))


_ROLES: dict[str, Callable[[str, random.Random, dict[str, Any]], Role]] = {
    "open": _open,
    "structures": _structures,
    "contour": _contour,
    "prescribe": _prescribe,
    "beams": _beams,
    "optimise": _optimise,
    "evaluate": _evaluate,
    "approve": _approve,
    "srs": _srs,
    "full": _full,
}
