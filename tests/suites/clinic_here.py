"""The clinic in this process: its sessions, and a browser without a screen for one of them."""

from __future__ import annotations

import asyncio
import importlib
from functools import cache
from typing import Any

import httpx2

from pytest_cuabench.task import library
from pytest_cuabench.task.evidence import State, state_from_json


@cache
def public(application: str) -> Any:
    """Return the clinic's web server with one application."""
    program = importlib.import_module("clinic.__main__").program
    applications = importlib.import_module("clinic.catalogue").discover([application])
    fixtures = importlib.import_module("clinic.fixtures").open_fixtures(library.FIXTURES / "clinic")
    return program(fixtures, applications).public


class Browser:
    """Asks for pages and posts forms in a session of its own."""

    def __init__(self, application: str, seed: int) -> None:
        self._public = public(application)
        self._session = self._public.sessions.open(application, seed)
        origin = f"http://{self._session.host}"
        self._client = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=self._public), base_url=origin, headers={"origin": origin}
        )

    def state(self) -> State:
        return state_from_json(self._session.state())

    def close(self) -> None:
        """End the session."""
        self._public.sessions.close(self._session)

    def get(self, path: str) -> None:
        """Open a page.

        Raises:
            ValueError: The clinic does not show it.
        """
        reply = asyncio.run(self._client.get(path))
        if reply.status_code != 200:
            raise ValueError(f"GET {path}: {reply.status_code}")

    def post(self, path: str, form: dict[str, Any]) -> None:
        """Send a form, and confirm where the clinic asks whether that is meant.

        Raises:
            ValueError: The clinic refuses it; the message has the page.
        """
        fields = {name: str(value) for name, value in form.items() if value is not None}
        for confirmed in ({}, {"confirmed": "yes"}):
            reply = asyncio.run(self._client.post(path, data=fields | confirmed))
            if reply.status_code == 303 and not reply.headers["location"].startswith("/login"):
                return
        raise ValueError(f"POST {path} {fields}: {reply.status_code} {reply.text}")
