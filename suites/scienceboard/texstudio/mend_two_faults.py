"""Find both faults."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps, Typo
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]

# In `documents/protocol.tex`; each stands there once.
FAULTS = (
    Typo("\\end{enumerate}\nThe buffer keeps", "The buffer keeps", ("\\end{enumerate}\n\nThe buffer keeps",)),
    Typo(r"\end{equation}", r"\end{equaton}"),
    Typo(r"\textbf{dry}", r"\textbf{dry"),
    Typo(r"\emph{cold}", r"\emf{cold}"),
)


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    faults = [fault for fault in FAULTS if fault.good not in text]
    if len(faults) != 2:
        raise LookupError(f"the document has {len(faults)} faults, two were expected")
    return writing.edits(
        state, *(writing.edit_values(fault.bad, fault.good, *fault.also) for fault in faults)
    )


def setup(random: Random) -> Steps:
    """A document with two faults that keep it from compiling."""
    fields = {
        "grams": random.randint(12, 48),
        "volume": random.choice((250, 500, 750)),
        "minutes": random.randint(6, 25),
        "ph": f"{random.randint(68, 82) / 10}",
        "days": random.randint(9, 30),
    }
    text = writing.document("protocol.tex", fields)
    for fault in random.sample(FAULTS, 2):
        text = text.replace(fault.good, fault.bad)
    yield from writing.prepare({writing.MAIN: text}, writing.MAIN)


@wrong("milestone:edit_2")
async def mended_the_first_only(pilot: Pilot, case: Case) -> None:
    """It still does not compile."""
    await writing.change(pilot, case, case["edits"][:1])


@wrong("record_integrity/major")
async def shortened_the_text(pilot: Pilot, case: Case) -> None:
    """Both faults are mended, and a word of the text is gone."""
    await writing.put(pilot, case, "keeps for", "keeps")
    await solve(pilot, case)
