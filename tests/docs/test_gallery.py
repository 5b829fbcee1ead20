"""The gallery shows every application of the suite, in pictures that a page can carry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from shipped import shipped

ROOT = Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "images" / "gallery").glob("*.png"))
PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


def test_every_application_has_its_picture() -> None:
    """Whoever adds an application runs `scripts/gallery`."""
    applications = {task.application for task in shipped("medcua").tasks_here}
    assert {picture.stem for picture in PICTURES} >= applications, "run scripts/gallery"
    assert set(re.findall(r"images/gallery/(\w+)\.png", PAGE)) == {picture.stem for picture in PICTURES}


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_pictures_are_whole_screens_and_small(picture: Path) -> None:
    """Each is a screenshot of the size that agents see, below 150 kB."""
    assert picture.stat().st_size <= 150_000
    with Image.open(picture) as image:
        assert image.size == (1280, 720)
