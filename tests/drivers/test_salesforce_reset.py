"""Differences, plans and resets: an org is again what it was, whatever was done to it and wherever a reset broke."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.difference import describe_change, difference, element_changes
from pytest_cuabench.drivers.salesforce.journal import Journal
from pytest_cuabench.drivers.salesforce.login import Credentials
from pytest_cuabench.drivers.salesforce.plan import Plan, reset_plan
from pytest_cuabench.drivers.salesforce.reading import Reader
from pytest_cuabench.drivers.salesforce.reset import NullListener, ResetResult, Resetter
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.snapshot import Snapshot
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.errors import EnvironmentFailure

from .fake_org import ADDRESS, OBJECTS, TOKEN, FakeOrg, Killed, Refuse

WATCHED = Watched(frozenset(OBJECTS) - {"Organization"}, {"StandardValueSet": ("LeadStatus",)})
VALUES = (
    '<StandardValueSet xmlns="http://soap.sforce.com/2006/04/metadata">'
    "<standardValue><fullName>Open</fullName><default>true</default></standardValue></StandardValueSet>"
)


def filled(page: int = 2000) -> FakeOrg:
    """Return an org with some business in it."""
    org = FakeOrg(page=page)
    acme = org.insert("Account", Name="Acme", Industry="Steel")
    org.insert("Account", Name="Acme West", ParentId=acme)
    org.insert("Contact", LastName="Ada", AccountId=acme, Email="ada@acme.example")
    org.insert("Opportunity", Name="Big", StageName="Prospecting", Amount=10.0, AccountId=acme)
    org.insert("Case", Subject="Broken", AccountId=acme)
    lamp = org.insert("Product2", Name="Lamp")
    org.insert("PricebookEntry", Product2Id=lamp, UnitPrice=5.0)
    lead = org.insert("Lead", LastName="Lovelace", Company="Engines", Status="Open")
    org.insert("CampaignMember", LeadId=lead, Status="Sent")
    org.insert("User", Username="ada@example.com", LastName="Ada", IsActive=True)
    org.components["StandardValueSet"]["LeadStatus"] = VALUES
    return org


def client_of(org: FakeOrg) -> OrgClient:
    """Return a client that never waits."""

    async def pause(seconds: float) -> None:
        pass

    return OrgClient(Transport(ADDRESS, Credentials(access_token=TOKEN), http=org.http(), pause=pause))


def snapshot_of(org: FakeOrg) -> tuple[Snapshot, Reader]:
    """Return what an org holds, and the reader that knows its objects."""
    reader = Reader(client_of(org), "00D")
    return asyncio.run(reader.read(WATCHED)), reader


def reset(org: FakeOrg, baseline: Snapshot, journal: Journal | None = None) -> ResetResult:
    """Bring an org back to a snapshot, as a new process would."""
    client = client_of(org)
    reader = Reader(client, "00D", journal.retired() if journal else frozenset())

    async def run() -> ResetResult:
        restorer = Resetter(
            client, reader, lambda: reader.read(WATCHED), baseline, journal or NullListener(), "episode"
        )
        return await restorer.restore()

    return asyncio.run(run())


def row(org: FakeOrg, object: str, **equal: object) -> str:
    """Return the id of the record that fits."""
    return next(k for k, r in org.rows[object].items() if all(r[name] == v for name, v in equal.items()))


def plan_of(org: FakeOrg, baseline: Snapshot) -> Plan:
    """Return what would be done."""
    now, reader = snapshot_of(org)
    return reset_plan(baseline, now, reader.described, difference(baseline, now, reader.described))


# What agents do


def creates(org: FakeOrg) -> None:
    """Create a family of records."""
    account = org.insert("Account", Name="New")
    child = org.insert("Account", Name="New child", ParentId=account)
    org.insert("Contact", LastName="Newman", AccountId=child)
    product = org.insert("Product2", Name="Desk")
    org.insert("PricebookEntry", Product2Id=product, UnitPrice=9.0)


def changes(org: FakeOrg) -> None:
    """Change records, one of them to point to a new one, and empty a field."""
    new = org.insert("Account", Name="Other")
    org.update("Opportunity", row(org, "Opportunity", Name="Big"), AccountId=new, Amount=99.0)
    org.update("Account", row(org, "Account", Name="Acme"), Industry=None)
    org.update("Contact", row(org, "Contact", LastName="Ada"), Email="eve@acme.example")


def deletes(org: FakeOrg) -> None:
    """Delete an account with everything below it."""
    org.delete("Account", row(org, "Account", Name="Acme"))


def deletes_for_good(org: FakeOrg) -> None:
    """Delete an account with everything below it and empty the recycle bin."""
    deletes(org)
    org.bin.clear()


def deletes_without_return(org: FakeOrg) -> None:
    """Delete what no recycle bin keeps."""
    org.delete("PricebookEntry", row(org, "PricebookEntry", UnitPrice=5.0))


def freezes(org: FakeOrg) -> None:
    """Freeze a user's login."""
    org.update("UserLogin", next(iter(org.rows["UserLogin"])), IsFrozen=True)


def publishes(org: FakeOrg) -> None:
    """Publish an article, and leave another as a draft."""
    org.insert("Knowledge__kav", Title="How to", PublishStatus="Online")
    org.insert("Knowledge__kav", Title="Draft")


def renames_values(org: FakeOrg) -> None:
    """Change a picklist."""
    org.components["StandardValueSet"]["LeadStatus"] = VALUES.replace("Open", "Renamed")


def converts(org: FakeOrg) -> None:
    """Convert a lead."""
    org.convert(row(org, "Lead", LastName="Lovelace"))


def all_at_once(org: FakeOrg) -> None:
    """Do everything that leaves the same ids behind."""
    for deed in (creates, changes, freezes, publishes, renames_values, deletes):
        deed(org)


EXACT = [creates, changes, deletes, freezes, publishes, renames_values, all_at_once]
ANEW = [deletes_for_good, deletes_without_return, converts]


@pytest.mark.parametrize("deed", EXACT, ids=lambda deed: deed.__name__)
def test_what_was_done_is_taken_back(deed: Callable[[FakeOrg], None]) -> None:
    """After a reset everything that counts is equal to what it was, ids included."""
    org = filled()
    before, baseline = org.export(), snapshot_of(org)[0]
    deed(org)
    restored = reset(org, baseline)
    assert (org.export(), restored.left) == (before, ())
    assert restored.steps


def by_name(org: FakeOrg) -> list[tuple[str, ...]]:
    """Return all records by what people see, with references told by name."""
    names = {
        key: str(r.get("Name") or r.get("LastName") or r.get("Subject") or r.get("Title") or name)
        for name, table in org.rows.items()
        for key, r in table.items()
    }
    hidden = ("Id", "CreatedDate", "LastModifiedDate", "CaseNumber")
    return sorted(
        (name, *(f"{f}={names.get(v, v)}" for f, v in r.items() if f not in hidden))
        for name, table in org.rows.items()
        for r in table.values()
    )


@pytest.mark.parametrize("deed", ANEW, ids=lambda deed: deed.__name__)
def test_what_cannot_come_back_is_recreated(deed: Callable[[FakeOrg], None]) -> None:
    """Records without a way back get successors that everything points to, and the snapshot means these then."""
    org = filled()
    before, baseline = by_name(org), snapshot_of(org)[0]
    deed(org)
    restored = reset(org, baseline)
    assert (by_name(org), restored.left) == (before, ())
    assert reset(org, restored.baseline).changes == ()


def test_nothing_that_existed_before_is_deleted() -> None:
    """A record that appears but is older than the snapshot is left alone, and told."""
    org = filled()
    hidden = org.insert("Account", Name="Long gone")
    org.delete("Account", hidden)
    org.now += timedelta(seconds=1)
    baseline = snapshot_of(org)[0]
    org.undelete(hidden)
    restored = reset(org, baseline)
    assert hidden in org.rows["Account"]
    assert restored.left == (
        f'Account "Long gone" ({hidden}) was not there before, but is older than the snapshot',
    )


def test_a_user_who_was_created_is_deactivated_and_renamed(tmp_path: Path) -> None:
    """Users cannot be deleted: one that was created is of no account from then on, with all that belongs to them."""
    org = filled()
    baseline, journal = snapshot_of(org)[0], Journal(tmp_path)
    new = org.insert("User", Username="eve@example.com", LastName="Eve", IsActive=True)
    assert reset(org, baseline, journal).left == ()
    assert not org.rows["User"][new]["IsActive"]
    assert org.rows["User"][new]["Username"].endswith("@cuabench.invalid")
    assert reset(org, baseline, journal).changes == ()


def test_children_are_deleted_before_their_parents() -> None:
    """A product that an entry keeps from being deleted goes in the first pass, as the entry goes before it."""
    org = filled()
    baseline = snapshot_of(org)[0]
    creates(org)
    keys = [step.key for step in plan_of(org, baseline).steps]
    order = [keys.index(row(org, *what, **how)) for what, how in _FAMILY]
    assert order == sorted(order)
    reset(org, baseline)
    assert not [call for call in org.calls if "composite/sobjects" in call[1]][1:]


_FAMILY = [
    (("PricebookEntry",), {"UnitPrice": 9.0}),
    (("Product2",), {"Name": "Desk"}),
]


def test_records_that_point_to_each_other_are_deleted() -> None:
    """A circle of references is cut, and passes mend what fails."""
    org = filled()
    before, baseline = org.export(), snapshot_of(org)[0]
    one = org.insert("Account", Name="One")
    other = org.insert("Account", Name="Other", ParentId=one)
    org.update("Account", one, ParentId=other)
    assert reset(org, baseline).left == ()
    assert org.export() == before


def test_what_is_refused_at_first_is_done_in_a_later_pass() -> None:
    """A deletion that fails as long as something else is there is tried again after that went."""
    org = filled()
    before, baseline = org.export(), snapshot_of(org)[0]
    creates(org)
    left = [2]

    def refuse(method: str, path: str) -> None:
        if method == "DELETE" and left[0]:
            left[0] -= 1
            raise Refuse("DELETE_FAILED", "not yet")

    changes(org)
    org.refusals.append(refuse)
    assert reset(org, baseline).left == ()
    assert org.export() == before


def test_what_never_succeeds_is_told() -> None:
    """A reset that makes no progress ends, and says in a sentence what is left."""
    org = filled()
    baseline = snapshot_of(org)[0]
    org.insert("Account", Name="Sticky")

    def refuse(method: str, path: str) -> None:
        if method == "DELETE":
            raise Refuse("DELETE_FAILED", "sticky")

    org.refusals.append(refuse)
    left = reset(org, baseline).left
    assert len(left) == 1
    assert left[0].startswith('delete: Account "Sticky"')
    assert "DELETE_FAILED: sticky" in left[0]


_LONG = {all_at_once, deletes_for_good, converts, deletes}


@pytest.mark.parametrize(
    "deed",
    [
        pytest.param(deed, id=deed.__name__, marks=[pytest.mark.slow] if deed in _LONG else [])
        for deed in (*EXACT, *ANEW)
    ],
)
def test_a_reset_that_is_killed_anywhere_is_finished(deed: Callable[[FakeOrg], None], tmp_path: Path) -> None:
    """Whichever call is the last one before the kill, the next start finds the org open and brings it back."""
    for number in range(1, _calls_of_a_whole_reset(deed) + 1):
        _finished_after_kills(deed, tmp_path / str(number), number)


@pytest.mark.slow
def test_a_reset_that_is_killed_twice_is_finished(tmp_path: Path) -> None:
    """So it is when the reset of the next start is killed as well, also in the middle of a deploy."""
    calls = _calls_of_a_whole_reset(renames_values)
    for number in range(1, calls + 1):
        for again in range(1, calls + 1):
            _finished_after_kills(renames_values, tmp_path / f"{number}-{again}", number, again)


def _finished_after_kills(deed: Callable[[FakeOrg], None], folder: Path, *kills: int) -> None:
    """Do a deed, kill its resets after so many calls each, and see that the next one brings the org back."""
    org, journal = filled(), Journal(folder)
    before = by_name(org)
    journal.open("episode", snapshot_of(org)[0], WATCHED)
    deed(org)
    for place, number in enumerate(kills):
        org.kill_after = len(org.calls) + number
        with suppress(Killed) if place else pytest.raises(Killed):  # a second reset may have fewer calls
            reset(org, Snapshot.load(journal.unfinished()[0].snapshot), Journal(folder))
    org.kill_after = None
    restored = reset(org, Snapshot.load(Journal(folder).unfinished()[0].snapshot), Journal(folder))
    assert (by_name(org), restored.left) == (before, ()), f"killed after calls {kills}"


def _calls_of_a_whole_reset(deed: Callable[[FakeOrg], None]) -> int:
    org = filled()
    baseline = snapshot_of(org)[0]
    deed(org)
    made = len(org.calls)
    reset(org, baseline)
    return len(org.calls) - made


_WRITES = st.lists(
    st.tuples(st.sampled_from(["create", "update", "delete", "undelete"]), st.integers(0, 10**6)), max_size=25
)
_CHANGED = ("Account", "Contact", "Opportunity", "Case", "Product2", "Lead")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_WRITES)
@example([("create", 89), ("update", 92328), ("delete", 60)])  # moved below a new account, then deleted
def test_random_writes_are_taken_back(writes: list[tuple[str, int]]) -> None:
    """Whatever sequence of writes to related records there was, the org is equal to the snapshot afterwards."""
    org = filled()
    before, baseline = org.export(), snapshot_of(org)[0]
    for kind, number in writes:
        _write(org, kind, random.Random(number))
    restored = reset(org, baseline)
    assert restored.left == ()
    recreated = {
        name for name in ("CampaignMember", "PricebookEntry") if org.rows[name].keys() != before[name].keys()
    }
    assert {k: v for k, v in org.export().items() if k not in recreated} == {
        k: v for k, v in before.items() if k not in recreated
    }
    assert reset(org, restored.baseline).changes == ()


def _write(org: FakeOrg, kind: str, chance: random.Random) -> None:
    object = chance.choice(_CHANGED)
    known = list(org.rows[object])
    fields = {
        one["name"]: _value(org, one, chance)
        for one in OBJECTS[object][1]
        if one["createable"] and one["updateable"]
    }
    if kind == "create":
        org.insert(object, **fields)
    elif kind == "undelete" and org.bin:
        org.undelete(chance.choice(sorted(root for _, _, root in org.bin.values())))
    elif known and kind == "update":
        org.update(object, chance.choice(known), **fields)
    elif known and kind == "delete":
        with suppress(Refuse):  # something keeps it, as in a real org
            org._whole_delete(object, chance.choice(known))


def _value(org: FakeOrg, one: dict[str, object], chance: random.Random) -> object:
    if targets := one.get("referenceTo"):
        assert isinstance(targets, list)
        return chance.choice([None, *org.rows[targets[0]]])
    if one["type"] == "currency":
        return float(chance.randrange(100))
    word = chance.choice(["alpha", "beta", "gamma"])
    return chance.choice([word, None]) if one["nillable"] else word


# What is told


def test_a_difference_is_told_in_words() -> None:
    """Every change names the record, what was done to it, and each value before and after."""
    org = filled()
    baseline = snapshot_of(org)[0]
    changes(org)
    now, reader = snapshot_of(org)
    lines = [
        line
        for change in difference(baseline, now, reader.described)
        for line in describe_change(change, baseline, now, reader.described)
    ]
    assert 'created Account "Other"' in lines[1] or 'created Account "Other"' in lines[2]
    assert "    Industry: 'Steel' -> nothing" in lines
    assert "    Email: 'ada@acme.example' -> 'eve@acme.example'" in lines


def test_a_component_is_compared_element_by_element() -> None:
    """Entries of a list are told apart by their names, and a new order is told as one."""
    one, other = {"fullName": "A", "default": False}, {"fullName": "B", "default": False}
    old = {"standardValue": [one, other], "sorted": False}
    new = {"standardValue": [{**other, "default": True}, one], "sorted": False}
    assert list(element_changes(old, new)) == [
        ("standardValue[B].default", False, True),
        ("standardValue order", "A, B", "B, A"),
    ]


def test_a_plan_says_what_it_would_do() -> None:
    """Each step is a sentence that a person can judge before it is made."""
    org = filled()
    baseline = snapshot_of(org)[0]
    changes(org)
    freezes(org)
    steps = [str(step) for step in plan_of(org, baseline).steps]
    assert any(step.startswith('set back: Account "Acme"') and "Industry='Steel'" in step for step in steps)
    assert any(step.startswith('delete: Account "Other"') for step in steps)
    assert any(step.startswith("set back: UserLogin") and "IsFrozen=False" in step for step in steps)


def test_an_object_that_a_task_needs_must_be_there() -> None:
    """An org without a declared object is told in one sentence; one that is only watched may be absent."""
    reader = Reader(client_of(FakeOrg()), "00D")
    assert "Quote" not in asyncio.run(reader.read(Watched(frozenset({"Quote"})))).records
    with pytest.raises(EnvironmentFailure, match="has no object Quote, which the task needs"):
        asyncio.run(reader.read(Watched.of(["Quote"])))


def test_resources_are_objects_types_and_the_whole() -> None:
    """A declaration names objects, metadata types or some of their components, or everything."""
    found = Watched.of(["Account", "metadata/StandardValueSet/LeadStatus", "metadata/Layout", "exclusive"])
    assert found.collections == {"Account", "metadata/StandardValueSet", "metadata/Layout"}
    assert found.components == {"StandardValueSet": ("LeadStatus",), "Layout": ()}
    assert found.exclusive


# The journal


def test_a_journal_with_a_cut_line_is_read(tmp_path: Path) -> None:
    """A line that a crash cut is passed over, and the next one stands on a line of its own."""
    org = filled()
    journal = Journal(tmp_path)
    journal.open("one", snapshot_of(org)[0], WATCHED)
    with (tmp_path / "journal.jsonl").open("a") as file:
        file.write('{"event":"clo')
    journal.retire("one", "005")
    assert [opened.name for opened in journal.unfinished()] == ["one"]
    assert journal.retired() == {"005"}
    journal.close("one")
    assert journal.unfinished() == []
    assert not list(tmp_path.glob("*.snapshot"))


def test_a_snapshot_is_read_as_it_was_written(tmp_path: Path) -> None:
    """What was written is read, for this user's eyes only; a foreign file is told in one sentence."""
    file = tmp_path / "one.snapshot"
    written = snapshot_of(filled())[0]
    written.save(file)
    assert Snapshot.load(file) == written
    assert file.stat().st_mode & 0o077 == 0
    file.write_bytes(b"broken")
    with pytest.raises(EnvironmentFailure, match="cannot be read"):
        Snapshot.load(file)
