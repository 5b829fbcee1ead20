"""The folder that every task works in, and the documents that are put into it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_cuabench.evidence import Collections, State

MAIN = "paper/main.tex"
REFS = "paper/refs.bib"

Step = dict[str, Any]

_DOCUMENTS = Path(__file__).parent / "documents"
_FIELD = re.compile(r"<<([a-z]+[0-9]*(?:_[a-z]+)*)>>")


def document(name: str, fields: Mapping[str, object] | None = None) -> str:
    """Return a document of the folder `documents` with its `<<fields>>` filled.

    Raises:
        KeyError: A field of the document has no value.
    """
    pattern = (_DOCUMENTS / name).read_text(encoding="utf-8")
    return _FIELD.sub(lambda match: str((fields or {})[match[1]]), pattern)


def prepare(files: Mapping[str, str], *opened: str) -> Iterator[Step]:
    """Yield the steps that write files and have TeXstudio open some of them; the last one is in front."""
    for path, text in files.items():
        yield {"do": "write", "path": path, "text": text}
    for path in opened:
        yield {"do": "open", "path": path}


def start(application: str, *setup: Step) -> Step:
    """Return the step that starts another application beside TeXstudio."""
    return {"do": "start", "application": application, "setup": list(setup)}


def text_of(collections: Collections, path: str) -> str:
    """Return the text of a file, or nothing where there is none."""
    return str(collections.get("files", {}).get(path, {}).get("text") or "")


def main_text(state: State) -> str:
    """Return the text of the document that the task is about."""
    return text_of(state.collections, MAIN)


def the_one(pattern: str, text: str) -> re.Match[str]:
    """Return the only match of a pattern in a text.

    Raises:
        LookupError: There is none, or there are several.
    """
    found = list(re.finditer(pattern, text, re.MULTILINE))
    if len(found) != 1:
        raise LookupError(f"{pattern!r} matches {len(found)} times, one was expected")
    return found[0]
