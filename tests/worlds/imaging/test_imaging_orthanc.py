"""The same questions to the embedded archive and to Orthanc, which holds the same files: both answer the same."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from worlds.imaging.conftest import Archive
from worlds.imaging.test_imaging_second_series import length

from imaging import radiology
from imaging.public import Public
from imaging.sessions import Sessions

ORTHANC = shutil.which("Orthanc", path="/usr/sbin:/usr/bin")
PLUGIN = Path("/usr/share/orthanc/plugins/libOrthancDicomWeb.so")
HELD = ("abdomen", "liver", "companion")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        ORTHANC is None or not PLUGIN.exists(),
        reason="Orthanc is not installed; type: apt-get install orthanc orthanc-dicomweb",
    ),
]
Ask = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """The embedded archive, with a few of the studies of a seed."""
    sessions = Sessions()
    archive = Archive(Public(sessions, tmp_path_factory.mktemp("viewer")), sessions.open("pacs_radiology", 3))
    kept = archive.session.studies
    for uid, study in list(kept.items()):
        if not isinstance(study, radiology.Study) or study.story not in HELD:
            del kept[uid]
    return archive


@pytest.fixture(scope="module")
def orthanc(embedded: Archive, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Orthanc, with the files of the same studies."""
    folder = tmp_path_factory.mktemp("orthanc")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "HttpPort": port,
        "DicomServerEnabled": False,
        "RemoteAccessAllowed": False,
        "StorageDirectory": str(folder / "storage"),
        "Plugins": [str(PLUGIN)],
        "DicomWeb": {"Enable": True},
    }
    (folder / "orthanc.json").write_text(json.dumps(settings))
    program = subprocess.Popen(
        [str(ORTHANC), str(folder / "orthanc.json")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            _wait(client)
            for study in embedded.session.studies.values():
                assert isinstance(study, radiology.Study)
                for one in study.instances:
                    file = study.whole(one["00080018"]["Value"][0])
                    assert client.post("/instances", content=file).json()["Status"] == "Success"
            yield client
    finally:
        program.terminate()
        program.wait(30)


def _wait(client: httpx.Client) -> None:
    for _ in range(300):
        try:
            client.get("/system")
        except httpx.TransportError:
            time.sleep(0.2)
        else:
            return
    pytest.fail("Orthanc did not start")


@pytest.fixture(params=["embedded", "orthanc"])
def ask(request: pytest.FixtureRequest, embedded: Archive, orthanc: httpx.Client) -> Ask:
    """What asks one of the two archives."""
    return {"embedded": embedded.ask, "orthanc": orthanc.request}[request.param]


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
    ["", "PatientID={0.mrn}", "PatientName=*{0.family}*", "StudyDate={0.date}", "StudyInstanceUID={0.uid}"],
)
def test_the_list(ask: Ask, embedded: Archive, query: str) -> None:
    """The same studies fit a query."""
    asked = "/dicom-web/studies?limit=101&" + query.format(study_of(embedded, "abdomen"))
    wanted = values(embedded.get(asked).json(), "0020000D", "00080020", "00100010")
    assert wanted
    assert values(ask("GET", asked).json(), "0020000D", "00080020", "00100010") == wanted


def test_the_series_of_a_study(ask: Ask, embedded: Archive) -> None:
    """Images and outlines, with as many instances."""
    rows = ask(
        "GET", f"/dicom-web/studies/{study_of(embedded, 'abdomen').uid}/series?includefield=00201209"
    ).json()
    images = study_of(embedded, "abdomen").kind.slices
    assert [one[0] for one in values(rows, "00080060")] == [["CT"], ["SEG"]]
    assert sorted(int(row["00201209"]["Value"][0]) for row in rows) == [1, images]


def test_the_metadata_of_a_series(ask: Ask, embedded: Archive) -> None:
    """Where each image lies, how wide a pixel is, and the window that it comes with."""
    study = study_of(embedded, "liver")
    rows = ask("GET", f"/dicom-web/studies/{study.uid}/series/{study.series}/metadata").json()
    tags = ("00080018", "00200032", "00280030", "00281050", "00281051", "00280010")
    assert values(rows, *tags) == values(study.instances, *tags)


def test_the_pixels_of_an_image(ask: Ask, embedded: Archive) -> None:
    """The very bytes, in one part."""
    study = study_of(embedded, "abdomen")
    path = f"/dicom-web/studies/{study.uid}/series/{study.series}/instances/{study.series}.7/frames/1"
    kinds = "multipart/related; type=application/octet-stream; transfer-syntax=*"
    assert study.frame(6) in ask("GET", path, headers={"accept": kinds}).content  # type: ignore[operator]


def test_the_file_of_the_outlines(ask: Ask, embedded: Archive) -> None:
    """One part, which begins as a DICOM file does."""
    study = study_of(embedded, "abdomen")
    path = f"/dicom-web/studies/{study.uid}/series/{study.uid}.2/instances/{study.uid}.2.1"
    answer = ask("GET", path, headers={"accept": 'multipart/related; type="application/dicom"'})
    assert answer.content.count(b"DICM") == 1
    assert b"Organs" in answer.content


def test_a_report_that_is_stored(ask: Ask, embedded: Archive) -> None:
    """It is a further series of the study afterwards."""
    study = study_of(embedded, "liver")
    head = {"content-type": 'multipart/related; type="application/dicom"; boundary=part'}
    file = length(study.uid, f"{study.series}.3")
    body = b"--part\r\nContent-Type: application/dicom\r\n\r\n" + file + b"\r\n--part--\r\n"
    stored = ask(
        "POST", "/dicom-web/studies", content=body, headers=head | {"accept": "application/dicom+json"}
    )
    assert stored.status_code == 200
    assert stored.json()["00081199"]["Value"][0]["00081155"]["Value"] == ["2.25.77"]
    series = ask("GET", f"/dicom-web/studies/{study.uid}/series").json()
    assert [one[0] for one in values(series, "00080060")] == [["MR"], ["SR"]]
