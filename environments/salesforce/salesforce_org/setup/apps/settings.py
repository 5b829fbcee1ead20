"""What a Lightning app is asked: five forms, steps of the New Lightning App wizard and pages of an app's settings.

A draft holds what stands in the inputs of all five; `read` makes one of an app, `store` an app of one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from salesforce_org.metadata import components
from salesforce_org.metadata.profiles import Profiles, label_of
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.metadata.visibility import app_seen_by, show_app
from salesforce_org.pages.apps import all_items, tab
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section
from salesforce_org.setup.wizard import Draft
from salesforce_org.store import DmlError, Org

KIND = "CustomApplication"
COLOR = "#0070D2"
_HEX = re.compile("#[0-9A-Fa-f]{6}")
_SIZES = {"both": ["Small", "Large"], "desktop": ["Large"], "phone": ["Small"]}
NEW: Draft = {
    "color": COLOR,
    "navigation": "Standard",
    "sizes": "both",
    "setup": "all",
    "tabs": [],
    "profiles": [],
}


def read(org: Org, name: str) -> Draft:
    """Return the draft of an app that is there."""
    tree = org.component(KIND, name) or {}
    brand, sizes = tree.get("brand", {}), tree.get("formFactors", ["Large"])
    return {
        "label": tree.get("label", name),
        "name": name,
        "description": tree.get("description", ""),
        "color": brand.get("headerColor", COLOR),
        "override": brand.get("shouldOverrideOrgTheme", False),
        "navigation": tree.get("navType", "Standard"),
        "sizes": next((key for key, one in _SIZES.items() if sorted(one) == sorted(sizes)), "desktop"),
        "setup": tree.get("setupExperience", "all"),
        "personal": tree.get("isNavPersonalizationDisabled", False),
        "temporary": tree.get("isNavAutoTempTabsDisabled", False),
        "tabs": list(tree.get("tabs", ())),
        "profiles": app_seen_by(org, name),
    }


def store(org: Org, draft: Draft) -> None:
    """Make or change the app of a draft, and let its profiles see it."""
    name = draft["name"]
    told = {
        "brand": {"headerColor": draft["color"], "shouldOverrideOrgTheme": bool(draft.get("override"))},
        "description": draft.get("description") or None,
        "formFactors": _SIZES[draft["sizes"]],
        "isNavAutoTempTabsDisabled": bool(draft.get("temporary")),
        "isNavPersonalizationDisabled": bool(draft.get("personal")),
        "label": draft["label"],
        "navType": draft["navigation"],
        "setupExperience": draft["setup"],
        "tabs": draft["tabs"],
        "uiType": "Lightning",
    }
    before = org.component(KIND, name) or {
        "isNavTabPersistenceDisabled": False,
        "isOmniPinnedViewEnabled": False,
    }
    components.replace(org, TYPES[KIND], name, ordered(KIND, {**before, **told}))
    show_app(org, name, draft["profiles"])


def details(page: SetupVisit, draft: Draft) -> Form:
    """Ask what the app is called and how it looks."""
    is_new = "name" not in page.params
    name = Input("name", "Developer Name", "text" if is_new else "shown", is_new, length=80)
    inputs = (Input("label", "App Name", required=True, length=80, fills="name"), name)
    look = (
        Input("color", "Primary Color Hex Value", length=7),
        Input(
            "override",
            "Use the app's image and color instead of the org's custom theme",
            "checkbox",
        ),
    )
    sections = (
        Section("App Details", (*inputs, Input("description", "Description", "textarea"))),
        Section("App Branding", look),
    )
    return _form("App Details & Branding", *sections)


def check_details(page: SetupVisit, draft: Draft) -> None:
    """Make sure that the name is free and the color is one.

    Raises:
        DmlError: They are not.
    """
    if not _HEX.fullmatch(draft["color"]):
        raise DmlError("INVALID_FIELD", "Enter a valid hexadecimal color, such as #0070D2.", ("color",))
    if "name" not in page.params:
        check_name(draft["name"], "Developer Name", "name")
        known = {one.casefold() for one in page.org.components(KIND)}
        if draft["name"].casefold() in known:
            raise DmlError("DUPLICATE_DEVELOPER_NAME", "This developer name is already in use.", ("name",))


def options(page: SetupVisit, draft: Draft) -> Form:
    """Ask how the app is navigated, and where."""
    navigation = Input(
        "navigation",
        "Navigation Style",
        "radio",
        True,
        (Choice("Standard", "Standard navigation"), Choice("Console", "Console navigation")),
    )
    sizes = Input(
        "sizes",
        "Supported Form Factors",
        "radio",
        True,
        (Choice("both", "Desktop and phone"), Choice("desktop", "Desktop"), Choice("phone", "Phone")),
    )
    setup = Input(
        "setup",
        "Setup Experience",
        "radio",
        True,
        (Choice("all", "Setup (full set of Setup options)"), Choice("service", "Service Setup")),
    )
    personal = (
        Input("personal", "Disable end user personalization of nav items in this app", "checkbox"),
        Input("temporary", "Disable temporary tabs for items outside of this app", "checkbox"),
    )
    return _form(
        "App Options",
        Section("Navigation and Form Factor", (navigation, sizes)),
        Section("Setup and Personalization", (setup, *personal)),
    )


def utilities(page: SetupVisit, draft: Draft) -> Form:
    """Say that the app has no utility bar."""
    intro = "Give your users quick access to productivity tools. This app has no utility items."
    return _form("Utility Items (Desktop Only)", intro=intro)


def navigation(page: SetupVisit, draft: Draft) -> Form:
    """Ask for the items of the navigation bar."""
    offered = {one.name: one.label for one in all_items(page.org)}
    offered |= {name: tab(page.org, name).label for name in draft.get("tabs", ()) if name not in offered}
    choices = sorted((Choice(name, label) for name, label in offered.items()), key=_by_label)
    dual = Input(
        "tabs",
        "Navigation Items",
        "dual",
        True,
        choices,
        help="Choose the items to include in the app, and arrange the order in which they appear.",
        titles=("Available Items", "Selected Items"),
    )
    return _form("Navigation Items", Section("", (dual,)))


def profiles(page: SetupVisit, draft: Draft) -> Form:
    """Ask which profiles see the app."""
    choices = sorted((Choice(one, label_of(one)) for one in Profiles().names(page.org)), key=_by_label)
    dual = Input(
        "profiles",
        "User Profiles",
        "dual",
        True,
        choices,
        help="Choose the user profiles that can access this app.",
        titles=("Available Profiles", "Selected Profiles"),
    )
    return _form("User Profiles", Section("", (dual,)))


Build = Callable[[SetupVisit, Draft], Form]
PARTS: Mapping[str, Build] = {
    "details": details,
    "options": options,
    "utilities": utilities,
    "navigation": navigation,
    "profiles": profiles,
}


def check(page: SetupVisit, build: Build, draft: Draft) -> None:
    """Make sure of what a form asks as a whole."""
    if build is details:
        check_details(page, draft)


def _form(title: str, *sections: Section, intro: str = "") -> Form:
    return Form(title, "App", sections, dict[str, Any](NEW), intro=intro)


def _by_label(one: Choice) -> str:
    return one.label.casefold()
