"""Writes what has been charted until now: earlier assessments, weights, notes, measures."""

import random
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from clinic import clock, rows
from clinic.application import Seeding
from clinic.applications.nursing_assessment.scales import Scale, load
from clinic.applications.nursing_assessment.stories import Story

HOURS = {"braden": 24, "morse": 24, "gcs": 4, "pain": 8, "must": 168}
EARLIER = {"braden": (2, 4), "morse": (2, 4), "gcs": (2, 3), "pain": (3, 5), "must": (0, 0)}
# How many minutes ago a form was due: ahead of now is below zero.
DUE_AGO = {"overdue": (45, 240), "soon": (-110, -45)}
MEASURED = {
    0: ((21.5, 28.0), (0.005, 0.035)),
    1: ((18.8, 19.7), (0.06, 0.09)),
    2: ((16.6, 18.0), (0.115, 0.16)),
}
WITH_GCS = ("gcs_new", "multi_fall", "planned")


@dataclass
class Desk:
    """What charting needs: the database, staff and the time."""

    db: sqlite3.Connection
    seeding: Seeding
    users: dict[str, list[str]]
    now: datetime

    def __post_init__(self) -> None:
        self.scales = load(self.seeding.fixtures)
        self.nurses = [*self.users["staff_nurse"], *self.users["bedside_nurse"]]

    def write(self, stories: dict[str, Story]) -> None:
        """Write the records of all patients."""
        states = self._due_states(stories)
        for mrn, story in stories.items():
            stream = self.seeding.stream(f"records {story.name}")
            for form, hours in HOURS.items():
                if form == "gcs" and story.name not in WITH_GCS:
                    continue
                rows.insert(self.db, "schedules", mrn=mrn, tool=form, every_hours=hours)
                last = self._last(stream, form, states.get((mrn, form), "done"))
                self._assessments(stream, mrn, story, self.scales[form], last)
            self._weights(stream, mrn, story)
            self._notes(stream, mrn, story)
            self._measures(stream, mrn, story)

    def _due_states(self, stories: dict[str, Story]) -> dict[tuple[str, str], str]:
        """Draw which forms are late or will soon be due; at most one for a patient."""
        stream = self.seeding.stream("due")
        chosen = stream.sample(list(stories), 8)
        late = stream.randint(2, 4)
        states = ["overdue"] * late + ["soon"] * (len(chosen) - late)
        return {
            (mrn, stream.choice(("braden", "morse", "pain"))): state
            for mrn, state in zip(chosen, states, strict=True)
        }

    def _last(self, stream: random.Random, form: str, state: str) -> datetime:
        hours = HOURS[form]
        low, high = DUE_AGO.get(state, (-60 * hours + 75, -135))
        return self.now - timedelta(hours=hours, minutes=stream.randint(low, max(low, high)))

    def _assessments(
        self, stream: random.Random, mrn: str, story: Story, scale: Scale, last: datetime
    ) -> None:
        count = stream.randint(*EARLIER[scale.key])
        for step in range(count, 0, -1):
            at = last - timedelta(hours=HOURS[scale.key] * step, minutes=stream.randint(-40, 40))
            self._signed(mrn, scale, self._earlier(stream, story, scale), at, stream)
        values = self._values(stream, scale, self._points(stream, story, scale))
        self._signed(mrn, scale, values, last, stream)
        if story.name == "braden_read" and scale.key == "braden":
            self._distracting(stream, mrn, scale, last)

    def _earlier(self, stream: random.Random, story: Story, scale: Scale) -> dict[str, Any]:
        """Draw points a step away from those of the last time."""
        points = self._points(stream, story, scale)
        item = stream.choice(scale.items)
        known = [option.points for option in item.options if scale.key != "gcs" or option.points]
        place = known.index(points[item.key]) + stream.choice((-1, 1))
        points[item.key] = known[max(0, min(place, len(known) - 1))]
        return self._values(stream, scale, points)

    @staticmethod
    def _points(stream: random.Random, story: Story, scale: Scale) -> dict[str, int]:
        fixed = story.before.get(scale.key)
        if fixed is None:
            fixed = [4, 5, 6] if scale.key == "gcs" else [0, stream.choice((0, 0, 1)), 0]
        return dict(zip((item.key for item in scale.items), fixed, strict=True))

    @staticmethod
    def _values(stream: random.Random, scale: Scale, points: dict[str, int]) -> dict[str, Any]:
        values: dict[str, Any] = dict(points)
        size = stream.choice(("3", "4"))
        for detail in scale.details:
            plain = {
                "right_size": size,
                "left_size": size,
                "right_reaction": "Brisk",
                "left_reaction": "Brisk",
            }
            values[detail.key] = plain.get(detail.key) or stream.choice(detail.options)
        return values

    def _signed(
        self, mrn: str, scale: Scale, values: dict[str, Any], at: datetime, stream: random.Random, **more: Any
    ) -> None:
        total = scale.total({item.key: values[item.key] for item in scale.items})
        band = scale.band(total)
        written = {
            "total": total,
            "band": band.key if band else None,
            "reason": "routine",
            "status": "signed",
            "by": stream.choice(self.nurses),
            "at": clock.text(at),
        }
        rows.insert(self.db, scale.key, mrn=mrn, **(values | written | more))

    def _distracting(self, stream: random.Random, mrn: str, scale: Scale, last: datetime) -> None:
        """Add a later assessment that was struck, and a later draft of a colleague."""
        profiles = self.seeding.fixtures.load("nursing_assessment/profiles")["braden"]
        colleague = self.users["staff_nurse"][0]
        struck, draft = (
            dict(zip((item.key for item in scale.items), stream.choice(profiles[band]), strict=True))
            for band in ("high", "none")
        )
        draft["friction"] = 2
        error = {"in_error": True, "error_reason": "Wrong patient", "error_by": colleague, "by": colleague}
        self._signed(mrn, scale, struck, last + timedelta(minutes=21), stream, **error)
        left = {"status": "draft", "by": colleague}
        self._signed(mrn, scale, draft, last + timedelta(minutes=43), stream, **left)

    def _weights(self, stream: random.Random, mrn: str, story: Story) -> None:
        """Write a weight of today, one of some months ago, and an old one that must not be taken for it."""
        points = story.now.get("must", {"bmi": 0, "loss": 0})
        height = self.db.execute("SELECT height_cm FROM patients WHERE mrn = ?", (mrn,)).fetchone()[0] / 100
        now = round(stream.uniform(*MEASURED[points["bmi"]][0]) * height**2, 1)
        before = round(now / (1 - stream.uniform(*MEASURED[points["loss"]][1])), 1)
        old = round(now * (1.0 if points["loss"] else 1.16), 1)
        today = self.now - timedelta(minutes=stream.randint(60, 240))
        self._weight(mrn, today - timedelta(days=stream.randint(420, 700)), old)
        self._weight(mrn, today - timedelta(days=stream.randint(100, 165)), before)
        self._weight(mrn, today, now)
        if story.name == "must_new":
            self._weight(mrn, today - timedelta(minutes=7), round(now * 1.31, 1), in_error=True)

    def _weight(self, mrn: str, at: datetime, kilograms: float, in_error: bool = False) -> None:
        rows.insert(self.db, "weights", mrn=mrn, at=clock.text(at), kg=kilograms, in_error=in_error)

    def _notes(self, stream: random.Random, mrn: str, story: Story) -> None:
        at = self.now - timedelta(minutes=stream.randint(360, 700))
        colleague = stream.choice(self.users["staff_nurse"])
        fresh = [stream.randint(3, 40) for _ in story.notes[1:]]
        times = [at, *(self.now - timedelta(minutes=ago) for ago in sorted(fresh, reverse=True))]
        for (title, text), moment in zip(story.notes, times, strict=True):
            rows.insert(
                self.db, "notes", mrn=mrn, at=clock.text(moment), by=colleague, title=title, text=text
            )

    def _measures(self, stream: random.Random, mrn: str, story: Story) -> None:
        """Start the measures of the protocol that fit the last assessment, but for who waits for them."""
        protocol = self.seeding.fixtures.load("nursing_assessment/protocol")
        for domain in ("skin", "falls"):
            if story.name == "unplanned" and domain == "skin":
                continue
            form = self.scales[protocol[domain]["tool"]]
            band = form.band(sum(story.before[form.key]))
            assert band is not None
            at = clock.text(self.now - timedelta(days=stream.randint(2, 6), minutes=stream.randrange(300)))
            for measure in protocol[domain]["protocol"][band.key]:
                by = stream.choice(self.nurses)
                rows.insert(
                    self.db,
                    "interventions",
                    mrn=mrn,
                    domain=domain,
                    measure=measure,
                    started_at=at,
                    started_by=by,
                )
