"""Second solutions of the pages for drawing, written without a look at their rewards: other places, other order."""

import math
import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Drag
from pytest_cuabench.task.observation import Box

from ..toolkit.keyboard import push, texts

_COLORS = ("red", "green", "blue", "aqua", "black", "magenta", "yellow", "orange", "purple", "olive", "white")
_LARGE = 30  # pixels of the screen: small shapes have about 20, large ones about 40
_TAGS = {"circle": "circle", "rectangle": "rect", "triangle": "polygon"}


def _middle(box: Box) -> complex:
    return complex(box.x + box.width / 2, box.y + box.height / 2)


async def _click(pilot: Pilot, *places: complex) -> None:
    for place in places:
        await pilot.act(Click(round(place.real), round(place.imag)))


def _unit(vector: complex) -> complex:
    return vector / abs(vector)


async def bisect_angle(pilot: Pilot, case: Case) -> None:
    """Put the point far out on the bisector, after another one."""
    corner = _middle(await pilot.box("#svg-grid .init-blue"))
    ends = [_middle(await pilot.box(f"#svg-grid .init-black >> nth={index}")) for index in (0, 1)]
    along = _unit(sum(_unit(end - corner) for end in ends))
    length = max(abs(end - corner) for end in ends)
    await _click(pilot, corner + along * length * 0.9)
    await push(pilot, "#subbtn", "space")


async def circle_center(pilot: Pilot, case: Case) -> None:
    """Click away from the center first, and then on it."""
    center = _middle(await pilot.box(".black-circle"))
    await _click(pilot, center + 24, center)
    await push(pilot, "#subbtn")


async def click_shades(pilot: Pilot, case: Case) -> None:
    """Select from the last to the first, with a wrong one that is taken back."""
    found = re.search(r"shades of (\w+)", case.goal)
    assert found
    shade = f"#area span[data-color={found[1]}]"
    other = f"#area span:not([data-color={found[1]}]) >> nth=0"
    for index in reversed(range(len(await texts(pilot, shade)))):
        await pilot.click(f"{shade} >> nth={index}")
    for _ in range(2):
        await pilot.click(other)
    await push(pilot, "#submit")


async def _shapes(pilot: Pilot, wanted: str) -> list[Box]:
    """Return the boxes of the shapes that some words name."""
    words = [word.rstrip("s") if len(word) > 1 else word for word in wanted.split()]
    color = next((each for each in _COLORS if each in words), "")
    size = next((each for each in ("small", "large") if each in words), "")
    kind = words[-1]
    found = []
    for tag in ("text", "circle", "rect", "polygon"):
        for index, text in enumerate(await texts(pilot, f"#area_svg {tag}")):
            shape = f"#area_svg {tag} >> nth={index}"
            box = await pilot.box(shape)
            fits = (
                (not color or await pilot.sees(f"{shape} >> xpath=self::*[@fill='{color}']"))
                and (not size or (box.height > _LARGE) == (size == "large"))
                and (
                    kind == "item"
                    or kind == text
                    or tag == _TAGS.get(kind)
                    or (kind == "digit" and text.isdigit())
                    or (kind == "letter" and text.isalpha())
                )
            )
            if fits:
                found.append(box)
    return found


async def click_shape(pilot: Pilot, case: Case) -> None:
    """Click the last of the shapes that fit, beside its middle."""
    shape = (await _shapes(pilot, case.goal.removeprefix("Click on a ")))[-1]
    await _click(pilot, _middle(shape) + complex(2, 2))


async def count_shape(pilot: Pilot, case: Case) -> None:
    """Press the button with the number by keyboard."""
    found = re.search(r"How many (.*?) are there", case.goal)
    assert found
    number = len(await _shapes(pilot, found[1]))
    await push(pilot, f'#count-buttons button:text-is("{number}")', "space")


async def draw_circle(pilot: Pilot, case: Case) -> None:
    """Draw from the left, against the clock, and once round only."""
    center = _middle(await pilot.box("#circ"))
    area = await pilot.box("#area svg")
    radius = min(center.real - area.x, center.imag - area.y, 60) - 6
    around = [center - radius * complex(math.cos(a), -math.sin(a)) for a in _turn()]
    await pilot.act(Drag(tuple((round(place.real), round(place.imag)) for place in around)))
    await pilot.click("#controls button")


def _turn(steps: int = 60) -> list[float]:
    return [2 * math.pi * step / steps for step in range(steps + 1)]


async def draw_line(pilot: Pilot, case: Case) -> None:
    """Draw from the far end, from below or from the right."""
    center = _middle(await pilot.box("#circ"))
    along = 50j if "vertical" in case.goal else 50
    places = [center + along * step / 10 for step in range(10, -11, -1)]
    await pilot.act(Drag(tuple((round(place.real), round(place.imag)) for place in places)))
    await pilot.click("#controls button")


async def find_midpoint(pilot: Pilot, case: Case) -> None:
    """Click a point at one end first, and then the one in the middle."""
    ends = [_middle(await pilot.box(f".black-circle >> nth={index}")) for index in (0, 1)]
    await _click(pilot, ends[0] * 0.7 + ends[1] * 0.3, (ends[0] + ends[1]) / 2)
    await push(pilot, "#subbtn")


async def grid_coordinate(pilot: Pilot, case: Case) -> None:
    """Click the edge of the dot."""
    found = re.search(r"\((-?\d),(-?\d)\)", case.goal)
    assert found
    dot = _middle(await pilot.box(f'[id="({found[1]},{found[2]})"]'))
    await _click(pilot, dot + complex(-4, 4))


async def identify_shape(pilot: Pilot, case: Case) -> None:
    """Press the button by keyboard."""
    kind = ""
    for name, tag in _TAGS.items():
        if await pilot.sees(f"#area_svg {tag}"):
            kind = name.capitalize()
    kind = kind or ("Number" if (await pilot.read("#area_svg text")).isdigit() else "Letter")
    await push(pilot, f'#area-buttons button:text-is("{kind}")', "space")


async def right_angle(pilot: Pilot, case: Case) -> None:
    """Put the point on the side that has more room, look where it was drawn, and put it right."""
    corner, end = [_middle(await pilot.box(f"#init-{color}")) for color in ("blue", "black")]
    area = _middle(await pilot.box("#svg-grid"))
    across = _unit(end - corner) * 1j
    side = min((across, -across), key=lambda way: abs(corner + 60 * way - area))
    await _click(pilot, wanted := corner + 60 * side)
    await _click(pilot, 2 * wanted - _middle(await pilot.box("#blue-circle")))
    await push(pilot, "#subbtn")
