"""A live org: what must be true before it is touched, who may touch it at the same time, and what a crash leaves."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from pytest_cuabench.commands.cli import main
from pytest_cuabench.drivers.leases import born
from pytest_cuabench.drivers.salesforce import org_command as command
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import DEFAULTS
from pytest_cuabench.drivers.salesforce.errors import NoCallsLeft
from pytest_cuabench.drivers.salesforce.journal import Journal
from pytest_cuabench.drivers.salesforce.live import LiveOrg, LiveOrgs, LiveSession, Sharing
from pytest_cuabench.drivers.salesforce.locks import OrgLocks
from pytest_cuabench.drivers.salesforce.login import Credentials
from pytest_cuabench.drivers.salesforce.safety import org_hosts
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.machine import Reset

from .fake_org import ADDRESS, TOKEN, FakeOrg, Killed, Refuse

ATONCE = 8  # requests that may be under way when the limit is reached


def client_of(org: FakeOrg) -> OrgClient:
    """Return a client that never waits."""

    async def pause(seconds: float) -> None:
        pass

    return OrgClient(Transport(ADDRESS, Credentials(access_token=TOKEN), http=org.http(), pause=pause))


def orgs_of(
    org: FakeOrg, folder: Path, name: str = "run/main", *, alone: bool = True, allowed: bool = True
) -> LiveOrgs:
    """Return the org as a worker has it."""
    sharing = Sharing(name, alone, allowed, folder)
    return LiveOrgs(LiveOrg(client_of(org), sharing), sharing)


def business(org: FakeOrg) -> FakeOrg:
    """Put a little business into an org."""
    acme = org.insert("Account", Name="Acme")
    org.insert("Contact", LastName="Ada", AccountId=acme)
    return org


async def opened(orgs: LiveOrgs, *resources: str) -> LiveSession:
    """Open a session for a task that declares some resources."""
    return await orgs.open("sales", 0, resources)


def test_an_episode_is_taken_back_when_it_is_over(tmp_path: Path) -> None:
    """The state begins with the snapshot, shows what was done, and is what it was after the episode."""
    org = business(FakeOrg())
    before = org.export()

    async def play() -> tuple[State, State]:
        orgs = orgs_of(org, tmp_path)
        session = await opened(orgs, "Account")
        assert session.reset == Reset("live org", "clean", tier="real")
        first = await session.state()
        org.insert("Account", Name="New")
        org.insert("Case", Subject="Elsewhere")
        last = await session.state()
        await session.close()
        await orgs.close()
        return first, last

    first, last = asyncio.run(play())
    assert len(last.collections["Account"]) == len(first.collections["Account"]) + 1
    assert len(last.collections["Case"]) == 1
    assert first.clock is not None
    assert first.clock.endswith("+01:00")
    assert org.export() == before
    assert Journal(tmp_path).unfinished() == []


def test_a_task_s_setup_is_in_the_first_state_and_taken_back(tmp_path: Path) -> None:
    """What a setup deploys is there before the episode and gone after it."""
    org = business(FakeOrg())
    org.deploy("StandardValueSet", "LeadStatus", "<StandardValueSet><sorted>true</sorted></StandardValueSet>")
    before = org.export()
    path, text = "standardValueSets/LeadStatus.standardValueSet", "<StandardValueSet/>"
    step = {"deploy": "StandardValueSet", "name": "LeadStatus", "path": path, "text": text}

    async def play() -> State:
        session = await opened(orgs_of(org, tmp_path), "metadata/StandardValueSet/LeadStatus")
        await session.prepare([step])
        first = await session.state()
        await session.close()
        return first

    first = asyncio.run(play())
    assert first.collections["metadata/StandardValueSet"]["LeadStatus"] == {}
    assert org.export() == before


@pytest.mark.parametrize(
    ("org", "refused"),
    [
        (FakeOrg("Enterprise Edition"), True),
        (FakeOrg("Enterprise Edition", sandbox=True), False),
        (FakeOrg("Developer Edition"), False),
    ],
    ids=["production", "sandbox", "developer"],
)
def test_an_org_in_production_is_never_touched(org: FakeOrg, refused: bool, tmp_path: Path) -> None:
    """Sandboxes and Developer Editions are for playing; a production org is refused before anything is written."""
    orgs = orgs_of(org, tmp_path)
    if not refused:
        asyncio.run(opened(orgs, "Account"))
        return
    with pytest.raises(SettingError, match="is a production org"):
        asyncio.run(opened(orgs, "Account"))
    assert {method for method, _ in org.calls} == {"GET"}


def test_an_org_is_not_touched_unless_the_user_says_so(tmp_path: Path) -> None:
    """Without the option not even a connection is made."""
    org = FakeOrg()
    with pytest.raises(SettingError, match="--cua-allow-reset"):
        asyncio.run(opened(orgs_of(org, tmp_path, allowed=False)))
    assert org.calls == []


def test_a_live_org_has_no_seeds(tmp_path: Path) -> None:
    """Another seed than the first is refused, as it would be the same org."""
    with pytest.raises(SettingError, match="no seeds"):
        asyncio.run(orgs_of(FakeOrg(), tmp_path).open("sales", 3))


def test_what_a_dead_run_left_is_taken_back_first(tmp_path: Path) -> None:
    """The next run finds the org open, and brings it back before it does anything else."""
    org = business(FakeOrg())
    before = org.export()

    async def crash() -> None:
        session = await opened(orgs_of(org, tmp_path, "first/main"), "Account")
        org.insert("Account", Name="Left behind")
        org.update("Account", next(iter(org.rows["Account"])), Industry="Steel")
        session.locks.release()  # as the end of a process does

    asyncio.run(crash())
    _bury(tmp_path)
    session = asyncio.run(opened(orgs_of(org, tmp_path, "second/main"), "Account"))
    assert org.export() == before
    assert [one.name for one in Journal(tmp_path).unfinished()] == [session.opened.name]


def test_a_run_that_lives_keeps_others_out(tmp_path: Path) -> None:
    """While the process of another run has an episode open, nothing is touched."""
    org = business(FakeOrg())
    asyncio.run(opened(orgs_of(org, tmp_path, "first/main"), "Account"))
    _bury(tmp_path, pid=psutil.Process().ppid())
    with pytest.raises(EnvironmentFailure, match=r"another run uses .*first/main/1"):
        asyncio.run(opened(orgs_of(org, tmp_path, "second/main"), "Account"))


def test_an_org_that_is_not_back_is_not_played_in(tmp_path: Path) -> None:
    """What cannot be taken back fails in a sentence, and the next episode begins with taking it back."""
    org = business(FakeOrg())
    before = org.export()
    sticky = [True]

    def refuse(method: str, path: str) -> None:
        if method == "DELETE" and sticky[0]:
            raise Refuse("DELETE_FAILED", "sticky")

    org.refusals.append(refuse)

    async def play() -> None:
        orgs = orgs_of(org, tmp_path)
        session = await opened(orgs, "Account")
        org.insert("Account", Name="Sticky")
        with pytest.raises(EnvironmentFailure, match=r'cannot reset the org at .*: delete: Account "Sticky"'):
            await session.close()
        with pytest.raises(EnvironmentFailure, match="cannot reset the org"):
            await opened(orgs, "Account")
        sticky[0] = False
        await (await opened(orgs, "Account")).close()

    asyncio.run(play())
    assert org.export() == before


def changed(org: FakeOrg) -> None:
    """Change an org in every way that is taken back."""
    first, second = list(org.rows["Account"])
    org.update("Account", first, Industry="Steel")
    org.delete("Account", second)
    for name in ("New", "Newer"):
        org.insert("Contact", LastName=name, AccountId=first)
    org.deploy("StandardValueSet", "LeadStatus", "<StandardValueSet><sorted>true</sorted></StandardValueSet>")


@pytest.fixture
def busy() -> FakeOrg:
    """An org with two accounts and a value set, whose jobs wait before they are done."""
    org = business(FakeOrg(pending=3))
    org.insert("Account", Name="Umbrella")
    org.deploy(
        "StandardValueSet", "LeadStatus", "<StandardValueSet><sorted>false</sorted></StandardValueSet>"
    )
    return org


def test_locked_records_and_waiting_jobs_are_taken_back(busy: FakeOrg, tmp_path: Path) -> None:
    """Records that another transaction holds are written again, and come back under their own ids."""
    before = busy.export()

    async def play() -> None:
        session = await opened(orgs_of(busy, tmp_path), "Account", "Contact", "metadata/StandardValueSet")
        changed(busy)
        busy.locked = dict.fromkeys([*busy.bin, *busy.rows["Account"], *list(busy.rows["Contact"])[-2:]], 3)
        await session.close()

    asyncio.run(play())
    assert busy.export() == before
    assert not any(busy.locked.values())


@pytest.mark.parametrize("calls", range(0, 40, 3))
def test_a_token_that_expires_in_the_middle_is_renewed(busy: FakeOrg, calls: int, tmp_path: Path) -> None:
    """Wherever the session ends, the episode is read and taken back with another one."""
    before = busy.export()
    given = Credentials(client_id="app", client_secret="app-secret")

    async def pause(seconds: float) -> None:
        pass

    async def play() -> None:
        sharing = Sharing("run/main", True, True, tmp_path)
        client = OrgClient(Transport(ADDRESS, given, http=busy.http(), pause=pause))
        session = await opened(
            LiveOrgs(LiveOrg(client, sharing), sharing), "Account", "metadata/StandardValueSet"
        )
        changed(busy)
        busy.token_calls = calls
        await session.state()
        await session.close()

    asyncio.run(play())
    assert busy.export() == before


@pytest.mark.parametrize("calls", range(0, 40, 3))
def test_what_the_limit_of_a_day_leaves_is_taken_back_by_the_next_run(
    busy: FakeOrg, calls: int, tmp_path: Path
) -> None:
    """Without API calls the reset ends in one sentence, nothing is tried again, and nothing is lost."""
    before = busy.export()

    async def play() -> None:
        session = await opened(orgs_of(busy, tmp_path), "Account", "Contact", "metadata/StandardValueSet")
        changed(busy)
        busy.calls_left, asked = calls, len(busy.calls)
        try:
            await session.close()
        except NoCallsLeft as failure:
            told = str(failure)
            assert told.startswith(f"the org at {ADDRESS} has no API calls left (REQUEST_LIMIT_EXCEEDED)")
            assert len(busy.calls) <= asked + calls + ATONCE
            assert Journal(tmp_path).unfinished()
        session.locks.release()

    asyncio.run(play())
    _bury(tmp_path)
    busy.calls_left = None
    asyncio.run(opened(orgs_of(busy, tmp_path, "second/main"), "Account"))
    assert busy.export() == before


def test_a_kill_while_opening_leaves_nothing_to_mend(tmp_path: Path) -> None:
    """Wherever a run dies before the agent acts, the next one opens the org as it was."""
    org = business(FakeOrg())
    asyncio.run(opened(orgs_of(org, tmp_path / "count"), "Account"))
    for number in range(1, len(org.calls) + 1):
        org, folder = business(FakeOrg()), tmp_path / str(number)
        before = org.export()
        org.kill_after = number
        with pytest.raises(Killed):
            asyncio.run(opened(orgs_of(org, folder, "first/main"), "Account"))
        org.kill_after = None
        _bury(folder)
        asyncio.run(opened(orgs_of(org, folder, "second/main"), "Account"))
        assert org.export() == before


def test_workers_with_different_resources_play_together(tmp_path: Path) -> None:
    """Two episodes that touch different objects are open at once, each watches its own, and each takes back its own."""
    org = business(FakeOrg())
    before = org.export()

    async def play() -> None:
        one = await opened(orgs_of(org, tmp_path, "run/gw0", alone=False), "Account")
        other = await opened(orgs_of(org, tmp_path, "run/gw1", alone=False), "Case")
        org.insert("Account", Name="One")
        org.insert("Case", Subject="Other")
        assert set((await one.state()).collections) == {"Account", DEFAULTS}
        await one.close()
        assert len(org.rows["Case"]) == 1
        await other.close()

    asyncio.run(play())
    assert org.export() == before


@pytest.mark.parametrize("second", [("Account",), ("exclusive",)], ids=["same", "exclusive"])
def test_conflicting_workers_wait_for_each_other(second: tuple[str, ...], tmp_path: Path) -> None:
    """A second episode on the same objects, or one that needs the whole org, begins when the first is over."""
    org = business(FakeOrg())
    order: list[str] = []

    async def first(begun: asyncio.Event) -> None:
        session = await opened(orgs_of(org, tmp_path, "run/gw0", alone=False), "Account", "Contact")
        begun.set()
        for _ in range(20):
            await asyncio.sleep(0)
        order.append("first ends")
        await session.close()

    async def play() -> None:
        begun = asyncio.Event()
        task = asyncio.create_task(first(begun))
        await begun.wait()
        await opened(orgs_of(org, tmp_path, "run/gw1", alone=False), *second)
        order.append("second begins")
        await task

    asyncio.run(play())
    assert order == ["first ends", "second begins"]


def test_locks_are_taken_in_one_order(tmp_path: Path) -> None:
    """Many workers that want overlapping resources in any order all get them: nobody waits in a circle."""

    async def worker(number: int) -> None:
        names = ["a", "b", "c", "d"]
        for turn in range(5):
            locks = OrgLocks(tmp_path, patience=30)
            chosen = [names[(number + turn) % 4], names[(number * 3 + 1) % 4]]
            await locks.take(chosen[::-1] if turn % 2 else chosen, exclusive=(number + turn) % 7 == 0)
            await asyncio.sleep(0)
            locks.release()

    async def play() -> None:
        await asyncio.gather(*(worker(number) for number in range(6)))

    asyncio.run(play())
    assert OrgLocks(tmp_path).take_whole()


def test_a_wait_for_locks_ends(tmp_path: Path) -> None:
    """Who waits too long is told, and holds nothing afterwards."""

    async def play() -> None:
        held, late = OrgLocks(tmp_path), OrgLocks(tmp_path, patience=0.05)
        await held.take(["b"])
        with pytest.raises(EnvironmentFailure, match=r"more than 0.05 s"):
            await late.take(["a", "b"])
        await OrgLocks(tmp_path).take(["a"])

    asyncio.run(play())


def test_locks_end_with_their_process(tmp_path: Path) -> None:
    """What a killed worker held is free at once."""
    program = (
        "import asyncio, sys, time; from pathlib import Path\n"
        "from pytest_cuabench.drivers.salesforce.locks import OrgLocks\n"
        "asyncio.run(OrgLocks(Path(sys.argv[1])).take(['a'])); print('held', flush=True); time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert not OrgLocks(tmp_path).take_whole()
        process.send_signal(signal.SIGKILL)
    assert OrgLocks(tmp_path).take_whole()


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("https://acme.my.salesforce.com", ("acme.lightning.force.com", "acme.my.salesforce-setup.com")),
        (
            "https://acme--uat.sandbox.my.salesforce.com",
            ("acme--uat.sandbox.lightning.force.com", "acme--uat--c.sandbox.vf.force.com"),
        ),
        ("http://127.0.0.1:8080", ("127.0.0.1",)),
    ],
)
def test_an_orgs_hosts_follow_from_its_domain(address: str, hosts: tuple[str, ...]) -> None:
    """The browser may reach the org's own hosts, and those of no other org."""
    found = org_hosts(address)
    assert set(hosts) <= set(found)
    assert all(host.startswith(("acme", "127.")) for host in found)


def test_the_command_takes_a_snapshot_plans_and_resets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A person takes a snapshot, sees what would be done without anything being done, and then has it done."""
    org = business(FakeOrg())
    before = org.export()
    monkeypatch.setenv("CUABENCH_STATE", str(tmp_path))
    monkeypatch.setattr(command, "org_client", lambda address: client_of(org))
    assert main(["org", "snapshot", ADDRESS]) == 0
    new = org.insert("Account", Name="New")
    assert main(["org", "plan", ADDRESS]) == 0
    assert new in org.rows["Account"]
    told = capsys.readouterr().out
    assert f'created Account "New" ({new})' in told
    assert f'delete: Account "New" ({new})' in told
    assert main(["org", "reset", ADDRESS]) == 2
    assert "--cua-allow-reset" in capsys.readouterr().err
    _bury(next((tmp_path / "salesforce").iterdir()))
    assert main(["org", "reset", ADDRESS, "--cua-allow-reset"]) == 0
    assert org.export() == before
    assert main(["org", "plan", ADDRESS]) == 0
    assert "nothing" in capsys.readouterr().out


def by_hand(org: FakeOrg, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command reach an org, and keep its journal in a folder."""
    monkeypatch.setenv("CUABENCH_STATE", str(folder))
    monkeypatch.setattr(command, "org_client", lambda address: client_of(org))


def test_what_was_created_in_setup_is_seen_and_destroyed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A component of any watched type that is new is planned and destroyed; what is only listed and changed is told."""
    org = business(FakeOrg())
    org.components |= {"CustomField": {"Account.Old__c": "<CustomField/>"}, "CustomObject": {}}
    by_hand(org, tmp_path, monkeypatch)
    assert main(["org", "snapshot", ADDRESS]) == 0
    org.deploy("CustomField", "Account.New__c", "<CustomField/>")
    org.deploy("CustomObject", "New__c", "<CustomObject/>")
    org.deploy("CustomField", "Account.Old__c", "<CustomField><label>Other</label></CustomField>")
    assert main(["org", "plan", ADDRESS]) == 0
    told = capsys.readouterr().out
    assert "destroy: CustomField Account.New__c" in told
    assert "destroy: CustomObject New__c" in told
    assert "cannot be reset: CustomField Account.Old__c was changed" in told
    _bury(next((tmp_path / "salesforce").iterdir()))
    assert main(["org", "reset", ADDRESS, "--cua-allow-reset"]) == 0
    assert (list(org.components["CustomField"]), org.components["CustomObject"]) == (["Account.Old__c"], {})
    assert "cannot be reset: CustomField Account.Old__c was changed" in capsys.readouterr().out
    assert Journal(next((tmp_path / "salesforce").iterdir())).unfinished() == []


def test_a_declared_type_is_watched_with_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a type that is declared without names, components that the snapshot does not know are brought back, too."""
    org = business(FakeOrg())
    org.components["StandardValueSet"]["LeadStatus"] = "<StandardValueSet/>"
    by_hand(org, tmp_path, monkeypatch)
    assert main(["org", "snapshot", ADDRESS, "--resources", "metadata/StandardValueSet"]) == 0
    org.deploy("StandardValueSet", "Industry", "<StandardValueSet/>")
    org.deploy("StandardValueSet", "LeadStatus", "<StandardValueSet><sorted>true</sorted></StandardValueSet>")
    assert main(["org", "plan", ADDRESS]) == 0
    assert "2 changes" in capsys.readouterr().out
    _bury(next((tmp_path / "salesforce").iterdir()))
    assert main(["org", "reset", ADDRESS, "--cua-allow-reset"]) == 0
    assert org.components["StandardValueSet"] == {"LeadStatus": "<StandardValueSet/>"}


def test_a_list_view_is_destroyed_as_a_component(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A new list view, which no interface deletes as a record, is gone after a reset."""
    org = business(FakeOrg())
    org.components["ListView"] = {}
    before = org.export()
    by_hand(org, tmp_path, monkeypatch)
    assert main(["org", "snapshot", ADDRESS]) == 0
    org.insert("ListView", Name="Mine", DeveloperName="Mine", SobjectType="Account")
    org.deploy("ListView", "Account.Mine", "<ListView/>")
    assert main(["org", "plan", ADDRESS]) == 0
    assert "1 steps" in capsys.readouterr().out
    _bury(next((tmp_path / "salesforce").iterdir()))
    assert main(["org", "reset", ADDRESS, "--cua-allow-reset"]) == 0
    assert org.export() == before


def test_a_second_reset_waits_and_finds_nothing_to_do(tmp_path: Path) -> None:
    """Of two that reset an org at once one brings it back; the other waits for it, and is content."""
    org = business(FakeOrg())
    before = org.export()

    async def crash() -> None:
        session = await opened(orgs_of(org, tmp_path, "first/main"), "Account")
        org.insert("Account", Name="Left behind")
        session.locks.release()

    async def both() -> list[int]:
        pair = [LiveOrg(client_of(org), Sharing(f"{name}/main", True, True, tmp_path)) for name in "ab"]
        await asyncio.gather(*(one.connect() for one in pair))
        return sorted(one.finished for one in pair)

    asyncio.run(crash())
    _bury(tmp_path)
    assert asyncio.run(both()) == [0, 1]
    assert org.export() == before


def test_what_was_put_back_is_told_by_stamps_bin_and_trail(tmp_path: Path) -> None:
    """A live org has no journal; what its stamps, its recycle bin and its log of Setup say stands in the state's."""
    org = business(FakeOrg())

    async def play() -> State:
        session = await opened(orgs_of(org, tmp_path), "Account")
        assert (await session.state()).journal == ()
        acme = next(iter(org.rows["Account"]))
        org.update("Account", acme, Industry="Steel")
        org.update("Account", acme, Industry=None)
        org.delete("Case", org.insert("Case", Subject="For a moment"))
        org.trail.append(
            {"Id": "0Ym1", "Action": "profilePerm", "Section": "Manage Users", "Display": "Changed"}
        )
        return await session.state()

    journal = asyncio.run(play()).journal
    assert [(one.collection, one.op) for one in journal] == [
        ("Account", "update"),
        ("Case", "insert"),
        ("Case", "delete"),
        ("setup/Manage Users", "update"),
    ]


def _bury(folder: Path, pid: int = 2**22 + 1) -> None:
    """Make the owner of all open episodes another process, which is dead unless it is told."""
    file = folder / "journal.jsonl"
    if not file.exists():
        return
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        if "owner" in line:
            line["owner"] |= {
                "pid": pid,
                "born": born(psutil.Process(pid)) if psutil.pid_exists(pid) else 0.0,
            }
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
