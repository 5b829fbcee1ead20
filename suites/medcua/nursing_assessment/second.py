"""Second solutions of the bedside assessments, written without a look at the checks.

What colleagues wrote is turned into points by the words that decide; what they do not mention comes from the history.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import follow, mark, press, sign_in, tick

Points = dict[str, int]
Words = Mapping[str, Mapping[str, int]]

BRADEN: Words = {
    "Sensory perception": {"groaning": 2, "moaning": 2, "cannot always tell": 3, "not always manage": 3},
    "Moisture": {
        "every single turn": 1,
        "each time": 1,
        "every shift": 2,
        "change of sheets per shift": 2,
        "one extra change": 3,
        "once more than usual": 3,
    },
    "Activity": {
        "leave the bed": 1,
        "in bed all day": 1,
        "own weight": 2,
        "two of us bring": 2,
        "short walks": 3,
        "short distances": 3,
    },
    "Mobility": {
        "lies exactly as placed": 1,
        "no change of position": 1,
        "manages a small shift": 2,
        "moves a little now and then": 2,
    },
    "Nutrition": {"half portions": 2, "about half": 2},
    "Friction and shear": {
        "foot end": 1,
        "again and again": 1,
        "slides down in the chair once in a while": 2,
        "little help to move up": 2,
    },
}
MORSE: Words = {
    "History of falling": {"found on the floor": 25},
    "Walking aid": {
        "furniture": 30,
        "table and wall": 30,
        "walking frame": 15,
        "crutches": 15,
        "cane": 15,
        "no aid": 0,
        "without any aid": 0,
        "no walking aid": 0,
    },
    "Gait": {
        "struggles out of the chair": 20,
        "cannot go a step": 20,
        "stooped": 10,
        "shuffles": 10,
        "gait counts as at bed rest": 0,
    },
    "Mental status": {
        "forgets": 15,
        "although it is not so": 15,
        "asks for help": 0,
        "knows well what is": 0,
    },
}
GCS: Words = {
    "Eye opening": {
        "by themselves": 4,
        "without being spoken to": 4,
        "called by name": 3,
        "addressed": 3,
        "finger tip": 2,
        "nail-bed": 2,
    },
    "Verbal response": {
        "tube": 0,
        "moans": 2,
        "groans": 2,
        "single words": 3,
        "words that can be understood": 3,
        "takes the ward for": 4,
        "gives the wrong": 4,
    },
    "Motor response": {
        "collarbone": 5,
        "slowly across the chest": 3,
        "pulls": 4,
        "when asked": 6,
        "on request": 6,
    },
}


def _points(text: str, words: Words) -> Points:
    found = {}
    for item, meanings in words.items():
        heard = [points for phrase, points in meanings.items() if phrase in text.lower()]
        if heard:
            found[item] = heard[0]
    return found


async def _note(pilot: Pilot, title: str) -> str:
    text = await pilot.read("aside.notes")
    return " ".join(re.findall(rf"{title} \d\d:\d\d.*\n+(.*)", text))


async def _open(pilot: Pilot, mrn: str) -> None:
    await pilot.click(f'article:has-text("MRN {mrn}") >> a.name')


async def _mark_points(pilot: Pilot, points: Points) -> None:
    for item, given in points.items():
        await pilot.click(f'input[aria-label="{item}: {given}"], input[aria-label^="{item}: {given} "]')


async def _last_points(pilot: Pilot, form: str) -> Points:
    """Read the newest row of the history that stands, and return to the empty form."""
    await follow(pilot, "History and trend")
    table = f'table[aria-label="{form} assessments"]'
    heads = (await pilot.read(f"{table} >> thead >> tr")).split("\t")
    row = (await pilot.read(f'{table} >> tr:has-text("Mark in error") >> nth=0')).split("\t")
    await follow(pilot, "New assessment")
    return {
        head.strip(): int(cell)
        for head, cell in zip(heads[3:-2], row[3:-2], strict=True)
        if cell.strip().isdigit()
    }


async def login(pilot: Pilot, case: Case) -> None:
    """Look into a chart after signing in, and return."""
    await sign_in(pilot, case)
    await pilot.click("article >> nth=0 >> a.name")
    await pilot.click("a.home")


async def view_assessment_dashboard(pilot: Pilot, case: Case) -> None:
    """Read the due times of every chart, from the last bed to the first, in place of the tiles."""
    await sign_in(pilot, case)
    late = []
    beds = re.findall(r"MRN (\d+)", await pilot.read(".cards"))
    for mrn in reversed(beds):
        await _open(pilot, mrn)
        bed = await pilot.read(".identity .bed")
        clock = datetime.strptime(await pilot.read(".clock"), "%d %b %Y %H:%M")
        for line in (await pilot.read('table[aria-label="Last signed assessments"] >> tbody')).splitlines():
            form, *_, due = (cell.strip() for cell in line.split("\t"))
            if due != "not scheduled" and datetime.strptime(due, "%d %b %Y %H:%M") < clock:
                late.append(f"Bed {bed} {form}")
        await pilot.click("a.home")
    await pilot.answer("; ".join(late))


async def read_braden_score(pilot: Pilot, case: Case) -> None:
    """Read the overview, after a look at the care plan."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await follow(pilot, "Care plan")
    await follow(pilot, "Overview")
    row = await pilot.read('table[aria-label="Last signed assessments"] >> tr:has-text("Braden")')
    _, total, band, *_ = (cell.strip() for cell in row.split("\t"))
    await pilot.answer(f"Total {total}, Class {band}")


async def complete_braden(pilot: Pilot, case: Case) -> None:
    """Keep a draft first and sign that; say that the condition has changed where the goal says so."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    points = _points(await _note(pilot, "Skin round"), BRADEN)
    await follow(pilot, "Braden")
    if "much weaker" in case.goal:
        await mark(pilot, "Change in condition")
    await _mark_points(pilot, dict(reversed(points.items())))
    await press(pilot, "Save draft")
    await press(pilot, "Sign assessment")


async def complete_morse(pilot: Pilot, case: Case) -> None:
    """Fill in from the last row to the first, by arrow keys from the first option of each."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    facts = await pilot.read("section.identity")
    known = await pilot.read("dl.known")
    points = _points(await _note(pilot, "Mobility round"), MORSE) | {
        "History of falling": 25 if re.search(r"(?i)\bfell\b|falls at home", known) else 0,
        "Secondary diagnosis": 0 if re.search(r"Further diagnoses\s+None", facts) else 15,
        "Infusion or lock": 0 if re.search(r"Venous access\s+None", known) else 20,
    }
    await follow(pilot, "Morse")
    for item, given in reversed(points.items()):
        await pilot.click(f'input[aria-label^="{item}: 0 "]')
        steps = given // {"Gait": 10, "Walking aid": 15}.get(item, max(given, 1))
        if steps:
            await pilot.press("right", steps)
    await press(pilot, "Sign assessment")


async def assess_gcs(pilot: Pilot, case: Case) -> None:
    """Fill in the pupils before the scale."""
    await sign_in(pilot, case)
    await pilot.click(f'article:has-text("MRN {case["mrn"]}") >> a:has-text("GCS")')
    for side, size, reaction in re.findall(
        r"(right|left) (\d) mm with (?:a |an )?(\w+) reaction", case["pupils"]
    ):
        word = "Absent" if reaction == "no" else reaction.capitalize()
        await mark(pilot, f"{side.capitalize()} pupil size {size}")
        await mark(pilot, f"{side.capitalize()} pupil reaction {word}")
    for item, said in zip(GCS, (case["eye"], case["verbal"], case["motor"]), strict=True):
        await _mark_gcs(pilot, item, _points(said, {item: GCS[item]})[item])
    await press(pilot, "Sign assessment")


async def _mark_gcs(pilot: Pilot, item: str, points: int) -> None:
    await pilot.click(f'input[aria-label^="{item}: {points or "NT"} "]')


async def assess_pain(pilot: Pilot, case: Case) -> None:
    """Choose kind and place first, and come from the patient's overview."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await follow(pilot, "Pain")
    await mark(pilot, f"Quality {case['kind'].capitalize()}")
    await mark(pilot, f"Location {case['where'].capitalize()}")
    await _mark_points(pilot, {"On movement": case["movement"], "At rest": case["rest"]})
    await press(pilot, "Sign assessment")


async def nutrition_screen(pilot: Pilot, case: Case) -> None:
    """Take the weights from the overview, and fill in the steps backwards."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    page = await pilot.read('table[aria-label="Weights"]')
    height = int((await pilot.read("text=/Height \\d+ cm/")).split()[1]) / 100
    weights = [
        (datetime.strptime(at, "%d %b %Y %H:%M"), float(kg))
        for at, kg in re.findall(r"(\d\d \w+ \d{4} \d\d:\d\d)\s+([\d.]+) kg(?!.*error)", page)
    ]
    (today, now), *earlier = weights
    before = next(kg for at, kg in earlier if 85 <= (today - at).days <= 190)
    index, loss = now / height**2, (before - now) / before * 100
    ill = re.search(r"(?i)nothing (by mouth )?for", await _note(pilot, "Nutrition")) is not None
    await follow(pilot, "MUST")
    await _mark_points(
        pilot,
        {
            "Acute disease effect": 2 if ill else 0,
            "Weight loss": 2 if loss > 10 else 1 if loss >= 5 else 0,
            "Body mass index": 2 if index < 18.5 else 1 if index <= 20 else 0,
        },
    )
    await press(pilot, "Sign assessment")


async def _protocol(pilot: Pilot, band: str) -> list[str]:
    lines = [line.strip() for line in (await pilot.read('dl[aria-label="Ward protocol"]')).splitlines()]
    after = [line for line in lines[lines.index(band) + 1 :] if line]
    return after[0].split("; ")


async def _start(pilot: Pilot, measures: Iterable[str]) -> None:
    for measure in measures:
        await tick(pilot, measure)
    await press(pilot, "Start selected measures")


async def high_risk_intervention(pilot: Pilot, case: Case) -> None:
    """Look at what runs in the overviews, and start the measures in two batches, the last of the protocol first."""
    await sign_in(pilot, case)
    cards = re.findall(r"MRN (\d+)[\s\S]*?Braden\s+(\d+)", await pilot.read(".cards"))
    for mrn in (mrn for mrn, total in cards if 10 <= int(total) <= 12):
        await _open(pilot, mrn)
        await follow(pilot, "Care plan")
        wanted = await _protocol(pilot, "High risk")
        if not await pilot.sees("li.measure.on >> nth=0"):
            await _start(pilot, reversed(wanted[2:]))
            await _start(pilot, wanted[:2])
            break
        await pilot.click("a.home")
    await pilot.answer(await pilot.read(".identity .bed"))


async def post_fall_reassessment(pilot: Pilot, case: Case) -> None:
    """Morse before Braden, each filled in afresh from the history and the notes."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    skin, mobility = (
        await _note(pilot, "After the fall: skin"),
        await _note(pilot, "After the fall: mobility"),
    )
    total = {}
    for form, said in (("Morse", _points(mobility, MORSE)), ("Braden", _points(skin, BRADEN))):
        await follow(pilot, form)
        points = await _last_points(pilot, form) | said
        if form == "Morse":
            points["History of falling"] = 25
        total[form] = sum(points.values())
        await _mark_points(pilot, points)
        await mark(pilot, "After a fall")
        await press(pilot, "Sign assessment")
    await pilot.answer(f"Braden {total['Braden']}, Morse {total['Morse']}")


def _said(text: str, form: str) -> Points:
    if form == "Pain":
        rest, movement = re.findall(r"(\d+) of 10", text)
        return {"At rest": int(rest), "On movement": int(movement)}
    return _points(text, BRADEN if form == "Braden" else MORSE)


async def _reassess(pilot: Pilot, form: str, note: str) -> None:
    """Carry the last values forward, and change what the note says."""
    await follow(pilot, form)
    await pilot.click("a.carry")
    await _mark_points(pilot, _said(await _note(pilot, note), form))
    await press(pilot, "Sign assessment")


async def multi_assessment(pilot: Pilot, case: Case) -> None:
    """The second patient first, and pain before the other form."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn_2"])
    await _reassess(pilot, "Pain", "Pain round")
    await _reassess(pilot, "Morse", "Mobility round")
    await pilot.click("a.home")
    await _open(pilot, case["mrn_1"])
    await _reassess(pilot, "Pain", "Pain round")
    await _reassess(pilot, "Braden", "Skin round")


async def reassessment_bundle(pilot: Pilot, case: Case) -> None:
    """Pain, Morse and Braden in this order, and the plan with what the overview does not show as running."""
    await sign_in(pilot, case)
    await _open(pilot, case["mrn"])
    await _reassess(pilot, "Pain", "Pain round")
    await _reassess(pilot, "Morse", "Mobility round")
    await _reassess(pilot, "Braden", "Skin round")
    band = (await pilot.read('table[aria-label="Braden assessments"] >> tr >> nth=1')).split("\t")[2].strip()
    await follow(pilot, "Care plan")
    running = await pilot.read("ul.measures")
    wanted = await _protocol(pilot, band)
    await _start(pilot, [one for one in wanted if f"{one} runs" not in re.sub(r"\s+", " ", running)])
