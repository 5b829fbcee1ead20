"""Ask for a number that the text takes from the settings."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.answers import answered
from . import writing
from .writing import Steps

SETTINGS = "paper/settings.tex"


def case(state: State, random: Random) -> Values:
    text = writing.text_of(state.collections, SETTINGS)
    name, words, unit = random.choice(
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
        "value": int(writing.the_one(rf"^\\{pattern}", text)[1]),
        "earlier": int(writing.the_one(rf"^% \\{pattern}", text)[1]),
        "near": int(writing.the_one(rf"^\\newcommand\{{\\{near}\}}\{{(\d+)\}}", text)[1]),
    }


def setup(random: Random) -> Steps:
    """A text that takes its numbers from another file."""
    flow, old, split = random.sample(range(12, 60), 3)
    temperature, earlier, detector = random.sample(range(120, 320, 5), 3)
    fields = {
        "flow": flow,
        "old_flow": old,
        "split": split,
        "temperature": temperature,
        "old_temperature": earlier,
        "detector": detector,
        "volume": random.choice((1, 2, 5)),
    }
    files = {writing.MAIN: writing.document("column.tex"), SETTINGS: writing.document("settings.tex", fields)}
    yield from writing.prepare(files, SETTINGS, writing.MAIN)


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the number that the text takes from the settings."""
    words = ("flow", "helium", "temperature", "column", "oven", "degrees", "Celsius", "set", "to")
    yield from answered(evidence, Number(case["value"], case["unit"], words=words), "setting")
    yield from writing.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the settings in their own tab."""
    await writing.show(pilot, "settings.tex")
    await pilot.answer(f"{case['value']} {case['unit']}")


@wrong("information_fidelity/major")
async def read_an_earlier_run(pilot: Pilot, case: Case) -> None:
    """The line is a comment."""
    await pilot.answer(f"{case['earlier']} {case['unit']}")


@wrong("information_fidelity/major")
async def read_a_similar_setting(pilot: Pilot, case: Case) -> None:
    """The number is that of another part."""
    await pilot.answer(f"{case['near']} {case['unit']}")
