"""Have GRASS print what it knows of the map."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {
        "other": random.choice(
            [one for one in mapping.POINTS[mapping.PIEMONTE] if one not in mapping.shown(state)]
        )
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the metadata of the map in the console."""
    yield from mapping.printed(evidence, case, "v.info", "map")


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose so from the menu of the layer."""
    await mapping.layer_menu(pilot, case["layer"], "Metadata")


@wrong("milestone:printed")
async def asked_for_another_map(pilot: Pilot, case: Case) -> None:
    """The metadata are those of another map."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["other"])
    await mapping.layer_menu(pilot, mapping.full(case["other"]), "Metadata")
