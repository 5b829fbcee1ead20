"""Reads screenshots: OCR for the texts, outlines for the frames. Needs the extra `ocr`."""

from __future__ import annotations

import hashlib
import io
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image
from rapidocr_onnxruntime import RapidOCR  # type: ignore[import-untyped]

from pytest_cuabench.agents.builtin.reader.screen import Pixels, Screen, Text, contains
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box

_CACHE_SIZE = 20_000  # texts
_SURE = 0.5
_FLAT = 10  # grey levels within an empty frame
_TRIM = 2  # pixels to cut above and below a text, which disturb OCR


class Reader:
    """Reads screens on the CPU, deterministically, with a cache.

    `threads` is the number of OCR threads of a worker.
    """

    def __init__(self, threads: int = 1) -> None:
        self._ocr = RapidOCR(
            intra_op_num_threads=threads,
            inter_op_num_threads=1,
            use_cls=False,
            det_limit_side_len=704,
            rec_img_shape=[3, 48, 48],  # texts are read one by one, each no wider than it is
            rec_batch_num=1,
            min_height=1,
        )
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._last: tuple[bytes, Screen] | None = None

    def read(self, png: bytes) -> Screen:
        """Return the texts and frames of a screenshot.

        Raises:
            EnvironmentFailure: It is not an image.
        """
        try:
            with Image.open(io.BytesIO(png)) as picture:
                pixels = np.asarray(picture.convert("RGB"))
        except OSError as error:
            raise EnvironmentFailure(f"invalid screenshot: {error}") from error
        seal = hashlib.blake2b(pixels.tobytes()).digest()
        if self._last is None or self._last[0] != seal:
            height, width = pixels.shape[:2]
            blue_first = np.ascontiguousarray(pixels[:, :, ::-1])  # as OpenCV has it, and the OCR expects it
            texts = list(self._texts(blue_first))
            boxes = [box for box in frames(pixels) if not any(_is_letter(box, text.box) for text in texts)]
            texts += self._lone(blue_first, boxes, texts)
            self._last = seal, Screen(Size(width, height), tuple(texts), tuple(boxes), pixels)
        return self._last[1]

    def _texts(self, picture: Pixels) -> Iterator[Text]:
        corners, _ = self._ocr(picture, use_det=True, use_cls=False, use_rec=False)
        for quad in corners or ():
            left, top = np.maximum(np.floor(np.min(quad, axis=0)).astype(int), 0)
            right, bottom = np.ceil(np.max(quad, axis=0)).astype(int)
            box = Box(float(left), float(top), float(right - left), float(bottom - top))
            if words := self._words(_part(picture, box, 0, _TRIM)):
                yield Text(words, box)

    def _lone(self, picture: Pixels, boxes: Sequence[Box], texts: Sequence[Text]) -> Iterator[Text]:
        """Read texts that detection misses: one or two letters in a frame."""
        for box in boxes:
            small = 20 <= box.width <= 90 and 20 <= box.height <= 56
            if small and not any(_touch(box, text.box) for text in texts):
                part = _part(picture, box, 4, 4)
                if part.std() > _FLAT and (words := self._words(part)):
                    yield Text(words, box)

    def _words(self, part: Pixels) -> str:
        # With the shape: pictures of different shapes may have the same bytes.
        seal = hashlib.blake2b(part.tobytes() + repr(part.shape).encode(), digest_size=16).digest()
        if seal in self._known:
            self._known.move_to_end(seal)
            return self._known[seal]
        read: Any = None
        if min(part.shape[:2]) > 2:
            read, _ = self._ocr(part, use_det=False, use_cls=False, use_rec=True)
        words = " ".join(str(text).strip() for text, sure in read or () if sure >= _SURE)
        self._known[seal] = words
        if len(self._known) > _CACHE_SIZE:
            self._known.popitem(last=False)
        return words


def _part(picture: Pixels, box: Box, aside: int, above: int) -> Pixels:
    """Return the pixels of a box without its margins."""
    left, top, right, bottom = int(box.x), int(box.y), int(box.x + box.width), int(box.y + box.height)
    return np.ascontiguousarray(picture[top + above : bottom - above, left + aside : right - aside])


def _touch(one: Box, other: Box) -> bool:
    return max(one.x, other.x) < min(one.x + one.width, other.x + other.width) and max(
        one.y, other.y
    ) + 3 < min(one.y + one.height, other.y + other.height)


def _is_letter(frame: Box, text: Box) -> bool:
    """Whether an outline is a letter of a text."""
    return frame.height <= text.height and frame.width < text.width and contains(text, frame, 1)


def frames(pixels: Pixels) -> Iterator[Box]:
    """Yield the rectangles of an image, smallest first: outlines, and areas with a distinct background."""
    grey = cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY)
    edges = cv2.morphologyEx(cv2.Canny(grey, 8, 24), cv2.MORPH_CLOSE, np.ones((2, 2), np.uint8))
    outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    boxes = set()
    for outline in outlines:
        x, y, width, height = cv2.boundingRect(outline)
        if width >= 10 and height >= 10 and cv2.contourArea(outline) >= 0.82 * (width - 1) * (height - 1):
            boxes.add(Box(float(x), float(y), float(width), float(height)))
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box.width * box.height, box)):
        if not any(all(abs(a - b) <= 4 for a, b in zip(box, other, strict=True)) for other in kept):
            kept.append(box)
            yield box
