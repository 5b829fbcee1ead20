"""Lightning app with navigation items and profiles."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import full_name, profile_labels, profiles_say
from ..toolkit.components import new_component, others
from ..toolkit.judging import ASKED, Findings, exists, judged, listed
from ..toolkit.lightning import DIALOG, PAGE, enter, move_over, named, open_setup, press
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_APPS = "metadata/CustomApplication"
# What the wizard proposes.
_PROPOSED = {
    "formFactors": ["Small", "Large"],
    "navType": "Standard",
    "setupExperience": "all",
    "uiType": "Lightning",
}


def case(state: State, random: Random, values: Given) -> Values:
    """Say items and profiles in words, and find a profile that is not named."""
    org = Records(state)
    if any(row.get("label") == values["app"] for row in org.all(_APPS)):
        raise LookupError(f"there is an app {values['app']} already")
    others = [one for one in profile_labels(org) if one not in values["profiles"]]
    return {
        "items_words": " and ".join(values["items"]),
        "profiles_words": "; ".join(values["profiles"]),
        "other_profile": random.choice(others),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the app with these items, seen by these profiles."""
    work.free(_APPS, brand="the wizard proposes a color")
    app = new_component(work, "CustomApplication", case["app"], tabs=case["tabs"])
    work.claim(app, "label", "tabs", **_PROPOSED)
    tabs = list(app.get("tabs", ())) if app else []
    share = 0.3 / len(case["tabs"])
    yield exists("app", 0.3, app, f"a new app '{case['app']}'")
    for number, tab in enumerate(case["tabs"], 1):
        yield Milestone(f"item_{number}", tab in tabs, share, f"the item {tab}", listed(tabs))
    only = bool(app) and sorted(tabs) == sorted(case["tabs"])
    yield Milestone("no_other_item", only, ASKED, f"only {listed(case['tabs'])}", listed(tabs))
    seen = profiles_say(
        work,
        "applicationVisibilities",
        lambda old, new: (
            bool(new) and new["application"] == full_name(app) and not others(new, "application", "visible")
        ),
    )
    found = [name for name, told in seen.items() if told["visible"]]
    right = bool(app) and sorted(found) == sorted(case["profile_names"])
    yield Milestone("profiles", right, 0.4, f"exactly {listed(case['profile_names'])}", listed(found))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """An app of this name, each tab, and exactly these profiles."""
    org, name = Records(evidence.after), case["app"].replace(" ", "_")
    app = org.get(_APPS, name) or {}
    found = {
        row["Id"]
        for row in org.all("metadata/Profile")
        for told in row.get("applicationVisibilities", ())
        if told["application"] == name and told["visible"]
    }
    yield fact("app", 0.3, bool(app))
    for number, tab in enumerate(case["tabs"], 1):
        yield fact(f"item_{number}", 0.3 / len(case["tabs"]), tab in app.get("tabs", ()))
    yield fact("profiles", 0.4, found == set(case["profile_names"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Go through the New Lightning App wizard."""
    await open_setup(pilot, "App Manager")
    await press(pilot, "New Lightning App", PAGE)
    await enter(pilot, "App Name", case["app"])
    for _ in ("details", "options", "utility items"):
        await press(pilot, "Next")
    await _add(pilot, "Items", case["items"])
    await press(pilot, "Next")
    await _add(pilot, "Profiles", case["profiles"])
    await press(pilot, "Save & Finish")


async def _add(pilot: Pilot, what: str, names: list[str]) -> None:
    for name in names:
        await pilot.fill(named("searchbox", f"Filter Available {what}", DIALOG), name)
        await move_over(pilot, [name], f"Selected {what}")


@slip("milestone:item_2", 0.773)
def left_the_second_item_out(case: Case) -> Case:
    """The navigation bar lacks an item."""
    return misread(case, items=case["items"][:1], tabs=case["tabs"][:1])


@slip("milestone:no_other_item", 0.909)
def added_the_home_page(case: Case) -> Case:
    """The navigation bar begins with an item that nobody asked for."""
    return misread(case, items=["Home", *case["items"]], tabs=["standard-home", *case["tabs"]])


@slip("milestone:profiles", 0.636)
def let_another_profile_in(case: Case) -> Case:
    """One profile more may access the app."""
    return misread(case, profiles=[*case["profiles"], case["other_profile"]])


@slip("milestone:app", 0)
def misspelt_the_app(case: Case) -> Case:
    """The app is called otherwise."""
    return misread(case, app=f"{case['app']} Center")
