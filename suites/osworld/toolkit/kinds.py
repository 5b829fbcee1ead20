"""The kind of a file that a record judges: how else a program may write it, for `--cua-audit`."""

from __future__ import annotations

import base64
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
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
    """

    def __init__(self, path: str) -> None:
        self._suffix = path.rpartition(".")[2].lower() if "." in path.rpartition("/")[2][1:] else ""

    @property
    def name(self) -> str:
        return {"docx": "document", "pptx": "presentation", "xlsx": "workbook", "png": "picture"}.get(
            self._suffix, "settings or text"
        )

    def meaning(self, value: Any) -> Any:
        return value

    def spellings(self, value: Any, random: Random) -> Spellings:
        for form, content in self._otherwise(base64.b64decode(value)):
            yield form, base64.b64encode(content).decode()

    def others(self, value: Any, random: Random) -> Iterator[Any]:
        yield ""

    def _otherwise(self, content: bytes) -> Iterator[tuple[str, bytes]]:
        match self._suffix:
            case "docx" | "pptx" | "xlsx":
                yield "packed in another order", _packed_again(content)
                yield from _WRITTEN[self._suffix](content)
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
                yield "slashes behind folders", re.sub(rb"(?m)^([\w-]+=/[^\n]*[^/\n])$", rb"\1/", content)


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


def _changed(content: bytes, changes: Mapping[bytes, Callable[[re.Match[bytes]], bytes]]) -> bytes:
    """Return a packed document with patterns in its parts replaced."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = old.read(name)
            for pattern, change in changes.items():
                part = re.sub(pattern, change, part)
            new.writestr(name, part)
    return made.getvalue()


def _workbooks(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a workbook that is scrolled below what is frozen, and one whose columns are written one by one."""

    def scrolled(found: re.Match[bytes]) -> bytes:
        return found[1] + str(int(found[2]) + 3).encode() + found[3]

    def single(found: re.Match[bytes]) -> bytes:
        first, last = int(found[2]), int(found[4])
        if last - first > 50:
            return found[0]
        columns = range(first, last + 1)
        return b"".join(b"%s%d%s%d%s" % (found[1], one, found[3], one, found[5]) for one in columns)

    yield "scrolled", _changed(content, {rb'(<pane [^>]*topLeftCell="[A-Z]+)(\d+)(")': scrolled})
    columns = rb'(<col [^>]*?max=")(\d+)("[^>]*?min=")(\d+)("[^>]*/>)'
    yield "columns one by one", _changed(content, {columns: lambda found: _in_order(found, single)})


def _in_order(found: re.Match[bytes], single: Callable[[re.Match[bytes]], bytes]) -> bytes:
    """Return columns one by one, where the last one is written before the first."""
    turned = rb"%s%s%s%s%s" % (found[1], found[4], found[3], found[2], found[5])
    again = re.fullmatch(rb'(<col [^>]*?max=")(\d+)("[^>]*?min=")(\d+)("[^>]*/>)', turned)
    return single(again) if again else found[0]


def _documents(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a document whose pieces of text are divided, and one whose formats are in styles."""
    document = Document(io.BytesIO(content))
    _divide(of_text(document))
    yield "pieces of text divided", _saved(document)
    document = Document(io.BytesIO(content))
    for number, paragraph in enumerate(list(of_text(document))):
        style = document.styles.add_style(f"Variant {number}", WD_STYLE_TYPE.PARAGRAPH)
        style.base_style, own, new = paragraph.style, paragraph.paragraph_format, style.paragraph_format
        new.alignment, new.line_spacing = own.alignment, own.line_spacing
        own.alignment, own.line_spacing, paragraph.style = None, None, style
        for count, run in enumerate(paragraph.runs):
            look = document.styles.add_style(f"Variant {number}.{count}", WD_STYLE_TYPE.CHARACTER)
            look.base_style = run.style if run._r.style else None
            for name in ("name", "strike", "subscript"):
                setattr(look.font, name, getattr(run.font, name))
                setattr(run.font, name, None)
            run.style = look
    yield "formats in styles", _saved(document)


def _presentations(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a presentation whose pieces of text are divided."""
    deck = Presentation(io.BytesIO(content))
    _divide(of_slides(deck))
    yield "pieces of text divided", _saved(deck)


def _divide(paragraphs: Iterator[Any]) -> None:
    """Divide each piece of text of one format into two."""
    for paragraph in list(paragraphs):
        for run in list(paragraph.runs):
            if len(run.text) > 1 and not any(one.tag.endswith("}br") for one in run._r):
                second = deepcopy(run._r)
                run._r.addnext(second)
                text, run.text = run.text, run.text[:1]
                type(run)(second, run._parent).text = text[1:]


def _saved(document: Any) -> bytes:
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


_WRITTEN: Mapping[str, Callable[[bytes], Iterator[tuple[str, bytes]]]] = {
    "docx": _documents,
    "pptx": _presentations,
    "xlsx": _workbooks,
}
