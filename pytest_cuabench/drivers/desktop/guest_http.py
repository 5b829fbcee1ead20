"""HTTP to a guest over a Unix socket or the network, with one-sentence errors."""

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
    """Raised when the guest rejects a request (4xx), with the status and its message."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class GuestHttp:
    """The HTTP client of one guest; calls may be concurrent.

    Args:
        address: Where the guest listens.
        name: The desktop's name in messages, such as `xvfb`.
        patience: Default timeout of a call in seconds.
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
            trust_env=False,  # the user's proxies do not apply to a desktop
        )

    async def json(
        self, method: str, path: str, body: Any = None, seconds: float | None = None, **query: Any
    ) -> dict[str, Any]:
        """Send a request and return the JSON object of the reply.

        Raises:
            EnvironmentFailure: The guest does not answer, failed, or sent no JSON.
            Refused: The guest rejects the request.
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
        """Send a request and return the body of the reply; raises as `json` does."""
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
    """Return the guest's message on one line, shortened, since agents' programs may influence it."""
    try:
        said = str(reply.json()["error"])
    except (ValueError, KeyError, TypeError):
        said = f"status {reply.status_code}"
    return " ".join(said.split())[:500]
