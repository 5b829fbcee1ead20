"""Writes what has been charted until now: vital signs, fluids, notes, wounds."""

import json
import random
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding

LOOKS = {"read_fluids": "feverish", "record_io": "retaining", "deteriorating": "deteriorating"}
SETS_AGO = (880, 640, 420, 250, 95)  # minutes
STALE = ("record_vitals", "incomplete")  # without vital signs in the last hours
WITHOUT_NOTE = ("note", "deteriorating", "read_fluids")
HANDED_OVER = ("incomplete", "wound")


@dataclass
class Sheets:
    """What charting needs: the database, staff and the times."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    started: datetime
    now: datetime

    def write(self, mrn: str, story: str) -> None:
        """Write all sheets of one patient."""
        stream = self.seeding.stream(f"sheets {story}")
        self._vitals(stream, mrn, story)
        self._fluids(stream, mrn, story)
        if story not in WITHOUT_NOTE:
            self._note(stream, mrn)
        if story in HANDED_OVER:
            self._handover(stream, mrn)
        if story == "wound":
            self._wounds(stream, mrn)
        if story == "wrong_fluid":
            self._wrong_fluid(stream, mrn)

    def _nurse(self, stream: random.Random) -> str:
        return stream.choice([*self.users["shift_nurse"], *self.users["staff_nurse"]])

    # Vital signs

    def _vitals(self, stream: random.Random, mrn: str, story: str) -> None:
        ago = SETS_AGO[:-2] if story in STALE else SETS_AGO
        for place, minutes in enumerate(ago, 1):
            newest = place == len(ago)
            look = LOOKS.get(story, "ordinary") if newest or story == "record_io" else "ordinary"
            at = self.now - timedelta(minutes=minutes + stream.randint(-25, 15))
            values = self._set(stream, look)
            if story == "handover" and place == 2:
                values = self._set(stream, "deteriorating")
            self._insert_set(stream, mrn, at, values)
        if story == "read_vitals":
            self._misleading(stream, mrn)

    def _set(self, stream: random.Random, look: str) -> dict[str, Any]:
        ranges = self.seeding.fixtures.load("nursing_documentation/unit")[look]
        values: dict[str, Any] = {
            name: round(stream.uniform(low, high), 1) if name == "temp_c" else stream.randint(low, high)
            for name, (low, high) in ranges.items()
        }
        oxygen = look == "retaining" or (look == "deteriorating" and stream.random() < 0.4)
        confused = look == "deteriorating" and stream.random() < 0.2
        return values | {
            "oxygen": "oxygen" if oxygen else "air",
            "oxygen_flow": 2.0 if oxygen else None,
            "consciousness": "confused" if confused else "alert",
        }

    def _misleading(self, stream: random.Random, mrn: str) -> None:
        """Add a set without temperature, and a later one that was struck."""
        at = self.now - timedelta(minutes=stream.randint(48, 64))
        self._insert_set(stream, mrn, at, self._set(stream, "ordinary") | {"temp_c": None})
        wrong = self._set(stream, "feverish")
        error = {"in_error": True, "error_reason": "Wrong patient", "error_by": self.users["staff_nurse"][0]}
        self._insert_set(stream, mrn, at + timedelta(minutes=22), wrong | error)

    def _insert_set(self, stream: random.Random, mrn: str, at: datetime, values: dict[str, Any]) -> None:
        rows.insert(self.db, "vitals", mrn=mrn, at=clock.text(at), by=self._nurse(stream), **values)

    # Fluids

    def _fluids(self, stream: random.Random, mrn: str, story: str) -> None:
        at = self.started - timedelta(hours=11, minutes=stream.randint(5, 50))
        until = (
            self.started - timedelta(minutes=15)
            if story == "incomplete"
            else self.now - timedelta(minutes=20)
        )
        drained = stream.random() < 0.5
        while at < until:
            self._fluid(stream, mrn, at, "oral", 10 * stream.randint(10, 28))
            if stream.random() < 0.6:
                self._fluid(stream, mrn, at, "infusion", 25 * stream.randint(4, 10))
            self._fluid(stream, mrn, at + timedelta(minutes=3), "urine", 10 * stream.randint(12, 36))
            if drained and stream.random() < 0.5:
                self._fluid(stream, mrn, at + timedelta(minutes=5), "drain", 5 * stream.randint(6, 18))
            at += timedelta(minutes=stream.randint(105, 165))
        if story == "read_fluids":
            error = {
                "in_error": True,
                "error_reason": "Entered twice",
                "error_by": self.users["staff_nurse"][0],
            }
            self._fluid(stream, mrn, self.started + timedelta(minutes=95), "urine", 410, **error)

    def _fluid(
        self, stream: random.Random, mrn: str, at: datetime, kind: str, volume: int, **more: Any
    ) -> int:
        by = self._nurse(stream)
        rows.insert(self.db, "fluids", mrn=mrn, at=clock.text(at), by=by, kind=kind, volume=volume, **more)
        number: int = self.db.execute("SELECT last_insert_rowid()").fetchone()[0]
        return number

    def _wrong_fluid(self, stream: random.Random, mrn: str) -> None:
        """Type a measured volume with a nought too many; the slips tell what was measured."""
        kind = stream.choice(("urine", "drain"))
        right = 10 * stream.randint(15, 24)
        at = self.started + timedelta(minutes=stream.randint(130, 330))
        number = self._fluid(stream, mrn, at, kind, right * 10, warned=True)
        story = {"name": "wrong_fluid", "entry": number, "kind": kind, "right": right}
        rows.update(self.db, "patients", {"mrn": mrn}, story=json.dumps(story))
        emptied = {"urine": "Urine bag emptied", "drain": "Drain bottle emptied"}
        measured = self.db.execute(
            "SELECT id, at, kind, volume FROM fluids WHERE mrn = ? AND at >= ? AND kind IN ('urine', 'drain')",
            (mrn, clock.text(self.started)),
        ).fetchall()
        for row in measured:
            volume = right if row["id"] == number else row["volume"]
            text = f"{emptied[row['kind']]}: {volume} ml"
            rows.insert(self.db, "slips", mrn=mrn, at=row["at"], text=text)

    # Documents

    def _note(self, stream: random.Random, mrn: str) -> None:
        at = self.started + timedelta(minutes=stream.randint(60, 240))
        rows.insert(
            self.db,
            "notes",
            mrn=mrn,
            at=clock.text(at),
            by=self._nurse(stream),
            status="signed",
            focus="Wellbeing",
            data="Rested after breakfast, no complaints.",
            action="Helped with washing, bed made.",
            response="Comfortable in the chair.",
        )

    def _handover(self, stream: random.Random, mrn: str) -> None:
        at = self.started + timedelta(minutes=stream.randint(250, 380))
        receiver = self.db.execute(
            "SELECT name FROM users WHERE user_id = ?", (self.users["staff_nurse"][0],)
        ).fetchone()[0]
        rows.insert(
            self.db,
            "handovers",
            mrn=mrn,
            at=clock.text(at),
            by=self._nurse(stream),
            status="signed",
            receiver=receiver,
            situation="Stable through the shift.",
            background="As on the front page of the sheet.",
            assessment="No new findings.",
            recommendation="Continue the plan of care.",
        )

    def _wounds(self, stream: random.Random, mrn: str) -> None:
        """Write an older wound elsewhere."""
        at = self.started - timedelta(days=1, minutes=stream.randint(0, 300))
        rows.insert(
            self.db,
            "wounds",
            mrn=mrn,
            at=clock.text(at),
            by=self._nurse(stream),
            region="sacrum",
            stage="stage_2",
            length_cm=round(stream.uniform(1.2, 2.4), 1),
            width_cm=round(stream.uniform(0.8, 1.6), 1),
            depth_cm=0.1,
            exudate="small",
        )
