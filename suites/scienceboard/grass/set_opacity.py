"""Let what lies below shine through."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Number

from . import mapping
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]

_OPACITY = 'frame[name^="Set opacity"]'


_NEAR = 0.02001  # two percent


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {"percent": random.choice((20, 30, 40, 60, 70))}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the layer drawn with the opacity, two percent more or less."""
    layer = mapping.layer_of(evidence, case["layer"])
    seen = layer["opacity"] if layer else None
    at = layer and ("layers", layer["_key"], "opacity")
    right = Number(tolerance=_NEAR).same(seen, case["percent"] / 100, at)
    yield Milestone("opacity", right, 1.0, f"{case['percent']} %", f"{seen}")
    yield from mapping.unasked(evidence, mapping.field_of(case["layer"], "opacity"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Move the slider with the keyboard."""
    await mapping.layer_menu(pilot, case["layer"], "Change opacity level")
    await mapping.press(pilot, f"{_OPACITY} >> slider")
    await pilot.press("home")
    await pilot.press("right", repeat=case["percent"])
    await mapping.confirm(pilot, _OPACITY)


@wrong("milestone:opacity")
async def took_it_for_transparency(pilot: Pilot, case: Case) -> None:
    """So much is what shines through, not what is left."""
    await solve(pilot, mapping.misread(case, percent=100 - case["percent"]))


@wrong("record_integrity/major")
async def renamed_it_too(pilot: Pilot, case: Case) -> None:
    """The layer's title was not asked for."""
    await mapping.rename_layer(pilot, mapping.misread(case, label="see-through"))
    await solve(pilot, mapping.misread(case, layer="see-through"))
