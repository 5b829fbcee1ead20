"""Second solutions of the nurse's station, written without a look at the checks."""

import re

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import choose, enter, follow, mark, press, sign_in, tick

_CONTAINERS = {
    "blood count|hba1c": "Purple cap",
    "coagulation": "Blue cap",
    "electrolytes|liver|crp": "Yellow cap",
    "glucose|lactate": "Grey cap",
    "urine": "Sterile cup",
}
_REASONS = {
    "does not want|refus": "Patient refused",
    "eat or drink|fasting|nil by mouth": "Patient nil by mouth",
    "doctor|prescriber|physician": "Held on prescriber's word",
    "pharmacy|stock|supply|deliver": "Medicine or material not available",
    "": "Patient not on the ward",
}
_FAMILIES = {
    "penicillin": "penicillin|cillin",
    "sulfonamides": "sulfa|co-trimoxazole",
    "aspirin": "aspirin|ibuprofen|naproxen|diclofenac",
    "ibuprofen": "aspirin|ibuprofen|naproxen|diclofenac",
}


async def login(pilot: Pilot, case: Case) -> None:
    """Sign in by keyboard, and look at the whole ward before returning to the own patients."""
    await pilot.fill('role=textbox[name="User ID"]', case["user_id"])
    await pilot.press("tab")
    await pilot.type(case["password"])
    await pilot.press("enter")
    await follow(pilot, "Whole ward")
    await follow(pilot, "My patients")


async def view_care_compass(pilot: Pilot, case: Case) -> None:
    """Take the rooms from the page of assignments, and count their cards on the view of the whole ward."""
    await sign_in(pilot, case)
    await follow(pilot, "Assignments")
    rooms = [row[1] for row in await _rows(pilot, "Assignments") if row[5] == case["nurse"]]
    await follow(pilot, "Overview")
    await follow(pilot, "Whole ward")
    cards = [await pilot.read(f'article[aria-label="Room {room}"]') for room in rooms]
    await pilot.answer(str(sum(" overdue" in card for card in cards)))


async def establish_relationship(pilot: Pilot, case: Case) -> None:
    """Establish one relationship after the other."""
    await sign_in(pilot, case)
    await _relate(pilot, case)


async def review_new_orders(pilot: Pilot, case: Case) -> None:
    """Acknowledge one order at a time, from the last one on."""
    await sign_in(pilot, case)
    await follow(pilot, "New orders")
    while mine := [row for row in await _rows(pilot, "New orders") if row[1] == case["room"]]:
        await pilot.click(_ticks(case["room"], len(mine) - 1))
        await press(pilot, "Acknowledge ticked orders")


async def complete_task(pilot: Pilot, case: Case) -> None:
    """Come from the medication record, and let the second nurse sign first."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"])
    await _give(pilot, case, f'tr:has-text("{case["due"]}"):has-text("{case["drug"]}") >> a')


async def chart_not_done(pilot: Pilot, case: Case) -> None:
    """Repeat in the comment what happened."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"])
    await follow(pilot, f"{case['due']} {case['title']}")
    await enter(pilot, "Comment (optional)", f"The patient {case['story']}.")
    await _not_done(pilot, case["story"])


async def specimen_collection(pilot: Pilot, case: Case) -> None:
    """Find the patient on the view of the whole ward, and choose the container before the label and the wristband."""
    await sign_in(pilot, case)
    await follow(pilot, "Whole ward")
    await _open(pilot, case["name"])
    await _collect(pilot, case, case["test"])


async def view_patient_snapshot(pilot: Pilot, case: Case) -> None:
    """Name the allergies from the last one on, in small letters."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"])
    await follow(pilot, "Snapshot")
    substances = [row[0].lower() for row in await _rows(pilot, "Allergies") if row[-1] == "Active"]
    facts = await pilot.read("h2:text-is('Mind') + dl")
    code, isolation = (re.search(rf"{name}\s+(.+)", facts) for name in ("Code status", "Isolation"))
    assert code is not None
    assert isolation is not None
    told = ", ".join(reversed(substances))
    await pilot.answer(
        f"Allergies: {told}; Code status: {code[1].lower()}; Isolation: {isolation[1].lower()}"
    )


async def handle_stat_order(pilot: Pilot, case: Case) -> None:
    """Compare the number in the chart before acknowledging, and give the medicine from the medication record."""
    await sign_in(pilot, case)
    await follow(pilot, "New orders")
    for row in await _rows(pilot, "New orders"):
        if "STAT" not in row[3]:
            continue
        await pilot.click(f'tr:has(td:text-is("{row[1]}")):has(.stat) >> role=link[name="{row[2]}"]')
        mine = case["mrn"] in await pilot.read("section.banner")
        await follow(pilot, "New orders")
        if mine:
            break
    await pilot.click(f'tr:has(td:text-is("{row[1]}")):has(.stat) >> role=checkbox')
    await press(pilot, "Acknowledge ticked orders")
    await follow(pilot, "Overview")
    await _open(pilot, row[2])
    drug = row[3].replace("STAT", "").split()[0]
    await _give(pilot, case, f'tr:has-text("{drug}"):has(.state-due, .state-overdue) >> a')


async def manage_overdue_tasks(pilot: Pilot, case: Case) -> None:
    """Settle the three from the medicine to the pain."""
    await sign_in(pilot, case)
    await _open(pilot, case["name"])
    await _task(pilot, case["title"])
    await _not_done(pilot, case["story"])
    await _observe(pilot, case)


async def batch_order_review(pilot: Pilot, case: Case) -> None:
    """Query first, with a note that names the allergy, and acknowledge the rest together."""
    await sign_in(pilot, case)
    await follow(pilot, "New orders")
    orders = await _rows(pilot, "New orders")
    allergies: dict[str, list[list[str]]] = {}
    for _, room, name, *_ in orders:
        if room not in allergies:
            await pilot.click(f'tr:has(td:text-is("{room}")) >> role=link[name="{name}"] >> nth=0')
            active = [row for row in await _rows(pilot, "Allergies") if row[-1] == "Active"]
            allergies[room] = active
            await follow(pilot, "New orders")
    against = [
        (place, allergy)
        for place, (_, room, _, text, *_) in enumerate(orders)
        for allergy in allergies[room]
        if re.search(_FAMILIES.get(allergy[0].lower(), re.escape(allergy[0].lower())), text.lower())
    ]
    assert len(against) == 1, (orders, allergies)
    place, (substance, reaction, _) = against[0]
    await pilot.click(f'table[aria-label="New orders"] >> tbody >> tr >> nth={place} >> a.button')
    await pilot.fill('role=textbox[name="Note (optional)"]', f"Allergy: {substance}, {reaction}")
    await choose(pilot, "What is to be asked", "Contradicts an allergy")
    await press(pilot, "Send query")
    await follow(pilot, "New orders")
    for row in range(len(orders) - 1):
        await pilot.click(f'table[aria-label="New orders"] >> tbody >> tr >> nth={row} >> role=checkbox')
    await press(pilot, "Acknowledge ticked orders")


async def full_shift_workflow(pilot: Pilot, case: Case) -> None:
    """Chart the rest from the call bell back to the pain."""
    await sign_in(pilot, case)
    await _relate(pilot, case)
    await follow(pilot, "New orders")
    order = f'tr:has(td:text-is("{case["room"]}")):has(.stat)'
    test = (await pilot.read(f"{order} >> td >> nth=3")).replace("STAT", "").strip()
    await pilot.click(f"{order} >> role=checkbox")
    await press(pilot, "Acknowledge ticked orders")
    await follow(pilot, "Overview")
    await _open(pilot, case["name"])
    await _collect(pilot, case, test.split()[0])
    await follow(pilot, "Timeline")
    await _task(pilot, "Show the call bell")
    await press(pilot, "Chart as done")
    await _observe(pilot, case)


async def _rows(pilot: Pilot, table: str) -> list[list[str]]:
    text = await pilot.read(f'table[aria-label="{table}"] >> tbody')
    return [[cell.strip() for cell in line.split("\t")] for line in text.splitlines() if "\t" in line]


async def _open(pilot: Pilot, name: str) -> None:
    shown = name if "," in name else "{1}, {0}".format(*name.split(" ", 1))
    await follow(pilot, shown)


def _ticks(room: str, place: int) -> str:
    return f'tr:has(td:text-is("{room}")) >> role=checkbox >> nth={place}'


async def _relate(pilot: Pilot, case: Case) -> None:
    await follow(pilot, "Assignments")
    for row in await _rows(pilot, "Assignments"):
        if row[5] == case["nurse"] and row[6] == "Missing":
            await tick(pilot, row[2])
            await mark(pilot, "Primary nurse")
            await press(pilot, "Establish relationship")


async def _task(pilot: Pilot, title: str) -> None:
    """Open the task of this title that is still to be done; of several the overdue one, or else the first."""
    await follow(pilot, "Timeline")
    for state in ("overdue", "due"):
        step = f'li.step.{state}:has-text("{title}") >> a >> nth=0'
        if await pilot.sees(step):
            await pilot.click(step)
            return


async def _not_done(pilot: Pilot, story: str) -> None:
    await choose(
        pilot, "Reason", next(reason for words, reason in _REASONS.items() if re.search(words, story))
    )
    await press(pilot, "Chart as not done")


async def _observe(pilot: Pilot, case: Case) -> None:
    await _task(pilot, "Reposition")
    await mark(pilot, case["side"].capitalize())
    await press(pilot, "Chart as done")
    await _task(pilot, "Pain reassessment")
    await enter(pilot, "Pain score", str(case["score"]))
    await pilot.press("enter")


async def _give(pilot: Pilot, case: Case, link: str) -> None:
    """Give what the title of the task says, from the medication record."""
    await follow(pilot, "Medication record")
    await pilot.click(link)
    title = await pilot.read("main h2 >> nth=0")
    ordered = re.search(r"([\d.]+) (?:mg|g|mL|ml|units|mmol|mcg)\b.* (oral|subcutaneous|intravenous)", title)
    assert ordered is not None, title
    await enter(pilot, "Second nurse user ID", case["second_user"])
    await pilot.press("tab")
    await pilot.type(case["second_password"])
    await mark(pilot, ordered[2].capitalize())
    await enter(pilot, "Dose given", ordered[1])
    await _identify(pilot, case)
    await press(pilot, "Give medicine")


async def _identify(pilot: Pilot, case: Case) -> None:
    await enter(pilot, "Date of birth on wristband", case["born"])
    await enter(pilot, "MRN on wristband", case["mrn"])


async def _collect(pilot: Pilot, case: Case, test: str) -> None:
    await pilot.click(f"li.step:has-text('{test}') >> a")
    container = next(each for words, each in _CONTAINERS.items() if re.search(words, test.lower()))
    await tick(pilot, "Labelled at the bedside")
    await mark(pilot, container)
    await _identify(pilot, case)
    await press(pilot, "Collect specimen")
