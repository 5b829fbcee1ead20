"""Theorems to prove, and definitions to complete so that a theorem holds; judged by Coq itself.

`text` is the file with `@@` where something is to be written in place of `was`; without it the file is `head`, `given`
and the theorem. `now` is what the reference writes, `weak` what does not do. `statement` is judged with `head` and
`given` as they are here, whatever the file makes of them.
"""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.action import Key, Type

from ..toolkit import workbook
from ..toolkit.workbook import Step


def setup(random: Random, values: Values) -> list[Step]:
    """A file with something to write, and the theorem that it is judged by."""
    values = workbook.filled(dict(values), workbook.chosen(random))
    theorem = {
        "do": "theorem",
        "path": workbook.path(values),
        "name": values["theorem"],
        "given": f"{values.get('head', '')}\n{values.get('given', '')}",
        "statement": values["statement"],
    }
    return [*workbook.opened(values), theorem]


def case(state: State, random: Random, values: Values) -> Values:
    return workbook.again(state, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """Coq accepts the theorem without axioms, and the rest of the file is as it was."""
    file = workbook.path(case.values)
    yield workbook.proved(evidence, f"{file}/{case['theorem']}")
    yield from workbook.kept(evidence, case)
    yield from workbook.untouched(evidence, file, open=workbook.products(case.values))


async def solve(pilot: Pilot, case: Case) -> None:
    """Write what is missing, and save."""
    await workbook.fill(pilot, case, case["now"])


@wrong("milestone:proved")
async def wrote_what_does_not_do(pilot: Pilot, case: Case) -> None:
    """Something is saved, but Coq does not accept it, or only with an axiom."""
    await workbook.fill(pilot, case, case["weak"])


@wrong("milestone:proved")
async def assumed_it(pilot: Pilot, case: Case) -> None:
    """Nothing but an axiom of the same name and statement is left in the file."""
    await workbook.fill(pilot, case, case["now"])
    await pilot.act(
        Key(("ctrl", "a")), Type(f"Axiom {case['theorem']} : {_plain(case)}.\n"), Key(("ctrl", "s"))
    )


def _plain(case: Case) -> str:
    return str(case["statement"]).replace("Submission.", "")


@wrong("record_integrity/major")
async def switched_something_else(pilot: Pilot, case: Case) -> None:
    """The proof is right, but the display is not what it was."""
    await solve(pilot, case)
    await workbook.choose(pilot, "View", "Display parentheses", role="check-menu-item")
