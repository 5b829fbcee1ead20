"""A live org in memory, for what only a live org does: refusals, limits, production, a connection that breaks.

It speaks the interfaces as strictly as the real one: unknown fields, objects and ids are refused with its codes, what
is not deletable is not deleted, children go with their parents into the recycle bin, and ids are never used twice.
Its limits are those that are documented: calls of a day, locked rows, deployments that wait, tokens that expire.
"""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, unquote
from xml.etree import ElementTree as ET

import httpx2

ADDRESS = "https://acme-dev-ed.develop.my.salesforce.com"
TOKEN = "00Dxx0000001gPL!very.secret"
DATA = "/services/data/v62.0"
LONG_AGO = "2020-01-01T00:00:00.000Z"
READ_ONLY = {"createable": False, "updateable": False}


class Killed(BaseException):
    """The process was killed; nothing that handles ordinary errors sees it."""


class Refuse(Exception):
    """The org says no."""

    def __init__(self, code: str, message: str = "no", status: int = 400) -> None:
        super().__init__(code)
        self.code, self.message, self.status = code, message, status


def field_of(name: str, type: str = "string", **more: Any) -> dict[str, Any]:
    """Return a field as a describe tells it."""
    return {"name": name, "type": type, "createable": True, "updateable": True, "nillable": True, **more}


def reference(name: str, *to: str, **more: Any) -> dict[str, Any]:
    """Return a reference; `cascade` and `restrict` say what becomes of it when the target is deleted."""
    return field_of(name, "reference", referenceTo=list(to), **more)


SYSTEM = [
    field_of("Id", "id", **READ_ONLY, nillable=False),
    field_of("CreatedDate", "datetime", **READ_ONLY, nillable=False),
    field_of("LastModifiedDate", "datetime", **READ_ONLY, nillable=False),
    field_of("IsDeleted", "boolean", **READ_ONLY, nillable=False),
]
NAME = field_of("Name", nameField=True, nillable=False)
OBJECTS: dict[str, tuple[str, list[dict[str, Any]], dict[str, Any]]] = {
    "Account": ("001", [NAME, field_of("Industry"), reference("ParentId", "Account")], {}),
    "Contact": (
        "003",
        [
            field_of("LastName", nillable=False),
            field_of("Name", nameField=True, **READ_ONLY),
            field_of("Email"),
            reference("AccountId", "Account", cascade=True),
        ],
        {},
    ),
    "Opportunity": (
        "006",
        [
            NAME,
            field_of("StageName"),
            field_of("Amount", "currency"),
            reference("AccountId", "Account", cascade=True),
        ],
        {},
    ),
    "Case": (
        "500",
        [
            field_of("CaseNumber", nameField=True, autoNumber=True, **READ_ONLY),
            field_of("Subject"),
            reference("AccountId", "Account"),
        ],
        {},
    ),
    "Product2": ("01t", [NAME], {}),
    "PricebookEntry": (
        "01u",
        [
            reference("Product2Id", "Product2", updateable=False, restrict=True),
            field_of("UnitPrice", "currency"),
        ],
        {"undeletable": False},
    ),
    "Lead": (
        "00Q",
        [
            field_of("LastName", nillable=False),
            field_of("Company"),
            field_of("Status"),
            field_of("IsConverted", "boolean", **READ_ONLY),
            reference("ConvertedAccountId", "Account", **READ_ONLY),
        ],
        {},
    ),
    "CampaignMember": (
        "00v",
        [reference("LeadId", "Lead", cascade=True), field_of("Status")],
        {"undeletable": False},
    ),
    "User": (
        "005",
        [field_of("Username"), field_of("LastName"), field_of("Alias"), field_of("IsActive", "boolean")],
        {"deletable": False, "undeletable": False},
    ),
    "UserLogin": (
        "0Yw",
        [reference("UserId", "User", **READ_ONLY), field_of("IsFrozen", "boolean", createable=False)],
        {"deletable": False, "createable": False, "undeletable": False},
    ),
    "Knowledge__kav": (
        "ka0",
        [field_of("Title", nameField=True), field_of("PublishStatus", **READ_ONLY)],
        {"undeletable": False},
    ),
    "ListView": (
        "00B",
        [NAME, field_of("DeveloperName"), field_of("SobjectType")],
        {"deletable": False, "createable": False, "updateable": False, "undeletable": False},
    ),
    "Organization": (
        "00D",
        [
            NAME,
            field_of("OrganizationType"),
            field_of("IsSandbox", "boolean"),
            field_of("TrialExpirationDate", "date"),
            field_of("NamespacePrefix"),
        ],
        {"deletable": False},
    ),
}


@dataclass
class FakeOrg:
    """The org.

    Attributes:
        refusals: Called before every request with method and path; what they raise is answered.
        kill_after: Number of the request after which the process of the client dies, once the org has done it.
        page: Records in one page of a result.
        calls_left: API calls until the day's are used up.
        locked: How often a write of a record is refused because another transaction holds it, by id.
        pending: How many times a deployment or retrieval is told to be unfinished; it happens when it is finished.
        token_calls: Calls after which a token expires.
    """

    kind: str = "Developer Edition"
    sandbox: bool = False
    page: int = 2000
    rows: dict[str, dict[str, dict[str, Any]]] = field(default_factory=lambda: {name: {} for name in OBJECTS})
    bin: dict[str, tuple[str, dict[str, Any], str]] = field(default_factory=dict)
    components: dict[str, dict[str, str]] = field(default_factory=lambda: {"StandardValueSet": {}})
    calls: list[tuple[str, str]] = field(default_factory=list)
    stamps: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    trail: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[Callable[[str, str], None]] = field(default_factory=list)
    kill_after: int | None = None
    now: datetime = datetime(2026, 3, 3, 12, tzinfo=UTC)
    tokens: set[str] = field(default_factory=lambda: {TOKEN})
    counter: int = 0
    pages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)
    calls_left: int | None = None
    locked: dict[str, int] = field(default_factory=dict)
    pending: int = 0
    token_calls: int | None = None
    waiting: dict[str, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.insert(
            "Organization",
            Name="Acme",
            OrganizationType=self.kind,
            IsSandbox=self.sandbox,
            TrialExpirationDate=None,
        )

    def http(self) -> httpx2.AsyncClient:
        """Return a client whose requests reach this org."""
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self.answer))

    def export(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return all that counts: records without their stamps, and components."""
        stamps = ("LastModifiedDate",)
        kept = {
            name: {key: {f: v for f, v in row.items() if f not in stamps} for key, row in table.items()}
            for name, table in self.rows.items()
        }
        return {**kept, **{f"metadata/{kind}": dict(table) for kind, table in self.components.items()}}  # type: ignore[dict-item]

    # What happens in it

    def insert(self, object: str, **given: Any) -> str:
        """Store a record; the clock moves on."""
        self.counter += 1
        self.now += timedelta(seconds=1)
        prefix, fields, _ = OBJECTS[object]
        id = f"{prefix}000000{self.counter:06d}AAA"
        row: dict[str, Any] = {one["name"]: None for one in [*SYSTEM, *fields]}
        row |= {name: False for name in row if field_type(object, name) == "boolean"}
        row |= {"Id": id, "CreatedDate": stamp(self.now), "LastModifiedDate": stamp(self.now)}
        row |= {one["name"]: f"{self.counter:08d}" for one in fields if one.get("autoNumber")}
        row |= {"PublishStatus": "Draft"} if object.endswith("__kav") else {}
        self.rows[object][id] = row | given
        self._derive(object, id)
        if object == "User":
            self.insert("UserLogin", UserId=id, IsFrozen=False)
        return id

    def update(self, object: str, id: str, **given: Any) -> None:
        """Change a record."""
        self.now += timedelta(seconds=1)
        self.rows[object][id] |= {**given, "LastModifiedDate": stamp(self.now)}
        self._derive(object, id)

    def deploy(self, kind: str, name: str, text: str) -> None:
        """Create or change a metadata component."""
        self.now += timedelta(seconds=1)
        created = self.stamps.get((kind, name), (zulu(self.now), ""))[0]
        self.stamps[kind, name] = (created, zulu(self.now))
        self.components.setdefault(kind, {})[name] = text

    def delete(self, object: str, id: str, root: str | None = None) -> None:
        """Put a record and its children into the recycle bin, and empty the other references to it."""
        for other, (_, fields, _) in OBJECTS.items():
            for one in fields:
                if object in one.get("referenceTo", ()):
                    self._let_go(other, one, id, root or id)
        self.bin[id] = (object, self.rows[object].pop(id), root or id)

    def undelete(self, id: str) -> None:
        """Take a record and what went with it out of the recycle bin."""
        for key, (object, row, root) in list(self.bin.items()):
            if root == id and OBJECTS[object][2].get("undeletable", True):
                self.rows[object][key] = row
                del self.bin[key]

    def convert(self, lead: str) -> str:
        """Convert a lead and return the new account's id."""
        account = self.insert("Account", Name=self.rows["Lead"][lead]["Company"])
        self.insert("Contact", LastName=self.rows["Lead"][lead]["LastName"], AccountId=account)
        self.update("Lead", lead, IsConverted=True, ConvertedAccountId=account, Status="Qualified")
        return account

    def _derive(self, object: str, id: str) -> None:
        if object == "Contact":
            self.rows[object][id]["Name"] = self.rows[object][id]["LastName"]

    def _let_go(self, other: str, one: Mapping[str, Any], id: str, root: str) -> None:
        for key, row in list(self.rows[other].items()):
            if row.get(one["name"]) != id:
                continue
            if one.get("restrict"):
                raise Refuse("DELETE_FAILED", f"associated with {key}")
            if one.get("cascade"):
                self.delete(other, key, root)
            else:
                row[one["name"]] = None

    # How it is asked

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a request as the real one does."""
        path = request.url.path
        self.calls.append((request.method, path))
        try:
            for refusal in self.refusals:
                refusal(request.method, path)
            if path != "/services/oauth2/token":
                self._count()
            response = self._answer(request, path)
        except Refuse as no:
            body = [{"errorCode": no.code, "message": no.message}]
            soap = path.startswith("/services/Soap/")
            response = fault(no.code, no.message) if soap else httpx2.Response(no.status, json=body)
        if self.kill_after is not None and len(self.calls) >= self.kill_after:
            raise Killed
        return response

    def _count(self) -> None:
        """Count an API call against the limit of the day and the life of the tokens."""
        if self.calls_left == 0:
            raise Refuse("REQUEST_LIMIT_EXCEEDED", "TotalRequests Limit exceeded.", 403)
        if self.calls_left is not None:
            self.calls_left -= 1
        if self.token_calls is not None:
            self.token_calls -= 1
            if self.token_calls < 0:
                self.tokens.clear()
                self.token_calls = None

    def _lock(self, id: str) -> None:
        """Refuse a write of a record that another transaction holds."""
        if self.locked.get(id):
            self.locked[id] -= 1
            raise Refuse("UNABLE_TO_LOCK_ROW", "unable to obtain exclusive access to this record")

    def _answer(self, request: httpx2.Request, path: str) -> httpx2.Response:
        if path == "/services/oauth2/token":
            return self._token(parse_qs(request.content.decode()))
        if path.startswith("/services/Soap/"):
            return self._soap(request)
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            raise Refuse("INVALID_SESSION_ID", "Session expired or invalid", 401)
        if path == "/services/data":
            return httpx2.Response(200, json=[{"version": "61.0"}, {"version": "62.0"}])
        if path == "/services/oauth2/singleaccess":
            return httpx2.Response(200, json={"frontdoor_uri": f"{ADDRESS}/secur/frontdoor.jsp?otp=once"})
        body = json.loads(request.content) if request.content else None
        query = {name: values[0] for name, values in parse_qs(request.url.query.decode()).items()}
        found = self._rest(request.method, path.removeprefix(DATA), query, body)
        return httpx2.Response(204) if found is None else httpx2.Response(200, json=found)

    def _token(self, form: dict[str, list[str]]) -> httpx2.Response:
        if form.get("client_secret") != ["app-secret"]:
            return httpx2.Response(
                400, json={"error": "invalid_client", "error_description": "invalid client credentials"}
            )
        self.tokens.add(f"{TOKEN}{len(self.tokens)}")
        return httpx2.Response(200, json={"access_token": max(self.tokens, key=len), "instance_url": ADDRESS})

    def _rest(self, method: str, path: str, query: dict[str, str], body: Any) -> Any:
        match path.strip("/").split("/"):
            case ["sobjects"]:
                return {"sobjects": [{"name": name, "queryable": True} for name in OBJECTS]}
            case ["sobjects", object, "describe"]:
                return self._describe(object)
            case ["sobjects", object]:
                return {"id": self._create(object, body), "success": True, "errors": []}
            case ["sobjects", object, id]:
                return self._write(method, object, id, body)
            case ["query", locator]:
                return self._page(locator)
            case ["query"] if " FROM SetupAuditTrail " in query["q"]:
                return {"done": True, "records": self.trail}
            case ["query"]:
                return self._query(query["q"])
            case ["queryAll"]:
                return self._binned(query["q"])
            case ["composite", "sobjects"]:
                return list(self._collections(method, query, body))
            case ["composite", "batch"]:
                return self._batch(body)
            case ["knowledgeManagement", "articleVersions", "masterVersions", id]:
                return self._article(method, id, body)
        raise Refuse("NOT_FOUND", "The requested resource does not exist", 404)

    def _describe(self, object: str) -> dict[str, Any]:
        if object not in OBJECTS:
            raise Refuse("NOT_FOUND", "The requested resource does not exist", 404)
        _, fields, more = OBJECTS[object]
        allowed = {"createable": True, "updateable": True, "deletable": True, "undeletable": True}
        return {"name": object, "fields": [*SYSTEM, *fields], **allowed, **more}

    def _query(self, soql: str) -> dict[str, Any]:
        parsed = re.fullmatch(r"SELECT (.+?) FROM (\w+)(?: WHERE Id = '(\w+)')?", soql)
        if not parsed or parsed[2] not in OBJECTS:
            raise Refuse("MALFORMED_QUERY", soql)
        names = parsed[1].split(", ")
        known = {one["name"] for one in [*SYSTEM, *OBJECTS[parsed[2]][1]]}
        if unknown := set(names) - known:
            raise Refuse("INVALID_FIELD", f"No such column {unknown}")
        chosen = [row for row in self.rows[parsed[2]].values() if parsed[3] in (None, row["Id"])]
        records = [{"attributes": {"type": parsed[2]}, **{n: row[n] for n in names}} for row in chosen]
        locator = f"01g{len(self.pages)}"
        self.pages[locator] = records
        return self._page(f"{locator}-0")

    def _binned(self, soql: str) -> dict[str, Any]:
        parsed = re.fullmatch(r"SELECT .+ FROM (\w+) WHERE IsDeleted = true AND CreatedDate >= (\S+)", soql)
        assert parsed is not None
        rows = [row for object, row, _ in self.bin.values() if object == parsed[1]]
        return {"done": True, "records": [row for row in rows if row["CreatedDate"][:19] >= parsed[2][:19]]}

    def _page(self, locator: str) -> dict[str, Any]:
        name, _, start = locator.partition("-")
        records, end = self.pages[name], int(start) + self.page
        more = {"nextRecordsUrl": f"{DATA}/query/{name}-{end}"} if end < len(records) else {}
        return {"totalSize": len(records), "done": not more, "records": records[int(start) : end], **more}

    def _create(self, object: str, body: dict[str, Any]) -> str:
        self._check(object, body, "createable")
        missing = [
            one["name"] for one in OBJECTS[object][1] if not one["nillable"] and body.get(one["name"]) is None
        ]
        if missing:
            raise Refuse("REQUIRED_FIELD_MISSING", f"Required fields are missing: {missing}")
        return self.insert(object, **body)

    def _write(self, method: str, object: str, id: str, body: Any) -> None:
        self._lock(id)
        if id in self.bin:
            raise Refuse("ENTITY_IS_DELETED", "entity is deleted", 404)
        if id not in self.rows.get(object, {}):
            raise Refuse("NOT_FOUND", "Provided external ID field does not exist", 404)
        if method == "PATCH":
            self._check(object, body, "updateable")
            self.update(object, id, **body)
        elif not OBJECTS[object][2].get("deletable", True):
            raise Refuse("INSUFFICIENT_ACCESS_OR_READONLY", "cannot be deleted")
        elif object.endswith("__kav") and self.rows[object][id]["PublishStatus"] == "Online":
            raise Refuse("DELETE_FAILED", "published")
        else:
            self._whole_delete(object, id)

    def _whole_delete(self, object: str, id: str) -> None:
        saved = (
            {name: {key: dict(row) for key, row in table.items()} for name, table in self.rows.items()},
            dict(self.bin),
        )
        try:
            self.delete(object, id)
        except Refuse:
            self.rows, self.bin = saved
            raise

    def _check(self, object: str, body: dict[str, Any], right: str) -> None:
        known = {one["name"]: one for one in OBJECTS[object][1]}
        for name, value in body.items():
            if name not in known or not known[name][right]:
                raise Refuse("INVALID_FIELD_FOR_INSERT_UPDATE", f"Unable to create/update fields: {name}")
            if known[name].get("referenceTo") and value is not None and not self._of(value):
                raise Refuse("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")

    def _of(self, id: str) -> str | None:
        return next((name for name, table in self.rows.items() if id in table), None)

    def _collections(self, method: str, query: dict[str, str], body: Any) -> Iterator[dict[str, Any]]:
        things = query["ids"].split(",") if method == "DELETE" else body["records"]
        assert len(things) <= 200
        for one in things:
            try:
                yield {"id": self._one(method, one), "success": True, "errors": []}
            except Refuse as no:
                error = {"statusCode": no.code, "message": no.message, "fields": []}
                yield {"success": False, "errors": [error]}

    def _one(self, method: str, one: Any) -> str:
        if method == "DELETE":
            if one in self.bin:
                raise Refuse("ENTITY_IS_DELETED", "entity is deleted")
            self._write("DELETE", self._of(one) or "", one, None)
            return str(one)
        fields = {name: value for name, value in one.items() if name not in ("attributes", "id")}
        if method == "POST":
            return self._create(one["attributes"]["type"], fields)
        self._write("PATCH", one["attributes"]["type"], one["id"], fields)
        return str(one["id"])

    def _batch(self, body: Any) -> dict[str, Any]:
        requests = body["batchRequests"]
        assert len(requests) <= 25
        results = []
        for one in requests:
            path, _, query = one["url"].partition("?")
            values = {name: found[0] for name, found in parse_qs(query).items()}
            try:
                found = self._rest(one["method"], unquote(path).removeprefix("v62.0"), values, None)
                results.append({"statusCode": 200, "result": found})
            except Refuse as no:
                results.append(
                    {"statusCode": no.status, "result": [{"errorCode": no.code, "message": no.message}]}
                )
        return {"hasErrors": any(one["statusCode"] >= 400 for one in results), "results": results}

    def _article(self, method: str, id: str, body: Any) -> None:
        object = "Knowledge__kav"
        if method == "PATCH" and self.rows[object][id]["PublishStatus"] == "Draft":
            raise Refuse("INVALID_ARTICLE_PUBLISH_STATE", "not published")
        if method == "PATCH":
            self.update(object, id, PublishStatus=body["publishStatus"])
        else:
            self._write("DELETE", object, id, None)

    # SOAP

    def _soap(self, request: httpx2.Request) -> httpx2.Response:
        root = ET.fromstring(request.content)
        token = next((node.text for node in root.iter() if node.tag.endswith("sessionId")), None)
        call = root[-1][0]
        name = call.tag.rpartition("}")[2]
        if name != "login" and token not in self.tokens:
            return fault("INVALID_SESSION_ID", "Invalid Session ID found in SessionHeader")
        try:
            return reply(name, self._called(name, call))
        except Refuse as no:
            return fault(no.code, no.message)

    def _called(self, name: str, call: ET.Element) -> str:
        text = {node.tag.rpartition("}")[2]: node.text or "" for node in call.iter()}
        match name:
            case "login":
                if text["password"] != "pass&wordTOKEN":
                    raise Refuse(
                        "INVALID_LOGIN", "Invalid username, password, security token; or user locked out."
                    )
                address = f"{ADDRESS}/services/Soap/u/62.0/x"
                return f"<result><serverUrl>{address}</serverUrl><sessionId>{TOKEN}</sessionId></result>"
            case "getServerTimestamp":
                return f"<result><timestamp>{self.now.isoformat().replace('+00:00', '.000Z')}</timestamp></result>"
            case "getUserInfo":
                return "<result><userId>005000000000001AAA</userId><userTimeZone>Europe/Berlin</userTimeZone></result>"
            case "undelete":
                return "".join(self._undeleted(node.text or "") for node in call)
            case "retrieve":
                return f"<result><id>{self._retrieve(call)}</id></result>"
            case "checkRetrieveStatus":
                return self._unfinished(text["asyncProcessId"]) or self.results[text["asyncProcessId"]]
            case "deploy":
                id = f"0Af{len(self.waiting)}"
                self.waiting[id] = [self.pending, text["ZipFile"]]
                return f"<result><done>false</done><id>{id}</id><state>Queued</state></result>"
            case "checkDeployStatus":
                id = text["asyncProcessId"]
                if unfinished := self._unfinished(id):
                    return unfinished
                self._deploy(self.waiting.pop(id)[1])
                return "<result><done>true</done><success>true</success><status>Succeeded</status></result>"
            case "listMetadata":
                asked = {node.text for node in call.iter() if node.tag.rpartition("}")[2] == "type"}
                return "".join(
                    self._listed(kind, name) for kind in asked for name in self.components[kind or ""]
                )
            case "describeMetadata":
                kinds = "".join(
                    f"<metadataObjects><xmlName>{kind}</xmlName></metadataObjects>"
                    for kind in self.components
                )
                return f"<result>{kinds}</result>"
        raise Refuse("INVALID_OPERATION", name)

    def _unfinished(self, id: str) -> str:
        """Return the status of a job that is not finished yet; empty where it is."""
        job = self.waiting.setdefault(id, [self.pending, ""])
        if not job[0]:
            return ""
        state = "Pending" if job[0] == self.pending else "InProgress"
        job[0] -= 1
        return f"<result><done>false</done><id>{id}</id><success>false</success><status>{state}</status></result>"

    def _listed(self, kind: str | None, name: str) -> str:
        created, changed = self.stamps.get((kind or "", name), (LONG_AGO, LONG_AGO))
        dates = f"<createdDate>{created}</createdDate><lastModifiedDate>{changed}</lastModifiedDate>"
        return f"<result>{dates}<fullName>{name}</fullName><type>{kind}</type></result>"

    def _undeleted(self, id: str) -> str:
        try:
            self._lock(id)
        except Refuse as no:
            error = f"<message>{no.message}</message><statusCode>{no.code}</statusCode>"
            return f"<result><errors>{error}</errors><id>{id}</id><success>false</success></result>"
        if id not in self.bin or not OBJECTS[self.bin[id][0]][2].get("undeletable", True):
            error = "<message>not in the recycle bin</message><statusCode>UNDELETE_FAILED</statusCode>"
            return f"<result><errors>{error}</errors><id>{id}</id><success>false</success></result>"
        self.undelete(id)
        return f"<result><id>{id}</id><success>true</success></result>"

    def _retrieve(self, call: ET.Element) -> str:
        packed, properties = io.BytesIO(), ""
        with zipfile.ZipFile(packed, "w") as archive:
            for kind, table in self.components.items():
                for name, text in table.items() if kind == "StandardValueSet" else ():
                    path = f"standardValueSets/{name}.standardValueSet"
                    archive.writestr(path, text)
                    created = self.stamps.get((kind, name), (LONG_AGO, ""))[0]
                    properties += (
                        f"<fileProperties><createdDate>{created}</createdDate><fileName>{path}</fileName>"
                        f"<fullName>{name}</fullName><type>{kind}</type></fileProperties>"
                    )
        zipped = base64.b64encode(packed.getvalue()).decode()
        id = f"09S{len(self.results)}"
        self.results[id] = (
            f"<result><done>true</done>{properties}<success>true</success><zipFile>{zipped}</zipFile></result>"
        )
        return id

    def _deploy(self, zipped: str) -> None:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(zipped))) as archive:
            for path in archive.namelist():
                if path.startswith("standardValueSets/"):
                    name = path.split("/")[1].partition(".")[0]
                    self.components["StandardValueSet"][name] = archive.read(path).decode()
                if path.startswith("destructiveChanges"):
                    self._destroy(ET.fromstring(archive.read(path)))

    def _destroy(self, package: ET.Element) -> None:
        for types in package:
            told = [(node.tag.rpartition("}")[2], node.text or "") for node in types]
            kind = next((text for tag, text in told if tag == "name"), "")
            for name in (text for tag, text in told if tag == "members"):
                self.components[kind].pop(name)
                if kind == "ListView":
                    views = self.rows["ListView"]
                    gone = [key for key, row in views.items() if name.endswith(f".{row['DeveloperName']}")]
                    for key in gone:
                        del views[key]


def field_type(object: str, name: str) -> str:
    """Return the type of a field."""
    return next(str(one["type"]) for one in [*SYSTEM, *OBJECTS[object][1]] if one["name"] == name)


def stamp(when: datetime) -> str:
    """Return a moment as the REST interface writes it."""
    return when.strftime("%Y-%m-%dT%H:%M:%S.000+0000")


def zulu(when: datetime) -> str:
    """Return a moment as the SOAP interface writes it."""
    return when.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def reply(name: str, inside: str) -> httpx2.Response:
    """Return a SOAP reply."""
    body = f"<{name}Response>{inside}</{name}Response>"
    return httpx2.Response(200, text=_enveloped(body))


def fault(code: str, text: str) -> httpx2.Response:
    """Return a SOAP fault."""
    body = f"<soapenv:Fault><faultcode>sf:{code}</faultcode><faultstring>{code}: {text}</faultstring></soapenv:Fault>"
    return httpx2.Response(500, text=_enveloped(body))


def _enveloped(body: str) -> str:
    space = "http://schemas.xmlsoap.org/soap/envelope/"
    return f'<soapenv:Envelope xmlns:soapenv="{space}"><soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>'
