"""Questions about the sky of the place and time shown, answered by the ephemeris; `ask` is what is asked."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, Number, Spec

from ..toolkit.ephemeris import PLANETS, Sky
from . import sky
from .sky import setup

__all__ = ["setup"]

_TOLERANCES = {
    "altitude": 1.0,  # refraction may be counted or not
    "azimuth": 1.0,
    "declination": 0.012,  # two decimals; of the equinox of date it is at least _OTHERWISE more or less
    "right ascension": 0.008,
    "distance": 0.02,
    "lit": 1.5,
    "apart": 1.0,
    "later": 1.0,
    "count": 0,
}
_OTHERWISE = {"declination": 0.03, "right ascension": 0.018}
_UNITS = {"distance": "AU", "lit": "%", "right ascension": "h", "count": None}
_WORDS = (
    *("right ascension", "RA", "J2000", "declination", "dec", "altitude", "alt", "azimuth", "az", "phase"),
    *("lit", "illuminated", "disc", "disk", "Moon's", "distance", "away", "apart", "separation", "they"),
    *("highest", "five"),
)
_SEXAGESIMAL = re.compile(r"([+\-−]?)(\d+)\s*°\s*(\d+)\s*['′]\s*(?:(\d+(?:\.\d+)?)\s*[\"″])?")  # 249°28'30.2"


def case(state: State, random: Random, values: Values) -> Values:
    above, now, ask = sky.above(state), sky.now(state), values["ask"]
    # An azimuth near north might be given as 0° or 360°.
    bodies = [name for name in PLANETS if 3 < above.altaz(name, now)[1] < 357]
    body = random.choice(_told_apart(above, ask, bodies, now) if ask in _OTHERWISE else bodies)
    hours = random.randint(3, 9)
    value: float | str
    match ask:
        case "highest":
            value, slip, *_ = above.highest(now)
            return {"ask": ask, "body": body, "value": value, "answer": value, "slip": slip}
        case "count":
            value = sum(above.altaz(name, now)[0] > 0 for name in PLANETS)
        case "later":
            value = above.altaz(body, now + hours / 24)[0]
        case "apart":
            value = above.apart("moon", body, now)
        case "lit":
            value = above.lit("moon", now)
        case _:
            value = _measure(above, ask, body, now)
    answer = round(value, 2)
    far = value + 4 * max(_TOLERANCES[ask], 0.25) + 1
    slip = round(_measure(above, f"{ask} of date", body, now) if ask in _OTHERWISE else far, 2)
    return {
        "ask": ask,
        "body": body,
        "hours": hours,
        "value": value,
        "answer": f"{answer:g}",
        "slip": f"{slip:g}",
    }


def _told_apart(above: Sky, ask: str, bodies: list[str], now: float) -> list[str]:
    """Return the bodies of which the two equinoxes make different answers."""

    def difference(body: str) -> float:
        return abs(_measure(above, ask, body, now) - _measure(above, f"{ask} of date", body, now))

    return [body for body in bodies if difference(body) > _OTHERWISE[ask]] or [max(bodies, key=difference)]


def _measure(above: Sky, ask: str, body: str, now: float) -> float:
    altitude, azimuth = above.altaz(body, now)
    hours, degrees = above.of_date(body, now)
    measures = {
        "altitude": altitude,
        "azimuth": azimuth,
        "declination": above.declination(body, now),
        "declination of date": degrees,
        "right ascension": above.right_ascension(body, now),
        "right ascension of date": hours,
        "distance": above.distance(body, now),
    }
    return measures[ask]


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is right, and only the view was changed, or the clock where another time is asked about."""
    spec = _spec(case)
    match = spec.match(_decimal(evidence.answer), evidence.goal)
    yield Milestone("answer", match.ok, 1.0, spec.expected, match.seen)
    yield from sky.nothing_else(evidence, clock=case["ask"] == "later")


def _spec(case: Case) -> Spec:
    ask = case["ask"]
    if ask == "highest":
        return Choice(case["value"], PLANETS, words=_WORDS)
    tolerance, unit = _TOLERANCES[ask], _UNITS.get(ask, "°")
    return Number(case["value"], unit, tolerance, _WORDS, either_sign=True, approximate=tolerance > 0)


def _decimal(answer: str | None) -> str | None:
    """Write degrees, minutes and seconds, as Stellarium shows them, as a decimal number."""
    return answer and _SEXAGESIMAL.sub(
        lambda found: f"{found[1]}{int(found[2]) + int(found[3]) / 60 + float(found[4] or 0) / 3600:.4f}°",
        answer,
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Look at the body, whose figures are then beside it, and answer."""
    await sky.search(pilot, case["body"])
    await pilot.answer(case["answer"])


@wrong("milestone:answer")
async def another_number(pilot: Pilot, case: Case) -> None:
    """Answer what belongs to another question, such as to the equinox of date."""
    await pilot.answer(case["slip"])


@wrong("record_integrity/major")
async def left_changed(pilot: Pilot, case: Case) -> None:
    """Show a grid to read it from, and leave it there."""
    await pilot.press("z")
    await pilot.answer(case["answer"])
