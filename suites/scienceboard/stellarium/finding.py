"""What is brought to the middle of the view, selected; `kind` is what is looked for, `closer` whether one zooms in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, also, wrong
from pytest_cuabench.task.kinds import Kind, Limit, Number
from pytest_cuabench.task.kinds.base import Spellings

from ..toolkit.ephemeris import CONSTELLATIONS, NEBULAE, PLANETS, STARS, between
from . import sky
from .sky import setup

__all__ = ["setup"]

_NEAR = 0.5  # degrees from the middle
_CLOSE = 2  # degrees of the view
_HIDING = {  # what may be taken away, because an object may be behind it: below the horizon, or by day
    ("properties", f"LandscapeMgr.{name}Displayed", "value") for name in ("landscape", "atmosphere", "fog")
}


class Heading(Kind):
    """The names of what is selected, such as `Vega (α Lyr) - HIP 91262`: any one of them will do."""

    def meaning(self, value: Any) -> frozenset[str]:
        names = re.split(r" - |[()]", str(value))
        return frozenset(name.strip() for name in names if name.strip())

    def equal(self, one: frozenset[str], other: frozenset[str]) -> bool:
        return bool(one & other)

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "a further name", f"{value} - another name"
        yield "behind another name", f"another name ({value.replace('(', '- ').replace(')', '')})"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield re.sub(r"\w+", lambda word: f"{word[0]}x", value)
        yield re.sub(r"(\w)(?=\W*($| - |[()]))", "", value)
        yield ""


@dataclass(frozen=True)
class Direction(Kind):
    """An altitude and an azimuth, half a degree away from the wanted ones at most."""

    def meaning(self, value: Any) -> tuple[float, float]:
        if isinstance(value, Mapping):
            value = (value.get("altitude"), value.get("azimuth"))
        altitude, azimuth = (Number().meaning(one) for one in value)
        return altitude, azimuth

    def equal(self, one: tuple[float, float], other: tuple[float, float]) -> bool:
        return between(one, other) < _NEAR

    def spellings(self, value: Mapping[str, Any], random: Random) -> Spellings:
        yield "a full turn more", {**value, "azimuth": value["azimuth"] + 360}
        yield "a little beside", {**value, "altitude": value["altitude"] + _NEAR / 4}

    def others(self, value: Mapping[str, Any], random: Random) -> Iterator[Mapping[str, Any]]:
        away = 3 * _NEAR * (1 if value["altitude"] < 0 else -1)
        yield {**value, "altitude": value["altitude"] + away}
        yield {**value, "azimuth": value["azimuth"] + 180}
        yield {"altitude": -value["altitude"] + away, "azimuth": value["azimuth"]}


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
    seen = after["selection"]["object"].get("name")
    parts = 3 if case["closer"] else 2
    selected = Heading().same(seen, case["name"], ("selection", "object", "name"))
    yield Milestone("selected", selected, 1 / parts, case["name"], seen or "nothing")
    direction = after["view"]["direction"]
    centred = Direction().same(direction, case["at"], ("view", "direction"))
    away = f"{direction['altitude']:.1f}°, {direction['azimuth']:.1f}°"
    yield Milestone("centred", centred, 1 / parts, f"{_NEAR}° away at most", away)
    if case["closer"]:
        fov = after["view"]["zoom"].get("fov")
        close = Limit(limit=_CLOSE).same(fov, _CLOSE, ("view", "zoom", "fov"))
        yield Milestone("close", close, 1 / parts, f"a view of {_CLOSE}° at most", f"{fov}°")
    yield from sky.nothing_else(evidence, open=_HIDING)


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
