"""What the pictures show lies where it lies in people: the left of a picture is the patient's right."""

from __future__ import annotations

import numpy as np
import pytest

from imaging import phantoms
from imaging.pathology import archive
from imaging.phantoms import KINDS, SIZE, Lesion

# Where the middle of an organ lies, by the value that it is drawn with: side of the patient, and before or behind the
# middle of the body. Source: the plates of axial anatomy in Gray's Anatomy (41st edition), read as facts.
PLACES = {
    ("chest", 130.0): ("left", "behind"),  # descending aorta
    ("chest", 45.0): ("left", "before"),  # heart, drawn over the body wall of the same value
    ("abdomen", 105.0): ("right", "before"),  # liver
    ("abdomen", 120.0): ("left", "behind"),  # spleen
    ("abdomen", 20.0): ("left", "before"),  # stomach
    ("abdomen", 150.0): ("left", "behind"),  # aorta
}


@pytest.mark.parametrize(("place", "expected"), PLACES.items(), ids=str)
def test_organs_lie_on_their_side(place: tuple[str, float], expected: tuple[str, str]) -> None:
    """Aorta, heart, stomach and spleen lie on the left of the patient, the liver on the right."""
    kind, value = place
    *_, (x, y) = (
        (shape[0], shape[1]) for shape in KINDS[kind].shapes if shape[4] == value and 7 < shape[2] < 100
    )
    found = "left" if x > SIZE / 2 else "right", "behind" if y > SIZE / 2 else "before"
    assert found == expected


def test_a_nodule_is_as_large_in_either_window() -> None:
    """Within two of the three millimetres that a measurement may be off: soft tissue shows less of an edge in air."""
    lesion, kind = Lesion(66.0, 112.0, 15, 25), KINDS["chest"]
    drawn = np.frombuffer(phantoms.pixels("chest", 3, lesion, 15), "<i2").reshape(SIZE, SIZE)
    row = drawn[112, 50:84].astype(float)
    for bottom in (kind.window[1] - kind.window[0] / 2, -600):
        inside = np.flatnonzero(row > bottom)
        left, right = inside[0], inside[-1]
        before = left - (row[left] - bottom) / (row[left] - row[left - 1])
        after = right + (row[right] - bottom) / (row[right] - row[right + 1])
        assert abs((after - before) * kind.spacing - lesion.mm) < 2


def test_only_the_liver_has_no_glands() -> None:
    """A slide shows the tissue that its description names, also where two are alike."""
    made = [study for seed in range(40) for study in archive(seed) if study.slide is not None]
    shown = {(study.description.split(",")[0], study.slide.glands) for study in made if study.slide}
    assert shown >= {("Liver", False), ("Colon", True)}
    assert ("Liver", True) not in shown
    assert all(glands for organ, glands in shown if organ != "Liver")
