"""Second solutions of the infusion pumps, written without a look at the checks."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import enter, follow, mark, press, sign_in

DONE = {
    "air": "Air removed from line",
    "administration set": "Set replaced and primed",
    "clamp": "Clamp opened",
    "kink": "Kink straightened",
    "flush": "Catheter flushed",
    "mains": "Mains plugged in",
    "battery pack": "Battery exchanged",
}


class _Order(NamedTuple):
    number: str
    status: str
    kind: str
    drug: str
    bag: str
    dose: str
    volume: str
    note: str


def _number(text: str) -> float:
    found = re.search(r"\d[\d,]*(\.\d+)?", text)
    assert found, text
    return float(found[0].replace(",", ""))


async def _open_pump(pilot: Pilot, mrn: str) -> None:
    await follow(pilot, "Dashboard")
    await pilot.click(f'a.card-head:has-text("{mrn}")')


async def _select(pilot: Pilot, drug: str) -> None:
    """Select the channel on whose own small display the drug is."""
    await pilot.click(f'.module:has(.mini-drug:text-is("{drug}")) >> a.select')


async def _orders(pilot: Pilot) -> list[_Order]:
    """Read the orders of the patient whose page is open."""
    await follow(pilot, "Orders")
    text = await pilot.read('table[aria-label="Infusion orders"] >> tbody')
    orders = []
    for row in re.split(r"\n(?=IV-)", text.strip()):
        cells = [cell.strip() for cell in row.split("\t")]
        drug, _, bag = cells[3].partition("\n")
        orders.append(_Order(cells[0].split()[0], cells[1], cells[2], drug, bag, *cells[4:7]))
    return orders


async def _new_order(pilot: Pilot, drug: str = "") -> _Order:
    return next(order for order in await _orders(pilot) if order.status == "New" and drug in ("", order.drug))


async def _titrate(pilot: Pilot, drug: str, dose: float) -> None:
    """Type the dose and press Enter, in place of the soft key."""
    await follow(pilot, "Pump")
    await _select(pilot, drug)
    await follow(pilot, "Titrate")
    await enter(pilot, "Dose", f"{dose:g}")
    await pilot.press("enter")


async def _program(pilot: Pilot, letter: str, order: _Order) -> None:
    """Program a channel: the volume by the keypad of the pump and before the dose."""
    await follow(pilot, "Pump")
    await follow(pilot, f"Select channel {letter}")
    await follow(pilot, "Program drug")
    first = order.drug[0].lower()
    await follow(
        pilot,
        next(f"{a} – {b}" for a, b in ("AD", "EH", "IM", "NO", "PZ") if a.lower() <= first <= b.lower()),
    )
    await follow(pilot, f"{order.drug} {order.bag}")
    await pilot.click('role=textbox[name="VTBI"]')
    for digit in f"{_number(order.volume):g}":
        await press(pilot, f"Key {digit}")
    await enter(pilot, "Dose", f"{_number(order.dose):g}")
    await press(pilot, "Confirm")


async def login(pilot: Pilot, case: Case) -> None:
    """Look at the log after signing in, and return."""
    await sign_in(pilot, case)
    await follow(pilot, "Pump log")
    await follow(pilot, "Dashboard")


async def view_dashboard(pilot: Pilot, case: Case) -> None:
    """Count by the rates: only an infusing channel shows one."""
    await sign_in(pilot, case)
    cards = re.split(r"\b\d{8}\b", await pilot.read(".cards"))[1:]
    await pilot.answer(str(sum("mL/h" in card for card in cards)))


async def check_drug_library(pilot: Pilot, case: Case) -> None:
    """Search by the first letters, then choose the care area."""
    await sign_in(pilot, case)
    await follow(pilot, "Drug library")
    await enter(pilot, "Search drug", case["drug"][:4])
    await pilot.press("enter")
    await follow(pilot, case["area"])
    await follow(pilot, f"{case['drug']} {case['bag']}")
    _, _, soft, hard = (await pilot.read("table.limits >> tbody >> tr")).split("\t")
    await pilot.answer(f"Soft maximum {soft.strip()}, hard maximum {hard.strip()}")


async def view_active_infusions(pilot: Pilot, case: Case) -> None:
    """Read the front panel, from the last channel to the first."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    text = await pilot.read('section[aria-label="Channels"]')
    running = re.findall(r"\n([^\n]+)\n+([\d.]+) mL/h\n+[^\n]*· Infusing", text)
    await pilot.answer(", ".join(f"{drug} {rate} mL/h" for drug, rate in reversed(running)))


async def program_infusion(pilot: Pilot, case: Case) -> None:
    """Come from the orders, and enter the volume by the keypad before the dose."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    order = await _new_order(pilot, case["drug"])
    await _program(pilot, case["letter"], order)
    await press(pilot, "START")


async def titrate_vasopressor(pilot: Pilot, case: Case) -> None:
    """Confirm by the Enter key."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    order = next(one for one in await _orders(pilot) if (one.drug, one.status) == (case["drug"], "Running"))
    step = _number(order.note.split("steps of")[1])
    low, high = (float(end) for end in re.findall(r"MAP (\d+)–(\d+)", order.note)[0])
    await follow(pilot, "Pump")
    await _select(pilot, case["drug"])
    now = _number(await pilot.read('dl.figures >> div:has(dt:text-is("Dose")) >> dd'))
    pressure = float(case["pressure"])
    wanted = now + step if pressure < low else now - step if pressure > high else now
    await _titrate(pilot, case["drug"], round(wanted, 4))


async def pause_infusion(pilot: Pilot, case: Case) -> None:
    """Start to titrate, cancel that, and hold."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    await _select(pilot, case["drug"])
    await follow(pilot, "Titrate")
    await follow(pilot, "Cancel")
    await press(pilot, "HOLD")


async def check_dose_limits(pilot: Pilot, case: Case) -> None:
    """Work the dose out by hand, and take the words of the answer in the order of the goal's form."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    await _select(pilot, case["drug"])
    facts = await pilot.read(".lcd-text >> nth=0")
    strength = _number(facts.split("(")[1])
    weight = _number(facts.split("weight")[1]) if "weight" in facts else 1
    band = await pilot.read("svg.band")
    edges = [_number(edge) for edge in band.split()]
    dose = float(case["asked_rate"]) * strength / weight / (60 if case["unit"].endswith("/min") else 1)
    low = dose < edges[1]
    hard = dose < edges[0] if low else dose > edges[3]
    end, firmness = "minimum" if low else "maximum", "hard" if hard else "soft"
    value = edges[(0 if low else 3) if hard else (1 if low else 2)]
    if "Limit: … minimum or maximum, soft or hard" in case.goal:
        limit = f"{end}, {firmness}"
    elif "Limit: soft or hard, minimum or maximum" in case.goal:
        limit = f"{firmness}, {end}"
    else:
        limit = f"{firmness} {end}"
    await pilot.answer(f"Limit: {limit}; value: {value:g} {case['unit']}")


async def hard_limit_safety(pilot: Pilot, case: Case) -> None:
    """Find the limit in the library and send the query at once, without a trial at the pump."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    order = await _new_order(pilot, case["drug"])
    await follow(pilot, "Drug library")
    await follow(pilot, f"{order.drug} {order.bag}")
    lowest, _, _, highest = map(_number, (await pilot.read("table.limits >> tbody >> tr")).split("\t"))
    above = _number(order.dose) > highest
    await _open_pump(pilot, case["mrn"])
    await follow(pilot, "Orders")
    await follow(pilot, f"Query {order.number}")
    await enter(pilot, "Limit in the library", f"{highest if above else lowest:g}")
    await mark(pilot, "Dose above hard maximum" if above else "Dose below hard minimum")
    await press(pilot, "Send query")
    corrected = await _new_order(pilot, case["drug"])
    await _titrate(pilot, case["drug"], _number(corrected.dose))


async def manage_alarms(pilot: Pilot, case: Case) -> None:
    """Silence the most urgent alarm first, and go by the list of alarms."""
    await sign_in(pilot, case)
    done = dict(re.findall(r"bed (\d+), [^:]*: ([^;]*)", case["findings"]))
    listed = re.findall(r"Bed (\d+) ([A-D])", await pilot.read("section.alarm-list"))
    for bed, letter in listed:
        await follow(pilot, f"Alarm bed {bed} channel {letter}")
        if (bed, letter) == listed[0]:
            await press(pilot, "SILENCE")
        if "new bag" in done[bed]:
            await follow(pilot, "Change VTBI")
            await enter(pilot, "VTBI", f"{_number(done[bed]):g}")
            await pilot.press("enter")
            await press(pilot, "START")
        else:
            await mark(pilot, next(cause for word, cause in DONE.items() if word in done[bed]))
            await press(pilot, "Clear alarm")
            if "On hold" in await pilot.read(".module.chosen >> .mini-state"):
                await press(pilot, "START")
        await follow(pilot, "Dashboard")


async def multi_pump_management(pilot: Pilot, case: Case) -> None:
    """Take the patients from the last to the first, each by the own orders in place of the list of the unit."""
    await sign_in(pilot, case)
    for mrn in reversed(re.findall(r"MRN (\d+)", case["names"])):
        await _open_pump(pilot, mrn)
        order = await _new_order(pilot)
        if order.kind == "Change dose":
            await _titrate(pilot, order.drug, _number(order.dose))
            if await pilot.sees('role=radiogroup[name="Reason"]'):
                await mark(pilot, "Confirmed with prescriber")
                await press(pilot, "Override")
            continue
        await follow(pilot, "Pump")
        await _select(pilot, order.drug)
        if order.kind == "Hold":
            await press(pilot, "HOLD")
        else:
            await follow(pilot, "Change VTBI")
            await enter(pilot, "VTBI", f"{_number(order.volume):g}")
            await press(pilot, "Confirm")


async def _sign(pilot: Pilot, case: Case) -> None:
    """Let the second nurse sign, the password first."""
    await pilot.fill("#second_password", case["second_password"])
    await enter(pilot, "Second nurse", case["second_id"])
    await press(pilot, "Sign")


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Read the order on the patient's own page, and sign from the last field to the first."""
    await sign_in(pilot, case)
    await _open_pump(pilot, case["mrn"])
    order = await _new_order(pilot, case["drug"])
    await _program(pilot, case["letter"], order)
    await press(pilot, "START")
    await _sign(pilot, case)
    value, dose = _number(case["value"]), _number(order.dose)
    for side, end, turn, step in re.findall(
        r"(above|below) ([\d.]+)[^:]*: (raise|lower) by ([\d.]+)", order.note
    ):
        if value > float(end) if side == "above" else value < float(end):
            dose += float(step) if turn == "raise" else -float(step)
    await _titrate(pilot, case["drug"], round(dose, 4))
    await _sign(pilot, case)
