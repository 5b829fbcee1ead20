"""Client of a Salesforce org over its real APIs, for live orgs and the emulator."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import quote, urlencode
from xml.sax.saxutils import escape

from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.errors import BUSY, NoCallsLeft, OrgError, is_daily_limit
from pytest_cuabench.drivers.salesforce.metadata import MetadataClient
from pytest_cuabench.drivers.salesforce.soap import PARTNER, as_list, elements
from pytest_cuabench.drivers.salesforce.transport import PAUSES, Transport, error_from
from pytest_cuabench.errors import EnvironmentFailure, SettingError

Row = dict[str, Any]
_T = TypeVar("_T")
COLLECTION_SIZE = 200  # records in one call of the collections resource
BATCH_SIZE = 25  # requests in one call of the batch resource


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The result of one record of a batch write.

    Attributes:
        code: Salesforce's error code; None on success.
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
            SettingError: The org does not support it.
            EnvironmentFailure: The org refuses the sign-in or does not answer.
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
        """Return all records of a query, over all pages; `deleted` includes the recycle bin."""
        resource = f"{'/tooling' if tooling else ''}/{'queryAll' if deleted else 'query'}"
        page = await self.transport.rest("GET", resource, params={"q": soql})
        return [plain(record) async for record in self._pages(page)]

    async def read(self, queries: Sequence[str]) -> list[list[Row]]:
        """Return the records of several queries in few round trips."""
        version = self.transport.version
        urls = [f"v{version}/query?{urlencode({'q': soql}, quote_via=quote)}" for soql in queries]
        found = []
        for page in await self._batched(urls):
            found.append([plain(record) async for record in self._pages(page)])
        return found

    async def objects(self) -> dict[str, Mapping[str, Any]]:
        """Return the global describe: all objects by name."""
        reply = await self.transport.rest("GET", "/sobjects")
        return {entry["name"]: entry for entry in reply["sobjects"]}

    async def describe(self, names: Iterable[str]) -> dict[str, ObjectInfo]:
        """Describe objects; descriptions are cached."""
        wanted = list(dict.fromkeys(names))
        new = [name for name in wanted if name not in self._described]
        version = self.transport.version
        reply = await self._batched([f"v{version}/sobjects/{quote(name)}/describe" for name in new])
        self._described |= {name: ObjectInfo.from_json(one) for name, one in zip(new, reply, strict=True)}
        return {name: self._described[name] for name in wanted}

    def cache_descriptions(self, described: Mapping[str, ObjectInfo]) -> None:
        """Add descriptions to the cache."""
        self._described |= described

    def clear_descriptions(self) -> None:
        """Empty the cache of descriptions, for example after a deployment."""
        self._described.clear()

    async def organization(self) -> Row:
        """Return the organization's own record."""
        wanted = "Id, Name, OrganizationType, IsSandbox, TrialExpirationDate, NamespacePrefix"
        return (await self.query(f"SELECT {wanted} FROM Organization"))[0]  # noqa: S608 - no value in it

    async def now(self) -> str:
        """Return the org's current time in UTC as ISO 8601."""
        result = await self.transport.soap(
            "u", f'<getServerTimestamp xmlns="{PARTNER}"/>', "asking the org for its time", idempotent=True
        )
        return datetime.fromisoformat(str(result["timestamp"])).astimezone(UTC).isoformat(timespec="seconds")

    async def user(self) -> tuple[str, str]:
        """Return the id of the signed-in user, and the time zone of the pages."""
        body = f'<getUserInfo xmlns="{PARTNER}"/>'
        reply = await self.transport.soap("u", body, "asking the org who is signed in", idempotent=True)
        return str(reply["userId"]), str(reply["userTimeZone"])

    async def report(self, id: str) -> Row:
        """Describe a report."""
        return dict(await self.transport.rest("GET", f"/analytics/reports/{quote(id)}/describe"))

    async def dashboard(self, id: str) -> Row:
        """Describe a dashboard."""
        return dict(await self.transport.rest("GET", f"/analytics/dashboards/{quote(id)}/describe"))

    # Writing

    async def create(self, object: str, fields: Mapping[str, Any], *, tooling: bool = False) -> str:
        """Create a record and return its id.

        Raises:
            OrgError: The org rejects the call.
        """
        made = await self.transport.rest("POST", f"{_base(tooling)}/{quote(object)}", dict(fields))
        return str(made["id"])

    async def update(self, object: str, id: str, fields: Mapping[str, Any], *, tooling: bool = False) -> None:
        """Change fields of a record; None clears a field.

        Raises:
            OrgError: The org rejects the call.
        """
        await self.transport.rest(
            "PATCH", f"{_base(tooling)}/{quote(object)}/{quote(id)}", dict(fields), idempotent=True
        )

    async def delete(self, object: str, id: str, *, tooling: bool = False) -> None:
        """Delete a record.

        Raises:
            OrgError: The org rejects the call.
        """
        await self.transport.rest("DELETE", f"{_base(tooling)}/{quote(object)}/{quote(id)}")

    async def create_many(self, object: str, rows: Sequence[Mapping[str, Any]]) -> list[WriteResult]:
        """Create records of one object; each succeeds or fails by itself."""
        records = [{"attributes": {"type": object}, **row} for row in rows]
        return await self._collections("POST", records)

    async def update_many(self, object: str, rows: Mapping[str, Mapping[str, Any]]) -> list[WriteResult]:
        """Change records of one object, given as fields by id; each succeeds or fails by itself."""
        records = [{"attributes": {"type": object}, "id": id, **fields} for id, fields in rows.items()]
        written = await self._collections("PATCH", records)
        return [WriteResult(id, one.code, one.message) for id, one in zip(rows, written, strict=True)]

    async def delete_many(self, ids: Sequence[str]) -> list[WriteResult]:
        """Delete records; each succeeds or fails by itself."""

        async def delete(some: Sequence[str]) -> list[WriteResult]:
            query = {"ids": ",".join(some), "allOrNone": "false"}
            reply = await self.transport.rest("DELETE", "/composite/sobjects", params=query)
            return [WriteResult(id, *_failure(one)) for id, one in zip(some, reply, strict=True)]

        return await self._each(ids, delete)

    async def undelete(self, ids: Sequence[str]) -> list[WriteResult]:
        """Restore records from the recycle bin; each succeeds or fails by itself."""

        async def undelete(some: Sequence[str]) -> list[WriteResult]:
            body = f'<undelete xmlns="{PARTNER}">{elements({"ids": list(some)})}</undelete>'
            reply = as_list(await self.transport.soap("u", body, "undeleting records"))
            return [WriteResult(id, *_failure(one)) for id, one in zip(some, reply, strict=True)]

        return await self._each(ids, undelete)

    async def convert(self, lead: str, status: str, **more: str | bool) -> Row:
        """Convert a lead; `more` are further elements such as `accountId`. Returns the ids of the created records.

        Raises:
            OrgError: The org rejects the call.
        """
        given = {"leadId": lead, **more, "convertedStatus": status}
        wanted = {name: given[name] for name in _LEAD_CONVERT if name in given}
        body = f'<convertLead xmlns="{PARTNER}"><leadConverts>{elements(wanted)}</leadConverts></convertLead>'
        result = await self.transport.soap("u", body, f"converting the lead {escape(lead)}")
        code, message = _failure(result)
        if code:
            raise OrgError(f"converting the lead {lead}: {code}: {message}", code)
        return dict(result)

    async def archive_article(self, version: str) -> None:
        """Archive a published article; a draft is unchanged.

        Raises:
            OrgError: The org rejects the call.
        """
        await self.transport.rest("PATCH", _article(version), {"publishStatus": "Archived"}, idempotent=True)

    async def delete_article(self, version: str) -> None:
        """Delete an article that is a draft or archived.

        Raises:
            OrgError: The org rejects the call.
        """
        await self.transport.rest("DELETE", _article(version))

    async def delete_analytics(self, kind: str, id: str) -> None:
        """Delete one of the org's `reports` or `dashboards`.

        Raises:
            OrgError: The org rejects the call.
        """
        await self.transport.rest("DELETE", f"/analytics/{kind}/{quote(id)}")

    async def _collections(self, method: str, records: Sequence[Mapping[str, Any]]) -> list[WriteResult]:
        async def write(some: Sequence[Mapping[str, Any]]) -> list[WriteResult]:
            body = {"allOrNone": False, "records": some}
            reply = await self.transport.rest(
                method, "/composite/sobjects", body, idempotent=method == "PATCH"
            )
            return [WriteResult(str(one.get("id") or ""), *_failure(one)) for one in reply]

        return await self._each(records, write)

    async def _each(
        self, things: Sequence[_T], write: Callable[[Sequence[_T]], Awaitable[list[WriteResult]]]
    ) -> list[WriteResult]:
        """Write things in chunks, and those again that the org was too busy for, such as locked records."""
        written: list[WriteResult] = []
        for some in _chunks(things, COLLECTION_SIZE):
            written += await write(some)
        for pause in PAUSES:
            busy = [place for place, one in enumerate(written) if one.code in BUSY]
            if not busy:
                break
            await self.transport.pause(pause)
            for some_places in _chunks(busy, COLLECTION_SIZE):
                retried = await write([things[place] for place in some_places])
                for place, one in zip(some_places, retried, strict=True):
                    written[place] = one
        return written

    async def _batched(self, urls: Sequence[str]) -> list[Any]:
        """Return the results of several GET requests, by batches."""
        calls = [self._batch(some) for some in _chunks(urls, BATCH_SIZE)]
        return [one for many in await asyncio.gather(*calls) for one in many]

    async def _batch(self, urls: Sequence[str]) -> list[Any]:
        body = {"batchRequests": [{"method": "GET", "url": url} for url in urls]}
        # All requests in it are GETs, so this POST may be repeated.
        reply = await self.transport.rest("POST", "/composite/batch", body, idempotent=True)
        for url, one in zip(urls, reply["results"], strict=True):
            if one["statusCode"] >= 400:
                where = f"the org at {self.transport.address}: GET {_shortened(url)}"
                refusal = error_from(one["result"], one["statusCode"], where)
                raise NoCallsLeft(self.transport.address) if is_daily_limit(refusal) else refusal
        return [one["result"] for one in reply["results"]]

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


# In the order of the WSDL, which SOAP insists on.
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
    """Return a record without the API's `attributes`, parents and children included."""
    found: Row = {}
    for name, value in record.items():
        if name == "attributes":
            continue
        if isinstance(value, dict):  # much faster than asking for a Mapping
            value = [plain(one) for one in value["records"]] if "records" in value else plain(value)
        found[name] = value
    return found


def _failure(reply: Mapping[str, Any]) -> tuple[str | None, str]:
    if reply.get("success"):
        return None, ""
    first: Mapping[str, Any] = next(iter(as_list(reply.get("errors"))), {})
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
