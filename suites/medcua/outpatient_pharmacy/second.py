"""Second solutions of the outpatient pharmacy, written without a look at the checks."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key
from pytest_cuabench.task.keys import parse_chord

from ..toolkit.screen import choose, enter, mark, press, press_if_asked, sign_in, suggest, tick

_POINTS = {
    "what the medicine is called": "Name and purpose",
    "how much to take": "Dose, route and duration",
    "special directions": "Special directions and precautions",
    "side effects": "Side effects and interactions",
    "warning signs": "Self-monitoring",
    "where to keep it": "Storage",
    "get more of it": "Refills",
    "forgetting a dose": "Missed dose",
}
_TIMES = {"one": 1, "two": 2, "three": 3, "four": 4}


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard, the password first."""
    await pilot.fill("#password", case["password"])
    await pilot.press("shift+tab")
    await pilot.type(case["user_id"])
    await pilot.press("enter")
    await pilot.read("#queue")


async def view_queue(pilot: Pilot, case: Case) -> None:
    """Take those of all other steps off the whole queue, which the menu shows queue by queue."""
    await sign_in(pilot, case)
    count = len(await _rows(pilot))
    for step in ("On hold", "To be filled", "Pick-up", "Picked up"):
        await press(pilot, "Queue")
        await pilot.click(f'role=menuitem[name="{step}"]')
        count -= len(await _rows(pilot))
    await pilot.answer(str(count))


async def open_prescription(pilot: Pilot, case: Case) -> None:
    """Find the row by name and drug, and open it by keyboard; the function keys are looked up before."""
    await sign_in(pilot, case)
    await press(pilot, "Help")
    await pilot.click('role=menuitem[name="Function keys"]')
    await pilot.press("f2")
    await _open(pilot, case["name"], case["drug"])


async def read_dur_alert(pilot: Pilot, case: Case) -> None:
    """Answer in lower case, with the medicine as a person says it: without strength and form."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    found = re.search(r"(\w+) Drug interaction\n+.*↔ (.*)", await pilot.read("fieldset.dur"))
    assert found is not None
    medicine = re.sub(r" \d.*", "", found[2])
    await pilot.answer(f"Severity: {found[1].lower()}; Medicine: {medicine.lower()}")


async def review_prescription(pilot: Pilot, case: Case) -> None:
    """Look at the stock between opening and correcting, and work by function keys."""
    await sign_in(pilot, case)
    await _find(pilot, case["rx_no"])
    await pilot.press("f7")
    await pilot.press("f2")
    await _find(pilot, case["rx_no"])
    lines = await _lines(pilot)
    original, entry = _order(lines, 1), _order(lines, 2)
    await _edit(
        pilot,
        {name: text for name, text in original.items() if text != entry[name]},
        "Entry corrected to the original",
    )
    await pilot.press("f8")


async def handle_dur_alert(pilot: Pilot, case: Case) -> None:
    """Reject and send the prescriber a line about it."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    advice = await _resolve(pilot)
    assert "Contact the prescriber" in advice, advice
    kind = await pilot.read("role=dialog >> p >> b")
    reasons = {"Allergy": "Allergy or cross-sensitivity", "Dose for weight": "Dose outside the usual range"}
    await enter(pilot, "Message (optional)", "Please tell us what to dispense in place of it.")
    await choose(pilot, "Reason", reasons.get(kind, kind))
    await mark(pilot, "Reject and contact prescriber")
    await press(pilot, "OK")


async def dispense_prescription(pilot: Pilot, case: Case) -> None:
    """Cancel the dialog once, and type the quantity before the lot is chosen."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    await pilot.press("f9")
    await pilot.press("escape")
    await _fill(pilot)


async def counsel_patient(pilot: Pilot, case: Case) -> None:
    """Record two identifiers, neither of which is the shared name."""
    await sign_in(pilot, case)
    born = re.search(r"date of birth ([\w ]+)", case["proof"])
    assert born is not None
    await _find(pilot, case["name"], "Pick-up", born[1])
    await _hand_out(pilot, case)


async def full_dispensing_workflow(pilot: Pilot, case: Case) -> None:
    """Do every step by function key."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    note = dict((await _lines(pilot))[-1:])["Note"]
    assert re.search("booked|arranged|monitor", note), note
    await _resolve(pilot)
    await _override(pilot, "Monitoring is arranged")
    await pilot.press("f8")
    await _fill(pilot)
    await _hand_out(pilot, case)


async def allergy_conflict_resolution(pilot: Pilot, case: Case) -> None:
    """Read the alert first and cancel; then follow the last message, from the last field to the first."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    told = (await pilot.read(".messages .scroll")).split("From ")[-1]
    await _resolve(pilot)
    await pilot.press("escape")
    found = re.search(
        r"([A-Z][^.:]*?\d[^.]*)\. (\w+ [\d.]+ \w+ by mouth [\w ]+), (\S+) \w+ for (\d+) days", told
    )
    assert found is not None, told
    drug = re.sub(r"^(?:Please )?(?:dispense|give|change to) ", "", found[1])
    order = _order([["Directions", found[2]], ["Quantity", found[3]], ["Days supply", found[4]]], 1)
    await _edit(pilot, order | {"Drug": drug}, "Change authorised by the prescriber")
    await pilot.press("f8")


async def pediatric_dose_check(pilot: Pilot, case: Case) -> None:
    """Work the dose out by hand, and write it with a decimal where it has none."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"], case["drug"])
    told = (await pilot.read(".messages .scroll")).split("From ")[-1]
    rule = re.search(r"([\d.]+) mg/kg a day, divided in (\w+) doses, for (\d+) days", told)
    weight = re.search(r"Weight: ([\d.]+) kg", await pilot.read("fieldset.profile"))
    strength = re.search(r"([\d.]+) mg/([\d.]+) mL", case["drug"])
    assert rule is not None, told
    assert weight is not None
    assert strength is not None
    times, days = _TIMES[rule[2]], int(rule[3])
    single = float(rule[1]) * float(weight[1]) / times * float(strength[2]) / float(strength[1])
    dose = round(single * 2) / 2
    amounts = {"Quantity": f"{dose * times * days:.1f}", "Dose": f"{dose:.1f}"}
    await _edit(pilot, amounts, "Change authorised by the prescriber")
    await pilot.press("f8")


async def multi_prescription_workflow(pilot: Pilot, case: Case) -> None:
    """Work from the most severe alert to the prescription without one."""
    await sign_in(pilot, case)
    worst = ("Contraindicated", "Major", "Moderate", "Minor", "")
    found = [row for row in await _rows(pilot) if f"{row[5]} for {_spoken(row[3])}" in case["orders"]]
    for row in sorted(found, key=lambda row: worst.index(row[9].strip())):
        await pilot.press("f2")
        await pilot.click(f'role=cell[name="{row[0]}"]', count=2)
        if not row[9].strip():
            await pilot.press("f8")
        elif "ontact the prescriber unless the order" in (advice := await _resolve(pilot)):
            await choose(pilot, "Reason", "Duplicate therapy")
            await mark(pilot, "Reject and contact prescriber")
            await press(pilot, "OK")
        else:
            assert "taken together for months" in advice, advice
            await _override(pilot, "Taken together before without problems")
            await pilot.press("f8")
        if case["fill_words"] == f"{row[5]} for {_spoken(row[3])}":
            await _fill(pilot)


def _spoken(name: str) -> str:
    family, given = name.split(", ")
    return f"{given} {family}"


async def _rows(pilot: Pilot) -> list[list[str]]:
    text = await pilot.read("#queue >> tbody")
    return [line.split("\t") for line in text.splitlines() if "\t" in line]


async def _search(pilot: Pilot, words: str) -> list[list[str]]:
    await enter(pilot, "Find name, Rx number or drug", words)
    await pilot.press("enter")
    return await _rows(pilot)


async def _open(pilot: Pilot, name: str, drug: str) -> None:
    await _find(pilot, f"{name} {drug}")


async def _find(pilot: Pilot, words: str, *more: str) -> None:
    """Search, and open the row that holds `more` by keyboard."""
    rows = await _search(pilot, words)
    (place,) = (place for place, row in enumerate(rows) if all(each in row for each in more))
    focus = await pilot.box("table#queue")  # a click on its heading takes the focus off the search field
    await pilot.act(
        Click(round(focus.x) + 9, round(focus.y) + 9),
        *(Key(parse_chord(key)) for key in ("home", *["down"] * place, "f3")),
    )


async def _lines(pilot: Pilot) -> list[list[str]]:
    text = await pilot.read('table[aria-label="Original and entry"] >> tbody')
    return [line.split("\t") for line in text.splitlines()]


def _order(lines: list[list[str]], column: int) -> Mapping[str, str]:
    """Return what the lines of a prescription say, by field of the form."""
    shown = {line[0]: line[column] for line in lines if column < len(line)}
    directions = re.match(r"\w+ ([\d.]+) \S+ by mouth ([\w ]+)", shown.pop("Directions"))
    assert directions is not None
    fields = {"Frequency": directions[2], "Dose": directions[1]}
    for name in ("Refills", "Days supply", "Quantity", "Drug"):
        if name in shown:
            fields[name] = shown[name] if name == "Drug" else shown[name].split()[0]
    return fields


async def _edit(pilot: Pilot, fields: Mapping[str, str], reason: str) -> None:
    await pilot.press("f4")
    await choose(pilot, "Reason for the change", reason)
    for name, text in fields.items():
        if name == "Drug":
            await suggest(pilot, name, text)
        elif name == "Frequency":
            await choose(pilot, name, text)
        else:
            await enter(pilot, name, text)
    await press(pilot, "OK")


async def _resolve(pilot: Pilot) -> str:
    """Open the alert and return its advice."""
    await pilot.click("role=link[name=/^Resolve /]")
    return await pilot.read("role=dialog >> p.sunken")


async def _override(pilot: Pilot, reason: str) -> None:
    await choose(pilot, "Reason", reason)
    await mark(pilot, "Override")
    await press(pilot, "OK")
    await press_if_asked(pilot, "Yes, override")


async def _fill(pilot: Pilot) -> None:
    """Take of the drug the lot that expires first after the last day of the supply."""
    await pilot.press("f9")
    ordered = (await pilot.read("role=dialog >> p.pair")).split(", ")
    drug, quantity, days = ordered[0], ordered[1].split()[0], int(ordered[2].split()[0])
    today = datetime.strptime((await pilot.read(".statusbar >> span:last-child"))[:11], "%d %b %Y")
    shelf = (await pilot.read("table.shelf >> tbody")).splitlines()
    lots = [line.strip().split("\t") for line in shelf if line.strip()]
    lasting = {
        expires: lot
        for product, _, _, lot, day, _ in lots
        if product == drug and (expires := datetime.strptime(day, "%d %b %Y")) > today + timedelta(days)
    }
    await enter(pilot, "Quantity counted", quantity)
    await mark(pilot, f"Lot {lasting[min(lasting)]}")
    await press(pilot, "OK")


async def _hand_out(pilot: Pilot, case: Case) -> None:
    await pilot.press("f10")
    await mark(pilot, "Cannot repeat it" if case["repeats"].startswith("cannot") else "Can repeat it")
    for phrase, point in reversed(_POINTS.items()):
        if phrase in case["talk"]:
            await tick(pilot, point)
    for phrase, identifier in {
        "address": "Address",
        "phone": "Phone number",
        "birth": "Date of birth",
    }.items():
        if phrase in case["proof"]:
            await tick(pilot, identifier)
    await press(pilot, "OK")
