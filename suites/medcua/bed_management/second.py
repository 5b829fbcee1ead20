"""Second solutions of bed management, written without a look at the checks."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import choose, enter, follow, mark, press, press_if_asked, sign_in, tick

_WARDS = {
    "General medicine": "Medical ward",
    "Surgery": "Surgical ward",
    "Cardiology": "Cardiac monitoring ward",
}
_ICU = "Intensive care unit"
_ORDER_SET = ("Medication reconciled", "Nursing handover given", "Transfer order signed")
_CHECKLIST = ("Account settled", "Transport arranged", "Medication supplied", "Discharge orders and summary")


@dataclass
class _Bed:
    """A tile of the bed map; `sex` is that of its bay."""

    label: str
    ward: str
    sex: str
    kind: str = "Bay"
    state: str = ""


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard, and look at the figures before returning to the board."""
    await pilot.fill("#password", case["password"])
    await pilot.press("shift+tab")
    await pilot.type(case["user_id"])
    await pilot.press("enter")
    await follow(pilot, "Occupancy")
    await follow(pilot, "Board")


async def view_bed_map(pilot: Pilot, case: Case) -> None:
    """Read the number in the table of occupancy in place of counting tiles."""
    await sign_in(pilot, case)
    await follow(pilot, "Occupancy")
    row = await pilot.read(f'tr:has(th:has-text("{case["ward"]}"))')
    await pilot.answer(row.split("\t")[5].strip())


async def check_occupancy(pilot: Pilot, case: Case) -> None:
    """Work the share out from the heading of the ward on the board, and answer in words."""
    await sign_in(pilot, case)
    occupied, beds = (await pilot.read(f'section[aria-label^="{case["ward"]} "] >> small')).split()[0:3:2]
    await pilot.answer(f"{int(100 * int(occupied) / int(beds) + 0.5)}%")


async def admit_patient(pilot: Pilot, case: Case) -> None:
    """Search by the family name, fill in from the end, and take the last bed that fits."""
    await _admit(pilot, case, "Ward", "Standard", lambda bed: bed.label.startswith(case["ward"]))


async def transfer_patient(pilot: Pilot, case: Case) -> None:
    """Reach the patient by the index, and take the last ordinary room."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _transfer(pilot)


async def process_discharge(pilot: Pilot, case: Case) -> None:
    """Reach the patient by the index, and tick the list from the end."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _discharge(pilot)


async def assign_from_queue(pilot: Pilot, case: Case) -> None:
    """Reach the patient by the index, and take the last bed that fits."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _place(pilot)


async def full_admission_workflow(pilot: Pilot, case: Case) -> None:
    """Come to the ward's map by way of the table of occupancy."""
    airborne = re.search("measles|acid-fast|tubercul", case["picture"]) is not None
    await _admit(
        pilot, case, "Intensive care", "Airborne" if airborne else "Standard", lambda bed: bed.ward == _ICU
    )
    await follow(pilot, "Occupancy")
    await pilot.click('table[aria-label="Occupancy by ward"] >> role=link[name="ICU"]')


async def handle_bed_conflict(pilot: Pilot, case: Case) -> None:
    """Give the room to whom it is meant for first, and the other one a place after that."""
    await sign_in(pilot, case)
    needs = {}
    for name in (case["first_name"], case["second_name"]):
        await _open(pilot, name)
        needs[name] = (await _facts(pilot))["Precautions"]
    for name in sorted(needs, key=lambda each: needs[each] != "Airborne"):
        await _open(pilot, name)
        await _place(pilot, case["room"] if needs[name] == "Airborne" else "")
        await press_if_asked(pilot, "Give it all the same")  # it was promised to the other one, too


async def multi_operation(pilot: Pilot, case: Case) -> None:
    """Discharge first, then place, then transfer; each patient is reached by the index."""
    await sign_in(pilot, case)
    for words, work in (("leaving", _discharge), ("placing", _place), ("moving", _transfer)):
        found = re.search(r"MRN (\d+)", case[f"{words}_words"])
        assert found is not None
        await _open(pilot, found[1])
        await work(pilot)


async def swap_beds(pilot: Pilot, case: Case) -> None:
    """Swap from the page of the one who leaves the room."""
    await sign_in(pilot, case)
    await _open(pilot, case["recovered"])
    await follow(pilot, "Swap beds")
    await pilot.click(f'label.tile:has-text("{case["bay_bed"]}")')
    for line in _ORDER_SET:
        await tick(pilot, line)
    await choose(pilot, "Reason", "Isolation precautions")
    await press(pilot, "Swap patients")


async def emergency_bed_allocation(pilot: Pilot, case: Case) -> None:
    """Read all three requests, and then place by the index."""
    await sign_in(pilot, case)
    scores = {}
    for mrn in re.findall(r"MRN (\d+)", case["names"]):
        await _open(pilot, mrn)
        scores[mrn] = int((await _facts(pilot))["NEWS2"])
    for mrn in sorted(scores, key=lambda each: -scores[each]):
        await _open(pilot, mrn)
        await _place(pilot)


async def _open(pilot: Pilot, who: str) -> None:
    await follow(pilot, "Patient index")
    await enter(pilot, "Name or MRN", f"{who}\n")
    await pilot.click('table[aria-label="Patients found"] >> a')


async def _facts(pilot: Pilot) -> dict[str, str]:
    """Return what the request says, by its heading."""
    lines = [line for line in (await pilot.read("dl.facts")).splitlines() if line.strip()]
    return dict(zip(lines[::2], lines[1::2], strict=False))


async def _free(pilot: Pilot, fits: Callable[[_Bed], bool]) -> list[_Bed]:
    """Return the available beds where a patient of this sex may lie, in the order of the map."""
    sex = "Women" if "Female" in await pilot.read(".banner dl") else "Men"
    beds: list[_Bed] = []
    ward = bay = ""
    lines = [line.strip() for line in (await pilot.read(".house")).splitlines() if line.strip()]
    for place, line in enumerate(lines):
        if re.fullmatch(r"\w+-\d\d", line):
            beds.append(_Bed(line, ward, bay, "Single" if bay == "rooms" else "Bay"))
        elif line in ("Women", "Men", "rooms"):
            bay = line
        elif re.fullmatch(r"\d[A-Z]|ICU", line):
            ward = lines[place + 1]
        elif beds and line == "Neg":
            beds[-1].kind = line
        elif beds and not beds[-1].state:
            beds[-1].state = line
    return [
        bed
        for bed in beds
        if bed.state == "Available" and fits(bed) and (bed.kind != "Bay" or bed.sex == sex)
    ]


def _suits(bed: _Bed, precautions: str) -> bool:
    kinds = {"Airborne": ("Neg",), "Standard": ("Bay", "Single")}
    return bed.kind in kinds.get(precautions, ("Single",))


async def _take(pilot: Pilot, label: str) -> None:
    await pilot.click(f'label.tile:has-text("{label}")')


async def _place(pilot: Pilot, label: str = "") -> None:
    """Give the bed, or else the last that meets the request; an open level follows from the note."""
    facts = await _facts(pilot)
    note = facts.get("Note", "").lower()
    ward = _WARDS.get(facts["Specialty"], _ICU)
    if facts["Level of care"] == "left open" and re.search("vasopressor|noradrenaline|intubated", note):
        ward = _ICU
    free = await _free(pilot, lambda bed: bed.ward == ward and _suits(bed, facts["Precautions"]))
    await _take(pilot, label or free[-1].label)
    await press(pilot, "Give this bed")


async def _transfer(pilot: Pilot) -> None:
    await follow(pilot, "Transfer")
    free = await _free(pilot, lambda bed: bed.ward == _ICU and bed.kind == "Single")
    await _take(pilot, free[-1].label)
    for line in _ORDER_SET:
        await tick(pilot, line)
    await choose(pilot, "Reason", "Clinical deterioration")
    await press(pilot, "Transfer patient")


async def _discharge(pilot: Pilot) -> None:
    await follow(pilot, "Discharge")
    goes = re.search(r"Goes to\s+(.+)", await pilot.read(".plan"))
    assert goes is not None
    await mark(pilot, goes[1].strip())
    for line in _CHECKLIST:
        await tick(pilot, line)
    await press(pilot, "Discharge patient")


async def _admit(
    pilot: Pilot, case: Case, level: str, precautions: str, fits: Callable[[_Bed], bool]
) -> None:
    await sign_in(pilot, case)
    await follow(pilot, "Patient index")
    await enter(pilot, "Name or MRN", case["name"].split()[-1])
    await pilot.press("enter")
    await pilot.click(f'tr:has-text("{case["born"]}"):has-text("{case["name"].split()[0]}") >> a')
    await follow(pilot, "Direct admission")
    free = await _free(pilot, lambda bed: fits(bed) and _suits(bed, precautions))
    await _take(pilot, free[-1].label)
    await enter(pilot, "Expected stay", str(case["stay_days"]))
    await mark(pilot, precautions)
    await mark(pilot, level)
    await choose(pilot, "Comes from", case["source_words"])
    await choose(pilot, "Consultant", case["consultant_words"])
    await enter(pilot, "Diagnosis", case["diagnosis"])
    await press(pilot, "Admit")
