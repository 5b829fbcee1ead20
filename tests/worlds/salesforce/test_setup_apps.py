"""App Manager and tabs in Setup: what their pages store, and what users then see."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.metadata.profiles import Profiles

from .setup_browser import Browser, browser, writes

MANAGER = "/lightning/setup/NavigationMenus/home"


@pytest.fixture
def setup() -> Browser:
    """A browser in an org of its own."""
    return browser()


def launcher(one: Browser, list: str) -> set[str]:
    """Return what the App Launcher lists."""
    one.go("/lightning/page/home")
    return {entry.get("data-launcher-entry") for entry in one.page.xpath(f"//ul[@aria-label='{list}']/li")}


def bar(one: Browser) -> list[str]:
    """Return the tabs of the app that is open."""
    return [entry.get("data-tab") for entry in one.page.xpath("//*[@data-navigation-tabs]/li[@data-tab]")]


def said(one: Browser, section: str, key: str) -> dict[str, Any]:
    """Return what profiles say of an app or a tab, by profile."""
    element = {"applicationVisibilities": "application", "tabVisibilities": "tab"}[section]
    found = {}
    for profile in Profiles().names(one.org):
        for entry in (Profiles().read(one.org, profile) or {}).get(section, ()):
            if entry[element] == key:
                found[profile] = entry
    return found


def new_app(one: Browser, tabs: list[str], profiles: list[str]) -> Browser:
    """Go through the wizard with what it proposes."""
    one.go(MANAGER).open("New Lightning App").send("Next", label="Energy", name="Energy")
    one.send("Next").send("Next").send("Next", tabs=tabs)
    return one.send("Save & Finish", profiles=profiles)


def test_a_new_lightning_app(setup: Browser) -> None:
    """The wizard stores the app with its tabs in order, and its profiles see it in the App Launcher."""
    new_app(setup, ["standard-Task", "standard-Contact"], ["Admin", "Custom%3A Sales Profile"])
    tree = setup.org.component("CustomApplication", "Energy")
    assert tree == {
        "brand": {"headerColor": "#0070D2", "shouldOverrideOrgTheme": False},
        "formFactors": ["Small", "Large"],
        "isNavAutoTempTabsDisabled": False,
        "isNavPersonalizationDisabled": False,
        "isNavTabPersistenceDisabled": False,
        "isOmniPinnedViewEnabled": False,
        "label": "Energy",
        "navType": "Standard",
        "setupExperience": "all",
        "tabs": ["standard-Task", "standard-Contact"],
        "uiType": "Lightning",
    }
    assert set(said(setup, "applicationVisibilities", "Energy")) == {"Admin", "Custom%3A Sales Profile"}
    assert "Energy" in launcher(setup, "Apps")
    setup.go("/lightning/app/Energy")
    assert bar(setup) == ["Tasks", "Contacts"]


def test_an_app_of_other_profiles_is_not_seen(setup: Browser) -> None:
    """An app that the user's profile is not given is in App Manager, and not in the App Launcher."""
    new_app(setup, ["standard-Task"], ["Standard"])
    assert "Energy" in [row[1] for row in setup.rows("Lightning Experience App Manager")]
    assert "Energy" not in launcher(setup, "Apps")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"label": ""}, "You must enter a value"),
        ({"name": "1 Energy"}, "The Developer Name can only contain"),
        ({"name": "standard__Sales"}, "The Developer Name can only contain"),
        ({"color": "blue"}, "Enter a valid hexadecimal color"),
    ],
)
def test_details_that_do_not_do(setup: Browser, values: dict[str, str], sentence: str) -> None:
    """What is wrong with an app's details is said at the field, and nothing is stored."""
    setup.go(MANAGER).open("New Lightning App")
    setup.send("Next", **{"label": "Energy", "name": "Energy", **values})
    assert sentence in setup.text
    assert not writes(setup)


def test_an_app_needs_items_and_profiles(setup: Browser) -> None:
    """Navigation items and profiles are required; what was entered is there again after Back."""
    setup.go(MANAGER).open("New Lightning App").send("Next", label="Energy", name="Energy")
    setup.send("Next").send("Next").send("Next")
    assert "You must enter a value" in setup.text
    setup.send("Next", tabs=["standard-Case"]).send("Save & Finish")
    assert "You must enter a value" in setup.text
    setup.send("Back")
    assert setup.page.xpath("//input[@name='tabs']/@value") == ["standard-Case"]
    assert not writes(setup)


def test_the_settings_of_an_app(setup: Browser) -> None:
    """Each part of an app's settings is changed by itself; the others stay."""
    new_app(setup, ["standard-Task"], ["Admin"])
    setup.open("Edit Energy").send("Save", label="Power", description="Plants")
    setup.open("Navigation Items").send("Save", tabs=["standard-Case", "standard-Task"])
    setup.open("User Profiles").send("Save", profiles=["Standard"])
    tree = setup.org.component("CustomApplication", "Energy") or {}
    assert (tree["label"], tree["description"], tree["tabs"]) == (
        "Power",
        "Plants",
        ["standard-Case", "standard-Task"],
    )
    assert set(said(setup, "applicationVisibilities", "Energy")) == {"Standard"}


def test_a_deleted_app(setup: Browser) -> None:
    """Deleting an app leaves nothing of it in profiles; Salesforce's own cannot be deleted."""
    new_app(setup, ["standard-Task"], ["Admin"])
    setup.send("Delete Energy")
    assert setup.org.component("CustomApplication", "Energy") is None
    assert not said(setup, "applicationVisibilities", "Energy")
    assert not [one for one in setup.page.iter("button") if "Sales" in (one.get("aria-label") or "")]
