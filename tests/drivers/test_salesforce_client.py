"""The client of orgs against a strict fake: what it asks, what it makes of refusals, and what it never says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx2
import pytest

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.errors import NoCallsLeft, OrgError
from pytest_cuabench.drivers.salesforce.login import Credentials, Grant, org_address
from pytest_cuabench.drivers.salesforce.soap import parse, tree
from pytest_cuabench.drivers.salesforce.transport import PAUSES, Transport
from pytest_cuabench.errors import EnvironmentFailure, SettingError

from .fake_org import ADDRESS, DATA, TOKEN, FakeOrg, Refuse

T = TypeVar("T")
APP = Credentials(client_id="key", client_secret="app-secret")


def client_of(org: FakeOrg, given: Credentials | None = None, version: str = "62.0") -> OrgClient:
    """Return a client of a fake org whose pauses cost nothing and are counted."""
    waits: list[float] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    transport = Transport(
        ADDRESS, given or Credentials(access_token=TOKEN), version, http=org.http(), pause=pause
    )
    client = OrgClient(transport)
    vars(client)["waits"] = waits
    return client


def with_client(
    org: FakeOrg, work: Callable[[OrgClient], Awaitable[T]], given: Credentials | None = None
) -> T:
    """Run some work with a client."""

    async def run() -> T:
        client = client_of(org, given)
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(run())


def refusing(code: str, times: int, status: int = 400, only: str = "") -> Callable[[str, str], None]:
    """Return what refuses the first calls of a method."""
    left = [times]

    def refuse(method: str, path: str) -> None:
        if left[0] and method == (only or method):
            left[0] -= 1
            raise Refuse(code, f"no, said {TOKEN}", status)

    return refuse


def test_a_query_is_read_over_all_its_pages() -> None:
    """Every record of a result of several pages is returned, without the interface's attributes."""
    org = FakeOrg(page=3)
    for number in range(10):
        org.insert("Account", Name=f"Account {number}")
    rows = with_client(org, lambda client: client.query("SELECT Id, Name FROM Account"))
    assert [row["Name"] for row in rows] == [f"Account {number}" for number in range(10)]
    assert all(set(row) == {"Id", "Name"} for row in rows)


def test_many_objects_are_read_in_few_round_trips() -> None:
    """Thirty queries take two calls of the batch resource, and a result of several pages is read to its end."""
    org = FakeOrg(page=2)
    for number in range(5):
        org.insert("Account", Name=f"Account {number}")
    found = with_client(org, lambda client: client.read(["SELECT Id FROM Account"] * 30))
    assert [len(rows) for rows in found] == [5] * 30
    assert sum(path.endswith("/composite/batch") for _, path in org.calls) == 2


def test_many_records_are_written_in_calls_of_two_hundred() -> None:
    """Each record of several succeeds or fails by itself, and the ones beyond 200 go into another call."""
    org = FakeOrg()
    rows: list[dict[str, Any]] = [{"Name": f"A{number}"} for number in range(250)]
    rows[7] = {"Industry": "Nameless"}

    async def work(client: OrgClient) -> tuple[Any, Any]:
        made = await client.create_many("Account", rows)
        ids = [one.id for one in made if one.ok]
        return made, await client.delete_many([*ids, "001000000999999AAA"])

    made, gone = with_client(org, work)
    assert [number for number, one in enumerate(made) if not one.ok] == [7]
    assert made[7].code == "REQUIRED_FIELD_MISSING"
    assert [one.ok for one in gone] == [True] * 249 + [False]
    assert [call for call in org.calls if "composite/sobjects" in call[1]] == [
        *[("POST", f"{DATA}/composite/sobjects")] * 2,
        *[("DELETE", f"{DATA}/composite/sobjects")] * 2,
    ]


def test_a_description_is_asked_for_once() -> None:
    """A second description of the same object costs no call, until descriptions are forgotten."""
    org = FakeOrg()

    async def work(client: OrgClient) -> None:
        await client.describe(["Account", "Contact"])
        await client.describe(["Contact", "Account"])

    with_client(org, work)
    assert len(org.calls) == 1


@pytest.mark.parametrize("code", ["REQUEST_LIMIT_EXCEEDED", "UNABLE_TO_LOCK_ROW"])
def test_what_is_refused_as_too_busy_is_tried_again(code: str) -> None:
    """Even a write is made again when the org refused it as too busy, after growing pauses."""
    org = FakeOrg(refusals=[refusing(code, 3, only="POST")])
    client = client_of(org)
    asyncio.run(client.create("Account", {"Name": "Once"}))
    assert vars(client)["waits"] == list(PAUSES[:3])
    assert [row["Name"] for row in org.rows["Account"].values()] == ["Once"]


def test_an_org_that_stays_busy_is_given_up() -> None:
    """The tries are bounded, and the last refusal is told with its code."""
    org = FakeOrg(refusals=[refusing("REQUEST_LIMIT_EXCEEDED", 100)])
    with pytest.raises(OrgError, match="REQUEST_LIMIT_EXCEEDED") as caught:
        with_client(org, lambda client: client.create("Account", {"Name": "Never"}))
    assert caught.value.code == "REQUEST_LIMIT_EXCEEDED"
    assert len(org.calls) == len(PAUSES) + 1


def test_locked_records_among_many_are_written_again() -> None:
    """Of several records only those are sent again that another transaction held; one that stays held is told."""
    org = FakeOrg()
    ids = [org.insert("Account", Name=name) for name in ("A", "B", "C")]
    org.locked = {ids[1]: 2, ids[2]: 100}
    client = client_of(org)
    written = asyncio.run(client.update_many("Account", {id: {"Industry": "Steel"} for id in ids}))
    assert [one.code for one in written] == [None, None, "UNABLE_TO_LOCK_ROW"]
    assert vars(client)["waits"] == list(PAUSES)
    assert [row["Industry"] for row in org.rows["Account"].values()] == ["Steel", "Steel", None]


def test_the_limit_of_a_day_is_told_at_once() -> None:
    """When the calls of the day are used up, waiting for seconds does not help: one sentence, one call."""
    org = FakeOrg(calls_left=0)
    with pytest.raises(NoCallsLeft, match="gives them back over 24 hours"):
        with_client(org, lambda client: client.query("SELECT Id FROM Account"))
    assert len(org.calls) == 1


def breaking(org: FakeOrg, times: int) -> httpx2.AsyncClient:
    """Return a client whose connection breaks after the org has done what was asked."""
    left = [times]

    def answer(request: httpx2.Request) -> httpx2.Response:
        reply = org.answer(request)
        if left[0]:
            left[0] -= 1
            raise httpx2.ReadError("connection reset")
        return reply

    return httpx2.AsyncClient(transport=httpx2.MockTransport(answer))


async def no_pause(seconds: float) -> None:
    """Wait not at all."""


def test_a_write_whose_connection_broke_is_not_made_twice() -> None:
    """A create is not repeated blindly: it fails in one sentence, and what it did is there once."""
    org = FakeOrg()
    transport = Transport(ADDRESS, Credentials(access_token=TOKEN), http=breaking(org, 1), pause=no_pause)
    with pytest.raises(EnvironmentFailure, match="does not answer POST"):
        asyncio.run(OrgClient(transport).create("Account", {"Name": "Once"}))
    assert len(org.rows["Account"]) == 1


def test_a_read_whose_connection_broke_is_made_again() -> None:
    """A query survives two broken connections."""
    org = FakeOrg()
    org.insert("Account", Name="There")
    transport = Transport(ADDRESS, Credentials(access_token=TOKEN), http=breaking(org, 2), pause=no_pause)
    assert len(asyncio.run(OrgClient(transport).query("SELECT Id FROM Account"))) == 1


def test_no_token_and_no_password_is_ever_shown() -> None:
    """Neither a message nor a representation holds a secret, even where the org repeats the token."""
    org = FakeOrg(refusals=[refusing("FORBIDDEN", 1, 403)])
    with pytest.raises(OrgError) as caught:
        with_client(org, lambda client: client.query("SELECT Id FROM Account"))
    given = Credentials("t0ken", "id", "s3cret", "user", "passw0rd", "m0re")
    shown = f"{caught.value} {given!r} {Grant(ADDRESS, TOKEN)!r} {client_of(org)!r}"
    assert not [secret for secret in (TOKEN, "t0ken", "s3cret", "passw0rd", "m0re") if secret in shown]
    assert "FORBIDDEN: no, said •••" in shown


def test_an_expired_token_is_renewed_once() -> None:
    """With credentials that can sign in again, a call whose token expired is made with a new one."""
    org = FakeOrg()

    async def work(client: OrgClient) -> list[dict[str, Any]]:
        await client.query("SELECT Id FROM Account")
        org.tokens.clear()
        return await client.query("SELECT Id FROM Organization")

    assert len(with_client(org, work, APP)) == 1
    assert sum(path == "/services/oauth2/token" for _, path in org.calls) == 2


def test_an_expired_token_that_was_given_is_told() -> None:
    """A token from elsewhere cannot be renewed, so that the org's refusal is told."""
    org = FakeOrg(tokens=set())
    with pytest.raises(
        OrgError, match=r"INVALID_SESSION_ID: .*_ACCESS_TOKEN cannot be renewed; set a new one"
    ):
        with_client(org, lambda client: client.query("SELECT Id FROM Account"))


def test_a_password_signs_in_by_soap() -> None:
    """A username with a password and a security token opens the org without a connected app."""
    org = FakeOrg()
    given = Credentials(username="ada@example.com", password="pass&word", security_token="TOKEN")
    assert len(with_client(org, lambda client: client.query("SELECT Id FROM Organization"), given)) == 1
    assert org.calls[0] == ("POST", "/services/Soap/u/62.0")


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (Credentials(username="ada", password="wrong"), "INVALID_LOGIN"),
        (Credentials(client_id="key", client_secret="wrong"), "invalid client credentials"),
    ],
    ids=["password", "app"],
)
def test_a_refused_sign_in_says_where_and_why(given: Credentials, sentence: str) -> None:
    """The sentence names the org and its reason, and not the secret."""
    with pytest.raises(OrgError, match=sentence) as caught:
        with_client(FakeOrg(), lambda client: client.query("SELECT Id FROM Account"), given)
    assert "rejected the sign-in" in str(caught.value)
    assert "wrong" not in str(caught.value)


def test_a_version_that_the_org_does_not_speak_is_refused() -> None:
    """The sentence tells the newest version that it knows."""
    client = client_of(FakeOrg(), version="99.0")
    with pytest.raises(SettingError, match=r"does not speak API version 99.0; the newest it knows is 62.0"):
        asyncio.run(client.connect())


def test_without_credentials_the_variables_are_named() -> None:
    """Half of a pair of credentials opens nothing, and the sentence says what is missing."""
    with pytest.raises(SettingError, match="CUABENCH_SALESFORCE_ACCESS_TOKEN"):
        Credentials.from_environment({"CUABENCH_SALESFORCE_USERNAME": "ada"})
    found = Credentials.from_environment(
        {"CUABENCH_SALESFORCE_CLIENT_ID": "a", "CUABENCH_SALESFORCE_CLIENT_SECRET": "b"}
    )
    assert found.by_app


@pytest.mark.parametrize(
    "address", ["my-org", "http://my-org.my.salesforce.com", "https://user@host.com", "ftp://x"]
)
def test_what_is_no_org_is_refused(address: str) -> None:
    """An org is an https origin; plain http is for this computer alone."""
    with pytest.raises(SettingError, match="invalid org"):
        org_address(address)


def test_the_orgs_of_this_computer_may_speak_plain_http() -> None:
    """The emulator's address is an org's address, with or without a slash."""
    assert org_address("http://127.0.0.1:8080/") == "http://127.0.0.1:8080"


def test_time_is_the_orgs_own() -> None:
    """The moment comes from the org's clock, in UTC."""
    org = FakeOrg()
    assert with_client(org, lambda client: client.now()) == org.now.isoformat(timespec="seconds")


def test_an_undelete_tells_each_record() -> None:
    """One that is in the recycle bin comes back, one that is not is told with its code."""
    org = FakeOrg()
    account = org.insert("Account", Name="Back")
    org.delete("Account", account)
    written = with_client(org, lambda client: client.undelete([account, "001000000999999AAA"]))
    assert [(one.ok, one.code) for one in written] == [(True, None), (False, "UNDELETE_FAILED")]


def test_metadata_is_retrieved_and_deployed_as_zips() -> None:
    """A component is a tree to compare and a file to deploy; what is deployed is what is retrieved next."""
    org = FakeOrg()
    space = "http://soap.sforce.com/2006/04/metadata"
    one = "<standardValue><fullName>{}</fullName><default>false</default></standardValue>"
    text = f'<StandardValueSet xmlns="{space}"><sorted>false</sorted>{one.format("Open")}</StandardValueSet>'
    org.components["StandardValueSet"]["LeadStatus"] = text

    async def work(client: OrgClient) -> Any:
        before = await client.metadata.retrieve({"StandardValueSet": ["LeadStatus"]})
        org.components["StandardValueSet"]["LeadStatus"] = text.replace("Open", "Changed")
        await client.metadata.deploy(before, {})
        return before, await client.metadata.retrieve({"StandardValueSet": ["LeadStatus"]})

    before, after = with_client(org, work)
    assert before == after
    tree = before["StandardValueSet"]["LeadStatus"].tree
    assert tree == {"sorted": False, "standardValue": [{"fullName": "Open", "default": False}]}


def test_entities_are_never_expanded() -> None:
    """A reply with a document type is refused before anything in it is looked at."""
    with pytest.raises(EnvironmentFailure, match="not XML"):
        parse(b'<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', "reading")


def test_the_word_true_in_a_text_stays_a_text() -> None:
    """Truth values are booleans; a value that a user wrote is what was written."""
    node = parse("<a><active>true</active><value>true</value></a>", "reading")
    assert tree(node) == {"active": True, "value": "true"}
