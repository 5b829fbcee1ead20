"""Put one thing on the list."""

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation


def case(state: State, random: Random) -> Values:
    return {"thing": random.choice(["Milk", "Bread", "Apples"])}


def check(evidence: Evidence, case: Case) -> Findings:
    rows = evidence.after.rows("todos", title=case["thing"])
    yield Milestone("added", bool(rows), 1.0, case["thing"], "nothing")
    if len(evidence.changes) > 1:
        yield Violation(
            "record_integrity", "major", "todos", "more than one thing was written", committed=True
        )


async def solve(pilot: Pilot, case: Case) -> None:
    await pilot.type(case["thing"])
