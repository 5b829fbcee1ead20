"""Pictures are made as large as a maker takes them, and clicks on them come back to where they were meant."""

from __future__ import annotations

import base64
import io
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PIL import Image

from pytest_cuabench.agents.models.pictures import ANY, Limit, data_url, resized
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import CoordinateSpace, Point, Size

settings.register_profile("players", deadline=None, max_examples=60)  # a busy machine is no failure
settings.load_profile("players")

SCREENS = (Size(1280, 720), Size(1920, 1080), Size(2560, 1440))
LIMITS = (
    ANY,
    Limit(long_edge=1568, pixels=1_150_000),
    Limit(long_edge=2576, pixels=3_750_000),
    Limit(pixels=1024 * 768),
    Limit(tile=28, least=56 * 56, pixels=12_845_056),
    Limit(tile=28, least=100 * 28 * 28, pixels=1280 * 28 * 28),
    Limit(tile=32, least=64 * 32 * 32, pixels=2560 * 32 * 32),
)

screens = st.sampled_from(SCREENS) | st.builds(Size, st.integers(1, 4000), st.integers(1, 4000))
limits = st.sampled_from(LIMITS) | st.builds(
    Limit,
    st.none() | st.integers(64, 4000),
    st.none() | st.integers(64 * 64, 4_000_000),
    st.sampled_from([1, 2, 14, 16, 28, 32]),
)


def area(size: Size) -> int:
    return size.width * size.height


@given(limit=limits, size=screens)
def test_a_fitted_picture_is_within_the_limit(limit: Limit, size: Size) -> None:
    """Neither the longer side nor all pixels are more than a maker takes; one tile is the least there is."""
    fitted = limit.fit(size)
    assert (
        max(fitted) <= max(limit.long_edge or max(size) + limit.tile, limit.tile) or area(size) < limit.least
    )
    if limit.pixels and min(fitted) > limit.tile:
        assert area(fitted) <= limit.pixels
    assert min(fitted) >= 1


@given(limit=limits, size=screens)
def test_sides_are_whole_tiles(limit: Limit, size: Size) -> None:
    """Both sides are multiples of the tile, so that the server does not resize again."""
    assert all(side % limit.tile == 0 for side in limit.fit(size))


@given(limit=limits, size=screens)
def test_fitting_twice_changes_nothing(limit: Limit, size: Size) -> None:
    """A picture that fits is left alone."""
    fitted = limit.fit(size)
    assert limit.fit(fitted) == fitted


@given(limit=limits, size=screens)
def test_no_larger_than_it_was(limit: Limit, size: Size) -> None:
    """A side grows by less than a tile, except to reach the least number of pixels."""
    assume(area(size) >= limit.least)
    fitted = replace(limit, least=1).fit(size)
    assert all(new < old + limit.tile for new, old in zip(fitted, size, strict=True))


@given(size=screens, tile=st.sampled_from([1, 28, 32]), least=st.integers(1, 500_000))
def test_small_pictures_grow(size: Size, tile: int, least: int) -> None:
    """There are never fewer pixels than the least, also where rounding to tiles took some away."""
    assert area(Limit(tile=tile, least=least).fit(size)) >= least


@given(limit=limits, size=screens)
def test_shape_is_kept(limit: Limit, size: Size) -> None:
    """Both sides are scaled alike, but for less than a tile each."""
    assume(max(size) <= 20 * min(size))
    fitted = replace(limit, least=1).fit(size)
    assume(min(fitted) > limit.tile)
    scale = fitted.width / size.width
    assert abs(fitted.height - size.height * scale) <= limit.tile * (1 + size.height / size.width)


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("limit", LIMITS)
def test_the_largest_that_fits(limit: Limit, screen: Size) -> None:
    """One tile more on both sides would be too large, or larger than the screen."""
    fitted = limit.fit(screen)
    larger = Size(fitted.width + limit.tile, fitted.height + limit.tile)
    too_large = max(larger) > (limit.long_edge or 10**9) or area(larger) > (limit.pixels or 10**12)
    assert too_large or larger.width > screen.width or larger.height > screen.height


@pytest.mark.parametrize(
    ("limit", "screen", "fitted"),
    [
        (ANY, (1920, 1080), (1920, 1080)),
        (Limit(long_edge=1568, pixels=1_150_000), (1280, 720), (1280, 720)),
        (Limit(long_edge=1568, pixels=1_150_000), (2560, 1440), (1430, 804)),
        (Limit(long_edge=1000), (1000, 10), (1000, 10)),
        (Limit(tile=28), (1280, 720), (1288, 728)),
        (Limit(tile=28, pixels=1280 * 720), (1280, 720), (1260, 700)),
        (Limit(pixels=100), (10_000, 1), (100, 1)),
        (Limit(tile=28, least=60 * 60), (57, 55), (84, 84)),
    ],
)
def test_known_sizes(limit: Limit, screen: tuple[int, int], fitted: tuple[int, int]) -> None:
    """Sizes that were reckoned by hand."""
    assert limit.fit(Size(*screen)) == fitted


@pytest.mark.parametrize("part", ["long_edge", "pixels", "tile", "least"])
def test_a_limit_of_nothing_is_refused(part: str) -> None:
    """No limit can be less than one."""
    with pytest.raises(ValueError, match="must be 1 or more"):
        Limit(**{part: 0})


def png(size: tuple[int, int], mode: str = "RGB") -> bytes:
    """Return a picture."""
    out = io.BytesIO()
    Image.new(mode, size, 1).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1"])
def test_resized(mode: str) -> None:
    """A picture of any kind becomes a PNG of the size asked for, in colours."""
    with Image.open(io.BytesIO(resized(png((64, 48), mode), Size(32, 24)))) as picture:
        assert (picture.format, picture.size, picture.mode) == ("PNG", (32, 24), "RGB")


def test_a_picture_of_the_right_size_is_untouched() -> None:
    """What needs no resizing is the same bytes, without any work."""
    picture = png((64, 48))
    assert resized(picture, Size(64, 48)) is picture


@pytest.mark.parametrize("bad", [b"", b"no picture", png((64, 48))[:60], png((64, 48))[:20] + b"x" * 30])
def test_no_picture(bad: bytes) -> None:
    """What is no picture, or only the beginning of one, is a fault of the environment."""
    with pytest.raises(EnvironmentFailure, match=r"^invalid screenshot: "):
        resized(bad, Size(32, 24))


def test_data_url() -> None:
    """A picture is written into a URL as it is."""
    kind, _, data = data_url(b"\x89PNG").partition(",")
    assert kind == "data:image/png;base64"
    assert base64.b64decode(data) == b"\x89PNG"


# From a pixel of the screen to what a model writes, and back

TOPS = (1, 999, 1000)
ODD = (Size(641, 479), Size(1366, 768), Size(3840, 1600), Size(723, 1287))
all_screens = st.sampled_from([*SCREENS, *ODD])


def written(space: CoordinateSpace, point: Point, digits: int | None) -> tuple[float, float]:
    """Return a pixel's middle as a model writes it: the whole number of its cell, or a few digits of a fraction."""
    place = space.from_screen(point)
    if digits is not None:
        return round(place[0], digits), round(place[1], digits)
    if space.cells:
        return int(place[0]), int(place[1])
    return round(place[0]), round(place[1])


def assert_near(space: CoordinateSpace, point: Point, grid: tuple[float, float], digits: int | None) -> None:
    """Assert that a pixel comes back within half a pixel of the coarser of two grids, the screen's and the model's."""
    hit = space.to_screen(*written(space, point, digits))
    for axis in (0, 1):
        coarse = max(1.0, space.screen[axis] / grid[axis])
        # A screen pixel is a whole one: its middle may be half of it away from where the model's cell has its own.
        assert abs(hit[axis] - point[axis]) <= coarse / 2 + (0.5 if coarse > 1 else 0) + 1e-9


@given(
    screen=all_screens, limit=limits, x=st.floats(0, 1, exclude_max=True), y=st.floats(0, 1, exclude_max=True)
)
def test_pixels_of_the_picture_sent(screen: Size, limit: Limit, x: float, y: float) -> None:
    """A pixel of the screen, named as the pixel of the picture it is seen in, is hit within half of the coarser one."""
    image = limit.fit(screen)
    point = Point(int(x * screen.width), int(y * screen.height))
    assert_near(CoordinateSpace.image(screen, image), point, image, None)


@given(screen=all_screens, top=st.sampled_from(TOPS[1:]), x=st.floats(0, 0.999), y=st.floats(0, 0.999))
def test_thousandths(screen: Size, top: int, x: float, y: float) -> None:
    """A pixel written in whole thousandths is hit within half of one, or of a pixel."""
    point = Point(int(x * screen.width), int(y * screen.height))
    assert_near(CoordinateSpace.normalised(screen, top), point, (1000, 1000), None)


@given(screen=all_screens, x=st.floats(0, 0.999), y=st.floats(0, 0.999), digits=st.integers(2, 6))
def test_fractions(screen: Size, x: float, y: float, digits: int) -> None:
    """A pixel written as a fraction of few digits is hit within half of the last digit, or of a pixel."""
    point = Point(int(x * screen.width), int(y * screen.height))
    grid = (10.0**digits, 10.0**digits)
    assert_near(CoordinateSpace.normalised(screen, 1), point, grid, digits)


@pytest.mark.parametrize("screen", [*SCREENS, *ODD])
@pytest.mark.parametrize("limit", LIMITS)
def test_no_drift(screen: Size, limit: Limit) -> None:
    """Over all columns the error of clicks on a scaled picture is balanced: none is drawn up and left."""
    space = CoordinateSpace.image(screen, limit.fit(screen))
    errors = [space.to_screen(*written(space, Point(x, 0), None)).x - x for x in range(screen.width)]
    assert abs(sum(errors) / len(errors)) <= 0.5


@pytest.mark.parametrize("screen", [*SCREENS, *ODD])
@pytest.mark.parametrize("limit", LIMITS)
def test_every_pixel_of_a_picture_is_on_the_screen(screen: Size, limit: Limit) -> None:
    """The corners of the picture sent are places of the screen, whatever it was rounded to."""
    image = limit.fit(screen)
    space = CoordinateSpace.image(screen, image)
    for x in (0, image.width - 1):
        for y in (0, image.height - 1):
            hit = space.to_screen(x, y)
            assert 0 <= hit.x < screen.width
            assert 0 <= hit.y < screen.height
