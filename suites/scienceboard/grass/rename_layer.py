"""Give the layer a title of its own."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Text

from . import mapping
from .mapping import one_of_piemonte as setup
from .mapping import rename_layer as solve

__all__ = ["setup", "solve"]

_LABELS = ("Ground plan", "Working layer", "Sheet 7", "Survey of spring", "Base for the print")


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | {"label": random.choice(_LABELS)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the layer called by its new title, and the map by its old name."""
    layer = mapping.layer_of(evidence, case["layer"])
    label = layer["label"] if layer else None
    right = Text().same(label, case["label"], layer and ("layers", layer["_key"], "label"))
    yield Milestone("label", right, 1.0, case["label"], str(label))
    yield from mapping.unasked(evidence, mapping.field_of(case["layer"], "label"))


@wrong("milestone:label")
async def misspelled_it(pilot: Pilot, case: Case) -> None:
    """The title is nearly right."""
    await solve(pilot, mapping.misread(case, label=case["label"].upper()))
