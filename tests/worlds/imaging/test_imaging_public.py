"""The public listener of the world imaging: the archive that the viewer asks, and what is noted of looking at it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from worlds.imaging.conftest import ENVIRONMENTS, Archive

from imaging import orthanc, slides

REPORT = {
    "page": "/microscopy",
    "asked": "",
    "views": [],
    "annotations": [],
    "layout": None,
    "viewports": {},
    "measurements": {},
}


def view(uid: str) -> dict[str, object]:
    """Return a view of a slide, in pixels of its highest magnification."""
    return {"study_uid": uid, "pixel": 2.0, "left": 1000, "right": 3000, "upper": 500, "lower": 1500}


def test_the_list_holds_all_studies(archive: Archive) -> None:
    """Whole slides and radiology, newest first."""
    listed = archive.get("/dicom-web/studies?limit=101&offset=0&fuzzymatching=false").json()
    assert [one["0020000D"]["Value"][0] for one in listed] == list(archive.session.studies)
    assert {"SM"} < {one["00080061"]["Value"][0] for one in listed}


@pytest.mark.parametrize(
    "query",
    [
        "ModalitiesInStudy=SM",
        "PatientID={0.mrn}",
        "00100020={0.mrn}",
        "PatientName=*{0.family}*",
        "StudyDate={0.date}-{0.date}",
        "StudyInstanceUID={0.uid}",
    ],
)
def test_the_list_is_filtered(archive: Archive, query: str) -> None:
    """What does not fit is left out, what fits is not."""
    found = archive.get("/dicom-web/studies?" + query.format(archive.slide)).json()
    uids = {one["0020000D"]["Value"][0] for one in found}
    assert archive.slide.uid in uids
    assert len(uids) < len(archive.session.studies)


def test_a_tile_is_a_jpeg_and_is_noted(archive: Archive) -> None:
    """What was asked for is in the journal with its place on the slide; asking again adds nothing."""
    study = archive.slide
    path = f"/dicom-web/studies/{study.uid}/series/{study.series}/instances/{study.series}.3/frames/2"
    answers = [archive.get(path) for _ in range(2)]
    assert all(b"\xff\xd8\xff" in answer.content for answer in answers)
    (write,) = archive.session.journal
    assert (write["collection"], write["after"]["level"]) == ("tiles", 2)
    assert write["after"]["left"] == pytest.approx(slides.TILE * slides.SPACING[2])


@pytest.mark.parametrize("path", ["1.3/frames/9999", "1.9/frames/1", "1.3/frames/0"])
def test_a_tile_that_is_not_there(archive: Archive, path: str) -> None:
    """It is not found, and nothing is noted."""
    study = archive.slide
    asked = f"/dicom-web/studies/{study.uid}/series/{study.series}/instances/{study.uid}.{path}"
    assert archive.get(asked).status_code == 404
    assert archive.session.journal == []


def test_what_the_viewer_shows_is_noted_in_millimetres(archive: Archive) -> None:
    """A report that says the same again is no write."""
    said = REPORT | {"views": [view(archive.slide.uid)]}
    assert [archive.report(said), archive.report(said)] == [204, 204]
    (write,) = archive.session.journal
    assert write["after"]["study_uid"] == archive.slide.uid
    assert (write["after"]["pixel_mm"], write["after"]["right"]) == (0.002, 3.0)


def test_annotations_come_and_go(archive: Archive) -> None:
    """One that is gone from the viewer is deleted, and its ends were noted from the upper left corner."""
    line = {"uid": "7", "study_uid": archive.slide.uid, "kind": "POLYLINE", "label": ""}
    drawn = line | {"points": [[2.5, 9.0, 0], [3.5, 9.0, 0]]}
    archive.report(REPORT | {"annotations": [drawn]})
    archive.report(REPORT)
    writes = [write for write in archive.session.journal if write["collection"] == "annotations"]
    assert [write["op"] for write in writes] == ["insert", "delete"]
    assert writes[0]["after"]["points"] == [[9.0, 2.5], [9.0, 3.5]]


def test_rubbish_is_no_report(archive: Archive) -> None:
    """What is no report is refused as a whole, changes nothing and is no failure."""
    wrong = [
        *(REPORT | {name: value} for name in REPORT if name != "page" for value in (1, "text", [1])),
        *(dict(list(REPORT.items())[:count]) for count in range(len(REPORT))),
        *([], "text", 7, None, b"\xff", b"{", b"[" * 100_000, b'{"page": NaN}'),
        REPORT | {"views": [view(archive.slide.uid) | {"pixel": "wide"}]},
        REPORT | {"annotations": [{"uid": [], "points": []}]},
        REPORT | {"measurements": {"1": "\ud800"}},
    ]
    accepted = [said for said in wrong if archive.report(said) != 400]
    assert [set(said) - {"asked"} for said in accepted] == [set(REPORT) - {"asked"}] * len(accepted)
    assert archive.session.failures == 0
    json.dumps(archive.session.state(), allow_nan=False, ensure_ascii=False).encode()


def test_no_address_takes_a_report(archive: Archive) -> None:
    """Nothing that a page can ask for takes one, and the settings name no address; rubbish fails nowhere."""
    for path in ("/reading-room/guessed", "/report", f"/sessions/{archive.session.id}/report"):
        for content in (json.dumps(REPORT).encode(), b"\xff{"):
            assert archive.ask("POST", path, content=content).status_code == 405, path
    assert "reading-room" not in archive.get("/app-config.js").text
    assert (archive.session.journal, archive.session.failures) == ([], 0)


def test_rubbish_is_no_structured_report(archive: Archive) -> None:
    """What is posted to the archive and is no report is refused, and no failure of it."""
    for head, content in (
        ("multipart/related; boundary=x", b"--x\r\n\r\nDICM\r\n--x--"),
        ("multipart/related; boundary=x", b"--x\r\n\r\n" + b"\0" * 128 + b"DICM\xff\xff\xff\xff\r\n--x--"),
        ("text/plain", b"\xff" * 100),
        ("multipart/related", b""),
        ("", b"DICM" * 1000),
    ):
        answer = archive.ask("POST", "/dicom-web/studies", content=content, headers={"content-type": head})
        assert answer.status_code == 409, content[:40]
    assert archive.session.failures == 0


def test_nothing_tells_what_is_to_be_found(archive: Archive) -> None:
    """Stain, sizes and counts stand in no answer of the archive."""
    study = archive.slide
    answers = (
        archive.get("/dicom-web/studies").text
        + archive.get(f"/dicom-web/studies/{study.uid}/series").text
        + archive.get(f"/dicom-web/studies/{study.uid}/series/{study.series}/metadata").text
    )
    assert study.uid in answers
    for secret in ("eosin", "DAB", "trichrome", "nodule", "mitos", "ring"):
        assert secret not in answers


def test_pages_of_the_viewer(archive: Archive) -> None:
    """Its routes are its page, its files are served, and nothing outside of its folder is."""
    assert "viewer" in archive.get("/microscopy?StudyInstanceUIDs=1").text
    assert archive.get("/app.js").headers["cross-origin-embedder-policy"] == "require-corp"
    assert archive.get("/missing.js").status_code == 404
    assert archive.get("/..%2f..%2fetc/hosts.txt").status_code == 404


def test_seeds_change_the_archive(archive: Archive, another: Callable[[int], Archive]) -> None:
    """The same seed gives the same fingerprint, another one another."""
    assert another(3).session.fingerprint == archive.session.fingerprint
    assert another(4).session.fingerprint != archive.session.fingerprint


def test_a_missing_orthanc_is_told_with_what_to_type(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Also where the program is there, but its plugin is not."""
    monkeypatch.setattr(orthanc, "PLUGIN", tmp_path / "none.so")
    with pytest.raises(orthanc.MissingOrthanc, match="type: apt-get install orthanc orthanc-dicomweb"):
        orthanc.find_orthanc()


def test_an_offset_that_is_no_number(archive: Archive) -> None:
    """It is refused, and no failure of the archive."""
    assert archive.get("/dicom-web/studies?offset=first").status_code == 400
    assert archive.session.failures == 0


def test_a_missing_viewer_is_told_with_what_to_type(tmp_path: Path) -> None:
    """The first line of the program names the command, and nothing is served."""
    places = os.pathsep.join(str(ENVIRONMENTS / name) for name in ("imaging", "kit"))
    ended = subprocess.run(
        [sys.executable, "-m", "imaging", "--control", str(tmp_path / "control")],
        env={**os.environ, "PYTHONPATH": places, "XDG_CACHE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    said = json.loads(ended.stdout)
    assert (said["ready"], ended.returncode) == (False, 3)
    assert said["missing"].endswith("type: scripts/install-clinical")
