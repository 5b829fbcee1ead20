"""Sessions: one origin each, the studies of a seed, and the record of what was looked at and drawn."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from imaging import pathology, radiology, slides
from imaging.elements import Elements
from imaging.orthanc import Orthanc, Orthancs
from imaging.reports import Report, report
from imaging.studies import Study
from worldkit.requestlog import RequestLog

PROBE = Path(__file__).with_name("probe.js").read_text("utf-8")
# Who makes the studies of an application.
ARCHIVES: dict[str, Callable[[int], Sequence[Study]]] = {
    "pathology_viewer": pathology.archive,
    "pacs_radiology": radiology.archive,
}
VIEW, ANNOTATIONS, TILES = "view", "annotations", "tiles"
LAYOUT, VIEWPORTS, MEASUREMENTS, REPORTS = "layout", "viewports", "measurements", "reports"
NO_LAYOUT = {"rows": 0, "columns": 0}
EDGES = ("left", "upper", "right", "lower")
NOWHERE = {"page": "", "asked": "", "study_uid": "", "pixel_mm": None, **dict.fromkeys(EDGES)}

Row = dict[str, Any]


@dataclass
class Session:
    """One episode's use of the archive.

    Attributes:
        watched: By collection, what the viewer showed, and what was drawn in it and stored; nothing else can change.
        reports: The structured reports that were stored.
        orthanc: What answers in place of the embedded archive, if it does.
    """

    id: str
    host: str
    seed: int
    application: str
    studies: dict[str, Study]
    fingerprint: str
    orthanc: Orthanc | None = None
    requests: RequestLog = field(default_factory=RequestLog)
    journal: list[Row] = field(default_factory=list)
    watched: dict[str, dict[str, Row]] = field(
        default_factory=lambda: {
            VIEW: {"now": dict(NOWHERE)},
            ANNOTATIONS: {},
            TILES: {},
            LAYOUT: {"now": NO_LAYOUT},
            VIEWPORTS: {},
            MEASUREMENTS: {},
            REPORTS: {},
        }
    )
    reports: list[Report] = field(default_factory=list)
    failures: int = 0

    @property
    def revision(self) -> int:
        """Number of changes since the start."""
        return len(self.journal)

    def state(self) -> Row:
        """Return everything that checks may look at."""
        kept = self.studies.values()
        return {
            "revision": self.revision,
            "failures": self.failures,
            "fingerprint": self.fingerprint,
            "collections": {
                "studies": {study.uid: listed(study) for study in kept},
                "slides": {
                    study.uid: truth(study.slide)
                    for study in kept
                    if isinstance(study, pathology.Study) and study.slide
                },
                "findings": {
                    study.uid: study.truth() for study in kept if isinstance(study, radiology.Study)
                },
                **self.watched,
            },
            "journal": self.journal,
        }

    def fetched(self, uid: str, level: int, frame: int) -> None:
        """Note that the viewer asked for a tile of a study."""
        edges = dict(zip(EDGES, slides.area(level, frame), strict=True))
        self._write(TILES, f"{uid}/{level}/{frame}", {"study_uid": uid, "level": level, **edges})

    def instances(self, uid: str) -> list[Elements]:
        """Return the metadata of all instances of a study; there are none of a study that is not in the archive."""
        study = self.studies.get(uid)
        stored = [one.elements for one in self.reports if one.study_uid == uid]
        return [*study.instances, *stored] if study else []

    def file(self, study_uid: str, uid: str) -> bytes | None:
        """Return an instance of radiology as a file, or a report as it was sent."""
        study = self.studies.get(study_uid)
        made = study.whole(uid) if isinstance(study, radiology.Study) else None
        return made or next((one.file for one in self.reports if one.uid == uid), None)

    def acceptable(self, file: bytes) -> Report | None:
        """Return a file as a structured report on a study of the archive; None if it is anything else."""
        sent = report(file)
        return sent if sent and sent.study_uid in self.studies else None

    def keep(self, sent: Report) -> None:
        """Keep a structured report."""
        self.reports.append(sent)
        told = {"study_uid": sent.study_uid, "title": sent.title, "lines": sent.lines}
        self._write(REPORTS, sent.uid, told)

    def probe(self) -> str:
        """See `worldkit.control.Probed`."""
        return PROBE

    def reported(self, said: Any) -> None:
        """Note what the viewer shows; see `worldkit.control.Probed`."""
        shown = _shown(said)
        layout = _rows({"now": said["layout"] or NO_LAYOUT})["now"]
        replaced = {
            ANNOTATIONS: _rows({one["uid"]: _annotation(one) for one in said["annotations"]}),
            VIEWPORTS: _rows(said["viewports"]),
            MEASUREMENTS: _rows(said["measurements"]),
        }
        self._write(VIEW, "now", shown)
        self._write(LAYOUT, "now", layout)
        for collection, rows in replaced.items():
            self._replace(collection, rows)

    def _replace(self, collection: str, rows: dict[str, Row]) -> None:
        for key, row in rows.items():
            self._write(collection, key, row)
        for key in self.watched[collection].keys() - rows.keys():
            self._write(collection, key, None)

    def _write(self, collection: str, key: str, after: Row | None) -> None:
        rows = self.watched[collection]
        before = rows.get(key)
        if before == after:
            return
        op = "insert" if before is None else "delete" if after is None else "update"
        self.journal.append(
            {"collection": collection, "key": key, "op": op, "before": before, "after": after}
        )
        if after is None:
            del rows[key]
        else:
            rows[key] = after


def _shown(said: Any) -> Row:
    """Return the view of a report, which counts pixels of the highest magnification, from the upper left corner."""
    base = slides.SPACING[-1]
    shown = dict(NOWHERE) | {"page": str(said["page"]), "asked": str(said["asked"])}
    for view in said["views"]:
        shown |= {name: float(view[name]) * base for name in EDGES}
        shown |= {"study_uid": str(view["study_uid"]), "pixel_mm": float(view["pixel"]) * base}
    return shown


def _rows(told: Any) -> dict[str, Row]:
    """Return rows by their keys.

    Raises:
        TypeError: They are not.
    """
    if not isinstance(told, dict) or not all(isinstance(row, dict) for row in told.values()):
        raise TypeError("rows by their keys")
    return told


def listed(study: Study) -> Row:
    """Return a study as a row."""
    return {
        "study_uid": study.uid,
        "family": study.family,
        "given": study.given,
        "mrn": study.mrn,
        "date": study.date,
        "accession": study.accession,
        "description": study.description,
        "modality": study.modality,
        "alike": study.alike,
    }


def truth(slide: slides.Slide) -> Row:
    """Return what is on a slide; millimetres from its upper left corner."""
    return {
        "label": slide.label.replace("\n", " "),
        "stain": slide.stain,
        "nodules": [{"x": one.centre[0], "y": one.centre[1], "mm": one.diameter} for one in slide.nodules],
        "ring": list(slide.ring),
        "ring_mm": slides.RING_MM,
        "pen": slide.pen,
        "mitoses": [list(place) for place in slide.mitoses],
    }


def _annotation(one: Row) -> Row:
    """Return an annotation as a row; the slide's own frame of reference has its axes turned about."""
    points = [[abs(point[1]), abs(point[0])] for point in one["points"]]
    return {"study_uid": one["study_uid"], "kind": one["kind"], "label": one["label"], "points": points}


@dataclass
class Sessions:
    """All sessions of this process.

    Attributes:
        orthancs: Starts an Orthanc for each session of radiology, if the embedded archive is not to answer.
    """

    orthancs: Orthancs | None = None
    by_id: dict[str, Session] = field(default_factory=dict)
    by_host: dict[str, Session] = field(default_factory=dict)
    names: tuple[str, ...] = tuple(ARCHIVES)

    def open(self, application: str, seed: int) -> Session:
        """Start a session at a new origin."""
        kept = {study.uid: study for study in ARCHIVES[application](seed)}
        digest = sha256(json.dumps([listed(study) for study in kept.values()]).encode()).hexdigest()[:16]
        session = Session(
            secrets.token_hex(8),
            f"{secrets.token_hex(6)}.localhost",
            seed,
            application,
            kept,
            digest,
        )
        images = [study for study in kept.values() if isinstance(study, radiology.Study)]
        if self.orthancs and images:
            session.orthanc = self.orthancs.open(seed, images)
        self.by_id[session.id] = self.by_host[session.host] = session
        return session

    def reset(self, session: Session, seed: int) -> Session:
        """Replace a session by a fresh one at another origin."""
        self.close(session)
        return self.open(session.application, seed)

    def close(self, session: Session) -> None:
        """Forget a session."""
        del self.by_id[session.id], self.by_host[session.host]
        if session.orthanc:
            session.orthanc.close()
