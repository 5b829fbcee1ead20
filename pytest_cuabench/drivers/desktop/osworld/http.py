"""Requests to an OSWorld server: bounded in time and size, and retried only if that is safe."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.http_limits import TooLarge, bounded_body

if TYPE_CHECKING:
    import httpx2

MAX_BODY = 256 * 2**20  # bytes of one reply
TRIES = 3
_SECONDS = 30.0


def connect(address: Address) -> httpx2.AsyncClient:
    """Return a client for an address; it ignores the user's proxies."""
    import httpx2

    transport = httpx2.AsyncHTTPTransport(uds=str(address.socket)) if address.socket else None
    # OSWorld uses a development server that drops idle connections: none is kept alive.
    limits = httpx2.Limits(max_keepalive_connections=0)
    return httpx2.AsyncClient(transport=transport, base_url=address.url, trust_env=False, limits=limits)


async def ask(
    http: httpx2.AsyncClient,
    address: Address,
    method: str,
    path: str,
    *,
    tries: int = TRIES,
    seconds: float = _SECONDS,
    **how: Any,
) -> tuple[int, bytes]:
    """Return status and body of a reply; a broken connection is retried, a timeout is not.

    Raises:
        EnvironmentFailure: There is no reply, or it is too large.
    """
    import httpx2

    for left in reversed(range(tries)):
        try:
            async with asyncio.timeout(seconds), http.stream(method, path, timeout=seconds, **how) as reply:
                return reply.status_code, await bounded_body(reply.aiter_bytes(), MAX_BODY)
        except (TimeoutError, httpx2.TimeoutException):
            raise EnvironmentFailure(
                f"{address} did not answer {method} {path} within {seconds:g} s"
            ) from None
        except TooLarge as error:
            raise EnvironmentFailure(f"{address}: {path} returned {error}") from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            if left == 0:
                raise EnvironmentFailure(
                    f"{address} does not answer {method} {path}: {type(error).__name__}"
                ) from error
    raise AssertionError("unreachable: tries is at least 1")


def reason(body: bytes) -> str:
    """Return the server's error message as one short line."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    said = (data.get("message") or data.get("error")) if isinstance(data, dict) else None
    return f": {' '.join(str(said).split())[:200]}" if said else ""
