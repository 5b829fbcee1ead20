"""Show a map of another location."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Asked, Steps

_TARGETS = (
    (mapping.EARTH, "countries"),
    (mapping.EARTH, "states_provinces"),
    (mapping.PIEMONTE, "schools"),
    (mapping.PIEMONTE, "hospitals"),
)


def case(state: State, random: Random) -> Values:
    where, name = random.choice(_TARGETS)
    other = random.choice([one for one in mapping.kept(state, where)["vector"] if one != name])
    return {
        "location": where,
        "map": name,
        "layer": mapping.full(name),
        "other": other,
        "called": mapping.CALLED[name],
    }


def setup(random: Random) -> Steps:
    """Begin somewhere else."""
    return mapping.begin(random, mapping.WORLD)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the map displayed in its location."""
    here = mapping.location(evidence.after)
    there = mapping.CHOICE.same(here, case["location"], ("session", "grass", "location"))
    yield Milestone("location", there, 0.4, case["location"], here)
    shown = mapping.layer_of(evidence, case["layer"]) is not None and there
    yield Milestone("map", shown, 0.6, case["layer"], ", ".join(evidence.after.collections["layers"]))
    yield from mapping.unasked(evidence, Asked(added={case["layer"]: frozenset()}, session=True))


async def solve(pilot: Pilot, case: Case) -> None:
    """Unfold the other location, and let GRASS switch to it with the map."""
    await mapping.unfold(pilot, case["location"])
    await mapping.press(pilot, f"place:catalog/{case['location']}/PERMANENT/{case['map']}", count=2)
    await mapping.press(pilot, 'push-button[name="Switch"]')
    await mapping.await_sight(pilot, f"place:layer/{case['layer']}")


@wrong("milestone:map")
async def opened_its_neighbour(pilot: Pilot, case: Case) -> None:
    """The location is right, the map is another one."""
    await solve(pilot, mapping.misread(case, map=case["other"], layer=mapping.full(case["other"])))


@wrong("milestone:map")
async def took_it_off_again(pilot: Pilot, case: Case) -> None:
    """The map was shown, and is gone in the end."""
    await solve(pilot, case)
    await mapping.remove_layer(pilot, case["layer"])
