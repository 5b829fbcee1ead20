"""Second solutions of the ultrasound machine, written without a look at the checks."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Wait

from ..toolkit.screen import enter, follow, mark, mark_in, press, sign_in, tick

_ROWS = 'table[aria-label="Exams"] tbody tr'
_SHEET = 'table[aria-label="Worksheet"] tr'
_PROBES = {
    "thyroid": "Linear",
    "leg": "Linear",
    "carotid": "Linear",
    "scrotum": "Linear",
    "kidney": "Convex",
    "gallbladder": "Convex",
    "aorta": "Convex",
    "pregnancy": "Endocavity",
    "heart": "Phased",
}
_CRITICAL = {"torsion": "Red", "ectopic": "Red", "thrombosis": "Orange", "cholecystitis": "Orange"}
_SYSTEMS = {
    "ballooned": "Severe: thin parenchyma",
    "all calyces filled": "Moderate: pelvis and calyces",
    "calyces slim": "Mild: pelvis only",
}
# What the sonographer writes of a nodule: the feature of ACR TI-RADS 2017, and its points.
_COMPOSITION = {
    "partly fluid": ("Mixed cystic and solid", 1),
    "fluid part": ("Mixed cystic and solid", 1),
    "soft tissue": ("Solid or almost completely solid", 2),
}
_ECHOGENICITY = {
    "darker than the strap": ("Very hypoechoic", 3),
    "darker than the gland": ("Hypoechoic", 2),
    "bright": ("Hyperechoic or isoechoic", 1),
}
_MARGIN = {
    "breaks through": ("Extrathyroidal extension", 3),
    "bulges": ("Lobulated or irregular", 2),
    "jagged": ("Lobulated or irregular", 2),
    "edge": ("Smooth or ill-defined", 0),
}
_FOCI = {
    "v-shaped tail": ("None or large comet-tail", 0),
    "no bright spots": ("None or large comet-tail", 0),
    "pinpoint": ("Punctate echogenic foci", 3),
    "shell": ("Peripheral (rim)", 2),
    "coarse": ("Macrocalcification", 1),
}
_SIZES = {3: (15, 25), 4: (10, 15), 5: (5, 10)}  # mm from which a level is followed, and punctured
_WALL = 150  # how bright the wall of the aorta is drawn
_STEPS = {
    30: "None",
    40: "Ultrasound in 3 years",
    50: "Ultrasound in 12 months",
    55: "Ultrasound in 6 months",
    1000: "Vascular surgeon",
}


async def login(pilot: Pilot, case: Case) -> None:
    """Move on with the Tab key, and sign in with Enter."""
    await pilot.fill("#user_id", case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")


async def view_worklist(pilot: Pilot, case: Case) -> None:
    """Look row by row at the whole list, in place of filtering."""
    await sign_in(pilot, case)
    states: list[str] = []
    while await pilot.sees(f"{_ROWS} >> nth={len(states)}"):
        states.append(await pilot.read(f"{_ROWS} >> nth={len(states)} >> span.status"))
    await pilot.answer(str(states.count("Scheduled")))


async def open_exam(pilot: Pilot, case: Case) -> None:
    """Search for the family name among the scheduled, and end on the page of the report."""
    await sign_in(pilot, case)
    await follow(pilot, "Scheduled")
    await pilot.fill("input[name=q]", case["family"])
    await press(pilot, "Search")
    await pilot.click(f'{_ROWS}:has-text("{case["exam"]}") >> a')
    await follow(pilot, "Critical results")


async def select_probe(pilot: Pilot, case: Case) -> None:
    """Try another probe first, and take the right one at last."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    wanted = _probe(case["exam"])
    await press(pilot, "Phased" if wanted != "Phased" else "Convex")
    await press(pilot, wanted)


async def switch_mode(pilot: Pilot, case: Case) -> None:
    """Let the picture run and freeze it again, before it runs for good."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    for key in ("Unfreeze", "Freeze", "Unfreeze"):
        await press(pilot, key)
    wanted = case["wanted"].lower()
    if re.search(r"embryo|heart", wanted):
        mode = "M-mode"
    else:
        mode = "PW Doppler" if re.search(r"velocit|speed|fast|spectr|curve|cm/s", wanted) else "Colour"
    await press(pilot, mode)


async def adjust_params(pilot: Pilot, case: Case) -> None:
    """Go from field to field with the Tab key, and apply with Enter."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    values = (_cm(case["depth"]), str(case["gain"]), str(case["frequency"]), _cm(case["focus"]))
    await pilot.click("#field-depth")
    for number, value in enumerate(values):
        if number:
            await pilot.press("tab", repeat=3)  # past the two buttons
        await pilot.press("ctrl+a")
        await pilot.type(value)
    await pilot.press("enter")


async def capture_image(pilot: Pilot, case: Case) -> None:
    """Take the longitudinal picture first."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await press(pilot, "Longitudinal")
    await press(pilot, case["side"].capitalize())
    await press(pilot, "Capture")
    await press(pilot, "Transverse")
    await press(pilot, "Capture")


async def write_report(pilot: Pilot, case: Case) -> None:
    """Begin with the impression, and end with the first field."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await follow(pilot, "Report")
    sheet = await _sheet(pilot)
    await enter(pilot, "Impression", case["impression"])
    for side in ("Left", "Right"):
        text = sheet[f"{side} kidney"]
        await mark_in(
            pilot,
            f"{side} collecting system",
            "Not dilated" if "Pelvis and calyces slim" in text else _meaning(_SYSTEMS, text),
        )
        length = re.search(r"Length (\d+) mm", text)
        assert length is not None
        await enter(pilot, f"{side} kidney length", f"{int(length[1]) / 10:.1f}")
    await press(pilot, "Save draft")


async def tirads_classification(pilot: Pilot, case: Case) -> None:
    """Choose the advice first, and the features from the last to the first."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await follow(pilot, "Nodules")
    await pilot.click(f'a.nodule:has-text("{case["lobe"].capitalize()} lobe")')
    text = (await pilot.read("a.nodule[aria-current=true] >> span >> nth=0")).lower()
    long, deep, wide = [int(size) for size in re.findall(r"(\d+) mm", text)[:3]]
    features = [_meaning(words, text) for words in (_COMPOSITION, _ECHOGENICITY, _MARGIN, _FOCI)]
    tall = deep > wide
    points = sum(points for _, points in features) + 3 * tall
    level = 1 if points == 0 else 2 if points <= 2 else 3 if points == 3 else 4 if points <= 6 else 5
    follow_from, puncture_from = _SIZES.get(level, (1000, 1000))
    size = max(long, deep, wide)
    advice = "No further imaging" if size < follow_from else "Follow-up ultrasound"
    await mark(pilot, "Fine-needle aspiration" if size >= puncture_from else advice)
    await mark(pilot, f"TR{level}")
    await tick(pilot, features[3][0])
    await mark_in(pilot, "Margin", features[2][0])
    await mark_in(pilot, "Shape", "Taller-than-wide" if tall else "Wider-than-tall")
    await mark_in(pilot, "Echogenicity", features[1][0])
    await mark_in(pilot, "Composition", features[0][0])
    await press(pilot, "Save classification")


async def flag_urgent(pilot: Pilot, case: Case) -> None:
    """Fill in the communication from the bottom to the top, and look at the pictures before signing."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await follow(pilot, "Report")
    conclusion = (await pilot.read("form.report textarea")).lower()
    for option in ("Torsion", "Ectopic pregnancy", "Acute thrombosis above the knee", "Acute cholecystitis"):
        if await pilot.sees(f'label.segment:has-text("{option}"):has(input:checked)'):
            conclusion += option.lower()
    await follow(pilot, "Critical results")
    await tick(pilot, "Read back by the receiver")
    await enter(pilot, "Time told", case["time"])
    spoken = case["method_spoken"].lower()
    method = "Phone" if "phone" in spoken else "Secure message" if "message" in spoken else "In person"
    await mark(pilot, method)
    await pilot.click('role=combobox[name="Person told"]')
    await pilot.click(f'li[role=option]:has-text("{case["person_name"].split(",")[0]}")')
    await mark(pilot, _meaning(_CRITICAL, conclusion))
    await press(pilot, "Save communication")
    await follow(pilot, "Scan")
    await follow(pilot, "Report")
    await press(pilot, "Sign report")


async def multi_exam_batch(pilot: Pilot, case: Case) -> None:
    """Correct and save as a draft first, and sign in the opposite order."""
    await sign_in(pilot, case)
    for mrn in reversed(re.findall(r"MRN (\w+)", case["names"])):
        await _open(pilot, mrn)
        await follow(pilot, "Report")
        changed = False
        for field, option in _reported(await _sheet(pilot)):
            right = f'role=radiogroup[name="{field}"] >> label.segment:has-text("{option}")'
            if not await pilot.sees(f"{right} >> input:checked"):
                await pilot.click(right)
                changed = True
        if changed:
            await press(pilot, "Save draft")
        await press(pilot, "Sign report")
        await follow(pilot, "◀ Worklist")


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Measure before the picture is stored, with the points found in the picture of the screen."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await tick(pilot, "Name and date of birth compared with the patient")
    await press(pilot, "Start exam")
    await press(pilot, "Transverse")
    await press(pilot, "Convex")
    await pilot.act(Wait(2), thought="Look at the picture")
    ten, five = [await pilot.box(f'g.ruler text:text-is("{mark}")') for mark in ("10", "5")]
    picture = await pilot.box("div.sonogram img")
    middle, front, back = _vessel(await pilot.screenshot(), picture)
    await pilot.act(Click(middle, back), Click(middle, front), thought="Set the calipers")
    await mark(pilot, "Aorta, front to back")
    await press(pilot, "Save measurement")
    await press(pilot, "Capture")
    millimetres = round((back - front) / ((ten.y - five.y) / 50))
    await follow(pilot, "Report")
    await mark(pilot, next(step for limit, step in _STEPS.items() if millimetres < limit))
    await mark(pilot, "Aneurysm (3 cm or more)" if millimetres >= 30 else "Not enlarged")
    await enter(pilot, "Greatest diameter", f"{millimetres / 10:.1f}")
    await press(pilot, "Sign report")


async def _open(pilot: Pilot, mrn: str) -> None:
    """Open an exam by a search for the patient's number."""
    await pilot.fill("input[name=q]", mrn)
    await pilot.press("enter")
    await pilot.click(f"{_ROWS} >> nth=0 >> a")


async def _sheet(pilot: Pilot) -> dict[str, str]:
    """Return what the sonographer wrote, by structure."""
    found: dict[str, str] = {}
    while await pilot.sees(f"{_SHEET} >> nth={len(found)} >> th"):
        row = f"{_SHEET} >> nth={len(found)}"
        found[await pilot.read(f"{row} >> th")] = await pilot.read(f"{row} >> td")
    return found


def _probe(exam: str) -> str:
    """Return the probe that reaches an organ."""
    return str(_meaning(_PROBES, exam.lower()))


def _meaning(words: dict[str, Any], text: str) -> Any:
    """Return what the first sign that is in a text means."""
    return next(meaning for sign, meaning in words.items() if sign in text)


def _cm(text: str) -> str:
    """Return a length in cm, as the machine wants it."""
    number = float(re.findall(r"[\d.]+", str(text))[0])
    return f"{number / 10 if 'mm' in str(text) else number:g}"


def _reported(sheet: dict[str, str]) -> list[tuple[str, str]]:
    """Return what the report has to say by the worksheet."""
    found = []
    for structure, finding in sheet.items():
        if structure.endswith("internal carotid"):
            velocity = int(re.findall(r"(\d+) cm/s", finding)[0])
            grade = "Below 50 %" if velocity < 125 else "50-69 %" if velocity <= 230 else "70 % or more"
            found.append((structure, grade))
        elif structure.endswith(" leg") and "not examined" not in finding:
            found.append(("Side", structure.capitalize()))
            found.append(
                ("Conclusion", "No thrombosis" if "flatten fully" in finding else "Acute thrombosis")
            )
        elif structure == "Gallbladder":
            stones = "Multiple" if "Several" in finding or "small stones" in finding else "None"
            found.append(("Stones", stones))
            found.append(("Conclusion", "Acute" if "layered" in finding else "Stones without"))
    return found


def _vessel(screenshot: bytes, edge: Any) -> tuple[int, int, int]:
    """Return the middle of the aorta and its outer walls, in front and at the back, on the screen."""
    grey = np.asarray(Image.open(BytesIO(screenshot)).convert("L")).astype(float)
    left, top = round(edge.x), round(edge.y)
    inside = grey[top : top + round(edge.height), left : left + round(edge.width)]
    middle = inside.shape[1] // 2
    for _ in range(2):
        profile = inside[:, middle - 3 : middle + 4].mean(axis=1)
        bone = _longest(profile > 225)
        hole = _longest(profile[: bone[0]] < 60, first=60)
        row = inside[sum(hole) // 2 - 2 : sum(hole) // 2 + 3].mean(axis=0) < 60
        start = end = middle
        while row[start - 1]:
            start -= 1
        while row[end + 1]:
            end += 1
        middle = (start + end) // 2
    front, back = hole
    while profile[front - 1] > _WALL and hole[0] - front < 6:
        front -= 1
    while profile[back + 1] > _WALL and back - hole[1] < 6:
        back += 1
    return left + middle, top + front, top + back


def _longest(marks: np.ndarray, first: int = 0) -> tuple[int, int]:
    """Return where the longest run of marks begins and ends."""
    runs = np.flatnonzero(marks)
    runs = runs[runs >= first]
    groups = np.split(runs, np.flatnonzero(np.diff(runs) > 1) + 1)
    longest = max(groups, key=len)
    return int(longest[0]), int(longest[-1])
