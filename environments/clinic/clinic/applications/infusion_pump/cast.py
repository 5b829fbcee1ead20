"""Who lies in the unit: one bed for each story that the tasks are about, and idle pumps."""

import random
from collections.abc import Callable
from typing import Any

from clinic.applications.infusion_pump.bedside import Bedside

STORIES = (
    "active",
    "new_drug",
    "pressor",
    "look_alike",
    "limits",
    "tenfold",
    "alarm_high",
    "alarm_medium",
    "alarm_low",
    "round_dose",
    "round_bag",
    "protocol",
)


def idle(stream: random.Random) -> list[str]:
    """Return further pumps: one on hold, and some that may infuse."""
    return ["idle", *(f"further {number}" for number in range(stream.randint(0, 2)))]


def tell(story: str, bed: Bedside) -> None:
    """Put at a bed what its story needs."""
    told = bed.unit.seeding.fixtures.load("infusion_pump/stories")
    _TELLERS.get(story, _further)(bed, told)


def _active(bed: Bedside, told: dict[str, Any]) -> None:
    """Two or three drugs infuse, another one is on hold; one of the running ones is to be stopped."""
    drug = bed.chance.choice(told["round"]["stops"])
    bed.run(drug)
    bed.order(drug, "start", status="running")
    bed.order(drug, "stop", note="Hold until further notice.")
    bed.background(bed.chance.randint(1, 2), drug)
    pool = [other for other in ("EPINEPHrine", "amiodarone", "nitroglycerin") if other != drug]
    bed.run(bed.chance.choice(pool), "hold")


def _new_drug(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(told["new_drug"]["drugs"])
    bed.background(bed.chance.randint(0, 2), drug)
    bed.order(
        drug,
        "start",
        bed.chance.choice(told["new_drug"]["doses"][drug]),
        vtbi_ml=bed.chance.choice((50, 60, 75, 80)),
    )


def _pressor(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(list(told["pressor"]["drugs"]))
    step = told["pressor"]["drugs"][drug]
    low, high = bed.chance.choice(told["pressor"]["targets"])
    bed.run(drug)
    bed.background(bed.chance.randint(1, 2))
    unit = bed.unit.entry(drug)["dosing_unit"]
    note = (
        f"Titrate in steps of {step:g} {unit} to keep MAP {low}–{high} mmHg: one step up below, "
        "one step down above that range."
    )
    bed.order(drug, "start", status="running", note=note)


def _look_alike(bed: Bedside, told: dict[str, Any]) -> None:
    for drug in bed.chance.choice(told["look_alike"]["pairs"]):
        bed.run(drug)
        bed.order(drug, "start", status="running")
    bed.background(1, "fentaNYL")


def _limits(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(("NORepinephrine", "DOPamine", "propofol", "esmolol", "phenylephrine"))
    bed.run(drug)
    bed.order(drug, "start", status="running")
    bed.background(bed.chance.randint(1, 2), drug)


def _tenfold(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(list(told["tenfold"]))
    runs, meant = told["tenfold"][drug]
    bed.run(drug, dose=runs)
    bed.order(drug, "start", status="running")
    bed.background(bed.chance.randint(1, 2), drug)
    bed.order(drug, "change", round(meant * 10, 2), meant_dose=meant)


def _alarm_high(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(("NORepinephrine", "EPINEPHrine", "vasopressin", "milrinone"))
    letter = bed.run(drug, "alarm")
    bed.background(bed.chance.randint(1, 2), drug)
    bed.alarm(letter, bed.chance.choice(("air_in_line", "occlusion")), bed.chance.randint(1, 3))


def _alarm_medium(bed: Bedside, told: dict[str, Any]) -> None:
    letter = bed.run(bed.chance.choice(("lactated Ringer", "normal saline")), "kvo", vtbi_ml=0)
    bed.background(bed.chance.randint(1, 2), "lactated Ringer", "normal saline")
    bed.alarm(letter, "complete", bed.chance.randint(4, 9))


def _alarm_low(bed: Bedside, told: dict[str, Any]) -> None:
    letter = bed.run("propofol")
    bed.background(bed.chance.randint(0, 1), "propofol")
    bed.alarm(letter, "battery", bed.chance.randint(10, 25))


def _round_dose(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(told["round"]["doses"])
    entry = bed.unit.entry(drug)
    share = bed.chance.choice((0.2, 0.3, 0.4))
    dose = float(f"{entry['soft_high'] + share * (entry['hard_high'] - entry['soft_high']):.2g}")
    bed.run(drug, dose=max(bed.unit.usual[entry["id"]]))
    bed.order(drug, "start", status="running")
    bed.background(bed.chance.randint(1, 2), drug)
    note = "Above the usual range on purpose: confirmed with the prescriber by phone."
    bed.order(drug, "change", dose, note=note)


def _round_bag(bed: Bedside, told: dict[str, Any]) -> None:
    drug = bed.chance.choice(told["round"]["bags"])
    bed.run(drug, vtbi_ml=bed.chance.randint(20, 60))
    bed.background(1, "lactated Ringer", "normal saline")
    bed.order(drug, "bag", vtbi_ml=bed.chance.choice(told["round"]["volumes"]), note="Rate unchanged.")


def _protocol(bed: Bedside, told: dict[str, Any]) -> None:
    facts = bed.chance.choice(told["protocol"])
    unit, step = bed.unit.entry(facts["drug"])["dosing_unit"], facts["step"]
    up, down = ("above", "below") if facts["raises"] else ("below", "above")
    bounds = {"above": f"above {facts['high']}", "below": f"below {facts['low']}"}
    note = (
        f"Protocol: {facts['measured']} {bounds[up]} {facts['unit']}: raise by {step:g} {unit}; "
        f"{bounds[down]} {facts['unit']}: lower by {step:g} {unit}; between: no change."
    )
    bed.background(bed.chance.randint(0, 2), facts["drug"])
    dose, vtbi = bed.chance.choice(facts["starts"]), bed.chance.choice(facts["volumes"])
    bed.order(facts["drug"], "start", dose, vtbi_ml=vtbi, note=note)


def _idle(bed: Bedside, told: dict[str, Any]) -> None:
    bed.background(bed.chance.randint(1, 2), status="hold")


def _further(bed: Bedside, told: dict[str, Any]) -> None:
    bed.background(bed.chance.randint(1, 2), status=bed.chance.choice(("infusing", "hold")))


_TELLERS: dict[str, Callable[[Bedside, dict[str, Any]], None]] = {
    "active": _active,
    "new_drug": _new_drug,
    "pressor": _pressor,
    "look_alike": _look_alike,
    "limits": _limits,
    "tenfold": _tenfold,
    "alarm_high": _alarm_high,
    "alarm_medium": _alarm_medium,
    "alarm_low": _alarm_low,
    "round_dose": _round_dose,
    "round_bag": _round_bag,
    "protocol": _protocol,
    "idle": _idle,
}
