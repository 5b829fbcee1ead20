"""Tab of a custom object for one profile in one app."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.building import apps_with, pick_style, profile_labels, profiles_say
from ..toolkit.components import others
from ..toolkit.judging import Findings, exists, judged, listed
from ..toolkit.lightning import PAGE, choose, named, open_setup, press, tick
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_TABS = "metadata/CustomTab"
_APPS = "metadata/CustomApplication"
_OTHER_STYLE = {"style": "Heart", "motif": "Custom1: Heart"}


def case(state: State, random: Random, values: Given) -> Values:
    """See that the object has no tab, and find a profile and an app that are not named."""
    org = Records(state)
    tab = f"{values['object']}__c"
    if org.get(_TABS, tab):
        raise LookupError(f"{values['object']} has a tab already")
    apps = {row["Id"]: row["label"] for row in org.all(_APPS) if row["Id"] != values["app_name"]}
    other = random.choice(sorted(apps))
    return {
        "tab": tab,
        "visibility": "Default On",
        "more_apps": [],
        "other_profile": random.choice([one for one in profile_labels(org) if one != values["profile"]]),
        "other_app": {"app": apps[other], "app_name": other},
    }


def _asked(case: Case, new: Any) -> bool:
    return bool(new) and new["tab"] == case["tab"] and not others(new, "tab", "visibility")


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the tab in its style, on for one profile, in one app."""
    tab = work.closest(_TABS, {"Id": f"{_TABS}/{case['tab']}"}, motif=case["motif"])
    work.claim(tab, "motif", customObject=True)
    motif = str((tab or {}).get("motif", "no tab"))
    yield exists("tab", 0.25, tab, f"a tab of {case['object']}")
    yield Milestone("style", motif == case["motif"], 0.25, case["motif"], motif)
    told = profiles_say(work, "tabVisibilities", lambda old, new: _asked(case, new))
    seen = {name: str(one["visibility"]) for name, one in told.items() if one["visibility"] != "Hidden"}
    right = seen == {case["profile_name"]: "DefaultOn"}
    found = listed(f"{name}: {visibility}" for name, visibility in seen.items())
    yield Milestone("profile", right, 0.25, f"{case['profile_name']}: DefaultOn", found)
    apps = apps_with(work, case["tab"])
    yield Milestone("app", apps == [case["app_name"]], 0.25, f"in {case['app_name']} only", listed(apps))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A tab of the style, on for this profile only, in this app only."""
    org, tab = Records(evidence.after), case["tab"]
    on = [
        row["Id"]
        for row in org.all("metadata/Profile")
        for told in row.get("tabVisibilities", ())
        if (told["tab"], told["visibility"]) == (tab, "DefaultOn")
    ]
    apps = [row["Id"] for row in org.all(_APPS) if tab in row.get("tabs", ())]
    found = org.get(_TABS, tab) or {}
    yield fact("tab", 0.25, bool(found))
    yield fact("style", 0.25, found.get("motif") == case["motif"])
    yield fact("profile", 0.25, on == [case["profile_name"]])
    yield fact("app", 0.25, apps == [case["app_name"]])


async def solve(pilot: Pilot, case: Case) -> None:
    """Go through the New Custom Object Tab wizard; hide the tab from all profiles before one gets it."""
    await open_setup(pilot, "Tabs")
    await press(pilot, "New", PAGE)
    await choose(pilot, "Object", case["object"])
    await pick_style(pilot, case["style"])
    await press(pilot, "Next", PAGE)
    await choose(pilot, "Tab visibility of all profiles", "Tab Hidden")
    await pilot.click(named("radio", "Apply a different tab visibility for each profile", PAGE))
    await choose(pilot, case["profile"], case["visibility"])
    await press(pilot, "Next", PAGE)
    await tick(pilot, "Include Tab", PAGE)
    for label, name in ((case["app"], case["app_name"]), *case["more_apps"]):
        await tick(pilot, f"{label} ({name})", PAGE)
    await press(pilot, "Save", PAGE)


@slip("milestone:style", 0.75)
def took_another_style(case: Case) -> Case:
    """The tab has another style."""
    return misread(case, **_OTHER_STYLE)


@slip("milestone:profile", 0.75)
def chose_another_profile(case: Case) -> Case:
    """Somebody else sees the tab."""
    return misread(case, profile=case["other_profile"])


@slip("milestone:profile", 0.75)
def left_it_off_by_default(case: Case) -> Case:
    """The profile can reach the tab, but does not see it at first."""
    return misread(case, visibility="Default Off")


@slip("milestone:app", 0.75)
def added_it_to_another_app_too(case: Case) -> Case:
    """A second app includes the tab."""
    other = case["other_app"]
    return misread(case, more_apps=[[other["app"], other["app_name"]]])
