"""Second solutions of order entry, written without a look at the checks."""

import re
from datetime import datetime, timedelta

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key, Type
from pytest_cuabench.task.keys import parse_chord

from ..toolkit.screen import choose, enter, follow, mark, mark_in, press, sign_in, tick

_DAY = "%d %b %Y"
_TIMES = {"once daily": 1, "twice daily": 2, "three times daily": 3, "four times daily": 4, "at bedtime": 1}


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard."""
    await pilot.click('role=textbox[name="User ID"]')
    await pilot.type(case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")
    await pilot.read('role=heading[name="Patient Selection"]')


async def patient_search(pilot: Pilot, case: Case) -> None:
    """Search by name, compare the dates of birth, and leave the chart open on another tab than the first."""
    await sign_in(pilot, case)
    await _search(pilot, case["name"])
    rows = (await pilot.read('table[aria-label="Patients"] >> tbody')).splitlines()
    (place,) = (place for place, row in enumerate(rows) if case["born"] in row)
    await pilot.click(f"td.name a >> nth={place}")
    await follow(pilot, "Allergies")


async def view_medication_list(pilot: Pilot, case: Case) -> None:
    """Count on the cover sheet in place of the tab of medications."""
    await _open(pilot, case)
    listed = await pilot.read('section.pane:has(h2:text-is("Medications of this Clinic")) >> ul')
    await pilot.answer(str(sum(line.endswith(" active") for line in listed.splitlines())))


async def add_allergy(pilot: Pilot, case: Case) -> None:
    """Type substance and reaction in small letters, without choosing from the lists."""
    await _open(pilot, case)
    await follow(pilot, "Allergies")
    await mark(pilot, "Observed here" if case["story"].startswith("observed") else "Historical (reported)")
    await mark(pilot, case["severity"].capitalize())
    for field in ("Reaction", "Substance"):
        await _write(pilot, field, case[field.lower()].lower())
    await press(pilot, "Add allergy")


async def set_preferred_pharmacy(pilot: Pilot, case: Case) -> None:
    """Find the branch by its street."""
    await _open(pilot, case)
    await follow(pilot, "Add or change pharmacy")
    street = case["street"].split(",")[0]
    await pilot.fill('role=textbox[name="Find pharmacy by name or street"]', street)
    await pilot.press("enter")
    await pilot.click(f'tr:has-text("{case["chain"]}"):has-text("{case["street"]}") >> role=radio')
    await tick(pilot, "Make this the default")
    await press(pilot, "Save pharmacy")


async def new_prescription(pilot: Pilot, case: Case) -> None:
    """Begin on the tab of medications, fill in from the end, and look at the orders before signing."""
    await _open(pilot, case)
    await follow(pilot, "Medications")
    await _order(pilot, case, case["pharmacy"])
    await follow(pilot, "Orders")
    await _sign(pilot, case)


async def add_outside_medication(pilot: Pilot, case: Case) -> None:
    """Cancel once, and write the dose without a space."""
    await _open(pilot, case)
    await follow(pilot, "Medications")
    await follow(pilot, "Add outside medication")
    await follow(pilot, "Cancel")
    await follow(pilot, "Add outside medication")
    await tick(pilot, "Explained to the patient")
    reporters = {"the patient": "Patient", "a family member": "Family member"}
    await mark(pilot, reporters.get(case["reporter"], "Outside record"))
    await enter(pilot, "Prescribed by", case["outside_prescriber"].capitalize().replace("Dr. r", "Dr. R"))
    await choose(pilot, "Schedule", case["outside_schedule"])
    await enter(pilot, "Dose", case["outside_dose"].replace(" ", ""))
    await enter(pilot, "Medication", case["outside_drug"].lower())
    await press(pilot, "Document")


async def patient_consent(pilot: Pilot, case: Case) -> None:
    """Let the witness sign first, and fill in the rest upwards."""
    await _open(pilot, case)
    await follow(pilot, "Consents")
    await follow(pilot, "New consent")
    await enter(pilot, "Witness user ID", case["witness"])
    await pilot.press("tab")
    await pilot.type(case["witness_password"])
    signer, role = case["signs"].rstrip(",").split(", the ")
    await enter(pilot, "Name of the signer", signer)
    await mark(pilot, role.capitalize())
    await choose(pilot, "Consent", "Electronic prescribing")
    await press(pilot, "Record consent")


async def change_order(pilot: Pilot, case: Case) -> None:
    """Accept the order, look at it once more by way of another tab, and sign."""
    await _open(pilot, case)
    await follow(pilot, "Medications")
    await follow(pilot, f"Change {case['drug']}")
    amount, _, often = case["new_dose"].split(" ", 2)
    await choose(pilot, "Reason for the change", "Not effective enough")
    await enter(pilot, "Quantity", str(int(amount) * _TIMES[often] * 30))
    await enter(pilot, "Dose", amount)
    await press(pilot, "Accept order")
    await follow(pilot, "Cover Sheet")
    await _sign(pilot, case)


async def discontinue_medication(pilot: Pilot, case: Case) -> None:
    """Mark the message before the reason, and sign with Enter."""
    await _open(pilot, case)
    reason = "Treatment completed" if "complete" in case["why"] else "Adverse reaction"
    await _stop(pilot, case["drug"], reason)
    await _sign(pilot, case)


async def process_renewal_request(pilot: Pilot, case: Case) -> None:
    """Look into both requests before either is answered, and deny first."""
    await _open(pilot, case)
    await follow(pilot, "Renewals")
    listed = await pilot.read('table[aria-label="Renewal requests"]')
    against = {}
    for drug in re.findall(r"^.*\t(\S.*)$(?=\n[A-Z])", listed, re.MULTILINE):
        name = drug.split("\t")[-1]
        if not await pilot.sees(f'role=link[name="Answer {name}"]'):
            continue
        await follow(pilot, f"Answer {name}")
        against[name] = await _against(pilot)
        await follow(pilot, "Cancel")
    assert sorted(map(bool, against.values())) == [False, True], (listed, against)
    for name in sorted(against, key=lambda each: not against[each]):
        await follow(pilot, f"Answer {name}")
        if reason := against[name]:
            await choose(pilot, "Reason", reason)
            await mark(pilot, "Deny")
        else:
            await pilot.fill("#field-code", case["code"])
            await enter(pilot, "Refills", str(case["refills"]))
            await mark(pilot, "Accept")
        await press(pilot, "Send answer")


async def full_prescription_workflow(pilot: Pilot, case: Case) -> None:
    """Order the new medicine before the old one is stopped, which an order check may ask about; sign both at once."""
    await _open(pilot, case)
    await follow(pilot, "Orders")
    await _order(pilot, case)
    if await pilot.sees('role=combobox[name="Reason for override"]'):
        await choose(pilot, "Reason for override", "Earlier medicine is being stopped")
        await press(pilot, "Accept order")
    await _stop(pilot, case["old_drug"], "Adverse reaction")
    await _sign(pilot, case)


async def _search(pilot: Pilot, words: str) -> None:
    await pilot.fill('role=textbox[name="Search name or MRN"]', words)
    await pilot.press("enter")


async def _open(pilot: Pilot, case: Case) -> None:
    await sign_in(pilot, case)
    await _search(pilot, case["mrn"])
    await pilot.click("td.name a")


async def _write(pilot: Pilot, field: str, text: str) -> None:
    """Type into a field that makes suggestions, and leave it without taking one."""
    box = await pilot.box(f'role=combobox[name="{field}"]')
    keys = [Key(parse_chord(chord)) for chord in ("ctrl+a", "tab")]
    await pilot.act(Click(*box.middle), keys[0], Type(text), keys[1])


async def _order(pilot: Pilot, case: Case, pharmacy: str = "") -> None:
    await follow(pilot, "New medication")
    if pharmacy:
        await choose(pilot, "Pharmacy", pharmacy)
    await _write(pilot, "Indication", case["indication"])
    await enter(pilot, "Refills", str(case["refill_number"]))
    await enter(pilot, "Days supply", str(case["days"]))
    await enter(pilot, "Quantity", case["quantity_number"])
    amount, _, often = case["dose_words"].split(" ", 2)
    await choose(pilot, "Schedule", often)
    await enter(pilot, "Dose", amount)
    await _write(pilot, "Medication", case["new_drug"])
    await press(pilot, "Accept order")


async def _stop(pilot: Pilot, drug: str, reason: str) -> None:
    await follow(pilot, "Medications")
    await follow(pilot, f"Discontinue {drug}")
    await mark_in(pilot, "Cancel message to the pharmacy", "Send")
    await choose(pilot, "Reason", reason)
    await press(pilot, "Accept order")


async def _sign(pilot: Pilot, case: Case) -> None:
    await follow(pilot, "Sign orders")
    await pilot.fill("#field-code", case["code"])
    await pilot.press("enter")
    await pilot.read("text=No unsigned orders")


async def _against(pilot: Pilot) -> str:
    """Return what the chart says against a renewal: its reason of denial, or nothing."""
    facts = await pilot.read("dl.facts")
    now = datetime.strptime((await pilot.read("header .when"))[:11], _DAY)
    if re.search(r"Discontinued|Expired", facts):
        return "Medicine was discontinued"
    if "SCHEDULE II\n" in facts:
        return "Controlled substance, new prescription needed"
    filled = re.search(r"(\d\d \w{3} \d{4}), Qty \S+ for (\d+) days", facts)
    assert filled is not None, facts
    if now < datetime.strptime(filled[1], _DAY) + timedelta(int(filled[2]) * 3 // 4):
        return "Too early, supply should last"
    if rule := re.search(r"Monitoring\n(.*) at least (?:every (\d+) (weeks|months)|once a year)", facts):
        days = int(rule[2] or 12) * (7 if rule[3] == "weeks" else 31)
        results = await pilot.read("aside >> ul >> nth=0")
        for test in re.split(" and ", rule[1].replace(" level", "")):
            dates = re.findall(rf"{test}.*\n(.*\d{{4}})", results, re.IGNORECASE)
            if not any(now - datetime.strptime(day, _DAY) <= timedelta(days) for day in dates):
                return "Monitoring is overdue"
    return ""
