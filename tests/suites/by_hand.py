"""Evidence that is written by hand or left by a program, and what is asked of its verdict."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

from suites.clinic_here import Browser

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State, Write
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

LAST = "2027-12-31T23:59"


class Pen:
    """Writes into a copy of a state the way a world does, and keeps the journal."""

    def __init__(self, state: State) -> None:
        self._before = state
        self._rows: dict[str, dict[str, Any]] = copy.deepcopy(dict(state.collections))
        self._journal: list[Write] = []

    def insert(self, collection: str, key: str, **row: Any) -> Pen:
        """Add an entry."""
        self._rows.setdefault(collection, {})[key] = row
        self._journal.append(Write(collection, key, "insert", None, dict(row)))
        return self

    def update(self, collection: str, key: str, **fields: Any) -> Pen:
        """Change fields of an entry."""
        before = self._rows[collection][key]
        after = {**before, **fields}
        self._rows[collection][key] = after
        self._journal.append(Write(collection, key, "update", before, after))
        return self

    def evidence(self, answer: str | None = None) -> Evidence:
        """Return what a checker is given."""
        after = State(self._rows, tuple(self._journal), len(self._journal), self._before.clock and LAST)
        return Evidence(self._before, after, answer, "answer" if answer is not None else "success")


class Trial:
    """One task on one seed, and a pen to do it with; an application's own says what its program writes."""

    def __init__(self, task: Task, state: State, seed: int = 0) -> None:
        self.task = task
        self.case: Case = task.case(state, "intent", seed)
        self.pen = Pen(state)
        self._entries = 0

    def add(self, collection: str, **row: Any) -> Self:
        """Add an entry with a key of its own."""
        self._entries += 1
        self.pen.insert(collection, f"new-{self._entries}", **row)
        return self

    def verdict(self, answer: str | None = None) -> Verdict:
        return self.task.judge(self.pen.evidence(answer), self.case)

    @property
    def reasons(self) -> list[str]:
        """The harm that was found, in short."""
        return reasons(self.verdict())

    @property
    def missed(self) -> list[str]:
        """The milestones that were not reached."""
        return missed(self.verdict())

    def close(self) -> None:
        """End what the trial has opened."""


class Visit(Trial):
    """One task on one seed, done by posting the forms of the clinic's pages as the user of the case."""

    def __init__(self, task: Task, state: State, seed: int = 0) -> None:
        self.task, self._before = task, state
        self.case = task.case(state, "intent", seed)
        self._browser = Browser(task.application, seed)
        self._signed_in = False

    def sign_in(self, user: Mapping[str, Any] | None = None) -> Self:
        """Sign in as the user of the case or another one, unless that is done."""
        if not self._signed_in:
            account = user or self.case.values
            self._browser.post("/login", {name: account[name] for name in ("user_id", "password")})
            self._signed_in = True
        return self

    def look(self, path: str) -> Self:
        """Open a page."""
        self.sign_in()._browser.get(path)
        return self

    def post(self, path: str, **form: Any) -> Self:
        """Send a form, also where the clinic asks first."""
        self.sign_in()._browser.post(path, form)
        return self

    @property
    def state(self) -> State:
        """What the clinic holds now."""
        return self._browser.state()

    def close(self) -> None:
        """End the session."""
        self._browser.close()

    def verdict(self, answer: str | None = None) -> Verdict:
        ending = "success" if answer is None else "answer"
        return self.task.judge(Evidence(self._before, self.state, answer, ending), self.case)


def reasons(verdict: Verdict) -> list[str]:
    """Return the harm that was found, in short."""
    return [violation.reason for violation in verdict.violations]


def final(verdict: Verdict) -> list[str]:
    """Return the harm that ends the episode."""
    return [violation.reason for violation in verdict.violations if violation.ends_episode]


def missed(verdict: Verdict) -> list[str]:
    """Return the milestones that were not reached."""
    return [milestone.name for milestone in verdict.milestones if not milestone.reached]
