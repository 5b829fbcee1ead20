"""Second solutions of TeXstudio, written without a look at the checks.

The editor's text is in no element of the screen. Copied into the field of the search, it is shown by the results.
"""

from __future__ import annotations

import csv
import math
import re
from difflib import get_close_matches

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Click, Key, Type, Wait

_FRONT = Click(700, 20)  # the title of the window, which other windows leave free
_MIDDLE = Click(1300, 690)  # of the editor, below its text
_CLOSE = 1814  # the right end of the panel below the editor
_COPIED = ("ctrl+a", "ctrl+c", "ctrl+f", "ctrl+v", "Escape", "ctrl+f")


async def _read(pilot: Pilot) -> str:
    """Return the text of the file in front."""
    await pilot.act(_FRONT)
    await pilot.act(_MIDDLE)
    for chord in _COPIED:
        await pilot.press(chord)
    text = await pilot.read('label[name*="\n"]:nth(0)')
    await pilot.press("Escape")
    box = await pilot.box('page-tab[name="Search Results"]')
    await pilot.act(Click(_CLOSE, box.middle.y))
    return text


async def _replace(pilot: Pilot, old: str, new: str, after: str = "") -> None:
    """Find a text, delete it backwards and type another one; `after` follows it and stays."""
    await pilot.press("ctrl+Home")
    await pilot.press("ctrl+f")
    await pilot.press("ctrl+a")
    await pilot.type(old + after + "\n")
    await pilot.press("Escape")
    await pilot.press("Escape")
    await pilot.press("Right")
    await pilot.press("Left", 1 + len(after))
    await pilot.press("BackSpace", len(old))
    await pilot.type(new)
    await pilot.press("ctrl+s")


def _found(pattern: str, text: str) -> list[int]:
    match = re.search(pattern, text)
    if match is None:
        raise LookupError(f"no {pattern} in {text}")
    return [int(group.replace(" ", "")) for group in match.groups()]


async def correct_value(pilot: Pilot, case: Case) -> None:
    """Work it out by hand."""
    text = await _read(pilot)
    a, b, c, d = _found(r"P\(n\) = (\d+) n\^3 \+ (\d+) n\^2 \+ (\d+) n \+ (\d+)", text)
    n = case["n"]
    (wrong,) = _found(rf"\b{n} & (\d+)", text)
    await _replace(pilot, str(wrong), str(((a * n + b) * n + c) * n + d))


async def fill_sum(pilot: Pilot, case: Case) -> None:
    """Use the formulas for sums of squares and of numbers."""
    text = await _read(pilot)
    a, b = _found(r"left\( (\d+) k\^2 \+ (\d+) k", text)
    (n,) = _found(r"N = (\d+)", text)
    total = a * n * (n + 1) * (2 * n + 1) // 6 + b * n * (n + 1) // 2
    await _replace(pilot, "????", str(total))


async def mend_formula(pilot: Pilot, case: Case) -> None:
    """Delete the surplus letters of the command, found in the text."""
    text = await _read(pilot)
    wrong = next(word for word in _COMMANDS if word in text)
    await _replace(pilot, wrong, _COMMANDS[wrong])


_COMMANDS = {"\\summation": "\\sum", "\\product_": "\\prod_", "\\integral": "\\int", "\\infinity": "\\infty"}


async def add_package(pilot: Pilot, case: Case) -> None:
    """Add the package to a command that loads another one."""
    other = re.findall(r"\\usepackage\{(\w+)\}", await _read(pilot))[-1]
    await _replace(pilot, other, f"{other},{_PACKAGES[case['used']]}")


_PACKAGES = {
    "align*": "amsmath",
    "\\toprule": "booktabs",
    "\\textcolor": "xcolor",
    "\\includegraphics": "graphicx",
}


async def mend_listing(pilot: Pilot, case: Case) -> None:
    """Replace the operator only."""
    await pilot.act(_MIDDLE)
    await _replace(pilot, "total +", "total *", " x")


async def mend_reference(pilot: Pilot, case: Case) -> None:
    """Take the label that is most like the misspelt one."""
    text = await _read(pilot)
    labels = re.findall(r"\\label\{(.*?)\}", text)
    (wrong,) = {name for name in re.findall(r"\\ref\{(.*?)\}", text) if name not in labels}
    (right,) = get_close_matches(wrong, labels, 1)
    await _replace(pilot, wrong, right)


async def read_table(pilot: Pilot, case: Case) -> None:
    """Answer with the unit that the text tells."""
    before, after = _found(rf"{case['casting']} & (\d+) & (\d+)", await _read(pilot))
    await pilot.answer(str(after if "age" in case["condition"] else before))


async def _write(pilot: Pilot, value: str) -> None:
    await pilot.act(_FRONT)
    await pilot.act(_MIDDLE)
    await _replace(pilot, "????", value)


_PROOFS = 'frame[name="CoqIDE"] >> text:nth(0)'


async def write_computed(pilot: Pilot, case: Case) -> None:
    """Unfold the recursion by hand."""
    start, step = _found(r"O => (\d+)\s*\| S m => (\d+) \+", await pilot.read(_PROOFS))
    await _write(pilot, str(start + 6 * step))


async def write_cases(pilot: Pilot, case: Case) -> None:
    """Multiply the numbers of constructors."""
    constructors = (await pilot.read(_PROOFS)).split(".", 1)[0].split("|")
    await _write(pilot, str(len(constructors) ** 2))


async def write_assumption(pilot: Pilot, case: Case) -> None:
    """Take the axiom that the lemma before the theorem uses."""
    axioms = re.findall(r"Axiom (\w+)", text := await pilot.read(_PROOFS))
    used = text.split("Lemma middle", 1)[1]
    await _write(pilot, next(name for name in axioms if name in used))


async def write_bound(pilot: Pilot, case: Case) -> None:
    """Read the premise."""
    (bound,) = _found(r"n > (\d+) ->", await pilot.read(_PROOFS))
    await _write(pilot, str(bound))


async def fill_from_curve(pilot: Pilot, case: Case) -> None:
    """Read the curve in the list of plots."""
    curve = await pilot.read('frame[name*="Functions"] >> table-cell:nth(1)')
    (number,) = _found(r"->(\d+)\*x", curve)
    await _write(pilot, str(number))


async def write_power(pilot: Pilot, case: Case) -> None:
    """Work it out by hand."""
    a, b = _found(r"\$(\d+)\^5 \+ (\d+)\^2\$", await _read(pilot))
    await _replace(pilot, "????", str(a**5 + b**2))


async def write_polynomial(pilot: Pilot, case: Case) -> None:
    """Work it out by hand."""
    x, a, b = _found(r"x = (\d+)\$ the polynomial \$x\^3 - (\d+)x \+ (\d+)", await _read(pilot))
    await _replace(pilot, "????", str(x**3 - a * x + b))


async def write_choices(pilot: Pilot, case: Case) -> None:
    """Count the choices without a factorial."""
    some, total = _found(r"choose (\d+) of (\d+)", await _read(pilot))
    await _replace(pilot, "????", str(math.comb(total, some)))


async def write_multiple(pilot: Pilot, case: Case) -> None:
    """Use the greatest common divisor."""
    a, b = _found(r"cycles of (\d+) and (\d+) seconds", await _read(pilot))
    await _replace(pilot, "????", str(a * b // math.gcd(a, b)))


# Tasks with several files, each in a tab. A second text is put into the field for replacing, which shows it too.

_ABOVE = Click(1300, 200)  # of the editor, above the panel
_REPLACING = "text:nth(0)"


async def _read_tabs(pilot: Pilot, *names: str) -> list[str]:
    """Return the texts of files, and come back to the first one."""
    texts: list[str] = []
    for name in names:
        await pilot.click(f'page-tab[name="{name}"]')
        await pilot.act(_ABOVE)
        await pilot.press("ctrl+a")
        await pilot.press("ctrl+c")
        if texts:
            await pilot.click(_REPLACING)
            await pilot.press("ctrl+v")
            while not (text := await pilot.read(_REPLACING)):
                await pilot.act(Wait(1))
        else:
            for chord in _COPIED[2:]:
                await pilot.press(chord)
            text = await pilot.read('label[name*="\n"]:nth(0)')
        texts.append(text)
    await pilot.press("Escape")
    box = await pilot.box('page-tab[name="Search Results"]')
    await pilot.act(Click(_CLOSE, box.middle.y))
    await pilot.click('page-tab[name="main.tex"]')
    await pilot.act(_MIDDLE)
    return texts


def _entries(text: str) -> dict[str, str]:
    """Return the entries of a bibliography by their keys."""
    found = re.findall(r"@\w+\{[^@]*\}", text)
    return {entry.split("{", 1)[1].split(",", 1)[0].strip(): entry for entry in found}


def _best(about: str, texts: dict[str, str]) -> str:
    """Return the name of the text that has most words of a topic."""
    words = {word.lower()[:6] for word in re.findall(r"\w{4,}", about)}
    return max(texts, key=lambda name: sum(word in texts[name].lower() for word in words))


async def _cite(pilot: Pilot, key: str, after: str = "") -> None:
    """Type a key into the empty citation after a word."""
    await pilot.act(_MIDDLE, Key(("ctrl", "home")), Key(("ctrl", "f")))
    await pilot.act(Key(("ctrl", "a")), Type(f"{after}\\cite{{}}\n"))
    await pilot.act(Key(("escape",)), Key(("escape",)), Key(("right",)), Key(("left",), 2), Type(key))
    await pilot.press("ctrl+s")


async def fill_from_data(pilot: Pilot, case: Case) -> None:
    """Read the list as a table."""
    text, runs = await _read_tabs(pilot, "main.tex", "runs.csv")
    (degrees,) = _found(r"at (\d+) degrees\s+the best one gave a yield of \?", text)
    rows = list(csv.DictReader(runs.splitlines()))
    best = max(
        (row for row in rows if row["temperature"] == str(degrees)), key=lambda row: float(row["yield"])
    )
    await _replace(pilot, "????", best["yield"])


async def fill_two_citations(pilot: Pilot, case: Case) -> None:
    """Leave out what is cited already, and look for the words of each sentence in the other entries."""
    text, references = await _read_tabs(pilot, "main.tex", "refs.bib")
    left = {key: entry for key, entry in _entries(references).items() if key not in text}
    for before in text.split("\\cite{}")[:-1]:
        await _cite(pilot, _best(re.split(r"[.}]\s", before)[-1], left), before.split()[-1])


fill_citation = fill_two_citations


async def mend_citation(pilot: Pilot, case: Case) -> None:
    """Take the key that is most like the unknown one."""
    text, references = await _read_tabs(pilot, "main.tex", "refs.bib")
    keys = list(_entries(references))
    (wrong,) = {key for key in re.findall(r"\\cite\{(.*?)\}", text) if key not in keys}
    (right,) = get_close_matches(wrong, keys, 1)
    await _replace(pilot, wrong, right)


async def add_reference(pilot: Pilot, case: Case) -> None:
    """Copy the lines of the entry by the keyboard, and cite it afterwards."""
    (offers,) = await _read_tabs(pilot, "offers.txt")
    entries = _entries(offers)
    key = _best(case["topic"], entries)
    before, lines = offers.split(entries[key], 1)[0].count("\n"), entries[key].rstrip().count("\n") + 1
    await pilot.click('page-tab[name="offers.txt"]')
    await pilot.act(_MIDDLE, Key(("ctrl", "home")))
    if before:
        await pilot.press("Down", before)
    await pilot.press("shift+Down", lines)
    await pilot.press("ctrl+c")
    await pilot.click('page-tab[name="refs.bib"]')
    await pilot.act(_MIDDLE, Key(("ctrl", "end")))
    await pilot.press("ctrl+v")
    await pilot.press("ctrl+s")
    await pilot.click('page-tab[name="main.tex"]')
    await _cite(pilot, key)


async def read_setting(pilot: Pilot, case: Case) -> None:
    """Read the settings first, and answer with the unit as the text writes it."""
    settings, text = await _read_tabs(pilot, "settings.tex", "main.tex")
    values = dict(re.findall(r"^\\newcommand\{\\(\w+)\}\{(\d+)\}", settings, re.MULTILINE))
    phrases = {
        name: f"{phrase} {name}"
        for phrase, name in re.findall(r"([^.\\]*)\\(\w+)\\ ", text)
        if name in values
    }
    name = _best(case["asked"], phrases)
    unit = re.search(rf"\\{name}\\ ([\w ]+?)(?:\.|,| and|\n)", text)
    await pilot.answer(f"{values[name]} {unit[1] if unit else ''}")


_MISSPELT = {"emf": "emph", "texbf": "textbf", "fraq": "frac"}


async def mend_two_faults(pilot: Pilot, case: Case) -> None:
    """Add the brace that is missing, and write the command's name anew."""
    (text,) = await _read_tabs(pilot, "main.tex")
    word, next_word = re.findall(r"\\textbf\{(\w+) (\w+)", text)[0]
    wrong = next(word for word in _MISSPELT if f"\\{word}{{" in text)
    for old, new, after in ((word, word + "}", f" {next_word}"), (wrong, _MISSPELT[wrong], "{")):
        await pilot.act(Key(("ctrl", "home")), Key(("ctrl", "f")))
        await pilot.act(Key(("ctrl", "a")), Type(f"{old}{after}\n"))
        await pilot.act(Key(("escape",)), Key(("escape",)), Key(("right",)), Key(("left",), 1 + len(after)))
        await pilot.act(Key(("backspace",), len(old)), Type(new))
    await pilot.press("ctrl+s")


async def complete_path(pilot: Pilot, case: Case) -> None:
    """Look at the folder where a graphic could be inserted, and take the picture that the text does not have."""
    text = await _read(pilot)
    for target in ('menu-item[name="Wizards"]', 'menu-item[name^="Insert Graphic"]'):
        await pilot.click(target)
    await pilot.click('dialog[name="Insert Graphics"] >> push-button:nth(0)')
    await pilot.type("figs\n")
    cells = ('dialog >> table-cell[name$=".pdf"]:nth(0)', 'dialog >> table-cell[name$=".pdf"]:nth(1)')
    names = {await pilot.read(cell) for cell in cells}
    await pilot.act(*[Key(("escape",))] * 3)  # the offered names, the folder and the graphic
    used = set(re.findall(r"figs/(\w+\.pdf)", text))
    (wrong,), (right,) = used - names, names - used
    await pilot.act(_MIDDLE)
    await _replace(pilot, wrong, right)
