"""Studies of pathology, made from a seed: whole slides, among radiology of the same and other people."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from imaging import slides, studies
from imaging.elements import Elements
from imaging.microscopy import MODALITY, level
from imaging.slides import Nodule, Slide
from imaging.studies import ALIKE, FIRST_DAY, GIVEN, ROOT, new_mrn, newest_first

_FAMILIES = (
    *("Abbott", "Bauer", "Castillo", "Dufour", "Eriksen", "Ferrari", "Grant", "Haas"),
    *("Ibsen", "Jansen", "Keller", "Lindqvist", "Moreau", "Novak", "Okafor"),
)
_ALIKE = ALIKE | {"Greta": "Greti"}
_GIVEN = (*sorted(_ALIKE), *GIVEN)
USUAL = "hematoxylin and eosin"
_DIAMETERS = (2.2, 2.6, 3.0, 3.4, 3.8)  # of the largest tumour, in millimetres
_SPECIMENS = (
    "Colon, resection",
    "Breast, excision",
    "Kidney, biopsy",
    "Thyroid, lobectomy",
    "Liver, wedge biopsy",
)
_RADIOLOGY = (
    ("CT", "CT Chest"),
    ("CT", "CT Abdomen"),
    ("MR", "MR Brain"),
    ("CR", "Chest PA"),
    ("MR", "MR Liver"),
    ("US", "US Thyroid"),
)


@dataclass(frozen=True, kw_only=True)
class Study(studies.Study):
    """One study in the list; `slide` is None for radiology, which is listed without images."""

    slide: Slide | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        """One series, of as many instances as a slide has magnifications."""
        return {self.modality: len(slides.SPACING) if self.slide else 1}

    @property
    def instances(self) -> list[Elements]:
        """The metadata of its images, the highest magnification first."""
        if self.slide is None:
            return []
        levels = reversed(range(len(slides.SPACING)))
        return [level(self.elements, self.series, self.slide, number) for number in levels]


@lru_cache(maxsize=64)
def archive(seed: int) -> tuple[Study, ...]:
    """Return the studies of a seed, newest first."""
    random = Random(seed)  # noqa: S311 - repeatable on purpose
    families = random.sample(_FAMILIES, 9)
    made: list[Study] = []
    stains = random.sample(sorted(slides.STAINS), 3)
    for number, stain in enumerate((USUAL, *stains)):
        given = random.choice(sorted(_ALIKE)) if number == 0 else random.choice(_GIVEN)
        made.append(_slide_study(random, seed, len(made), families[number], given, stain))
    first = made[0]
    assert first.slide is not None
    alike = _slide_study(random, seed, len(made), first.family, _ALIKE[first.given], USUAL, first.slide)
    assert alike.slide is not None
    same = replace(alike.slide, glands=first.slide.glands)
    made.append(replace(alike, description=first.description, slide=same, alike=first.uid))
    for given in random.sample(_GIVEN, random.randint(0, 2)):
        made.append(_slide_study(random, seed, len(made), families[4], given, USUAL))
    people = [(study.family, study.given, study.mrn) for study in made[:3]]
    people += [(family, random.choice(_GIVEN), new_mrn(random)) for family in families[5:]]
    for family, given, mrn in people:
        modality, description = random.choice(_RADIOLOGY)
        made.append(_study(random, seed, len(made), family, given, mrn, modality, description))
    return newest_first(made)


def _study(
    random: Random, seed: int, number: int, family: str, given: str, mrn: str, modality: str, description: str
) -> Study:
    date = FIRST_DAY + datetime.timedelta(days=number * 3 + random.randint(0, 2))
    return Study(
        uid=f"{ROOT}.1402.{seed}.{random.randint(10**6, 10**7)}",
        family=family,
        given=given,
        mrn=mrn,
        date=date.strftime("%Y%m%d"),
        accession=f"{'S' if modality == MODALITY else 'R'}31-{random.randint(1000, 9999)}",
        description=description,
        modality=modality,
    )


def _slide_study(
    random: Random, seed: int, number: int, family: str, given: str, stain: str, unlike: Slide | None = None
) -> Study:
    """Make a study of one slide, whose largest tumour differs in size from the one on the slide `unlike`."""
    taken = unlike.nodules[0].diameter if unlike else None
    diameter = random.choice([one for one in _DIAMETERS if one != taken])
    description = random.choice(_SPECIMENS)
    study = _study(random, seed, number, family, given, new_mrn(random), MODALITY, description)
    return replace(study, slide=_slide(random, study, stain, diameter))


def _slide(random: Random, study: Study, stain: str, diameter: float) -> Slide:
    """Place one large tumour, smaller ones that keep clear of it, the ring in the large one, and mitoses."""
    pen = random.choice(sorted(slides.PENS))
    largest = Nodule((random.uniform(7.6, 9.4), random.uniform(3.6, 4.6)), diameter)
    nodules = [largest]
    for place in range(random.randint(0, 3)):
        nodules.append(
            Nodule(
                (12.2 + place % 2 * 1.7, 3.1 + place // 2 * 1.9 + place % 2 * 0.7), random.uniform(0.7, 1.1)
            )
        )
    reach = diameter / 2 - slides.RING_MM / 2 - 0.15
    angle, away = random.uniform(0, math.tau), random.uniform(0.3, 1) * reach
    ring = (largest.centre[0] + away * math.cos(angle), largest.centre[1] + away * math.sin(angle))
    inside = _apart(random, ring, 0, slides.RING_MM / 2 - 0.06, random.randint(2, 6))
    around = _apart(random, ring, slides.RING_MM / 2 + 0.1, slides.RING_MM + 0.3, random.randint(3, 5))
    glands = not study.description.startswith("Liver")
    label = f"{study.accession}\n{random.choice('ABC')}{random.randint(1, 9)}"
    return Slide(random.randrange(2**31), label, stain, tuple(nodules), ring, pen, (*inside, *around), glands)


def _apart(
    random: Random, centre: slides.Point, least: float, most: float, number: int
) -> list[slides.Point]:
    """Return places at some distance from a centre, and far enough from each other to be told apart."""
    found: list[slides.Point] = []
    while len(found) < number:
        angle, away = random.uniform(0, math.tau), random.uniform(least, most)
        place = (centre[0] + away * math.cos(angle), centre[1] + away * math.sin(angle))
        if all(math.dist(place, other) > 0.05 for other in found):
            found.append(place)
    return found
