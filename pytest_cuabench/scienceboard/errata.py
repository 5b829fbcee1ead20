"""What is known to be wrong with published records. They are flagged, never edited: a score stays comparable.

Whoever wants a score without them deselects the marker: `-m "not erratum"`. The list in words is
docs/scienceboard-errata.md.
"""

from __future__ import annotations

from pytest_cuabench.scienceboard.records import Record

_UNPROVABLE = "the statement looks unprovable as it stands"

# type, name -> what is wrong
_BY_NAME: dict[tuple[str, str], str] = {
    (
        "KAlgebra",
        "A-01",
    ): "the wanted value is the printed text 1+-i; an equal number that is printed otherwise fails",
    ("KAlgebra", "B-01"): "that the tab was switched is asked for and not checked",
    ("KAlgebra", "C-07"): "the instruction says ln(x+1), the wanted points are of ln(x^2+1)",
    ("KAlgebra", "C-12"): "the instruction says foci at (±1, 0), the wanted points have them at (±4, 0)",
    ("KAlgebra", "C-14"): "the instruction says diameter 2√2, the wanted points have radius 2√2",
    ("Lean", "A-02"): f"{_UNPROVABLE}: it is false at y = 0, where ack 0 1 = ack 1 0",
    ("Lean", "A-04"): f"{_UNPROVABLE}: ℵ has lost its subscript and became a variable",
    ("Lean", "B-02"): "the hypothesis cannot hold for n >= 2, so that the statement says nothing",
    ("Lean", "C-05"): f"{_UNPROVABLE}: the closure was meant, but Aᶜ is the complement",
    ("Lean", "D-02"): f"{_UNPROVABLE}: S is not said to be convex",
    ("Lean", "D-03"): f"{_UNPROVABLE}: a = b is not excluded",
    ("Lean", "D-07"): f"{_UNPROVABLE}: h₃ is empty for the Bochner integral",
    ("Lean", "E-01"): "Decidable of anything is closed at once by Classical.propDecidable",
    ("Lean", "E-02"): "Decidable of anything is closed at once by Classical.propDecidable",
    ("TeXstudio", "A-01"): "the text is about 3PPD, but 2OLX is opened",
    (
        "TeXstudio",
        "B-04",
    ): "it needs Google Scholar over the network, and the layout of its BibTeX of that day",
    ("TeXstudio", "C-06"): "only that it compiles is checked: an empty document passes",
    (
        "ChimeraX",
        "B-01",
    ): "the wanted value is a dump of 110 kB of colours, of one release of ChimeraX and numpy",
    ("ChimeraX", "D-03"): "an amino-acid sequence is called a nucleic acid, and AlphaFold on Colab is needed",
}
_CELESTIA_CONTENT = "the wanted answer depends on the release of Celestia's catalogues"
_STATES = "the wanted value is found by a path through ChimeraX's objects, which other releases may lay out otherwise"


def errata(record: Record) -> tuple[str, ...]:
    """Return what is known to be wrong with a record, in sentences without a full stop."""
    return tuple(filter(None, (_BY_NAME.get((record.type, record.name)), _by_kind(record))))


def _by_kind(record: Record) -> str | None:
    kinds = {item.type for item in record.judged}
    if record.type == "Celestia" and record.name.startswith("C-") and "stop" in kinds:
        return _CELESTIA_CONTENT
    return _STATES if "states" in kinds else None
