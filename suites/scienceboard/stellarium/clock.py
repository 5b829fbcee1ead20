"""Where the clock of Stellarium is set to; `kind` tells how the goal names the moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import sky
from .ephemeris import PLANETS, full_moons
from .sky import setup

__all__ = ["setup"]

_DAY = 86400  # seconds
_ALLOWED = {"clock/time:jd"}


def case(state: State, random: Random, values: Values) -> Values:
    now = sky.now(state)
    start = sky.moment_of(now)
    near = 5.0  # seconds
    about, target = "", start
    match values["kind"]:
        case "days" | "weeks":
            count = random.choice((3, 4, 5, 6)) * random.choice((-1, 1))
            unit = values["kind"]
            about = f"{abs(count)} {unit} {'later' if count > 0 else 'earlier'}"
            target = start + timedelta(**{unit: count})
        case "date":
            target = start.replace(month=start.month % 12 + 1, day=random.randint(3, 25))
            about = f"{target:%-d %B %Y}"
        case "moment":
            target = start.replace(
                year=random.randint(2029, 2035),
                month=start.month % 12 + 1,
                day=random.randint(3, 25),
                hour=(start.hour + random.randint(2, 9)) % 24,
                minute=random.randint(1, 58),
                second=0,
            )
            about = f"{target:%-d %B %Y, %H:%M}:00"
        case "transit":
            above = sky.above(state)
            transits = {above.transit(name, now): name for name in random.sample(PLANETS, 2)}
            last = max(transits)  # not one that is there already
            about, target, near = transits[last], sky.moment_of(last), 180.0
        case "full_moon":
            day = random.choice(full_moons(now + 20, now + 400))
            target, near = sky.moment_of(day), _DAY / 2
            about = f"{target:%B %Y}"
    return {
        "about": about,
        "target": target.isoformat(),
        "near": near,
        "presses": _presses(values["kind"], start, target),
    }


def _presses(kind: str, start: datetime, target: datetime) -> tuple[str, int] | None:
    """Return the key that leads from one moment to another, and how often it is pressed."""
    keys = {"days": ("-", "="), "weeks": ("[", "]")}
    if kind not in keys:
        return None
    days = (target - start).days
    return keys[kind][days > 0], abs(days) // (7 if kind == "weeks" else 1)


def check(evidence: Evidence, case: Case) -> Findings:
    """The clock stands at the moment, and nothing else was changed."""
    clock = evidence.after.collections["clock"]["time"]
    off = abs(clock["jd"] - sky.day_of(datetime.fromisoformat(case["target"]))) * _DAY
    seen = f"{sky.moment_of(clock['jd'])}, {off:.0f} s off"
    yield Milestone(
        "moment", off <= case["near"], 1.0, f"{case['target']}, {case['near']:g} s off at most", seen
    )
    yield from sky.nothing_else(evidence, _ALLOWED)


async def solve(pilot: Pilot, case: Case) -> None:
    """Press the key, or enter the moment."""
    if case["presses"]:
        key, count = case["presses"]
        await pilot.press(key, repeat=count)
    else:
        await sky.set_clock(pilot, datetime.fromisoformat(case["target"]))


@wrong("milestone:moment")
async def a_day_late(pilot: Pilot, case: Case) -> None:
    """Take the day after, as by a slip in counting."""
    await solve(pilot, case)
    await pilot.press("=")


@wrong("record_integrity/major")
async def running_clock(pilot: Pilot, case: Case) -> None:
    """Set the moment, but let the clock run in the end."""
    await solve(pilot, case)
    await pilot.press("l")
