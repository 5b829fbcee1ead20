"""Find out which of three medicines a patient must not have, and tell the reaction that is known."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Text

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import charting

_CONDITION = "gnuhealth_patient_disease"
_HARMLESS = ("Acetaminophen", "Loratadine", "Famotidine", "Ondansetron", "Guaifenesin")
_REACTIONS = ("rash", "hives", "nausea", "bronchospasm", "wheezing", "anaphylaxis", "swelling of the lips")


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    rows = state.rows(_CONDITION, patient=values["pid"])
    remarks = [row["short_comment"].split(": ") for row in rows if row.get("is_allergy")]
    known = [(substance, reaction) for substance, reaction in remarks if substance != "Latex"]
    drug, reaction = random.choice(known)
    drugs = [drug, *random.sample(_HARMLESS, 2)]
    random.shuffle(drugs)
    other = random.choice([one for one in _REACTIONS if one != reaction])
    named = dict(zip(("first", "second", "third"), drugs, strict=True))
    return {**values, **named, "drug": drug, "reaction": reaction, "other_reaction": other}


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the reaction, it was read, and nothing was written."""
    spec = Text(case["reaction"], words=("reaction", "allergy", "patient", case["drug"]))
    rows = evidence.before.rows(_CONDITION, patient=case["pid"])
    looked = charting.looked(evidence, case["pid"], _CONDITION, rows)
    yield from answered(evidence, spec, "reaction", 1.0, looked=looked)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record and read its conditions."""
    await charting.open_record(pilot, case)
    await pilot.answer(case["reaction"])


@wrong("information_fidelity/major")
async def told_another_reaction(pilot: Pilot, case: Case) -> None:
    """The wrong line was read."""
    await solve(pilot, misread(case, reaction=case["other_reaction"]))


@wrong("milestone:reaction")
async def looked_at_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The right word, but from the record of somebody else."""
    await solve(pilot, confused(case))
