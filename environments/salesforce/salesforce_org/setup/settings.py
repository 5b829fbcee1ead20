"""Settings that are turned on and off: a page for each, its switches kept in the metadata component of the name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.setup.tables import Cell
from salesforce_org.store import Org

KIND = "Settings"


@dataclass(frozen=True, slots=True)
class Switch:
    """One setting: its element in the component, and what it does."""

    name: str
    label: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """A node with switches.

    Attributes:
        node: The part of the address.
        component: Full name of the component, such as `Quote`.
        feature: What a button of the page turns on and off as a whole; empty where switches are edited.
    """

    node: str
    title: str
    component: str
    switches: tuple[Switch, ...]
    intro: str = ""
    feature: str = ""

    def register(self) -> None:
        """Put the page at its address."""
        area = Area(self.node)
        area.get("/home")(self.show)
        area.get("/edit")(self.edit)
        area.post("/edit")(self.save)

    def show(self, page: SetupVisit) -> Response:
        """Show what is on."""
        now = self._now(page.org)
        pairs = [(one.label, Cell(checked=now[one.name])) for one in self.switches]
        return page.render("setup/settings.html", told=self, pairs=pairs, on=all(now.values()))

    def edit(self, page: SetupVisit) -> Response:
        """Ask what shall be on."""
        return self._form(page.org).show(page)

    def save(self, page: SetupVisit) -> Response:
        """Store what is on; other settings of the component stay as they are."""

        def write(values: Mapping[str, Any]) -> str:
            kept = page.org.component(KIND, self.component) or {}
            page.org.put_component(KIND, self.component, {**kept, **values})
            return "/home"

        return submit(page, self._form(page.org), write)

    def _now(self, org: Org) -> dict[str, bool]:
        kept = org.component(KIND, self.component) or {}
        return {one.name: bool(kept.get(one.name, False)) for one in self.switches}

    def _form(self, org: Org) -> Form:
        inputs = tuple(Input(one.name, one.label, "checkbox", help=one.help) for one in self.switches)
        return Form(
            self.title, self.title, (Section(self.title, inputs),), dict(self._now(org)), intro=self.intro
        )


PAGES = (
    SettingsPage(
        "EntitlementSettings",
        "Entitlement Settings",
        "Entitlement",
        (
            Switch("enableEntitlements", "Enable Entitlement Management"),
            Switch("enableEntitlementVersioning", "Enable Entitlement Versioning"),
            Switch("enableMilestoneStoppedTime", "Enable stopped time and actual elapsed time"),
        ),
        "Entitlements say which support a customer may have; milestones say by when it is given.",
    ),
    SettingsPage(
        "QuoteSettings",
        "Quote Settings",
        "Quote",
        (
            Switch("enableQuote", "Enable Quotes"),
            Switch("enableQuotesWithoutOppEnabled", "Create quotes without a related opportunity"),
        ),
        "A quote tells a customer the proposed prices of products and services.",
    ),
    SettingsPage(
        "KnowledgeSettings",
        "Knowledge Settings",
        "Knowledge",
        (
            Switch("enableKnowledge", "Enable Salesforce Knowledge"),
            Switch("enableLightningKnowledge", "Enable Lightning Knowledge"),
            Switch("showArticleSummariesInternalApp", "Show article summaries in the internal app"),
            Switch("enableExternalMediaContent", "Allow users to add external multimedia content to HTML"),
        ),
        "Articles answer what customers and agents ask.",
    ),
    SettingsPage(
        "Territory2Settings",
        "Territory Settings",
        "Territory2",
        (Switch("enableTerritoryManagement2", "Enable Sales Territories"),),
        "Sales territories group accounts and the people who sell to them.",
        "Sales Territories",
    ),
)
for one in PAGES:
    one.register()
