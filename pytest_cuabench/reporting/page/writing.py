"""Write the page: template, styles, scripts, data and content security policy."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.page.episodes import LEVELS, Folders, Limits, episodes, shorter
from pytest_cuabench.reporting.page.overview import overview, played
from pytest_cuabench.reporting.page.pictures import Pictures
from pytest_cuabench.reporting.page.static import static

FILE = "report.html"
COMPARISON = "comparison.html"
MAX_BYTES = 4_500_000  # below the 5 MB that docs/report.md names
ASSETS = Path(__file__).parent / "assets"
_STYLES = ("base.css", "overview.css", "table.css", "detail.css", "print.css")
_SCRIPTS = (
    "dom.js",
    "words.js",
    "state.js",
    "overview.js",
    "groups.js",
    "comparison.js",
    "table.js",
    "player.js",
    "findings.js",
    "detail.js",
    "charts.js",
    "frame.js",
    "keys.js",
    "main.js",
)
_VENDOR = ASSETS / "vendor"
_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class _Piece(NamedTuple):
    """Compressed data of one instance: the `number`-th instance in the `run`-th run."""

    run: int
    number: int
    packed: str


def write_report(run: Run, *others: Run, file: Path | None = None, inline: bool = False) -> Path:
    """Write the HTML report of one run or several, and return its path.

    Args:
        others: Runs to compare with the first one.
        file: Output file; screenshots are linked relative to it. Default: in the first run's folder.
        inline: Embed the screenshots in the page.
    """
    runs = (run, *others)
    file = file or run.folder / (COMPARISON if others else FILE)
    known = [played(each) for each in runs]
    folders = [Folders(each, os.path.relpath(each.folder, file.parent)) for each in runs]
    pictures = Pictures(inline)
    data = overview(known)
    read = [
        (number, place, each)
        for number, (run, folder) in enumerate(zip(known, folders, strict=True))
        for place, each in enumerate(episodes(run, folder, pictures))
    ]
    parts = {
        "title": html.escape(_title(runs)),
        "policy": _policy(pictures),
        "style": _joined(_STYLES),
        "static": "".join(static(data)),
        "data": _embedded(data),
        "script": _joined(_SCRIPTS),
        "charts": _charts(),
    }
    room = MAX_BYTES - sum(len(part.encode()) for part in parts.values())
    pieces = _pieces(read, room)
    unfinished = file.with_name(f"{file.name}.part")  # atomic: an existing page is always complete
    with unfinished.open("w", encoding="utf-8") as page:
        page.writelines(_page(parts, pieces, pictures))
    return unfinished.replace(file)


def _title(runs: Sequence[Run]) -> str:
    return " vs ".join(each.name for each in runs)


# The page


def _page(parts: Mapping[str, str], pieces: Sequence[_Piece], pictures: Pictures) -> Iterator[str]:
    before, *rest = (ASSETS / "report.html").read_text(encoding="utf-8").split("{{")
    yield before
    for name, _, after in (piece.partition("}}") for piece in rest):
        yield parts[name.strip()]
        yield after
    for piece in pieces:
        name = f"piece-{piece.run}-{piece.number}"
        yield f'<script type="application/x-deflate" id="{name}">{piece.packed}</script>\n'
    yield from pictures.elements()
    yield "</body>\n</html>\n"


@cache
def _joined(names: Sequence[str]) -> str:
    return "\n" + "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in names)


@cache
def _charts() -> str:
    """Return the chart library with its licence."""
    licence, library = (
        (_VENDOR / name).read_text(encoding="utf-8") for name in ("chart.js.LICENSE.md", "chart.js")
    )
    # Without the source map's address: browser tools would look for the map beside the page.
    return f"\n/*\n{licence}*/\n{library.partition('//# sourceMappingURL=')[0]}"


def _policy(pictures: Pictures) -> str:
    scripts = " ".join(map(_hash, (_joined(_SCRIPTS), _charts())))
    shown = " ".join(("data:" if pictures.inline else "'self' file:", *sorted(pictures.origins)))
    return (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src {shown}; "
        f"style-src {_hash(_joined(_STYLES))}; script-src {scripts}"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# The data


def _json(data: Any) -> str:
    # Browsers read no NaN.
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _embedded(data: Any) -> str:
    """Return JSON with all characters escaped that HTML or JavaScript could interpret."""
    return _json(data).translate(_ESCAPES).encode(errors="backslashreplace").decode()


def _packed(data: Any) -> str:
    """Return compressed JSON in Base64; lone surrogates become JSON escapes."""
    # Without a header, as `deflate-raw` in state.js reads it.
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    raw = _json(data).encode(errors="backslashreplace")
    return base64.b64encode(packer.compress(raw) + packer.flush()).decode()


def _pieces(read: Sequence[tuple[int, int, dict[str, Any]]], room: int) -> list[_Piece]:
    """Return one block per instance of each run, as complete as the page's size limit allows."""

    def packed(limits: Limits) -> list[_Piece]:
        return [_Piece(number, place, _packed(shorter(data, limits))) for number, place, data in read]

    pieces: list[_Piece] = []
    for limits in LEVELS:
        pieces = packed(limits)
        if sum(len(piece.packed) + 60 for piece in pieces) <= room:  # 60 for the element around each
            break
    return pieces
