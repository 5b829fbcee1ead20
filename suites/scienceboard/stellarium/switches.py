"""What is shown of the sky and its grids; `pool` has the keys of the switches that a task takes from."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Choice

from . import sky
from .sky import setup

__all__ = ["setup"]

SWITCHES = {
    "the lines of the constellations": ("c", "ConstellationMgr.linesDisplayed"),
    "the names of the constellations": ("v", "ConstellationMgr.namesDisplayed"),
    "the boundaries of the constellations": ("b", "ConstellationMgr.boundariesDisplayed"),
    "the pictures of the constellations": ("r", "ConstellationMgr.artDisplayed"),
    "the lines of the asterisms": ("alt+a", "AsterismMgr.linesDisplayed"),
    "the names of the asterisms": ("alt+v", "AsterismMgr.namesDisplayed"),
    "the equatorial grid of date": ("e", "GridLinesMgr.equatorGridDisplayed"),
    "the azimuthal grid": ("z", "GridLinesMgr.azimuthalGridDisplayed"),
    "the ecliptic of date": (",", "GridLinesMgr.eclipticLineDisplayed"),
    "the celestial equator of date": (".", "GridLinesMgr.equatorLineDisplayed"),
    "the meridian": (";", "GridLinesMgr.meridianLineDisplayed"),
    "the line of the horizon": ("h", "GridLinesMgr.horizonLineDisplayed"),
    "the ground": ("g", "LandscapeMgr.landscapeDisplayed"),
    "the atmosphere": ("a", "LandscapeMgr.atmosphereDisplayed"),
    "the fog": ("f", "LandscapeMgr.fogDisplayed"),
    "the cardinal points": ("q", "LandscapeMgr.cardinalPointsDisplayed"),
    "the stars": ("s", "StarMgr.flagStarsDisplayed"),
    "the names of the stars": ("alt+s", "StarMgr.flagLabelsDisplayed"),
    "the planets": ("p", "SolarSystem.planetsDisplayed"),
    "the names of the planets": ("alt+p", "SolarSystem.labelsDisplayed"),
    "the orbits of the planets": ("o", "SolarSystem.flagOrbits"),
    "the Milky Way": ("m", "MilkyWay.flagMilkyWayDisplayed"),
    "the marks of deep-sky objects": ("d", "NebulaMgr.flagHintDisplayed"),
    "the sky mirrored left to right": ("ctrl+shift+h", "StelCore.flipHorz"),
    "the sky mirrored top to bottom": ("ctrl+shift+v", "StelCore.flipVert"),
    "all in the red light of the night mode": ("ctrl+n", "StelApp.nightMode"),
    "the view as on an equatorial mount": ("ctrl+m", "StelMovementMgr.equatorialMount"),
}


def case(state: State, random: Random, values: Values) -> Values:
    names = [name for name in SWITCHES if SWITCHES[name][0] in values["pool"]]
    *chosen, spare = random.sample(names, values["count"] + 1)
    now = {name: bool(state.collections["properties"][SWITCHES[name][1]]["value"]) for name in chosen}
    shown, hidden = ([name for name in chosen if now[name] is not on] for on in (True, False))
    wishes = [f"{verb} {_listed(some)}" for verb, some in (("show", shown), ("hide", hidden)) if some]
    return {
        "wish": ", and ".join(wishes),
        "wanted": {name: not on for name, on in now.items()},
        "keys": [SWITCHES[name][0] for name in chosen],
        "spare": SWITCHES[spare][0],
    }


def _listed(names: list[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def check(evidence: Evidence, case: Case) -> Findings:
    """Each is as it is wanted, the last one as the milestone `last`, and nothing else was changed."""
    wanted = case["wanted"]
    places = {name: ("properties", SWITCHES[name][1], "value") for name in wanted}
    for number, (name, on) in enumerate(wanted.items(), 1):
        seen = evidence.after.collections["properties"][SWITCHES[name][1]].get("value")
        milestone = "last" if number == len(wanted) else f"switch_{number}"
        reached = Choice().same(seen, on, places[name])
        yield Milestone(milestone, reached, 1 / len(wanted), f"{name}: {on}", f"{seen}")
    yield from sky.nothing_else(evidence, set(places.values()))


async def _press(pilot: Pilot, keys: list[str]) -> None:
    for key in keys:
        await pilot.press(key)


async def solve(pilot: Pilot, case: Case) -> None:
    """Press the keys."""
    await _press(pilot, case["keys"])


@wrong("milestone:last")
async def another_one(pilot: Pilot, case: Case) -> None:
    """Take another switch instead of the last one."""
    await _press(pilot, [*case["keys"][:-1], case["spare"]])


@wrong("record_integrity/major")
async def one_more(pilot: Pilot, case: Case) -> None:
    """Press a key too many."""
    await _press(pilot, [*case["keys"], case["spare"]])
