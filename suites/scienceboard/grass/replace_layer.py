"""Show another map of the same location instead."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Asked, Steps


def case(state: State, random: Random) -> Values:
    here = mapping.kept(state, mapping.location(state))
    choice = [name for name in here["raster"] + here["vector"] if name not in mapping.shown(state)]
    name, other = random.sample(choice, 2)
    return mapping.layer(state) | {"new": name, "other": other, "location": mapping.location(state)}


def setup(random: Random) -> Steps:
    """Show one of the maps of the earth."""
    return mapping.begin(
        random, mapping.EARTH, random.choice(("natural_earth", "states_provinces", "populated_places"))
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have one layer instead of the other."""
    names = [row["name"] for row in evidence.after.rows("layers")]
    wanted = mapping.full(case["new"])
    left = evidence.after.collections["layers"].get(case["layer"], {}).get("name")
    gone = mapping.CHOICE.same(left, None, ("layers", case["layer"], "name")) and case["layer"] not in names
    there = mapping.layer_of(evidence, wanted) is not None
    yield Milestone("removed", gone, 0.5, f"no {case['layer']}", ", ".join(names))
    yield Milestone("shown", there, 0.5, wanted, ", ".join(names))
    asked = Asked(added={wanted: frozenset()}, removed=frozenset({case["layer"]}))
    yield from mapping.unasked(evidence, asked)


async def solve(pilot: Pilot, case: Case) -> None:
    """Remove the layer, then show the other map."""
    await mapping.remove_layer(pilot, case["layer"])
    await mapping.show_map(pilot, case["location"], case["new"])


@wrong("milestone:shown")
async def removed_only(pilot: Pilot, case: Case) -> None:
    """Half of the work is not done."""
    await mapping.remove_layer(pilot, case["layer"])


@wrong("milestone:removed")
async def showed_it_beside(pilot: Pilot, case: Case) -> None:
    """The old layer is still there."""
    await mapping.show_map(pilot, case["location"], case["new"])


@wrong("record_integrity/major")
async def showed_another_one(pilot: Pilot, case: Case) -> None:
    """The map that was shown instead is not the one that was asked for."""
    await solve(pilot, mapping.misread(case, new=case["other"]))
