"""Second solutions of the pages for dragging, written without a look at their rewards: on other ways."""

import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, MouseDown, MouseUp, Move, Point

from ..toolkit.keyboard import push, texts

_WAYS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_PLACES = {"top": 0, "center": 1, "bottom": 2, "left": 0, "right": 2}


async def _drag(pilot: Pilot, start: Point, end: tuple[int, int], detour: tuple[int, int] = (0, 0)) -> None:
    """Drag by single presses and moves, on a way that goes aside."""
    aside = ((start.x + end[0]) // 2 + detour[0], (start.y + end[1]) // 2 + detour[1])
    stops = (*_between(start, aside), *_between(aside, end))
    await pilot.act(Move(*start), MouseDown(), *(Move(*stop) for stop in stops))
    await pilot.act(MouseUp())


def _between(start: tuple[int, int], end: tuple[int, int], steps: int = 8) -> list[tuple[int, int]]:
    return [
        (start[0] + (end[0] - start[0]) * step // steps, start[1] + (end[1] - start[1]) * step // steps)
        for step in range(1, steps + 1)
    ]


async def drag_box(pilot: Pilot, case: Case) -> None:
    """Drag the large box aside first; then the small one into a corner of it."""
    small, large = "#draggableSmall", "#draggableLarge"
    start = (await pilot.box(large)).middle
    await _drag(pilot, start, (start.x + 10, start.y + 10))
    box, inner = await pilot.box(large), await pilot.box(small)
    start = inner.middle
    end = round(box.x + inner.width / 2 + 8), round(box.y + box.height - inner.height / 2 - 8)
    await _drag(pilot, start, end)
    await push(pilot, "#subbtn")


async def drag_circle(pilot: Pilot, case: Case) -> None:
    """Drag twice."""
    await _drag_thing(pilot, case, "#area svg .black-circle")


async def drag_single_shape(pilot: Pilot, case: Case) -> None:
    """Drag twice."""
    await _drag_thing(pilot, case, "#area svg .black-shape")


async def _drag_thing(pilot: Pilot, case: Case, thing: str) -> None:
    found = re.search(r"\b(left|right|up|down)\b", case.goal)
    assert found
    dx, dy = _WAYS[found[1]]
    for _ in range(2):
        start = (await pilot.box(thing)).middle
        await _drag(pilot, start, (start.x + 26 * dx, start.y + 26 * dy))
    await push(pilot, "#subbtn")


async def drag_items(pilot: Pilot, case: Case) -> None:
    """Drag on a way that goes aside, and drop beyond the middle of the place."""
    found = re.search(r"Drag (.*) to the (\d)", case.goal)
    assert found
    names = await texts(pilot, "#sortable li")
    place = await pilot.box(f"#sortable li >> nth={int(found[2]) - 1}")
    beyond = 6 if names.index(found[1]) < int(found[2]) - 1 else -6
    start = (await pilot.box(f'#sortable li:has-text("{found[1]}")')).middle
    await _drag(pilot, start, (place.middle.x + 10, place.middle.y + beyond), (20, 0))


async def drag_items_grid(pilot: Pilot, case: Case) -> None:
    """Drag along the column first, then along the row."""
    found = re.search(r"Drag (.*?) (?:to the |)((?:up|down|left|right) by one|[a-z ]+)\.", case.goal)
    assert found
    name, where = found.groups()
    start = divmod((await texts(pilot, "#sortable li")).index(name), 3)
    words = where.split()
    if "by" in words:
        dx, dy = _WAYS[words[0]]
        row, column = start[0] + dy, start[1] + dx
    else:
        row, column = _PLACES[words[0]], _PLACES[words[-1]]
    place = (await pilot.box(f"#sortable li >> nth={3 * row + column}")).middle
    right = 6 * (column > start[1]) - 6 * (column < start[1])
    down = 0 if right else 6 * (row > start[0]) - 6 * (row < start[0])
    point = (await pilot.box(f'#sortable li:has-text("{name}")')).middle
    corner = ((point.x - place.x) // 2, (place.y - point.y) // 2)
    await _drag(pilot, point, (place.x + (right or down), place.y + down), corner)


_TAGS = {"circles": "circle", "rectangles": "rect", "triangles": "polygon"}
_ALL = "#area_svg > :not(#shape-container)"


async def _chosen(pilot: Pilot, goal: str) -> list[bool]:
    """Return of each shape whether it belongs into the first box."""
    found = re.search(r"Drag all (\w+)", goal)
    assert found
    test = _TAGS.get(found[1], f"*[@fill='{found[1]}']")
    return [
        await pilot.sees(f"{_ALL} >> nth={index} >> xpath=self::{_tag(test)}")
        for index in range(len(await texts(pilot, _ALL)))
    ]


def _tag(test: str) -> str:
    return test if test.startswith("*") else f"*[local-name()='{test}']"


async def _drag_shapes(pilot: Pilot, chosen: list[bool], boxes: int) -> None:
    """Drag the shapes from the last to the first, each beside the one before it."""
    put = [0, 0]
    for index, first in reversed(list(enumerate(chosen))):
        number = 0 if first else 1
        if number >= boxes:
            continue
        box = await pilot.box(f"#shape-container >> nth={number}")
        start = (await pilot.box(f"{_ALL} >> nth={index}")).middle
        column, row = put[number] % 3, put[number] // 3
        put[number] += 1
        end = round(box.x + 26 + 40 * column), round(box.y + box.height - 26 - 38 * row)
        await _drag(pilot, start, end)
    await push(pilot, "#subbtn")


async def drag_shapes(pilot: Pilot, case: Case) -> None:
    """Drag from the last to the first, and put them side by side at the lower edge."""
    await _drag_shapes(pilot, await _chosen(pilot, case.goal), 1)


async def drag_shapes_2(pilot: Pilot, case: Case) -> None:
    """As `drag_shapes`, into both boxes."""
    await _drag_shapes(pilot, await _chosen(pilot, case.goal), 2)


async def drag_sort_numbers(pilot: Pilot, case: Case) -> None:
    """Put the greatest last first, then the others from the greatest to the lowest."""
    numbers = [int(number) for number in await texts(pilot, "#sortable li")]
    for place in reversed(range(len(numbers))):
        number = max(numbers[: place + 1])
        at = numbers.index(number)
        if at == place:
            continue
        below = (await pilot.box(f"#sortable li >> nth={place}")).middle
        start = (await pilot.box(f"#sortable li >> nth={at}")).middle
        await _drag(pilot, start, (below.x + 4, below.y + 8), (20, 0))
        numbers.insert(place, numbers.pop(at))
    await push(pilot, "#subbtn")


async def highlight_text(pilot: Pilot, case: Case) -> None:
    """Click three times."""
    await pilot.click("#randomText", count=3)
    await pilot.click("#subbtn")


async def highlight_text_2(pilot: Pilot, case: Case) -> None:
    """Click the paragraph's end, and its start with Shift."""
    found = re.search(r"the (\d)", case.goal)
    assert found
    box = await pilot.box(f"#randomText p >> nth={int(found[1]) - 1}")
    await pilot.act(
        Click(round(box.x + box.width - 3), round(box.y + box.height - 6)),
        Click(round(box.x + 1), round(box.y + 6), modifiers=("shift",)),
    )
    await pilot.click("#subbtn")
