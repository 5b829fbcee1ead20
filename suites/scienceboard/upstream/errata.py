"""What is known to be wrong with published records. They are flagged, never edited: a score stays comparable.

Whoever wants a score without them deselects the marker: `-m "not erratum"`. The list in words is
docs/scienceboard-errata.md. A record that ScienceBoard-Verified put right is flagged as it was published first, and not
as it is there.
"""

from __future__ import annotations

from .records import Record
from .revisions import ORIGINAL, VERIFIED, revisions_of

_UNPROVABLE = "the statement looks unprovable as it stands"

# type, name -> what is wrong
_BY_NAME: dict[tuple[str, str], str] = {
    (
        "KAlgebra",
        "A-01",
    ): "the wanted value is the printed text 1+-i; an equal number that is printed otherwise fails",
    ("Celestia", "A-02"): "-20x slower is asked for, and a time scale of 0.05 wanted",
    (
        "Celestia",
        "C-09",
    ): "the wanted magnitude is 4.47, that of the galaxy which Celestia lists first is 3.84",
    ("Celestia", "D-02"): "the wanted day is the 21st of some time zone; in UTC the eclipse is on the 22nd",
    ("ChimeraX", "C-04"): "12 hydrogen atoms are wanted, the model has none there",
    ("GrassGIS", "B-12"): "a raster of lakes is spoken of, and any output with this number of cells passes",
    (
        "GrassGIS",
        "D-01",
    ): "the wanted type is CHARACTER; GRASS says TEXT of the varchar without a length that is asked for",
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
# What is known only of records as ScienceBoard-Verified has them.
_VERIFIED: dict[tuple[str, str], str] = {
    (
        "GrassGIS",
        "B-12",
    ): "besides the console its lambda looks at the screen of upstream's own evaluator; here the console alone counts",
}
_DIALOGS = {f"B-{number:02}" for number in range(3, 11)}
_DIALOG = "only what was set in the layer's dialog counts, not the same layer added by a command"
_CELESTIA_CONTENT = "the wanted answer depends on the release of Celestia's catalogues"
_STATES = "the wanted value is found by a path through ChimeraX's objects, which other releases may lay out otherwise"


def errata(record: Record) -> tuple[str, ...]:
    """Return what is known to be wrong with a record, in sentences without a full stop."""
    known = _VERIFIED if revisions_of(record) == {VERIFIED} else _BY_NAME
    dialog = ORIGINAL in revisions_of(record) and record.type == "GrassGIS" and record.name in _DIALOGS
    found = (known.get((record.type, record.name)), _DIALOG if dialog else None, _by_kind(record))
    return tuple(filter(None, found))


def _by_kind(record: Record) -> str | None:
    kinds = {item.type for item in record.judged}
    if record.type == "Celestia" and record.name.startswith("C-") and "stop" in kinds:
        return _CELESTIA_CONTENT
    return _STATES if "states" in kinds else None
