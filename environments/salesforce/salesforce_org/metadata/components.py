"""Whole components of any type: with the children that stand in the same file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.entries import Entries
from salesforce_org.metadata.errors import MetadataError, missing
from salesforce_org.metadata.fields import Fields
from salesforce_org.metadata.listviews import ListViews
from salesforce_org.metadata.records import save
from salesforce_org.metadata.registry import TYPES, Type
from salesforce_org.metadata.sources import Components
from salesforce_org.metadata.trees import Tree, ordered, require
from salesforce_org.store import Org


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a file, its own or one of its children; `problem` says why it cannot be read."""

    type: Type
    name: str
    tree: Tree
    problem: str = ""


def names(org: Org, type: Type) -> list[str]:
    """Return the full names of all components of a type, sorted."""
    return sorted(type.source.names(org))


def read(org: Org, type: Type, name: str) -> dict[str, Any] | None:
    """Return a component with its children, or None."""
    own = type.source.read(org, name)
    if own is None or not type.gathered:
        return None if own is None else dict(own)
    inside = {element: list(_children(org, TYPES[kind], name)) for element, kind in type.children.items()}
    return ordered(type.shape(name), {**own, **inside})


def _children(org: Org, type: Type, parent: str) -> Iterator[dict[str, Any]]:
    for own in _inside(org, type, parent):
        tree = type.source.read(org, f"{parent}.{own}")
        if tree is not None:
            yield {"fullName": own, **tree}


def _inside(org: Org, type: Type, parent: str) -> Iterable[str]:
    if isinstance(type.source, Fields):
        return type.source.of(org, parent)
    start = f"{parent}."
    return sorted(name.removeprefix(start) for name in type.source.names(org) if name.startswith(start))


def parts(type: Type, name: str, tree: Tree) -> list[Part]:
    """Return the components that a file holds: what it says of the thing itself, then each child.

    Raises:
        MetadataError: A child has no name.
    """
    own = {key: value for key, value in tree.items() if key not in type.children and key != "fullName"}
    found = [Part(type, name, own)] if own or not any(key in type.children for key in tree) else []
    for element, kind in type.children.items():
        for entry in tree.get(element, ()):
            if "fullName" not in entry:
                raise MetadataError(
                    "REQUIRED_FIELD_MISSING", "Required field is missing: fullName", ("fullName",)
                )
            rest = {key: value for key, value in entry.items() if key != "fullName"}
            found.append(Part(TYPES[kind], f"{name}.{entry['fullName']}", rest))
    return found


def write(org: Org, part: Part) -> None:
    """Store one component.

    Raises:
        OrgError: It is refused.
    """
    require(part.type.shape(part.name), part.tree)
    part.type.source.write(org, part.name, part.tree)


def replace(org: Org, type: Type, name: str, tree: Tree) -> None:
    """Store a component and the children that the tree has.

    Raises:
        OrgError: It is refused.
    """
    if not type.gathered:
        write(org, Part(type, name, {key: value for key, value in tree.items() if key != "fullName"}))
        return
    for part in parts(type, name, tree):
        write(org, part)


def delete(org: Org, type: Type, name: str) -> None:
    """Delete a component.

    Raises:
        OrgError: There is none, or it cannot go.
    """
    if type.source.read(org, name) is None:
        raise missing(type.name, name)
    type.source.delete(org, name)


def rename(org: Org, type: Type, old: str, new: str) -> None:
    """Give a component another name.

    Raises:
        OrgError: There is none, the other name is taken, or components of the type keep their names.
    """
    tree, row = type.source.read(org, old), type.source.record(org, old)
    if tree is None:
        raise missing(type.name, old)
    if type.source.read(org, new) is not None:
        raise taken(type, new)
    if row is not None and type.renamed:
        own = new.rpartition(".")[2] if type.parent else new
        save(org, org.record(row["Id"])[0].name, row, {type.renamed: own})
        kept = org.component(type.name, old)
        org.put_component(type.name, old, None)
        org.put_component(type.name, new, kept)
    elif isinstance(type.source, Components | Entries | ListViews):
        type.source.write(org, new, tree)
        type.source.delete(org, old)
    else:
        raise MetadataError("INVALID_TYPE", f"Components of type {type.name} cannot be renamed")


def taken(type: Type, name: str) -> MetadataError:
    """Return the refusal of a name that a component has already."""
    return MetadataError(
        "DUPLICATE_DEVELOPER_NAME",
        f"There is already a {type.name} named {name}; names must be unique",
        ("fullName",),
    )
