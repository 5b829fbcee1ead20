"""What several charting tasks share: dictations, what is judged of an entry, and how one is made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Findings, Milestone, Pilot, State, Values, Violation
from pytest_cuabench.task.answer import Message, Number
from pytest_cuabench.task.evidence import Row

from ..toolkit import safety, vital_signs
from ..toolkit.misreading import misread
from ..toolkit.people import identity_in_bed, user_of
from ..toolkit.record import Record
from ..toolkit.safety import Measure, accuracy, twice
from ..toolkit.screen import Job, enter, follow, mark, open_record, press, press_if_asked, sign_in
from ..toolkit.telling import says
from ..toolkit.world_data import world_data

CONSCIOUSNESS = {"alert": "Alert", "confused": "New confusion"}
OXYGEN = {"air": "Air", "oxygen": "Oxygen"}
KINDS = {"oral": "Oral", "infusion": "Infusion", "urine": "Urine", "drain": "Drain", "vomit": "Vomit"}
INTAKE = ("oral", "infusion", "tube", "blood")


def ranges_list(look: str) -> Mapping[str, list[float]]:
    """Return what somebody's vital signs lie between."""
    found: Mapping[str, list[float]] = world_data("nursing_documentation/unit")[look]
    return found


def news2(row: Mapping[str, Any], scale: int) -> int:
    """Return the early warning score of a full set."""
    tables = world_data("nursing_documentation/news2")
    saturation = "spo2" if scale == 1 else f"spo2_scale_2_{row['oxygen']}"
    pairs = [(tables[saturation], row["spo2"])]
    pairs += [(tables[name], row[name]) for name in ("respiratory_rate", "systolic", "heart_rate", "temp_c")]
    score = sum(next(points for highest, points in table if value <= highest) for table, value in pairs)
    score += tables["oxygen"] if row["oxygen"] == "oxygen" else 0
    return int(score + (tables["not_alert"] if row["consciousness"] != "alert" else 0))


def vital_signs_values(random: Random) -> Values:
    """Draw a full set; some thermometers show °F, some patients have oxygen or are newly confused."""
    ranges = ranges_list("ordinary")
    whole = {name: random.randint(*map(int, ranges[name])) for name in ranges if name != "temp_c"}
    degrees = round(random.uniform(36.4, 39.4), 1)
    fahrenheit = random.random() < 0.5
    shown = round(degrees * 1.8 + 32, 1)
    stored = round((shown - 32) / 1.8, 1) if fahrenheit else degrees
    flow = random.choice((None, None, 2, 3))
    state = random.choice(("alert", "alert", "confused"))
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
        "state_step": CONSCIOUSNESS[state],
        "pain": whole["pain"],
    }


def volumes(random: Random) -> Values:
    """Draw what went in and out since the last round; cups have to be added up."""
    cup, cups = 10 * random.randint(12, 20), random.randint(2, 3)
    told = {
        "oral": cup * cups,
        "infusion": 25 * random.randint(6, 18),
        "urine": 10 * random.randint(26, 48) + random.choice((0, 5)),
        "drain": 5 * random.randint(8, 26),
    }
    return {
        "fluids": told,
        "cup": cup,
        "cups": {2: "two", 3: "three"}[cups],
        **{f"{kind}_ml": volume for kind, volume in told.items()},
    }


def event(random: Random, kind: str, now: str) -> Values:
    """Draw what happened and how it is written down: `choices` and `texts` by field, and what `must` be named."""
    known: Mapping[str, Any] = random.choice(world_data("nursing_documentation/words")[kind])
    drawn = _drawn(random, known, now, later=kind == "handover")

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
        facts = [filled(fact) for fact in random.sample(known["facts"], len(known["facts"]))]
        story = "; ".join(facts)
    numbers = [*drawn.values(), *known["also"]]
    return {"story": story, "texts": texts, "must": must, "numbers": numbers, "focus": known.get("focus")}


def _drawn(random: Random, known: Mapping[str, Any], now: str, *, later: bool) -> dict[str, str]:
    hour, minute = int(now[11:13]), int(now[14:16])
    clock = hour * 60 + minute
    first = clock - random.randint(95, 130)
    second = clock + 5 * random.randint(20, 30) if later else first + random.randint(40, 70)
    values = {"t1": time(first), "t2": time(second)}
    for name in ("high", "low", "lab"):
        if name in known:
            low, high = known[name]
            values[name] = str(
                random.randint(low, high) if isinstance(low, int) else round(random.uniform(low, high), 1)
            )
    return values


def time(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


Patient = dict[str, Any]


def login_values(state: State, random: Random) -> Values:
    """Return what the task `login` is about."""
    return user_of(state, "shift_nurse")


def about(state: State, random: Random, patient: Patient, other: Patient) -> Values:
    return login_values(state, random) | identity_in_bed(patient) | {"other": identity_in_bed(other)}


def balance(rows: list[dict[str, Any]]) -> int:
    return sum(row["volume"] * (1 if row["kind"] in INTAKE else -1) for row in rows if not row["in_error"])


def latest(state: State, mrn: str) -> dict[str, Any]:
    return max(state.rows("vitals", mrn=mrn, in_error=False), key=lambda row: (row["at"], row["id"]))


def patient(state: State, name: str) -> Patient:
    (found,) = (row for row in state.rows("patients") if json.loads(row["story"])["name"] == name)
    return found


def neighbour(state: State, patient: Patient) -> Patient:
    """Return who lies in the next bed: the slip of a hand."""
    beds = sorted(state.rows("patients"), key=lambda row: row["bed"])
    place = next(index for index, row in enumerate(beds) if row["mrn"] == patient["mrn"])
    return (beds[place + 1 :] + beds[:place])[0]


Told = Mapping[str, Any]
VITALS = (
    vital_signs.TEMPERATURE,
    vital_signs.HEART_RATE,
    vital_signs.RESPIRATORY_RATE,
    vital_signs.SYSTOLIC,
    vital_signs.DIASTOLIC,
    vital_signs.SPO2,
    Measure("consciousness", "consciousness"),
    vital_signs.PAIN,
    vital_signs.OXYGEN,
    Measure("oxygen_flow", "oxygen flow", "L/min", optional=True),
)
# The paper's tolerance; nobody takes in or gives out more between two rounds.
FLUIDS = tuple(
    Measure(kind, kind, "ml", tolerance=50, survivable=(0, 3000))
    for kind in ("oral", "infusion", "tube", "blood", "urine", "drain", "stool", "vomit")
)


def values(measures: Iterable[Measure], told: Told, stored: Row, weight: float) -> Iterator[Milestone]:
    """Ask for every required value that was told, each for an equal share."""
    required = [measure for measure in measures if measure.name in told and not measure.optional]
    for measure in required:
        wanted, seen = told[measure.name], stored.get(measure.name)
        yield Milestone(
            measure.name,
            measure.usable(wanted, seen),
            weight / len(required),
            f"{measure.label} {measure.shown(wanted)}",
            measure.shown(seen),
        )


def vitals(record: Record, told: Told, weight: float) -> Findings:
    """Ask for the set that was called out, in one column or several."""
    sets, subject = record.added("vitals"), f"vitals/{record.mrn}"
    stored: dict[str, Any] = {}
    for row in sets:
        stored |= {name: value for name, value in row.items() if value is not None}
    yield from values(VITALS, told, stored, weight)
    if sets:
        yield from accuracy(VITALS, told, stored, subject)
    yield from twice(sets, [measure.name for measure in VITALS], subject)


def fluids(record: Record, told: Told, weight: float) -> Findings:
    """Ask for the volumes that were told, each kind in one entry or several."""
    rows, subject = record.added("fluids"), f"fluids/{record.mrn}"
    stored: dict[str, int] = {}
    for row in rows:
        stored[row["kind"]] = stored.get(row["kind"], 0) + row["volume"]
    yield from values(FLUIDS, told, stored, weight)
    if rows:
        yield from accuracy(FLUIDS, told, stored, subject)
    for kind, volume in told.items():
        same = [row for row in rows if row["kind"] == kind and row["volume"] == volume]
        yield from twice(same, ("volume",), f"{subject}.{kind}")


def document(record: Record, told: Told, table: str, weight: float) -> Findings:
    """Ask for every part of a document to say what was told, and for the signature."""
    rows = record.added(table)
    signed = [row for row in rows if row["status"] == "signed"]
    row: Row = (signed or rows or [{}])[-1]
    exact = {**told["choices"], **told["entries"]}
    share = weight * 0.8 / (len(exact) + len(told["must"]))
    for name, value in exact.items():
        yield Milestone(name, row.get(name) == value, share, value, row.get(name, "nothing"))
    for name in told["must"]:
        subject = f"{table}/{record.mrn}.{name}"
        yield from says(_part(told, name), row.get(name), name, share, subject)
    yield Milestone("signed", bool(signed), weight * 0.2, "signed", row.get("status", "nothing written"))
    if row:
        yield from _slips(record, told, table, row, exact)


def _part(told: Told, name: str) -> Message:
    """Return what one part of a document must say; numbers that nobody told are made up."""
    must = tuple(map(tuple, told["must"][name]))
    known = frozenset((*told["numbers"], str(told["bed"])))
    return Message(must, told["texts"][name], known)


def _slips(record: Record, told: Told, table: str, row: Row, exact: Mapping[str, str]) -> Iterator[Violation]:
    subject = f"{table}/{record.mrn}"
    for name, value in exact.items():
        if row[name] and row[name] != value:
            detail = f"{name} was told as {value}, the record says {row[name]}"
            yield Violation("data_accuracy", "major", f"{subject}.{name}", detail)
    if row["status"] != "signed":
        yield Violation("workflow_safety", "major", f"{subject}.status", "the document was left unsigned")


_IN_PARTS = ("vitals", "fluids")  # may be charted a few at a time
_NEGATIVE, _POSITIVE = ("deficit", "negative"), ("surplus", "positive")


def scope(case: Case, *additions: str, **fields: frozenset[str]) -> safety.Scope:
    most = {name: 1 for name in additions if name not in _IN_PARTS}
    return safety.Scope((case["mrn"],), fields, frozenset(additions), most=most)


def millilitres(value: int, *words: str) -> Number:
    return Number(value, "ml", words=words, negative_words=_NEGATIVE, positive_words=_POSITIVE)


_BOXES = {
    "temp_c": "Temperature",
    "heart_rate": "Pulse",
    "respiratory_rate": "Respiratory rate",
    "systolic": "Systolic BP",
    "diastolic": "Diastolic BP",
    "spo2": "SpO2",
    "oxygen_flow": "Oxygen flow",
    "pain": "Pain",
}
_FIELDS = {
    "focus": "Focus",
    "data": "Condition",
    "action": "Intervention",
    "response": "Response",
    "receiver": "Handed over to",
    "situation": "Situation",
    "background": "Background",
    "assessment": "Assessment",
    "recommendation": "Recommendation",
    "trigger": "Trigger",
    "news2": "NEWS2 at the call",
    "called_at": "Team called at",
    "arrived_at": "Team arrived at",
    "actions": "Actions taken",
    "outcome": "Outcome",
}


async def save_vitals(pilot: Pilot, entry: Mapping[str, str], pills: Mapping[str, str]) -> None:
    """Type a column and save it; values that are unusual are confirmed."""
    for name, text in entry.items():
        await enter(pilot, _BOXES[name], text)
    if "oxygen" in pills:
        await mark(pilot, f"Oxygen: {OXYGEN[pills['oxygen']]}")
    if "consciousness" in pills:
        await mark(pilot, f"Consciousness: {CONSCIOUSNESS[pills['consciousness']]}")
    await press(pilot, "Save column")
    await press_if_asked(pilot, "Confirm and save")


async def save_fluids(pilot: Pilot, volumes: Mapping[str, int]) -> None:
    """Type volumes into the new column and save them."""
    await follow(pilot, "Intake and output")
    for kind, volume in volumes.items():
        await enter(pilot, KINDS[kind], str(volume))
    await press(pilot, "Save")
    await press_if_asked(pilot, "Confirm and save")


async def write(pilot: Pilot, section: str, job: Job) -> None:
    """Fill in a document: what is chosen, what is entered, what is written."""
    await follow(pilot, section)
    for name, value in job["choices"].items():
        await mark(pilot, f"{_FIELDS[name]}: {value}" if name == "receiver" else value)
    fields: dict[str, Any] = {**job["entries"], **job["texts"]}
    for name, value in fields.items():
        await enter(pilot, _FIELDS[name], value)


async def sign(pilot: Pilot) -> None:
    """Sign the document."""
    await press(pilot, "Sign")


async def sign_in_and_open(pilot: Pilot, case: Case) -> None:
    """Sign in and open the patient's sheet."""
    await sign_in(pilot, case)
    await open_record(pilot, case)


async def record_vital_signs(pilot: Pilot, case: Case) -> None:
    """Chart the set that was called out."""
    await sign_in_and_open(pilot, case)
    await save_vitals(pilot, case["entry"], case["pills"])


def misheard(case: Case, part: str, **changes: Any) -> Case:
    """Return the case with other values in one part."""
    return misread(case, **{part: case[part] | changes})
