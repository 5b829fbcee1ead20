"""Second solutions of nursing documentation, written without a look at the checks."""

import re
from collections.abc import Callable

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import choose, enter, follow, mark, press, sign_in

_CUPS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_STAGES = {
    "(bone|tendon|muscle) can be|bone is|tendon is|muscle is": "Stage 4",
    "purple|maroon|blood-filled|deep red": "Deep tissue injury",
    "outer layers|top skin|only the outer|blister": "Stage 2",
    "(covered|hidden|filled)( \\w+)* (with|by|under) |cannot be (seen|judged)|eschar": "Unstageable",
    "fat": "Stage 3",
    "": "Stage 1",
}
_SAID = {  # a nurse's words for those of the account
    "You gave": "Gave",
    "into the vein": "IV",
    "by mouth": "orally",
    "felt sick": "was nauseated",
    "please ": "",
    "Please ": "",
}


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard."""
    await pilot.fill("#password", case["password"])
    await pilot.press("shift+tab")
    await pilot.type(case["user_id"])
    await pilot.press("enter")
    await pilot.read('role=heading[name="Unit sheet"]')


async def view_vitals(pilot: Pilot, case: Case) -> None:
    """Answer with the unit, and without looking at the unit sheet."""
    await _open(pilot, case)
    found = ""
    column = 0
    while await pilot.sees(_cell("Charted by", column + 1)):
        value = (await pilot.read(_cell("Temperature", column))).strip()
        if value and "Struck" not in await pilot.read(_cell("Charted by", column)):
            found = value
        column += 1
    await pilot.answer(f"{found} °C")


async def view_fluid_balance(pilot: Pilot, case: Case) -> None:
    """Work the balance out from the totals in and out of the unit sheet, after a look at the patient's own."""
    await _open(pilot, case)
    await follow(pilot, "Intake and output")
    await follow(pilot, "Unit sheet")
    row = (await pilot.read(f'tr:has(td:text-is("{case["mrn"]}"))')).split("\t")
    await pilot.answer(f"{int(row[12]) - int(row[13]):+} ml")


async def record_vital_signs(pilot: Pilot, case: Case) -> None:
    """Fill in the column from its end."""
    await _open(pilot, case)
    await _chart(pilot, case)


async def record_io(pilot: Pilot, case: Case) -> None:
    """Save output and intake one after the other."""
    await _open(pilot, case)
    await follow(pilot, "Intake and output")
    await enter(pilot, "Drain", str(case["drain_ml"]))
    await enter(pilot, "Urine", str(case["urine_ml"]))
    await press(pilot, "Save")
    await enter(pilot, "Infusion", str(case["infusion_ml"]))
    await enter(pilot, "Oral", str(_drunk(case)))
    await press(pilot, "Save")


async def write_nursing_note(pilot: Pilot, case: Case) -> None:
    """Save a draft before signing, and write in a nurse's own words."""
    await _open(pilot, case)
    await follow(pilot, "Nursing note")
    found, done, came = re.split(r"(?<=\.) (?=[A-Z])", case["story"])
    for field, text in {"Response": came, "Intervention": done, "Condition": found}.items():
        await enter(pilot, field, _reworded(text))
    await press(pilot, "Save draft")
    await mark(pilot, case["focus"])
    await press(pilot, "Sign")


async def create_handoff(pilot: Pilot, case: Case) -> None:
    """Fill in from the recommendation back to the situation, each as a sentence."""
    await _open(pilot, case)
    await follow(pilot, "Handover")
    parts: dict[str, str] = {}
    for told in case["story"].split("; "):
        parts[_part(told)] = f"{parts.get(_part(told), '')}{told}; "
    await mark(pilot, f"Handed over to: {case['receiver']}")
    for part in ("Recommendation", "Assessment", "Background", "Situation"):
        await enter(pilot, part, _reworded(parts[part].strip("; ") + "."))
    await press(pilot, "Sign")


async def wound_assessment(pilot: Pilot, case: Case) -> None:
    """Begin with the exudate and end with the region."""
    await _open(pilot, case)
    await follow(pilot, "Wounds")
    await mark(pilot, f"Exudate: {case['exudate'].capitalize()}")
    if depth := re.search(r"[\d.]+", case["deep"]):
        await enter(pilot, "Depth", depth[0])
    await enter(pilot, "Width", str(case["width"]))
    await enter(pilot, "Length", str(case["length"]))
    await mark(pilot, next(stage for look, stage in _STAGES.items() if re.search(look, case["look"])))
    await mark(pilot, case["place"].capitalize())
    await press(pilot, "Save wound assessment")


async def identify_deterioration(pilot: Pilot, case: Case) -> None:
    """Work the scores out from the unit sheet, and answer in a sentence's order with the score as a number."""
    await sign_in(pilot, case)
    beds = await _beds(pilot)
    worst = max(beds, key=_news2)
    score = _news2(worst)
    await follow(pilot, worst["name"])
    responses = {7: "Emergency call to the critical care team", 5: "Urgent review by the ward physician"}
    await mark(pilot, f"Response: {next((word for least, word in responses.items() if score >= least), '')}")
    await enter(pilot, "NEWS2 total", str(score))
    await press(pilot, "Record escalation")
    await pilot.answer(f"Bed {worst['bed']}, NEWS2 {score}")


async def complete_shift_documentation(pilot: Pilot, case: Case) -> None:
    """Chart the fluids before the vital signs, and look at the checklist before and after."""
    await _open(pilot, case)
    await follow(pilot, "Shift sign-off")
    await follow(pilot, "Intake and output")
    await enter(pilot, "Urine", str(case["urine_ml"]))
    await enter(pilot, "Infusion", str(case["infusion_ml"]))
    await enter(pilot, "Oral", str(_drunk(case)))
    await press(pilot, "Save")
    await follow(pilot, "Vital signs")
    await _chart(pilot, case)
    await follow(pilot, "Shift sign-off")
    await press(pilot, "Sign off shift")


async def fluid_balance_correction(pilot: Pilot, case: Case) -> None:
    """Find the bed on the unit sheet and the entry by its slip, and work the new balance out by hand."""
    await sign_in(pilot, case)
    lowest = min(await _beds(pilot), key=lambda bed: _number(bed["balance"]))
    await follow(pilot, lowest["name"])
    await follow(pilot, "Intake and output")
    slips = await pilot.read('ul[aria-label="Measuring slips"]')
    for time, kind, slip in re.findall(r"(\d\d:\d\d) (\w+)\b.*?(\d+) ml", slips):
        if not await pilot.sees(f'role=link[name="{kind} {slip} ml at {time}"]'):
            break
    entry = f'a[aria-label^="{kind} "][aria-label$=" at {time}"]'
    charted = int(await pilot.read(entry))
    await pilot.click(entry)
    await enter(pilot, "Right volume", slip)
    await choose(pilot, "Reason of the error", "Wrong value")
    await press(pilot, "Strike and replace")
    await pilot.answer(
        f"Bed {lowest['bed']}, Balance {_number(lowest['balance']) + charted - int(slip):+} ml"
    )


async def rapid_response_note(pilot: Pilot, case: Case) -> None:
    """Save a draft before signing, and tell what was done in another order."""
    await sign_in(pilot, case)
    (line,) = (bed for bed in await _beds(pilot) if bed["mrn"] == case["mrn"])
    await follow(pilot, line["name"])
    await follow(pilot, "Rapid response")
    moved = "intensive care" in case["outcome_told"]
    await mark(pilot, "Moved to intensive care" if moved else "Stays on the unit")
    parts = re.split(r",? and (?=a )|, ", case["did"])
    await enter(pilot, "Actions taken", "; ".join(reversed(parts)).capitalize().replace(" l/min", " L/min"))
    await enter(pilot, "Team arrived at", case["arrived_at"])
    await enter(pilot, "Team called at", case["called_at"])
    await enter(pilot, "NEWS2 at the call", str(_news2(line)))
    await mark(pilot, "Early warning score")
    await press(pilot, "Save draft")
    await press(pilot, "Sign")


async def _open(pilot: Pilot, case: Case) -> None:
    await sign_in(pilot, case)
    await pilot.click(f'tr:has(td:text-is("{case["mrn"]}")) >> a')


def _cell(row: str, column: int) -> str:
    return f'table[aria-label="Vital signs"] >> tr:has(th:has-text("{row}")) >> td >> nth={column}'


def _drunk(case: Case) -> int:
    return _CUPS[case["cups"]] * int(case["cup"])


def _number(signed: str) -> int:
    return int(signed.replace("−", "-"))


def _reworded(text: str) -> str:
    for told, said in _SAID.items():
        text = text.replace(told, said)
    return text[0].upper() + text[1:]


def _part(told: str) -> str:
    """Return the part of SBAR that a fact belongs to."""
    if re.match("please|scan|call|check|repeat|give|keep|measure|draw|ask|watch|take", told):
        return "Recommendation"
    if re.search("second day|came in|history|known|yesterday|operated|admitted", told):
        return "Background"
    return "Situation" if re.search(r"since \d", told) else "Assessment"


async def _chart(pilot: Pilot, case: Case) -> None:
    number, unit = case["temperature"].split()
    celsius = f"{(float(number) - 32) / 1.8:.1f}" if unit == "°F" else number
    flow = re.search(r"([\d.]+) L", case["air"])
    systolic, diastolic = case["pressure"].split("/")
    await enter(pilot, "Pain", str(case["pain"]))
    states = {"alert": "Alert", "newly confused": "New confusion"}
    await mark(pilot, f"Consciousness: {states[case['state']]}")
    if flow:
        await enter(pilot, "Oxygen flow", flow[1])
    await mark(pilot, "Oxygen: Oxygen" if flow else "Oxygen: Air")
    for field, value in (
        ("SpO2", case["spo2"]),
        ("Diastolic BP", diastolic),
        ("Systolic BP", systolic),
        ("Respiratory rate", case["breathing"]),
        ("Pulse", case["pulse"]),
        ("Temperature", celsius),
    ):
        await enter(pilot, field, str(value))
    await press(pilot, "Save column")


async def _beds(pilot: Pilot) -> list[dict[str, str]]:
    """Return the lines of the unit sheet by the headings of its columns."""
    names = "bed name mrn time temp pulse breathing pressure spo2 scale oxygen acvpu in out balance".split()  # noqa: SIM905 - reads as a list
    lines = [line.split("\t") for line in (await pilot.read("table.unit-sheet >> tbody")).splitlines()]
    rows = [dict(zip(names, map(str.strip, line), strict=False)) for line in lines]
    return [row | {"name": re.sub(r" [FM] \d+ y?$", "", row["name"])} for row in rows]


def _points(value: float, *bands: tuple[float, int]) -> int:
    """Return the points of the first band that ends at or above the value."""
    return next(points for end, points in bands if value <= end)


def _news2(bed: dict[str, str]) -> int:
    """Work out NEWS2 of a line of the unit sheet; what was not measured counts nothing."""
    most = float("inf")
    air = bed["oxygen"] == "Air"
    saturation = ((91, 3), (93, 2), (95, 1), (most, 0))
    if bed["scale"] == "2":
        high = ((most, 0),) if air else ((94, 1), (96, 2), (most, 3))
        saturation = ((83, 3), (85, 2), (87, 1), (92, 0), *high)
    tables: dict[str, Callable[[float], int]] = {
        "breathing": lambda value: _points(value, (8, 3), (11, 1), (20, 0), (24, 2), (most, 3)),
        "spo2": lambda value: _points(value, *saturation),
        "pressure": lambda value: _points(value, (90, 3), (100, 2), (110, 1), (219, 0), (most, 3)),
        "pulse": lambda value: _points(value, (40, 3), (50, 1), (90, 0), (110, 1), (130, 2), (most, 3)),
        "temp": lambda value: _points(value, (35, 3), (36, 1), (38, 0), (39, 1), (most, 2)),
    }
    measured = {name: bed[name].split("/")[0] for name in tables}
    points = sum(table(float(measured[name])) for name, table in tables.items() if measured[name])
    return points + 2 * (not air) + 3 * (bed["acvpu"] != "A")
