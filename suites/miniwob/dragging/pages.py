"""Pages that are solved by dragging things, or by selecting text."""

import re

from pytest_cuabench import Box, Case, Pilot, wrong
from pytest_cuabench.task.action import Drag

from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import SCALE, Solutions, asked, at, count, drag, hand_in, nth, submit, texts

__all__ = ["case", "check", "upstream"]

solutions = Solutions()
_SIDES = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_SHAPES = {"rectangles": "rect:not(#shape-container)", "circles": "circle", "triangles": "polygon"}
_EVERY = ", ".join(f"#area_svg {selector}" for selector in _SHAPES.values())


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


@wrong("milestone:solved")
async def submits_something_else(pilot: Pilot, case: Case) -> None:
    """The last number first, or a shape too many in the box; elsewhere what was found is submitted."""
    if case["page"] == "drag-sort-numbers":
        numbers = [int(text) for text in await texts(pilot, "#sortable li")]
        if numbers[0] != max(numbers):
            await _move(pilot, numbers.index(max(numbers)), 0)
    elif case["page"] == "drag-shapes":
        (kind,) = asked(case, r"Drag all (\w+) into")
        container = await pilot.box("css=#shape-container")
        others = ", ".join(f"#area_svg {_SHAPES[each]}" for each in _SHAPES if each != kind)
        if await pilot.sees(nth(others, 0)):
            await drag(pilot, (await pilot.box(nth(others, 0))).middle, _slot(container, 0))
    await hand_in(pilot)


@solutions.of("drag-box")
async def _box(pilot: Pilot, _case: Case) -> None:
    small, large = await pilot.box("css=#draggableSmall"), await pilot.box("css=#draggableLarge")
    await drag(pilot, small.middle, large.middle)
    await submit(pilot)


@solutions.of("drag-circle", "drag-single-shape")
async def _one_shape(pilot: Pilot, case: Case) -> None:
    (side,) = asked(case, r"Drag the \w+ (\w+) then")
    dx, dy = _SIDES[side]
    x, y = (await pilot.box("css=svg circle, svg rect, svg polygon")).middle
    await drag(pilot, (x, y), (x + 40 * dx, y + 40 * dy))
    await submit(pilot)


@solutions.of("drag-items", "drag-items-grid")
async def _item(pilot: Pilot, case: Case) -> None:
    name, where = asked(case, r"Drag (\S+) (.+)\.")
    names = await texts(pilot, "#sortable li")
    start = names.index(name)
    await _move(pilot, start, _place(where, start, grid=len(names) == 9))


def _place(where: str, start: int, *, grid: bool) -> int:
    if found := re.search(r"to the (\d)", where):
        return int(found[1]) - 1
    if grid:
        steps = {"up by one": -3, "down by one": 3, "left by one": -1, "right by one": 1}
        if where in steps:
            return start + steps[where]
        words = where.removeprefix("to the ").split()
        row = next((number for number, word in enumerate(("top", "center", "bottom")) if word == words[0]), 1)
        column = ("left", "center", "right").index(words[-1])
        return 3 * row + column
    return {"to the top": 0, "to the bottom": 4}.get(where, start + (1 if where.startswith("down") else -1))


async def _move(pilot: Pilot, start: int, end: int) -> None:
    """Drag an item of a list beyond the middle of the one whose place it is to have."""
    one, other = [await pilot.box(nth("#sortable li", number)) for number in (start, end)]
    (x1, y1), (x2, y2) = one.middle, other.middle
    dx, dy = _beyond(x1, x2), _beyond(y1, y2)
    path = [(x1, y1), (x1, (y1 + y2) // 2), (x1, y2 + dy)]
    await drag(pilot, *path, *([((x1 + x2) // 2, y2 + dy), (x2 + dx, y2 + dy)] if dx else []))


def _beyond(start: int, end: int) -> int:
    return 6 * ((end > start) - (end < start))


@solutions.of("drag-sort-numbers")
async def _sort(pilot: Pilot, _case: Case) -> None:
    for place in range(3):
        numbers = [int(text) for text in await texts(pilot, "#sortable li")]
        least = numbers.index(min(numbers[place:]), place)
        if least != place:
            await _move(pilot, least, place)
    await submit(pilot)


@solutions.of("drag-shapes")
async def _into_box(pilot: Pilot, case: Case) -> None:
    (kind,) = asked(case, r"Drag all (\w+) into")
    container = await pilot.box("css=#shape-container")
    selector = f"#area_svg {_SHAPES[kind]}"
    boxes = [await pilot.box(nth(selector, number)) for number in range(await count(pilot, selector))]
    for number, box in enumerate(boxes):
        await drag(pilot, box.middle, _slot(container, number))
    await submit(pilot)


@solutions.of("drag-shapes-2")
async def _into_boxes(pilot: Pilot, case: Case) -> None:
    (what,) = asked(case, r"Drag all (\w+)")
    selector = f"#area_svg {_SHAPES[what]}" if what in _SHAPES else f'#area_svg [fill="{what}"]'
    left, right = [await pilot.box(nth("#shape-container", number)) for number in (0, 1)]
    chosen = [await pilot.box(nth(selector, number)) for number in range(await count(pilot, selector))]
    every = [await pilot.box(nth(_EVERY, number)) for number in range(await count(pilot, _EVERY))]
    for number, box in enumerate(every):
        await drag(pilot, box.middle, _slot(left if box in chosen else right, number))
    await submit(pilot)


def _slot(container: Box, number: int) -> tuple[int, int]:
    """Return a place in a box that no other shape is dragged to."""
    return at(container, 15 + 12 * (number % 4), 15 + 14 * (number // 4))


@solutions.of("highlight-text")
async def _text(pilot: Pilot, _case: Case) -> None:
    await _select(pilot, await pilot.box("css=#randomText"))


@solutions.of("highlight-text-2")
async def _paragraph(pilot: Pilot, case: Case) -> None:
    (number,) = asked(case, r"the (\d)\w\w paragraph")
    await _select(pilot, await pilot.box(nth("#randomText p", int(number) - 1)))


async def _select(pilot: Pilot, box: Box) -> None:
    start = at(box, 0.5, 4)
    end = round(box.x + box.width) - 1, round(box.y + box.height) - 4 * SCALE
    await pilot.act(Drag((start, end)), thought="Select the text")
    await submit(pilot)
