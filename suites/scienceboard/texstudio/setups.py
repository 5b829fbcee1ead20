"""The folder `paper` as each task finds it, and which of its files TeXstudio shows."""

from __future__ import annotations

import random
from collections.abc import Iterator

from . import variants
from .pictures import picture
from .project import MAIN, REFS, Step, document, prepare, start

DATA = "paper/runs.csv"
NOTES = "paper/offers.txt"
SETTINGS = "paper/settings.tex"

Chance = random.Random
Steps = Iterator[Step]


# Values from elsewhere


def correct_value(chance: Chance) -> Steps:
    """A table of a cubic with one wrong entry; KAlgebra is open."""
    a, b, c, d = (
        chance.randint(3, 9),
        chance.randint(11, 49),
        chance.randint(3, 9),
        chance.randint(101, 999),
    )
    places = sorted(chance.sample(range(11, 60), 7))
    values = [a * n**3 + b * n**2 + c * n + d for n in places]
    wrong = chance.randrange(1, 6)
    values[wrong] += chance.choice((-1, 1)) * chance.choice((270, 900, 1980))
    rows = "\n".join(f"    {n} & {value} \\\\" for n, value in zip(places, values, strict=True))
    fields = {"a": a, "b": b, "c": c, "d": d, "rows": rows}
    yield from prepare({MAIN: document("heater.tex", fields)}, MAIN)
    yield start("kalgebra")


def fill_sum(chance: Chance) -> Steps:
    """A sum that has to be worked out; KAlgebra is open."""
    fields = {"a": chance.randint(3, 9), "b": chance.randint(11, 29), "n": chance.randint(40, 90)}
    yield from prepare({MAIN: document("stack.tex", fields)}, MAIN)
    yield start("kalgebra")


def fill_from_data(chance: Chance) -> Steps:
    """A value that a list of runs holds, which is open in another tab."""
    low, asked, high = sorted(chance.sample(range(40, 120, 5), 3))
    runs = [(temperature, load) for temperature in (low, asked) for load in (1, 2, 3, 4, 5, 6)]
    yields = dict(zip(runs, chance.sample(range(412, 948), len(runs)), strict=True))
    chance.shuffle(runs)
    lines = [f"{n},{run[0]},{run[1]},{yields[run] / 10}" for n, run in enumerate(runs, 1)]
    best = max(value for run, value in yields.items() if run[0] == low)
    fields = {"low": low, "asked": asked, "high": high, "low_best": best / 10}
    data = "\n".join(["run,temperature,loading,yield", *lines, ""])
    yield from prepare({MAIN: document("yields.tex", fields), DATA: data}, DATA, MAIN)


def fill_from_curve(chance: Chance) -> Steps:
    """A coefficient that only KAlgebra's plot tells."""
    m, q = chance.sample(range(2, 10), 2)
    yield from prepare({MAIN: document("curve.tex", {"q": q})}, MAIN)
    yield start("kalgebra", {"do": "plot2d", "expression": f"x->{m}*x^2+{q}"})


# Citations


def fill_citation(chance: Chance) -> Steps:
    """One statement without its source."""
    yield from _survey(*chance.sample(list(variants.CLAIMS), 1))


def fill_two_citations(chance: Chance) -> Steps:
    """Two statements without their sources."""
    yield from _survey(*chance.sample(list(variants.CLAIMS), 2))


def mend_citation(chance: Chance) -> Steps:
    """One key that no entry has."""
    keys = {key: key for key in variants.KEYS}
    key = chance.choice([claim.key for claim in variants.CLAIMS.values()])
    keys[key] = variants.without_century(key)
    yield from _cited(keys)


def add_reference(chance: Chance) -> Steps:
    """A statement whose source is still among the offers of the library."""
    offer = chance.choice(variants.OFFERS)
    files = {
        MAIN: document("review.tex", {"sentence": offer.sentence}),
        REFS: document("pearls.bib"),
        NOTES: document("offers.txt"),
    }
    yield from prepare(files, NOTES, REFS, MAIN)


def _survey(*empty: str) -> Steps:
    missing = {variants.CLAIMS[statement].key for statement in empty}
    yield from _cited({key: "" if key in missing else key for key in variants.KEYS})


def _cited(keys: dict[str, str]) -> Steps:
    yield from prepare({MAIN: document("survey.tex", keys), REFS: document("refs.bib")}, REFS, MAIN)


# Repairs


def mend_formula(chance: Chance) -> Steps:
    """A formula with a command that LaTeX does not know."""
    text = document("zeta.tex", {"even": chance.choice((2, 4, 6, 8))})
    typo = chance.choice(variants.FORMULA)
    yield from prepare({MAIN: text.replace(typo.good, typo.bad)}, MAIN)


def complete_path(chance: Chance) -> Steps:
    """A picture whose file name was cut short."""
    pair = list(chance.choice(variants.FIGURES))
    chance.shuffle(pair)
    cut = chance.randrange(2)
    names = [figure.cut if place == cut else figure.file for place, figure in enumerate(pair)]
    fields = dict(zip(("first_file", "second_file"), names, strict=True))
    fields |= {"first": pair[0].shows, "second": pair[1].shows}
    pictures = {f"paper/figs/{figure.file}.pdf": picture(figure.file) for figure in pair}
    yield from prepare({MAIN: document("figures.tex", fields), **pictures}, MAIN)


def add_package(chance: Chance) -> Steps:
    """A document that uses a package which it does not load."""
    missing = chance.choice(list(variants.PACKAGES))
    count = chance.randint(12, 24)
    fields = {
        "packages": "\n".join(f"\\usepackage{{{name}}}" for name in variants.PACKAGES if name != missing),
        "count": count,
        "below": count - 1,
        "mean": f"{chance.randint(1001, 1999) / 100:.2f}",
        "spread": f"{chance.randint(11, 89) / 100:.2f}",
    }
    yield from prepare({MAIN: document("report.tex", fields)}, MAIN)


def mend_listing(chance: Chance) -> Steps:
    """A program that does not do what the text says."""
    program = chance.choice(variants.PROGRAMS)
    code = program.code.replace(program.good, program.bad)
    fields = {"title": program.title, "words": program.words, "code": code}
    yield from prepare({MAIN: document("algorithm.tex", fields)}, MAIN)


def mend_two_faults(chance: Chance) -> Steps:
    """A document with two faults that keep it from compiling."""
    fields = {
        "grams": chance.randint(12, 48),
        "volume": chance.choice((250, 500, 750)),
        "minutes": chance.randint(6, 25),
        "ph": f"{chance.randint(68, 82) / 10}",
        "days": chance.randint(9, 30),
    }
    text = document("protocol.tex", fields)
    for fault in chance.sample(variants.FAULTS, 2):
        text = text.replace(fault.good, fault.bad)
    yield from prepare({MAIN: text}, MAIN)


def mend_reference(chance: Chance) -> Steps:
    """A reference to a label that is not there."""
    one, two = (f"{chance.randint(1001, 2999) / 100:.2f}" for _ in range(2))
    fields = {"count": chance.randint(5, 12), "one": one, "two": two, "minutes": chance.randint(15, 55)}
    before, label, typo = chance.choice(variants.REFERENCES)
    text = document("melting.tex", fields).replace(f"{before}{{{label}}}", f"{before}{{{typo}}}")
    yield from prepare({MAIN: text}, MAIN)


# Questions


def read_table(chance: Chance) -> Steps:
    """A table of eight rows and two columns of numbers."""
    values = chance.sample(range(61, 199), 2 * len(variants.CASTINGS))
    names = chance.sample(variants.CASTINGS, len(variants.CASTINGS))
    rows = (f"    {name} & {values[2 * i]} & {values[2 * i + 1]} \\\\" for i, name in enumerate(names))
    yield from prepare({MAIN: document("alloys.tex", {"rows": "\n".join(rows)})}, MAIN)


def read_setting(chance: Chance) -> Steps:
    """A text that takes its numbers from another file."""
    flow, old, split = chance.sample(range(12, 60), 3)
    temperature, earlier, detector = chance.sample(range(120, 320, 5), 3)
    fields = {
        "flow": flow,
        "old_flow": old,
        "split": split,
        "temperature": temperature,
        "old_temperature": earlier,
        "detector": detector,
        "volume": chance.choice((1, 2, 5)),
    }
    files = {MAIN: document("column.tex"), SETTINGS: document("settings.tex", fields)}
    yield from prepare(files, SETTINGS, MAIN)
