"""HTTP to a guest, over a Unix socket or the network: every way it fails is one plain sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure, SettingError

if TYPE_CHECKING:
    import httpx2

MAX_REPLY = 64 * 2**20  # bytes; a screenshot of the largest screen stays below
_ROOT = "/cuabench/1"


class Refused(Exception):
    """The guest understood, and says no: the status, and its sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Wire:
    """One connection to one guest; calls may run side by side.

    Args:
        address: Where the guest listens.
        name: What sentences call the desktop, such as `xvfb`.
        patience: Seconds that a call may take, where it names no other time.
    """

    def __init__(self, address: Address, name: str, patience: float = 20.0) -> None:
        import httpx2

        self._name, self._patience = name, patience
        self._client = httpx2.AsyncClient(
            transport=httpx2.AsyncHTTPTransport(uds=str(address.socket)) if address.socket else None,
            base_url=address.url,
            headers={"Authorization": f"Bearer {address.token}"} if address.token else {},
            timeout=patience,
            limits=httpx2.Limits(max_keepalive_connections=None if address.keeps else 0),
            trust_env=False,  # a proxy of the user's has no business between us and a desktop
        )

    async def json(
        self, method: str, path: str, body: Any = None, seconds: float | None = None, **query: Any
    ) -> dict[str, Any]:
        """Send one request of our own protocol and return its JSON object.

        Raises:
            EnvironmentFailure: The guest does not answer, broke, or answers no JSON.
            Refused: It says no.
        """
        content = await self.bytes(method, path, body, seconds, **query)
        try:
            answer = json.loads(content) if content else {}
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise EnvironmentFailure(f"the guest of {self._name} answers {method} {path} with no JSON object")
        return answer

    async def bytes(
        self, method: str, path: str, body: Any = None, seconds: float | None = None, **query: Any
    ) -> bytes:
        """Send one request of our own protocol and return what it answers; raises as `json` does."""
        reply = await self._send(method, path, body, seconds or self._patience, query)
        if reply.status_code in (401, 403):
            raise SettingError(
                f"the guest of {self._name} wants a token, or another one; "
                "put the one it was started with into CUABENCH_WORLD_TOKEN"
            )
        if reply.status_code >= 500:
            raise EnvironmentFailure(f"the guest of {self._name}: {method} {path}: {_reason(reply)}")
        if reply.status_code >= 400:
            raise Refused(reply.status_code, _reason(reply))
        return reply.content

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    async def _send(
        self, method: str, path: str, body: Any, seconds: float, query: Mapping[str, Any]
    ) -> httpx2.Response:
        import httpx2

        try:
            return await self._client.request(
                method, _ROOT + path, json=body, params=dict(query), timeout=seconds
            )
        except httpx2.TimeoutException as error:
            raise EnvironmentFailure(
                f"the guest of {self._name} did not answer {method} {path} within {seconds:g} s"
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise EnvironmentFailure(
                f"the guest of {self._name} cannot be reached for {method} {path}: {type(error).__name__}"
            ) from error


def _reason(reply: httpx2.Response) -> str:
    """Return the guest's own sentence, cut to a line; an agent's programs may have had a part in it."""
    try:
        said = str(reply.json()["error"])
    except (ValueError, KeyError, TypeError):
        said = f"status {reply.status_code}"
    return " ".join(said.split())[:500]
