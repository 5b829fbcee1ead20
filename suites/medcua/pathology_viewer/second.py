"""Second solutions of the slide viewer, written without a look at the checks.

Stains, rings of pens and tumours are judged from the picture of the whole slide.
"""

from __future__ import annotations

import re
from io import BytesIO

import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scipy import ndimage

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Scroll, Wait

from ..toolkit.viewer import appears, launch

_SLIDE = "canvas >> nth=0"
_BAR = "text=/^[0-9]+ [mμµ]m$/"
_CORNER = (295, 150)  # of the part of the view that is looked at
_BACK = '[data-cy="return-to-work-list"]'
# Tissue between the cells and tumour, in red, green and blue, as the three stains colour them.
_STAINS = {
    "hematoxylin and eosin": ((232, 176, 200), (196, 132, 178)),
    "DAB immunohistochemistry": ((222, 226, 236), (150, 98, 48)),
    "Masson's trichrome": ((120, 158, 206), (206, 90, 100)),
}
_PENS = {"blue": (24, 60, 190), "green": (10, 130, 60), "black": (20, 20, 24)}


async def find_wsi_studies(pilot: Pilot, case: Case) -> None:
    """Look at each row of the whole list, and answer with a unit."""
    await appears(pilot, "tbody tr >> nth=1")
    rows = number = 0
    while await pilot.sees(f"tbody tr >> nth={rows} >> td >> nth=2"):
        number += (await pilot.read(f"tbody tr >> nth={rows} >> td >> nth=2")).strip() == "SM"
        rows += 1
    await pilot.answer(f"{number} slides")


async def open_wsi(pilot: Pilot, case: Case) -> None:
    """Open, and look at the whole slide for a while."""
    await appears(pilot, "tbody tr >> nth=0")
    await pilot.click(f'tbody tr:has-text("{case["name"]}"):has-text("{case["description"]}")')
    await launch(pilot, "Microscopy", _SLIDE)


async def open_second_case(pilot: Pilot, case: Case) -> None:
    """Answer in a sentence."""
    await _open(pilot, case["name"])
    await pilot.click(_BACK)
    await _open(pilot, case["second_name"])
    await pilot.answer(f"The ring is {_ring(await _slide(pilot))}.")


async def describe_morphology(pilot: Pilot, case: Case) -> None:
    """Count the tumours in the picture."""
    await _open(pilot, case["name"])
    slide = await _slide(pilot)
    await pilot.answer(f"tumours: {_tumours(slide)}, ring: {_ring(slide)}")


async def identify_staining(pilot: Pilot, case: Case) -> None:
    """Compare the colours, and answer in a sentence."""
    await _open(pilot, case["name"], case["date"])
    await pilot.answer(f"It is stained with {_stain(await _slide(pilot))}.")


async def multi_case_review(pilot: Pilot, case: Case) -> None:
    """Look at the slides from the last to the first."""
    special = []
    for name in reversed(re.findall(r"\w+, \w+", case["names"])):
        await _open(pilot, name)
        if _stain(await _slide(pilot)) != "hematoxylin and eosin":
            special.append(name)
        await pilot.click(_BACK)
    await pilot.answer(" and ".join(special))


async def open_wsi_direct(pilot: Pilot, case: Case) -> None:
    """Filter by modality, look from the last row upwards, and compare the label with letters of a font."""
    await _open_number(pilot, case["mrn"])
    await pilot.act(Wait(6), thought="Look at the slide")
    await pilot.answer(f"It is block {_block(await _screen(pilot))}.")


async def zoom_in(pilot: Pilot, case: Case) -> None:
    """Turn the wheel over the middle of the tumour."""
    await _open(pilot, case["name"])
    x, y, _ = _nodules(await _slide(pilot))[0]
    await _magnify(pilot, x, y)


async def navigate_region(pilot: Pilot, case: Case) -> None:
    """Answer in a sentence."""
    await _open(pilot, case["name"])
    number, _ = await _count_mitoses(pilot, case["pen"])
    await pilot.answer(f"There are {number} mitoses.")


async def compare_cases(pilot: Pilot, case: Case) -> None:
    """Measure by the scale bar and draw nothing, on the second slide first."""
    found = {}
    for name in (case["second_name"], case["name"]):
        await _open(pilot, name)
        _, _, width = _nodules(await _slide(pilot))[0]
        found[name] = width * await _scale(pilot)
        await pilot.click(_BACK)
    largest = max(found, key=lambda name: found[name])
    await pilot.answer(f"patient: {largest}, diameter: {found[largest]:.2f} mm")


async def detailed_analysis(pilot: Pilot, case: Case) -> None:
    """Draw the line from below to above, and answer in a sentence."""
    await _open(pilot, case["name"])
    await pilot.answer(f"The tumour is {await _measure(pilot, await _slide(pilot))} mm across.")


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Find the patient by number, count first, and zoom out again to measure from below to above."""
    await _open_number(pilot, case["mrn"])
    number, place = await _count_mitoses(pilot, case["pen"])
    while not (await pilot.read(_BAR)).endswith("2 mm"):
        await pilot.act(Scroll(*place, dy=5), Wait(2), thought="Zoom out")
    await pilot.answer(f"diameter: {await _measure(pilot, await _slide(pilot))} mm, mitoses: {number}")


async def _open(pilot: Pilot, name: str, date: str = "") -> None:
    """Open the slide of a patient from the list."""
    await appears(pilot, "tbody tr >> nth=0")
    await pilot.click(f'tbody tr:has-text("{name}"):has-text("SM"):has-text("{date}")')
    await launch(pilot, "Microscopy", _SLIDE)


async def _open_number(pilot: Pilot, number: str) -> None:
    """Open the slide of the patient whose number appears once the row is selected."""
    await appears(pilot, "tbody tr >> nth=0")
    slides = 'tbody tr:has(:text-is("SM"))'
    rows = 0
    while await pilot.sees(f"{slides} >> nth={rows}"):
        rows += 1
    for row in reversed(range(rows)):
        await pilot.click(f"{slides} >> nth={row}")
        await pilot.act(Wait(1), thought="Wait")
        if await pilot.sees(f'text="{number}"'):
            break
    await launch(pilot, "Microscopy", _SLIDE)


async def _magnify(pilot: Pilot, x: float, y: float) -> tuple[int, int]:
    """Turn the wheel over a place of the slide until the bar reads 100 µm or less, and return it on the screen."""
    place = round(x) + _CORNER[0], round(y) + _CORNER[1]
    while await _scale(pilot) > 0.0015:
        await pilot.act(Scroll(*place, dy=-5), Wait(2), thought="Zoom in")
    await pilot.act(Wait(4), thought="Look closely")
    return place


async def _count_mitoses(pilot: Pilot, pen: str) -> tuple[int, tuple[int, int]]:
    """Return how many small bright halos lie in the ring, and where its middle is on the screen."""
    rows, columns = _strokes(_near(await _slide(pilot), _PENS[pen]))[-1]
    x, y = (columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2
    place = await _magnify(pilot, x, y)
    scale = await _scale(pilot)
    screen = await _screen(pilot)
    halos, _ = ndimage.label(ndimage.binary_closing(screen.min(axis=2) > 225, iterations=2))
    number = 0
    for rows, columns in ndimage.find_objects(halos):
        height, width = (rows.stop - rows.start) * scale, (columns.stop - columns.start) * scale
        middle = (columns.start + columns.stop) / 2, (rows.start + rows.stop) / 2
        away = np.hypot(middle[0] - place[0], middle[1] - place[1]) * scale
        number += 0.01 < width < 0.025 and 0.01 < height < 0.025 and away < 0.29
    return number, place


async def _measure(pilot: Pilot, slide: np.ndarray) -> str:
    """Draw a line across the largest tumour from its lower to its upper edge, and return the length in mm."""
    x, y, width = _nodules(slide)[0]
    await pilot.click('[data-cy="MeasurementTools-split-button-primary"]')
    for half in (width / 2, -width / 2):
        await pilot.act(Click(round(x) + _CORNER[0], round(y + half) + _CORNER[1]), Wait(1), thought="Draw")
    return f"{float((await pilot.read('text=/^[0-9.]+ [μµ]m$/')).split()[0]) / 1000:.2f}"


async def _scale(pilot: Pilot) -> float:
    """Return how many mm a pixel shows, by the scale bar."""
    number, unit = (await pilot.read(_BAR)).split()
    return float(number) * (1 if unit == "mm" else 0.001) / (await pilot.box(_BAR)).width


async def _screen(pilot: Pilot) -> np.ndarray:
    """Return the picture of the whole screen, in red, green and blue."""
    picture: np.ndarray = np.asarray(Image.open(BytesIO(await pilot.screenshot())).convert("RGB"))
    return picture.astype(int)


async def _slide(pilot: Pilot) -> np.ndarray:
    """Return the picture of the slide, in red, green and blue."""
    await pilot.act(Wait(6), thought="Look at the slide")
    return (await _screen(pilot))[
        _CORNER[1] : 575, _CORNER[0] : 990
    ]  # without the label, the small map and the scale


def _near(slide: np.ndarray, colour: tuple[int, int, int], distance: int = 45) -> np.ndarray:
    """Return where a colour is."""
    return np.linalg.norm(slide - np.array(colour), axis=2) < distance


def _stain(slide: np.ndarray) -> str:
    """Return the stain whose colours fill most of the slide."""
    return max(
        _STAINS, key=lambda stain: sum(int(_near(slide, colour, 30).sum()) for colour in _STAINS[stain])
    )


def _ring(slide: np.ndarray) -> str:
    """Return the colour of the largest stroke of a pen, on the tissue."""
    return max(_PENS, key=lambda pen: max(map(_width, _strokes(_near(slide, _PENS[pen]))), default=0))


def _strokes(marks: np.ndarray) -> list[tuple[slice, slice]]:
    """Return the rows and columns of patches no wider than a third of the slide, the widest last."""
    patches, _ = ndimage.label(marks, np.ones((3, 3)))
    narrow = (patch for patch in ndimage.find_objects(patches) if _width(patch) < marks.shape[1] // 3)
    return sorted(narrow, key=_width)


def _width(patch: tuple[slice, slice]) -> int:
    return int(patch[1].stop - patch[1].start)


def _tumours(slide: np.ndarray) -> int:
    """Return how many round patches have the colour of tumour."""
    return len(_nodules(slide))


def _nodules(slide: np.ndarray) -> list[tuple[float, float, float]]:
    """Return middle and diameter of the round patches of the colour of tumour, the largest first."""
    marks = _near(slide, _STAINS[_stain(slide)][1], 35)
    for pen in _PENS.values():  # the ring lies on tumour
        marks |= _near(slide, pen, 80)
    marks = ndimage.binary_closing(marks, iterations=2)
    inner = ndimage.distance_transform_edt(marks) > 8
    patches, number = ndimage.label(ndimage.distance_transform_edt(~inner) <= 8)
    found = []
    for patch in range(1, number + 1):
        places = np.argwhere(patches == patch)
        y, x = places.mean(axis=0)
        found.append((float(x), float(y), 2 * float(np.sqrt(len(places) / np.pi))))
    return sorted(found, key=lambda nodule: -nodule[2])


def _block(screen: np.ndarray) -> str:
    """Return the letter and the digit of the second line of the label, by their shapes."""
    label = screen[384:430, 50:236].max(axis=2) < 128
    signs = [_shape(label[:, columns]) for columns in _columns(label)]
    return "".join(
        min(known, key=lambda letter: int((sign != _drawn(letter)).sum()))
        for sign, known in zip(signs, ("ABC", "123456789"), strict=True)
    )


def _columns(marks: np.ndarray) -> list[slice]:
    """Return where the columns of the signs are."""
    found, _ = ndimage.label(marks.any(axis=0))
    return [columns for (columns,) in ndimage.find_objects(found)]


def _shape(marks: np.ndarray) -> np.ndarray:
    """Return a sign in a grid of one size."""
    rows = np.flatnonzero(marks.any(axis=1))
    sign = Image.fromarray(marks[rows[0] : rows[-1] + 1]).resize((24, 32))
    shape: np.ndarray = np.asarray(sign)
    return shape


def _drawn(letter: str) -> np.ndarray:
    """Return the shape of a letter in a common font."""
    sheet = Image.new("L", (60, 60))
    ImageDraw.Draw(sheet).text((10, 5), letter, fill=255, font=ImageFont.load_default(40))
    marks = np.asarray(sheet) > 128
    return _shape(marks[:, _columns(marks)[0]])
