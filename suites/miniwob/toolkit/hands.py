"""What the solutions of several pages do alike, in the words of selectors and of the instruction."""

import re
from collections.abc import Awaitable, Callable

from pytest_cuabench import Box, Case, Lost, Pilot, wrong
from pytest_cuabench.task.action import Click, Drag, Scroll

Solve = Callable[[Pilot, Case], Awaitable[None]]
Points = tuple[tuple[float, float], ...]
SCALE = 2  # pixels of the screen for one of the page
_SUBMIT = "css=#subbtn, #submit, #submit-order button, #controls button:last-child, #submitRow button"
_MOST = 60


class Solutions(dict[str, Solve]):
    """The solutions of an application's pages by name."""

    def of(self, *pages: str) -> Callable[[Solve], Solve]:
        """Keep the solution of pages that differ in detail only."""

        def keep(solve: Solve) -> Solve:
            self.update(dict.fromkeys(pages, solve))
            return solve

        return keep

    async def solve(self, pilot: Pilot, case: Case) -> None:
        """Play the solution of the page that is shown.

        Raises:
            Lost: Nobody has written one.
        """
        page = case["page"]
        if page not in self:
            raise Lost(f"there is no solution of the page {page}; it is played without being proved")
        await self[page](pilot, case)


def asked(case: Case, pattern: str) -> tuple[str, ...]:
    """Return the groups of a pattern that the instruction matches.

    Raises:
        Lost: It does not match.
    """
    found = re.search(pattern, case["utterance"])
    if found is None:
        raise Lost(f"{case['utterance']!r} does not match {pattern!r}")
    return found.groups()


async def submit(pilot: Pilot) -> None:
    """Press the page's button for submitting."""
    await pilot.click(_SUBMIT)


@wrong("milestone:solved")
async def submits_at_once(pilot: Pilot, _case: Case) -> None:
    """What is submitted as it was found is not solved; without a button, a click on the instruction does nothing."""
    await hand_in(pilot)


async def hand_in(pilot: Pilot) -> None:
    """Press the page's button for submitting, if it has one, else its instruction."""
    await pilot.click(_SUBMIT if await pilot.sees(_SUBMIT) else "css=#query")


async def count(pilot: Pilot, selector: str) -> int:
    """Return how many visible elements a CSS selector matches."""
    found = 0
    while found < _MOST and await pilot.sees(nth(selector, found)):
        found += 1
    return found


async def texts(pilot: Pilot, selector: str) -> list[str]:
    """Return the texts of the visible elements that a CSS selector matches."""
    return [
        (await pilot.read(nth(selector, number))).strip() for number in range(await count(pilot, selector))
    ]


def nth(selector: str, number: int) -> str:
    """Return the selector of a visible element by its number, counted from 0."""
    return f"css={selector} >> visible=true >> nth={number}"


async def numbered(pilot: Pilot, selector: str, text: str) -> str:
    """Return the selector of the first visible element with exactly this text.

    Raises:
        Lost: There is none.
    """
    found = await texts(pilot, selector)
    if text not in found:
        raise Lost(f"no element {selector} says {text!r}, only {found}")
    return nth(selector, found.index(text))


async def click_text(pilot: Pilot, selector: str, text: str) -> None:
    """Click the first visible element with exactly this text."""
    await pilot.click(await numbered(pilot, selector, text))


async def click_at(pilot: Pilot, box: Box, x: float, y: float) -> None:
    """Click within a box, in pixels of the page from its corner."""
    await pilot.act(Click(*at(box, x, y)), thought="Click there")


def at(box: Box, x: float, y: float) -> tuple[int, int]:
    """Return a point of the screen from pixels of the page within a box."""
    return round(box.x + x * SCALE), round(box.y + y * SCALE)


async def drag(pilot: Pilot, *path: tuple[int, int]) -> None:
    """Drag along a path of points of the screen."""
    await pilot.act(Drag(path), thought="Drag")


async def reveal(pilot: Pilot, target: str, inside: str) -> str:
    """Scroll an area until the middle of an element is in it; return the element's selector.

    Raises:
        Lost: It does not come into view.
    """
    for _ in range(_MOST):
        area, box = await pilot.box(inside), await pilot.box(target)
        beyond = box.middle.y - area.middle.y
        if abs(beyond) < area.height / 2 - 4:
            return target
        steps = max(-3, min(3, round(beyond / 200))) or (1 if beyond > 0 else -1)
        await pilot.act(Scroll(*area.middle, dy=steps), thought=f"Scroll to {target}")
    raise Lost(f"{target} does not come into view")
