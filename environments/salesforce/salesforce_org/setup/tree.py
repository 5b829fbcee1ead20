"""The tree of Setup: what pages there are, where they hang, and how Quick Find narrows them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("tree.toml")


@dataclass(frozen=True)
class Node:
    """A page of Setup, or a branch that holds others.

    Attributes:
        name: The page's part of the address; empty for a branch.
    """

    label: str
    name: str = ""
    children: tuple[Node, ...] = ()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"/lightning/setup/{self.name}/home"

    @property
    def key(self) -> str:
        """The label as an element's id may hold it."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.label)

    def holds(self, name: str) -> bool:
        """Whether this is the page of a name, or has it below."""
        return self.name == name if self.name else any(child.holds(name) for child in self.children)

    def pages(self) -> Iterator[Node]:
        """Yield the pages from here down, in order."""
        if self.name:
            yield self
        for child in self.children:
            yield from child.pages()


@dataclass(frozen=True)
class Tree:
    """All nodes: single pages on top, then the headings with their branches."""

    roots: tuple[Node, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Node]:
        """Pages by their part of the address."""
        return {node.name: node for root in self.roots for node in root.pages()}

    def trail(self, name: str) -> tuple[Node, ...]:
        """Return the branches that lead to a page, from the top, and the page itself."""
        found: list[Node] = []
        level = self.roots
        while nearer := next((node for node in level if node.holds(name)), None):
            found.append(nearer)
            level = nearer.children
        return tuple(found)


def read_tree(file: Path = FILE) -> Tree:
    """Read the tree."""
    return Tree(_nodes(tomllib.loads(file.read_text(encoding="utf-8"))))


def _nodes(told: Mapping[str, Any]) -> tuple[Node, ...]:
    return tuple(
        Node(label, name=below) if isinstance(below, str) else Node(label, children=_nodes(below))
        for label, below in told.items()
    )


TREE = read_tree()
