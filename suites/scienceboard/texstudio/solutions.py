"""How each task is done, with mouse and keyboard."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from . import calculator, editing


async def _edit(hand: Hand, case: Case) -> None:
    await editing.change(hand, case, case["edits"])


fill_citation = fill_two_citations = mend_citation = _edit
mend_formula = complete_path = mend_listing = mend_two_faults = mend_reference = _edit


async def correct_value(hand: Hand, case: Case) -> None:
    """Work the value out with KAlgebra, then write it down."""
    await calculator.work_out(hand, case["formula"])
    await calculator.leave(hand)
    await _edit(hand, case)


fill_sum = correct_value


async def fill_from_data(hand: Hand, case: Case) -> None:
    """Look at the runs, then fill in the best one."""
    await editing.show(hand, "runs.csv")
    await _edit(hand, case)


async def fill_from_curve(hand: Hand, case: Case) -> None:
    """Fill in the coefficient of the curve that is on the screen."""
    await calculator.leave(hand)
    await _edit(hand, case)


async def add_reference(hand: Hand, case: Case) -> None:
    """Copy the entry from the notes into the references, and cite it."""
    await editing.show(hand, "offers.txt")
    await editing.copy(hand, case, "offers.txt", case["entry"])
    await editing.show(hand, "refs.bib")
    await editing.paste_at_end(hand)
    await editing.save(hand)
    await _edit(hand, case)


async def add_package(hand: Hand, case: Case) -> None:
    """Load the package below the first one."""
    await editing.show(hand, "main.tex")
    await editing.add_below(hand, case, "main.tex", "{inputenc}", rf"\usepackage{{{case['package']}}}")
    await editing.save(hand)


async def read_table(hand: Hand, case: Case) -> None:
    """Read the row and the column."""
    await editing.show(hand, "main.tex")
    await hand.answer(f"{case['value']} HV10")


async def read_setting(hand: Hand, case: Case) -> None:
    """Read the settings in their own tab."""
    await editing.show(hand, "settings.tex")
    await hand.answer(f"{case['value']} {case['unit']}")
