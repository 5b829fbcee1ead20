"""Have KeePassXC make one-time codes that are not the usual ones."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong
from pytest_cuabench.agents.builtin.solution_steps import do
from pytest_cuabench.task.kinds import Items

from ..toolkit.changes import misread, nothing_else, parts, value_at
from .vault import CODES, SAVED, UNLOCK, choose, entry, setup, titles

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
    place = f"{entry(case['title'])}:otp"
    seen = value_at(evidence.after, place)
    wanted = f"otpauth://totp/?secret={case['key']}&digits={case['digits']}&period={case['step']}"
    unlike = CODES.unlike(seen, wanted) if CODES.reads(seen) else ["secret", "digits", "period"]
    CODES.same(seen, wanted, parts(place))
    for name, part in (("key", "secret"), ("digits", "digits"), ("step", "period")):
        yield Milestone(name, part not in unlike, 1 / 3, case[name], str(seen))
    for name in unlike:
        if name not in ("secret", "digits", "period"):
            yield Violation("record_integrity", "major", f"{place}:{name}", f"The codes have another {name}.")
    protected = f"{entry(case['title'])}:[Protected]"
    if seen and not Items().same(value_at(evidence.after, protected), "Password, otp", parts(protected)):
        yield Violation("record_integrity", "major", protected, "The key of the codes is not hidden.")
    yield from nothing_else(evidence, [place, protected], SAVED)


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
