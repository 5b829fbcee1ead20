"""Celestia with ScienceBoard's server in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .service import Application


class Celestia(Application):
    """A Celestia."""

    async def dump(self, query: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Return time, settings, and what is asked of bodies by name and type."""
        reply = await self.post("/dump", list(query))
        return dict(self.json(reply, "/dump", dict))
