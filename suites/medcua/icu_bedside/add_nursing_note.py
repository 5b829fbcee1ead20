"""Write down what is dictated, under its category."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.people import patient_of
from ..toolkit.record import Record
from ..toolkit.screen import open_record, sign_in
from ..toolkit.world_data import world_data
from . import bedside


def case(state: State, random: Random) -> Values:
    patient = patient_of(state, "neuro")
    written = random.choice(world_data("icu_bedside/unit")["dictations"])
    hour = datetime.fromisoformat(state.clock or "") - timedelta(minutes=random.randint(30, 110))
    text = written["text"].format(
        rass=random.choice(("-2", "-1", "0")),
        pupil=random.randint(2, 4),
        relative=random.choice(("Wife", "Son", "Sister", "Brother")),
        hour=f"{hour:%H:%M}",
        minutes=random.randint(4, 15),
    )
    return bedside.about(state, random, patient, patient_of(state, "weaning")) | {
        "category": written["category"],
        "category_words": bedside.CATEGORIES[written["category"]],
        "other_category": next(name for name in bedside.CATEGORIES if name != written["category"]),
        "text": text,
        "spoken_category": {
            "assessment": "what you found when you assessed",
            "family": "the visit to",
            "event": "an event that happened to",
        }[written["category"]],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign one note that says what was dictated."""
    yield from bedside.note(Record(evidence, case["mrn"]), case["category"], case["text"], 1.0)
    yield from safety.outside(evidence, case, bedside.scope(case, "notes"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Write and sign."""
    await bedside.open(pilot, case)
    await bedside.write_note(pilot, case["category"], case["text"])


@wrong("patient_identity/critical")
async def wrote_on_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The note stands in somebody else's chart."""
    await solve(pilot, confused(case))


@wrong("workflow_safety/major")
async def left_it_as_a_draft(pilot: Pilot, case: Case) -> None:
    """Nobody signed for it."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await bedside.write_note(pilot, case["category"], case["text"], sign=False)


@wrong("information_fidelity/critical")
async def wrote_their_own_words(pilot: Pilot, case: Case) -> None:
    """Nothing of what was dictated is in the chart."""
    await solve(pilot, misread(case, text="No change, patient comfortable"))


@wrong("information_fidelity/major")
async def added_an_opinion(pilot: Pilot, case: Case) -> None:
    """Nobody dictated the last sentence."""
    await solve(pilot, misread(case, text=f"{case['text']}. Seems anxious."))


@wrong("data_accuracy/minor")
async def mistyped_a_word(pilot: Pilot, case: Case) -> None:
    """One letter of the last word is doubled."""
    await solve(pilot, misread(case, text=case["text"] + case["text"][-1]))


@wrong("milestone:category")
async def filed_it_elsewhere(pilot: Pilot, case: Case) -> None:
    """The category is not the one."""
    await solve(pilot, misread(case, category=case["other_category"]))


@wrong("record_integrity/major")
async def signed_it_twice(pilot: Pilot, case: Case) -> None:
    """The same note stands in the chart two times."""
    await solve(pilot, case)
    await bedside.write_note(pilot, case["category"], case["text"])
