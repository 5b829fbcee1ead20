"""HTTP to a guest over a Unix socket or the network, with one-sentence errors."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.http_limits import TooLarge, bounded_body

MAX_REPLY = 64 * 2**20  # bytes; a screenshot of the largest screen stays below
_ROOT = "/cuabench/1"
_Reply = tuple[int, bytes]  # status and body


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
        self._known = False  # whether the guest has taken the token
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
            SettingError: It has not taken the token yet.
        """
        content = await self.bytes(method, path, body, seconds, **query)
        try:
            answer = json.loads(content) if content else {}
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise EnvironmentFailure(f"the guest of {self._name} answers {method} {path} with no JSON object")
        return answer

    async def bytes(
        self, method: str, path: str, body: Any = None, seconds: float | None = None, **query: Any
    ) -> bytes:
        """Send a request and return the body of the reply; raises as `json` does."""
        status, content = await self._send(method, path, body, seconds or self._patience, query)
        if status in (401, 403) and not self._known:
            raise SettingError(
                f"the guest of {self._name} rejects the token; "
                "set CUABENCH_WORLD_TOKEN to the token that the guest was started with"
            )
        if status >= 500 or status in (401, 403):  # later it is no setting that is wrong
            raise EnvironmentFailure(
                f"the guest of {self._name}: {method} {path}: {_reason(status, content)}"
            )
        if status >= 400:
            raise Refused(status, _reason(status, content))
        self._known = True
        return content

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    async def _send(
        self, method: str, path: str, body: Any, seconds: float, query: Mapping[str, Any]
    ) -> _Reply:
        """Return status and body; programs of an agent may influence both."""
        import httpx2

        asked = self._client.stream(method, _ROOT + path, json=body, params=dict(query), timeout=seconds)
        try:
            # The client's own timeout is for each read, so a reply that trickles in would never end.
            async with asyncio.timeout(seconds), asked as reply:
                return reply.status_code, await bounded_body(reply.aiter_bytes(), MAX_REPLY)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise EnvironmentFailure(
                f"the guest of {self._name} did not answer {method} {path} within {seconds:g} s"
            ) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise EnvironmentFailure(
                f"the guest of {self._name} cannot be reached for {method} {path}: {type(error).__name__}"
            ) from error
        except TooLarge as error:
            raise EnvironmentFailure(
                f"the guest of {self._name} answers {method} {path} with {error}"
            ) from None


def _reason(status: int, content: bytes) -> str:
    """Return the guest's message on one line, shortened, since agents' programs may influence it."""
    try:
        said = str(json.loads(content)["error"])
    except (ValueError, KeyError, TypeError, RecursionError):
        said = f"status {status}"
    return " ".join(said.split())[:500]
