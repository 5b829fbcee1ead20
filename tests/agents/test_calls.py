"""Calls to a server: what is tried again, how long is waited before that, and what is said at the end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.agents.models.calls import Answered, Caller, Trouble, of_connection, of_status
from pytest_cuabench.errors import BudgetSpent, ProviderFailure

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Fault(Exception):
    """An exception of a maker's SDK."""

    def __init__(self, status: int, said: str = "", **headers: str) -> None:
        super().__init__(said)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def explain(error: Exception) -> Trouble | None:
    """Explain the SDK's exceptions, and none else."""
    if isinstance(error, Fault):
        return of_status("Maker", error.status, str(error), error.headers, key="MAKER_API_KEY", model="m-1")
    return None


class Desk:
    """A clock that goes while a caller sleeps and while a server takes its time, and a script of answers."""

    def __init__(self, *script: Any, takes: float = 0.0) -> None:
        self.script = list(script)
        self.takes = takes
        self.now = 1000.0
        self.slept: list[float] = []
        self.tries = 0

    async def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.slept.append(seconds)
        self.now += seconds

    async def request(self) -> Any:
        """Answer as the script says; its last line holds for ever."""
        self.tries += 1
        self.now += self.takes
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def call(self, deadline: float = 300.0, **more: Any) -> Answered[Any]:
        """Return what a caller makes of it."""
        before: Callable[[], Awaitable[None]] | None = more.pop("before", None)
        caller = Caller(explain, deadline=deadline, sleep=self.sleep, clock=lambda: self.now, **more)
        return asyncio.run(caller(self.request, before))


def test_answer_at_once() -> None:
    """A request that is answered is sent once, and nothing is waited for."""
    desk = Desk("yes", takes=3)
    assert desk.call() == Answered("yes", 0.0)
    assert (desk.tries, desk.slept) == (1, [])


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_passing_trouble_is_tried_again(status: int) -> None:
    """What may pass is tried again."""
    desk = Desk(Fault(status), Fault(status), "yes")
    assert desk.call().value == "yes"
    assert (desk.tries, len(desk.slept)) == (3, 2)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422, 451])
def test_lasting_trouble_is_not_tried_again(status: int) -> None:
    """What the next try would hear again is not sent again, and the sentence does not talk of tries."""
    desk = Desk(Fault(status, "no"))
    with pytest.raises(ProviderFailure, match=rf"^Maker returned {status}: .*\(no\)$"):
        desk.call()
    assert (desk.tries, desk.slept) == (1, [])


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "check MAKER_API_KEY"),
        (403, "the key has no access to the model 'm-1'"),
        (404, "the model 'm-1' or the URL does not exist"),
        (413, "smaller screenshots"),
        (418, "the request was rejected"),
        (599, "the server failed"),
    ],
)
def test_sentences_say_what_to_look_at(status: int, words: str) -> None:
    """The sentence names the variable of the key, the model or the setting that is to be changed."""
    trouble = explain(Fault(status))
    assert trouble is not None
    assert words in trouble.sentence


def test_nothing_named() -> None:
    """A sentence reads well where neither key nor model is known."""
    assert of_status("Maker", 401, "", {}).sentence == (
        "Maker returned 401: the key is invalid; check the key"
    )


def test_what_a_server_said_is_one_short_line() -> None:
    """A page of HTML becomes at most three hundred characters on one line."""
    sentence = of_status("Maker", 502, "<html>\n  bad\tgateway" + "x" * 5000, {}).sentence
    assert "(<html> bad gatewayxx" in sentence
    assert len(sentence) < 400
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"Retry-After": " 7.5 "}, 7.5),
        ({"retry-after-ms": "2500", "retry-after": "3"}, 2.5),
        ({"retry-after-ms": "soon", "retry-after": "3"}, 3.0),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=42), usegmt=True)}, 42.0),
        ({"retry-after": format_datetime(NOW - timedelta(days=1), usegmt=True)}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "later"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "²"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: Mapping[str, str], seconds: float | None) -> None:
    """Seconds, a date and milliseconds are read, whatever the case; what is none of them says nothing."""
    assert of_status("Maker", 429, "", headers, now=NOW.timestamp).after == seconds


@given(st.dictionaries(st.sampled_from(["retry-after", "Retry-After-Ms"]), st.text(max_size=40)))
def test_no_header_breaks_a_call(headers: Mapping[str, str]) -> None:
    """Whatever a server writes there, it is a time to wait or nothing."""
    after = of_status("Maker", 429, "", headers).after
    assert after is None or after >= 0


def test_waits_as_long_as_asked() -> None:
    """The server's own time is waited for exactly, and told as waiting."""
    desk = Desk(Fault(429, retry_after="7"), Fault(429, retry_after_ms="1500"), "yes", takes=2)
    assert desk.call() == Answered("yes", 2 + 7 + 2 + 1.5)
    assert desk.slept == [7.0, 1.5]


def test_backs_off_where_nothing_is_asked() -> None:
    """Without a word of the server the pauses are random, and bounded by doubling seconds up to a minute."""
    desk = Desk(*[Fault(503)] * 6, "yes")
    desk.call(deadline=10_000)
    assert all(0 <= pause <= 2**number for number, pause in enumerate(desk.slept))
    assert len(set(desk.slept)) == 6


def test_a_pause_of_nothing_is_no_storm() -> None:
    """A server that asks for no pause at all is obeyed a few times, but not asked thousands of times."""
    desk = Desk(Fault(429, retry_after="0"), takes=0.001)
    with pytest.raises(ProviderFailure):
        desk.call()
    assert desk.slept[:3] == [0, 0, 0]
    assert desk.tries < 100


def test_deadline() -> None:
    """Nothing is tried after the deadline, and the sentence tells how often it was tried within it."""
    desk = Desk(Fault(529, "overloaded", retry_after="40"), takes=10)
    with pytest.raises(
        ProviderFailure, match=r"overloaded.*tried 3 times within 150 s; the server asks to wait 40 s"
    ):
        desk.call(deadline=150)
    assert desk.now <= 1150
    assert desk.slept == [40, 40]


def test_a_pause_that_is_longer_than_the_deadline_is_not_begun() -> None:
    """When the server asks to wait longer than the deadline, the call ends at once and says so."""
    desk = Desk(Fault(429, retry_after="3600"))
    with pytest.raises(ProviderFailure, match=r"tried once within 300 s; the server asks to wait 3600 s"):
        desk.call()
    assert desk.slept == []


def test_an_answer_that_never_ends() -> None:
    """An answer that trickles in for ever ends with the deadline."""

    async def trickle() -> None:
        await asyncio.Event().wait()

    with pytest.raises(ProviderFailure, match=r"^no complete reply within 0\.01 s$"):
        asyncio.run(Caller(explain, deadline=0.01)(trickle))


def test_a_time_out_of_the_sdk_is_explained_by_the_adapter() -> None:
    """A `TimeoutError` from within is not taken for the deadline."""
    with pytest.raises(ProviderFailure, match=r"^TimeoutError: read$"):
        Desk(TimeoutError("read")).call()


def test_before_every_try() -> None:
    """What is awaited before each try is counted as waiting, and not against the deadline."""
    desk = Desk(Fault(503, retry_after="1"), "yes", takes=5)

    async def queue() -> None:
        desk.now += 100

    assert desk.call(deadline=20, before=queue) == Answered("yes", 100 + 5 + 1 + 100)


def test_a_bug_is_not_tried_again() -> None:
    """What is no trouble of the server ends the call with its name."""
    desk = Desk(KeyError("choices"))
    with pytest.raises(ProviderFailure, match=r"^KeyError: 'choices'$"):
        desk.call()
    assert desk.tries == 1


@pytest.mark.parametrize("ours", [ProviderFailure("cut short"), BudgetSpent("spent")])
def test_our_own_errors_pass(ours: Exception) -> None:
    """An error of pytest-cuabench stays what it was."""
    desk = Desk(ours)
    with pytest.raises(type(ours)) as raised:
        desk.call()
    assert raised.value is ours
    assert desk.tries == 1


def test_cancelling_is_not_caught() -> None:
    """A run that is stopped stops, in a call as anywhere."""
    with pytest.raises(asyncio.CancelledError):
        Desk(asyncio.CancelledError()).call()


@pytest.mark.parametrize("fault", [Fault(401, "the key sk-123 is wrong"), ValueError("bad header sk-123")])
def test_the_key_is_in_no_sentence(fault: Exception) -> None:
    """The key never shows, also where the server or the SDK repeats it."""
    with pytest.raises(ProviderFailure) as raised:
        Desk(fault).call(secret="sk-123")
    assert "sk-123" not in str(raised.value)
    assert "***" in str(raised.value)


def test_silence_and_no_connection() -> None:
    """A server that is silent or cannot be reached is tried again, and the sentence says what to check."""
    silent = of_connection("Maker", TimeoutError(), timeout=120)
    assert (silent.sentence, silent.again) == ("Maker did not reply within 120 s", True)
    error = RuntimeError("Connection error.")
    error.__cause__ = OSError("Name or service not known")
    gone = of_connection("Maker", error)
    assert gone.again
    assert gone.sentence == (
        "cannot connect to Maker (OSError: Name or service not known); check url and network"
    )


def test_what_may_be_on_the_bill() -> None:
    """Only what the server refused itself, or never heard of, is surely free."""

    class ConnectError(Exception):
        pass

    assert of_status("Maker", 500, "", {}).answered
    assert of_connection("Maker", ConnectError()).answered
    assert not of_connection("Maker", RuntimeError("peer closed connection")).answered
    assert not of_connection("Maker", TimeoutError(), timeout=1).answered
