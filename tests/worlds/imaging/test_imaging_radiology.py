"""Radiology in the world imaging: the list, the images and their lesions, and what is noted of the viewer."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from breadth import first
from worlds.imaging.conftest import Archive

from imaging import radiology
from imaging.phantoms import KINDS, SIZE

KEPT = {"page": "/viewer", "asked": "", "views": [], "annotations": []}
SHOWN = {"layout": {"rows": 1, "columns": 2}, "viewports": {"left": {"study_uid": "1.2", "image": 3}}}
LINE = {
    "study_uid": "1.2",
    "image_uid": "1.2.1.3",
    "tool": "Length",
    "label": "",
    "points": [[0, 0, 0], [9, 0, 0]],
}


@pytest.fixture
def room(archive: Archive) -> Archive:
    """The archive of the radiology workstation at the same listener."""
    return Archive(archive.public, archive.public.sessions.open("pacs_radiology", 3))


def told(room: Archive, **said: object) -> int:
    """Return the status of a report of the probe."""
    nothing = {name: {} for name in ("viewports", "measurements", "segmentations")}
    report = KEPT | {"layout": None} | nothing | said
    return room.report(report)


@pytest.mark.parametrize("seed", first(12))
def test_thirty_studies_with_names_that_are_alike(seed: int) -> None:
    """Each story has one study, and each of those a twin of the same family and examination with another name."""
    studies = radiology.archive(seed)
    stories = Counter(study.story for study in studies)
    assert len(studies) == len({study.uid for study in studies}) == radiology.STUDIES
    assert {
        stories[name] for name in ("chest", "neck", "abdomen", "liver", "head", "prior", "companion")
    } == {1}
    for twin in (study for study in studies if study.story == "twin"):
        first = next(study for study in studies if study.uid == twin.alike)
        assert (first.family, first.kind) == (twin.family, twin.kind)
        assert first.given != twin.given


@pytest.mark.parametrize("seed", first(12))
def test_no_row_of_the_list_can_be_taken_for_another(seed: int) -> None:
    """Name, date and description tell studies apart, as the list shows no more."""
    rows = Counter(
        (study.family, study.given, study.date, study.description) for study in radiology.archive(seed)
    )
    assert set(rows.values()) == {1}


@pytest.mark.parametrize("seed", first(12))
def test_a_nodule_has_changed_since_the_prior(seed: int) -> None:
    """By more than a line may be wrong."""
    now, then = (next(s for s in radiology.archive(seed) if s.story == story) for story in ("chest", "prior"))
    assert now.lesion
    assert then.lesion
    assert now.date > then.date
    assert abs(now.lesion.mm - then.lesion.mm) > 5


@pytest.mark.parametrize("key", ["chest", "abdomen", "neck", "head", "liver", "brain"])
def test_a_lesion_is_as_large_as_the_archive_says(key: str) -> None:
    """Along its middle row the values differ from the healthy body over its diameter, within a pixel at each end."""
    kind = KINDS[key]
    x, y = kind.sites[0]
    lesion = radiology.Lesion(x, y, kind.slices // 2, 18)
    sick, healthy = (
        np.frombuffer(radiology.pixels(key, 5, one, lesion.slice), "<i2").reshape(SIZE, SIZE).astype(int)
        for one in (lesion, None)
    )
    across = np.flatnonzero(sick[round(y)] != healthy[round(y)])
    assert (across[-1] - across[0] + 1) * kind.spacing == pytest.approx(
        lesion.mm, abs=(2 + 2 * kind.edge) * kind.spacing
    )


def test_an_image_comes_with_all_its_pixels(room: Archive) -> None:
    """As 16-bit values in one part; there is none beyond the last."""
    study = next(study for study in room.session.studies.values() if study.modality == "MR")
    path = f"/dicom-web/studies/{study.uid}/series/{study.series}/instances/{study.series}"
    answer = room.get(f"{path}.1/frames/1")
    assert answer.headers["content-type"].startswith("multipart/related")
    assert len(answer.content) >= 2 * SIZE * SIZE
    assert room.get(f"{path}.999/frames/1").status_code == 404


def test_what_the_viewer_shows_and_measures_is_noted(room: Archive) -> None:
    """Each row as it is, and what is removed again stays in the journal."""
    assert told(room, **SHOWN, measurements={"a": LINE}) == 204
    state = room.session.state()["collections"]
    assert state["layout"]["now"] == SHOWN["layout"]
    assert state["viewports"] == SHOWN["viewports"]
    assert state["measurements"] == {"a": LINE}
    told(room, **SHOWN)
    ops = [write["op"] for write in room.session.journal if write["collection"] == "measurements"]
    assert ops == ["insert", "delete"]


def test_the_list_does_not_tell_what_is_in_the_images(room: Archive) -> None:
    """Neither places nor sizes of lesions are in what the viewer is told."""
    study = next(study for study in room.session.studies.values() if getattr(study, "story", "") == "chest")
    known = json.dumps([study.elements, study.instances])
    assert not any(word in known for word in ("lesion", "nodule", "chest_story", '"mm"'))
    assert study.truth()["mm"] == study.lesion.mm
