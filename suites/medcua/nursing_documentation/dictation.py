"""What colleagues and patients tell: vital signs, volumes, events for a note, a wound."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from . import written

Values = dict[str, Any]


def vital_signs(chance: random.Random) -> Values:
    """Draw a full set; some thermometers show °F, some patients have oxygen or are newly confused."""
    ranges = written.ranges("ordinary")
    whole = {name: chance.randint(*map(int, ranges[name])) for name in ranges if name != "temp_c"}
    degrees = round(chance.uniform(36.4, 39.4), 1)
    fahrenheit = chance.random() < 0.5
    shown = round(degrees * 1.8 + 32, 1)
    stored = round((shown - 32) / 1.8, 1) if fahrenheit else degrees
    flow = chance.choice((None, None, 2, 3))
    state = chance.choice(("alert", "alert", "confused"))
    expected: Values = {
        **whole,
        "temp_c": stored,
        "oxygen": "oxygen" if flow else "air",
        "consciousness": state,
    }
    if flow:
        expected["oxygen_flow"] = float(flow)
    return {
        "expected": expected,
        "entry": {
            **{name: str(value) for name, value in whole.items()},
            "temp_c": f"{stored:.1f}",
            **({"oxygen_flow": str(flow)} if flow else {}),
        },
        "pills": {"oxygen": expected["oxygen"], "consciousness": state},
        "temperature": f"{shown} °F" if fahrenheit else f"{degrees} °C",
        "celsius": f"{stored:.1f}",
        "pulse": whole["heart_rate"],
        "breathing": whole["respiratory_rate"],
        "pressure": f"{whole['systolic']}/{whole['diastolic']}",
        "spo2": whole["spo2"],
        "air": f"on {flow} L/min of oxygen" if flow else "on room air",
        "oxygen_step": f"“Oxygen” with a flow of {flow}" if flow else "“Air”",
        "state": {"alert": "alert", "confused": "newly confused"}[state],
        "state_step": written.CONSCIOUSNESS[state],
        "pain": whole["pain"],
    }


def volumes(chance: random.Random) -> Values:
    """Draw what went in and out since the last round; cups have to be added up."""
    cup, cups = 10 * chance.randint(12, 20), chance.randint(2, 3)
    told = {
        "oral": cup * cups,
        "infusion": 25 * chance.randint(6, 18),
        "urine": 10 * chance.randint(26, 48) + chance.choice((0, 5)),
        "drain": 5 * chance.randint(8, 26),
    }
    return {
        "fluids": told,
        "cup": cup,
        "cups": {2: "two", 3: "three"}[cups],
        **{f"{kind}_ml": volume for kind, volume in told.items()},
    }


def event(chance: random.Random, kind: str, now: str) -> Values:
    """Draw what happened and how it is written down: `choices` and `texts` by field, and what `must` be named."""
    known: Mapping[str, Any] = chance.choice(written.load("words")[kind])
    drawn = _drawn(chance, known, now, later=kind == "handover")

    def filled(pattern: str) -> str:
        for name, value in drawn.items():
            pattern = pattern.replace(f"{{{name}}}", value)
        return pattern

    texts = {name: filled(known[name]) for name in known["must"]}
    must = {
        name: [[filled(word) for word in words] for words in groups] for name, groups in known["must"].items()
    }
    if kind == "note":
        story = filled(known["story"])
    else:
        facts = [filled(fact) for fact in chance.sample(known["facts"], len(known["facts"]))]
        story = "; ".join(facts)
    numbers = [*drawn.values(), *known["also"]]
    return {"story": story, "texts": texts, "must": must, "numbers": numbers, "focus": known.get("focus")}


def _drawn(chance: random.Random, known: Mapping[str, Any], now: str, *, later: bool) -> dict[str, str]:
    hour, minute = int(now[11:13]), int(now[14:16])
    clock = hour * 60 + minute
    first = clock - chance.randint(95, 130)
    second = clock + 5 * chance.randint(20, 30) if later else first + chance.randint(40, 70)
    values = {"t1": _time(first), "t2": _time(second)}
    for name in ("high", "low", "lab"):
        if name in known:
            low, high = known[name]
            values[name] = str(
                chance.randint(low, high) if isinstance(low, int) else round(chance.uniform(low, high), 1)
            )
    return values


def _time(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def rapid_call(chance: random.Random, now: str) -> Values:
    """Draw a call of the critical care team."""
    clock = int(now[11:13]) * 60 + int(now[14:16])
    called = clock - chance.randint(32, 55)
    arrived = called + chance.randint(4, 11)
    flow, bolus = chance.choice((10, 12, 15)), chance.choice((250, 500, 750))
    outcome = chance.choice(("Stays on the unit", "Moved to intensive care"))
    told = {
        "Stays on the unit": "the patient stays on the unit",
        "Moved to intensive care": "the patient was moved to intensive care",
    }
    times = {"called_at": _time(called), "arrived_at": _time(arrived)}
    return {
        "times": times,
        **times,
        "actions": f"Oxygen {flow} L/min by mask, {bolus} ml crystalloid bolus, blood gas taken.",
        "did": f"oxygen {flow} L/min by mask, a fluid bolus of {bolus} ml of crystalloid, and a blood gas",
        "must": {"actions": [[f"{flow}"], [f"{bolus}"], ["gas", "abg"]]},
        "numbers": [str(flow), str(bolus), *times.values()],
        "outcome": outcome,
        "outcome_told": told[outcome],
    }


def wound(chance: random.Random) -> Values:
    """Draw a pressure injury: place with side, size, stage as it is seen, exudate."""
    region = chance.choice(list(written.REGIONS))
    stage = chance.choice(list(written.STAGES))
    length, width = round(chance.uniform(2.6, 5.4), 1), round(chance.uniform(1.4, 2.5), 1)
    depth = None if stage == "unstageable" else {"stage_2": 0.2, "stage_3": 1.1, "stage_4": 2.4}[stage]
    depth = depth and round(depth + chance.choice((0, 0.1, 0.2)), 1)
    sizes = {"length_cm": length, "width_cm": width} | ({"depth_cm": depth} if depth else {})
    exudate = chance.choice(list(written.EXUDATES))
    side, part = region.split("_")
    return {
        "wound": {"region": region, "stage": stage, "exudate": exudate, **sizes},
        "sizes": {name: str(value) for name, value in sizes.items()},
        "region_words": written.REGIONS[region],
        "place": f"{side} {part}",
        "stage_words": written.STAGES[stage],
        "look": chance.choice(written.load("words")["wound"][stage]),
        "length": length,
        "width": width,
        "deep": f"{depth} cm deep" if depth else "of a depth that cannot be measured",
        "depth_step": f"Depth {depth}" if depth else "leave “Depth” empty",
        "exudate": exudate,
        "exudate_words": written.EXUDATES[exudate],
        "mirrored": f"{'right' if side == 'left' else 'left'}_{part}",
    }
