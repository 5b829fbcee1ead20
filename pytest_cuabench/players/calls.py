"""Calls to a model's server: retried in one place, within one deadline, and explained in one sentence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Generic, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from pytest_cuabench.errors import ProviderFailure

_T = TypeVar("_T")

DEADLINE = 300.0  # seconds that one decision's call may take with all its tries
TIMEOUT = 120.0  # seconds of one try
_LONGEST_PAUSE = 60.0
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_REASONS = {
    400: "it does not accept the request",
    401: "it does not accept the key; check {key}",
    403: "the key may not use {model}; check its permissions",
    404: "it does not know {model}, or nothing is at this address; check model and url",
    413: "the request is too large; send fewer or smaller screenshots (history, image)",
    429: "it limits how much may be asked",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """What went wrong with one try.

    Attributes:
        sentence: What the server, or the way to it, said.
        again: Whether another try may help.
        after: Seconds that the server asks to wait before that.
    """

    sentence: str
    again: bool
    after: float | None = None


@dataclass(frozen=True, slots=True)
class Answered(Generic[_T]):
    """A server's answer, and how many seconds were spent on tries that failed and on waiting between tries."""

    value: _T
    waited: float


class Caller:
    """Tries a request until it is answered, until it makes no sense to go on, or until the deadline.

    `explain` tells the trouble of an exception of the maker's SDK, or None for what is no server's fault.
    """

    def __init__(
        self,
        explain: Callable[[Exception], Trouble | None],
        *,
        deadline: float = DEADLINE,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._explain = explain
        self._deadline = deadline
        self._sleep = sleep
        self._clock = clock
        self._backoff = wait_random_exponential(multiplier=1, max=_LONGEST_PAUSE)

    async def __call__(self, request: Callable[[], Awaitable[_T]]) -> Answered[_T]:
        """Return the answer.

        Raises:
            ProviderFailure: There is none: the sentence says why, and how often it was tried.
        """
        start = last = self._clock()
        retrying = AsyncRetrying(
            retry=retry_if_exception(self._worth_another),
            wait=self._pause,
            stop=lambda state: self._too_late(state, start),
            sleep=self._sleep,
            reraise=True,
        )
        tries = 0
        try:
            async for attempt in retrying:
                with attempt:
                    tries, last = tries + 1, self._clock()
                    value = await request()
        except Exception as error:
            raise self._failure(error, tries) from error
        return Answered(value, last - start)

    def _worth_another(self, error: BaseException) -> bool:
        trouble = self._explain(error) if isinstance(error, Exception) else None
        return trouble is not None and trouble.again

    def _pause(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        trouble = self._explain(error) if isinstance(error, Exception) else None
        asked = trouble.after if trouble else None
        return asked if asked is not None else self._backoff(state)

    def _too_late(self, state: RetryCallState, start: float) -> bool:
        return self._clock() - start + state.upcoming_sleep >= self._deadline

    def _failure(self, error: Exception, tries: int) -> ProviderFailure:
        if isinstance(error, ProviderFailure):
            return error
        trouble = self._explain(error)
        sentence = trouble.sentence if trouble else f"{type(error).__name__}: {error}"
        often = f" (tried {tries} times within {self._deadline:g} s)" if trouble and trouble.again else ""
        return ProviderFailure(f"{sentence}{often}")


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
    """Return the trouble that an HTTP status means; `said` is the server's own message, `key` the variable's name."""
    reason = _REASONS.get(status, "it failed" if status >= 500 else "it refuses the request")
    reason = reason.format(key=key or "the key", model=f"the model {model!r}" if model else "the model")
    words = " ".join(said.split())[:300]
    after = _retry_after(headers, now)
    return Trouble(
        f"{server} answers {status}: {reason}{f' ({words})' if words else ''}", status in _AGAIN, after
    )


def of_connection(server: str, error: Exception, timeout: float | None = None) -> Trouble:
    """Return the trouble of a server that cannot be reached, or is silent for `timeout` seconds."""
    if timeout is not None:
        return Trouble(f"{server} was silent for {timeout:g} s", again=True)
    cause = error.__cause__ or error
    words = f"{type(cause).__name__}: {cause}"
    return Trouble(f"{server} cannot be reached ({words:.300}); check url and network", again=True)


def _retry_after(headers: Mapping[str, str], now: Callable[[], float]) -> float | None:
    """Read Retry-After: seconds or a date; `retry-after-ms` of some makers is finer."""
    try:
        if milliseconds := headers.get("retry-after-ms"):
            return max(0.0, float(milliseconds) / 1000)
        text = headers["retry-after"]
        seconds = float(text) if text[:1].isdigit() else parsedate_to_datetime(text).timestamp() - now()
        return max(0.0, seconds)
    except (KeyError, TypeError, ValueError):
        return None
