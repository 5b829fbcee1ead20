"""An archive of one seed behind the public listener, with a folder that stands in for the viewer's files."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ENVIRONMENTS = Path(__file__).parents[3] / "environments"
for folder in ("imaging", "kit"):
    if str(ENVIRONMENTS / folder) not in sys.path:
        sys.path.append(str(ENVIRONMENTS / folder))

from imaging.pathology import Study  # noqa: E402
from imaging.public import Public  # noqa: E402
from imaging.sessions import Session, Sessions  # noqa: E402
from worldkit.control import ProbedControl  # noqa: E402

RUNNER = asyncio.Runner()  # one event loop for all requests, as in the program


@dataclass(frozen=True)
class Archive:
    """A session, and what a browser gets at its origin."""

    public: Public
    session: Session

    @property
    def slide(self) -> Study:
        """The first study of a whole slide."""
        return next(study for study in self.session.studies.values() if study.slide)

    def ask(self, method: str, path: str, **options: object) -> httpx.Response:
        """Return the answer to one request."""

        async def answer() -> httpx.Response:
            transport, base = httpx.ASGITransport(self.public), f"http://{self.session.host}"
            async with httpx.AsyncClient(transport=transport, base_url=base) as client:
                return await client.request(method, path, **options)  # type: ignore[arg-type]

        return RUNNER.run(answer())

    def report(self, said: object) -> int:
        """Return the status of a report of the probe, which the driver passes on by the control socket."""

        async def answer() -> httpx.Response:
            transport = httpx.ASGITransport(ProbedControl(self.public, 0, "1").application())
            async with httpx.AsyncClient(transport=transport, base_url="http://world") as client:
                content = said if isinstance(said, bytes) else json.dumps(said).encode()
                return await client.post(f"/sessions/{self.session.id}/report", content=content)

        return RUNNER.run(answer()).status_code

    def get(self, path: str, **options: object) -> httpx.Response:
        """Return the answer to a GET."""
        return self.ask("GET", path, **options)


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive."""
    (tmp_path / "index.html").write_text("<title>viewer</title>")
    (tmp_path / "app.js").write_text("viewer")
    sessions = Sessions()
    return Archive(Public(sessions, tmp_path), sessions.open("pathology_viewer", 3))


@pytest.fixture
def another(archive: Archive) -> Callable[[int], Archive]:
    """Archives of other seeds at the same listener."""
    return lambda seed: Archive(archive.public, archive.public.sessions.open("pathology_viewer", seed))
