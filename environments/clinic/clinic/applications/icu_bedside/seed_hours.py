"""Writes what is charted hour by hour: observations and fluids."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from clinic import clock

if TYPE_CHECKING:
    from clinic.applications.icu_bedside.unit import Unit

NOISE = {"heart_rate": 4, "spo2": 1, "respiratory_rate": 2, "abp_mean": 4}
# What happened to `weaning`: baseline, what went beyond the limit, and the one extreme.
EPISODES: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[int, int]]] = {
    "abp_mean": ((72, 84), (59, 64), (52, 57)),
    "spo2": ((93, 96), (89, 91), (84, 87)),
    "heart_rate": ((82, 98), (112, 119), (122, 130)),
}
ARTEFACT = {"abp_mean": 31, "spo2": 71, "heart_rate": 168}
FAR_HOURS = range(13, 22)
NEAR_HOURS = range(1, 12)
KINDS = {"postop": ("iv_fluid", "iv_drugs", "oral", "urine", "drain")}
USUAL_KINDS = ("iv_fluid", "iv_drugs", "enteral", "urine", "gastric")


def observations(
    unit: Unit, stream: random.Random, story: str, facts: dict[str, Any], mrn: str, numerics: dict[str, Any]
) -> None:
    """Write a row for each full hour of the last day."""
    last = unit.now.replace(minute=0)
    hours = {hour: _around(stream, facts, numerics) for hour in range(24)}
    if story == "weaning":
        _episodes(stream, hours)
        _observe(unit, stream, mrn, last - timedelta(hours=12), hours[12] | ARTEFACT, in_error=True)
    for hour, values in hours.items():
        _observe(unit, stream, mrn, last - timedelta(hours=hour), values)


def _around(stream: random.Random, facts: dict[str, Any], numerics: dict[str, Any]) -> dict[str, Any]:
    usual = numerics | ({"abp_mean": stream.randint(*facts["usual_map"])} if "usual_map" in facts else {})
    values: dict[str, Any] = {name: usual[name] + stream.randint(-off, off) for name, off in NOISE.items()}
    values["spo2"] = min(100, values["spo2"])
    values["temp_c"] = round(usual["temp_c"] + stream.uniform(-0.3, 0.3), 1)
    return values


def _episodes(stream: random.Random, hours: dict[int, dict[str, Any]]) -> None:
    """Let each parameter go beyond its limit in some hours, and farthest in one of them."""
    for name, (usual, beyond, extreme) in EPISODES.items():
        for values in hours.values():
            values[name] = stream.randint(*usual)
        worst, *others = stream.sample(FAR_HOURS, stream.randint(2, 4))
        for hour in (*others, *stream.sample(NEAR_HOURS, stream.randint(1, 3))):
            hours[hour][name] = stream.randint(*beyond)
        hours[worst][name] = stream.randint(*extreme)


def _observe(
    unit: Unit, stream: random.Random, mrn: str, at: datetime, values: dict[str, Any], in_error: bool = False
) -> None:
    unit.insert(
        "observations",
        mrn=mrn,
        at=clock.text(at),
        charted_by=unit.nurse(stream),
        in_error=in_error,
        **values,
    )


def fluids(unit: Unit, stream: random.Random, story: str, mrn: str) -> None:
    """Write intake and output of two shifts; none near the edge of the last 24 hours, which moves."""
    kinds = unit.load("fluids")["kinds"]
    wrong = stream.randint(2, 5)
    level = 0
    for place, hours in enumerate(range(22, 0, -2)):
        for kind in stream.sample(KINDS.get(story, USUAL_KINDS), stream.randint(2, 3)):
            at = unit.now - timedelta(hours=hours, minutes=stream.randint(-25, 25))
            ml = round(stream.randint(*kinds[kind]["usual"]) / 5) * 5
            level += ml if kind == "drain" else 0
            comment = f"Chamber at {level} mL" if kind == "drain" else ""
            _fluid(unit, stream, mrn, at, kind, ml, comment)
        if place == wrong and story in ("postop", "weaning"):
            at = unit.now - timedelta(hours=hours, minutes=stream.randint(-25, 25))
            _fluid(unit, stream, mrn, at, "urine", stream.choice((1250, 1450, 1850)), "", in_error=True)
    if story == "postop":
        last = 5 * stream.randint(3, 9)
        _fluid(
            unit,
            stream,
            mrn,
            unit.now - timedelta(minutes=75),
            "drain",
            last,
            f"Chamber at {level + last} mL",
        )


def _fluid(
    unit: Unit,
    stream: random.Random,
    mrn: str,
    at: datetime,
    kind: str,
    ml: int,
    comment: str,
    in_error: bool = False,
) -> None:
    unit.insert(
        "fluids",
        mrn=mrn,
        at=clock.text(at),
        direction=unit.load("fluids")["kinds"][kind]["direction"],
        kind=kind,
        ml=ml,
        comment=comment,
        charted_by=unit.nurse(stream),
        in_error=in_error,
    )
