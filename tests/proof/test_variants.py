"""The audit of variants: a sound check holds, and each way of comparing too much or too little is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from proof.test_audit import FakeItem, settings
from small_world import make_task, make_world

from pytest_cuabench.collection.attempts import ItemRunner
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.proof.claims import Claim, Proof
from pytest_cuabench.proof.variants import Tried, put, try_variants
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.kinds import FURTHER, Raw, Text, free
from pytest_cuabench.task.kinds import Path as PathKind
from pytest_cuabench.task.verdict import Milestone, Violation

ROW = ("settings", "general")
BEFORE = State({"settings": {"general": {"folder": "", "tick": False}}, "files": {}})
AFTER = State(
    {
        "settings": {"general": {"folder": "~/papers", "tick": False, "used": "today"}},
        "files": {"a": {"names": ["Ada", "Bo"]}},
    }
)
CASE = Case("", {"folder": "/home/user/papers"})
Findings = Iterator[Milestone | Violation]


def sound(evidence: Evidence, case: Case) -> Findings:
    """Compare by kinds, and refuse what else was changed."""
    row = evidence.after.collections["settings"]["general"]
    yield Milestone(
        "folder", PathKind(tilde=True).same(row.get("folder"), case["folder"], (*ROW, "folder")), 0.5
    )
    names = evidence.after.collections["files"].get("a", {}).get("names", [None, None])
    yield Milestone("names", Text().same(names[0], "Ada") and Text().same(names[1], "Bo"), 0.5)
    free((*ROW, "used"), "when it was used")
    yield from beside(evidence, row)


def beside(evidence: Evidence, row: Any) -> Findings:
    """Refuse further keys, rows and names."""
    names = evidence.after.collections["files"].get("a", {"names": []})
    further = set(row) - {"folder", "tick", "used"} or set(names) != {"names"} or len(names["names"]) > 2
    if row.get("tick") or further or set(evidence.after.collections["files"]) != {"a"}:
        yield Violation("record_integrity", "major", "settings", "something else was changed")


def tried(check: Callable[[Evidence, Case], Findings], after: State = AFTER) -> Tried:
    """Try the variants of a state with a check."""
    return try_variants(make_task(check=check, kinds=True), Evidence(BEFORE, after), CASE, 0)


def test_sound() -> None:
    """All variants of a sound check hold: paths in other forms, values in nested lists, keys and rows beside."""
    found = tried(sound)
    assert found.broken is None
    assert {(one.kind, one.honest) for one in found.variants} == {
        ("path", True), ("path", False), ("text", True), ("text", False), ("", False),
    }  # fmt: skip
    assert {"settings/general:folder", "files/a:names.0", "files/a:names.1"} <= {
        one.place for one in found.variants
    }
    assert found.free == {"settings/general:used": "when it was used"}


def raw(evidence: Evidence, case: Case) -> Findings:
    """Compare as it is written."""
    row = evidence.after.collections["settings"]["general"]
    yield Milestone("folder", row.get("folder") == "~/papers", 1.0)
    yield from beside(evidence, row)


def kind_that_is_not_used(evidence: Evidence, case: Case) -> Findings:
    """Declare a kind, and compare as it is written all the same."""
    for finding in sound(evidence, case):
        row = evidence.after.collections["settings"]["general"]
        written = isinstance(finding, Milestone) and finding.name == "folder" and row["folder"] != "~/papers"
        yield Milestone("folder", False, 0.5) if written else finding


def blind(evidence: Evidence, case: Case) -> Findings:
    """Look at nothing else."""
    yield from (finding for finding in sound(evidence, case) if isinstance(finding, Milestone))


def half(evidence: Evidence, case: Case) -> Findings:
    """Accept any folder below the one that is wanted."""
    row = evidence.after.collections["settings"]["general"]
    PathKind(tilde=True).same(row.get("folder"), case["folder"], (*ROW, "folder"))
    for finding in sound(evidence, case):
        good = isinstance(finding, Milestone) and "papers" in str(row.get("folder"))
        yield Milestone(finding.name, True, 0.5) if good else finding


def lost(evidence: Evidence, case: Case) -> Findings:
    """Compare what is nowhere in the state."""
    yield Milestone("count", Text().same("2", "2"), 1.0)


def without_reason(evidence: Evidence, case: Case) -> Findings:
    """Give no reasons."""
    yield from sound(evidence, case)
    Raw("").same(evidence.after.collections["files"].get("a", {}).get("names", [""])[0], "Ada")
    free((*ROW, "tick"), "")


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (raw, "the check compares nothing by a kind"),
        (raw, "settings/general:folder is compared without a kind (milestone folder)"),
        (
            kind_that_is_not_used,
            "the check refuses '/home/user/papers' at settings/general:folder (path: whole)",
        ),
        (blind, "the check accepts a changed value at settings/general:tick"),
        (blind, "the check accepts a further key at settings/general:a further key"),
        (blind, "the check accepts a further row at files/a 2"),
        (half, "the check accepts '~/papersx' at settings/general:folder (path: another value)"),
        (lost, "'2' is compared as text, but is not in the state; add `at`"),
        (without_reason, "'Ada' is compared as it is written without a reason"),
        (without_reason, "settings/general:tick is free without a reason"),
    ],
)
def test_faults(check: Callable[[Evidence, Case], Findings], fault: str) -> None:
    """Each fault is told in one line."""
    assert fault in str(tried(check).broken).splitlines()


def two_kinds(evidence: Evidence, case: Case) -> Findings:
    """Declare a folder by two kinds, of which the first tells less apart."""
    row = evidence.after.collections["settings"]["general"]
    Raw("a rule knows no better").same(row.get("folder"), row.get("folder"), (*ROW, "folder"))
    yield from sound(evidence, case)


def test_two_kinds_of_a_value() -> None:
    """What one kind of a value calls another one need not be refused where a second kind calls it the same."""
    after = put(AFTER, (*ROW, "folder"), "~/papers/")  # of which Raw leaves out the slash
    found = tried(two_kinds, after)
    assert found.broken is None
    others = {one.value for one in found.variants if one.kind == "raw"}
    assert "'~/papers/x'" in others
    assert "'~/papers'" not in others


def further_files(evidence: Evidence, case: Case) -> Findings:
    """Leave open which other files there are."""
    row = evidence.after.collections["settings"]["general"]
    yield Milestone(
        "folder", PathKind(tilde=True).same(row.get("folder"), case["folder"], (*ROW, "folder")), 0.5
    )
    names = evidence.after.collections["files"].get("a", {}).get("names", [None, None])
    yield Milestone("names", Text().same(names[0], "Ada") and Text().same(names[1], "Bo"), 0.5)
    for place in (
        (*ROW, "used"),
        (*ROW, "tick"),
        (*ROW, FURTHER),
        ("files", "a", FURTHER),
        ("files", FURTHER),
    ):
        free(place, "it is left open")


def test_further_rows_that_are_open() -> None:
    """A further row is not tried where the check leaves further rows of the collection open."""
    found = tried(further_files)
    assert found.broken is None
    assert "a further row" not in {one.form for one in found.variants}


def test_failed_reference() -> None:
    """Where the reference is no success, nothing is tried."""
    found = tried(sound, BEFORE)
    assert (found.faults, found.variants) == (["the reference solution does not succeed"], [])


def test_put() -> None:
    """A value is put where it belongs, None takes it away, and a row gets another key; the state itself is kept."""
    assert put(AFTER, ("files", "a", "names", 1), "Cy").collections["files"]["a"]["names"] == ["Ada", "Cy"]
    assert "used" not in put(AFTER, (*ROW, "used"), None).collections["settings"]["general"]
    assert list(put(AFTER, ("files", "a"), "b").collections["files"]) == ["b"]
    assert put(AFTER, ("new", "row", "field"), 1).collections["new"] == {"row": {"field": 1}}
    assert AFTER.collections["files"]["a"]["names"] == ["Ada", "Bo"]


@pytest.mark.parametrize("kinds", [True, False])
def test_reference_claim(tmp_path: Path, kinds: bool) -> None:
    """The reference claim fails for it where the application declares kinds, and only there."""
    item: Any = FakeItem()
    runner = ItemRunner(item, settings(tmp_path), Run(tmp_path / "run"))
    proof = Proof(make_task(kinds=kinds), "intent", claim=Claim("reference"))
    _, broken = asyncio.run(runner.prove(proof, make_world()))
    assert ("compares nothing by a kind" in str(broken)) is kinds
