"""What is on the shelf: for what is to be filled, lots among which only one is right."""

import random
from datetime import timedelta
from typing import Any

from clinic.applications.outpatient_pharmacy import formulary
from clinic.applications.outpatient_pharmacy.cast import Case
from clinic.applications.outpatient_pharmacy.seed_patients import Desk

TO_BE_FILLED = ("dispense", "full", "clean")


def fill(desk: Desk, cases: list[Case]) -> None:
    """Stock every drug; four lots where a task takes one: expired, too short, right, and later."""
    stream = desk.seeding.stream("stock")
    labelers = desk.seeding.fixtures.load("outpatient_pharmacy/formulary")["labelers"]
    orders = {case.order["drug"]: case.order for case in cases if case.plot in TO_BE_FILLED}
    for drug in formulary.drugs(desk.seeding.fixtures):
        offsets = _needed(stream, orders[drug]) if drug in orders else _usual(stream)
        ndc = f"9{stream.randint(1000, 9999)}-{stream.randint(100, 999):04d}-{stream.randint(1, 20):02d}"
        labeler = stream.choice(labelers)
        for days in offsets:
            desk.insert(
                "stock",
                ndc=ndc,
                drug=drug,
                labeler=labeler,
                lot=_lot(stream, desk),
                expires_on=(desk.now.date() + timedelta(days=days)).isoformat(),
                on_hand=stream.randrange(150, 640, 10),
            )


def _needed(stream: random.Random, order: dict[str, Any]) -> list[int]:
    days = order["days"]
    too_short = stream.randint(max(1, days // 3), days - 2)
    right = days + stream.randint(10, 60)
    offsets = [-stream.randint(5, 60), too_short, right, right + stream.randint(60, 400)]
    return stream.sample(offsets, len(offsets))


def _usual(stream: random.Random) -> list[int]:
    return [stream.randint(200, 700) for _ in range(stream.randint(1, 2))]


def _lot(stream: random.Random, desk: Desk) -> str:
    return f"{stream.choice('BCDFGHKLMNPRST')}{desk.registry.number(5)}"
