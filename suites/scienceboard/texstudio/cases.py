"""What each task asks on a given seed, found in the documents as the desktop shows them.

An *edit* is a place that has to change: `old` stands there once, `new` is what must stand there, `also` is what may
stand there as well. The words of the goal never hold the answer.
"""

from __future__ import annotations

import csv
import io
import random
import re
from pathlib import PurePosixPath
from typing import Any

from pytest_cuabench.evidence import State

from . import variants
from .project import REFS, main_text, text_of, the_one
from .setups import DATA, NOTES, SETTINGS

Values = dict[str, Any]
Chance = random.Random

_GAP = "????"


def edit(old: str, new: str, *also: str) -> Values:
    """Return a place that has to change."""
    return {"old": old, "new": new, "also": list(also)}


def _edits(state: State, *edits: Values, **more: Any) -> Values:
    return {"edits": list(edits), "texts": _texts(state), **more}


def _texts(state: State) -> dict[str, str]:
    """Return the texts of the project, in which hands find their way."""
    files = state.collections["files"]
    return {
        PurePosixPath(path).name: text_of(state.collections, path) for path in files if path[-4:] != ".pdf"
    }


# Values from elsewhere


def correct_value(state: State, chance: Chance) -> Values:
    """Find the entry of the table that does not follow from the formula."""
    text = main_text(state)
    a, b, c, d = map(int, the_one(r"= (\d+) n\^3 \+ (\d+) n\^2 \+ (\d+) n \+ (\d+)$", text).groups())
    rows = [(int(n), int(value)) for n, value in re.findall(r"^ +(\d+) & (\d+) \\\\$", text, re.MULTILINE)]
    (wrong,) = ((n, value) for n, value in rows if value != a * n**3 + b * n**2 + c * n + d)
    n, value = wrong
    right = a * n**3 + b * n**2 + c * n + d
    near = n - 1
    return _edits(
        state,
        edit(f"{n} & {value}", f"{n} & {right}"),
        n=n,
        formula=f"{a}*{n}^3+{b}*{n}^2+{c}*{n}+{d}",
        slip=f"{n} & {a * near**3 + b * near**2 + c * near + d}",
    )


def fill_sum(state: State, chance: Chance) -> Values:
    """Work the sum out."""
    text = main_text(state)
    found = the_one(r"\\left\( (\d+) k\^2 \+ (\d+) k \\right\)", text)
    a, b, n = int(found[1]), int(found[2]), int(the_one(r"\$N = (\d+)\$", text)[1])
    value = sum(a * k**2 + b * k for k in range(1, n + 1))
    return _edits(
        state,
        edit(f"{_GAP} contacts", f"{value} contacts"),
        formula=f"sum({a}*k^2+{b}*k : k=1..{n})",
        slip=f"{value - a * n**2 - b * n} contacts",
    )


def fill_from_data(state: State, chance: Chance) -> Values:
    """Find the best of the runs at the temperature that the sentence is about."""
    asked = the_one(r"runs at (\d+) degrees\s+the best one gave a yield of \?{4}", main_text(state))[1]
    runs = list(csv.DictReader(io.StringIO(text_of(state.collections, DATA))))
    best, second = sorted((float(run["yield"]) for run in runs if run["temperature"] == asked), reverse=True)[
        :2
    ]
    other = max(float(run["yield"]) for run in runs if run["temperature"] != asked)
    return _edits(
        state,
        edit(f"{_GAP} per cent", f"{best} per cent"),
        slip=f"{second} per cent",
        other=f"{other} per cent",
    )


def fill_from_curve(state: State, chance: Chance) -> Values:
    """Read the leading coefficient from the curve that KAlgebra draws."""
    offset = the_one(r"\$q = (\d+)\$", main_text(state))[1]
    (plot,) = state.collections["functions2d"].values()
    coefficient = the_one(rf"(\d+)\s*\*\s*x\s*\^\s*2\s*\+\s*{offset}\b", str(plot["expression"]))[1]
    return _edits(state, edit(f"m = {_GAP}", f"m = {coefficient}"), slip=f"m = {offset}")


# Citations


def fill_citation(state: State, chance: Chance) -> Values:
    """Find the statement without its source."""
    (claim,) = _empty(main_text(state))
    before, known = claim
    return _edits(
        state,
        edit(rf"{before}~\cite{{}}", rf"{before}~\cite{{{known.key}}}"),
        about=known.about,
        slip=rf"{before}~\cite{{{known.other}}}",
    )


def fill_two_citations(state: State, chance: Chance) -> Values:
    """Find both statements without their sources."""
    claims = _empty(main_text(state))
    (_, one), (_, two) = claims
    return _edits(
        state,
        *(edit(rf"{before}~\cite{{}}", rf"{before}~\cite{{{known.key}}}") for before, known in claims),
        about=f"{one.about} and about {two.about}",
        swapped=[
            rf"{before}~\cite{{{other.key}}}" for (before, _), other in zip(claims, (two, one), strict=True)
        ],
    )


def mend_citation(state: State, chance: Chance) -> Values:
    """Find the key that no entry has."""
    entries = set(re.findall(r"^@\w+\{(\w+),", text_of(state.collections, REFS), re.MULTILINE))
    (unknown,) = set(re.findall(r"\\cite\{(\w+)\}", main_text(state))) - entries
    (claim,) = (claim for claim in variants.CLAIMS.values() if variants.without_century(claim.key) == unknown)
    return _edits(
        state,
        edit(rf"\cite{{{unknown}}}", rf"\cite{{{claim.key}}}"),
        slip=rf"\cite{{{claim.other}}}",
        unknown=unknown,
        entry=f"@article{{{claim.key},",
        renamed=f"@article{{{unknown},",
    )


def add_reference(state: State, chance: Chance) -> Values:
    """Find the entry that the open statement needs."""
    text = main_text(state)
    (offer,) = (offer for offer in variants.OFFERS if offer.sentence in text)
    other = variants.OFFERS[variants.OFFERS.index(offer) - 1]
    return _edits(
        state,
        edit(r"~\cite{}", rf"~\cite{{{offer.key}}}"),
        key=offer.key,
        topic=offer.topic,
        entry=_entry(text_of(state.collections, NOTES), offer.key),
        other=other.key,
    )


def _empty(text: str) -> list[tuple[str, variants.Claim]]:
    """Return the statements without a source, in the order of the text."""
    found = [(before, claim) for before, claim in variants.CLAIMS.items() if rf"{before}~\cite{{}}" in text]
    if len(found) != text.count(r"\cite{}"):
        raise LookupError("a citation is empty that no statement is known for")
    return found


def _entry(notes: str, key: str) -> str:
    return the_one(rf"^@\w+\{{{key},\n(?:  .*\n)+\}}$", notes)[0]


# Repairs


def mend_formula(state: State, chance: Chance) -> Values:
    """Find the command that LaTeX does not know."""
    (typo,) = (typo for typo in variants.FORMULA if typo.bad in main_text(state))
    return _edits(state, edit(typo.bad, typo.good, *typo.also), slip=typo.bad.replace("\\", "", 1))


def complete_path(state: State, chance: Chance) -> Values:
    """Find the picture that is not in the folder, and the one that its caption means."""
    text = main_text(state)
    figures = {figure.cut: figure for pair in variants.FIGURES for figure in pair}
    names = re.findall(r"\{figs/(\w+)\.pdf\}", text)
    (cut,) = (name for name in names if f"paper/figs/{name}.pdf" not in state.collections["files"])
    (other,) = (name for name in names if name != cut)
    whole = figures[cut].file
    return _edits(
        state,
        edit(f"{{figs/{cut}.pdf}}", f"{{figs/{whole}.pdf}}", f"{{figs/{whole}}}"),
        path=f"figs/{cut}.pdf",
        slip=f"{{figs/{other}.pdf}}",
    )


def add_package(state: State, chance: Chance) -> Values:
    """Find the package that is used and not loaded."""
    text = main_text(state)
    (missing,) = (name for name in variants.PACKAGES if f"{{{name}}}" not in text)
    used, also = variants.PACKAGES[missing]
    return {"package": missing, "also": list(also), "used": used, "other": "amssymb", "texts": _texts(state)}


def mend_listing(state: State, chance: Chance) -> Values:
    """Find the line that does not do what the text says."""
    (program,) = (program for program in variants.PROGRAMS if program.bad in main_text(state))
    return _edits(state, edit(program.bad, program.good), slip=f"pass  # {program.good}")


def mend_two_faults(state: State, chance: Chance) -> Values:
    """Find both faults."""
    text = main_text(state)
    faults = [fault for fault in variants.FAULTS if fault.good not in text]
    if len(faults) != 2:
        raise LookupError(f"the document has {len(faults)} faults, two were expected")
    return _edits(state, *(edit(fault.bad, fault.good, *fault.also) for fault in faults))


def mend_reference(state: State, chance: Chance) -> Values:
    """Find the reference whose label is not there."""
    text = main_text(state)
    labels = set(re.findall(r"\\label\{([^}]*)\}", text))
    (unknown,) = set(re.findall(r"\\ref\{([^}]*)\}", text)) - labels
    (reference,) = (reference for reference in variants.REFERENCES if reference.typo == unknown)
    other = min(labels - {reference.label})
    return _edits(
        state,
        edit(rf"\ref{{{unknown}}}", rf"\ref{{{reference.label}}}"),
        slip=rf"\ref{{{other}}}",
        label=rf"\label{{{reference.label}}}",
        renamed=rf"\label{{{unknown}}}",
    )


# Questions


def read_table(state: State, chance: Chance) -> Values:
    """Ask for the hardness of one casting, as cast or aged."""
    rows = re.findall(r"^ +(\w+) & (\d+) & (\d+) \\\\$", main_text(state), re.MULTILINE)
    place = chance.randrange(len(rows) - 1)
    column = chance.randrange(2)
    return {
        "texts": _texts(state),
        "casting": rows[place][0],
        "condition": ("as it was cast", "after ageing")[column],
        "value": int(rows[place][1 + column]),
        "next_row": int(rows[place + 1][1 + column]),
        "other_column": int(rows[place][2 - column]),
    }


def read_setting(state: State, chance: Chance) -> Values:
    """Ask for a number that the text takes from the settings."""
    text = text_of(state.collections, SETTINGS)
    name, words, unit = chance.choice(
        (
            ("heliumflow", "the flow of helium", "mL/min"),
            ("oventemperature", "the temperature of the column", "°C"),
        )
    )
    pattern = rf"newcommand\{{\\{name}\}}\{{(\d+)\}}"
    near = {"heliumflow": "splitflow", "oventemperature": "detectortemperature"}[name]
    return {
        "asked": words,
        "unit": unit,
        "value": int(the_one(rf"^\\{pattern}", text)[1]),
        "earlier": int(the_one(rf"^% \\{pattern}", text)[1]),
        "near": int(the_one(rf"^\\newcommand\{{\\{near}\}}\{{(\d+)\}}", text)[1]),
    }
