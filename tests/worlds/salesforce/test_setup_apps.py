"""App Manager and tabs in Setup: what their pages store, and what users then see."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.metadata.profiles import Profiles
from salesforce_org.setup.apps.tabs import STYLES

from .setup_browser import Browser, browser, writes

MANAGER = "/lightning/setup/NavigationMenus/home"
TABS = "/lightning/setup/CustomTabs/home"


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


def actions(one: Browser, app: str) -> list[str]:
    """Return what the menu of an app's row offers in App Manager."""
    (row,) = one.page.xpath(f"//tbody/tr[th[normalize-space()='{app}']]")
    return [" ".join(item.text_content().split()) for item in row.xpath(".//*[@role='menuitem']")]


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


def test_a_tab_without_a_page_says_so(setup: Browser) -> None:
    """Analytics can be put into an app, and its page says that nobody has access to it."""
    assert "Analytics" in launcher(setup, "Items")
    assert "Insufficient Privileges" in setup.go("/lightning/n/WaveHomeLightning").text
    setup.go("/lightning/n/Elsewhere", status=404)


def test_an_app_of_other_profiles_is_not_seen(setup: Browser) -> None:
    """An app that the user's profile is not given is in App Manager, and not in the App Launcher."""
    new_app(setup, ["standard-Task"], ["Standard"])
    assert "Energy" in [row[0] for row in setup.rows("Lightning Experience App Manager")]
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
    details = "/lightning/setup/NavigationMenus/page?address=/Energy/details"
    setup.go(details).send("Save", label="Power", description="Plants")
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
    assert actions(setup, "Energy") == ["Edit", "Delete"]
    assert actions(setup, "Sales") == ["Edit"]
    setup.send("Delete")
    assert setup.org.component("CustomApplication", "Energy") is None
    assert not said(setup, "applicationVisibilities", "Energy")


def new_tab(one: Browser, **visibilities: str) -> Browser:
    """Begin a tab of MyBike with the style Books, and go past its profiles."""
    one.go(TABS).open("New").send("Next", object="MyBike__c", motif="Custom55: Books")
    if not visibilities:
        return one.send("Next")
    hidden = {f"each-{name}": "Hidden" for name in Profiles().names(one.org)}
    return one.send("Next", way="each", **hidden | visibilities)


def test_a_new_tab_with_what_is_proposed(setup: Browser) -> None:
    """A tab is at first seen by every profile and in every app, with the icon of its style."""
    new_tab(setup).send("Save")
    assert setup.org.component("CustomTab", "MyBike__c") == {"customObject": True, "motif": "Custom55: Books"}
    seen = said(setup, "tabVisibilities", "MyBike__c")
    assert set(seen) == set(Profiles().names(setup.org))
    assert {one["visibility"] for one in seen.values()} == {"DefaultOn"}
    assert all("MyBike__c" in app["tabs"] for app in setup.org.components("CustomApplication").values())
    assert setup.org.schema["MyBike__c"].icon == "custom:custom55"
    assert "MyBikes" in launcher(setup, "Items")
    assert "MyBikes" in bar(setup)


def test_a_tab_for_one_profile_in_one_app(setup: Browser) -> None:
    """A profile for which the tab is hidden says nothing of it, and apps that are not ticked have no tab more."""
    before = dict(setup.org.components("CustomApplication"))
    new_tab(setup, **{"each-MarketingProfile": "DefaultOn"}).send("Save", apps=["standard__Platform"])
    assert set(said(setup, "tabVisibilities", "MyBike__c")) == {"MarketingProfile"}
    now = setup.org.components("CustomApplication")
    assert [name for name in now if now[name] != before[name]] == ["standard__Platform"]
    assert now["standard__Platform"]["tabs"] == [*before["standard__Platform"]["tabs"], "MyBike__c"]
    assert "MyBikes" not in launcher(setup, "Items")


def test_a_tab_that_is_off_at_first(setup: Browser) -> None:
    """A tab that is off by default is in the App Launcher, and in no navigation bar."""
    new_tab(setup, **{"each-Admin": "DefaultOff"}).send("Save")
    assert "MyBikes" in launcher(setup, "Items")
    assert "MyBikes" not in bar(setup)


def test_a_tab_needs_an_object_and_a_style(setup: Browser) -> None:
    """Both are required; objects that have a tab are not offered."""
    setup.go(TABS).open("New")
    assert "VoiceCallTranscript" not in setup.options("Object")
    setup.send("Next")
    assert setup.text.count("You must enter a value") == 2
    assert not writes(setup)


def test_all_styles_are_offered() -> None:
    """There are a hundred, each with its number."""
    assert len({one.value for one in STYLES}) == 100
    assert {"Custom3: Sun", "Custom13: Box", "Custom98: Truck"} <= {one.value for one in STYLES}


def test_tabs_are_changed_and_deleted(setup: Browser) -> None:
    """Another style is another icon; a deleted tab is in no app and no profile any longer."""
    new_tab(setup).send("Save")
    setup.open("Edit MyBikes").send("Save", motif="Custom98: Truck")
    assert setup.org.schema["MyBike__c"].icon == "custom:custom98"
    setup.send("Del MyBikes")
    assert not said(setup, "tabVisibilities", "MyBike__c")
    assert not [
        one for one in setup.org.components("CustomApplication").values() if "MyBike__c" in one["tabs"]
    ]
    assert setup.org.schema["MyBike__c"].icon == ""
