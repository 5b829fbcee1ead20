"""What the record says of one procedure, and how the product words what is stored."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pytest_cuabench.evidence import Evidence, Row
from pytest_cuabench.library import FIXTURES

ASA = {
    1: "1 Healthy",
    2: "2 Mild disease",
    3: "3 Severe disease",
    4: "4 Constant threat to life",
    5: "5 Moribund",
}
ANTITHROMBOTICS = {"none": "None taken", "stopped": "Stopped as advised", "taken": "Still taken"}
CAECUM = {"reached": "Reached", "not_reached": "Not reached"}
SEGMENTS = {
    "rectum": "Rectum",
    "sigmoid": "Sigmoid",
    "descending": "Descending",
    "transverse": "Transverse",
    "ascending": "Ascending",
    "caecum": "Caecum",
}
METHODS = {
    "cold_forceps": "Cold forceps",
    "cold_snare": "Cold snare",
    "hot_snare": "Hot snare",
    "emr_whole": "EMR, one piece",
    "emr_pieces": "EMR, piecemeal",
}
SCORED = {"bbps_right": "Right colon", "bbps_transverse": "Transverse colon", "bbps_left": "Left colon"}
LANDMARKS = {
    "appendix": "Appendix orifice",
    "valve": "Ileocaecal valve",
    "retroflexion": "Rectum, retroflexion",
}
RECOMMENDATIONS = {
    "screening": "Return to screening",
    "three_years": "Colonoscopy in 3 years",
    "scar": "Check of the scar in 3-6 months",
    "repeat": "Repeat within 12 months after better preparation",
    "none": "No further endoscopy",
}
# How soon somebody is seen again; a later recommendation than the right one is the dangerous slip.
SOONEST = ("scar", "repeat", "three_years", "screening", "none")


@cache
def _load(name: str) -> Mapping[str, Any]:
    return tomllib.loads((FIXTURES / "clinic" / f"{name}.toml").read_text(encoding="utf-8"))


def wording() -> Mapping[str, Any]:
    """Return what nurses write, by what it means."""
    return _load("endoscopy/wording")


def similar_to(family: str) -> set[str]:
    """Return the family names that are easily taken for this one."""
    return {name for pair in _load("names")["similar"] if family in pair for name in pair} - {family}


@dataclass(frozen=True)
class Procedure:
    """One procedure when the episode is judged."""

    evidence: Evidence
    case_no: str

    @property
    def row(self) -> Row:
        """The procedure as it stands."""
        return self.evidence.after.row("procedures", case_no=self.case_no)

    @property
    def before(self) -> Row:
        """The procedure when the episode began."""
        return self.evidence.before.row("procedures", case_no=self.case_no)

    def turned(self, status: str) -> Row | None:
        """Return the procedure as it stood when it first took a status in this episode."""
        for write in self.evidence.journal:
            about = write.collection == "procedures" and write.key == self.case_no
            if about and "status" in write.fields and write.row["status"] == status:
                return write.row
        return None

    @property
    def lesions(self) -> dict[str, Row]:
        """The valid lesions as they stand."""
        rows = self.evidence.after.collections.get("findings", {})
        return {
            key: row for key, row in rows.items() if row["case_no"] == self.case_no and not row["in_error"]
        }

    @property
    def added(self) -> list[Row]:
        """The valid lesions that this episode added."""
        old = self.evidence.before.collections.get("findings", {})
        return [row for key, row in self.lesions.items() if key not in old]
