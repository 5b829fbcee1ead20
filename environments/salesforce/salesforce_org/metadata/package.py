"""Packages: zips with a manifest and one file a component, read with care and written the same way each time."""

from __future__ import annotations

import binascii
import io
import re
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element as Node  # building only
from xml.etree.ElementTree import SubElement

from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.trees import NAMESPACE, local, parse, whole, written

MOST_FILES = 10_000
MOST_BYTES = 39 * 1024 * 1024
MOST_UNPACKED = 200 * 1024 * 1024
_MOMENT = (2026, 1, 1, 0, 0, 0)
DESTRUCTIVE = ("destructiveChangesPre.xml", "destructiveChanges.xml", "destructiveChangesPost.xml")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a `package.xml` or a list of deletions names.

    Attributes:
        types: Full names by type; `*` stands for all.
    """

    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    version: str = ""


def read_manifest(node: Node, version: str = "") -> Manifest:
    """Read a manifest, whatever namespace its elements are in; the version is told where it tells none.

    Raises:
        MetadataError: A type has no name.
    """
    types: dict[str, tuple[str, ...]] = {}
    for child in node:
        if local(child) == "version":
            version = (child.text or "").strip() or version
        if local(child) == "types":
            name, members = _members(child)
            types[name] = tuple(dict.fromkeys((*types.get(name, ()), *members)))
    return Manifest(types, version)


def _members(node: Node) -> tuple[str, list[str]]:
    texts = [(local(one), (one.text or "").strip()) for one in node]
    name = next((text for tag, text in texts if tag == "name" and text), "")
    if not name:
        raise MetadataError("INVALID_CONTENT", "A list of types in package.xml has no name")
    return name, [text for tag, text in texts if tag == "members" and text]


def write_manifest(manifest: Manifest) -> bytes:
    """Return a manifest as a file."""
    root = Node(f"{{{NAMESPACE}}}Package")
    for name in sorted(manifest.types):
        types = SubElement(root, f"{{{NAMESPACE}}}types")
        for member in manifest.types[name]:
            SubElement(types, f"{{{NAMESPACE}}}members").text = written(member)
        SubElement(types, f"{{{NAMESPACE}}}name").text = name
    SubElement(root, f"{{{NAMESPACE}}}version").text = manifest.version
    return whole(root)


def decode(text: str) -> bytes:
    """Return what base64 text stands for.

    Raises:
        MetadataError: It is none, or too much.
    """
    try:
        raw = b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise MetadataError("INVALID_CONTENT", "The zip file is not valid base64") from None
    if len(raw) > MOST_BYTES:
        raise MetadataError(
            "LIMIT_EXCEEDED", f"Maximum size of request reached. Maximum size is {MOST_BYTES} bytes."
        )
    return raw


def unpack(raw: bytes) -> dict[str, bytes]:
    """Return the files of a zip by their path below its manifest.

    Raises:
        MetadataError: It is no zip, it is too large, a path leads out of it, or it has no manifest.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = [one for one in archive.infolist() if not one.is_dir()]
            _limit(entries)
            files = {_confined(one.filename): _contents(archive, one) for one in entries}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise MetadataError("INVALID_CONTENT", f"The zip file cannot be read: {error}") from None
    manifests = [path for path in files if PurePosixPath(path).name == "package.xml" and path.count("/") < 2]
    if not manifests:
        raise MetadataError("INVALID_CONTENT", "No package.xml found")
    top = min(manifests, key=len).removesuffix("package.xml")
    return {path.removeprefix(top): body for path, body in files.items() if path.startswith(top)}


def _limit(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MOST_FILES:
        raise MetadataError(
            "LIMIT_EXCEEDED", f"A package may hold {MOST_FILES} files, this one has {len(entries)}"
        )
    if sum(one.file_size for one in entries) > MOST_UNPACKED:
        raise MetadataError("LIMIT_EXCEEDED", f"A package may hold {MOST_UNPACKED} bytes when it is unpacked")


def _confined(path: str) -> str:
    parts = PurePosixPath(path.replace("\\", "/")).parts
    if not parts or path.startswith(("/", "\\")) or ".." in parts or re.match(r"[A-Za-z]:", path):
        raise MetadataError("INVALID_CONTENT", f"A path in the zip file leads out of it: {path[:80]}")
    return "/".join(parts)


def _contents(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    # An entry may hold more than it says; no more than it says is read.
    with archive.open(entry) as stream:
        return stream.read(entry.file_size)


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip of files, the same for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, body in files:
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return buffer.getvalue()


def manifest_of(files: Mapping[str, bytes], name: str = "package.xml") -> Manifest:
    """Return a manifest among files; an empty one where there is none.

    Raises:
        MetadataError: It cannot be read.
    """
    return read_manifest(parse(files[name])) if name in files else Manifest()
