"""Second solutions of the radiology archive, written without a look at the checks: easy and medium tasks."""

from __future__ import annotations

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Wait

from ..toolkit.viewer import appears, launch

_IMAGE = '[data-cy="viewport-overlay-bottom-right"]'
_PRESETS = {"soft tissue": "1", "lung": "2", "liver": "3", "bone": "4", "brain": "5"}


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


async def _open(pilot: Pilot, name: str, description: str, date: str = "") -> None:
    """Open a study from the list."""
    await appears(pilot, "tbody tr >> nth=0")
    await pilot.click(f'tbody tr:has-text("{name}"):has-text("{description}"):has-text("{date}")')
    await launch(pilot, "Basic Viewer", _IMAGE)


async def _settle(pilot: Pilot) -> None:
    """Wait until the viewer has answered."""
    await pilot.act(Wait(1.5), thought="Wait")
