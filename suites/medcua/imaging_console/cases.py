"""What each task is about on a given seed: whose examination, and with which values."""

from __future__ import annotations

import random
from typing import Any

from pytest_cuabench.evidence import State

from . import site

Values = dict[str, Any]
_MARGIN = 10  # mm on either side of what a protocol covers


def login(state: State, chance: random.Random) -> Values:
    """Sign in at the console."""
    user = state.row("users", role="technologist")
    return {"user_id": user["user_id"], "password": user["password"], "technologist": user["name"]}


def view_worklist(state: State, chance: random.Random) -> Values:
    """Count what the CT scanner still has to do."""
    orders = state.rows("orders")
    pending = [row for row in orders if row["status"] == "scheduled"]
    return login(state, chance) | {
        "pending": sum(row["modality"] == "CT" for row in pending),
        "both_scanners": len(pending),
        "any_status": sum(row["modality"] == "CT" for row in orders),
        "other": _identity(state, "arrival"),
    }


def load_patient(state: State, chance: random.Random) -> Values:
    """Register somebody who has a namesake, and an order on the other scanner too."""
    second = state.row("orders", part="second")
    values = _about(state, chance, "arrival", "namesake")
    return values | {"second": {"link": f"{values['name_turned']}, MR", "accession": second["accession"]}}


def select_protocol(state: State, chance: random.Random) -> Values:
    """Choose what the radiologist's plan asks for."""
    values = _about(state, chance, "unplanned", "technique")
    known = site.protocols("CT")
    beside = [key for key in known if known[key]["region"] == values["region"] and key != values["protocol"]]
    return values | {"wrong_protocol": known[chance.choice(beside)]["name"]}


def set_ct_parameters(state: State, chance: random.Random) -> Values:
    """Dictate a technique that differs from the factory's in every value."""
    values = _about(state, chance, "technique", "positioned")
    protocol = site.protocols("CT")[values["protocol"]]
    told = _technique(chance, protocol)
    spoken = {"kernel_words": site.KERNELS[told["kernel"]], **{name: f"{told[name]:g}" for name in _NUMBERS}}
    return values | {"technique": told} | spoken


def acquire_scout(state: State, chance: random.Random) -> Values:
    """Dictate how the patient lies and from where to where the scout goes."""
    values = _about(state, chance, "positioned", "technique")
    position = chance.choice([name for name in site.POSITIONS if name != "head_first_supine"])
    direction = chance.choice(list(site.DIRECTIONS))
    return values | {
        "position": position,
        "position_words": site.POSITIONS[position].lower(),
        "position_label": site.POSITIONS[position],
        "direction": direction,
        "direction_words": site.DIRECTIONS[direction],
        "scout_from": (values["top"] - chance.randint(40, 70)) // 5 * 5,
        "scout_to": (values["bottom"] + chance.randint(40, 70)) // 5 * 5,
    }


def run_scan(state: State, chance: random.Random) -> Values:
    """Dictate the injection; the range is to be seen in the scout."""
    values = _about(state, chance, "contrast", "positioned")
    usual = site.protocols("CT")[values["protocol"]]["injection"]
    rate = chance.choice([rate for rate in (2.5, 3.0, 3.5, 4.0, 4.5) if rate != usual["rate_ml_s"]])
    volume = chance.choice([v for v in range(55, 120, 5) if abs(v - usual["volume_ml"]) >= 10])
    delay = chance.choice([s for s in range(20, 76, 5) if abs(s - usual["delay_s"]) >= 5])
    return (
        values
        | {"injection": {"volume_ml": volume, "rate_ml_s": rate, "delay_s": delay}}
        | {
            "volume": volume,
            "rate": f"{rate:g}",
            "delay": delay,
        }
    )


def check_safety_flags(state: State, chance: random.Random) -> Values:
    """Find what speaks against contrast medium, among much that does not."""
    values = _about(state, chance, "flagged", "contrast")
    patient = state.row("patients", mrn=values["mrn"])
    labs = sorted(state.rows("labs", mrn=values["mrn"], test="eGFR"), key=lambda row: row["taken_at"])
    valid = [row for row in labs if not row["cancelled"]]
    allergies = state.rows("allergies", mrn=values["mrn"])
    (agent,) = (row["substance"] for row in allergies if row["substance"] in _AGENTS)
    return (
        values
        | _on_duty(state, "radiologist")
        | {
            "agent": agent,
            "unrelated": next(row["substance"] for row in allergies if row["substance"] != agent),
            "egfr": int(valid[-1]["value"]),
            "cancelled_egfr": int(labs[-1]["value"]),
            "metformin": "metformin" in patient["medications"].casefold(),
        }
    )


def complete_scan_workflow(state: State, chance: random.Random) -> Values:
    """Do a whole examination without contrast medium, of somebody who might have been pregnant."""
    values = _about(state, chance, "complete", "pregnant")
    factory = site.protocols("CT")[values["protocol"]]["technique"]
    kernel = chance.choice([name for name in site.KERNELS if name != factory["kernel"]])
    thickness = chance.choice([mm for mm in (1.0, 2.0, 3.0) if mm != factory["slice_mm"]])
    return (
        values
        | {
            "screening": {"pregnancy": "excluded"},
            "series": {"kernel": kernel, "slice_mm": thickness},
            "kernel_words": site.KERNELS[kernel],
            "thickness": f"{thickness:.1f}",
        }
        | _destination(chance)
    )


def mri_scan(state: State, chance: random.Random) -> Values:
    """Do an MR examination of somebody with a device that bears the normal operating mode only."""
    values = _about(state, chance, "implant", "forbidden")
    device = state.row("devices", mrn=values["mrn"])
    return (
        values
        | {
            "device": device["name"],
            "screening": {"device": device["label"]},
            "mode": "normal",
        }
        | _destination(chance)
    )


def run_qc(state: State, chance: random.Random) -> Values:
    """Measure the phantom and decide."""
    scanner = state.row("scanners", name="CT 1")
    edges = [scanner[name] for name in ("north", "east", "south", "west")]
    uniformity = round(max(abs(edge - scanner["centre"]) for edge in edges), 1)
    measured = {"water_hu": scanner["centre"], "noise_hu": scanner["noise"], "uniformity_hu": uniformity}
    good = abs(scanner["centre"]) <= site.WATER and scanner["noise"] <= site.NOISE
    good = good and uniformity <= site.UNIFORMITY and not scanner["ring"]
    return (
        login(state, chance)
        | _on_duty(state, "physicist")
        | {
            "measured": measured,
            "artefact": "ring" if scanner["ring"] else "none",
            "result": "pass" if good else "fail",
            "other": _identity(state, "arrival"),
        }
    )


def pregnant_patient_safety(state: State, chance: random.Random) -> Values:
    """Find out that somebody is, or may be, pregnant, and stop."""
    values = _about(state, chance, "pregnant", "complete")
    tests = state.rows("labs", mrn=values["mrn"], test="hCG", value="Positive")
    status = "pregnant" if tests else "possible"
    return (
        values
        | _on_duty(state, "radiologist")
        | {
            "screening": {"pregnancy": status},
            "pregnancy_words": site.PREGNANCY[status],
            "reason": "pregnancy",
        }
    )


# Values

_AGENTS = ("Iohexol", "Iopamidol", "Iopromide", "Iodixanol")
_NUMBERS = ("kv", "ma", "rotation_s", "slice_mm", "pitch", "fov_mm")


def _technique(chance: random.Random, protocol: Any) -> Values:
    """Draw a technique below the reference level, different from the factory's in every value."""
    factory = protocol["technique"]
    while True:
        told = {
            "kv": chance.choice((80, 100, 120, 140)),
            "ma": chance.randrange(70, 300, 5),
            "rotation_s": chance.choice((0.35, 0.5, 0.75, 1.0)),
            "slice_mm": chance.choice((1.0, 2.0, 3.0, 5.0)),
            "pitch": chance.choice((0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.25)),
            "fov_mm": chance.randrange(300, 430, 5),
            "kernel": chance.choice(("smooth", "standard", "sharp")),
        }
        different = all(told[name] != factory[name] for name in told)
        clearly = abs(told["ma"] - factory["ma"]) > 20 and abs(told["fov_mm"] - factory["fov_mm"]) > 10
        if different and clearly and 2 <= site.ctdi(protocol, told) < protocol["drl"] * 0.6:
            return told


def _destination(chance: random.Random) -> Values:
    destination, elsewhere = chance.sample(site.DESTINATIONS, 2)
    return {"destination": destination, "elsewhere": elsewhere}


# People


def _on_duty(state: State, post: str) -> Values:
    """Return who is to be told, and somebody of the same profession who is not."""
    user = state.row("users", user_id=state.row("duties", post=post)["user"])
    other = next(row for row in state.rows("users", role=post) if row["user_id"] != user["user_id"])
    return {post: user["user_id"], f"{post}_name": user["name"], "off_duty_name": other["name"]}


def _identity(state: State, part: str) -> Values:
    order = state.row("orders", part=part)
    patient = state.row("patients", mrn=order["mrn"])
    turned = f"{patient['family_name']}, {patient['given_name']}"
    return {
        "mrn": order["mrn"],
        "accession": order["accession"],
        "name": f"{patient['given_name']} {patient['family_name']}",
        "name_turned": turned,
        "link": f"{turned}, {order['modality']}",
    }


def _about(state: State, chance: random.Random, part: str, other: str) -> Values:
    order = state.row("orders", part=part)
    protocol = site.protocols(order["modality"])[order["protocol"]]
    values = (
        login(state, chance)
        | _identity(state, part)
        | {
            "procedure": order["procedure"],
            "protocol": order["protocol"],
            "protocol_name": protocol["name"],
            "region": protocol["region"],
            "other": _identity(state, other),
        }
    )
    if order["modality"] == "CT":
        body = state.row("anatomy", mrn=order["mrn"])
        top, bottom = body[protocol["top"]], body[protocol["bottom"]]
        values |= {"covers": protocol["covers"], "top": top, "bottom": bottom}
        values |= {"range_from": top - _MARGIN, "range_to": bottom + _MARGIN}
    return values
