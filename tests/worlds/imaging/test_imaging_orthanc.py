"""The same questions to both archives behind the public listener: the embedded one and Orthanc answer the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from worlds.imaging.conftest import Archive
from worlds.imaging.test_imaging_second_series import length

from imaging import orthanc, radiology, sessions
from imaging.public import Public
from imaging.sessions import Sessions

HELD = ("abdomen", "liver", "companion")
FEW = "few"  # an application with a few of the studies of a seed


def lacking() -> str:
    """Return what is not installed; nothing if all is."""
    try:
        orthanc.find_orthanc()
    except orthanc.MissingOrthanc as missing:
        return str(missing)
    return ""


pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(lacking()), reason=lacking())]


@pytest.fixture(scope="module", autouse=True)
def few() -> Iterator[None]:
    """An application with fewer studies, which are made sooner."""

    def studies(seed: int) -> list[radiology.Study]:
        return [study for study in radiology.archive(seed) if study.story in HELD]

    sessions.ARCHIVES[FEW] = studies
    yield
    del sessions.ARCHIVES[FEW]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Archive]]:
    """Opens sessions of one seed with the archive of this name."""
    folder = tmp_path_factory.mktemp("viewer")
    (folder / "index.html").write_text("<title>viewer</title>")
    both = {"embedded": Public(Sessions(), folder)}
    if not lacking():
        both["orthanc"] = Public(Sessions(orthanc.Orthancs(orthanc.find_orthanc(), folder)), folder)
    yield lambda name: Archive(both[name], both[name].sessions.open(FEW, 3))
    for public in both.values():
        for session in list(public.sessions.by_id.values()):
            public.sessions.close(session)


@pytest.fixture(scope="module")
def embedded(opened: Callable[[str], Archive]) -> Archive:
    """The embedded archive."""
    return opened("embedded")


@pytest.fixture(scope="module", params=["embedded", "orthanc"])
def archive(request: pytest.FixtureRequest, opened: Callable[[str], Archive]) -> Archive:
    """One of the two archives."""
    return opened(request.param)


def study_of(embedded: Archive, story: str) -> radiology.Study:
    """Return a study that both archives hold."""
    study = next(one for one in embedded.session.studies.values() if getattr(one, "story", "") == story)
    assert isinstance(study, radiology.Study)
    return study


def values(rows: list[dict[str, Any]], *tags: str) -> list[list[Any]]:
    """Return what rows say under some tags, in an order of its own."""
    return sorted([[row[tag]["Value"] for tag in tags] for row in rows], key=str)


@pytest.mark.parametrize(
    "query",
    [
        "includefield=00081030%2C00080060",
        "PatientID={0.mrn}",
        "PatientName=*{0.family}*",
        "PatientName=%2A{0.family}%5E{0.given}%2A",
        "StudyDate={0.date}",
        "StudyDescription=CT%20Abdomen",
        "StudyInstanceUID={0.uid}",
    ],
)
def test_the_list(archive: Archive, embedded: Archive, query: str) -> None:
    """The same studies fit a query."""
    fields = "" if "includefield" in query else "&includefield=00081030"
    asked = "/dicom-web/studies?limit=101&" + query.format(study_of(embedded, "abdomen")) + fields
    tags = ("0020000D", "00080020", "00100010", "00081030")
    wanted = values(embedded.get(asked).json(), *tags)
    assert wanted
    assert values(archive.get(asked).json(), *tags) == wanted


def test_the_series_of_a_study(archive: Archive) -> None:
    """Images and outlines, with as many instances."""
    rows = archive.ask(
        "GET", f"/dicom-web/studies/{study_of(archive, 'abdomen').uid}/series?includefield=00201209"
    ).json()
    images = study_of(archive, "abdomen").kind.slices
    assert [one[0] for one in values(rows, "00080060")] == [["CT"], ["SEG"]]
    assert sorted(int(row["00201209"]["Value"][0]) for row in rows) == [1, images]


def test_the_metadata_of_a_series(archive: Archive) -> None:
    """Where each image lies, how wide a pixel is, and the window that it comes with."""
    study = study_of(archive, "liver")
    rows = archive.get(f"/dicom-web/studies/{study.uid}/series/{study.series}/metadata").json()
    tags = ("00080018", "00200032", "00280030", "00281050", "00281051", "00280010")
    assert values(rows, *tags) == values(study.instances, *tags)


def test_the_pixels_of_an_image(archive: Archive) -> None:
    """The very bytes, in one part."""
    study = study_of(archive, "abdomen")
    path = f"/dicom-web/studies/{study.uid}/series/{study.series}/instances/{study.series}.7/frames/1"
    kinds = "multipart/related; type=application/octet-stream; transfer-syntax=*"
    assert study.frame(6) in archive.get(path, headers={"accept": kinds}).content  # type: ignore[operator]


def test_the_file_of_the_outlines(archive: Archive) -> None:
    """One part, which begins as a DICOM file does."""
    study = study_of(archive, "abdomen")
    path = f"/dicom-web/studies/{study.uid}/series/{study.uid}.2/instances/{study.uid}.2.1"
    answer = archive.get(path, headers={"accept": 'multipart/related; type="application/dicom"'})
    assert answer.content.count(b"DICM") == 1
    assert b"Organs" in answer.content


def store(archive: Archive) -> httpx.Response:
    """Return the answer to a report on the liver that is stored."""
    study = study_of(archive, "liver")
    kinds = {
        "content-type": 'multipart/related; type="application/dicom"; boundary=part',
        "accept": "application/dicom+json",
    }
    file = length(study.uid, f"{study.series}.3")
    body = b"--part\r\nContent-Type: application/dicom\r\n\r\n" + file + b"\r\n--part--\r\n"
    return archive.ask("POST", "/dicom-web/studies", content=body, headers=kinds)


def modalities(archive: Archive) -> list[str]:
    """Return those of the series of the liver."""
    series = archive.get(f"/dicom-web/studies/{study_of(archive, 'liver').uid}/series").json()
    return [one[0][0] for one in values(series, "00080060")]


@pytest.mark.parametrize("name", ["embedded", "orthanc"])
def test_a_report_that_is_stored(opened: Callable[[str], Archive], name: str) -> None:
    """It is a further series of the study afterwards, in this session alone."""
    archive, later = opened(name), opened(name)
    stored = store(archive)
    assert stored.status_code == 200
    assert stored.json()["00081199"]["Value"][0]["00081155"]["Value"] == ["2.25.77"]
    assert modalities(archive) == ["MR", "SR"]
    assert [row["collection"] for row in archive.session.journal] == ["reports"]
    assert modalities(later) == modalities(opened(name)) == ["MR"]
    assert later.session.journal == []


def test_nothing_is_deleted_or_replaced(archive: Archive) -> None:
    """What is no reading and no report is refused at the door."""
    study = study_of(archive, "abdomen")
    assert archive.ask("DELETE", f"/dicom-web/studies/{study.uid}").status_code == 405
    file = next(study.files())
    head = {"content-type": 'multipart/related; type="application/dicom"; boundary=part'}
    body = b"--part\r\nContent-Type: application/dicom\r\n\r\n" + file + b"\r\n--part--\r\n"
    assert archive.ask("POST", "/dicom-web/studies", content=body, headers=head).status_code == 409
    assert archive.get("/instances").headers["content-type"].startswith("text/html")  # the viewer's page


def test_orthanc_asks_for_a_password(tmp_path: Path) -> None:
    """Who finds its port reads nothing; once it is stopped, nobody answers there."""
    running = orthanc.run(orthanc.find_orthanc(), tmp_path / "archive", "KILL")
    assert httpx.get(f"{running.address}/system").status_code == 401
    assert httpx.get(f"{running.address}/system", auth=running.login).status_code == 200
    running.stop()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{running.address}/system")
