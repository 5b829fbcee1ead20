"""Kinds of values: when two texts mean the same to a program, how else each may be written, and what is nearly it.

A check that compares by a kind, `LENGTH.same(seen, wanted)`, declares it: `--cua-audit` writes the compared value in
every other spelling of its kind, which must be accepted, and as nearly the same, which must be refused
(`proof` of variants in `pytest_cuabench.proof.variants`).
"""

from pytest_cuabench.task.kinds.base import FURTHER, Compared, Free, Kind, Place, Record, free, recorded
from pytest_cuabench.task.kinds.compound import Fields, Items, Parts, Tree
from pytest_cuabench.task.kinds.formula import Formula
from pytest_cuabench.task.kinds.measure import LENGTHS, SPANS, Clock, Color, Date, Limit, Measure, Number
from pytest_cuabench.task.kinds.places import Command, Path, Url
from pytest_cuabench.task.kinds.text import Choice, Fits, Keys, Raw, Text

__all__ = [
    "FURTHER",
    "LENGTHS",
    "SPANS",
    "Choice",
    "Clock",
    "Color",
    "Command",
    "Compared",
    "Date",
    "Fields",
    "Fits",
    "Formula",
    "Free",
    "Items",
    "Keys",
    "Kind",
    "Limit",
    "Measure",
    "Number",
    "Parts",
    "Path",
    "Place",
    "Raw",
    "Record",
    "Text",
    "Tree",
    "Url",
    "free",
    "recorded",
]
