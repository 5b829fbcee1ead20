"""What an agent did last counts, however busy the program is that it was asked of."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from datetime import date
from pathlib import Path

from hospital.sessions import Session, Sessions
from worldkit.requestlog import RequestLog


def test_the_state_waits_for_answers_that_are_on_their_way() -> None:
    """Waiting ends when each request so far has its status, and does not wait for later ones."""
    log = RequestLog()

    async def play() -> list[str]:
        told: list[str] = []
        entry = log.begin("POST", "/save", [], [])

        async def answered() -> None:
            await asyncio.sleep(0.05)
            log.begin("GET", "/later", [], [])
            told.append("answered")
            entry["status"] = 200

        answering = asyncio.create_task(answered())
        await log.settle(30)
        told.append("settled")
        await answering
        return told

    assert asyncio.run(play()) == ["answered", "settled"]


def test_a_request_that_is_never_answered_is_waited_for_so_long_only() -> None:
    """A program that hangs does not hang the judge."""
    log = RequestLog()
    log.begin("POST", "/save", [], [])
    asyncio.run(asyncio.wait_for(log.settle(0.05), 30))
    assert log.entries[0]["status"] is None


def test_a_database_is_not_used_again_while_it_is_at_work(tmp_path: Path) -> None:
    """What GNU Health still does for a session that is over lands in no other one."""
    sessions = Sessions(tmp_path / "none", tmp_path, "secret", lambda name: None)
    for name, busy in (("hospital1", True), ("hospital2", False)):
        session = Session(
            name, f"{name}.localhost", 0, name, tmp_path / name, "secret", date(2031, 1, 1), "f"
        )
        sessions.by_id[session.id] = sessions.by_host[session.host] = session
        with session.requests.answering("POST", "/") if busy else nullcontext():
            sessions.close(session)
    assert sessions._free == ["hospital2"]
