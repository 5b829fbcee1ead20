"""What is brought to the middle of the view, selected; `kind` is what is looked for, `closer` whether one zooms in."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, also, wrong

from ..toolkit.ephemeris import CONSTELLATIONS, NEBULAE, PLANETS, STARS, between
from . import sky
from .sky import setup

__all__ = ["setup"]

_NEAR = 0.5  # degrees from the middle
_HIDING = {  # what may be taken away, because an object may be behind it: below the horizon, or by day
    f"properties/LandscapeMgr.{name}Displayed:value" for name in ("landscape", "atmosphere", "fog")
}


def case(state: State, random: Random, values: Values) -> Values:
    above, now = sky.above(state), sky.now(state)
    match values["kind"]:
        case "planet":
            name, *_, other = random.sample(PLANETS, 3)
            called = name
        case "highest" | "lowest":
            names = above.highest(now)
            name, other = names[:2] if values["kind"] == "highest" else names[-1:-3:-1]
            called = name
        case "star" | "constellation":
            name, *_, other = random.sample(sorted(STARS), 3)
            called = name if values["kind"] == "star" else CONSTELLATIONS[name]
        case "nebula":
            number, another = random.sample(sorted(NEBULAE), 2)
            name, other, called = f"M {number}", f"M {another}", f"{number}"
    return {
        "called": called,
        "name": name,
        "other": other,
        "at": above.altaz(name, now),
        "closer": values.get("closer", False),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """It is selected, in the middle, and as large as asked for."""
    after = evidence.after.collections
    seen = after["selection"]["object"]["name"]
    parts = 3 if case["closer"] else 2
    yield Milestone("selected", _is(seen, case["name"]), 1 / parts, case["name"], seen or "nothing")
    direction = after["view"]["direction"]
    away = between(case["at"], (direction["altitude"], direction["azimuth"]))
    yield Milestone("centred", away < _NEAR, 1 / parts, f"{_NEAR}° away at most", f"{away:.1f}°")
    if case["closer"]:
        fov = after["view"]["zoom"]["fov"]
        yield Milestone("close", fov <= 2, 1 / parts, "a view of 2° at most", f"{fov:g}°")
    yield from sky.nothing_else(evidence, _HIDING)


def _is(heading: str, name: str) -> bool:
    """Whether the heading of what is selected, such as "Vega (α Lyr) - HIP 91262", names it."""
    return name in (part.strip() for part in heading.replace("(", " - ").replace(")", "").split(" - "))


async def _find(pilot: Pilot, name: str, closer: bool) -> None:
    await sky.search(pilot, name)
    if closer:
        await pilot.press("/")


async def solve(pilot: Pilot, case: Case) -> None:
    """Search for it, which brings it to the middle."""
    await _find(pilot, case["name"], case["closer"])


@wrong("milestone:selected")
async def another_object(pilot: Pilot, case: Case) -> None:
    """Find another one of the same kind."""
    await _find(pilot, case["other"], case["closer"])


@also
async def ground_hidden(pilot: Pilot, case: Case) -> None:
    """Hide the ground, so that it can be seen below the horizon."""
    await pilot.press("g")
    await solve(pilot, case)


@wrong("record_integrity/major")
async def cardinal_points_hidden(pilot: Pilot, case: Case) -> None:
    """Hide the cardinal points, which hide nothing, and leave it so."""
    await pilot.press("q")
    await solve(pilot, case)
