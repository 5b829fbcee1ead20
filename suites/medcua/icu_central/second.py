"""Second solutions of the central station, written without a look at the checks."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import NamedTuple

from pytest_cuabench import Case, Pilot

from ..toolkit.screen import choose, enter, follow, mark, press, sign_in, tick


class _Line(NamedTuple):
    priority: str
    bed: str
    patient: str
    label: str
    value: str
    since: str
    cause: str
    state: str

    @property
    def link(self) -> str:
        return f"Open Bed {self.bed} {self.label}"


def _listed(name: str) -> str:
    given, family = name.split(" ", 1)
    return f"{family}, {given}"


async def _open_bed(pilot: Pilot, case: Case) -> None:
    """Open a patient's bed from the curves of the unit."""
    await follow(pilot, "Unit trends")
    await pilot.click(f'section.spark:has(span.name:text-is("{_listed(case["name"])}")) >> a')
    assert case["mrn"] in await pilot.read("section.banner")


async def _alarms(pilot: Pilot) -> list[_Line]:
    await follow(pilot, "Alarm list")
    rows = (await pilot.read('table[aria-label="Alarms"] >> tbody')).splitlines()
    return [_Line(*(cell.strip() for cell in row.split("\t")[:8])) for row in rows if row.count("\t") > 6]


async def login(pilot: Pilot, case: Case) -> None:
    """Look at the policy after signing in, and return."""
    await sign_in(pilot, case)
    await follow(pilot, "Alarm policy")
    await follow(pilot, "All beds")


async def view_overview(pilot: Pilot, case: Case) -> None:
    """Read the alarm list, and name the beds from the last to the first."""
    await sign_in(pilot, case)
    beds = {
        int(line.bed) for line in await _alarms(pilot) if (line.priority, line.cause) == ("High", "Present")
    }
    await pilot.answer(", ".join(f"Bed {bed}" for bed in sorted(beds, reverse=True)))


async def read_vitals(pilot: Pilot, case: Case) -> None:
    """Read the sector of all beds, after opening the bed only to compare the number."""
    await sign_in(pilot, case)
    await _open_bed(pilot, case)
    await follow(pilot, "All beds")
    name = _listed(case["name"])
    figures = await pilot.read(f'section.sector:has(span.name:text-is("{name}")) >> .figures')
    rate, spo2, upper, lower, _, breaths = re.findall(r"(?<![A-Za-z])\d+", figures)
    await pilot.answer(f"HR {rate}, SpO2 {spo2} %, ABP {upper}/{lower}, RR {breaths}")


async def view_alarm_list(pilot: Pilot, case: Case) -> None:
    """Count in the whole list, without the filter."""
    await sign_in(pilot, case)
    await pilot.answer(str(sum("Not acknowledged" in line.state for line in await _alarms(pilot))))


async def acknowledge_alarm(pilot: Pilot, case: Case) -> None:
    """Come from the bed, and write the note a second time after a slip."""
    await sign_in(pilot, case)
    await _open_bed(pilot, case)
    await pilot.click(f'ul.mine >> a:text-is("{case["label"]}")')
    await enter(pilot, "Note (optional)", "Nurse")
    await enter(pilot, "Note (optional)", case["note"])
    await press(pilot, "Acknowledge alarm")


async def _ordered(pilot: Pilot) -> list[tuple[str, str, str]]:
    """Return the limits of the order that is not discontinued."""
    lines = (await pilot.read(".order:not(.gone) >> tbody")).splitlines()
    return [(name, low, high) for name, low, high in (line.split("\t") for line in lines)]


async def set_thresholds(pilot: Pilot, case: Case) -> None:
    """Save parameter by parameter, the upper limit first."""
    await sign_in(pilot, case)
    await _open_bed(pilot, case)
    await follow(pilot, "Patient")
    limits = await _ordered(pilot)
    await follow(pilot, "Limits")
    for name, low, high in reversed(limits):
        await enter(pilot, f"{name} high", high)
        await enter(pilot, f"{name} low", low)
        await press(pilot, "Save limits")


async def silence_alarm_safely(pilot: Pilot, case: Case) -> None:
    """Come from the bed, choose the reason by keys, and correct the duration once."""
    await sign_in(pilot, case)
    await _open_bed(pilot, case)
    await pilot.click(f'ul.mine >> a:text-is("{case["label"]}")')
    reason = next(
        option
        for word, option in {
            "suction": "Suctioning",
            "blood": "Blood sampling",
            "turn": "Turning or washing",
            "wash": "Turning or washing",
            "examin": "Examination at the bedside",
        }.items()
        if word in case["told"]
    )
    await pilot.click('role=combobox[name="Reason"]')
    await pilot.press(reason[0].lower())
    await pilot.press("enter")
    await mark(pilot, "5 min")
    await mark(pilot, case["spoken_minutes"].split()[0] + " min")
    await press(pilot, "Pause sound")


async def view_trend(pilot: Pilot, case: Case) -> None:
    """Look at the table first, choose the window before the parameter, and answer in a sentence if that is open."""
    await sign_in(pilot, case)
    await _open_bed(pilot, case)
    await follow(pilot, "Trends")
    await follow(pilot, "Table")
    await follow(pilot, f"{case['hours']} h")
    await follow(pilot, "Graph")
    await follow(pilot, case["parameter_words"])
    label = case["extreme"].capitalize()
    value = await pilot.read(f'dl.statistics >> div:has(dt:text-is("{label}")) >> dd >> nth=0')
    unit = {"HR": "/min", "SpO2": "%", "RR": "/min", "ABP mean": "mmHg", "Temp": "°C"}[
        case["parameter_words"]
    ]
    only = "only" in case.goal.split("password is")[1]
    words = f"The {case['extreme']} {case['parameter_words']} was "
    await pilot.answer(f"{'' if only else words}{value} {unit}")


async def critical_alarm_response(pilot: Pilot, case: Case) -> None:
    """Read the policy before all, and take the present value from the sector of all beds."""
    await sign_in(pilot, case)
    alarm = next(
        line for line in await _alarms(pilot) if line.priority == "High" and "Not acknowledged" in line.state
    )
    await follow(pilot, "Alarm policy")
    rule = await pilot.read(f'table[aria-label="Crisis alarms"] >> tr:has-text("{alarm.label}")')
    await follow(pilot, "All beds")
    await follow(pilot, f"Bed {alarm.bed}")
    await pilot.click(f'ul.mine >> a:text-is("{alarm.label}")')
    await enter(pilot, "Note (optional)", case["note"])
    await press(pilot, "Acknowledge alarm")
    await follow(pilot, "All beds")
    await follow(pilot, f"Bed {alarm.bed}")
    await follow(pilot, "Patient")
    await enter(pilot, "Message", case["message"])
    await choose(pilot, "Recipient", rule.split("\t")[-1].strip())
    await press(pilot, "Send page")
    await follow(pilot, "All beds")
    sector = f'section[aria-label="Sector {alarm.bed}"] >> .figures'
    rate, spo2, _, _, mean, _ = re.findall(r"(?<![A-Za-z])\d+", await pilot.read(sector))
    now = {
        "Desaturation": f"SpO2 is {spo2} % now",
        "Extreme bradycardia": f"HR is {rate}/min now",
        "Extreme tachycardia": f"HR is {rate}/min now",
        "Extreme hypotension": f"ABP mean is {mean} mmHg now",
    }
    await pilot.answer(now[alarm.label])


async def trend_deterioration_report(pilot: Pilot, case: Case) -> None:
    """Exclude by the alarm list first; the largest fall that is left has to go down all the time."""
    await sign_in(pilot, case)
    alarmed = {line.bed for line in await _alarms(pilot)}
    await follow(pilot, "Unit trends")
    await follow(pilot, "12 h")
    await follow(pilot, "SpO2")
    shown = re.findall(r"Bed (\d+)[\s\S]*?\d\d:\d\d\s+(\d+)\s*\d\d:\d\d\s+(\d+)", await pilot.read(".sparks"))
    quiet = [(int(before) - int(now), bed, before, now) for bed, before, now in shown if bed not in alarmed]
    _, bed, before, now = max(quiet)
    await follow(pilot, f"Bed {bed}")
    await follow(pilot, "Patient")
    await enter(
        pilot, "Message", f"Bed {bed}: SpO2 fell from {before} to {now} % in 12 h, please see the patient."
    )
    await choose(pilot, "Recipient", "ICU physician")
    await press(pilot, "Send page")
    await pilot.answer(f"Bed {bed}, SpO2 before {before} %, SpO2 now {now} %")


async def multi_bed_monitoring(pilot: Pilot, case: Case) -> None:
    """Acknowledge on the page of each alarm; those of medium priority from the oldest to the newest."""
    await sign_in(pilot, case)
    due = [
        line
        for line in await _alarms(pilot)
        if line.cause == "Present" and "Not acknowledged" in line.state and line.priority != "Low"
    ]
    due.sort(key=lambda line: (line.priority == "Medium", line.since))
    for line in due:
        await follow(pilot, line.link)
        await press(pilot, "Acknowledge alarm")
        await follow(pilot, "Alarm list")


async def admit_new_patient(pilot: Pilot, case: Case) -> None:
    """Fill in the admission from the last field to the first, and save the limits by the Enter key."""
    await sign_in(pilot, case)
    await pilot.click('section.sector:has-text("Press to admit") >> a')
    await pilot.click(f'li:has-text("MRN {case["mrn"]}") >> a')
    facts = await pilot.read("section.panel:has(dt:text-is('Pacemaker')) >> dl.facts")
    limits = await _ordered(pilot)
    born = datetime.strptime(case["born"], "%d %B %Y").date()
    today = datetime.strptime((await pilot.read(".clock"))[:11], "%d %b %Y").date()
    await tick(pilot, "Identity band checked (name and date of birth)")
    await mark(pilot, "Yes" if "Yes, implanted" in facts else "No")
    await mark(pilot, case["profile_words"])
    await mark(pilot, _age_class(born, today))
    await press(pilot, "Admit patient")
    await follow(pilot, "Limits")
    for name, low, high in limits:
        await enter(pilot, f"{name} low", low)
        await enter(pilot, f"{name} high", high)
    await pilot.press("enter")


def _age_class(born: date, today: date) -> str:
    if (today - born).days <= 28:
        return "Neonatal"
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    return "Paediatric" if years < 18 else "Adult"
