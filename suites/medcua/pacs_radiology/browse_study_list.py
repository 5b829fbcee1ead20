"""Count the studies of one modality in a list of thirty."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import answered
from ..toolkit.viewer import appears
from . import reading_room


def case(state: State, random: Random) -> Values:
    modalities = [row["modality"] for row in state.rows("studies")]
    modality = random.choice(sorted(set(modalities)))
    count = modalities.count(modality)
    other = next(number for number in map(modalities.count, ("CT", "MR", "CR")) if number != count)
    return {"modality": modality, "count": count, "other": other, "all": len(modalities)}


def check(evidence: Evidence, case: Case) -> Findings:
    """The number is right, and nothing was drawn."""
    looked = (
        any(write.row.get("page") == "/" for write in evidence.journal)
        or evidence.before.row("view")["page"] == "/"
    )
    spec = Number(case["count"], words=("studies", case["modality"]))
    yield from answered(evidence, spec, "count", looked=looked, weight=1.0)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Filter, and count."""
    await appears(pilot, f'tr:has-text("{case["modality"]}") >> nth=0')
    await pilot.answer(str(case["count"]))


@wrong("information_fidelity/major")
async def counted_all(pilot: Pilot, case: Case) -> None:
    """The list was not filtered."""
    await solve(pilot, misread(case, count=case["all"]))


@wrong("information_fidelity/major")
async def counted_another_modality(pilot: Pilot, case: Case) -> None:
    """The filter was another one."""
    await solve(pilot, misread(case, count=case["other"]))
