"""SCUBA's tasks judged without a browser: deeds done to a seeded org, and what the checks say of them."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from pytest_cuabench import library
from pytest_cuabench.evidence import Evidence, State
from pytest_cuabench.suite import load_suite
from pytest_cuabench.task import Case, Task
from pytest_cuabench.verdict import Verdict
from salesforce_org.seeding import Seeder
from salesforce_org.store import Org

sys.path.insert(0, str(Path(__file__).parent))  # `scuba_deeds` lies here, and importlib mode adds no path

import scuba_deeds

SUITE = load_suite(library.SUITES / "scuba")


@cache
def seeded(seed: int) -> Org:
    """The org of a seed, with its administrator at work."""
    org = Seeder(library.FIXTURES / "salesforce").build(seed)
    profile = org.one("Profile", Name="System Administrator")
    org.user_id = next(org.rows("User", ProfileId=profile["Id"]))["Id"]
    return org


@cache
def before(seed: int) -> State:
    """What the org holds before anybody does anything."""
    return seen(seeded(seed))


def seen(org: Org) -> State:
    """Return what checks are shown of an org."""
    return State(org.collections(), clock=org.now.astimezone(org.zone).isoformat(timespec="seconds"))


class Trial:
    """One task on one seed."""

    def __init__(self, task: Task, seed: int = 0, variant: str = "zero_shot") -> None:
        self.task, self.seed = task, seed
        self.case = task.case(before(seed), variant, seed)

    def play(self, template: str = "", case: Case | None = None) -> Verdict:
        """Return the verdict on what a template's deed does for a case."""
        return self.judge(self.evidence(template, case))

    def evidence(self, template: str = "", case: Case | None = None) -> Evidence:
        """Return what is known when a deed was done in a copy of the org."""
        org = seeded(self.seed).copy()
        said = scuba_deeds.do(org, template or self.task.template, case or self.case)
        return Evidence(before(self.seed), seen(org), said, "success")

    def judge(self, evidence: Evidence) -> Verdict:
        return self.task.judge(evidence, self.case)
