"""Find the picture that is not in the folder, and the one that its caption means."""

from __future__ import annotations

import re
from random import Random
from typing import NamedTuple

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


class Figure(NamedTuple):
    """A picture of the folder `figs`, and the beginning of its name that is shared with another one."""

    file: str
    shows: str
    cut: str


FIGURES = (
    (Figure("latency", "latency", "lat"), Figure("lattice", "layout of the machines", "latt")),
    (Figure("throughput", "throughput", "through"), Figure("threads", "number of threads", "thre")),
    (Figure("memory", "memory in use", "mem"), Figure("messages", "messages per second", "mes")),
)


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    figures = {figure.cut: figure for pair in FIGURES for figure in pair}
    names = re.findall(r"\{figs/(\w+)\.pdf\}", text)
    (cut,) = (name for name in names if f"paper/figs/{name}.pdf" not in state.collections["files"])
    (other,) = (name for name in names if name != cut)
    whole = figures[cut].file
    return writing.edits(
        state,
        writing.edit_values(f"{{figs/{cut}.pdf}}", f"{{figs/{whole}.pdf}}", f"{{figs/{whole}}}"),
        path=f"figs/{cut}.pdf",
        slip=f"{{figs/{other}.pdf}}",
    )


def setup(random: Random) -> Steps:
    """A picture whose file name was cut short."""
    pair = list(random.choice(FIGURES))
    random.shuffle(pair)
    cut = random.randrange(2)
    names = [figure.cut if place == cut else figure.file for place, figure in enumerate(pair)]
    fields = dict(zip(("first_file", "second_file"), names, strict=True))
    fields |= {"first": pair[0].shows, "second": pair[1].shows}
    pictures = {f"paper/figs/{figure.file}.pdf": _picture(figure.file) for figure in pair}
    yield from writing.prepare(
        {writing.MAIN: writing.document("figures.tex", fields), **pictures}, writing.MAIN
    )


def _picture(title: str) -> str:
    """Return a PDF of one page that shows a title above two axes."""
    drawing = f"BT /F1 12 Tf 40 130 Td ({title}) Tj ET 20 20 m 20 120 l S 20 20 m 180 20 l S"
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 150] /Contents 4 0 R"
        " /Resources << /Font << /F1 5 0 R >> >> >>",
        f"<< /Length {len(drawing)} >>\nstream\n{drawing}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    text, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    return f"{text}xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}"


@wrong("milestone:edit")
async def showed_the_other_picture(pilot: Pilot, case: Case) -> None:
    """It compiles, with one picture twice."""
    await solve(pilot, writing.slipped(case))


@wrong("record_integrity/major")
async def reworded_a_sentence_along(pilot: Pilot, case: Case) -> None:
    """The path is right, but a sentence says it in other words now."""
    await writing.put(pilot, case, "more and more clients", "ever more clients")
    await solve(pilot, case)
