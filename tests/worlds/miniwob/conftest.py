"""The world program's parts, and what a browser gets at a session's origin; skipped without the pages."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
for folder in ("miniwob", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))

from miniwob_web.__main__ import MiniwobControl  # noqa: E402
from miniwob_web.pages import Pages, find_pages  # noqa: E402
from miniwob_web.public import Public  # noqa: E402
from miniwob_web.sessions import Session, Sessions  # noqa: E402

if find_spec("miniwob") is None:
    collect_ignore_glob = ["test_*"]


@dataclass(frozen=True)
class Served:
    """A session, and the public listener that answers for it."""

    public: Public
    session: Session
    runner: asyncio.Runner

    def ask(self, method: str, path: str, shown_as: str = "", **options: object) -> httpx.Response:
        """Return the answer to one request, which the browser makes for what `shown_as` says."""

        async def answer() -> httpx.Response:
            transport, base = httpx.ASGITransport(self.public), f"http://{self.session.host}"
            headers = {"sec-fetch-dest": shown_as, **options.pop("headers", {})}  # type: ignore[dict-item]
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, headers=headers, **options)  # type: ignore[arg-type]

        return self.runner.run(answer())

    def report(self, said: object, path: str = "report") -> int:
        """Return the status of a report, which the driver passes on by the control socket."""

        async def answer() -> httpx.Response:
            transport = httpx.ASGITransport(MiniwobControl(self.public, 0, "1").application())
            async with httpx.AsyncClient(transport=transport, base_url="http://world") as client:
                content = said if isinstance(said, bytes) else json.dumps(said).encode()
                return await client.post(f"/sessions/{self.session.id}/{path}", content=content)

        return self.runner.run(answer()).status_code


@pytest.fixture
def served() -> Iterator[Served]:
    """A session of the page `terminal` with seed 3, which has begun."""
    sessions = Sessions(Pages(find_pages()))
    with asyncio.Runner() as runner:
        made = Served(Public(sessions), sessions.open("terminal", 3), runner)
        made.ask("GET", "/core/core.js", "script")
        made.report({"utterance": "Delete a file."})
        yield made
