"""Retrieving: a manifest becomes a zip of the components that it names."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.components import names
from salesforce_org.metadata.files import write_files
from salesforce_org.metadata.listing import properties
from salesforce_org.metadata.objects import Objects
from salesforce_org.metadata.package import Manifest, pack, write_manifest
from salesforce_org.metadata.registry import FOLDERS, TYPES, Type
from salesforce_org.store import Org

Chosen = dict[Type, list[str]]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """A finished retrieval, as it is told when somebody asks."""

    id: str
    properties: list[dict[str, Any]]
    messages: list[dict[str, str]]
    zip: bytes

    def told(self, *, with_zip: bool) -> dict[str, Any]:
        """Return it in the form of Salesforce's RetrieveResult."""
        told: dict[str, Any] = {
            "done": True,
            "fileProperties": self.properties,
            "id": self.id,
            "messages": self.messages,
            "status": "Succeeded",
            "success": True,
        }
        return told | ({"zipFile": b64encode(self.zip).decode()} if with_zip else {})


def retrieve(org: Org, id: str, manifest: Manifest, *, single: bool) -> Retrieval:
    """Return the components that a manifest names; a single package has no folder around it."""
    prefix = "" if single else "unpackaged/"
    messages: list[dict[str, str]] = []
    chosen = _chosen(org, manifest, messages, prefix)
    files = [(prefix + path, body) for path, body in write_files(org, chosen)]
    members: dict[str, tuple[str, ...]] = {}
    for type, own in chosen.items():
        named = FOLDERS[type.name].name if type.name in FOLDERS else type.name
        members[named] = (*members.get(named, ()), *own)
    listed = [properties(org, type, name, prefix) for type, own in chosen.items() for name in own]
    package = f"{prefix}package.xml"
    files.append((package, write_manifest(Manifest(members, manifest.version))))
    listed.append(_package(org, package))
    return Retrieval(id, listed, messages, pack(files))


def _package(org: Org, path: str) -> dict[str, Any]:
    layout = properties(org, TYPES["Layout"], "package")
    return {**layout, "fileName": path, "fullName": path, "id": "", "type": "Package"}


def _chosen(org: Org, manifest: Manifest, messages: list[dict[str, str]], prefix: str) -> Chosen:
    chosen: Chosen = {}
    for kind, members in manifest.types.items():
        type = TYPES.get(kind)
        if type is None:
            messages.append(_message(prefix, f"Entity type: '{kind}' is unknown"))
            continue
        for member in members:
            for real, name in _meant(org, type, member):
                if real.source.read(org, name) is None:
                    text = f"Entity of type '{kind}' named '{name}' cannot be found"
                    messages.append(_message(prefix, text))
                elif name not in chosen.setdefault(real, []):
                    chosen[real].append(name)
    return chosen


def _meant(org: Org, type: Type, member: str) -> Iterator[tuple[Type, str]]:
    """Yield the components that a member means: all of a type, a folder, or the one of the name."""
    if member == "*":
        custom = isinstance(type.source, Objects)  # a wildcard does not reach standard objects
        yield from ((type, name) for name in names(org, type) if not custom or name.endswith("__c"))
    elif type.in_folders and "/" not in member:
        yield TYPES[type.folders], member
    else:
        yield type, member


def _message(prefix: str, text: str) -> dict[str, str]:
    return {"fileName": f"{prefix}package.xml", "problem": text}
