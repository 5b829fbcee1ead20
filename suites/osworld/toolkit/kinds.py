"""The kind of a file that a record judges: how else a program may write it, for `--cua-audit`."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from docx import Document
from PIL import Image
from pptx import Presentation

from pytest_cuabench.task.kinds import Kind
from pytest_cuabench.task.kinds.base import Spellings

from .evaluators.slides import paragraphs as of_slides
from .evaluators.texts import paragraphs as of_text


class Content(Kind):
    """A file, as base64.

    Args:
        path: Where it is.
        fits: Whether the record is satisfied with a content.
    """

    def __init__(self, path: str, fits: Callable[[bytes], bool]) -> None:
        self._suffix = path.rpartition(".")[2].lower() if "." in path.rpartition("/")[2][1:] else ""
        self._fits = fits

    @property
    def name(self) -> str:
        return {"docx": "document", "pptx": "presentation", "xlsx": "workbook", "png": "picture"}.get(
            self._suffix, "settings or text"
        )

    def meaning(self, value: Any) -> Any:
        return value

    def matches(self, seen: Any, wanted: Any) -> bool:
        return self._fits(base64.b64decode(str(seen)))

    def spellings(self, value: Any, random: Random) -> Spellings:
        for form, content in self._otherwise(base64.b64decode(value)):
            yield form, base64.b64encode(content).decode()

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        content = base64.b64decode(value)
        yield from (base64.b64encode(one).decode() for one in (b"", content[: len(content) // 2]))

    def _otherwise(self, content: bytes) -> Iterator[tuple[str, bytes]]:
        match self._suffix:
            case "docx" | "pptx" | "xlsx":
                yield "packed in another order", _packed_again(content)
                yield from _divided(content, self._suffix)
            case "png":
                yield "compressed otherwise", _drawn_again(content)
            case "csv":
                yield "line ends of Windows", content.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
            case _ if content.startswith(b"{"):
                yield "indented", json.dumps(json.loads(content), indent=1).encode()
            case "xcu":
                yield "elements on lines of their own", content.replace(b"><", b">\n<")
            case _:
                yield "line ends of Windows", content.replace(b"\n", b"\r\n")


def _packed_again(content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in reversed(old.namelist()):
            new.writestr(name, old.read(name))
    return made.getvalue()


def _drawn_again(content: bytes) -> bytes:
    made = io.BytesIO()
    Image.open(io.BytesIO(content)).save(made, "PNG", compress_level=1)
    return made.getvalue()


def _divided(content: bytes, suffix: str) -> Iterator[tuple[str, bytes]]:
    """Yield a document in which each piece of text of one format is divided into two."""
    if suffix == "xlsx":
        return
    document: Any = (Document if suffix == "docx" else Presentation)(io.BytesIO(content))
    for paragraph in list(of_text(document) if suffix == "docx" else of_slides(document)):
        for run in list(paragraph.runs):
            element = run._r
            if len(run.text) > 1 and not len(element.findall(f"{{{element.nsmap[element.prefix]}}}br")):
                second = deepcopy(element)
                element.addnext(second)
                text, run.text = run.text, run.text[:1]
                type(run)(second, run._parent).text = text[1:]
    made = io.BytesIO()
    document.save(made)
    yield "pieces of text divided", made.getvalue()
