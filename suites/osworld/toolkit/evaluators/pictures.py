"""Pictures: their size, their structure, and how they differ from another one."""

from __future__ import annotations

import io
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageOps
from pydantic import Field

from .matching import Strict

Fault = str | None
_PIXELS = 20_000_000
# Not those that other programs draw, such as PostScript.
_FORMATS = ("BMP", "GIF", "ICO", "JPEG", "JPEG2000", "PCX", "PNG", "PPM", "TGA", "TIFF", "WEBP")
_WINDOW = 7  # pixels: of the windows that are compared
_NO_FILE = "there is no such picture"

Share = Annotated[float, Field(ge=0, le=1)]


class PictureSize(Strict):
    """Width and height; of what is not transparent, if that is asked."""

    width: int | None = None
    height: int | None = None
    ignore_transparent: bool = False


class FileSize(Strict):
    """Bytes that a file may have at most."""

    max_size: int


def check_image_size(result: bytes | None, rules: PictureSize) -> Fault:
    """A picture has a width and a height."""
    picture = _opened(result)
    if picture is None:
        return _NO_FILE
    size = picture.size
    if rules.ignore_transparent and ("A" in picture.getbands() or "transparency" in picture.info):
        box = picture.convert("RGBA").getchannel("A").getbbox() or (0, 0, 0, 0)
        size = (box[2] - box[0], box[3] - box[1])
    fits = rules.width in (None, size[0]) and rules.height in (None, size[1])
    return None if fits else f"it is {size[0]} pixels wide and {size[1]} high"


def check_image_file_size(result: bytes | None, rules: FileSize) -> Fault:
    """A file has at most some bytes."""
    if result is None:
        return _NO_FILE
    return None if len(result) < rules.max_size else f"it has {len(result)} bytes"


def check_structure_sim(result: bytes | None, expected: bytes) -> Fault:
    """Two pictures have the same size and structure."""
    return _compared(result, expected, 0.9)


def check_structure_sim_resized(result: bytes | None, expected: bytes) -> Fault:
    """A picture has the structure of another one that is brought to its size."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    if "A" in picture.getbands() and (box := picture.getchannel("A").getbbox()):
        picture = picture.crop(box)
    return _unlike(picture, other.resize(picture.size), 0.9)


def check_brightness_decrease_and_structure_sim(
    result: bytes | None, expected: bytes, *, threshold: Share = 0.03
) -> Fault:
    """A picture is darker than another one, and otherwise like it, as far as `threshold` (a mean square)."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    dark, light = (float(_grey(one).mean()) for one in (picture, other))
    if dark >= light:
        return f"its brightness is {dark:.1f}, that of the other one {light:.1f}"
    if picture.size != other.size:
        return "it has another size"
    evened = np.clip(_grey(picture) * (light / max(dark, 1e-6)), 0, 255)
    error = float((((evened - _grey(other)) / 255) ** 2).mean())
    return None if error < threshold else f"it differs from the other one by {error:.3f}"


def check_saturation_increase_and_structure_sim(result: bytes | None, expected: bytes) -> Fault:
    """A picture has more saturated colours than another one, and its lightness."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    more, less = (float(np.asarray(one.convert("HSV"))[..., 1].mean()) for one in (picture, other))
    if more <= less:
        return f"its saturation is {more:.1f}, that of the other one {less:.1f}"
    return _unlike(picture.convert("L"), other.convert("L"), 0.7)


def check_contrast_increase_and_structure_sim(result: bytes | None, expected: bytes) -> Fault:
    """A picture has more contrast than another one, and a similar structure."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    more, less = (float(np.asarray(one.convert("RGB"), float).std()) for one in (picture, other))
    if more <= less:
        return f"its contrast is {more:.1f}, that of the other one {less:.1f}"
    return _unlike(picture, other, 0.65)


def check_palette_and_structure_sim(result: bytes | None, expected: bytes) -> Fault:
    """A picture has a palette, and the structure of another one."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    return _unlike(picture, other, 0.9) if picture.mode == "P" else "its colours are of no palette"


def check_image_mirror(result: bytes | None, expected: bytes) -> Fault:
    """A picture is another one, mirrored from left to right."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    return _unlike(ImageOps.mirror(picture), other, 0.99)


def compare_images(
    result: bytes | None, expected: bytes, *, reference_base_result: Share | None = None
) -> Fault:
    """Two pictures look alike: 0.9, or all that is possible beyond what an unchanged one has."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    size = min(picture.size, other.size)
    base = 0.0 if reference_base_result is None else reference_base_result + 0.01
    return _unlike(picture.convert("L").resize(size), other.convert("L").resize(size), max(0.9, base))


def compare_image_list(result: bytes | None, expected: bytes) -> Fault:
    """Two pictures are equal, pixel by pixel."""
    picture, other = _opened(result), _opened(expected)
    if picture is None or other is None:
        return _NO_FILE
    same = picture.size == other.size and not ImageChops.difference(
        picture.convert("RGBA"), other.convert("RGBA")
    ).getbbox(alpha_only=False)
    return None if same else "it is another picture"


def _opened(content: bytes | None) -> Image.Image | None:
    """Return a picture within a limit of pixels; None if it is none."""
    if content is None:
        return None
    try:
        picture = Image.open(io.BytesIO(content), formats=_FORMATS)
        if picture.width * picture.height > _PIXELS:
            return None
        picture.load()
    except Exception:  # the library raises anything for what is no picture
        return None
    return picture


def _compared(result: bytes | None, expected: bytes, threshold: float) -> Fault:
    picture, other = _opened(result), _opened(expected)
    return _NO_FILE if picture is None or other is None else _unlike(picture, other, threshold)


def _unlike(picture: Image.Image, other: Image.Image, threshold: float) -> Fault:
    """Return that the structural similarity of two pictures is below a threshold; None if it is not."""
    if picture.size != other.size:
        return f"its size is {picture.size}, not {other.size}"
    if min(picture.size) < _WINDOW:
        return "it is too small to be compared"
    mode = "L" if picture.mode == other.mode == "L" else "RGB"
    one, two = (
        np.asarray(each.convert(mode), float).reshape(each.height, each.width, -1)
        for each in (picture, other)
    )
    similarity = float(np.mean([_similarity(one[..., band], two[..., band]) for band in range(one.shape[2])]))
    return None if similarity >= threshold else f"its structure is similar by {similarity:.2f}"


def _similarity(one: NDArray[Any], two: NDArray[Any]) -> float:
    """Return the mean structural similarity (Wang et al., 2004) of two bands of 0 to 255."""
    x, y = _means(one), _means(two)
    count = _WINDOW**2
    unbiased = count / (count - 1)
    xx, yy, xy = (
        unbiased * (_means(a * b) - c)
        for a, b, c in ((one, one, x * x), (two, two, y * y), (one, two, x * y))
    )
    first, second = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    map_of = ((2 * x * y + first) * (2 * xy + second)) / ((x * x + y * y + first) * (xx + yy + second))
    return float(map_of.mean())


def _means(band: NDArray[Any]) -> NDArray[Any]:
    """Return the mean of each window that lies within a band."""
    sums = np.pad(band.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    size = _WINDOW
    whole = sums[size:, size:] - sums[:-size, size:] - sums[size:, :-size] + sums[:-size, :-size]
    means: NDArray[Any] = whole / size**2
    return means


def _grey(picture: Image.Image) -> NDArray[Any]:
    return np.asarray(picture.convert("L"), float)


EVALUATORS = {
    "check_brightness_decrease_and_structure_sim": check_brightness_decrease_and_structure_sim,
    "check_contrast_increase_and_structure_sim": check_contrast_increase_and_structure_sim,
    "check_file_exists_and_structure_sim": check_structure_sim,
    "check_image_file_size": check_image_file_size,
    "check_image_mirror": check_image_mirror,
    "check_image_size": check_image_size,
    "check_palette_and_structure_sim": check_palette_and_structure_sim,
    "check_saturation_increase_and_structure_sim": check_saturation_increase_and_structure_sim,
    "check_structure_sim": check_structure_sim,
    "check_structure_sim_resized": check_structure_sim_resized,
    "compare_image_list": compare_image_list,
    "compare_images": compare_images,
}
