"""One HTTP server inside a machine. Whatever goes wrong on the way is the world's trouble, in one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_cuabench.errors import EnvironmentFailure

if TYPE_CHECKING:
    import httpx2

PATIENCE = 30.0  # seconds for a call that says nothing else
MAX_REPLY = 64 * 2**20  # bytes; a flattened state of ChimeraX has a few million


class Refused(EnvironmentFailure):
    """The server understood, and says no: what it was asked is not possible."""


class Service:
    """A server, by the address of its root.

    Args:
        url: Such as `http://host:8000`.
        name: What sentences call it, such as `Celestia`.
    """

    def __init__(self, url: str, name: str, patience: float = PATIENCE) -> None:
        self.url = url.rstrip("/")
        self.name = name
        self._patience = patience
        self._client: httpx2.AsyncClient | None = None

    async def get(self, path: str, seconds: float | None = None, **query: str) -> bytes:
        """Return what a GET replies.

        Raises:
            EnvironmentFailure: There is no reply in time, or one that is no success.
        """
        return self._good(await self._send("GET", path, seconds, params=query), path)

    async def post(self, path: str, body: Any = None, seconds: float | None = None) -> bytes:
        """Return what a POST of JSON replies; raises as `get`."""
        return self._good(await self._send("POST", path, seconds, json=body), path)

    async def post_text(self, path: str, text: str) -> bytes:
        """Return what a POST of plain text replies; raises as `get`."""
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        return self._good(await self._send("POST", path, None, content=text.encode(), headers=headers), path)

    async def post_form(
        self, path: str, fields: Mapping[str, str], files: Mapping[str, bytes] | None = None
    ) -> bytes | None:
        """Return what a POST of a form replies, None where what it asks for does not exist; raises as `get`."""
        reply = await self._send("POST", path, None, data=dict(fields), files=dict(files or {}) or None)
        return None if reply.status_code == 404 else self._good(reply, path)

    def json(self, content: bytes, path: str, kind: type[Any] = object) -> Any:
        """Return the JSON of a reply, which must be of a kind.

        Raises:
            EnvironmentFailure: It is none, or of another kind.
        """
        try:
            data = json.loads(content)
        except (ValueError, RecursionError):
            raise EnvironmentFailure(f"{self.name} at {self.url} replies to {path} with no JSON") from None
        if not isinstance(data, kind):
            raise EnvironmentFailure(
                f"{self.name} at {self.url} replies to {path} with {type(data).__name__}, not {kind.__name__}"
            )
        return data

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.aclose()
        self._client = None

    async def _send(self, method: str, path: str, seconds: float | None, **request: Any) -> httpx2.Response:
        import httpx2

        if self._client is None:
            self._client = httpx2.AsyncClient(base_url=self.url, trust_env=False)
        try:
            return await self._client.request(method, path, timeout=seconds or self._patience, **request)
        except httpx2.HTTPError as error:
            raise EnvironmentFailure(
                f"{self.name} at {self.url} does not answer {method} {path}: {type(error).__name__}"
            ) from error

    def _good(self, reply: httpx2.Response, path: str) -> bytes:
        if not reply.is_success:
            said = " ".join(reply.text.split())[:200]
            kind = Refused if reply.is_client_error else EnvironmentFailure
            raise kind(f"{self.name} at {self.url} refuses {path} with status {reply.status_code}: {said}")
        if len(reply.content) > MAX_REPLY:
            raise EnvironmentFailure(
                f"{self.name} at {self.url} replies to {path} with more than {MAX_REPLY} bytes"
            )
        content: bytes = reply.content
        return content


class Application(Service):
    """A server within an application: it is there when it tells its version."""

    async def version(self) -> str:
        """Return the version; raises `EnvironmentFailure` while the application does not answer."""
        return (await self.get("/version", 5)).decode("utf-8", "replace").strip()
