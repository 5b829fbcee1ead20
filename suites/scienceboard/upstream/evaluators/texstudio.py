"""TeXstudio: files to the last character, patterns in them, and whether the document compiles."""

from __future__ import annotations

from typing import Any

from ..items import Compile, Edited, Include, describe
from ..lambdas import Meter
from .finding import Finding, fits


def edited(item: Edited, began: str | None, content: str | None) -> Finding:
    """Return whether a file is exactly what it began as, with every `source` replaced by `target`."""
    wants = f"{item.path} with {describe(item.target)} for {describe(item.source)} and no other change"
    if content is None or began is None:
        return Finding(
            False, wants, "there is no such file" if content is None else "the record did not write it"
        )
    wanted = began.replace(item.source, item.target) if item.source else began
    return Finding(
        content == wanted, wants, "exactly that" if content == wanted else _difference(wanted, content)
    )


def include(item: Include, content: str | None, *, meter: Meter) -> Finding:
    """Return whether a pattern fits somewhere in a file."""
    found = content is not None and fits(item.pattern, content, meter)
    seen = "there is no such file" if content is None else f"{len(content)} characters"
    return Finding(found, f"{item.path} ~ {item.pattern}", seen)


def compiled(item: Compile, checked: Any) -> Finding:
    """Return whether the document compiled when it was tried."""
    passed = checked["pass"] is True
    return Finding(passed, f"{item.path}/{item.file}.tex compiles", "it does" if passed else "it does not")


def _difference(wanted: str, content: str) -> str:
    at = next(
        (n for n, (a, b) in enumerate(zip(wanted, content, strict=False)) if a != b),
        min(len(wanted), len(content)),
    )
    return f"from character {at} on: {describe(content[at : at + 60])}"
