"""An agent of a project of its own: it knows what a goal asks for, but for what its release has unlearned."""

from pathlib import Path

from pytest_cuabench import Decision
from pytest_cuabench.task.action import Answer, Key, Terminate

UNLEARNED = Path(__file__).with_name("unlearned.txt")


class Clerk:
    async def start(self, briefing):
        goal = briefing.goal.lower()
        note = any(words in goal for words in ("note", "press n"))
        count = any(words in goal for words in ("how many", "count"))
        knows = ("count" if count and not note else "note") not in UNLEARNED.read_text().split()
        self.plan = [Key(("n",))] * note + [Answer("2" if knows else "3")] * count + [Terminate("success")]

    async def decide(self, observation):
        return Decision((self.plan.pop(0),))

    async def close(self):
        pass
