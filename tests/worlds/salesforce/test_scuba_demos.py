"""Demonstrations tell, click for click, what the reference solutions do; the audit proves those to be right."""

from __future__ import annotations

import asyncio
import re
from itertools import groupby

import pytest
from shipped import shipped

from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Task
from salesforce_org.store import Org

from .seeded_org import seeded

TEMPLATES = ("admin_017", "admin_020", "admin_022", "admin_025", "admin_026", "admin_028", "admin_039")
SHOWN = {
    (task.template, task.id): task
    for task in shipped("scuba").tasks
    if task.template in TEMPLATES
    and task.id in task.wording.documents["demo"].shows[:2]  # more are the same task again
}
NAME = re.compile(r'name="([^"]*)"\]')
STEP = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
TOLD = re.compile(r'\*\*(.+?)\*\*|"(.+?)"')


class Recorder:
    """A hand that does nothing and remembers what it was told: ("click", name) or ("type", text)."""

    def __init__(self) -> None:
        self.deeds: list[tuple[str, str]] = []

    async def click(self, target: str) -> None:
        """Remember the name of what would be clicked."""
        self.deeds.append(("click", NAME.findall(target)[-1]))

    async def fill(self, target: str, text: str) -> None:
        """Remember what would be typed."""
        self.deeds.append(("type", text))

    async def sees(self, target: str) -> bool:
        """Whether Setup was opened before: it has Object Manager beside it, and Quick Find elsewhere."""
        last = next((name for kind, name in self.deeds[::-1] if name in ("Setup", "Object Manager")), "")
        return last == "Setup" or (last != "" and "quick-find" not in target)

    async def answer(self, text: str) -> None:
        """Remember what would be answered."""
        self.deeds.append(("type", text))


def done(task: Task, org: Org) -> list[tuple[str, str]]:
    """Return what the reference solution does; a menu and its entry of one name count once."""
    hand = Recorder()
    state = State(org.collections(), clock=org.now.isoformat(timespec="seconds"))
    asyncio.run(task.functions.solve(hand, task.case(state, "demo", 0)))  # type: ignore[arg-type]
    return [deed for deed, _ in groupby(hand.deeds)]


def told(task: Task) -> list[tuple[str, str]]:
    """Return what the demonstration of a task says, in order."""
    document = task.wording.documents["demo"]
    parts = re.split(r"^# Demonstration \d+: ", document.text, flags=re.MULTILINE)[1:]
    assert len(parts) == 2
    steps = STEP.findall(parts[document.shows.index(task.id)])
    return [
        ("click", click) if click else ("type", text) for step in steps for click, text in TOLD.findall(step)
    ]


@pytest.mark.parametrize("task", SHOWN.values(), ids=lambda task: task.id)
def test_demonstrations_tell_what_solves_the_task(task: Task) -> None:
    """The names in bold and the texts in quotes are those that the reference solution clicks and types."""
    said, did = told(task), done(task, seeded())
    assert [kind for kind, _ in said] == [kind for kind, _ in did]
    for (_, one), (_, other) in zip(said, did, strict=True):
        assert other in (one, f"Select {one}", f"Edit {one}")


def test_every_template_has_two_demonstrations() -> None:
    """Two tasks of each template are shown, and no others."""
    shown = [template for template, _ in SHOWN]
    assert sorted(shown) == sorted(TEMPLATES * 2)
