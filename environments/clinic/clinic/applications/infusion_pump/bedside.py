"""What a seed can put at a bed: running infusions, orders, alarms."""

import random
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.infusion_pump import dosing
from clinic.applications.infusion_pump.choices import LETTERS, PROFILE

Row = dict[str, Any]


@dataclass
class Unit:
    """The unit while it is being filled."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime
    usual: dict[int, list[float]] = field(default_factory=dict)
    _orders: set[str] = field(default_factory=set)

    def stock(self, stream: random.Random) -> None:
        """Fill the drug library: each hospital sets limits of its own."""
        listed = self.seeding.fixtures.load("infusion_pump/library")["entry"]
        drawn = [(entry, area) for entry in listed for area in entry["limits"]]
        stream.shuffle(drawn)  # numbers of entries tell nothing
        for number, (entry, area) in enumerate(drawn, 101):
            limits = dict(
                zip(
                    ("soft_low", "soft_high", "hard_low", "hard_high"),
                    stream.choice(entry["limits"][area]),
                    strict=True,
                )
            )
            self.usual[number] = entry["usual"]
            rows.insert(
                self.db,
                "library",
                id=number,
                care_area=area,
                drug=entry["drug"],
                amount=entry["amount"],
                amount_unit=entry["amount_unit"],
                volume_ml=entry["volume"],
                dosing_unit=entry["dosing"],
                high_alert=entry["high_alert"],
                double_check=entry.get("double_check", False),
                **limits,
            )

    def entry(self, drug: str) -> Row:
        """Return the usual entry of a drug for this unit: the weakest concentration there is."""
        query = "SELECT * FROM library WHERE drug = ? AND care_area = ? ORDER BY amount / volume_ml DESC"
        found = [dict(row) for row in self.db.execute(query, (drug, PROFILE))]
        return found[-1]

    def order_number(self, chance: random.Random) -> str:
        """Draw an order number that is new."""
        number = f"IV-{chance.randrange(10000, 100000)}"
        if number in self._orders:
            return self.order_number(chance)
        self._orders.add(number)
        return number


@dataclass
class Bedside:
    """One bed while it is being filled."""

    unit: Unit
    chance: random.Random
    mrn: str
    weight: float
    _free: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self._free = self.chance.sample(LETTERS, len(LETTERS))
        for letter in LETTERS:
            rows.insert(self.unit.db, "channels", mrn=self.mrn, letter=letter, status="off")

    def run(self, drug: str, status: str = "infusing", dose: float | None = None, **values: Any) -> str:
        """Put an infusion on a free channel; return the channel's letter."""
        entry, letter = self.unit.entry(drug), self._free.pop()
        dose = dose or self.chance.choice(self.unit.usual[entry["id"]])
        bag = entry["volume_ml"]
        infused = round(bag * self.chance.uniform(0.1, 0.6))
        kept = {"vtbi_ml": round(bag - infused), "infused_ml": infused} | values
        rows.update(
            self.unit.db,
            "channels",
            {"mrn": self.mrn, "letter": letter},
            status=status,
            entry=entry["id"],
            weight_kg=self.weight if dosing.weight_based(entry) else None,
            dose=dose,
            rate=dosing.rate_of(entry, dose, self.weight),
            changed_by=self.chance.choice(self.unit.users["staff_nurse"]),
            changed_at=self._ago(20, 400),
            **kept,
        )
        return letter

    def background(self, count: int, *without: str, status: str = "infusing") -> None:
        """Let other drugs run."""
        pool = self.unit.seeding.fixtures.load("infusion_pump/stories")["background"]
        for drug in self.chance.sample([drug for drug in pool if drug not in without], count):
            self.run(drug, status)
            self.order(drug, "start", status="running")

    def _running(self, entry: int) -> float:
        query = "SELECT dose FROM channels WHERE mrn = ? AND entry = ?"
        dose: float = self.unit.db.execute(query, (self.mrn, entry)).fetchone()["dose"]
        return dose

    def order(
        self,
        drug: str,
        kind: str,
        dose: float | None = None,
        status: str = "new",
        note: str = "",
        **values: Any,
    ) -> None:
        """Write an order."""
        entry = self.unit.entry(drug)
        rows.insert(
            self.unit.db,
            "orders",
            id=self.unit.order_number(self.chance),
            mrn=self.mrn,
            kind=kind,
            drug=drug,
            concentration=dosing.concentration(entry),
            dose=dose or self._running(entry["id"]) if kind in ("start", "change") else None,
            dosing_unit=entry["dosing_unit"],
            note=note,
            prescriber=self.chance.choice(self.unit.users["physician"]),
            ordered_at=self._ago(5, 60) if status == "new" else self._ago(90, 900),
            status=status,
            **values,
        )

    def alarm(self, letter: str, kind: str, minutes: int) -> None:
        """Let an alarm sound for some minutes."""
        at = clock.text(self.unit.now - timedelta(minutes=minutes))
        rows.insert(self.unit.db, "alarms", mrn=self.mrn, letter=letter, kind=kind, raised_at=at)

    def _ago(self, least: int, most: int) -> str:
        return clock.text(self.unit.now - timedelta(minutes=self.chance.randint(least, most)))
