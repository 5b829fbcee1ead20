"""Find the reference whose label is not there."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


class Reference(NamedTuple):
    """A reference to a label that is there, and how it was mistyped."""

    before: str
    label: str
    typo: str


# In `documents/melting.tex`: what stands right before a reference, its label, and the label as it was mistyped.
REFERENCES = (
    Reference(r"samples of Table~\ref", "tab:samples", "tab:sampels"),
    Reference(r"Section~\ref", "sec:cooling", "sec:coolling"),
    Reference(r"followed Equation~\ref", "eq:cooling", "eq:coling"),
)


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    labels = set(re.findall(r"\\label\{([^}]*)\}", text))
    (unknown,) = set(re.findall(r"\\ref\{([^}]*)\}", text)) - labels
    (reference,) = (reference for reference in REFERENCES if reference.typo == unknown)
    other = min(labels - {reference.label})
    return writing.edits(
        state,
        writing.edit_values(rf"\ref{{{unknown}}}", rf"\ref{{{reference.label}}}"),
        slip=rf"\ref{{{other}}}",
        label=rf"\label{{{reference.label}}}",
        renamed=rf"\label{{{unknown}}}",
    )


def setup(random: Random) -> Steps:
    """A reference to a label that is not there."""
    one, two = (f"{random.randint(1001, 2999) / 100:.2f}" for _ in range(2))
    fields = {"count": random.randint(5, 12), "one": one, "two": two, "minutes": random.randint(15, 55)}
    before, label, typo = random.choice(REFERENCES)
    text = writing.document("melting.tex", fields).replace(f"{before}{{{label}}}", f"{before}{{{typo}}}")
    yield from writing.prepare({writing.MAIN: text}, writing.MAIN)


@wrong("milestone:edit")
async def referred_to_another_label(pilot: Pilot, case: Case) -> None:
    """No question marks are left, but the number is wrong."""
    await solve(pilot, writing.slipped(case))


@wrong("record_integrity/major")
async def renamed_the_label(pilot: Pilot, case: Case) -> None:
    """The label was made to fit the misspelt reference."""
    await writing.put(pilot, case, case["label"], case["renamed"])
