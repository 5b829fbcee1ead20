"""Second solutions of emergency triage, written without a look at the checks."""

import re
from collections.abc import Mapping

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Key
from pytest_cuabench.task.keys import parse_chord

from ..toolkit.screen import choose, enter, mark, press, press_if_asked, sign_in, suggest


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard alone, from field to field by Tab."""
    await pilot.click("#password")
    await pilot.press("shift+tab")
    await pilot.type(case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")
    await pilot.read('role=heading[name="Tracking board"]')


async def view_queue(pilot: Pilot, case: Case) -> None:
    """Count the rows in the column of states, without the filter."""
    await sign_in(pilot, case)
    states = [row[8] for row in await _rows(pilot, "Patients")]
    await pilot.answer(str(states.count("Waiting")))


async def open_patient(pilot: Pilot, case: Case) -> None:
    """Filter by state, search by surname, and leave the chart open on another tab than the first."""
    await sign_in(pilot, case)
    await pilot.click('role=link[name="In triage"]')
    await _search(pilot, case["family"])
    rows = [row for row in await _rows(pilot, "Patients") if row[7].lower() == case["complaint"]]
    (name,) = (row[2] for row in rows)
    await pilot.click(f'role=link[name="{name}"]')
    await _tab(pilot, "Allergies")


async def read_vitals(pilot: Pilot, case: Case) -> None:
    """Answer with more words and without the spaces before units."""
    await _open(pilot, case)
    await _tab(pilot, "Vitals")
    text = await pilot.read('table[aria-label="Recorded vital signs"]')
    valid = [
        line for line in text.splitlines() if re.match(r"\d\d:\d\d\t", line) and "error" not in line[-9:]
    ]
    _, rate, pressure, spo2, _, temperature = valid[0].split("\t")[:6]
    await pilot.answer(f"HR {rate}, BP {pressure}, SpO2 {spo2.replace(' ', '')}, Temp {temperature}")


async def record_vitals(pilot: Pilot, case: Case) -> None:
    """Fill in the form by keyboard; a temperature in Fahrenheit is converted by hand."""
    await _open(pilot, case)
    await _chart(pilot, case.values)


async def assign_esi(pilot: Pilot, case: Case) -> None:
    """Save a level by the arrow keys and the list of reasons by keyboard."""
    await _open(pilot, case)
    await _judge(pilot, by_keyboard=True)


async def assign_disposition(pilot: Pilot, case: Case) -> None:
    """Look at the tab of vital signs first, and mark the place by the arrow keys."""
    await _open(pilot, case)
    await _tab(pilot, "Vitals")
    await _tab(pilot, "Disposition")
    await pilot.click('role=radio[name="Resuscitation bay"]')
    await pilot.press("down", 2)
    await press(pilot, "Save disposition")


async def print_wristband(pilot: Pilot, case: Case) -> None:
    """Choose another printer first, and then the right one by keyboard."""
    await _open(pilot, case)
    await _tab(pilot, "Wristband")
    await choose(pilot, "Printer", "Registration")
    await _pick(pilot, "Printer", case["printer"])
    await press(pilot, "Print wristband")


async def full_triage_workflow(pilot: Pilot, case: Case) -> None:
    """Begin with the band and the allergies, and save place and level before the vital signs."""
    await _open(pilot, case)
    await _tab(pilot, "Wristband")
    await _pick(pilot, "Printer", case["printer"])
    await press(pilot, "Print wristband")
    await _start(pilot)
    await _settle_allergies(pilot, case["allergy"])
    await _judge(pilot)
    await _place(pilot, "Treatment room")
    await _chart(pilot, case.values)
    await _complete(pilot)


async def critical_patient_triage(pilot: Pilot, case: Case) -> None:
    """Save the place before completing, and choose the resuscitation bay."""
    await _open(pilot, case)
    await _start(pilot)
    await _judge(pilot)
    await _place(pilot, "Resuscitation bay")
    await _chart(pilot, case.values)
    await _settle_allergies(pilot, case["allergy"])
    await _complete(pilot)


async def pediatric_triage(pilot: Pilot, case: Case) -> None:
    """Enter the weight in kilograms whatever the scales show, and type both reactions in one's own words."""
    await _open(pilot, case)
    note = await pilot.read(".prose")
    await _start(pilot)
    told = re.search(r"(\w+) (?:reports|mentions) (?:an? )?([\w ]+) after (\w+)", note)
    assert told is not None, note
    reaction, substance = told[2].capitalize(), told[3].capitalize()
    await _settle_allergies(pilot, f"reacts to {substance} ({reaction}, unknown)")
    await _chart(pilot, case.values)
    await _judge(pilot)
    await _complete(pilot)
    await _place(pilot, "Resuscitation bay" if await _level(pilot) == "2" else "Treatment room")


async def multi_patient_triage(pilot: Pilot, case: Case) -> None:
    """Look into all charts first; then judge, settle the allergies and measure, in this order."""
    await sign_in(pilot, case)
    told = re.findall(r"\(MRN (\d+)\) heart rate (\d+), blood pressure (\S+), SpO2 (\d+) %", case["readings"])
    levels = {}
    for mrn, *_ in told:
        await _look_up(pilot, mrn)
        levels[mrn] = _judged(await pilot.read("main.chart"))[0]
        await pilot.click("a.back")
    for mrn, rate, pressure, spo2 in sorted(told, key=lambda each: levels[each[0]]):
        await _look_up(pilot, mrn)
        await _start(pilot)
        await _judge(pilot)
        await _settle_allergies(pilot, "confirms the allergy list as it is")
        await _chart(pilot, {"heart_rate": rate, "blood_pressure": pressure, "spo2": spo2})
        await _complete(pilot)
        await pilot.click("a.product")


async def _rows(pilot: Pilot, table: str) -> list[list[str]]:
    text = await pilot.read(f'table[aria-label="{table}"] >> tbody')
    return [line.split("\t") for line in text.splitlines()]


async def _search(pilot: Pilot, words: str) -> None:
    await pilot.fill('role=textbox[name="Search name or MRN"]', words)
    await pilot.press("enter")


async def _look_up(pilot: Pilot, mrn: str) -> None:
    await _search(pilot, mrn)
    await pilot.click(".c-name a")


async def _open(pilot: Pilot, case: Case) -> None:
    await sign_in(pilot, case)
    await _look_up(pilot, case["mrn"])


async def _tab(pilot: Pilot, name: str) -> None:
    await pilot.click(f'nav[aria-label="Chart"] >> role=link[name="{name}"]')


async def _pick(pilot: Pilot, field: str, option: str) -> None:
    """Choose from a list by keyboard."""
    await pilot.click(f'role=combobox[name="{field}"]')
    options = (await pilot.read(f'role=listbox[name="{field}"]')).splitlines()
    down = options.index(option)
    home = [Key(parse_chord("home"))]
    await pilot.act(*home, *([Key(parse_chord("down"), down)] if down else []), Key(parse_chord("enter")))


async def _start(pilot: Pilot) -> None:
    await _tab(pilot, "Triage")
    await press(pilot, "Start triage")


async def _complete(pilot: Pilot) -> None:
    await _tab(pilot, "Triage")
    await press(pilot, "Complete triage")


async def _level(pilot: Pilot) -> str:
    return (await pilot.read(".banner .esi")).strip()


def _judged(note: str) -> tuple[str, str]:
    """Return level and reason by the rules of the Emergency Severity Index, from the note at arrival."""
    note = note.lower()
    if re.search("new confusion|newly disoriented|drowsy|sleepy and vomiting", note):
        return "2", "New confusion, lethargy or disorientation"
    if re.search("squeezing|crushing|pressure on the chest|slurred|cannot find words", note):
        return "2", "High-risk presentation"
    if re.search("bloods|blood tests|infusion|by vein", note):
        return "3", "Two or more resources expected"
    assert re.search("prescription|due out today", note), note
    return "5", "No resources expected"


async def _judge(pilot: Pilot, by_keyboard: bool = False) -> None:
    await _tab(pilot, "Summary")
    level, reason = _judged(await pilot.read("main.chart"))
    await _tab(pilot, "Triage")
    await _pick(pilot, "Reason", reason)
    if by_keyboard:
        await mark(pilot, "ESI 1")
        await pilot.press("right", int(level) - 1)
    else:
        await mark(pilot, f"ESI {level}")
    await press(pilot, "Save ESI")


async def _place(pilot: Pilot, place: str) -> None:
    await _tab(pilot, "Disposition")
    await mark(pilot, place)
    await press(pilot, "Save disposition")


async def _settle_allergies(pilot: Pilot, told: str) -> None:
    """Do as the patient says: add what is missing, and mark the list as reviewed or declare it empty."""
    await _tab(pilot, "Allergies")
    if added := re.search(r"reacts to ([\w ]+) \(([\w ]+), (\w+)\)", told):
        await pilot.fill('role=combobox[name="Reaction"]', added[2].capitalize())
        await suggest(pilot, "Substance", added[1].capitalize())
        await mark(pilot, added[3].capitalize())
        await press(pilot, "Add allergy")
    listed = "Nothing recorded" not in await pilot.read('table[aria-label="Allergy list"]')
    await press(pilot, "Mark reviewed" if listed else "Declare no known allergies")


async def _chart(pilot: Pilot, measured: Mapping[str, str]) -> None:
    """Chart one set, in Celsius and kilograms whatever was told."""
    await _tab(pilot, "Vitals")
    systolic, diastolic = measured["blood_pressure"].split("/")
    typed = {
        "Pain score": measured.get("pain"),
        "GCS": measured.get("gcs"),
        "Temperature": _converted(measured.get("temperature")),
        "Weight": _converted(measured.get("weight")),
        "SpO2": measured["spo2"],
        "Diastolic BP": diastolic,
        "Systolic BP": systolic,
        "Respiratory rate": measured.get("respiratory_rate"),
        "Heart rate": measured["heart_rate"],
    }
    for field, text in typed.items():
        if text:
            await enter(pilot, field, text)
    if oxygen := measured.get("oxygen"):
        await _pick(pilot, "Oxygen delivery", "Room air" if "room air" in oxygen else "Nasal cannula")
    await press(pilot, "Save vital signs")
    await press_if_asked(pilot, "Confirm and save")


def _converted(told: str | None) -> str | None:
    if told is None:
        return None
    number, unit = told.split()
    value = float(number)
    return f"{ {'°F': (value - 32) / 1.8, 'lb': value * 0.45359237}.get(unit, value):.1f}"
