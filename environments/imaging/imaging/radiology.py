"""Studies of radiology, made from a seed: thirty in the list, some of people whose names are alike."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from imaging import part10, segmentations, studies
from imaging.elements import Elements, el
from imaging.phantoms import KINDS, SIZE, Kind, Lesion, pixels
from imaging.segmentations import Segment
from imaging.studies import ALIKE, FIRST_DAY, GIVEN, ROOT, new_mrn, newest_first

STUDIES = 30
_CLASSES = {
    "CT": "1.2.840.10008.5.1.4.1.1.2",
    "MR": "1.2.840.10008.5.1.4.1.1.4",
    "CR": "1.2.840.10008.5.1.4.1.1.1",
}
_FAMILIES = (
    "Adler", "Brandt", "Carlsen", "Delgado", "Engel", "Fontaine", "Gruber", "Holm", "Ivanov", "Jensen", "Kovacs",
    "Larsen", "Meyer", "Nowak", "Olsen", "Petit", "Quist", "Rossi", "Silva", "Torres",
)  # fmt: skip
_ALIKE = (*ALIKE.items(), ("Jon", "John"), ("Erik", "Eric"), ("Stefan", "Stephan"), ("Marc", "Mark"))
_GIVEN = sorted((*GIVEN, "Greta", "Olga", "Paula", "Rosa", "Tilda"))
_WITH_A_TWIN = ("chest", "neck", "abdomen", "liver", "head")


@dataclass(frozen=True, kw_only=True)
class Study(studies.Study):
    """One study: a series of images, and where organs were outlined, a second one of the outlines.

    Attributes:
        story: What it is in the list for: a kind of examination, its `twin` under a like name, `prior`, or `other`.
        segments: The outlines of organs.
    """

    kind: Kind
    variation: int
    lesion: Lesion | None
    story: str
    segments: tuple[Segment, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """Its images, and the one instance that holds all outlines."""
        images = {self.modality: self.kind.slices}
        return images | {segmentations.MODALITY: 1} if self.segments else images

    @property
    def instances(self) -> list[Elements]:
        """The metadata of its images, and of their segmentation."""
        images = [self._instance(number) for number in range(self.kind.slices)]
        return [*images, segmentations.metadata(images, self.segments)] if self.segments else images

    def whole(self, uid: str) -> bytes | None:
        """Return an instance as a file; None if the study has no such instance."""
        for number, elements in enumerate(self.instances):
            if elements["00080018"]["Value"] == [uid]:
                return self._file(number, elements)
        return None

    def files(self) -> Iterator[bytes]:
        """Yield all its instances as files."""
        for number, elements in enumerate(self.instances):
            yield self._file(number, elements)

    def _file(self, number: int, elements: Elements) -> bytes:
        masks = self.frame(number) or segmentations.pixels(self.variation, self.segments)
        return part10.written(elements, masks)

    def _instance(self, number: int) -> Elements:
        kind = self.kind
        return self.elements | {
            "00080008": el("CS", "ORIGINAL", "PRIMARY", "AXIAL"),
            "00080016": el("UI", _CLASSES[self.modality]),
            "00080018": el("UI", f"{self.series}.{number + 1}"),
            "00080060": el("CS", self.modality),
            "00080021": el("DA", self.date),
            "00080031": el("TM", self.time),
            "00083002": el("UI", "1.2.840.10008.1.2.1"),
            "0008103E": el("LO", kind.name),
            "00180015": el("CS", kind.part),
            "00180050": el("DS", kind.step),
            "0020000E": el("UI", self.series),
            "00200011": el("IS", 1),
            "00200013": el("IS", number + 1),
            "00200032": el("DS", 0, 0, -number * kind.step),
            "00200037": el("DS", 1, 0, 0, 0, 1, 0),
            "00200052": el("UI", f"{self.uid}.9"),
            "00280002": el("US", 1),
            "00280004": el("CS", "MONOCHROME2"),
            "00280010": el("US", SIZE),
            "00280011": el("US", SIZE),
            "00280030": el("DS", kind.spacing, kind.spacing),
            "00280100": el("US", 16),
            "00280101": el("US", 16),
            "00280102": el("US", 15),
            "00280103": el("US", 1),
            "00281050": el("DS", kind.window[1]),
            "00281051": el("DS", kind.window[0]),
            "00281052": el("DS", 0),
            "00281053": el("DS", 1),
        }  # fmt: skip

    def frame(self, number: int) -> bytes | None:
        """Return the pixels of an image, counted from 0; None if there is no such image."""
        if not 0 <= number < self.kind.slices:
            return None
        return pixels(self.kind.key, self.variation, self.lesion, number)

    def truth(self) -> dict[str, Any]:
        """Return what is in its images; places in millimetres, as the viewer counts them."""
        kind, lesion = self.kind, self.lesion
        row: dict[str, Any] = {
            "study_uid": self.uid,
            "story": self.story,
            "kind": kind.key,
            "images": kind.slices,
        }
        row |= {"part": kind.part, "series_uid": self.series, "extent": SIZE * kind.spacing}
        if self.segments:
            row |= {
                "segments": [one.name for one in self.segments],
                "misplaced": segmentations.misplaced(self.segments),
            }
        if lesion is not None:
            row |= {"x": lesion.x * kind.spacing, "y": lesion.y * kind.spacing, "mm": lesion.mm}
            row |= {"image": lesion.slice + 1, "side": "right" if lesion.x < SIZE / 2 else "left"}
        return row


@lru_cache(maxsize=64)
def archive(seed: int) -> tuple[Study, ...]:
    """Return the studies of a seed, newest first."""
    return newest_first(_made(Random(seed), seed))  # noqa: S311 - repeatable on purpose


def _made(random: Random, seed: int) -> Iterator[Study]:
    families = random.sample(_FAMILIES, len(_FAMILIES))
    days = random.sample(range(150), STUDIES)
    uids = random.sample(range(10**6, 10**7), STUDIES)
    made = 0

    def study(
        family: str, given: str, mrn: str, key: str, lesion: Lesion | None, story: str, alike: str = ""
    ) -> Study:
        nonlocal made
        day, number = days[made], uids[made]
        made += 1
        date = FIRST_DAY + datetime.timedelta(days=day - (200 if story == "prior" else 0))
        outlined = key == "abdomen" and story in (key, "twin")
        kind = KINDS[key]
        return Study(
            uid=f"{ROOT}.1403.{seed}.{number}",
            family=family,
            given=given,
            mrn=mrn,
            date=f"{date:%Y%m%d}",
            accession=f"R{date:%y}-{number % 10**4:04d}",
            description=kind.description,
            modality=kind.modality,
            alike=alike,
            kind=kind,
            variation=number,
            lesion=lesion,
            story=story,
            segments=segmentations.drawn(random) if outlined else (),
        )

    pairs = random.sample(_ALIKE, len(_WITH_A_TWIN))
    for family, names, key in zip(families, pairs, _WITH_A_TWIN, strict=False):
        given, other = random.sample(names, 2)
        mrn = new_mrn(random)
        lesion = _lesion(random, key)
        one = study(family, given, mrn, key, lesion, key)
        yield one
        yield study(family, other, new_mrn(random), key, _lesion(random, key), "twin", one.uid)
        if key == "chest":
            change = random.choice((-6, 6)) if lesion.mm > 18 else 6
            before = Lesion(lesion.x, lesion.y, lesion.slice, lesion.mm + change)
            yield study(family, given, mrn, key, before, "prior", one.uid)
        elif key == "liver":
            yield study(family, given, mrn, "abdomen", _lesion(random, "abdomen"), "companion", one.uid)
    while made < STUDIES:
        key = random.choice(sorted(KINDS))
        family, given = random.choice(families[len(_WITH_A_TWIN) :]), random.choice(_GIVEN)
        mrn = new_mrn(random)
        finding = _lesion(random, key) if random.random() < 0.5 else None
        yield study(family, given, mrn, key, finding, "other")


def _lesion(random: Random, key: str) -> Lesion:
    kind = KINDS[key]
    x, y = random.choice(kind.sites)
    middle = random.randint(kind.slices // 3, 2 * kind.slices // 3)
    widest = 18 if kind.spacing < 1 else 26
    return Lesion(x, y, middle, random.randint(widest - 6, widest))
