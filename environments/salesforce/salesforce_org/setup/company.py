"""Company Information: the organization, and how many licenses of each kind are used."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import of_picklist
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.shown import moment
from salesforce_org.setup.tables import Cell, Column, Table, related
from salesforce_org.store import Org, Record

COMPANY = Area("CompanyProfileInfo")


@COMPANY.get("/home")
def information(page: SetupVisit) -> Response:
    """Show the organization."""
    row = _organization(page.org)
    pairs = [
        ("Organization Name", Cell(row["Name"])),
        ("Phone", Cell(row["Phone"] or "")),
        ("Primary Contact", Cell(row["PrimaryContact"] or "")),
        ("Fax", Cell(row["Fax"] or "")),
        ("Division", Cell(row["Division"] or "")),
        ("Default Locale", Cell(row["DefaultLocaleSidKey"] or "")),
        (
            "Address",
            Cell(", ".join(row[part] for part in ("Street", "City", "State", "Country") if row[part])),
        ),
        ("Default Language", Cell(row["LanguageLocaleKey"] or "")),
        ("Organization Edition", Cell(row["OrganizationType"] or "")),
        ("Default Time Zone", Cell(row["TimeZoneSidKey"] or "")),
        ("Salesforce.com Organization ID", Cell(row["Id"][:15])),
        ("Instance", Cell(row["InstanceName"] or "")),
        ("Modified On", Cell(moment(page.org, row["LastModifiedDate"]))),
    ]
    return page.render("setup/company.html", row=row, pairs=pairs, licenses=_licenses(page.org))


@form_at(COMPANY, "/edit", lambda page: _form(page.org))
def save(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store what was changed about the organization."""
    page.org.update(_organization(page.org)["Id"], **values)
    return HOME


def _organization(org: Org) -> Record:
    found = next(org.rows("Organization"), None)
    if found is None:
        raise NotHere
    return found


def _licenses(org: Org) -> Table:
    profiles = {row["Id"]: row["UserLicenseId"] for row in org.rows("Profile")}
    used = Counter(profiles.get(user["ProfileId"]) for user in org.rows("User", IsActive=True))
    columns = (
        Column("Name", lambda row: row["Name"]),
        Column("Status", lambda row: row["Status"]),
        Column("Total Licenses", lambda row: str(row["TotalLicenses"] or 0)),
        Column("Used Licenses", lambda row: str(used[row["Id"]])),
        Column("Remaining Licenses", lambda row: str(max(0, (row["TotalLicenses"] or 0) - used[row["Id"]]))),
    )
    return related("User Licenses", columns, org.rows("UserLicense"))


def _form(org: Org) -> Form:
    general = (
        Input("Name", "Organization Name", required=True, length=80),
        Input("Phone", "Phone", length=40),
        Input("PrimaryContact", "Primary Contact", length=80),
        Input("Fax", "Fax", length=40),
        Input("Division", "Division", length=80),
        Input("Street", "Street", "textarea"),
        Input("City", "City", length=40),
        Input("State", "State/Province", length=80),
        Input("PostalCode", "Zip/Postal Code", length=20),
        Input("Country", "Country", length=80),
    )
    named = (
        ("DefaultLocaleSidKey", "Default Locale"),
        ("LanguageLocaleKey", "Default Language"),
        ("TimeZoneSidKey", "Default Time Zone"),
    )
    locale = tuple(
        Input(name, label, "picklist", True, of_picklist(org, "Organization", name), none=False)
        for name, label in named
    )
    row = _organization(org)
    sections = (Section("General Information", general, 2), Section("Locale Settings", locale, 2))
    return Form(row["Name"], "Organization", sections, dict(row))
