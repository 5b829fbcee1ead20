"""Second solutions of the endoscopy unit, written without a look at the checks."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import enter, follow, mark, mark_in, press, sign_in, tick

_ROWS = 'table[aria-label="Procedures"] tbody tr'
_NOTES = 'table[aria-label="Nurse\'s notes"] tr'
_ASA = {  # signs of the history, the most severe first
    "4 Constant threat to life": ("aortic valve", "stroke", "getting dressed", "fainted"),
    "3 Severe disease": ("copd", "heart attack", "dialysis", "stent", "pacemaker"),
    "2 Mild disease": ("diabetes", "blood pressure", "smokes"),
}
_PARIS = {
    "no stalk": "0-Is",
    "stalk": "0-Ip",
    "broad": "0-Is",
    "level with": "0-IIb",
    "sunken": "0-IIc",
    "flat": "0-IIa",
    "plaque": "0-IIa",
}
_REMOVAL = {
    "cold snare": "Cold snare",
    "hot snare": "Hot snare",
    "forceps": "Cold forceps",
    "one piece": "EMR, one piece",
    "pieces": "EMR, piecemeal",
}
_BOSTON = {
    "nothing left": 3,
    "clean throughout": 3,
    "small pieces": 2,
    "a little staining": 2,
    "parts of": 1,
    "patches": 1,
}
_COLON = ("Right colon", "Transverse colon", "Left colon")
_PICTURES = {
    "appendix": "Appendix orifice",
    "valve": "Ileocaecal valve",
    "turned back": "Rectum, retroflexion",
}


class _Lesion(NamedTuple):
    segment: str
    size: int
    paris: str
    removal: str
    jar: str


async def login(pilot: Pilot, case: Case) -> None:
    """Fill in the password first, and sign in with the Enter key in the other field."""
    await pilot.fill("#password", case["password"])
    await pilot.fill("#user_id", case["user_id"])
    await pilot.press("enter")


async def view_schedule(pilot: Pilot, case: Case) -> None:
    """Count status by status, in place of the whole schedule."""
    await sign_in(pilot, case)
    number = 0
    for status in ("Scheduled", "In progress", "To report", "Reported"):
        await follow(pilot, status)
        row = 0
        while await pilot.sees(f"{_ROWS} >> nth={row} >> span.room"):
            number += await pilot.read(f"{_ROWS} >> nth={row} >> span.room") == str(case["room"])
            row += 1
    await pilot.answer(f"{number}")


async def select_case(pilot: Pilot, case: Case) -> None:
    """Search for the family name, and end on the page of pictures."""
    await sign_in(pilot, case)
    await pilot.fill("input[name=q]", case["family"])
    await pilot.press("enter")
    await pilot.click(f'{_ROWS}:has-text("{case["kind"].capitalize()}") >> a')
    await follow(pilot, "Procedure")
    await pilot.click('nav.steps >> text="Images"')


async def view_patient_info(pilot: Pilot, case: Case) -> None:
    """Read the class from the page of the procedure, and answer in other cases of letters."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _step(pilot, "Procedure")
    asa = (await pilot.read("p.hint >> b")).split()[-1]
    await _step(pilot, "Pre-assessment")
    drug = await _fact(pilot, "Medication")
    stopped = await pilot.sees('label.segment:has-text("Stopped as advised"):has(input:checked)')
    await pilot.answer(f"asa {asa}, blood thinner {drug.lower()}, stopped {'yes' if stopped else 'no'}")


async def complete_preassess(pilot: Pilot, case: Case) -> None:
    """Fill in the form from the bottom to the top, and submit it with the Enter key."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _assess(pilot, whole=True, keyboard=True)


async def mark_landmarks(pilot: Pilot, case: Case) -> None:
    """Begin with the last picture, and label one first in a wrong way, which is put right."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _step(pilot, "Procedure")
    pictures = {}
    for line in await _notes(pilot):
        for sign, label in _PICTURES.items():
            if "Picture" in line and sign in line:
                pictures[line[:5]] = label
    await _step(pilot, "Images")
    for time, label in sorted(pictures.items(), reverse=True):
        await pilot.click(f'section.thumbs >> a:has-text("{time}")')
        if label == "Ileocaecal valve":
            await press(pilot, "Appendix orifice")
            await pilot.click(f'section.thumbs >> a:has-text("{time}")')
        await press(pilot, label)


async def score_bbps(pilot: Pilot, case: Case) -> None:
    """Score from the left colon to the right, and save with the Enter key."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _step(pilot, "Procedure")
    scores = _scores(await _notes(pilot))
    for segment in reversed(_COLON):
        await mark_in(pilot, segment, str(scores[segment]))
    await press(pilot, "Save course")


async def record_finding(pilot: Pilot, case: Case) -> None:
    """Type the size first, and submit with the Enter key in the field of the jar."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _step(pilot, "Procedure")
    await enter(pilot, "Size", str(case["size"]))
    await _lesion(pilot, case)
    await enter(pilot, "Jar", str(case["jar"]))
    await pilot.press("enter")


async def complete_procedure(pilot: Pilot, case: Case) -> None:
    """Enter the course before the lesion, and save it before the end."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _assess(pilot, whole=True)
    await _document(pilot, case)


async def submit_report(pilot: Pilot, case: Case) -> None:
    """Choose the recommendation from the mended lesions, and sign with the Enter key."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _step(pilot, "Procedure")
    log = await _notes(pilot)
    told, kept = _told(log), await _recorded(pilot)
    right = next(lesion for lesion in told if lesion not in kept)
    wrong = next(index for index, lesion in enumerate(kept) if lesion not in told)
    await follow(pilot, f"Edit lesion {wrong + 1}")
    await _correct(pilot, kept[wrong], right)
    await press(pilot, "Save lesion")
    await _finish(pilot, case, _policy(_scores(log), told), keyboard=True)


async def full_colonoscopy_workflow(pilot: Pilot, case: Case) -> None:
    """Confirm what the nurse entered, enter the course before the lesion, and sign."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _assess(pilot, whole=False)
    await _document(pilot, case)
    scores = dict(zip(_COLON, map(int, re.findall(r"\d", case["scores"])), strict=True))
    lesion = _Lesion("", int(case["size"]), "", _first(_REMOVAL, case["removed"]), "")
    await _finish(pilot, case, _policy(scores, [lesion]))


async def multi_case_workflow(pilot: Pilot, case: Case) -> None:
    """Begin with the patient named last."""
    await sign_in(pilot, case)
    for mrn in reversed(re.findall(r"MRN (\w+)", case["names"])):
        await _open(pilot, mrn)
        await _step(pilot, "Procedure")
        log, lesions = await _notes(pilot), await _recorded(pilot)
        await _step(pilot, "Report")
        if "withdrawal not recorded" in await pilot.read("section.paper"):
            await _step(pilot, "Procedure")
            times = [
                datetime.strptime(line[:5], "%H:%M")
                for line in log
                if "withdrawal" in line or "Scope out" in line
            ]
            await enter(pilot, "Withdrawal", str((times[1] - times[0]).seconds // 60))
            await press(pilot, "Save course")
        await _finish(pilot, case, _policy(_scores(log), lesions))
        await pilot.click("a.back")


async def _open(pilot: Pilot, mrn: str) -> None:
    """Open a case by a search for the patient's number."""
    await pilot.fill("input[name=q]", mrn)
    await press(pilot, "Search")
    await pilot.click(f"{_ROWS} >> nth=0 >> a")


async def _step(pilot: Pilot, name: str) -> None:
    """Go to a page of the case."""
    await pilot.click(f'nav.steps >> a:has-text("{name}")')


async def _fact(pilot: Pilot, name: str) -> str:
    """Return a line of the patient's file."""
    return await pilot.read(f'dl.facts dt:text-is("{name}") + dd')


async def _notes(pilot: Pilot) -> list[str]:
    """Return the nurse's notes on the page, each with its time."""
    notes: list[str] = []
    while await pilot.sees(f"{_NOTES} >> nth={len(notes)}"):
        notes.append(" ".join((await pilot.read(f"{_NOTES} >> nth={len(notes)}")).split()))
    return notes


async def _recorded(pilot: Pilot) -> list[_Lesion]:
    """Return the lesions as they are recorded."""
    found: list[_Lesion] = []
    row = 'table[aria-label="Lesions"] tbody tr'
    while await pilot.sees(f"{row} >> nth={len(found)} >> td >> nth=5"):
        place = f"{row} >> nth={len(found)} >> td"
        segment, size, paris, removal, jar = [
            await pilot.read(f"{place} >> nth={cell}") for cell in range(1, 6)
        ]
        found.append(_Lesion(segment, int(size.split()[0]), paris, removal, jar))
    return found


def _told(log: list[str]) -> list[_Lesion]:
    """Return the lesions as the nurse wrote them down."""
    lines = (re.match(r"\S+ (.+?): (\d+) mm, (.+?); (.+?)\. Jar (\d+)", line) for line in log)
    return [
        _Lesion(line[1], int(line[2]), _first(_PARIS, line[3]), _first(_REMOVAL, line[4]), line[5])
        for line in lines
        if line
    ]


def _first(words: dict[str, str], text: str) -> str:
    """Return what the first sign that is in a text means."""
    return next(meaning for sign, meaning in words.items() if sign in text)


def _scores(log: list[str]) -> dict[str, int]:
    """Return the Boston scores of the segments that the log describes."""
    return {
        segment: next((score for sign, score in _BOSTON.items() if sign in line), 0)
        for segment in _COLON
        for line in log
        if f"{segment}:" in line
    }


def _policy(scores: dict[str, int], lesions: list[_Lesion]) -> str:
    """Return what follows by the department's policy: the first line that fits."""
    if min(scores.values()) < 2:
        return "Repeat within 12 months after better preparation"
    if any(lesion.size >= 20 and lesion.removal == "EMR, piecemeal" for lesion in lesions):
        return "Check of the scar in 3-6 months"
    if len(lesions) >= 5 or any(lesion.size >= 10 for lesion in lesions):
        return "Colonoscopy in 3 years"
    return "Return to screening"


async def _assess(pilot: Pilot, *, whole: bool, keyboard: bool = False) -> None:
    """Save the pre-assessment; where the nurse began it, only what is missing is filled in."""
    history, notes = (await _fact(pilot, "History")).lower(), "\n".join(await _notes(pilot))
    await tick(pilot, "Consent signed")
    if whole:
        await tick(pilot, "Allergies confirmed with the patient")
        if "nothing that thins" in notes:
            thinner = "None taken"
        else:
            thinner = "Stopped as advised" if re.search(r"left out|last tablet", notes) else "Still taken"
        await mark(pilot, thinner)
    signs = ((asa, sign) for asa, found in _ASA.items() for sign in found)
    await mark(pilot, next((asa for asa, sign in signs if sign in history), "1 Healthy"))
    if whole:
        fluid = re.search(r"Last clear fluid at (\d\d:\d\d)", notes)
        assert fluid is not None
        await enter(pilot, "Last clear fluid", fluid[1])
    if keyboard:
        await pilot.press("enter")
    else:
        await press(pilot, "Save pre-assessment")


async def _document(pilot: Pilot, case: Case) -> None:
    """Sign the time-out and document the procedure up to its end."""
    await _step(pilot, "Procedure")
    await enter(pilot, "Nurse user ID", case["second_id"])
    await enter(pilot, "Nurse code", case["second_password"])
    await tick(pilot, "Patient, procedure, consent and allergies said aloud")
    await press(pilot, "Start procedure")
    await enter(pilot, "Withdrawal", str(case["minutes"]))
    await mark_in(pilot, "Caecum", "Reached")
    for segment, score in zip(_COLON, re.findall(r"\d", case["scores"]), strict=True):
        await mark_in(pilot, segment, score)
    await press(pilot, "Save course")
    await _lesion(pilot, case)
    await enter(pilot, "Jar", str(case["jar"]))
    await enter(pilot, "Size", str(case["size"]))
    await press(pilot, "Add lesion")
    await press(pilot, "End procedure")


async def _lesion(pilot: Pilot, case: Case) -> None:
    """Choose removal, class and segment of the goal's lesion."""
    await mark_in(pilot, "Removal", _first(_REMOVAL, case["removed"]))
    await mark_in(pilot, "Paris class", _first(_PARIS, case["shape"]))
    place = case["segment"].lower()
    for word in (
        "Rectum",
        "Sigmoid",
        "Descending",
        "Splenic",
        "Transverse",
        "Hepatic",
        "Ascending",
        "Caecum",
        "ileum",
    ):
        if word.lower() in place:
            await pilot.click(f'role=radiogroup[name="Segment"] >> role=radio[name=/{word}/]')


async def _correct(pilot: Pilot, kept: _Lesion, right: _Lesion) -> None:
    """Change what of a lesion does not agree with the log."""
    for group, before, after in (
        ("Segment", kept.segment, right.segment),
        ("Paris class", kept.paris, right.paris),
        ("Removal", kept.removal, right.removal),
    ):
        if before != after:
            await mark_in(pilot, group, after)
    for field, old, new in (("Size", kept.size, right.size), ("Jar", kept.jar, right.jar)):
        if old != new:
            await enter(pilot, field, str(new))


async def _finish(pilot: Pilot, case: Case, recommendation: str, *, keyboard: bool = False) -> None:
    """Choose what follows, and sign."""
    await _step(pilot, "Report")
    await enter(pilot, "Your password", case["password"])
    await mark(pilot, recommendation)
    if keyboard:
        await pilot.click("#field-signature")
        await pilot.press("enter")
    else:
        await press(pilot, "Sign report")
