"""Find the package that is used and not loaded."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.action import Key
from pytest_cuabench.task.case import misread

from . import writing
from .writing import Steps


class Package(NamedTuple):
    """What a document takes from a package, and other packages that have it, too."""

    used: str
    also: tuple[str, ...] = ()


# In `documents/report.tex`.
PACKAGES = {
    "amsmath": Package("align*", ("mathtools",)),
    "booktabs": Package(r"\toprule"),
    "xcolor": Package(r"\textcolor", ("color",)),
}


_LOAD = "(?:usepackage|RequirePackage)"


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    (missing,) = (name for name in PACKAGES if f"{{{name}}}" not in text)
    used, also = PACKAGES[missing]
    return {
        "package": missing,
        "also": list(also),
        "used": used,
        "other": "amssymb",
        "texts": writing.texts(state),
    }


def setup(random: Random) -> Steps:
    """A document that uses a package which it does not load."""
    missing = random.choice(list(PACKAGES))
    count = random.randint(12, 24)
    fields = {
        "packages": "\n".join(f"\\usepackage{{{name}}}" for name in PACKAGES if name != missing),
        "count": count,
        "below": count - 1,
        "mean": f"{random.randint(1001, 1999) / 100:.2f}",
        "spread": f"{random.randint(11, 89) / 100:.2f}",
    }
    yield from writing.prepare({writing.MAIN: writing.document("report.tex", fields)}, writing.MAIN)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the package loaded, wherever in the preamble, alone or in a list, with or without options."""
    after = writing.text_of(evidence.after.collections, writing.MAIN).replace("\r\n", "\n")
    names = "|".join((case["package"], *case["also"]))
    loads = rf"^[ \t]*\\{_LOAD}[ \t]*(\[[^\]\n]*\])?[ \t]*\{{[ \t]*({names})[ \t]*\}}[ \t]*(%.*)?\n"
    start = r"\begin{document}"
    preamble, begin, body = after.partition(start)
    rest, count = re.subn(loads, "", _one_by_one(preamble), flags=re.MULTILINE)
    yield Milestone("loaded", count == 1, 0.8, f"{case['package']} loaded once", f"loaded {count} times")
    yield writing.builds(evidence, writing.MAIN, 0.2)
    writing.declare(evidence, writing.MAIN)
    yield from writing.stayed(evidence, writing.MAIN, rest + begin + body, start)
    yield from writing.untouched(evidence, writing.MAIN)


def _one_by_one(preamble: str) -> str:
    """Give every package of a list without options a line of its own, which means the same."""
    return re.sub(
        rf"^[ \t]*\\{_LOAD}[ \t]*\{{([^}}\n]*,[^}}\n]*)\}}",
        lambda match: "\n".join(f"\\usepackage{{{name.strip()}}}" for name in match[1].split(",")),
        preamble,
        flags=re.MULTILINE,
    )


async def _add_below(pilot: Pilot, case: Case, file: str, anchor: str, line: str) -> None:
    """Add a line below the one of the file in front that holds a text."""
    place = writing.walk(case["texts"][file], case["texts"][file].index(anchor))
    await pilot.act(*place, Key(("end",)), Key(("enter",)), *writing.typed(line), thought=f"Add {line}")


async def solve(pilot: Pilot, case: Case) -> None:
    """Load the package below the first one."""
    await writing.show(pilot, "main.tex")
    await _add_below(pilot, case, "main.tex", "{inputenc}", rf"\usepackage{{{case['package']}}}")
    await writing.save(pilot)


@wrong("milestone:loaded")
async def loaded_another_package(pilot: Pilot, case: Case) -> None:
    """The package exists, but does not have the command."""
    await solve(pilot, misread(case, package=case["other"]))


@wrong("record_integrity/major")
async def took_a_colour_out(pilot: Pilot, case: Case) -> None:
    """The package is loaded, and a word of the text is gone."""
    await writing.put(pilot, case, "left out", "reworded")
    await solve(pilot, case)
