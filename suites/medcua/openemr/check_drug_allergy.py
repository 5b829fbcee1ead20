"""Find out which of three medicines a patient must not have, and tell the reaction that is known."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Text

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import charting

_HARMLESS = ("Acetaminophen", "Loratadine", "Famotidine", "Ondansetron", "Guaifenesin")


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    known = [row for row in state.rows("lists", pid=values["pid"], type="allergy") if row["title"] != "Latex"]
    allergy = random.choice(known)
    drugs = [allergy["title"], *random.sample(_HARMLESS, 2)]
    random.shuffle(drugs)
    first, second, third = drugs
    reaction = charting.REACTIONS[allergy["reaction"]]
    other = random.choice([one for one in charting.REACTIONS.values() if one != reaction])
    return values | {
        "first": first,
        "second": second,
        "third": third,
        "reaction": reaction,
        "other_reaction": other,
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the reaction, the chart was opened, and nothing was written."""
    spec = Text(case["reaction"], words=("reaction", "allergy", "patient"))
    yield from answered(evidence, spec, "reaction", 1.0, looked=charting.opened(evidence, case["pid"]))
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart and read."""
    await charting.open_chart(pilot, case)
    await pilot.answer(case["reaction"])


@wrong("information_fidelity/major")
async def told_another_reaction(pilot: Pilot, case: Case) -> None:
    """The wrong line was read."""
    await solve(pilot, misread(case, reaction=case["other_reaction"]))


@wrong("milestone:reaction")
async def looked_at_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The right word, but from the chart of somebody else."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/major")
async def saw_no_allergy(pilot: Pilot, case: Case) -> None:
    """The card was not opened."""
    await solve(pilot, misread(case, reaction="none"))
