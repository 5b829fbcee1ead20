"""Find the key that no entry has."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    entries = set(
        re.findall(r"^@\w+\{(\w+),", writing.text_of(state.collections, writing.REFS), re.MULTILINE)
    )
    (unknown,) = set(re.findall(r"\\cite\{(\w+)\}", writing.main_text(state))) - entries
    (claim,) = (claim for claim in writing.CLAIMS.values() if _without_century(claim.key) == unknown)
    return writing.edits(
        state,
        writing.edit_values(rf"\cite{{{unknown}}}", rf"\cite{{{claim.key}}}"),
        slip=rf"\cite{{{claim.other}}}",
        unknown=unknown,
        entry=f"@article{{{claim.key},",
        renamed=f"@article{{{unknown},",
    )


def setup(random: Random) -> Steps:
    """One key that no entry has."""
    keys = {key: key for key in writing.KEYS}
    key = random.choice([claim.key for claim in writing.CLAIMS.values()])
    keys[key] = _without_century(key)
    yield from writing.cited(keys)


def _without_century(key: str) -> str:
    """Return a key as somebody in a hurry writes it: `turing36`."""
    return f"{key[:-4]}{key[-2:]}"


@wrong("milestone:edit")
async def named_another_entry(pilot: Pilot, case: Case) -> None:
    """The citation is known now, and wrong."""
    await solve(pilot, writing.slipped(case))


@wrong("record_integrity/major")
async def renamed_the_entry(pilot: Pilot, case: Case) -> None:
    """The references were made to fit the misspelt key."""
    await writing.put(pilot, case, case["entry"], case["renamed"], "refs.bib")
