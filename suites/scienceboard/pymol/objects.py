"""Objects of the session: renamed, copied, taken apart, thinned out; the keys of the TOML file are those of `looks.py`.

`moves` says what becomes of the region's residues: `copy` also puts them into the object `into`, `move` only there, and
`remove` takes them away.
"""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from . import molecules
from .molecules import region_values, setup
from .molecules import work as solve

__all__ = ["setup", "solve"]

_SAME = ("resn", "atoms", "content", "place")  # what a residue is, however it looks


def case(state: State, random: Random, values: Values) -> Values:
    found = region_values(state, random, values)
    if values["region"] == "nothing":
        found["residues"] = list(state.collections["residues"])
    return found


def check(evidence: Evidence, case: Case) -> Findings:
    """The objects hold the residues that they should, and nothing else changed."""
    old, into = case["object"], case.values.get("into", "")
    before, after = (state.collections["residues"] for state in (evidence.before, evidence.after))
    region = set(case["residues"])
    expected = {key: row for key, row in before.items() if key not in region or case["moves"] == "copy"}
    if case["moves"] != "remove":
        expected |= {f"{into}{key.removeprefix(old)}": before[key] for key in region}
    asked = region | (expected.keys() - before.keys())
    beside = {key for key in before.keys() ^ after.keys() if key.startswith((f"{old}/", f"{into}/"))}
    wrong_ones = sorted(
        key
        for key in asked | beside
        if (key in expected) != (key in after)
        or (key in after and any(after[key][name] != expected[key][name] for name in _SAME))
    )
    detail = f"differing: {', '.join(wrong_ones[:5])}" if wrong_ones else "as it should be"
    yield Milestone("residues", not wrong_ones, 1.0, f"{len(region)} residues: {case['moves']}", detail)
    for key in sorted(asked & expected.keys() & after.keys()):
        if looks := [
            name for name in expected[key] if name not in _SAME and after[key][name] != expected[key][name]
        ]:
            place = f"residues/{key}"
            yield Violation(
                "record_integrity", "major", place, f"{place} looks different: {', '.join(looks)}."
            )
            break
    stays = any(key.startswith(f"{old}/") for key in expected)

    def allowed(collection: str, key: str, field: str) -> bool:
        match collection:
            case "residues":
                return field == "*" and key in asked
            case "objects":
                return key == into or (key == old and (field == "atoms" if stays else field == "*"))
        return False

    yield from molecules.nothing_else(evidence, allowed)


@wrong("milestone:residues")
async def slipped(pilot: Pilot, case: Case) -> None:
    """Do nearly the same."""
    await molecules.command(pilot, case["slip"])


@wrong("record_integrity/major")
async def changed_more(pilot: Pilot, case: Case) -> None:
    """Change something else, too."""
    await solve(pilot, case)
    await molecules.command(pilot, case["beside"])
