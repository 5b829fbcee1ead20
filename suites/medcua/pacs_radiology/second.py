"""Second solutions of the radiology archive, written without a look at the checks; lesions are found in the picture."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import numpy as np
from PIL import Image
from scipy import ndimage

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Drag, Key, Wait
from pytest_cuabench.task.keys import parse_chord
from pytest_cuabench.task.observation import Box

from ..toolkit.viewer import appears, launch

_IMAGE = '[data-cy="viewport-overlay-bottom-right"]'
_REPORT = 'role=button[name="Create SR"]'
_PRESETS = {"soft tissue": "1", "lung": "2", "liver": "3", "bone": "4", "brain": "5"}

Span = tuple[int, int]
Spot = tuple[float, float, float]  # how wide it is, and its middle
Marked = Callable[[np.ndarray], np.ndarray]  # where something of a kind is on a picture


async def browse_study_list(pilot: Pilot, case: Case) -> None:
    """Look at each row of the whole list, and answer in a sentence."""
    await appears(pilot, "tbody tr >> nth=1")
    rows = number = 0
    while await pilot.sees(f"tbody tr >> nth={rows} >> td >> nth=2"):
        modalities = (await pilot.read(f"tbody tr >> nth={rows} >> td >> nth=2")).split("\\")
        number += case["modality"] in [modality.strip() for modality in modalities]
        rows += 1
    await pilot.answer(f"There are {number} {case['modality']} studies.")


async def open_ct_study(pilot: Pilot, case: Case) -> None:
    """Turn over some images once the study is open."""
    await _open(pilot, case["name"], case["description"])
    await pilot.click("canvas >> nth=0")
    await pilot.press("down", repeat=3)


async def open_specific_study(pilot: Pilot, case: Case) -> None:
    """Open the study of another day first, go back to the list, and open the right one."""
    await appears(pilot, "tbody tr >> nth=0")
    same = f'tbody tr:has-text("{case["name"]}"):has-text("{case["description"]}")'
    number = 0
    while case["date"] in await pilot.read(f"{same} >> nth={number}"):
        number += 1
    await pilot.click(f"{same} >> nth={number}")
    await launch(pilot, "Basic Viewer", _IMAGE)
    await pilot.click('[data-cy="return-to-work-list"]')
    await _open(pilot, case["name"], case["description"], case["date"])


async def open_mr_study(pilot: Pilot, case: Case) -> None:
    """Choose the row by its modality, and move the images with the keys."""
    await _open(pilot, case["name"], "MR")
    await pilot.click("canvas >> nth=0")
    await pilot.press("down", repeat=2)


async def scroll_slices(pilot: Pilot, case: Case) -> None:
    """Go beyond the image with the arrow keys, and back again."""
    await _open(pilot, case["name"], case["description"])
    await pilot.click("canvas >> nth=0")
    target, images = int(case["target"]), int(case["images"])
    beyond = min(images, target + 2)
    if beyond > 1:
        await pilot.press("down", repeat=beyond - 1)
    await _settle(pilot)
    for _ in range(images):
        shown = int((await pilot.read(_IMAGE)).split("(")[1].split("/")[0])
        if shown == target:
            return
        await pilot.press("up" if shown > target else "down", repeat=abs(shown - target))
        await _settle(pilot)


async def change_ww_wl(pilot: Pilot, case: Case) -> None:
    """Set another window first, each by its key."""
    await _open(pilot, case["name"], case["description"])
    await pilot.click("canvas >> nth=0")
    wanted = next(key for word, key in _PRESETS.items() if word in case["preset"].lower())
    await pilot.press("4" if wanted != "4" else "1")
    await pilot.press(wanted)


async def change_layout(pilot: Pilot, case: Case) -> None:
    """Choose the transposed grid first, and then the wanted one."""
    await _open(pilot, case["name"], case["description"])
    rows, columns = int(case["rows"]), int(case["columns"])
    for across, down in ((rows, columns), (columns, rows)):
        await pilot.click('[data-cy="Layout"] >> button')
        await pilot.click(f'[data-cy="Layout-{across - 1}-{down - 1}"]')
        await _settle(pilot)


async def measure_with_ruler(pilot: Pilot, case: Case) -> None:
    """Draw the line from below to above, and answer in a sentence."""
    await _open(pilot, case["name"], case["description"], case["date"])
    length, _ = await _measure(pilot, _bright)
    await pilot.answer(f"The nodule measures {length} mm.")


async def identify_finding(pilot: Pilot, case: Case) -> None:
    """Draw the line from below to above, and begin the answer with a capital letter."""
    await _open(pilot, case["name"], case["description"])
    length, x = await _measure(pilot, _brighter)
    view = await pilot.box("canvas >> nth=0")
    side = "right" if x < view.x + view.width / 2 else "left"  # R stands at the left edge
    await pilot.answer(f"Side {side}, diameter {length} mm")


async def compare_studies(pilot: Pilot, case: Case) -> None:
    """Divide the screen before an image is looked for, and answer in a sentence."""
    await _open(pilot, case["name"], case["description"], case["date"])
    await pilot.click('[data-cy="Layout"] >> button')
    await pilot.click('[data-cy="Layout-1-0"]')
    await pilot.act(Wait(3), thought="Wait")
    left = await pilot.box("canvas >> nth=0")
    await pilot.act(Click(*left.middle), thought="Select the left view")
    image, (now, _, _) = await _largest(pilot, _bright)
    await pilot.click(f'text="{case["before"]}" >> nth=0')
    await appears(pilot, '[data-cy="study-browser-thumbnail"] >> nth=1')
    await pilot.act(Click(round(left.middle.x + left.width), left.middle.y), thought="Select the right view")
    await pilot.click('[data-cy="study-browser-thumbnail"] >> nth=1', count=2)
    await appears(pilot, f"{_IMAGE} >> nth=1")
    await pilot.act(Wait(4), thought="Wait")
    _, (then, _, _) = await _largest(pilot, _bright, 1, image)
    await pilot.answer("It is larger." if now > then else "It is smaller.")


async def segmentation_review(pilot: Pilot, case: Case) -> None:
    """Open the panel first, drag the outlines onto the images, and name the one that follows no edge."""
    await _open(pilot, case["name"], case["description"])
    await appears(pilot, 'text="SEG"')
    await pilot.click('[data-cy^="panelSegmentation"]')
    await _settle(pilot)
    plain = (await _colours(pilot)).mean(axis=2)
    series, view = await pilot.box('text="SEG"'), await pilot.box("canvas >> nth=0")
    await pilot.act(Drag((series.middle, view.middle)), thought="Drag the outlines onto the images")
    await pilot.click('role=button[name="Yes"]')
    await appears(pilot, '[data-cy="data-row"] >> nth=0')
    await pilot.act(Wait(4), thought="Wait")
    outlined = await _colours(pilot)
    names: list[str] = []
    inks: list[np.ndarray] = []
    while await pilot.sees(row := f'[data-cy="data-row"] >> nth={len(names)}'):
        box = await pilot.box(row)
        names.append((await pilot.read(row)).strip("0123456789 \n"))
        inks.append(outlined[round(box.middle.y), round(box.x + 41)])
    edges = _edges(plain, outlined, inks, _across(view))
    worst = names[int(np.argmin(edges))]
    await pilot.answer(f"Organs: {len(names)}, misplaced: {worst.lower()}")


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Set the window by its key, draw from below to above, and answer with the unit."""
    await _open(pilot, case["name"], case["description"])
    await pilot.press(_PRESETS["liver"])
    length, _ = await _measure(pilot, _dark)
    if not await pilot.sees(_REPORT):
        await pilot.click('[data-cy="trackedMeasurements-btn"]')
    await pilot.click(_REPORT)
    await appears(pilot, "role=dialog >> role=textbox")
    await pilot.fill("role=dialog >> role=textbox", case["title"])
    await pilot.click('role=dialog >> role=button[name="Save"]')
    await pilot.act(Wait(4), thought="Wait")
    await pilot.answer(f"{length} mm")


async def _open(pilot: Pilot, name: str, description: str, date: str = "") -> None:
    """Open a study from the list."""
    await appears(pilot, "tbody tr >> nth=0")
    await pilot.click(f'tbody tr:has-text("{name}"):has-text("{description}"):has-text("{date}")')
    await launch(pilot, "Basic Viewer", _IMAGE)


async def _settle(pilot: Pilot) -> None:
    """Wait until the viewer has answered."""
    await pilot.act(Wait(1.5), thought="Wait")


async def _measure(pilot: Pilot, marked: Marked) -> tuple[str, int]:
    """Draw a length across the lesion on the image where it is largest; return it, and where it lies across."""
    await pilot.click("canvas >> nth=0")
    _, (width, x, y) = await _largest(pilot, marked)
    await pilot.click('[data-cy="MeasurementTools-split-button-primary"]')
    line = (round(x), round(y + width / 2)), (round(x), round(y)), (round(x), round(y - width / 2))
    await pilot.act(Drag(line), Wait(2), thought="Draw a length")
    if await pilot.sees('role=button[name="Yes"]'):
        await pilot.click('role=button[name="Yes"]')
    length = (await pilot.read("text=/^[0-9.]+ mm$/ >> nth=0")).split()[0]
    return length, round(x)


async def _largest(pilot: Pilot, marked: Marked, view: int = 0, near: int = 0) -> tuple[int, Spot]:
    """Turn the selected view to the image where the lesion is largest, and return both."""
    images = int((await pilot.read(f"{_IMAGE} >> nth={view}")).split("/")[1].split(")")[0])
    box = await pilot.box(f"canvas >> nth={view}")
    across = _across(box)
    empty = marked(await _picture(pilot, across))
    spots: dict[int, Spot] = {}
    shown = 1
    for image in [near] if near else range(3, images + 1, 3):
        shown, spots[image] = (
            await _turn(pilot, shown, image),
            _spot(marked(await _picture(pilot, across)), empty),
        )
        if spots[image][0] == 0 < max(spots.values())[0]:
            break  # beyond the lesion
    best = max(spots, key=lambda image: spots[image])
    for image in (best + 2, best + 1, best - 1, best - 2):
        if 1 < image <= images:
            shown, spots[image] = (
                await _turn(pilot, shown, image),
                _spot(marked(await _picture(pilot, across)), empty),
            )
    best = max(spots, key=lambda image: spots[image])
    await _turn(pilot, shown, best)
    return best, spots[best]


async def _turn(pilot: Pilot, shown: int, image: int) -> int:
    """Turn from one image to another by the arrow keys."""
    key = parse_chord("down" if image > shown else "up")
    await pilot.act(Key(key, abs(image - shown)), Wait(1.5), thought=f"Turn to image {image}")
    return image


def _across(box: Box) -> Span:
    """Return where the images are between the edges and the bar of a view."""
    return round(box.x) + 5, round(box.x + box.width) - 25


async def _picture(pilot: Pilot, across: Span) -> np.ndarray:
    """Return a view in grey, without noise, at its place on the screen."""
    screen = Image.open(BytesIO(await pilot.screenshot())).convert("L")
    picture: np.ndarray = ndimage.median_filter(np.asarray(screen).astype(int), 5)
    picture[:, : across[0]] = picture[:, across[1] :] = picture[:140] = picture[640:] = 0  # words
    return picture


async def _colours(pilot: Pilot) -> np.ndarray:
    """Return the screen in colour."""
    return np.asarray(Image.open(BytesIO(await pilot.screenshot())).convert("RGB")).astype(float)


def _edges(plain: np.ndarray, outlined: np.ndarray, inks: list[np.ndarray], across: Span) -> list[float]:
    """Return how sharp the edges on the images are where those of each ink are."""
    grey = plain[..., None]
    change = outlined - grey
    inked = np.ptp(change, axis=2) > 15
    inked[:, : across[0]] = inked[:, across[1] :] = inked[:140] = inked[640:] = False
    off = []
    for ink in inks:
        way = ink - grey
        share = (change * way).sum(axis=2, keepdims=True) / (way * way).sum(axis=2, keepdims=True)
        off.append(np.abs(change - share * way).sum(axis=2))
    nearest = np.argmin(off, axis=0)
    smooth = ndimage.median_filter(plain, 5)
    steps = ndimage.maximum_filter(smooth, 9) - ndimage.minimum_filter(smooth, 9)
    sharp = []
    for number in range(len(inks)):
        part = ndimage.binary_opening(inked & (nearest == number), iterations=2)
        edge = part & ~ndimage.binary_erosion(part, iterations=2)
        sharp.append(float(np.median(steps[edge])))
    return sharp


def _bright(picture: np.ndarray) -> np.ndarray:
    """Return where something is, as it is in a lung."""
    return picture > 70


def _brighter(picture: np.ndarray) -> np.ndarray:
    """Return where contrast medium is."""
    return picture > 160


def _dark(picture: np.ndarray) -> np.ndarray:
    """Return what is as dark as fluid in the liver's window."""
    return picture < 85


def _spot(marks: np.ndarray, empty: np.ndarray) -> Spot:
    """Return width and middle of the largest round patch where the first image has none, or three zeros."""
    patches, _ = ndimage.label(marks)
    found = [(0.0, 0.0, 0.0)]
    for number, (rows, columns) in enumerate(ndimage.find_objects(patches), 1):
        inside = patches[rows, columns] == number
        width, height = columns.stop - columns.start, rows.stop - rows.start
        if not 8 < width < 110 or abs(width - height) > 0.25 * width or inside.mean() < 0.65:
            continue
        y, x = ((rows.start + rows.stop - 1) / 2, (columns.start + columns.stop - 1) / 2)
        if not empty[round(y), round(x)]:
            found.append((2 * float(np.sqrt(inside.sum() / np.pi)), float(x), float(y)))
    return max(found)
