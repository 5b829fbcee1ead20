from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from openemr_database import FIXTURES, Hand, Running, database

from openemr.sessions import Session, Sessions

TODAY = date(2026, 11, 25)


@pytest.fixture(scope="session")
def running() -> Iterator[Running]:
    """A database as OpenEMR installs it."""
    with database() as server:
        yield Running(server)


@pytest.fixture(scope="session")
def sessions(running: Running) -> Iterator[Sessions]:
    """All sessions of a world program, with one place prepared."""
    made = Sessions(running, FIXTURES, today=lambda: TODAY)
    made.prepare()
    yield made
    made.end()


@pytest.fixture
def begin(sessions: Sessions) -> Iterator[Callable[[int], Session]]:
    """Opens sessions, which end with the test."""
    opened: list[Session] = []

    def one(seed: int) -> Session:
        opened.append(sessions.open("openemr", seed))
        return opened[-1]

    yield one
    for session in opened:
        if session.id in sessions.by_id:
            sessions.close(session)


@pytest.fixture
def session(begin: Any) -> Session:
    """A session of seed 0."""
    made: Session = begin(0)
    return made


@pytest.fixture
def hand(running: Running, session: Session) -> Iterator[Hand]:
    """Writes into the session's database as OpenEMR does."""
    made = Hand(running.server, session.copy.database)
    yield made
    made.close()
