"""Lightning apps and their tabs, from CustomApplication and CustomTab components, as a profile lets them be seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from salesforce_org.metadata.profiles import full_name
from salesforce_org.metadata.visibility import usually
from salesforce_org.pages.layout import layout_of
from salesforce_org.store import Org, Record

ARTICLES = "Knowledge__kav"
PLACES = {
    "home": ("Home", "/lightning/page/home", "standard:home"),
    "processinstanceworkitem": (
        "Approval Requests",
        "/lightning/o/ProcessInstanceWorkitem/home",
        "standard:approval",
    ),
    "report": ("Reports", "/lightning/o/Report/home", "standard:report"),
    "dashboard": ("Dashboards", "/lightning/o/Dashboard/home", "standard:dashboard"),
    "wavehomelightning": ("Analytics", "/lightning/n/WaveHomeLightning", "standard:dashboard"),
}
# How many tabs of an app are seen: in the bar and the launcher, in the launcher only, or nowhere.
ON, OFF, HIDDEN = "DefaultOn", "DefaultOff", "Hidden"


@dataclass(frozen=True, slots=True)
class App:
    """One Lightning app; `name` is its full name, `tabs` the full names of its tabs, `console` its navigation."""

    name: str
    label: str
    description: str
    tabs: tuple[str, ...]
    console: bool = False

    @property
    def href(self) -> str:
        """The address that opens it."""
        return f"/lightning/app/{self.name}"

    @property
    def initials(self) -> str:
        """Two letters for its tile."""
        words = self.label.split()
        return "".join(word[0] for word in words[:2]).upper() if len(words) > 1 else self.label[:2].upper()


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of an app; `object` is empty where it is no object's."""

    name: str
    label: str
    href: str
    icon: str
    object: str = ""
    singular: str = ""

    def shown_at(self, path: str, object: str) -> bool:
        """Whether it is the tab of a page, at an address or of an object."""
        if self.object and self.object == object:
            return True
        return self.href in (path, f"/lightning/o/{object}/home")


@dataclass(frozen=True, slots=True)
class Sight:
    """What a profile says of apps and tabs; Salesforce's own are seen where it says nothing, others are not."""

    apps: dict[str, bool]
    tabs: dict[str, str]

    def app(self, app: App) -> bool:
        """Whether an app is seen."""
        return self.apps.get(app.name, usually(app.name))

    def tab(self, name: str) -> str:
        """Return how a tab is seen."""
        return self.tabs.get(name, HIDDEN if name.endswith("__c") else ON)


def sight(org: Org, user: Record) -> Sight:
    """Return what the profile of a user says."""
    tree = org.component("Profile", full_name(org.name_of(user["ProfileId"]) or "")) or {}
    return Sight(
        {one["application"]: one["visible"] for one in tree.get("applicationVisibilities", ())},
        {one["tab"]: one["visibility"] for one in tree.get("tabVisibilities", ())},
    )


def all_apps(org: Org) -> tuple[App, ...]:
    """Return the apps of an org, by label."""
    found = [_app(name, tree) for name, tree in org.components("CustomApplication").items()]
    if not found:
        found = [App("standard__Sales", "Sales", "", ("standard-home", *_names(org)))]
    return tuple(sorted(found, key=lambda one: one.label.casefold()))


def first(apps: Iterable[App]) -> App:
    """Return the app that a new user sees: Sales where there is one."""
    known = list(apps)
    return next((one for one in known if one.label == "Sales"), known[0])


def tab(org: Org, name: str) -> Tab:
    """Return the tab of a full name such as `standard-Account` or `Trip__c`."""
    plain = name.removeprefix("standard-")
    plain = ARTICLES if plain == "Knowledge" else plain
    if plain.casefold() in PLACES:
        label, href, icon = PLACES[plain.casefold()]
        return Tab(name, label, href, icon)
    kind = org.schema.get(plain)
    if kind is None:
        address = f"/lightning/n/{plain}"
        return Tab(name, plain.replace("_", " "), address, "standard:default")
    address = f"/lightning/o/{kind.name}/home"
    return Tab(name, kind.plural, address, layout_of(kind).icon, kind.name, kind.label)


def all_items(org: Org) -> tuple[Tab, ...]:
    """Return everything that the App Launcher lists below the apps, by label."""
    named = (
        {name for app in all_apps(org) for name in app.tabs}
        | set(_names(org))
        | {"standard-ProcessInstanceWorkitem", "standard-WaveHomeLightning"}
    )
    own = {name for name in org.components("CustomTab") if org.schema.get(name)}
    return tuple(
        sorted((tab(org, name) for name in _unique(org, named | own)), key=lambda one: one.label.casefold())
    )


def object_href(object: str, **query: str) -> str:
    """Return the address of an object's list."""
    return f"/lightning/o/{object}/list" + (f"?{urlencode(query)}" if query else "")


def _unique(org: Org, names: Iterable[str]) -> list[str]:
    return list({tab(org, name).href: name for name in sorted(names)}.values())


def _names(org: Org) -> tuple[str, ...]:
    tabbed = [one for one in org.schema.objects.values() if layout_of(one).tab and not one.custom]
    return tuple(f"standard-{one.name}" for one in tabbed)


def _app(name: str, tree: object) -> App:
    assert isinstance(tree, dict)
    tabs = tree.get("tabs", ())
    listed = [tabs] if isinstance(tabs, str) else list(tabs)
    label, about = str(tree.get("label", name)), str(tree.get("description", ""))
    return App(name, label, about, tuple(listed), tree.get("navType") == "Console")
