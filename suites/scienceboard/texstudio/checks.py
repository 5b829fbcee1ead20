"""What each task wants to be true in the end, and what must not have happened on the way."""

from __future__ import annotations

import re

from pytest_cuabench.answer import Number
from pytest_cuabench.evidence import Evidence
from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from . import judging
from .judging import Findings
from .project import MAIN, REFS, text_of


def _edited(evidence: Evidence, case: Case) -> Findings:
    """Judge a task that is nothing but edits of one document."""
    yield from judging.written(evidence, MAIN, case["edits"], 0.8)
    yield judging.builds(evidence, MAIN, 0.2)
    yield from judging.untouched(evidence, MAIN)


correct_value = fill_sum = fill_from_data = fill_from_curve = _edited
fill_citation = fill_two_citations = mend_citation = _edited
mend_formula = complete_path = mend_two_faults = mend_reference = _edited


def mend_listing(evidence: Evidence, case: Case) -> Findings:
    """Have the program do what the text says; in Python the beginning of a line matters."""
    yield from judging.written(evidence, MAIN, case["edits"], 0.8, indented=True)
    yield judging.builds(evidence, MAIN, 0.2)
    yield from judging.untouched(evidence, MAIN)


def add_reference(evidence: Evidence, case: Case) -> Findings:
    """Have the entry in the list of references as the library gives it, and cite it."""
    yield from judging.written(evidence, MAIN, case["edits"], 0.4)
    text = judging.plain(text_of(evidence.after.collections, REFS))
    entry = judging.plain(case["entry"])
    count = text.count(entry)
    yield Milestone("entry", count == 1, 0.4, f"{case['key']} once, as in the notes", f"{count} times")
    yield judging.builds(evidence, MAIN, 0.2)
    yield from judging.stayed(evidence, REFS, text.replace(entry, ""))
    yield from judging.untouched(evidence, MAIN, REFS)


def add_package(evidence: Evidence, case: Case) -> Findings:
    """Have the package loaded, wherever in the preamble, with or without options."""
    after = text_of(evidence.after.collections, MAIN)
    names = "|".join((case["package"], *case["also"]))
    loads = rf"^[ \t]*\\usepackage(\[[^\]\n]*\])?\{{({names})\}}[ \t]*(%.*)?\n"
    preamble, begin, body = after.partition(r"\begin{document}")
    rest, count = re.subn(loads, "", preamble, flags=re.MULTILINE)
    yield Milestone("loaded", count == 1, 0.8, f"{case['package']} loaded once", f"loaded {count} times")
    yield judging.builds(evidence, MAIN, 0.2)
    yield from judging.stayed(evidence, MAIN, rest + begin + body)
    yield from judging.untouched(evidence, MAIN)


def read_table(evidence: Evidence, case: Case) -> Findings:
    """Tell the hardness that was asked for."""
    words = (
        "hardness",
        "Vickers",
        "HV10",
        "HV",
        "mean",
        "casting",
        "aged",
        "cast",
        "ageing",
        case["casting"],
    )
    yield from judging.answered(evidence, Number(case["value"], words=words), "hardness")
    yield from judging.untouched(evidence)


def read_setting(evidence: Evidence, case: Case) -> Findings:
    """Tell the number that the text takes from the settings."""
    words = ("flow", "helium", "temperature", "column", "oven", "degrees", "Celsius", "set", "to")
    yield from judging.answered(evidence, Number(case["value"], case["unit"], words=words), "setting")
    yield from judging.untouched(evidence)
