"""Find the entry that the open statement needs."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.action import Key
from pytest_cuabench.task.case import misread

from . import writing
from .writing import Steps

NOTES = "paper/offers.txt"


class Offer(NamedTuple):
    """An entry of `documents/offers.txt`, and the sentence that needs it."""

    key: str
    sentence: str
    topic: str


OFFERS = (
    Offer("hoare1962", "Dividing the list around one of its items is the idea of quicksort", "quicksort"),
    Offer("williams1964", "A tree that is kept in an array gives heapsort", "heapsort"),
    Offer("shell1959", "Comparing items far apart first was proposed by Shell", "Shell's method"),
    Offer("bloom1970", "Whether an item is surely absent is told by a Bloom filter", "the Bloom filter"),
)


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    (offer,) = (offer for offer in OFFERS if offer.sentence in text)
    other = OFFERS[OFFERS.index(offer) - 1]
    return writing.edits(
        state,
        writing.edit_values(r"~\cite{}", rf"~\cite{{{offer.key}}}"),
        key=offer.key,
        topic=offer.topic,
        entry=_entry(writing.text_of(state.collections, NOTES), offer.key),
        other=other.key,
    )


def _entry(notes: str, key: str) -> str:
    return writing.the_one(rf"^@\w+\{{{key},\n(?:  .*\n)+\}}$", notes)[0]


def setup(random: Random) -> Steps:
    """A statement whose source is still among the offers of the library."""
    offer = random.choice(OFFERS)
    files = {
        writing.MAIN: writing.document("review.tex", {"sentence": offer.sentence}),
        writing.REFS: writing.document("pearls.bib"),
        NOTES: writing.document("offers.txt"),
    }
    yield from writing.prepare(files, NOTES, writing.REFS, writing.MAIN)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the entry in the list of references as the library gives it, and cite it."""
    yield from writing.written(evidence, writing.MAIN, case["edits"], 0.4)
    yield from writing.listed(evidence, writing.REFS, case["key"], case["entry"], 0.4)
    yield writing.builds(evidence, writing.MAIN, 0.2)
    yield from writing.untouched(evidence, writing.MAIN, writing.REFS)


async def _copy(pilot: Pilot, case: Case, file: str, lines: str) -> None:
    """Copy whole lines of the file in front."""
    place = writing.walk(case["texts"][file], case["texts"][file].index(lines))
    chosen = (*writing.press("shift+down", lines.count("\n")), Key(("shift", "end")))
    await pilot.act(*place, *chosen, Key(("ctrl", "c")), thought="Copy")


async def _paste_at_end(pilot: Pilot) -> None:
    """Add what was copied to the file in front, on lines of its own."""
    await pilot.act(Key(("ctrl", "end")), Key(("enter",)), Key(("ctrl", "v")), thought="Paste")


async def solve(pilot: Pilot, case: Case) -> None:
    """Copy the entry from the notes into the references, and cite it."""
    await writing.show(pilot, "offers.txt")
    await _copy(pilot, case, "offers.txt", case["entry"])
    await writing.show(pilot, "refs.bib")
    await _paste_at_end(pilot)
    await writing.save(pilot)
    await writing.edit(pilot, case)


@wrong("milestone:entry")
async def cited_without_an_entry(pilot: Pilot, case: Case) -> None:
    """The key is cited, but no entry has it."""
    await writing.edit(pilot, case)


@wrong("record_integrity/major")
async def added_two_entries(pilot: Pilot, case: Case) -> None:
    """Another entry went along."""
    await writing.put(
        pilot, case, "@book{bentley1986,", "@misc{other, note = {seen}}\n@book{bentley1986,", "refs.bib"
    )
    await solve(pilot, case)


@wrong("milestone:edit")
async def cited_another_offer(pilot: Pilot, case: Case) -> None:
    """The entry is right, the key is that of another one."""
    edits = [{**edit, "new": rf"~\cite{{{case['other']}}}"} for edit in case["edits"]]
    await solve(pilot, misread(case, edits=edits))
