"""Have KeePassXC make one-time codes that are not the usual ones."""

from __future__ import annotations

from random import Random
from urllib.parse import parse_qs, urlsplit

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.agents.solution_steps import do

from ..toolkit.changes import misread, nothing_else
from .vault import SAVED, UNLOCK, choose, entry, setup, titles

__all__ = ["setup"]

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def case(state: State, random: Random) -> Values:
    title, other = random.sample(titles(state), 2)
    key = "".join(random.choices(_LETTERS, k=16))
    return {
        "title": title,
        "other": other,
        "key": key,
        "digits": "8",
        "step": random.choice(["15", "45", "60"]),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The entry has the secret, the number of digits and the time step."""
    row = entry(case["title"])
    stored = str(evidence.after.collections["entries"].get(row.partition("/")[2], {}).get("otp", ""))
    seen = {name: values[0] for name, values in parse_qs(urlsplit(stored).query).items()}
    for name, part in (("key", "secret"), ("digits", "digits"), ("step", "period")):
        yield Milestone(name, seen.get(part) == case[name], 1 / 3, case[name], str(seen.get(part)))
    yield from nothing_else(evidence, [f"{row}:otp", f"{row}:[Protected]", SAVED])


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the dialog for one-time codes; its own settings are reached with the tab key."""
    await do(pilot, UNLOCK)
    await pilot.click(f'table-cell[name="{case["title"]}"]')
    await choose(pilot, "Entries", "TOTP", "Set up TOTP…")
    await pilot.type(case["key"])
    await pilot.click('radio-button[name="Custom settings:"]')
    await pilot.press("tab", 2)
    await pilot.press("ctrl+a")
    await pilot.type(case["step"])
    await pilot.press("tab")
    await pilot.press("ctrl+a")
    await pilot.type(case["digits"])
    await pilot.click('dialog >> push-button[name="OK"]')
    await pilot.press("ctrl+s")


@wrong("milestone:digits")
async def left_six_digits(pilot: Pilot, case: Case) -> None:
    """The codes have as many digits as usual."""
    await solve(pilot, misread(case, digits="6"))


@wrong("milestone:key")
async def took_the_other_entry(pilot: Pilot, case: Case) -> None:
    """Another entry makes the codes."""
    await solve(pilot, misread(case, title=case["other"]))
