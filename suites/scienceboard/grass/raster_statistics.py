"""Have GRASS compute statistics of the raster."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import Steps


def case(state: State, random: Random) -> Values:
    return mapping.layer(state)


def setup(random: Random) -> Steps:
    """Show a raster map."""
    return mapping.begin(random, mapping.PIEMONTE, random.choice(mapping.RASTERS[mapping.PIEMONTE]))


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the statistics of the map in the console."""
    yield from mapping.printed(evidence, case, "r.univar", "map")


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await mapping.layer_menu(pilot, case["layer"], "Univariate raster statistics")


@wrong("milestone:printed")
async def asked_for_metadata(pilot: Pilot, case: Case) -> None:
    """Metadata are no statistics."""
    await mapping.layer_menu(pilot, case["layer"], "Metadata")
