"""Whole slides: what is drawn is what the description says, and only high magnification shows what is small."""

from __future__ import annotations

import io
import math

import pytest
from breadth import first
from PIL import Image

from imaging import microscopy, slides
from imaging.pathology import archive
from imaging.slides import Nodule, Slide

FINEST = len(slides.SPACING) - 1
SLIDE = Slide(
    seed=5,
    label="S31-1000\nA1",
    stain="hematoxylin and eosin",
    nodules=(Nodule((8.5, 4.0), 3.0), Nodule((12.2, 3.1), 0.8)),
    ring=(8.6, 4.2),
    pen="blue",
    mitoses=((8.6, 4.2), (8.7, 4.25)),
)


def frame(level: int, place: slides.Point) -> int:
    """Return the tile with a place."""
    side = slides.TILE * slides.SPACING[level]
    return int(place[1] / side) * slides.columns(level) + int(place[0] / side)


def colour(level: int, place: slides.Point) -> tuple[int, ...]:
    """Return the colour of a place."""
    number = frame(level, place)
    left, upper, _, _ = slides.area(level, number)
    picture = Image.open(io.BytesIO(slides.tile(SLIDE, level, number)))
    x, y = ((place[0] - left) / slides.SPACING[level], (place[1] - upper) / slides.SPACING[level])
    return picture.getpixel((int(x), int(y)))  # type: ignore[return-value]


def test_a_slide_is_drawn_alike_every_time() -> None:
    """The same description gives the same bytes, also where nothing is cached."""
    first = slides.tile(SLIDE, 1, 10)
    slides.tile.cache_clear()
    assert slides.tile(SLIDE, 1, 10) == first


@pytest.mark.parametrize("level", range(FINEST + 1))
def test_tiles_cover_a_slide(level: int) -> None:
    """The last tile of a level ends at the slide's lower right corner."""
    *_, right, lower = slides.area(level, slides.frames(level) - 1)
    assert (round(right, 3), round(lower, 3)) == (slides.WIDTH_MM, slides.HEIGHT_MM)


def test_tumour_is_darker_than_tissue_and_glass() -> None:
    """Somebody who sees the whole slide can tell where the tumour ends."""
    glass, tissue, tumour = (sum(colour(0, place)) for place in ((4.0, 0.3), (6.0, 4.0), (9.5, 3.2)))
    assert glass > tissue > tumour + 60


def test_a_mitosis_is_seen_at_high_magnification_only() -> None:
    """Its plate is almost black there, and of no other colour than the tumour's one level below."""
    place = SLIDE.mitoses[0]
    assert sum(colour(FINEST, place)) < 150
    assert sum(colour(FINEST - 1, place)) > 150


@pytest.mark.parametrize("stain", slides.STAINS)
def test_every_stain_has_its_own_colours(stain: str) -> None:
    """Its tumour differs by far from those of all others."""
    own = slides.STAINS[stain].tumour
    others = [dyes.tumour for name, dyes in slides.STAINS.items() if name != stain]
    assert all(math.dist(own, other) > 60 for other in others)


def test_the_metadata_agree_with_the_tiles() -> None:
    """Each magnification tells its own number of tiles and spacing; none tells the stain."""
    for level in range(FINEST + 1):
        told = microscopy.level({}, "1.2.3", SLIDE, level)
        shared = told["52009229"]["Value"][0]["00289110"]["Value"][0]
        assert told["00280008"]["Value"] == [slides.frames(level)]
        assert shared["00280030"]["Value"] == [slides.SPACING[level]] * 2
        assert "eosin" not in str(told)


@pytest.mark.parametrize("seed", first(40))
def test_every_slide_can_be_judged(seed: int) -> None:
    """The ring lies within the largest tumour, and no mitosis on the line of the pen; tumours keep apart."""
    for slide in (study.slide for study in archive(seed) if study.slide):
        largest, *others = slide.nodules
        assert math.dist(slide.ring, largest.centre) + slides.RING_MM / 2 < largest.diameter / 2
        for mitosis in slide.mitoses:
            assert abs(math.dist(mitosis, slide.ring) - slides.RING_MM / 2) > 0.04
        for other in others:
            gap = math.dist(other.centre, largest.centre) - (other.diameter + largest.diameter) / 2
            assert gap > 0.2
            assert other.diameter < largest.diameter / 1.5


@pytest.mark.parametrize("seed", first(40))
def test_two_people_have_names_that_are_alike(seed: int) -> None:
    """They can be told apart by name, number and date, and their tumours by size."""
    studies = {study.uid: study for study in archive(seed)}
    (second,) = (study for study in studies.values() if study.alike)
    first = studies[second.alike]
    assert (first.family, first.description) == (second.family, second.description)
    assert first.given != second.given
    assert first.mrn != second.mrn
    assert first.date != second.date
    assert first.slide is not None
    assert second.slide is not None
    assert first.slide.nodules[0].diameter != second.slide.nodules[0].diameter
