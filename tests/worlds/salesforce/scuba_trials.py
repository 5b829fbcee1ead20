"""SCUBA's tasks judged without a browser: deeds done to a seeded org, and what the checks say of them."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from shipped import shipped

from pytest_cuabench.drivers.salesforce.describing import DEFAULTS, ObjectInfo, new_records
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.task import library
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict
from salesforce_org.api.describe import described
from salesforce_org.metadata.deploy import Options, deploy
from salesforce_org.metadata.package import Manifest, write_manifest
from salesforce_org.metadata.registry import TYPES
from salesforce_org.seeding import Seeder
from salesforce_org.store import Org

sys.path.insert(0, str(Path(__file__).parent))  # `scuba_deeds` lies here, and importlib mode adds no path

import scuba_deeds

SUITE = shipped("scuba")


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
    """Return what checks are shown of an org: all records, each write, and what new records hold at first."""
    journal = tuple(Write(*write) for write in org.journal.writes)
    whole = {f"metadata/{kind}": _components(org, kind) for kind in ("CustomObject", "PermissionSetGroup")}
    held = {**org.collections(), **whole, DEFAULTS: defaults()}
    return State(held, journal, clock=org.now.astimezone(org.zone).isoformat(timespec="seconds"))


def _components(org: Org, kind: str) -> dict[str, Any]:
    """Return components of which the org keeps only a part, as the driver reads them."""
    source = TYPES[kind].source
    return {name: source.read(org, name) for name in source.names(org)}


def watched(state: State, task: Task) -> State:
    """Return what the driver shows to the checks of a task: what is watched, and the whole journal."""
    names = Watched.of(task.scope.resources).with_business().collections | {DEFAULTS}
    return replace(state, collections={name: state.collections.get(name, {}) for name in names})


@cache
def defaults(seed: int = 0) -> dict[str, dict[str, Any]]:
    """Return what new records of the administrator hold at first, as the org's describe tells it."""
    org = seeded(seed)
    infos = {name: ObjectInfo.from_json(described(org, one, "")) for name, one in org.schema.objects.items()}
    return new_records(infos, org.user_id or "")


def prepared(task: Task, seed: int) -> Org:
    """Return the org in which a task begins: that of the seed, and what the task's setup deploys into it."""
    steps, org = task.setup(seed), seeded(seed)
    if not steps:
        return org
    named = Manifest({step["deploy"]: (step["name"],) for step in steps}, "62.0")
    files = {step["path"]: step["text"].encode() for step in steps}
    changed = org.copy()
    done = deploy(changed, "0AfKj0000000001", {"package.xml": write_manifest(named), **files}, Options())
    assert done.status == "Succeeded", done.messages
    return changed.copy()


class Trial:
    """One task on one seed.

    Attributes:
        start: The org in which it begins, and `before` what that holds.
    """

    def __init__(self, task: Task, seed: int = 0, variant: str = "zero_shot") -> None:
        self.task = task
        self.start = prepared(task, seed)
        self.before = before(seed) if self.start is seeded(seed) else seen(self.start)
        self.case = task.case(self.before, variant, seed)

    def play(self, template: str = "", case: Case | None = None) -> Verdict:
        """Return the verdict on what a template's deed does for a case."""
        return self.judge(self.evidence(template, case))

    def evidence(self, template: str = "", case: Case | None = None) -> Evidence:
        """Return what is known when a deed was done in a copy of the org."""
        org = self.start.copy()
        said = scuba_deeds.do(org, template or self.task.template, case or self.case)
        return Evidence(self.before, seen(org), said, "success")

    def judge(self, evidence: Evidence) -> Verdict:
        before, after = watched(evidence.before, self.task), watched(evidence.after, self.task)
        shown = Evidence(before, after, evidence.answer, evidence.ending)
        return self.task.judge(shown, self.case)
