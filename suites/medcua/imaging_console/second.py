"""Second solutions of the CT and MR console, written without a look at the checks.

The tasks whose answer is only in a picture (planning a range in the scout, the artefact of the phantom) have none here:
a pilot reads text, not pixels.
"""

from __future__ import annotations

import re
from datetime import datetime

from pytest_cuabench import Case, Pilot

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
    today = datetime.strptime((await pilot.read(".clock"))[:11], "%d %b %Y").date()
    tests = [(day, value) for test, value, day in await _labs(pilot) if test == "hCG"]
    latest, result = max(tests) if tests else (datetime.min, "")
    known = "Pregnant" if result.startswith("Positive") else ""
    excluded = result.startswith("Negative") and latest.date() == today
    await mark_in(pilot, "Pregnancy", known or ("Excluded" if excluded else "Cannot be excluded"))
    await press(pilot, "Save screening")
    await follow(pilot, "Patient")
    duty = (await pilot.read("text=/^On duty: /")).removeprefix("On duty: ").strip()
    await choose(pilot, "Person informed", duty)
    await choose(pilot, "Reason for hold", "Possible or confirmed pregnancy")
    await enter(pilot, "Note (optional)", "Not scanned")
    await press(pilot, "Put order on hold")
