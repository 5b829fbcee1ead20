"""Client of a Salesforce org over its real APIs, for live orgs and the emulator."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape

from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.metadata import MetadataClient
from pytest_cuabench.drivers.salesforce.refusals import Refusal
from pytest_cuabench.drivers.salesforce.soap import PARTNER, as_list, elements
from pytest_cuabench.drivers.salesforce.transport import Transport, refused
from pytest_cuabench.errors import EnvironmentFailure, SettingError

Row = dict[str, Any]
_T = TypeVar("_T")
MANY = 200  # records in one call of the collections resource
BATCH = 25  # requests in one call of the batch resource


@dataclass(frozen=True, slots=True)
class Written:
    """The result of one record of a batch write.

    Attributes:
        code: Why it was refused, in Salesforce's words; None where it was not.
    """

    id: str
    code: str | None = None
    message: str = ""

    @property
    def ok(self) -> bool:
        """Whether it was written."""
        return self.code is None


class OrgClient:
    """Records, descriptions, analytics and metadata of one org."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.metadata = MetadataClient(transport)
        self._described: dict[str, ObjectInfo] = {}

    def __repr__(self) -> str:
        return f"OrgClient({self.transport.address!r})"

    async def connect(self) -> None:
        """Sign in, and check that the org supports the API version.

        Raises:
            SettingError: It does not.
            EnvironmentFailure: It refuses, or does not answer.
        """
        known = [entry["version"] for entry in await self.transport.rest("GET", "/services/data")]
        if self.transport.version not in known:
            raise SettingError(
                f"the org at {self.transport.address} does not speak API version {self.transport.version}; "
                f"the newest it knows is {known[-1] if known else 'none'}"
            )

    async def close(self) -> None:
        """End the connections."""
        await self.transport.close()

    # Reading

    async def query(self, soql: str, *, deleted: bool = False, tooling: bool = False) -> list[Row]:
        """Return all records that a query finds, over all its pages; `deleted` looks into the recycle bin, too."""
        resource = f"{'/tooling' if tooling else ''}/{'queryAll' if deleted else 'query'}"
        page = await self.transport.rest("GET", resource, params={"q": soql})
        return [plain(record) async for record in self._pages(page)]

    async def read(self, queries: Sequence[str]) -> list[list[Row]]:
        """Return what several queries find, in few round trips."""
        version = self.transport.version
        urls = [f"v{version}/query?{urlencode({'q': soql}, quote_via=quote)}" for soql in queries]
        found = []
        for page in await self._batched(urls):
            found.append([plain(record) async for record in self._pages(page)])
        return found

    async def objects(self) -> dict[str, Mapping[str, Any]]:
        """Return the names of all objects, each with what the global describe says of it."""
        told = await self.transport.rest("GET", "/sobjects")
        return {entry["name"]: entry for entry in told["sobjects"]}

    async def describe(self, names: Iterable[str]) -> dict[str, ObjectInfo]:
        """Return what the org says of some objects; each is asked for once."""
        wanted = list(dict.fromkeys(names))
        new = [name for name in wanted if name not in self._described]
        version = self.transport.version
        told = await self._batched([f"v{version}/sobjects/{quote(name)}/describe" for name in new])
        self._described |= {name: ObjectInfo.from_json(one) for name, one in zip(new, told, strict=True)}
        return {name: self._described[name] for name in wanted}

    def learn(self, described: Mapping[str, ObjectInfo]) -> None:
        """Take descriptions as given."""
        self._described |= described

    def forget(self) -> None:
        """Ask for descriptions again, as after metadata was deployed."""
        self._described.clear()

    async def organization(self) -> Row:
        """Return the organization's own record."""
        wanted = "Id, Name, OrganizationType, IsSandbox, TrialExpirationDate, NamespacePrefix"
        return (await self.query(f"SELECT {wanted} FROM Organization"))[0]  # noqa: S608 - no value in it

    async def now(self) -> str:
        """Return the org's moment as an ISO text in UTC."""
        result = await self.transport.soap(
            "u", f'<getServerTimestamp xmlns="{PARTNER}"/>', "asking the org for its time", harmless=True
        )
        return datetime.fromisoformat(str(result["timestamp"])).astimezone(UTC).isoformat(timespec="seconds")

    async def user(self) -> tuple[str, str]:
        """Return the id of the user who is signed in, and the time zone in which the pages tell the time."""
        body = f'<getUserInfo xmlns="{PARTNER}"/>'
        told = await self.transport.soap("u", body, "asking the org who is signed in", harmless=True)
        return str(told["userId"]), str(told["userTimeZone"])

    async def report(self, id: str) -> Row:
        """Return how a report is built."""
        return dict(await self.transport.rest("GET", f"/analytics/reports/{quote(id)}/describe"))

    async def dashboard(self, id: str) -> Row:
        """Return how a dashboard is built."""
        return dict(await self.transport.rest("GET", f"/analytics/dashboards/{quote(id)}/describe"))

    # Writing

    async def create(self, object: str, fields: Mapping[str, Any], *, tooling: bool = False) -> str:
        """Create a record and return its id.

        Raises:
            Refusal: The org rejects the call.
        """
        made = await self.transport.rest("POST", f"{_base(tooling)}/{quote(object)}", dict(fields))
        return str(made["id"])

    async def update(self, object: str, id: str, fields: Mapping[str, Any], *, tooling: bool = False) -> None:
        """Change fields of a record; None empties one.

        Raises:
            Refusal: The org rejects the call.
        """
        await self.transport.rest(
            "PATCH", f"{_base(tooling)}/{quote(object)}/{quote(id)}", dict(fields), harmless=True
        )

    async def delete(self, object: str, id: str, *, tooling: bool = False) -> None:
        """Delete a record.

        Raises:
            Refusal: The org rejects the call.
        """
        await self.transport.rest("DELETE", f"{_base(tooling)}/{quote(object)}/{quote(id)}")

    async def create_many(self, object: str, rows: Sequence[Mapping[str, Any]]) -> list[Written]:
        """Create records of one object; each succeeds or fails by itself."""
        records = [{"attributes": {"type": object}, **row} for row in rows]
        return await self._collections("POST", records)

    async def update_many(self, object: str, rows: Mapping[str, Mapping[str, Any]]) -> list[Written]:
        """Change records of one object, given as fields by id; each succeeds or fails by itself."""
        records = [{"attributes": {"type": object}, "id": id, **fields} for id, fields in rows.items()]
        written = await self._collections("PATCH", records)
        return [Written(id, one.code, one.message) for id, one in zip(rows, written, strict=True)]

    async def delete_many(self, ids: Sequence[str]) -> list[Written]:
        """Delete records; each succeeds or fails by itself."""
        written: list[Written] = []
        for some in _chunks(ids, MANY):
            query = {"ids": ",".join(some), "allOrNone": "false"}
            told = await self.transport.rest("DELETE", "/composite/sobjects", params=query)
            written += [Written(id, *_failure(one)) for id, one in zip(some, told, strict=True)]
        return written

    async def undelete(self, ids: Sequence[str]) -> list[Written]:
        """Take records back from the recycle bin; each succeeds or fails by itself."""
        written: list[Written] = []
        for some in _chunks(ids, MANY):
            body = f'<undelete xmlns="{PARTNER}">{elements({"ids": list(some)})}</undelete>'
            told = as_list(await self.transport.soap("u", body, "undeleting records"))
            written += [Written(id, *_failure(one)) for id, one in zip(some, told, strict=True)]
        return written

    async def convert(self, lead: str, status: str, **more: str | bool) -> Row:
        """Convert a lead; `more` are further elements such as `accountId`. Returns the ids of what came of it.

        Raises:
            Refusal: The org rejects the call.
        """
        given = {"leadId": lead, **more, "convertedStatus": status}
        wanted = {name: given[name] for name in _LEAD_CONVERT if name in given}
        body = f'<convertLead xmlns="{PARTNER}"><leadConverts>{elements(wanted)}</leadConverts></convertLead>'
        result = await self.transport.soap("u", body, f"converting the lead {escape(lead)}")
        code, message = _failure(result)
        if code:
            raise Refusal(f"converting the lead {lead}: {code}: {message}", code)
        return dict(result)

    async def archive_article(self, version: str) -> None:
        """Archive a published article; a draft is unchanged.

        Raises:
            Refusal: The org rejects the call.
        """
        await self.transport.rest("PATCH", _article(version), {"publishStatus": "Archived"}, harmless=True)

    async def delete_article(self, version: str) -> None:
        """Delete an article that is a draft or archived.

        Raises:
            Refusal: The org rejects the call.
        """
        await self.transport.rest("DELETE", _article(version))

    # How

    async def _collections(self, method: str, records: Sequence[Mapping[str, Any]]) -> list[Written]:
        written: list[Written] = []
        for some in _chunks(records, MANY):
            body = {"allOrNone": False, "records": some}
            told = await self.transport.rest(method, "/composite/sobjects", body, harmless=method == "PATCH")
            written += [Written(str(one.get("id") or ""), *_failure(one)) for one in told]
        return written

    async def _batched(self, urls: Sequence[str]) -> list[Any]:
        """Return what several reads give."""
        calls = [self._batch(some) for some in _chunks(urls, BATCH)]
        return [one for many in await asyncio.gather(*calls) for one in many]

    async def _batch(self, urls: Sequence[str]) -> list[Any]:
        body = {"batchRequests": [{"method": "GET", "url": url} for url in urls]}
        told = await self.transport.rest("POST", "/composite/batch", body, harmless=True)
        for url, one in zip(urls, told["results"], strict=True):
            if one["statusCode"] >= 400:
                where = f"the org at {self.transport.address}: GET {_shortened(url)}"
                raise refused(one["result"], one["statusCode"], where)
        return [one["result"] for one in told["results"]]

    async def _pages(self, page: Mapping[str, Any]) -> Any:
        while True:
            for record in page["records"]:
                yield record
            if page.get("done", True):
                return
            following = page.get("nextRecordsUrl")
            if not following:
                raise EnvironmentFailure(
                    f"the org at {self.transport.address} cut a result without a next page"
                )
            page = await self.transport.rest("GET", following)


_LEAD_CONVERT = (
    "accountId",
    "contactId",
    "convertedStatus",
    "doNotCreateOpportunity",
    "leadId",
    "opportunityName",
    "overwriteLeadSource",
    "ownerId",
    "sendNotificationEmail",
)


def plain(record: Mapping[str, Any]) -> Row:
    """Return a record without what the interface says of it; parents and children are plain, too."""
    found: Row = {}
    for name, value in record.items():
        if name == "attributes":
            continue
        if isinstance(value, Mapping):
            value = [plain(one) for one in value["records"]] if "records" in value else plain(value)
        found[name] = value
    return found


def _failure(told: Mapping[str, Any]) -> tuple[str | None, str]:
    if told.get("success"):
        return None, ""
    first: Mapping[str, Any] = next(iter(as_list(told.get("errors"))), {})
    return str(first.get("statusCode") or "UNKNOWN_EXCEPTION"), str(first.get("message") or "")


def _base(tooling: bool) -> str:
    return "/tooling/sobjects" if tooling else "/sobjects"


def _article(version: str) -> str:
    return f"/knowledgeManagement/articleVersions/masterVersions/{quote(version)}"


def _chunks(things: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for start in range(0, len(things), size):
        yield things[start : start + size]


def _shortened(url: str) -> str:
    return url if len(url) <= 80 else f"{url[:80]}…"
