"""Write one page out in another format."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.changes import misread, placed
from ..toolkit.gtk import choose, press_button
from ..toolkit.kinds import TEXT
from .notebook import open_page, pages_of, setup, text_of

__all__ = ["setup"]

# Formats as the list names them, how files of theirs end, and how a heading and its text look in them.
_FORMATS = {
    "Markdown (pandoc)": ("md", "# {title}\n{text}\n\n"),
    "RST (sphinx)": ("rst", "{line}\n{title}\n{line}\n{text}\n\n"),
}


def case(state: State, random: Random) -> Values:
    name, other = random.sample(pages_of(state), 2)
    form = random.choice(list(_FORMATS))
    ending, pattern = _FORMATS[form]
    text = text_of(state, name).rstrip("\n")
    return {
        "page": name,
        "other": other,
        "format": form,
        "kind": form.partition(" ")[0],
        "file": f"out/{name.lower()}.{ending}",
        "text": pattern.format(title=name, text=text, line="=" * len(name)),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The file has the page in the format; nothing else was written."""
    yield from placed(evidence, {"file": (f"files/{case['file']}:text", case["text"], TEXT)})


async def solve(pilot: Pilot, case: Case) -> None:
    """Follow the pages of the dialog for exports."""
    await open_page(pilot, case["page"])
    await choose(pilot, "File", "Export...")
    await pilot.click('dialog >> radio-button[name="Single page"]')
    await press_button(pilot, "Forward", "Export")
    await pilot.click("dialog >> combo-box:nth(1)")
    await pilot.click(f'menu-item[name="{case["format"]}"]:nth(0)')
    await press_button(pilot, "Forward", "Export")
    await pilot.fill("dialog >> text", f"/home/user/{case['file']}")
    await press_button(pilot, "OK", "Export")


@wrong("milestone:file")
async def wrote_html(pilot: Pilot, case: Case) -> None:
    """The format is left as it was."""
    await solve(pilot, misread(case, format="HTML"))


@wrong("milestone:file")
async def wrote_the_other_page(pilot: Pilot, case: Case) -> None:
    """It is another page."""
    await solve(pilot, misread(case, page=case["other"]))
