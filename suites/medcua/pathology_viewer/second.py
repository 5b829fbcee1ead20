"""Second solutions of the slide viewer, written without a look at the checks.

Stains, rings of pens and tumours are judged from the picture of the whole slide.
"""

from __future__ import annotations

import re
from io import BytesIO

import numpy as np
from PIL import Image
from scipy import ndimage

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait

from ..toolkit.viewer import appears, launch

_SLIDE = "canvas >> nth=0"
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


async def _open(pilot: Pilot, name: str, date: str = "") -> None:
    """Open the slide of a patient from the list."""
    await appears(pilot, "tbody tr >> nth=0")
    await pilot.click(f'tbody tr:has-text("{name}"):has-text("SM"):has-text("{date}")')
    await launch(pilot, "Microscopy", _SLIDE)


async def _slide(pilot: Pilot) -> np.ndarray:
    """Return the picture of the slide, in red, green and blue."""
    await pilot.act(Wait(6), thought="Look at the slide")
    picture: np.ndarray = np.asarray(Image.open(BytesIO(pilot.screenshot)).convert("RGB"))
    return picture[150:575, 295:990].astype(int)  # without the label, the small map and the scale


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
    return max(_PENS, key=lambda pen: _largest(_near(slide, _PENS[pen])))


def _largest(marks: np.ndarray) -> int:
    """Return how wide the widest patch of marks is that is no wider than a third of the slide."""
    patches, _ = ndimage.label(marks)
    sizes = [patch[1].stop - patch[1].start for patch in ndimage.find_objects(patches)]
    return max((size for size in sizes if size < marks.shape[1] // 3), default=0)


def _tumours(slide: np.ndarray) -> int:
    """Return how many round patches have the colour of tumour."""
    tumour = _STAINS[_stain(slide)][1]
    marks = ndimage.binary_opening(_near(slide, tumour, 35), iterations=8)
    patches, _ = ndimage.label(ndimage.binary_dilation(marks, iterations=6))  # over the ring of the pen
    return len(ndimage.find_objects(patches))
