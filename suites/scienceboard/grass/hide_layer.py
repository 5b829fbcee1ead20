"""Switch one of several layers off."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import Steps


def case(state: State, random: Random) -> Values:
    name, other = random.sample(mapping.shown(state), 2)
    return {
        "map": name,
        "layer": mapping.full(name),
        "other": mapping.full(other),
        "called": mapping.CALLED[name],
    }


def setup(random: Random) -> Steps:
    """Show areas with two maps of points above them."""
    return mapping.begin(
        random,
        mapping.PIEMONTE,
        random.choice(mapping.AREAS[mapping.PIEMONTE]),
        *random.sample(mapping.POINTS[mapping.PIEMONTE], 2),
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the layer in the list, switched off."""
    rows = evidence.after.rows("layers", name=case["layer"])
    checked = [row["checked"] for row in rows]
    off = len(rows) == 1 and mapping.CHOICE.same(checked[0], False, ("layers", rows[0]["_key"], "checked"))
    seen = ", ".join("drawn" if row["checked"] else "switched off" for row in rows) or "removed"
    yield Milestone("off", off, 1.0, f"{case['layer']} switched off", seen)
    yield from mapping.unasked(evidence, mapping.field_of(case["layer"], "checked"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Click the box before the layer's name."""
    await pilot.click(f"place:checkbox/{case['layer']}")


@wrong("milestone:off")
async def removed_it(pilot: Pilot, case: Case) -> None:
    """Switched off is not removed."""
    await mapping.remove_layer(pilot, case["layer"])


@wrong("record_integrity/major")
async def hid_another_layer(pilot: Pilot, case: Case) -> None:
    """It is the other layer that is not drawn."""
    await solve(pilot, mapping.misread(case, layer=case["other"]))
