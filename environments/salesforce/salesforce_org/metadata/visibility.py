"""Which profiles see apps, tabs and record types: entries of the components that profiles keep beside their records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from salesforce_org.metadata.profiles import KEYS, Profiles, usual_left_out
from salesforce_org.metadata.trees import ordered
from salesforce_org.store import Org


def entry(org: Org, profile: str, section: str, key: str) -> Mapping[str, Any] | None:
    """Return what a profile says of an app, a tab or a record type, or None."""
    told = (org.component("Profile", profile) or {}).get(section, ())
    return next((one for one in told if one[KEYS[section][0]] == key), None)


def say(org: Org, profile: str, section: str, key: str, value: Mapping[str, Any] | None) -> None:
    """Let a profile say something of an app, a tab or a record type, or nothing any longer."""
    (name,) = KEYS[section]
    kept = org.component("Profile", profile) or {}
    others = [one for one in kept.get(section, ()) if one[name] != key]
    new = [*others, {name: key, **value}] if value else others
    tree = {**kept, section: sorted(new, key=lambda one: str(one[name]))}
    org.put_component("Profile", profile, ordered("Profile", tree) or None)


def show_app(org: Org, app: str, seen_by: Iterable[str]) -> None:
    """Let exactly these profiles see an app; only what is not usual is said."""
    wanted = set(seen_by)
    for profile in Profiles().names(org):
        seen = profile in wanted
        told = None if seen == usually(app) else {"default": False, "visible": seen}
        say(org, profile, "applicationVisibilities", app, told)


def usually(app: str) -> bool:
    """Whether profiles that say nothing of an app see it: Salesforce's own they do, others not."""
    return app.startswith("standard__")


def app_seen_by(org: Org, app: str) -> list[str]:
    """Return the profiles that see an app, by full name."""
    usual = {"visible": usually(app)}
    names = sorted(Profiles().names(org), key=str.casefold)
    return [one for one in names if (entry(org, one, "applicationVisibilities", app) or usual)["visible"]]


def show_tab(org: Org, tab: str, visibilities: Mapping[str, str]) -> None:
    """Set how each profile sees a tab: `DefaultOn`, `DefaultOff` or `Hidden`, which is said by saying nothing."""
    for profile, visibility in visibilities.items():
        told = None if visibility == "Hidden" else {"visibility": visibility}
        say(org, profile, "tabVisibilities", tab, told)


def show_record_types(org: Org, profile: str, object: str, visible: Iterable[str], default: str = "") -> None:
    """Let a profile offer exactly these record types of an object, by full name; without a default it is the master."""
    wanted = {*visible, default} - {""}
    for row in org.rows("RecordType", SobjectType=object):
        name = f"{object}.{row['DeveloperName']}"
        told = {"default": name == default, "visible": True} if name in wanted else None
        say(org, profile, "recordTypeVisibilities", name, told)


def lay_out(org: Org, profile: str, object: str, record_type: str | None, layout: str) -> None:
    """Give records of a type one of the object's layouts; None is the master type."""
    kept = org.component("Profile", profile) or {}
    given = [
        one
        for one in kept.get("layoutAssignments", ())
        if (one["layout"].partition("-")[0], one.get("recordType")) != (object, record_type)
    ]
    given.append({"layout": layout, **({"recordType": record_type} if record_type else {})})
    tree = {**kept, **usual_left_out(org, {**kept, "layoutAssignments": given})}
    org.put_component("Profile", profile, ordered("Profile", tree) or None)
