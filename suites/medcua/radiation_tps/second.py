"""Second solutions of the treatment planning system, written without a look at the checks."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Key, Type

from ..toolkit.screen import enter, follow, mark_in, press, tick


class _Directive(NamedTuple):
    """What the physician's directive in force asks for."""

    dose: str
    fractions: str
    norm: str
    technique: str
    count: str
    first: str
    energy: str
    collimator: str


async def _sign_in(pilot: Pilot, case: Case) -> None:
    """Use the keyboard only: the first field has the focus."""
    await pilot.read("#user_id")
    await pilot.act(Type(case["user_id"]), Key(("tab",)), Type(case["password"]), Key(("enter",)))


async def _open(pilot: Pilot, case: Case) -> None:
    """Find the patient by the search."""
    await _sign_in(pilot, case)
    await enter(pilot, "Search name or MRN", case["mrn"])
    await pilot.press("enter")
    await pilot.click(f'tr:has(td:text-is("{case["mrn"]}")) >> a')


async def _tab_through(pilot: Pilot, first: str, *texts: str) -> None:
    """Fill in fields that follow each other, from the first one on by the Tab key."""
    await enter(pilot, first, texts[0])
    await pilot.act(
        *(action for text in texts[1:] for action in (Key(("tab",)), Key(("ctrl", "a")), Type(text)))
    )


async def _directive(pilot: Pilot) -> _Directive:
    text = await pilot.read("article.directive-current >> p.text")
    if given := re.search(r"([\d.]+) Gy in (\d+) fractions", text):
        dose, fractions = given.groups()
    else:
        size = await pilot.read('aside.tree >> li:has(b:text-is("PTV")) >> small')
        across = int(size.split()[0])
        steps = re.findall(r"(?:up to|to) (\d+) mm (\d+) Gy", text)
        dose, fractions = next(gray for end, gray in steps if across <= int(end)), "1"
    beams = re.search(
        r"Normalised to ([^.]+)\. Technique (\w+), (\d+) equally spaced fields, "
        r"first gantry (\d+), ([^,]+), collimator (\d+)",
        text,
    )
    assert beams
    norm, technique, count, first, energy, collimator = beams.groups()
    technique = {"3DCRT": "3D conformal"}.get(technique, technique)
    return _Directive(dose, fractions, norm, technique, count, first, energy, collimator)


async def _prescribe(pilot: Pilot, asked: _Directive) -> None:
    """Choose the normalisation before the dose."""
    await follow(pilot, "Prescription")
    await mark_in(pilot, "Normalised to", asked.norm)
    await _tab_through(pilot, "Total dose", asked.dose, asked.fractions)
    await pilot.press("enter")


async def _arrange(pilot: Pilot, asked: _Directive) -> None:
    """Choose technique and energy before the numbers, and send them by the Enter key."""
    await follow(pilot, "Beams")
    await mark_in(pilot, "Technique", asked.technique)
    await mark_in(pilot, "Energy", asked.energy)
    await _tab_through(pilot, "Number of beams", asked.count, asked.first, asked.collimator)
    await pilot.press("enter")


async def _goals(pilot: Pilot) -> dict[tuple[str, str], tuple[bool, float]]:
    """Return the goals of the protocol: of a structure and a figure, whether it is a minimum, and the limit."""
    await follow(pilot, "Overview")
    rows = (await pilot.read('table[aria-label="Goals of the protocol"] >> tbody')).splitlines()
    cells = [[cell.strip() for cell in row.split("\t")] for row in rows]
    return {
        (name, figure): ("at least" in goal, float(re.findall(r"[\d.]+", goal)[0]))
        for name, figure, goal in cells
    }


async def _missed(pilot: Pilot, goals: dict[tuple[str, str], tuple[bool, float]]) -> list[str]:
    """Return the structures that miss a goal by the figures beside the histogram."""
    rows = (await pilot.read('table[aria-label="Figures"] >> tbody')).splitlines()
    missed = []
    for name, figure, shown in ([cell.strip() for cell in row.split("\t")] for row in rows):
        least, limit = goals[name, figure]
        value = float(shown.split()[0])
        if (value < limit if least else value > limit) and name not in missed:
            missed.append(name)
    return missed


async def _optimise(pilot: Pilot, goals: dict[tuple[str, str], tuple[bool, float]]) -> None:
    """Begin with the organs that are off, and give those that still miss a goal a high priority."""
    await follow(pilot, "Optimise")
    organs = dict.fromkeys(name for name, _ in goals if name != "PTV")
    for name in organs:
        if await pilot.sees(f'role=radiogroup[name="Priority {name}"] >> role=radio[name="Off"][checked]'):
            await mark_in(pilot, f"Priority {name}", "Normal")
    await press(pilot, "Optimise and compute dose")
    for _ in range(3):
        missed = await _missed(pilot, goals)
        if not missed:
            return
        await follow(pilot, "Optimise")
        for name in missed:
            if name in organs:
                await mark_in(pilot, f"Priority {name}", "High")
        await press(pilot, "Optimise and compute dose")


async def _approve(pilot: Pilot, case: Case) -> None:
    """Go through the form by keys from its first box to the end."""
    await follow(pilot, "Approval")
    await tick(pilot, "Patient and plan identity checked")
    await pilot.act(Key(("tab",)), Key(("space",)), Key(("tab",)), Key(("space",)))
    await pilot.act(Key(("tab",)), Type(case["second_id"]), Key(("tab",)), Type(case["second_password"]))
    await pilot.press("enter")


async def login(pilot: Pilot, case: Case) -> None:
    """Use the keyboard only."""
    await _sign_in(pilot, case)


async def view_patients(pilot: Pilot, case: Case) -> None:
    """Count the words in the table."""
    await _sign_in(pilot, case)
    rows = (await pilot.read('table[aria-label="Patients"] >> tbody')).splitlines()
    await pilot.answer(str(sum(row.split("\t")[-1].strip() == "Planning" for row in rows)))


async def open_patient(pilot: Pilot, case: Case) -> None:
    """Find the patient by the number, and leave the plan open at its beams."""
    await _open(pilot, case)
    await follow(pilot, "Beams")


async def view_structures(pilot: Pilot, case: Case) -> None:
    """Count beside the evaluation."""
    await _open(pilot, case)
    await follow(pilot, "Evaluate")
    await pilot.answer(str((await pilot.read('aside[aria-label="Structures"]')).count("not contoured")))


async def auto_contour(pilot: Pilot, case: Case) -> None:
    """Let the model contour one organ first, and then the others."""
    await _open(pilot, case)
    tree = await pilot.read('aside[aria-label="Structures"]')
    absent = re.findall(r"(\S[^\n]*?)\s+not contoured", tree)
    await follow(pilot, "Contours")
    model = {
        "pharyn": "Head and neck",
        "tonsil": "Head and neck",
        "tongue": "Head and neck",
        "lung": "Thorax",
        "prostate": "Male pelvis",
        "brain": "Brain",
    }
    region = next(name for word, name in model.items() if word in case["diagnosis"].lower())
    for names in (absent[-1:], absent[:-1]):
        if not names:
            continue
        await pilot.click('role=combobox[name="Model"]')
        await pilot.click(f'role=option >> text="{region}"')
        await press(pilot, "Load model")
        for name in names:
            await tick(pilot, name)
        await press(pilot, "Run auto-contouring")


async def set_prescription(pilot: Pilot, case: Case) -> None:
    """Choose the normalisation first, and save by the Enter key."""
    await _open(pilot, case)
    await _prescribe(pilot, await _directive(pilot))


async def configure_beams(pilot: Pilot, case: Case) -> None:
    """Choose technique and energy first, and send the numbers by the Enter key."""
    await _open(pilot, case)
    await _arrange(pilot, await _directive(pilot))


async def optimize_plan(pilot: Pilot, case: Case) -> None:
    """Begin with normal priorities, and raise those that do not suffice."""
    await _open(pilot, case)
    await _optimise(pilot, await _goals(pilot))


async def evaluate_dvh(pilot: Pilot, case: Case) -> None:
    """Compare figures and goals, and name the structures from the last to the first."""
    await _open(pilot, case)
    goals = await _goals(pilot)
    await follow(pilot, "Evaluate")
    await pilot.answer(", ".join(reversed(await _missed(pilot, goals))))


async def approve_plan(pilot: Pilot, case: Case) -> None:
    """Judge plan B first."""
    await _open(pilot, case)
    goals = await _goals(pilot)
    await follow(pilot, "Evaluate")
    for plan in ("Plan B", "Plan A"):
        await follow(pilot, plan)
        if not await _missed(pilot, goals):
            break
    await _approve(pilot, case)


async def srs_plan(pilot: Pilot, case: Case) -> None:
    """Arrange the beams before the prescription."""
    await _open(pilot, case)
    asked = await _directive(pilot)
    await _arrange(pilot, asked)
    await _prescribe(pilot, asked)
    await follow(pilot, "Optimise")
    await press(pilot, "Compute dose")


async def full_workflow(pilot: Pilot, case: Case) -> None:
    """Arrange the beams before the prescription."""
    await _open(pilot, case)
    asked, goals = await _directive(pilot), await _goals(pilot)
    await _arrange(pilot, asked)
    await _prescribe(pilot, asked)
    await _optimise(pilot, goals)
    await _approve(pilot, case)
    await press(pilot, "Export to treatment")
