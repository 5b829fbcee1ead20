"""Reads TeXstudio's open files, and whether the front one is saved, from its accessibility tree.

The whole tree has a thousand nodes. The few relevant ones are cached, so that reading takes some milliseconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from guest.applications.base import Desk
from guest.nodes import Node

_TITLE = "TeXstudio"  # the window's title is the path of the front file, and this
_LEVELS = {"window": 0, "tabs": 1, "save": 0}  # depth of reading, by part

Parts = dict[str, Node]
Row = dict[str, Any]


class Editor:
    """The editor of one session that started with some files."""

    def __init__(self, files: list[str]) -> None:
        self._files = files
        self._parts: Parts = {}

    async def lacks(self, desktop: Desk) -> str | None:
        """Return what is missing after the start, or None."""
        titles = [name for name in await _windows(desktop) if name.endswith(_TITLE)]
        if not titles:
            return "its window is not there"
        if not self._files:
            return None
        if titles[0] != f"{self._files[-1]} - {_TITLE}":
            return f"{self._files[-1]} is not in front"
        open_now = [tab.description for tab in _tabs(await self._look(desktop))]
        missing = [path for path in self._files if path not in open_now]
        return f"{missing[0]} is not open" if missing else None

    async def rows(self, desktop: Desk) -> dict[str, Row]:
        """Return the open files; `saved` is known for the front one only."""
        parts = await self._look(desktop)
        home, found = PurePosixPath(desktop.inside(".")), {}
        for tab in _tabs(parts):
            path = PurePosixPath(tab.description)
            front = parts["window"].name.startswith(f"{path} ")
            name = str(path.relative_to(home)) if path.is_relative_to(home) else str(path)
            found[name] = {"front": front, "unsaved": "enabled" in parts["save"].states if front else None}
        return found

    async def _look(self, desktop: Desk) -> Parts:
        """Return the current parts; None while no window with files is open."""
        read = await asyncio.gather(
            *(desktop.reread(node, _LEVELS[name]) for name, node in self._parts.items())
        )
        now = {name: node for name, node in zip(self._parts, read, strict=True) if node is not None}
        if set(now) != set(_LEVELS) or not _tabs(now):
            now = self._parts = _parts(await desktop.nodes(whole=True))
        return now


def _parts(nodes: list[Node]) -> Parts:
    window = next((node for node in nodes if node.role == "frame" and node.name.endswith(_TITLE)), None)
    inside = list(_below(window)) if window else []
    tabs = next((node.parent for node in inside if _is_file(node)), None)
    save = next((node for node in inside if (node.role, node.name) == ("push-button", "Save")), None)
    found = {"window": window, "tabs": tabs, "save": save}
    complete = {name: node for name, node in found.items() if node is not None}
    return complete if len(complete) == len(found) else {}


def _tabs(parts: Parts) -> list[Node]:
    return [node for node in parts["tabs"].children if _is_file(node)] if parts else []


def _is_file(node: Node) -> bool:
    """Whether a node is the tab of a file: its description is the path."""
    return node.role == "page-tab" and node.description.startswith("/")


def _below(top: Node) -> Iterator[Node]:
    for child in top.children:
        yield child
        yield from _below(child)


async def _windows(desktop: Desk) -> list[str]:
    """Return the titles of all windows, without reading their content."""
    refs = await desktop.session.accessibility.applications()
    roots = [Node("application", "", "", "", "", frozenset(), None, 0, None, ref) for ref in refs]
    read = await asyncio.gather(*(desktop.reread(root, 1) for root in roots))
    return [window.name for root in read if root is not None for window in root.children]
