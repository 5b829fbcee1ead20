"""Components as files of a package, and the components in a file."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element as Node  # building only

from salesforce_org.metadata.components import Part, parts, read
from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.listing import file_of
from salesforce_org.metadata.registry import FOLDERS, TYPES, Type
from salesforce_org.metadata.shapes import shapes
from salesforce_org.metadata.trees import document, local, ordered, parse
from salesforce_org.metadata.trees import read as read_tree
from salesforce_org.store import Org

META = "-meta.xml"


@dataclass(frozen=True, slots=True)
class File:
    """A file of a package: whose it is, and what it says; `problem` says why nothing can be read from it."""

    path: str
    kind: str
    name: str
    parts: tuple[Part, ...] = ()
    problem: str = ""


def typed(path: str) -> tuple[Type, str] | None:
    """Return type and full name of a file by its path; None for a file of no type."""
    folder, _, rest = path.partition("/")
    bare = rest.removesuffix(META)
    for type in TYPES.values():
        if type.folder == folder and not type.parent and bare.endswith(f".{type.suffix}"):
            return type, bare.removesuffix(f".{type.suffix}")
    if rest.endswith(META):
        return next(((TYPES[one.folders], bare) for one in FOLDERS.values() if one.folder == folder), None)
    return None


def read_files(files: Mapping[str, bytes]) -> list[File]:
    """Return what all files of a package say but its manifests."""
    found = []
    for path, body in files.items():
        if "/" not in path:
            continue
        known = typed(path)
        if known is None:
            found.append(File(path, "", path, problem=f"Unknown file type: {path}"))
        elif not (known[0].content and path.endswith(META)):
            found.append(_read(path, *known, body, files.get(path + META)))
    return found


def _read(path: str, type: Type, name: str, body: bytes, meta: bytes | None) -> File:
    try:
        if not type.content:
            return File(path, type.name, name, tuple(_parts(type, name, body)))
        if meta is None:
            raise MetadataError("INVALID_CONTENT", f"Missing file: {path}{META}")
        (whole,) = _parts(type, name, meta)
        tree = {**whole.tree, "content": b64encode(body).decode()}
        return File(path, type.name, name, (replace(whole, tree=tree),))
    except MetadataError as problem:
        return File(path, type.name, name, problem=problem.message)


def _parts(type: Type, name: str, body: bytes) -> list[Part]:
    """Return what a file says of the thing itself, if it says anything, and each child."""
    root, shape = parse(body), type.shape(name)
    if shape not in shapes():
        raise MetadataError("INVALID_CROSS_REFERENCE_KEY", f"no {type.name} named {name} found")
    if local(root) != shape:
        raise MetadataError(
            "INVALID_CONTENT", f"Error parsing file: the root is {local(root)} and not {shape}"
        )
    children = [
        _child(TYPES[type.children[local(one)]], name, one) for one in root if local(one) in type.children
    ]
    for one in [one for one in root if local(one) in type.children]:
        root.remove(one)
    own = parts(type, name, read_tree(shape, root))
    return [*(own if own[0].tree or not children else []), *children]


def _child(type: Type, parent: str, node: Node) -> Part:
    named = next((one.text or "" for one in node if local(one) == "fullName"), "").strip()
    name = f"{parent}.{named}"
    try:
        if not named:
            raise MetadataError("REQUIRED_FIELD_MISSING", "Required field is missing: fullName")
        tree = read_tree(type.shape(name), node)
        return Part(type, name, {key: value for key, value in tree.items() if key != "fullName"})
    except MetadataError as problem:
        return Part(type, name, {}, problem.message)


def write_files(org: Org, wanted: Mapping[Type, list[str]]) -> list[tuple[str, bytes]]:
    """Return the files that hold components, each with all children that are wanted with it."""
    trees: dict[tuple[str, str], tuple[Type, dict[str, Any]]] = {}
    for type in sorted(wanted, key=lambda one: bool(one.parent)):
        for name in wanted[type]:
            _gather(org, trees, type, name)
    files: list[tuple[str, bytes]] = []
    for (path, name), (type, tree) in sorted(trees.items()):
        files += _written(path, type, name, tree)
    return files


def _gather(
    org: Org, trees: dict[tuple[str, str], tuple[Type, dict[str, Any]]], type: Type, name: str
) -> None:
    path = file_of(type, name)
    if not type.parent:
        trees[path, name] = type, read(org, type, name) or {}
        return
    parent = TYPES[type.parent]
    above, _, own = name.partition(".")
    element = next(key for key, kind in parent.children.items() if kind == type.name)
    _, tree = trees.setdefault((path, above), (parent, {}))
    entries = tree.setdefault(element, [])
    if all(one["fullName"] != own for one in entries):
        entries.append({"fullName": own, **(type.source.read(org, name) or {})})


def _written(path: str, type: Type, name: str, tree: dict[str, Any]) -> list[tuple[str, bytes]]:
    if not type.content:
        return [(path, document(type.shape(name), tree))]
    meta = ordered(type.name, {key: value for key, value in tree.items() if key != "content"})
    return [(path, b64decode(tree.get("content", ""))), (path + META, document(type.name, meta))]
