"""How residues, or everything, shall look: what is shown, hidden, coloured, labelled, and settings.

In the TOML file, `look` says how each residue of the region looks afterwards: representations as `show` and `hide`, a
`color` of all atoms or of one `element`, the `labels` of atoms (`{resi}` is the residue's number). `settings` are the
values of settings, for everything or for the object. `slip` are what somebody careless types instead of `lines`,
`beside` further ones that change what has to stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import molecules
from .molecules import region_values, setup
from .molecules import work as solve

__all__ = ["setup", "solve"]


def case(state: State, random: Random, values: Values) -> Values:
    return region_values(state, random, values)


def check(evidence: Evidence, case: Case) -> Findings:
    """Every residue of the region has the look, each setting its value, and nothing else changed."""
    look, settings = case.values.get("look", {}), case.values.get("settings", {})
    judged = [_looks(evidence, case, look)] if look else []
    judged += [_setting(evidence, case["object"], name, value) for name, value in settings.items()]
    for place, (reached, expected, seen) in enumerate(judged, 1):
        name = "last" if place == len(judged) else f"part_{place}"
        yield Milestone(name, reached, 1 / len(judged), expected, seen)
    fields = _fields(look)

    def allowed(collection: str, key: str, field: str) -> bool:
        match collection:
            case "residues":
                return key in case["residues"] and field in fields
            case "settings":
                return key in settings
            case "objects":
                return field == "settings" and _only(evidence, case["object"], set(settings))
        return False

    yield from molecules.nothing_else(evidence, allowed)


def _fields(look: Mapping[str, Any]) -> set[str]:
    named = {"show": "shown", "hide": "shown", "color": "colors", "labels": "labels"}
    return {named[name] for name in look if name in named}


def _looks(evidence: Evidence, case: Case, look: Mapping[str, Any]) -> tuple[bool, str, str]:
    before, after = (state.collections["residues"] for state in (evidence.before, evidence.after))
    missing = [
        key for key in case["residues"] if key not in after or not _has(key, before[key], after[key], look)
    ]
    return (
        not missing,
        f"{len(case['residues'])} residues have {look}",
        f"not {missing[:5]}" if missing else "all have it",
    )


def _has(key: str, before: Mapping[str, Any], after: Mapping[str, Any], look: Mapping[str, Any]) -> bool:
    """Whether a residue looks as it should."""
    shown, code = after["shown"], molecules.COLORS.get(look.get("color", ""))
    colors = {
        element: [code] if code and element == look.get("element", element) else found
        for element, found in before["colors"].items()
    }
    labels = {
        name: text.replace("{resi}", key.rpartition("/")[2]) for name, text in look.get("labels", {}).items()
    }
    return (
        all(shown.get(name, 0) == after["atoms"] for name in look.get("show", ()))
        and all(name not in shown for name in look.get("hide", ()))
        and set(shown) <= {*before["shown"], *look.get("show", ())}
        and (code is None or after["colors"] == colors)
        and ("labels" not in look or after["labels"] == labels)
    )


def _setting(evidence: Evidence, name: str, setting: str, value: str) -> tuple[bool, str, str]:
    """Judge a setting for everything or for the object; it is known where it is not the usual one."""
    row = evidence.after.collections["settings"].get(setting, {})
    own = evidence.after.collections["objects"].get(name, {}).get("settings", {})
    seen = [str(one) for one in (row.get("value"), own.get(setting)) if one is not None]
    return any(_same(one, value) for one in seen), f"{setting} is {value}", ", ".join(seen) or "as usual"


def _same(seen: str, value: str) -> bool:
    try:
        return abs(float(seen) - float(value)) < 1e-4
    except ValueError:
        return seen == value


def _only(evidence: Evidence, name: str, settings: set[str]) -> bool:
    """Whether an object's own settings differ in some only."""
    old, new = (
        state.collections["objects"].get(name, {}).get("settings", {})
        for state in (evidence.before, evidence.after)
    )
    return {one for one in {*old, *new} if old.get(one) != new.get(one)} <= settings


@wrong("milestone:last")
async def slipped(pilot: Pilot, case: Case) -> None:
    """Do nearly the same."""
    await molecules.command(pilot, case["slip"])


@wrong("record_integrity/major")
async def changed_more(pilot: Pilot, case: Case) -> None:
    """Change something else, too."""
    await solve(pilot, case)
    await molecules.command(pilot, case["beside"])
