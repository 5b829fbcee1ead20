"""The forms to make and edit a user."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice, of_picklist, of_rows
from salesforce_org.setup.forms import CANCEL, SAVE, SAVE_AND_NEW, Form, Input, Section, submit
from salesforce_org.setup.shown import named
from salesforce_org.setup.users.fields import FLAGS
from salesforce_org.setup.users.listing import USERS
from salesforce_org.store import Org, Record

DEACTIVATION = (
    "Deactivate User",
    "This user can no longer log in, and what they own and what was shared with them stays as it is. Approvals, "
    "assignments and automations that name them can fail. Make sure that somebody else takes over. Go on?",
)
ONLY_HERE = ("License", "Notify")


@USERS.get("/new")
def new(page: SetupVisit) -> Response:
    """Ask about a new user."""
    return _form(page.org, None).show(page)


@USERS.post("/new")
def create(page: SetupVisit) -> Response:
    """Store a new user."""
    form = _form(page.org, None)

    def write(values: dict[str, Any]) -> str:
        return f"/{page.org.insert('User', **_fields(values))}"

    return submit(page, form, write, again="/new")


@USERS.get("/{id}/e")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a user."""
    return _form(page.org, page.record("User")).show(page)


@USERS.post("/{id}/e")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a user."""
    user = page.record("User")
    back = "/home" if page.query.get("back") == "list" else f"/{user['Id']}"

    def write(values: dict[str, Any]) -> str:
        page.org.update(user["Id"], **_fields(values))
        return back

    return submit(page, _form(page.org, user), write, back=back, again="/new")


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in ONLY_HERE}


def _form(org: Org, user: Record | None) -> Form:
    sections = (_general(org, user), _mailing(), _locale(org), *_single_sign_on())
    if user is None:
        sections = (*sections, Section("", (Input("Notify", NOTIFY, "checkbox"),)))
        values: dict[str, Any] = {"IsActive": True, "License": _license(org, "Salesforce"), **_usual(org)}
        return Form("New User", "User", sections, values, (SAVE, SAVE_AND_NEW, CANCEL))
    profile = org.get("Profile", user["ProfileId"])
    values = {**user, "License": profile["UserLicenseId"] if profile else ""}
    return Form(named(org, user["Id"]), "User", sections, values, (SAVE, SAVE_AND_NEW, CANCEL))


NOTIFY = "Generate new password and notify user immediately"


def _general(org: Org, user: Record | None) -> Section:
    confirm = DEACTIVATION if user is not None and user["IsActive"] else None
    left = (
        Input("FirstName", "First Name", length=40),
        Input("LastName", "Last Name", required=True, length=80),
        Input("Alias", "Alias", required=True, length=8),
        Input("Email", "Email", "email", required=True, length=80),
        Input("Username", "Username", required=True, length=80),
        Input("CommunityNickname", "Nickname", required=True, length=40),
        Input("Title", "Title", length=80),
        Input("CompanyName", "Company", length=80),
        Input("Department", "Department", length=80),
        Input("Division", "Division", length=80),
        Input("ManagerId", "Manager", "lookup", choices=of_rows(org.rows("User", IsActive=True))),
    )
    right = (
        Input("UserRoleId", "Role", "picklist", choices=of_rows(org.rows("UserRole"))),
        Input("License", "User License", "picklist", True, of_rows(org.rows("UserLicense")), none=False),
        Input("ProfileId", "Profile", "picklist", True, _profiles(org), depends="License"),
        Input("IsActive", "Active", "checkbox", confirm=confirm),
        *(Input(name, label, "checkbox") for name, label in FLAGS),
    )
    return Section("General Information", _side_by_side(left, right), 2)


def _side_by_side(left: tuple[Input, ...], right: tuple[Input, ...]) -> tuple[Input, ...]:
    paired = [one for both in zip(left, right, strict=False) for one in both]
    shorter = min(len(left), len(right))
    return (*paired, *left[shorter:], *right[shorter:])


def _profiles(org: Org) -> tuple[Choice, ...]:
    found = (Choice(row["Id"], row["Name"], row["UserLicenseId"]) for row in org.rows("Profile"))
    return tuple(sorted(found, key=lambda choice: choice.label.casefold()))


def _mailing() -> Section:
    return Section(
        "Contact and Address",
        (
            Input("Phone", "Phone", length=40),
            Input("Street", "Street", "textarea"),
            Input("Extension", "Extension", length=40),
            Input("City", "City", length=40),
            Input("Fax", "Fax", length=40),
            Input("State", "State/Province", length=80),
            Input("MobilePhone", "Mobile", length=40),
            Input("PostalCode", "Zip/Postal Code", length=20),
            Input("EmployeeNumber", "Employee Number", length=20),
            Input("Country", "Country", length=80),
        ),
        2,
    )


def _locale(org: Org) -> Section:
    named_fields = (
        ("TimeZoneSidKey", "Time Zone"),
        ("LocaleSidKey", "Locale"),
        ("LanguageLocaleKey", "Language"),
        ("EmailEncodingKey", "Email Encoding"),
    )
    inputs = (
        Input(name, label, "picklist", True, of_picklist(org, "User", name), none=False)
        for name, label in named_fields
    )
    return Section("Locale Settings", tuple(inputs), 2)


def _single_sign_on() -> tuple[Section, ...]:
    return (
        Section("Single Sign On Information", (Input("FederationIdentifier", "Federation ID", length=512),)),
    )


def _license(org: Org, name: str) -> str:
    return next((row["Id"] for row in org.rows("UserLicense", Name=name)), "")


def _usual(org: Org) -> dict[str, Any]:
    fields = [
        org.schema["User"].field(one) for one in ("TimeZoneSidKey", "LocaleSidKey", "LanguageLocaleKey")
    ]
    fields.append(org.schema["User"].field("EmailEncodingKey"))
    return {
        one.name: next((entry.value for entry in org.picklist(one) if entry.default), "")
        for one in fields
        if one
    }
