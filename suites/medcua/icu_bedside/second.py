"""Second solutions of the intensive care bedside, written without a look at the checks."""

from __future__ import annotations

import re

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import choose, enter, follow, mark, press, sign_in, tick

MONITOR = "section.live >> .live-numbers"


async def _open(pilot: Pilot, case: Case, tab: str) -> None:
    """Open a tab of the patient, who is found in the rail by the name and recognised by the number."""
    await sign_in(pilot, case)
    given, family = case["name"].split(" ", 1)
    await pilot.click(f'nav[aria-label="Patients"] >> a[aria-label$="{family}, {given}"]')
    assert case["mrn"] in await pilot.read("header.who")
    await follow(pilot, tab)


async def _rows(pilot: Pilot, table: str) -> list[list[str]]:
    lines = (await pilot.read(f'table[aria-label="{table}"] >> tbody')).splitlines()
    return [[cell.strip() for cell in line.split("\t")] for line in lines if "\t" in line]


def _number(text: str) -> float:
    return float(text.split()[0].replace("−", "-").replace("+", ""))


async def _balance(pilot: Pilot, period: str) -> tuple[int, int]:
    """Add up the entries of a period that are not in error, in place of reading the totals."""
    await follow(pilot, period)
    rows = [row for row in await _rows(pilot, "Fluid entries") if row[4]]
    return sum(int(row[2] or 0) for row in rows), sum(int(row[3] or 0) for row in rows)


def _signed(ml: int) -> str:
    return f"{ml:+,d}".replace("-", "−")


async def login(pilot: Pilot, case: Case) -> None:
    """Use the keyboard only: the first field has the focus."""
    await pilot.type(case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")


async def view_vitals(pilot: Pilot, case: Case) -> None:
    """Read the monitor above the orders."""
    await _open(pilot, case, "Orders")
    shown = await pilot.read(MONITOR)
    rate, upper, lower, spo2, temp = (
        re.search(pattern, shown)[1]  # type: ignore[index]
        for pattern in (r"HR\s+(\d+)", r"ABP\s+(\d+)/", r"/(\d+)", r"SpO2\s+(\d+)", r"Temp\s+([\d.]+)")
    )
    await pilot.answer(f"HR {rate}, ABP {upper}/{lower}, SpO2 {spo2} %, Temp {temp} °C")


async def view_fluid_balance(pilot: Pilot, case: Case) -> None:
    """Add up the entries, and write thousands with a comma and the minus as the screen does."""
    await _open(pilot, case, "Fluids")
    words = {"24 hours": "Last 24 h", "previous shift": "Previous shift", "shift": "This shift"}
    period = next(chip for said, chip in words.items() if said in case["spoken_period"])
    intake, output = await _balance(pilot, period)
    await pilot.answer(f"Intake {intake:,} mL, Output {output:,} mL, Balance {_signed(intake - output)} mL")


async def check_infusions(pilot: Pilot, case: Case) -> None:
    """List the pumps from the last to the first."""
    await _open(pilot, case, "Infusions")
    running = [f"{row[0]} {row[3]}" for row in await _rows(pilot, "Infusions") if row[1] == "Running"]
    await pilot.answer(", ".join(reversed(running)))


async def _change_dose(pilot: Pilot, drug: str, dose: str, reason: str) -> None:
    """Fill in the form from its end, and send it by the Enter key."""
    await pilot.click(f'table[aria-label="Infusions"] >> a:text-is("{drug}")')
    await tick(pilot, "Patient identity checked at the bedside")
    await choose(pilot, "Reason", reason)
    await enter(pilot, "New dose", dose)
    await pilot.press("enter")


async def adjust_infusion_rate(pilot: Pilot, case: Case) -> None:
    """Write the dose with one more digit, and send it by the Enter key."""
    await _open(pilot, case, "Infusions")
    await _change_dose(pilot, case["drug_words"], f"{case['dose']:.3f}", "Telephone order, read back")


async def review_ventilator(pilot: Pilot, case: Case) -> None:
    """Work the predicted weight out from sex and height, in place of reading it."""
    await _open(pilot, case, "Ventilator")
    settings = await pilot.read('section:has(h2:text-is("Settings")) >> dl')
    banner = await pilot.read("header.who")
    found = re.search(r"Sex\s+(\w)[\s\S]*?(\d+) cm", banner)
    assert found
    weight = (50 if found[1] == "M" else 45.5) + 0.91 * (int(found[2]) - 152.4)
    fio2, peep, volume = (
        int(re.search(rf"{name}\s+(\d+)", settings)[1])  # type: ignore[index]
        for name in ("FiO2", "PEEP", r"Tidal volume \(set\)")
    )
    await pilot.answer(f"FiO2 {fio2} %, PEEP {peep} cmH2O, VT {volume} mL, per kg {volume / weight:.1f} mL")


async def _acknowledge(pilot: Pilot, label: str, response: str) -> None:
    """Reach the button by keys."""
    await pilot.click(
        f'table[aria-label="Alarms"] >> tr:has-text("Not acknowledged") >> a:text-is("{label}")'
    )
    await enter(pilot, "Response (optional)", response)
    await pilot.press("tab")
    await pilot.press("enter")


async def acknowledge_alarm(pilot: Pilot, case: Case) -> None:
    """Look at the ventilator first, and reach the button by keys."""
    await _open(pilot, case, "Ventilator")
    await follow(pilot, "Alarms")
    await _acknowledge(pilot, case["label"], case["response"])


async def _note(pilot: Pilot, category: str, text: str) -> None:
    """Write the text before the category, keep a draft and sign it afterwards."""
    await follow(pilot, "Notes")
    await enter(pilot, "Text", text)
    await mark(pilot, category)
    await press(pilot, "Save as draft")
    await press(pilot, "Sign draft")


async def add_nursing_note(pilot: Pilot, case: Case) -> None:
    """Keep a draft and sign it afterwards."""
    await _open(pilot, case, "Notes")
    words = {"event": "Event", "visit": "Family", "assessed": "Assessment", "hand": "Handover"}
    category = next(name for said, name in words.items() if said in case["spoken_category"])
    await _note(pilot, category, case["text"])


async def _chart(pilot: Pilot, kind: str, ml: int, comment: str = "") -> None:
    await mark(pilot, kind)
    if comment:
        await enter(pilot, "Comment (optional)", comment)
    await enter(pilot, "Volume", str(ml))
    await pilot.press("enter")


async def record_intake_output(pilot: Pilot, case: Case) -> None:
    """Chart the drain first, with its level as a comment, and the others from the last to the first."""
    await _open(pilot, case, "Fluids")
    await follow(pilot, "Last 24 h")
    levels = [
        int(found[1])
        for row in await _rows(pilot, "Fluid entries")
        if row[1] == "Drain" and row[4] and (found := re.search(r"Chamber at (\d+)", row[5]))
    ]
    level = int(case["level"])
    await _chart(pilot, "Drain", level - levels[0], f"Chamber at {level} mL")
    await _chart(pilot, "Urine", int(case["urine"]))
    await _chart(pilot, "Oral", int(case["oral"]))
    await _chart(pilot, "IV fluid", round(float(case["litres"]) * 1000))


async def handle_critical_event(pilot: Pilot, case: Case) -> None:
    """Read the order before the alarm, and keep the note as a draft before it is signed."""
    await _open(pilot, case, "Orders")
    order = next(
        row for row in await _rows(pilot, "Orders") if row[:2] == ["Active", "Titrate norepinephrine"]
    )
    step = float(re.search(r"raise norepinephrine by ([\d.]+)", order[2])[1])  # type: ignore[index]
    await follow(pilot, "Alarms")
    await _acknowledge(pilot, case["label"], case["response"])
    await follow(pilot, "Infusions")
    runs = next(row for row in await _rows(pilot, "Infusions") if row[0] == "Norepinephrine")
    dose = f"{_number(runs[2]) + step:.3f}".rstrip("0")
    await _change_dose(pilot, "Norepinephrine", dose, "Titration as ordered")
    pressure = re.search(r"\((\d+)\)", await pilot.read(MONITOR))
    assert pressure
    await _note(pilot, "Event", f"MAP {pressure[1]} mmHg, norepinephrine {dose} mcg/kg/min")


async def view_trends(pilot: Pilot, case: Case) -> None:
    """Go over a shorter window first, and read the list of hours, not the curve."""
    await _open(pilot, case, "Trends")
    await follow(pilot, case["parameter_words"])
    await follow(pilot, "8 h")
    await follow(pilot, "24 h")
    lines = [
        line for line in re.split(r"\n(?=\d\d \w{3} )", await pilot.read("ol.hours")) if "error" not in line
    ]
    hours = [
        (float(value), at) for at, value in (re.findall(r"(\d\d:\d\d)\s+([\d.]+)", line)[0] for line in lines)
    ]
    extreme, at = min(hours) if case["kind"] == "lowest" else max(hours)
    limit = float(case["limit"])
    count = sum(value < limit if case["side"] == "below" else value > limit for value, _ in hours)
    await pilot.answer(f"{case['kind_title']} {extreme:g} {case['unit']}, Time {at}, Hours {count}")


async def full_shift_workflow(pilot: Pilot, case: Case) -> None:
    """Chart the urine before the alarm where the goal leaves the order open, and add up the balance."""
    await _open(pilot, case, "Fluids")
    in_order = ": first the alarm" in case.goal
    if not in_order:
        await _chart(pilot, "Urine", int(case["urine"]))
    await follow(pilot, "Alarms")
    alarm = next(row for row in await _rows(pilot, "Alarms") if "Not acknowledged" in row[5])
    await _acknowledge(pilot, alarm[1], case["response"])
    await follow(pilot, "Fluids")
    if in_order:
        await _chart(pilot, "Urine", int(case["urine"]))
    intake, output = await _balance(pilot, "This shift")
    await follow(pilot, "Ventilator")
    settings = await pilot.read('section:has(h2:text-is("Settings")) >> dl')
    fio2 = re.search(r"FiO2\s+(\d+)", settings)
    assert fio2
    await follow(pilot, "Infusions")
    runs = next(row for row in await _rows(pilot, "Infusions") if row[0] == "Norepinephrine")
    balance = _signed(intake - output).replace(",", "")
    await _note(
        pilot,
        "Handover",
        f"Balance {balance} mL, norepinephrine {_number(runs[2]):g} mcg/kg/min, FiO2 {fio2[1]} %",
    )
