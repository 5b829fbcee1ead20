"""Second series in the world imaging: outlines of organs that come with a study, and reports that are stored on it."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from breadth import first
from pydicom import Dataset, dcmread
from worlds.imaging.conftest import Archive

from imaging import part10, radiology, segmentations
from imaging.elements import code, el
from imaging.phantoms import SIZE, outline
from imaging.public import Public
from imaging.sessions import Sessions

COMPREHENSIVE_SR = "1.2.840.10008.5.1.4.1.1.88.33"


@pytest.fixture
def reading(tmp_path: Path) -> Archive:
    """An archive of radiology."""
    sessions = Sessions()
    return Archive(Public(sessions, tmp_path), sessions.open("pacs_radiology", 3))


def told(reading: Archive, story: str) -> tuple[radiology.Study, dict[str, Any]]:
    """Return the study of a story, and what is true of it."""
    study = next(one for one in reading.session.studies.values() if getattr(one, "story", "") == story)
    assert isinstance(study, radiology.Study)
    return study, study.truth()


def sent(reading: Archive, file: bytes) -> int:
    """Return the status of storing a file."""
    head = {"content-type": 'multipart/related; type="application/dicom"; boundary=part'}
    body = b"--part\r\nContent-Type: application/dicom\r\n\r\n" + file + b"\r\n--part--\r\n"
    return reading.ask("POST", "/dicom-web/studies", content=body, headers=head).status_code


def length(study_uid: str, image_uid: str, kind: str = COMPREHENSIVE_SR) -> bytes:
    """Return a file of one length of 20.5 mm, from pixel (10, 20) to (30, 20)."""
    place = {
        "0040A040": el("CS", "SCOORD"),
        "00700022": el("FL", 10, 20, 30, 20),
        "00700023": el("CS", "POLYLINE"),
        "0040A730": el("SQ", {"00081199": el("SQ", {"00081155": el("UI", image_uid)})}),
    }
    unit = el("SQ", code("mm", "UCUM", "mm"))
    number = {
        "0040A040": el("CS", "NUM"),
        "0040A043": el("SQ", code("410668003", "SCT", "Length")),
        "0040A300": el("SQ", {"0040A30A": el("DS", 20.5), "004008EA": unit}),
        "0040A730": el("SQ", place),
    }
    group = {"0040A040": el("CS", "CONTAINER"), "0040A730": el("SQ", number)}
    held = {
        "00080016": el("UI", kind),
        "00080018": el("UI", "2.25.77"),
        "00080060": el("CS", "SR"),
        "0008103E": el("LO", "First reading"),
        "0020000D": el("UI", study_uid),
        "0020000E": el("UI", "2.25.7"),
        "00200011": el("IS", 9),
        "0040A730": el("SQ", group),
    }
    return part10.written(held)


def test_metadata_goes_by_series(reading: Archive) -> None:
    """A study with outlines has two; the series of its images has one instance for each image."""
    study, truth = told(reading, "abdomen")
    series = reading.get(f"/dicom-web/studies/{study.uid}/series").json()
    assert [one["00080060"]["Value"] for one in series] == [["CT"], ["SEG"]]
    counts = []
    for one in series:
        uid = one["0020000E"]["Value"][0]
        counts.append(len(reading.get(f"/dicom-web/studies/{study.uid}/series/{uid}/metadata").json()))
    assert counts == [truth["images"], 1]
    assert reading.get(f"/dicom-web/studies/{study.uid}/series/1.2.3/metadata").status_code == 404


@pytest.mark.parametrize("seed", first(12))
def test_one_outline_lies_beside_its_organ(seed: int) -> None:
    """All others lie on theirs, in every image, and none is hidden by another."""
    for study in radiology.archive(seed):
        if not study.segments:
            continue
        held = dcmread(io.BytesIO(study.whole(f"{study.uid}.2.1") or b""))
        masks = held.pixel_array.reshape(len(study.segments), study.kind.slices, SIZE, SIZE).astype(bool)
        names = [one.SegmentLabel for one in held.SegmentSequence]
        assert names == study.truth()["segments"]
        for name, mask in zip(names, masks, strict=True):
            organ = outline("abdomen", study.variation, 9, segmentations._ORGANS[name][0])
            covered = (mask[9] & organ).sum() / organ.sum()
            assert (covered < 0.25) if name == study.truth()["misplaced"] else (covered > 0.6), (
                name,
                covered,
            )
            assert mask.any(axis=(1, 2)).all()


def test_nothing_tells_what_is_to_be_found(reading: Archive) -> None:
    """Neither lesions nor the misplaced outline stand in an answer of the archive."""
    answers = reading.get("/dicom-web/studies").text
    for uid in reading.session.studies:
        for one in reading.get(f"/dicom-web/studies/{uid}/series").json():
            answers += reading.get(
                f"/dicom-web/studies/{uid}/series/{one['0020000E']['Value'][0]}/metadata"
            ).text
    for secret in ("misplaced", "lesion", "story", "twin"):
        assert secret not in answers


def test_a_stored_report_is_part_of_the_study(reading: Archive) -> None:
    """It is in the state with what it measures, listed as a series, and handed out as it was sent."""
    study, _ = told(reading, "neck")
    file = length(study.uid, f"{study.series}.5")
    assert sent(reading, file) == 200
    (row,) = reading.session.state()["collections"]["reports"].values()
    line = {"what": "Length", "value": 20.5, "unit": "mm", "image_uid": f"{study.series}.5"}
    assert row == {
        "study_uid": study.uid,
        "title": "First reading",
        "lines": [line | {"pixels": [[10.0, 20.0], [30.0, 20.0]]}],
    }
    series = reading.get(f"/dicom-web/studies/{study.uid}/series").json()
    assert [one["00080060"]["Value"][0] for one in series] == ["CT", "SR"]
    assert file in reading.get(f"/dicom-web/studies/{study.uid}/series/2.25.7/instances/2.25.77").content


@pytest.mark.parametrize("what", ["another class", "a study of elsewhere", "no DICOM"])
def test_only_reports_on_studies_of_the_archive_are_kept(reading: Archive, what: str) -> None:
    """Anything else is refused, and nothing has changed."""
    study, _ = told(reading, "neck")
    files = {
        "another class": length(study.uid, "1.2", segmentations.STORAGE),
        "a study of elsewhere": length("1.2.3", "1.2"),
        "no DICOM": b"nothing",
    }
    assert sent(reading, files[what]) == 409
    assert (reading.session.journal, reading.session.failures) == ([], 0)


def test_a_file_is_read_as_it_was_written() -> None:
    """The elements that an instance is made of."""
    held = part10.read(length("1.2.3", "1.2"))
    assert isinstance(held, Dataset)
    assert (held.StudyInstanceUID, held.SeriesDescription) == ("1.2.3", "First reading")
