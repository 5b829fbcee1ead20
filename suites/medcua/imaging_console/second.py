"""Second solutions of the CT and MR console, written without a look at the checks.

The range of a scan and the artefact of the phantom are judged from what the screen shows.
"""

from __future__ import annotations

import re
from datetime import datetime
from io import BytesIO

import numpy as np
from PIL import Image

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Drag
from pytest_cuabench.task.observation import Box

from ..toolkit.screen import choose, enter, follow, mark_in, press, press_if_asked, sign_in, tick

PLANS = {  # words of the radiologist's plan, and the region and the protocol that they mean
    "venous, diaphragm": ("Abdomen and pelvis", "Abdomen and pelvis, portal venous"),
    "Arterial, portal": ("Abdomen and pelvis", "Liver, three phases"),
    "Stone search": ("Abdomen and pelvis", "Urinary stone, low dose"),
    "Standard dose without contrast, diaphragm": (
        "Abdomen and pelvis",
        "Abdomen and pelvis without contrast",
    ),
    "nodule": ("Chest", "Chest low dose, nodule follow-up"),
    "high resolution": ("Chest", "Chest high resolution"),
    "pulmonary arteries": ("Chest", "Pulmonary arteries with contrast"),
    "Standard chest": ("Chest", "Chest routine"),
    "Plain head": ("Head", "Head routine"),
    "Standard brain": ("Brain", "Brain routine"),
    "pileps": ("Brain", "Brain epilepsy"),
    "knee": ("Joints", "Knee routine"),
    "lumbar": ("Spine", "Lumbar spine routine"),
}


async def _open(pilot: Pilot, case: Case) -> None:
    """Search for the number, and open the order of the examination that is asked for."""
    await sign_in(pilot, case)
    await enter(pilot, "Search name, MRN or accession", case["mrn"])
    await pilot.press("enter")
    await pilot.click(f'tr:has(td:text-is("{case["procedure"]}")) >> a')


async def _register(pilot: Pilot) -> None:
    """Tick the date of birth before the name."""
    await tick(pilot, "Date of birth, said by the patient")
    await tick(pilot, "Full name, said by the patient")
    await press(pilot, "Register patient")


async def _select_protocol(pilot: Pilot) -> None:
    """Open another region first."""
    await follow(pilot, "Protocol")
    plan = await pilot.read("section.plan >> dl >> dd >> nth=2")
    region, protocol = next(found for words, found in PLANS.items() if words in plan)
    await pilot.click('nav[aria-label="Body regions"] >> a >> nth=-1')
    await follow(pilot, region)
    await press(pilot, f"Select {protocol}")


async def _labs(pilot: Pilot) -> list[tuple[str, str, datetime]]:
    """Return the tests that were not cancelled: name, value, day."""
    rows = (
        line.split("\t")
        for line in (await pilot.read('table[aria-label="Laboratory"] >> tbody')).splitlines()
    )
    return [
        (row[0].strip(), row[1].strip(), datetime.strptime(row[2].strip(), "%d %b %Y %H:%M"))
        for row in rows
        if len(row) > 3 and "Cancelled" not in row[3]
    ]


async def login(pilot: Pilot, case: Case) -> None:
    """Look at the quality control after signing in, and return."""
    await sign_in(pilot, case)
    await follow(pilot, "Quality control")
    await follow(pilot, "Worklist")


async def view_worklist(pilot: Pilot, case: Case) -> None:
    """Count in the list of both scanners."""
    await sign_in(pilot, case)
    rows = (await pilot.read('table[aria-label="Orders of today"] >> tbody')).splitlines()
    cells = [[cell.strip() for cell in row.split("\t")] for row in rows]
    await pilot.answer(str(sum(row[1] == "CT" and row[-1] == "Scheduled" for row in cells if len(row) > 2)))


async def load_patient(pilot: Pilot, case: Case) -> None:
    """Search, and look at the chart on the page of the screening before the registration."""
    await _open(pilot, case)
    await follow(pilot, "Safety")
    await follow(pilot, "Patient")
    await _register(pilot)


async def select_protocol(pilot: Pilot, case: Case) -> None:
    """Read the plan beside the tree, and open another region first."""
    await _open(pilot, case)
    await _select_protocol(pilot)


async def set_ct_parameters(pilot: Pilot, case: Case) -> None:
    """Fill in from the last field to the first, and choose the kernel by keys."""
    await _open(pilot, case)
    await follow(pilot, "Technique")
    await pilot.click('role=combobox[name="Kernel"]')
    await pilot.press("end")
    while case["kernel_words"] not in await pilot.read("li.active"):
        await pilot.press("up")
    await pilot.press("enter")
    await enter(pilot, "Field of view", case["fov_mm"])
    await mark_in(pilot, "Slice thickness (mm)", f"{float(case['slice_mm']):.1f}")
    await enter(pilot, "Pitch", case["pitch"])
    rotation = case["rotation_s"]
    await mark_in(pilot, "Rotation time (s)", rotation if "." in rotation else f"{rotation}.0")
    await mark_in(pilot, "Tube voltage (kV)", case["kv"])
    await enter(pilot, "Tube current", case["ma"])
    await pilot.press("enter")
    await press_if_asked(pilot, "Confirm and save")


async def acquire_scout(pilot: Pilot, case: Case) -> None:
    """Fill in from the last field to the first."""
    await _open(pilot, case)
    await follow(pilot, "Scan")
    await enter(pilot, "Scout end", str(case["scout_to"]))
    await enter(pilot, "Scout start", str(case["scout_from"]))
    await mark_in(pilot, "Direction", "Lateral" if case["direction_words"] == "AP" else "AP")
    await mark_in(pilot, "Direction", case["direction_words"])
    await choose(pilot, "Patient position", case["position_words"].capitalize())
    await press(pilot, "Acquire scout")


async def check_safety_flags(pilot: Pilot, case: Case) -> None:
    """Read the chart on the page of the screening, without saving it."""
    await _open(pilot, case)
    await follow(pilot, "Safety")
    allergies = await pilot.read('table[aria-label="Allergies and reactions"] >> tbody')
    agent = re.search(r"(?m)^\s*(Io[a-z]+|Gad[a-z]+)", allergies)
    assert agent
    egfr = max((day, value.split()[0]) for test, value, day in await _labs(pilot) if test == "eGFR")[1]
    takes = "metformin" in (await pilot.read("dl.facts:has(dt:text-is('Medication'))")).lower()
    await pilot.answer(f"Agent {agent[1]}, eGFR {egfr}, Metformin {'yes' if takes else 'no'}")


async def mri_scan(pilot: Pilot, case: Case) -> None:
    """Take the mode from the conditions, and the destination from the keyboard's Enter key."""
    await _open(pilot, case)
    await _register(pilot)
    row = (await pilot.read('table[aria-label="Implants and devices"] >> tbody')).split("\t")
    label, conditions = row[1].strip(), row[2]
    await tick(pilot, "Checked for ferromagnetic objects")
    await mark_in(pilot, "Implant or device", label)
    await press(pilot, "Save screening")
    await _select_protocol(pilot)
    limit = re.search(r"SAR at most (\d+)", conditions)
    await mark_in(pilot, "Operating mode", "First level" if limit is None or int(limit[1]) >= 4 else "Normal")
    await press(pilot, "Save technique")
    await press(pilot, "Acquire localizer")
    await press(pilot, "Start sequences")
    await press_if_asked(pilot, "Confirm and go on")
    await follow(pilot, "Images")
    await follow(pilot, "Finish")
    await mark_in(pilot, "Destination", case["destination"])
    await press(pilot, "Send images")
    await press(pilot, "Complete examination")


async def pregnant_patient_safety(pilot: Pilot, case: Case) -> None:
    """Name the person informed before the reason, with a note."""
    await _open(pilot, case)
    await _register(pilot)
    await mark_in(pilot, "Pregnancy", await _pregnancy(pilot))
    await press(pilot, "Save screening")
    await follow(pilot, "Patient")
    duty = (await pilot.read("text=/^On duty: /")).removeprefix("On duty: ").strip()
    await choose(pilot, "Person informed", duty)
    await choose(pilot, "Reason for hold", "Possible or confirmed pregnancy")
    await enter(pilot, "Note (optional)", "Not scanned")
    await press(pilot, "Put order on hold")


async def run_scan(pilot: Pilot, case: Case) -> None:
    """Plan the range with the mouse before the injector is armed, whose fields are filled in from the last."""
    await _open(pilot, case)
    await follow(pilot, "Scan")
    planned = await _plan(pilot, case["covers"])
    await follow(pilot, "Injector")
    await enter(pilot, "Scan delay", str(case["delay"]))
    await enter(pilot, "Flow rate", str(case["rate"]))
    await enter(pilot, "Contrast volume", str(case["volume"]))
    await pilot.press("enter")
    await follow(pilot, "Scan")
    await _scan(pilot, planned)


async def complete_scan_workflow(pilot: Pilot, case: Case) -> None:
    """Select the protocol before the screening, reconstruct first, and leave the technique's page unsaved."""
    await _open(pilot, case)
    await _register(pilot)
    await _select_protocol(pilot)
    await follow(pilot, "Safety")
    await mark_in(pilot, "Pregnancy", await _pregnancy(pilot))
    await press(pilot, "Save screening")
    await follow(pilot, "Scan")
    ends = ("450", "1250") if "diaphragm" in case["covers"] else ("300", "950")
    await enter(pilot, "Scout end", ends[1])
    await enter(pilot, "Scout start", ends[0])
    await press(pilot, "Acquire scout")
    await _scan(pilot, await _plan(pilot, case["covers"]))
    await follow(pilot, "Images")
    await mark_in(pilot, "Slice thickness (mm)", case["thickness"])
    await mark_in(pilot, "Kernel", case["kernel_words"])
    await press(pilot, "Reconstruct series")
    await follow(pilot, "Finish")
    await mark_in(pilot, "Destination", case["destination"])
    await press(pilot, "Send images")
    await press(pilot, "Complete examination")


async def run_qc(pilot: Pilot, case: Case) -> None:
    """Enter the decision first and the values from the last, and look at the brightness of circles for a ring."""
    await sign_in(pilot, case)
    await follow(pilot, "Quality control")
    await press(pilot, "Scan phantom")
    regions = (await pilot.read('table[aria-label="Regions of interest"] >> tbody')).splitlines()
    values = {row.split("\t")[0].strip(): float(row.split("\t")[1]) for row in regions if "\t" in row}
    centre, noise = values["Centre"], values["Noise (SD at the centre)"]
    uniformity = round(max(abs(hu - centre) for name, hu in values.items() if name.startswith("Edge")), 1)
    ring = _ring(await _picture(pilot, 'img[src="/phantom.png"]'))
    passes = abs(centre) <= 5 and noise <= 6 and uniformity <= 5 and not ring
    await mark_in(pilot, "Decision", "Pass" if passes else "Fail")
    await mark_in(pilot, "Artefact", "Ring" if ring else "None")
    for field, value in (("Uniformity", uniformity), ("Noise", noise), ("Water, centre", centre)):
        await enter(pilot, field, f"{value:.1f}")
    await press(pilot, "Save result")
    if not passes:
        duty = (await pilot.read("text=/is informed: /")).split("is informed: ")[1].strip(" .")
        await choose(pilot, "Physicist informed", duty)
        await press(pilot, "Take out of service")


async def _pregnancy(pilot: Pilot) -> str:
    """Return the answer of the screening: only a test of today excludes a pregnancy."""
    today = datetime.strptime((await pilot.read(".clock"))[:11], "%d %b %Y").date()
    day, result = max(
        ((day, value) for test, value, day in await _labs(pilot) if test == "hCG"), default=(datetime.min, "")
    )
    if result.startswith("Positive"):
        return "Pregnant"
    negative = result.startswith("Negative") and day.date() == today
    return "Excluded" if negative else "Cannot be excluded"


async def _plan(pilot: Pilot, covers: str) -> tuple[int, int]:
    """Return the range that an AP scout shows, and 1 cm more at both ends."""
    box, first, last = await _scout(pilot)
    await _drag(pilot, "Range end", last - 4)  # the lines and the colour between them lie over the picture
    await _drag(pilot, "Range start", first + 4)
    picture = await _picture(pilot, ".scout")
    scale, rows = box.width / 460, (box.height - 1) / (last - first)  # pixels for a mm across, and down

    def strip(at: int, half: int) -> np.ndarray:
        """Return how bright the body is, from head to feet, at a distance from the middle."""
        left, right = (round(box.width / 2 + (at + side * half) * scale) for side in (-1, 1))
        bright: np.ndarray = picture[:, left:right].mean(axis=1)
        return bright

    lung = strip(-81, 10)  # the patient's right one, which the heart does not reach
    if covers == "diaphragm to symphysis":
        lower = picture.shape[0] // 2
        end = lower + _edge(-(strip(32, 6) + strip(-32, 6))[lower:])
        start = _edge(lung[: end - round(220 * rows)])  # the pelvis is no dome
    else:
        assert covers == "lung apices to adrenal glands"
        start = _edge(-lung[: round(len(lung) * 0.45)])
        upper, lower = start + round(140 * rows), start + round(290 * rows)
        dome = upper + _edge(lung[upper:lower])
        below = dome + round(45 * rows)  # the lung behind the dome ends 1 cm above the adrenal glands
        recess = (strip(84, 20) + strip(-84, 20))[below : dome + round(130 * rows)]
        end = below + _edge(recess) + round(12 * rows)
    return round(first + start / rows) - 10, round(first + end / rows) + 10


async def _scan(pilot: Pilot, planned: tuple[int, int]) -> None:
    """Drag the lines to the range, and scan."""
    await _drag(pilot, "Range end", planned[1])
    await _drag(pilot, "Range start", planned[0])
    await press(pilot, "Start scan")


async def _scout(pilot: Pilot) -> tuple[Box, int, int]:
    """Return where the scout is on the screen, and the table positions of its ends."""
    ends = [int(await pilot.read(f'role=textbox[name="Scout {end}"]')) for end in ("start", "end")]
    return await pilot.box(".scout img"), ends[0], ends[1]


async def _drag(pilot: Pilot, field: str, mm: int) -> None:
    """Drag a line of the range to a table position."""
    box, first, last = await _scout(pilot)
    x = round(box.x + box.width * 0.9)
    now = int(await pilot.read(f'role=textbox[name="{field}"]'))
    ys = [round(box.y + (at - first) / (last - first) * (box.height - 1)) for at in (now, mm)]
    await pilot.act(Drag(((x, ys[0]), (x, sum(ys) // 2), (x, ys[1]))), thought=f"Drag the line of {field}")


async def _picture(pilot: Pilot, target: str) -> np.ndarray:
    """Return what the screen shows of an element, in grey."""
    box = await pilot.box(target)
    corners = box.x, box.y, box.x + box.width, box.y + box.height
    picture: np.ndarray = np.asarray(
        Image.open(BytesIO(await pilot.screenshot())).convert("L").crop(corners), float
    )
    return picture


def _edge(profile: np.ndarray) -> int:
    """Return where a profile becomes brighter most, without its ends, over which lines lie."""
    rise = np.convolve(profile, np.repeat((1.0, -1.0), 5), "valid")[8:-8]
    return int(rise.argmax()) + 8 + 5


def _ring(phantom: np.ndarray) -> bool:
    """Return whether a circle between the regions of interest is brighter than the water beside it."""
    y, x = np.indices(phantom.shape) - (np.array(phantom.shape) - 1)[:, None, None] / 2
    away = np.hypot(y, x).astype(int)
    rings = np.array([phantom[away == radius].mean() for radius in range(30, 75)])
    return bool((rings - np.median(rings)).max() > 20)
