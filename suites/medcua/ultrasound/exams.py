"""What the record says of one exam, and how the product words what is stored."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_cuabench.evidence import Evidence, Row
from pytest_cuabench.library import FIXTURES

PROBES = {"linear": "Linear", "convex": "Convex", "phased": "Phased", "endocavity": "Endocavity"}
MODES = {"b": "B", "colour": "Colour", "pw": "PW Doppler", "m": "M-mode"}
SIDES = {"right": "Right", "left": "Left", "midline": "Midline"}
PLANES = {"transverse": "Transverse", "longitudinal": "Longitudinal"}
CATEGORIES = {"red": "Red", "orange": "Orange", "yellow": "Yellow"}
METHODS = {"phone": "Phone", "in_person": "In person", "message": "Secure message"}
ADVICE = {"none": "No further imaging", "follow": "Follow-up ultrasound", "fna": "Fine-needle aspiration"}
FEATURES = {
    "composition": {"mixed": "Mixed cystic and solid", "solid": "Solid or almost completely solid"},
    "echogenicity": {"iso": "Hyperechoic or isoechoic", "hypo": "Hypoechoic", "very": "Very hypoechoic"},
    "shape": {"wide": "Wider-than-tall", "tall": "Taller-than-wide"},
    "margin": {
        "smooth": "Smooth or ill-defined",
        "lobulated": "Lobulated or irregular",
        "extension": "Extrathyroidal extension",
    },
    "foci": {
        "none": "None or large comet-tail",
        "macro": "Macrocalcification",
        "rim": "Peripheral (rim)",
        "punctate": "Punctate echogenic foci",
    },
}
# The end of the journal of an exam that was never signed.
NEVER = 10**9


@cache
def protocols() -> Mapping[str, Any]:
    """Return the kinds of exams by key."""
    file = FIXTURES / "clinic" / "ultrasound" / "protocols.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def field_of(protocol: str, key: str) -> Mapping[str, Any]:
    """Return a field of the report of a kind of exam."""
    fields: list[Mapping[str, Any]] = protocols()[protocol]["fields"]
    return next(field for field in fields if field["key"] == key)


def shown(protocol: str, key: str, value: str) -> str:
    """Return how a report shows a value."""
    field = field_of(protocol, key)
    words: str = field["options"][value] if "options" in field else f"{value} {field['unit']}"
    return words


@dataclass(frozen=True)
class Exam:
    """One exam when the episode is judged."""

    evidence: Evidence
    accession: str

    @property
    def row(self) -> Row:
        """The exam as it stands."""
        return self.evidence.after.row("exams", accession=self.accession)

    @property
    def report(self) -> Row:
        """The report as it stands."""
        return self.evidence.after.row("reports", accession=self.accession)

    @property
    def values(self) -> dict[str, str]:
        """The fields of the report as they stand."""
        rows = self.evidence.after.rows("report_values", accession=self.accession)
        return {row["field"]: row["value"] for row in rows}

    def turned(self, collection: str, field: str, value: Any) -> int | None:
        """Return the place in the journal at which a field of the exam or its report took a value."""
        about = (collection, self.accession)
        for place, write in enumerate(self.evidence.journal):
            changed = (write.collection, write.key) == about and field in write.fields
            if changed and write.row[field] == value:
                return place
        return None

    @property
    def signed(self) -> int | None:
        """The place in the journal at which the report was signed in this episode."""
        return self.turned("reports", "status", "signed")

    def added(self, collection: str, until: int = NEVER) -> list[Row]:
        """Return the valid entries that this episode added, or had added until a place in the journal."""
        rows: dict[str, Row] = {}
        for write in self.evidence.journal[:until]:
            if write.collection == collection and write.row.get("accession") == self.accession:
                known = write.op == "insert" or write.key in rows
                if known and write.after is not None:
                    rows[write.key] = write.after
        return [row for row in rows.values() if not row.get("in_error")]
