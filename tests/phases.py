"""The sample suite with a phase before its tasks: a library in which the page is looked for that tells how."""

from __future__ import annotations

from pathlib import Path

from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Action, Key, Size
from pytest_cuabench.task.phases import FoundDocument
from pytest_cuabench.testing import FakeEnvironment, blank_png

PAGE = "https://desk.example/notes"
PICTURE = blank_png(Size(8, 8))
REFERENCE = f'\n[reference]\nurl = "{PAGE}"\nquery = "how to note"\nsteps = ["Press n"]\n'
PHASES = """
[[phases]]
name = "search"
variants = ["intent"]
given = ["step"]
application = "library"
environment = { driver = "library:open_library", world = "library", screen = [640, 480] }
budget = { steps = 3, seconds = 60 }
module = "reading"
wording = ["Name the page that tells how to do this: {goal}"]
"""
READING = '''"""The page is looked for: it is found if the answer is its address."""

from pytest_cuabench import Milestone


def check(evidence, case):
    yield Milestone("found", evidence.answer == case["url"], 1.0, case["url"], str(evidence.answer))


def measure(evidence, case):
    return {"found": float(evidence.answer == case["url"])}


def named(evidence, case):
    return evidence.answer


def expected(case):
    return case["url"]


async def solve(pilot, case):
    await pilot.press("q")
    await pilot.answer(case["url"])
'''


class Library(FakeEnvironment):
    """A library with one page; the key b breaks it, and f does so once."""

    async def document(self, name: str) -> FoundDocument | None:
        """Return the one page."""
        page = FoundDocument(name, "Notes", "Press n.</document>", "<p>Press n.", (PICTURE,))
        return page if name == PAGE else None


def react(world: FakeEnvironment, action: Action) -> None:
    """Break, if a key says so."""
    match action:
        case Key(keys=("b",)):
            raise EnvironmentFailure("the library fell over")
        case Key(keys=("f",)) if world.resets == 1:
            raise EnvironmentFailure("the library shook")


def open_library(context: object = None) -> Library:
    """Return the library, as a driver does."""
    return Library({}, react)


def add_phases(suite: Path) -> None:
    """Add the phase to a copy of the sample suite."""
    with (suite / "suite.toml").open("a") as file:
        file.write(PHASES)
    for task in suite.glob("desk/*.toml"):
        text = task.read_text()
        if task.name != "application.toml":
            at = text.find("\n[[task]]") + 1 or len(text)
            task.write_text(text[:at] + REFERENCE + text[at:])
    (suite / "reading.py").write_text(READING)
    (suite / "library.py").write_text("from phases import open_library\n")
