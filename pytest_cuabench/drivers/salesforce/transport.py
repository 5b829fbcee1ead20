"""HTTP calls to an org: sign-in, error messages and retries.

An idempotent call is retried when its connection broke; any call is retried when the org rejects it as too busy, which
has no effect. A write whose connection broke is not retried: the next read shows its effect. Nothing is retried once
the org's API calls of the day are used up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.salesforce.errors import BUSY, EXPIRED, NoCallsLeft, OrgError, is_daily_limit
from pytest_cuabench.drivers.salesforce.login import PREFIX, VERSION, Credentials, Grant, sign_in
from pytest_cuabench.drivers.salesforce.soap import METADATA, PARTNER, envelope, read_reply
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.redact import masked

if TYPE_CHECKING:
    import httpx2

PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)  # seconds before each retry
_SECONDS = 120.0
_IDEMPOTENT = frozenset({"GET", "HEAD"})

# What a reset writes back may look like another record, and has its owner already: duplicate rules that only warn let
# it pass, and assignment rules leave it alone.
_INSISTING = {"Sforce-Duplicate-Rule-Header": "allowSave=true", "Sforce-Auto-Assign": "FALSE"}


class Transport:
    """Calls to one org, signed in when first needed and again when the token has expired.

    Args:
        address: The org's origin.
        given: The user's credentials.
        version: The API version, such as `62.0`.
        http: An HTTP client to use instead of a new one.
        pause: Waits between retries.
    """

    def __init__(
        self,
        address: str,
        given: Credentials,
        version: str = VERSION,
        *,
        http: httpx2.AsyncClient | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.address, self.version = address, version
        self._given, self._http, self.pause = given, http, pause
        self._grant: Grant | None = None

    def __repr__(self) -> str:
        return f"Transport({self.address!r}, version={self.version!r})"

    @property
    def data(self) -> str:
        """The path of this version's REST resources."""
        return f"/services/data/v{self.version}"

    async def grant(self) -> Grant:
        """Return the token and the instance URL.

        Raises:
            EnvironmentFailure: The org refuses the sign-in.
        """
        if self._grant is None:
            self._grant = await sign_in(self._client(), self.address, self._given, self.version)
        return self._grant

    async def rest(
        self,
        method: str,
        path: str,
        body: Any = None,
        params: Mapping[str, str] | None = None,
        *,
        idempotent: bool = False,
    ) -> Any:
        """Make a REST call and return its JSON, or None; a path that begins with `/services` is absolute.

        Raises:
            OrgError: The org rejects the call.
            EnvironmentFailure: The org does not answer.
        """
        whole = path if path.startswith("/services/") else self.data + path
        doing = f"{method} {whole.partition('?')[0]}"

        async def once(grant: Grant) -> Any:
            headers = {"Authorization": f"Bearer {grant.token}", **_INSISTING}
            reply = await self._client().request(
                method, grant.instance + whole, json=body, params=params, headers=headers
            )
            return _read(reply, doing)

        return await self._with_tries(once, doing, again=idempotent or method in _IDEMPOTENT)

    async def soap(self, kind: str, body: str, doing: str, *, idempotent: bool = False) -> Any:
        """Make a SOAP call; `kind` is `u` for the partner interface or `m` for metadata.

        Raises:
            OrgError: The org rejects the call.
            EnvironmentFailure: The org does not answer.
        """
        namespace = METADATA if kind == "m" else PARTNER

        async def once(grant: Grant) -> Any:
            reply = await self._client().post(
                f"{grant.instance}/services/Soap/{kind}/{self.version}",
                content=envelope(body, grant.token, namespace).encode(),
                headers={"Content-Type": "text/xml; charset=UTF-8", "SOAPAction": '""'},
            )
            return read_reply(reply.content, reply.status_code, doing)

        return await self._with_tries(once, doing, again=idempotent)

    async def close(self) -> None:
        """Close the connections."""
        http, self._http, self._grant = self._http, None, None
        if http is not None:
            await http.aclose()

    async def _with_tries(self, once: Callable[[Grant], Awaitable[Any]], doing: str, *, again: bool) -> Any:
        for pause in (*PAUSES, None):
            try:
                return await self._renewing(once, doing)
            except EnvironmentFailure as failure:
                if is_daily_limit(failure):
                    raise NoCallsLeft(self.address) from None
                transient = failure.code in BUSY if isinstance(failure, OrgError) else again
                if pause is None or not transient:
                    raise
            await self.pause(pause)
        raise AssertionError("the last try returns or raises")

    async def _renewing(self, once: Callable[[Grant], Awaitable[Any]], doing: str) -> Any:
        """Make a call; retry once with a new token if the old one has expired."""
        try:
            return await self._try(once, doing)
        except OrgError as refusal:
            if refusal.code not in EXPIRED:
                raise
            if not self._given.renewable:
                told = f"{refusal}; a token from {PREFIX}ACCESS_TOKEN cannot be renewed; set a new one"
                raise OrgError(told, refusal.code) from None
        self._grant = None
        return await self._try(once, doing)

    async def _try(self, once: Callable[[Grant], Awaitable[Any]], doing: str) -> Any:
        import httpx2

        grant = await self.grant()
        try:
            return await once(grant)
        except httpx2.HTTPError as error:
            raise EnvironmentFailure(
                f"the org at {self.address} does not answer {doing}: {type(error).__name__}"
            ) from None
        except OrgError as refusal:
            raise OrgError(
                f"the org at {self.address}: {masked(str(refusal), [grant.token])}", refusal.code
            ) from None

    def _client(self) -> httpx2.AsyncClient:
        import httpx2

        if self._http is None:
            self._http = httpx2.AsyncClient(timeout=_SECONDS, follow_redirects=False)
        return self._http


def _read(reply: httpx2.Response, doing: str) -> Any:
    if reply.status_code < 300:
        return reply.json() if reply.content else None
    try:
        raise error_from(reply.json(), reply.status_code, doing)
    except ValueError:
        pass
    # No `OrgError`: a gateway has answered, so the call is retried like one whose connection broke.
    if reply.status_code in (502, 503, 504):
        raise EnvironmentFailure(f"{doing}: status {reply.status_code}")
    raise OrgError(
        f"{doing}: status {reply.status_code}",
        "NOT_FOUND" if reply.status_code == 404 else "UNKNOWN_EXCEPTION",
    )


def error_from(body: Any, status: int, doing: str) -> OrgError:
    """Return the error of a response body: an object with `errorCode` and `message`, or a list of them."""
    first = body[0] if isinstance(body, list) and body else body
    if not isinstance(first, Mapping):
        return OrgError(f"{doing}: status {status}")
    code = str(first.get("errorCode") or first.get("statusCode") or "UNKNOWN_EXCEPTION")
    return OrgError(f"{doing}: {code}: {first.get('message', '')}".rstrip(": "), code)
