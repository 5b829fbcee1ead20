"""Calls to a model's server: retried in one place, within one deadline, and explained in one sentence."""

from __future__ import annotations

import asyncio
import math
import re
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Generic, Literal, TypeVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from pytest_cuabench.errors import (
    CuabenchError,
    ProviderFailure,
    Refused,
    SettingError,
    Unacceptable,
    Unauthorized,
)

if TYPE_CHECKING:
    from tenacity import RetryCallState

_T = TypeVar("_T")

DEADLINE = 900.0  # seconds that one decision's call may take with all its tries
TIMEOUT = 600.0  # seconds of one try, as in Anthropic's and OpenAI's SDKs
_LONGEST_PAUSE = 60.0
_CONNECT = 5.0
_PORTS = {"http": 80, "https": 443}
_MOMENTS = 3  # times that a server may ask for less than a second
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})  # 529: Anthropic is overloaded
_REASONS = {
    400: "the request is invalid",
    401: "the key is invalid; check {key}",
    402: "the account has no credit; check plan and billing",
    403: "the key has no access to {model}; check its permissions",
    404: "{model} or the URL does not exist; check model and url",
    413: "the request is too large; send fewer or smaller screenshots (history, image)",
    429: "the rate limit is exceeded",
}


_OF_THE_ACCOUNT = frozenset({401, 402, 403})
_UNPAID = re.compile(
    r"credit balance|billing|insufficient (funds|credit)|quota", re.IGNORECASE
)  # come as 400, too
_TOO_LONG = re.compile(
    r"\bcontext|too (long|large|many)|maximum.{0,40}(length|token)|token limit", re.IGNORECASE
)
_SHORTER = "choose a smaller observation (--cua-observation), max_tokens or history, or fewer steps (--cua-max-steps)"
Refusal = Literal["request", "setting", "account"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """The failure of one try.

    Attributes:
        sentence: The message of the server or the connection.
        again: Whether a retry may succeed.
        after: Seconds that the server asks to wait before a retry.
        answered: Whether the server replied; an unanswered call may still be billed.
        refusal: Permanent rejection of this request, of a setting that it depends on, or of all requests of the
            account; None for neither.
    """

    sentence: str
    again: bool
    after: float | None = None
    answered: bool = True
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class Answered(Generic[_T]):
    """A server's reply, and the seconds spent on failed tries and on waiting."""

    value: _T
    waited: float


@dataclass(slots=True)
class _Progress:
    """When a call began, when its last try did, how many there were, and the seconds spent before them."""

    start: float
    last: float = 0.0
    tries: int = 0
    held: float = 0.0


class Caller:
    """Sends a request with retries, until a reply, a permanent failure or the deadline.

    `explain` returns the failure of an SDK's exception, or None if it is not the server's fault. `secret` is masked
    in all messages.

    Attributes:
        replied: Whether the server has replied, so that it takes requests like the first one.
    """

    def __init__(
        self,
        explain: Callable[[Exception], Trouble | None],
        *,
        deadline: float = DEADLINE,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
        secret: str | None = None,
    ) -> None:
        from tenacity import wait_random_exponential  # of the makers' extras; a dry run needs none of them

        self._explain = explain
        self._deadline = deadline
        self._sleep = sleep
        self._clock = clock
        self._secret = secret
        self.replied = False
        self._backoff = wait_random_exponential(multiplier=1, max=_LONGEST_PAUSE)

    async def __call__(
        self, request: Callable[[], Awaitable[_T]], before: Callable[[], Awaitable[None]] | None = None
    ) -> Answered[_T]:
        """Return the reply; `before` is awaited before every try, and its time does not count for the deadline.

        Raises:
            ProviderFailure: All tries failed.
        """
        from tenacity import AsyncRetrying, retry_if_exception

        progress = _Progress(self._clock())
        retrying = AsyncRetrying(
            retry=retry_if_exception(self._worth_another),
            wait=self._pause,
            stop=lambda state: self._passed(progress) + state.upcoming_sleep >= self._deadline,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            async for attempt in retrying:
                with attempt:
                    await self._prepare(progress, before)
                    value = await self._answer(request, progress)
        except CuabenchError:
            raise
        except Exception as error:
            raise self._failure(error, progress.tries) from error
        self.replied = True
        return Answered(value, progress.last - progress.start)

    async def _prepare(self, progress: _Progress, before: Callable[[], Awaitable[None]] | None) -> None:
        if before:
            start = self._clock()
            await before()
            progress.held += self._clock() - start
        progress.tries += 1
        progress.last = self._clock()

    async def _answer(self, request: Callable[[], Awaitable[_T]], progress: _Progress) -> _T:
        """Await the complete reply within the rest of the deadline, even if parts of it keep arriving."""
        try:
            async with asyncio.timeout(max(0.0, self._deadline - self._passed(progress))) as limit:
                return await request()
        except TimeoutError:
            if limit.expired():  # else it is a timeout of the request's own
                raise ProviderFailure(f"no complete reply within {self._deadline:g} s") from None
            raise

    def _passed(self, progress: _Progress) -> float:
        return self._clock() - progress.start - progress.held

    def _trouble(self, error: BaseException | None) -> Trouble | None:
        if not isinstance(error, Exception) or isinstance(error, CuabenchError):
            return None
        return self._explain(error)

    def _worth_another(self, error: BaseException) -> bool:
        trouble = self._trouble(error)
        return trouble is not None and trouble.again

    def _pause(self, state: RetryCallState) -> float:
        """Return the pause that the server asks for; it grows if short pauses did not help."""
        trouble = self._trouble(state.outcome.exception() if state.outcome else None)
        asked = trouble.after if trouble else None
        if asked is not None and (asked >= 1 or state.attempt_number <= _MOMENTS):
            return asked
        return max(asked or 0.0, self._backoff(state))

    def _failure(self, error: Exception, tries: int) -> ProviderFailure:
        trouble = self._explain(error)
        sentence = trouble.sentence if trouble else f"{type(error).__name__}: {error}"
        if trouble and trouble.again:
            sentence += f" ({self._often(tries, trouble.after)})"
        kind = _FAILURES[trouble.refusal if trouble else None]
        # A server that has taken no request yet refuses what the user has set, and not what the model did.
        if kind is Unacceptable and not self.replied:
            kind = Refused
        return kind(sentence.replace(self._secret, "***") if self._secret else sentence)

    def _often(self, tries: int, after: float | None) -> str:
        often = "once" if tries == 1 else f"{tries} times"
        asked = f"; the server asks to wait {after:g} s" if after is not None and after >= 1 else ""
        return f"tried {often} within {self._deadline:g} s{asked}"


def require_server(url: str, who: str) -> None:
    """See that something answers at an address; behind a proxy, or when it is slow, the first call will tell.

    Raises:
        SettingError: The connection is refused, or the name is unknown.
    """
    parts = urlsplit(url)
    if parts.hostname is None or (parts.scheme in getproxies() and not proxy_bypass(parts.hostname)):
        return
    try:
        place = (parts.hostname, parts.port or _PORTS.get(parts.scheme, 80))
        socket.create_connection(place, timeout=_CONNECT).close()
    except TimeoutError:
        return
    except OSError as error:
        raise SettingError(
            f"{who}: nothing answers at {url} ({error.strerror or error}); start the server, or check its url"
        ) from None


_FAILURES: dict[Refusal | None, type[ProviderFailure]] = {
    None: ProviderFailure,
    "request": Unacceptable,
    "setting": Refused,
    "account": Unauthorized,
}


def of_status(
    server: str,
    status: int,
    said: str,
    headers: Mapping[str, str],
    *,
    key: str | None = None,
    model: str | None = None,
    now: Callable[[], float] = time.time,
) -> Trouble:
    """Return the failure of an HTTP status; `said` is the server's message, `key` the name of the key's variable."""
    reason = _REASONS.get(status, "the server failed" if status >= 500 else "the request was rejected")
    reason = reason.format(key=key or "the key", model=f"the model {model!r}" if model else "the model")
    words = " ".join(said.split())[:300]
    after = _retry_after(headers, now)
    sentence = f"{server} returned {status}: {reason}{f' ({words})' if words else ''}"
    refusal = _refusal(status, words)
    if refusal == "request" and overflows(words):
        sentence += f"; {_SHORTER}"
    return Trouble(sentence, status in _AGAIN, after, refusal=refusal)


def overflows(sentence: str) -> bool:
    """Whether a refusal says that the conversation is longer than the model's context."""
    return _TOO_LONG.search(sentence) is not None


def _refusal(status: int, said: str) -> Refusal | None:
    if status in _OF_THE_ACCOUNT or (status == 400 and _UNPAID.search(said)):
        return "account"
    return "request" if 400 <= status < 500 and status not in _AGAIN else None


def of_connection(server: str, error: Exception, timeout: float | None = None) -> Trouble:
    """Return the failure of a connection, or of a server that does not reply within `timeout` seconds."""
    if timeout is not None:
        return Trouble(f"{server} did not reply within {timeout:g} s", again=True, answered=False)
    cause = error.__cause__ or error
    words = f"{type(cause).__name__}: {cause}"
    never_sent = "Connect" in type(cause).__name__  # the name for it in every HTTP client
    sentence = f"cannot connect to {server} ({words:.300}); check url and network"
    return Trouble(sentence, again=True, answered=never_sent)


def _retry_after(headers: Mapping[str, str], now: Callable[[], float]) -> float | None:
    """Parse Retry-After: seconds or a date; some vendors send the finer `retry-after-ms`."""
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    readers: tuple[tuple[str, Callable[[str], float]], ...] = (
        ("retry-after-ms", lambda text: float(text) / 1000),
        ("retry-after", float),
        ("retry-after", lambda text: parsedate_to_datetime(text).timestamp() - now()),
    )
    for name, read in readers:
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            if math.isfinite(seconds := read(lowered[name])):
                return max(0.0, seconds)
    return None
