"""A model's coordinates become the pixel it means, in whatever notation it names places."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import CoordinateSpace, Point, Size

SCREENS = (Size(1280, 720), Size(1920, 1080), Size(2560, 1440), Size(1366, 768), Size(641, 479))
IMAGES = (Size(1280, 720), Size(1024, 768), Size(1092, 614), Size(999, 1000), Size(3840, 2160), Size(64, 36))

screens = st.sampled_from(SCREENS)
images = st.sampled_from(IMAGES) | st.builds(Size, st.integers(1, 4000), st.integers(1, 4000))
tops = st.sampled_from([1, 999, 1000])
spaces = (
    st.builds(CoordinateSpace.native, screens)
    | st.builds(CoordinateSpace.image, screens, images)
    | st.builds(CoordinateSpace.normalised, screens, tops)
)
parts = st.floats(0, 1, exclude_max=True)


def pixels(screen: Size) -> st.SearchStrategy[Point]:
    """Return the pixels of a screen."""
    return st.builds(Point, st.integers(0, screen.width - 1), st.integers(0, screen.height - 1))


@given(space=spaces, data=st.data())
def test_round_trip(space: CoordinateSpace, data: st.DataObject) -> None:
    """A pixel written in a model's notation and read again is the same pixel."""
    point = data.draw(pixels(space.screen))
    assert space.to_screen(*space.from_screen(point)) == point


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("image", IMAGES)
def test_round_trip_of_every_column(screen: Size, image: Size) -> None:
    """No column of a screen is lost, not even where its middle is a whole number in the image."""
    space = CoordinateSpace.image(screen, image)
    columns = [space.to_screen(*space.from_screen(Point(x, 0))).x for x in range(screen.width)]
    assert columns == list(range(screen.width))


@given(screen=screens, data=st.data())
def test_native_pixels_are_themselves(screen: Size, data: st.DataObject) -> None:
    """A pixel of an image that is as large as the screen is that pixel of the screen."""
    point = data.draw(pixels(screen))
    assert CoordinateSpace.native(screen).to_screen(*point) == point
    assert CoordinateSpace.image(screen, screen).to_screen(*point) == point
    assert CoordinateSpace.native(screen).to_screen(point.x + 0.9, point.y + 0.2) == point


@given(screen=screens, image=images, data=st.data())
def test_image_pixel_means_its_middle(screen: Size, image: Size, data: st.DataObject) -> None:
    """The middle of the clicked pixel is at most half a screen pixel from the middle of the image pixel."""
    shown = data.draw(pixels(image))
    hit = CoordinateSpace.image(screen, image).to_screen(*shown)
    for axis in (0, 1):
        middle = (shown[axis] + 0.5) * screen[axis] / image[axis]
        assert abs(hit[axis] + 0.5 - middle) <= 0.5 + 1e-6


@given(screen=screens, image=images, x=parts, y=parts)
def test_image_click_hits_what_is_seen(screen: Size, image: Size, x: float, y: float) -> None:
    """Naming the image pixel a place is seen in hits it within half of that pixel and half of a screen pixel."""
    seen = (min(image.width - 1, int(x * image.width)), min(image.height - 1, int(y * image.height)))
    hit = CoordinateSpace.image(screen, image).to_screen(*seen)
    for axis, part in ((0, x), (1, y)):
        true = part * screen[axis]
        assert abs(hit[axis] + 0.5 - true) <= 0.5 * screen[axis] / image[axis] + 0.5 + 1e-6


@given(screen=screens, top=st.sampled_from([1, 1000]), x=parts, y=parts)
def test_scales_have_no_drift(screen: Size, top: int, x: float, y: float) -> None:
    """A number on a scale is the pixel that holds the place, also where it is a whole number."""
    hit = CoordinateSpace.normalised(screen, top).to_screen(x * top, y * top)
    assert hit == (int(x * top * screen.width / top), int(y * top * screen.height / top))
    assert CoordinateSpace.normalised(screen, top).to_screen(0, 0) == (0, 0)


@pytest.mark.parametrize("screen", SCREENS)
def test_the_middle_of_a_scale_is_the_middle_of_the_screen(screen: Size) -> None:
    """500 of 1000 and 0.5 of 1 are the same pixel, written whole or not."""
    middle = (screen.width // 2, screen.height // 2)
    assert CoordinateSpace.normalised(screen, 1000).to_screen(500, 500) == middle
    assert CoordinateSpace.normalised(screen, 1000).to_screen(500.0, 500.0) == middle
    assert CoordinateSpace.normalised(screen, 1).to_screen(0.5, 0.5) == middle


@given(screen=screens, x=st.integers(0, 999), y=st.integers(0, 999))
def test_thousand_cells(screen: Size, x: int, y: int) -> None:
    """A whole number of 0 to 999 is the middle of that thousandth of the screen."""
    hit = CoordinateSpace.normalised(screen, 999).to_screen(x, y)
    assert hit == (int((x + 0.5) * screen.width / 1000), int((y + 0.5) * screen.height / 1000))


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize(
    ("space", "far"),
    [
        (CoordinateSpace.native, None),
        (lambda screen: CoordinateSpace.image(screen, screen), None),
        (lambda screen: CoordinateSpace.normalised(screen, 1), (1, 1)),
        (lambda screen: CoordinateSpace.normalised(screen, 1), (1.0, 1.0)),
        (lambda screen: CoordinateSpace.normalised(screen, 1000), (1000, 1000)),
    ],
)
def test_corners(screen: Size, space: object, far: tuple[float, float] | None) -> None:
    """The first and the last coordinate are the first and the last pixel."""
    here = space(screen)  # type: ignore[operator]
    assert here.to_screen(0, 0) == (0, 0)
    assert here.to_screen(*(far or (screen.width - 1, screen.height - 1))) == (
        screen.width - 1,
        screen.height - 1,
    )


@pytest.mark.parametrize("screen", SCREENS)
def test_corners_of_thousand_cells(screen: Size) -> None:
    """999 is within half of a cell of the last pixel, and exactly on it up to a width of 2000 pixels."""
    hit = CoordinateSpace.normalised(screen, 999).to_screen(999, 999)
    assert screen.width - 1 - hit.x <= screen.width / 2000
    assert hit == (screen.width - 1, screen.height - 1) or screen.width > 2000


@pytest.mark.parametrize(
    "space",
    [
        CoordinateSpace.native(Size(1280, 720)),
        CoordinateSpace.image(Size(1280, 720), Size(1024, 576)),
        CoordinateSpace.normalised(Size(1280, 720), 1),
        CoordinateSpace.normalised(Size(1280, 720), 999),
        CoordinateSpace.normalised(Size(1280, 720), 1000),
    ],
)
@pytest.mark.parametrize(
    "value", [-1, -0.001, 1281, 1280.5, 10**400, math.nan, math.inf, -math.inf, True, None, "a", "1e3", [0]]
)
def test_outside(space: CoordinateSpace, value: float) -> None:
    """What is no number or lies outside of the space is an error told to the agent, on either axis."""
    with pytest.raises(ActionError, match=r"^x=.* lies outside this screen's coordinates 0 to \d+$"):
        space.to_screen(value, 0)
    with pytest.raises(ActionError, match=r"^y=.* lies outside this screen's coordinates 0 to \d+$"):
        space.to_screen(0, value)


@pytest.mark.parametrize(
    ("space", "first_outside"),
    [
        (CoordinateSpace.native(Size(1280, 720)), 1280),
        (CoordinateSpace.image(Size(1280, 720), Size(1024, 576)), 1024),
        (CoordinateSpace.normalised(Size(1280, 720), 999), 1000),
        (CoordinateSpace.normalised(Size(1280, 720), 1000), 1001),
        (CoordinateSpace.normalised(Size(1280, 720), 1), 2),
    ],
)
def test_first_coordinate_outside(space: CoordinateSpace, first_outside: int) -> None:
    """The whole number after the last one of the space is outside."""
    space.to_screen(first_outside - 1, 0)
    with pytest.raises(ActionError):
        space.to_screen(first_outside, 0)


def test_numbers_as_text() -> None:
    """A number in quotes is the number that it is, a whole one still the number of a cell."""
    space = CoordinateSpace.image(Size(1280, 720), Size(640, 360))
    assert space.to_screen("100", " 20.0 ") == space.to_screen(100, 20.0)  # type: ignore[arg-type]
