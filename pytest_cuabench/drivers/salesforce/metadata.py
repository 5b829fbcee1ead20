"""Metadata of an org: list, read, retrieve and deploy over the SOAP API."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.snapshot import Component
from pytest_cuabench.drivers.salesforce.soap import METADATA, as_list, document, elements, parse, tree
from pytest_cuabench.drivers.salesforce.transport import Transport
from pytest_cuabench.errors import EnvironmentFailure

Members = Mapping[str, Sequence[str]]
_READ_SIZE = 10  # components in one call of readMetadata
_LIST_SIZE = 3  # queries in one call of listMetadata
_PAUSES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)  # seconds between two status requests; the last one is repeated
_PATIENCE = 300.0
_LARGEST = 64 * 2**20  # bytes that a zip may unpack to
# Post: destroyed after the deployment, which may first remove references.
PACKAGE, DESTRUCTIVE = "package.xml", "destructiveChangesPost.xml"
# Types whose components are entries of their object's file, and the elements that hold them.
IN_OBJECT = {
    "BusinessProcess": "businessProcesses",
    "CompactLayout": "compactLayouts",
    "CustomField": "fields",
    "FieldSet": "fieldSets",
    "ListView": "listViews",
    "RecordType": "recordTypes",
    "ValidationRule": "validationRules",
    "WebLink": "webLinks",
}


class MetadataClient:
    """The Metadata API of one org."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def types(self) -> dict[str, Mapping[str, Any]]:
        """Return all metadata types, each with its folder and file suffix."""
        reply = await self._call(
            "describeMetadata", {"asOfVersion": self._transport.version}, idempotent=True
        )
        return {one["xmlName"]: one for one in as_list(reply["metadataObjects"])}

    async def names(self) -> frozenset[str]:
        """Return the names of all metadata types, including child types such as CustomField."""
        whole = await self.types()
        parts = (as_list(one.get("childXmlNames") or []) for one in whole.values())
        return frozenset(whole) | {str(name) for some in parts for name in some}

    async def list(self, kinds: Sequence[str]) -> list[Mapping[str, Any]]:
        """Return the properties of all components of some types."""
        found: list[Mapping[str, Any]] = []
        for start in range(0, len(kinds), _LIST_SIZE):
            queries = [{"type": kind} for kind in kinds[start : start + _LIST_SIZE]]
            wanted = {"queries": queries, "asOfVersion": self._transport.version}
            found += as_list(await self._call("listMetadata", wanted, idempotent=True))
        return found

    async def read(self, kind: str, names: Sequence[str]) -> dict[str, Mapping[str, Any]]:
        """Return components of a type as trees by full name; missing ones are left out."""
        found: dict[str, Mapping[str, Any]] = {}
        for start in range(0, len(names), _READ_SIZE):
            wanted = {"type": kind, "fullNames": list(names[start : start + _READ_SIZE])}
            reply = await self._call("readMetadata", wanted, idempotent=True)
            for one in as_list((reply or {}).get("records")):
                if one and one.get("fullName"):
                    found[one["fullName"]] = {k: v for k, v in one.items() if k != "fullName"}
        return found

    async def retrieve(self, members: Members) -> dict[str, dict[str, Component]]:
        """Return components by type and full name, each with its deployable file.

        Raises:
            OrgError: The org rejects the call.
            EnvironmentFailure: It does not answer, or the request does not finish in time.
        """
        wanted = {
            "retrieveRequest": {
                "apiVersion": self._transport.version,
                "singlePackage": True,
                "unpackaged": {**_types(members), "version": self._transport.version},
            }
        }
        begun = await self._call("retrieve", wanted)
        done = await self._until_done("checkRetrieveStatus", begun["id"], "retrieving metadata")
        if not done.get("success", True):
            raise OrgError(
                f"retrieving metadata: {done.get('errorMessage')}", str(done.get("errorStatusCode"))
            )
        return _components(done)

    async def deploy(self, components: Mapping[str, Mapping[str, Component]], destroyed: Members) -> None:
        """Deploy components by type and full name, and destroy others, in one transaction.

        Raises:
            OrgError: Something cannot be deployed; the message names the first.
            EnvironmentFailure: The org does not answer, or the deployment does not finish in time.
        """
        files = {one.path: one.text for table in components.values() for one in table.values()}
        members = {kind: list(table) for kind, table in components.items()}
        packed = {PACKAGE: self._package(members), **files}
        if any(destroyed.values()):
            packed[DESTRUCTIVE] = self._package(destroyed)
        options = {"rollbackOnError": True, "singlePackage": True, "purgeOnDelete": False}
        begun = await self._call("deploy", {"ZipFile": _zipped(packed), "DeployOptions": options})
        done = await self._until_done("checkDeployStatus", begun["id"], "deploying metadata", details=True)
        if not done.get("success"):
            raise OrgError(
                f"deploying metadata: {_problem(done)}", str(done.get("errorStatusCode") or "FAILED")
            )

    def _package(self, members: Members) -> str:
        return document("Package", [elements({**_types(members), "version": self._transport.version})])

    async def _until_done(
        self, call: str, id: str, doing: str, *, details: bool = False
    ) -> Mapping[str, Any]:
        more = {"includeDetails": True} if details else {"includeZip": True}
        name = "asyncProcessId"
        waited = 0.0
        for number in range(10_000):
            reply = await self._call(call, {name: id, **more}, idempotent=True)
            if reply["done"]:
                return dict(reply)
            pause = _PAUSES[min(number, len(_PAUSES) - 1)]
            waited += pause
            if waited > _PATIENCE:
                break
            await self._transport.pause(pause)
        raise EnvironmentFailure(
            f"{doing} took the org more than {_PATIENCE:g} s; it may still finish ({id})"
        )

    async def _call(self, name: str, wanted: Mapping[str, Any], *, idempotent: bool = False) -> Any:
        body = f'<{name} xmlns="{METADATA}">{elements(wanted)}</{name}>'
        return await self._transport.soap("m", body, f"metadata: {name}", idempotent=idempotent)


def _types(members: Members) -> dict[str, Any]:
    return {
        "types": [
            {"members": sorted(names), "name": kind} for kind, names in sorted(members.items()) if names
        ]
    }


def _problem(done: Mapping[str, Any]) -> str:
    details = done.get("details") or {}
    failures = as_list(details.get("componentFailures")) if isinstance(details, Mapping) else []
    if failures:
        first = failures[0]
        return f"{first.get('componentType') or ''} {first.get('fullName')}: {first.get('problem')}".strip()
    return str(done.get("errorMessage") or done.get("status"))


def _zipped(files: Mapping[str, str]) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return base64.b64encode(packed.getvalue()).decode()


def _components(done: Mapping[str, Any]) -> dict[str, dict[str, Component]]:
    files = dict(_unzipped(done["zipFile"]))
    found: dict[str, dict[str, Component]] = {}
    for one in as_list(done.get("fileProperties")):
        path = str(one["fileName"]).removeprefix("unpackaged/")
        text = files.get(path)
        if one["type"] == "Package" or text is None:
            continue
        parsed = tree(parse(text, f"metadata: {path}"))
        shown = _own(one["type"], one["fullName"], parsed) if isinstance(parsed, Mapping) else {}
        created = str(one.get("createdDate") or "")
        found.setdefault(one["type"], {})[one["fullName"]] = Component(shown, path, text, created)
    return found


def _own(kind: str, name: str, parsed: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the part of a file that is the component, without its name: for most types the whole file."""
    if kind not in IN_OBJECT:
        return parsed
    # Full names may be encoded as in addresses, such as %2F, so both are decoded.
    own = unquote(name).partition(".")[2]
    found = (entry for entry in parsed.get(IN_OBJECT[kind], ()) if unquote(entry["fullName"]) == own)
    return {key: value for key, value in next(found, {}).items() if key != "fullName"}


def _unzipped(text: str) -> Iterator[tuple[str, str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(text))) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _LARGEST:
                raise EnvironmentFailure("the org sent metadata that is too large to unpack")
            for entry in archive.infolist():
                if not entry.is_dir():
                    path = entry.filename.removeprefix("unpackaged/")
                    yield path, archive.read(entry).decode("utf-8", "replace")
    except (zipfile.BadZipFile, ValueError):
        raise EnvironmentFailure("the org sent metadata that is not a zip file") from None
