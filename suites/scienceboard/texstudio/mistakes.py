"""Plausible ways to do it wrong, each with the reason for which it must fail."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from . import calculator, editing, solutions


def _with(case: Case, **changes: Any) -> Case:
    return Case(case.goal, {**case.values, **changes})


def _slipped(case: Case, new: str | None = None) -> Case:
    """Return the case with the wrong thing put into its place."""
    (edit,) = case["edits"]
    return _with(case, edits=[{**edit, "new": new or case["slip"]}])


async def _put(hand: Hand, case: Case, old: str, new: str, file: str = "main.tex") -> None:
    """Change a place of a file that was to stay, and save it."""
    await editing.change(hand, case, [{"old": old, "new": new}], file)


# Values from elsewhere


@wrong("correct_value", "milestone:edit")
async def took_the_step_before(hand: Hand, case: Case) -> None:
    """The value is the one that the formula gives for n - 1."""
    await solutions.correct_value(hand, _slipped(case))


@wrong("correct_value", "record_integrity/major")
async def corrected_the_formula_along(hand: Hand, case: Case) -> None:
    """The table is right now, the formula is not what was measured."""
    await solutions.correct_value(hand, case)
    await _put(hand, case, "n^3 +", "n^3 -")


@wrong("fill_sum", "milestone:edit")
async def left_out_the_last_sheet(hand: Hand, case: Case) -> None:
    """The sum ends one sheet too early."""
    await solutions.fill_sum(hand, _slipped(case))


@wrong("fill_sum", "milestone:edit")
async def did_not_save_the_sum(hand: Hand, case: Case) -> None:
    """The number is on the screen only."""
    await calculator.leave(hand)
    await editing.change(hand, case, case["edits"], saved=False)


@wrong("fill_from_data", "milestone:edit")
async def took_the_second_best(hand: Hand, case: Case) -> None:
    """There is a better run further down."""
    await solutions.fill_from_data(hand, _slipped(case))


@wrong("fill_from_data", "milestone:edit")
async def took_another_temperature(hand: Hand, case: Case) -> None:
    """The number is that of the other series."""
    await solutions.fill_from_data(hand, _slipped(case, case["other"]))


@wrong("fill_from_data", "record_integrity/major")
async def tidied_the_list(hand: Hand, case: Case) -> None:
    """The list of runs was changed as well."""
    await _put(hand, case, "loading", "load", "runs.csv")
    await solutions.fill_from_data(hand, case)


@wrong("fill_from_curve", "milestone:edit")
async def took_the_offset(hand: Hand, case: Case) -> None:
    """The number belongs to q."""
    await solutions.fill_from_curve(hand, _slipped(case))


# Citations


@wrong("fill_citation", "milestone:edit")
async def cited_the_other_work(hand: Hand, case: Case) -> None:
    """The author is right, the work is not."""
    await solutions.fill_citation(hand, _slipped(case))


@wrong("fill_citation", "milestone:edit")
async def did_not_save_the_citation(hand: Hand, case: Case) -> None:
    """The key is on the screen only."""
    await editing.change(hand, case, case["edits"], saved=False)


@wrong("fill_citation", "record_integrity/major")
async def changed_the_references(hand: Hand, case: Case) -> None:
    """The citation is right, but the references are not what they were."""
    await _put(hand, case, "{Mind}", "{Mind!}", "refs.bib")
    await solutions.fill_citation(hand, case)


@wrong("fill_two_citations", "milestone:edit_2")
async def filled_one_of_two(hand: Hand, case: Case) -> None:
    """The second citation is still empty."""
    await editing.change(hand, case, case["edits"][:1])


@wrong("fill_two_citations", "milestone:edit_1")
async def swapped_the_two(hand: Hand, case: Case) -> None:
    """Both works are cited, each in the place of the other."""
    edits = [{**edit, "new": new} for edit, new in zip(case["edits"], case["swapped"], strict=True)]
    await solutions.fill_citation(hand, _with(case, edits=edits))


@wrong("mend_citation", "milestone:edit")
async def named_another_entry(hand: Hand, case: Case) -> None:
    """The citation is known now, and wrong."""
    await solutions.mend_citation(hand, _slipped(case))


@wrong("mend_citation", "record_integrity/major")
async def renamed_the_entry(hand: Hand, case: Case) -> None:
    """The references were made to fit the misspelt key."""
    await _put(hand, case, case["entry"], case["renamed"], "refs.bib")


@wrong("add_reference", "milestone:entry")
async def cited_without_an_entry(hand: Hand, case: Case) -> None:
    """The key is cited, but no entry has it."""
    await solutions.fill_citation(hand, case)


@wrong("add_reference", "record_integrity/major")
async def added_two_entries(hand: Hand, case: Case) -> None:
    """Another entry went along."""
    await _put(
        hand, case, "@book{bentley1986,", "@misc{other, note = {seen}}\n@book{bentley1986,", "refs.bib"
    )
    await solutions.add_reference(hand, case)


@wrong("add_reference", "milestone:edit")
async def cited_another_offer(hand: Hand, case: Case) -> None:
    """The entry is right, the key is that of another one."""
    edits = [{**edit, "new": rf"~\cite{{{case['other']}}}"} for edit in case["edits"]]
    await solutions.add_reference(hand, _with(case, edits=edits))


# Repairs


@wrong("mend_formula", "milestone:edit")
async def took_the_backslash_away(hand: Hand, case: Case) -> None:
    """It compiles, and prints the letters of the command."""
    await solutions.mend_formula(hand, _slipped(case))


@wrong("complete_path", "milestone:edit")
async def showed_the_other_picture(hand: Hand, case: Case) -> None:
    """It compiles, with one picture twice."""
    await solutions.complete_path(hand, _slipped(case))


@wrong("complete_path", "record_integrity/major")
async def reworded_a_sentence_along(hand: Hand, case: Case) -> None:
    """The path is right, but a sentence says it in other words now."""
    await _put(hand, case, "more and more clients", "ever more clients")
    await solutions.complete_path(hand, case)


@wrong("add_package", "milestone:loaded")
async def loaded_another_package(hand: Hand, case: Case) -> None:
    """The package exists, but does not have the command."""
    await solutions.add_package(hand, _with(case, package=case["other"]))


@wrong("add_package", "record_integrity/major")
async def took_a_colour_out(hand: Hand, case: Case) -> None:
    """The package is loaded, and a word of the text is gone."""
    await _put(hand, case, "left out", "reworded")
    await solutions.add_package(hand, case)


@wrong("mend_listing", "milestone:edit")
async def only_commented_on_it(hand: Hand, case: Case) -> None:
    """The right line is a comment."""
    await solutions.mend_listing(hand, _slipped(case))


@wrong("mend_two_faults", "milestone:edit_2")
async def mended_the_first_only(hand: Hand, case: Case) -> None:
    """It still does not compile."""
    await editing.change(hand, case, case["edits"][:1])


@wrong("mend_two_faults", "record_integrity/major")
async def shortened_the_text(hand: Hand, case: Case) -> None:
    """Both faults are mended, and a word of the text is gone."""
    await _put(hand, case, "keeps for", "keeps")
    await solutions.mend_two_faults(hand, case)


@wrong("mend_reference", "milestone:edit")
async def referred_to_another_label(hand: Hand, case: Case) -> None:
    """No question marks are left, but the number is wrong."""
    await solutions.mend_reference(hand, _slipped(case))


@wrong("mend_reference", "record_integrity/major")
async def renamed_the_label(hand: Hand, case: Case) -> None:
    """The label was made to fit the misspelt reference."""
    await _put(hand, case, case["label"], case["renamed"])


# Questions


@wrong("read_table", "information_fidelity/major")
async def read_the_next_row(hand: Hand, case: Case) -> None:
    """The column is right, the casting is not."""
    await hand.answer(str(case["next_row"]))


@wrong("read_table", "information_fidelity/major")
async def read_the_other_column(hand: Hand, case: Case) -> None:
    """The casting is right, the column is not."""
    await hand.answer(str(case["other_column"]))


@wrong("read_table", "record_integrity/major")
async def wrote_into_the_table(hand: Hand, case: Case) -> None:
    """The answer is right, but the document is not what it was."""
    await _put(hand, case, case["casting"], case["casting"].upper())
    await hand.answer(str(case["value"]))


@wrong("read_setting", "information_fidelity/major")
async def read_an_earlier_run(hand: Hand, case: Case) -> None:
    """The line is a comment."""
    await hand.answer(f"{case['earlier']} {case['unit']}")


@wrong("read_setting", "information_fidelity/major")
async def read_a_similar_setting(hand: Hand, case: Case) -> None:
    """The number is that of another part."""
    await hand.answer(f"{case['near']} {case['unit']}")
