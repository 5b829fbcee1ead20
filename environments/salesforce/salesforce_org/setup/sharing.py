"""Sharing Settings: organization-wide defaults, and the rules that share more of an object's records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.objects import KIND, Objects
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.sharing import CUSTOM, EXTERNAL, INTERNAL, MODELS, STANDARD, check
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, fields, of_own, qualified, sentence, stored_own
from salesforce_org.setup.forms import CANCEL, SAVE, Button, Form, Input, Section, form_at
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.store import DmlError, Org, SObject
from salesforce_org.store.errors import OrgError
from salesforce_org.store.org import Tree

SHARING = Area("SecuritySharing")
HIERARCHIES = (
    "grantAccessUsingHierarchies"  # no element of the component's XML; it is on where nothing is said
)
OTHER = (
    ("enableManagerGroups", "Manager Groups"),
    ("enableManualUserRecordSharing", "Manual User Record Sharing"),
    ("enableSecureGuestAccess", "Secure guest user record access"),
    ("enableStandardReportVisibility", "Standard Report Visibility"),
)
KINDS = {"SharingOwnerRule": "Based on record owner", "SharingCriteriaRule": "Based on criteria"}
LEVELS = {"Read": "Read Only", "Edit": "Read/Write"}
# Kinds of sharers: element of the rule, its label, type of group.
_GROUPS = (
    ("group", "Public Groups", "Regular"),
    ("role", "Roles", "Role"),
    ("roleAndSubordinatesInternal", "Roles and Internal Subordinates", "RoleAndSubordinatesInternal"),
    ("roleAndSubordinates", "Roles and Subordinates", "RoleAndSubordinates"),
)
_EVERYBODY = Choice("allInternalUsers:", "All Internal Users", "Public Groups")


@dataclass(frozen=True, slots=True)
class Defaults:
    """What the org lets everybody do with the records of an object."""

    kind: SObject
    internal: str
    external: str
    hierarchies: bool

    @property
    def choices(self) -> tuple[str, ...]:
        """The models that the object may have."""
        return STANDARD.get(self.kind.name, CUSTOM)[0]


def defaults(org: Org) -> list[Defaults]:
    """Return the defaults of all objects that have some: standard ones, then custom ones, by label."""
    kinds = [one for one in org.schema.objects.values() if one.custom or one.name in STANDARD]
    found = []
    for kind in sorted(kinds, key=lambda one: (one.custom, one.label.casefold())):
        tree = Objects().read(org, kind.name) or {}
        _, internal, external = STANDARD.get(kind.name, CUSTOM)
        higher = (org.component(KIND, kind.name) or {}).get(HIERARCHIES, True)
        internal = tree.get(INTERNAL, internal)
        found.append(Defaults(kind, internal, tree.get(EXTERNAL, external), higher))
    return found


@SHARING.get("/home")
def show(page: SetupVisit) -> Response:
    """Show the defaults and the rules, of all objects or of one."""
    chosen = page.query.get("view", "")
    every = defaults(page.org)
    shown = [one for one in every if chosen in ("", one.kind.name)]
    columns = (
        Column("Object", lambda one: one.kind.label),
        Column("Default Internal Access", lambda one: MODELS[one.internal]),
        Column("Default External Access", lambda one: MODELS[one.external]),
        Column("Grant Access Using Hierarchies", lambda one: one.hierarchies),
    )
    kept = page.org.component("Settings", "Sharing") or {}
    return page.render(
        "setup/sharing.html",
        views=[("", "All Objects"), *((one.kind.name, one.kind.plural) for one in every)],
        view=chosen,
        table=related("Organization-Wide Defaults", columns, shown),
        other=[(label, Cell(checked=bool(kept.get(name)))) for name, label in OTHER],
        rules=[(one.kind, _table(page, one.kind)) for one in shown if one.internal != "ControlledByParent"],
    )


@SHARING.get("/defaults/e")
def edit(page: SetupVisit) -> Response:
    """Ask for the defaults of all objects."""
    return _edit(page, {}, {})


@SHARING.post("/defaults/e")
def save(page: SetupVisit) -> Response:
    """Store the defaults that were changed."""
    if page.field("do") == CANCEL.value:
        return page.go()
    changed, errors = [], {}
    given = {}
    for one in defaults(page.org):
        name = one.kind.name
        new = Defaults(
            one.kind,
            page.field(f"internal:{name}"),
            page.field(f"external:{name}"),
            not one.kind.custom or page.field(f"hierarchies:{name}") != "",
        )
        given[name] = new
        if not {new.internal, new.external} <= set(one.choices):
            raise NotHere
        try:
            check(new.internal, new.external)
        except OrgError as refused:
            errors[name] = refused.message
        if new != one:
            changed.append(new)
    if errors:
        return _edit(page, given, errors)
    for new in changed:
        _store_defaults(page.org, new)
    if changed:
        told = ", ".join(one.kind.label for one in changed)
        page.visit.toast(f"The organization-wide defaults were saved. Sharing was recalculated for: {told}.")
    return page.go()


def _edit(page: SetupVisit, given: Mapping[str, Defaults], errors: Mapping[str, str]) -> Response:
    rows = [given.get(one.kind.name, one) for one in defaults(page.org)]
    return page.render(
        "setup/sharing_defaults.html", rows=rows, models=MODELS, errors=errors, buttons=(SAVE, CANCEL)
    )


def _store_defaults(org: Org, new: Defaults) -> None:
    name = new.kind.name
    now = Objects().read(org, name) or {}
    Objects().write(org, name, ordered(KIND, {**now, INTERNAL: new.internal, EXTERNAL: new.external}))
    kept = {key: value for key, value in (org.component(KIND, name) or {}).items() if key != HIERARCHIES}
    org.put_component(KIND, name, (kept | ({} if new.hierarchies else {HIERARCHIES: False})) or None)


# Other settings


@form_at(SHARING, "/other/e", lambda page: _other(page.org))
def save_other(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store which other settings are on."""
    kept = page.org.component("Settings", "Sharing") or {}
    page.org.put_component("Settings", "Sharing", ordered("SharingSettings", {**kept, **values}))
    return HOME


def _other(org: Org) -> Form:
    inputs = tuple(Input(name, label, "checkbox") for name, label in OTHER)
    kept = dict(org.component("Settings", "Sharing") or {})
    return Form("Other Settings", "Sharing Settings", (Section("Other Settings", inputs),), kept)


# Sharing rules


@form_at(SHARING, "/rules/{object}/new/{kind}", lambda page: _form(page, *_place(page), None))
def create_rule(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store a new rule."""
    return _store(page, *_place(page), None, values)


@form_at(SHARING, "/rules/{object}/new", lambda page: _kind_form(page))
def kind_chosen(page: SetupVisit, values: dict[str, Any]) -> str:
    """Go on to the rule itself."""
    return f"/rules/{page.params['object']}/new/{values['kind']}"


@form_at(SHARING, "/rules/{object}/{kind}/{name}/e", lambda page: _form(page, *_place(page), _rule(page)))
def save_rule(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store what was changed about a rule."""
    return _store(page, *_place(page), _rule(page), values)


@SHARING.post("/rules/{object}/{kind}/{name}/delete")
def delete_rule(page: SetupVisit) -> Response:
    """Delete a rule."""
    object, kind = _place(page)
    _rule(page)
    TYPES[kind].source.delete(page.org, f"{object.name}.{page.params['name']}")
    return page.go()


def _place(page: SetupVisit) -> tuple[SObject, str]:
    object = next((one.kind for one in defaults(page.org) if one.kind.name == page.params["object"]), None)
    kind = page.params.get("kind", "SharingOwnerRule")
    if object is None or kind not in KINDS:
        raise NotHere
    return object, kind


def _rule(page: SetupVisit) -> Tree:
    object, kind = _place(page)
    tree = TYPES[kind].source.read(page.org, f"{object.name}.{page.params['name']}")
    if tree is None:
        raise NotHere
    return {**tree, "fullName": page.params["name"]}


def _table(page: SetupVisit, object: SObject) -> Table:
    rules = [
        (kind, name.partition(".")[2], TYPES[kind].source.read(page.org, name) or {})
        for kind in KINDS
        for name in TYPES[kind].source.names(page.org)
        if name.partition(".")[0] == object.name
    ]
    columns = (
        Column("Label", lambda rule: rule[2]["label"]),
        Column("Criteria", lambda rule: _criteria(page.org, object, rule[2])),
        Column("Shared With", lambda rule: _told(page.org, rule[2]["sharedTo"])),
        Column("Access Level", lambda rule: LEVELS.get(rule[2]["accessLevel"], rule[2]["accessLevel"])),
    )

    def actions(rule: tuple[str, str, Tree]) -> list[Action]:
        base = f"/rules/{object.name}/{rule[0]}/{rule[1]}"
        return [
            Action("Edit", page.link(f"{base}/e")),
            Action("Del", page.link(f"{base}/delete"), post=True, confirm="Are you sure?"),
        ]

    name = f"{object.label} Sharing Rules"
    return related(name, columns, rules, actions, "No sharing rules specified.")


def _criteria(org: Org, object: SObject, rule: Tree) -> str:
    if "sharedFrom" in rule:
        return f"Owner in {_told(org, rule['sharedFrom'])}"
    return sentence(org, qualified(object.name, rule.get("criteriaItems", ())), rule.get("booleanFilter"))


def _sharers(org: Org, *, owners: bool = False) -> tuple[Choice, ...]:
    """Return everybody that a rule may name, by kind."""
    found = [] if owners else [_EVERYBODY]
    for element, kind, type in (*_GROUPS, *((("queue", "Queues", "Queue"),) if owners else ())):
        for row in org.rows("Group", Type=type):
            role = org.get("UserRole", row["RelatedId"])
            name, label = (role or row)["DeveloperName"], (role or row)["Name"]
            found.append(Choice(f"{element}:{name}", f"{kind}: {label}", kind))
    return tuple(sorted(found, key=lambda one: (one.kind, one.label.casefold())))


def _told(org: Org, tree: Tree) -> str:
    known = {one.value: one.label for one in (*_sharers(org), *_sharers(org, owners=True))}
    return ", ".join(known.get(value, value) for value in _values(tree))


def _values(tree: Tree) -> Iterable[str]:
    for element, names in tree.items():
        for name in names if isinstance(names, list) else [""]:
            yield f"{element}:{name}"


def _sharer(value: str) -> dict[str, Any]:
    element, _, name = value.partition(":")
    return {element: [name] if name else ""}


def _kind_form(page: SetupVisit) -> Form:
    object, _ = _place(page)
    choices = tuple(Choice(value, label) for value, label in KINDS.items())
    asked = Input("kind", "Rule Type", "radio", required=True, choices=choices)
    section = Section("Select your rule type", (asked,))
    title, kind = f"New {object.label} Sharing Rule", f"{object.label} Sharing Rule"
    return Form(title, kind, (section,), {"kind": choices[0].value}, (Button("Next", "save"), CANCEL))


def _form(page: SetupVisit, object: SObject, kind: str, old: Tree | None) -> Form:
    org = page.org
    naming = (
        Input("label", "Label", required=True, length=80, fills="name"),
        Input("name", "Rule Name", required=True, length=80),
        Input("description", "Description", "textarea", length=1000),
    )
    owners, sharers, offered = _sharers(org, owners=True), _sharers(org), fields(org, object.name)
    which = (
        (Section("Select which records to be shared", (_pick("sharedFrom", "Owned by members of", owners),)),)
        if kind == "SharingOwnerRule"
        else (
            Section("", (Input("criteria", "Select which records to be shared", "criteria", True, offered),)),
        )
    )
    levels = tuple(Choice(value, label) for value, label in LEVELS.items())
    access = [_pick("accessLevel", "Access Level", levels)]
    if object.name == "Account":
        rights = (Choice("None", "Private"), *levels)
        access += [_pick(one, label, rights) for one, label in _BESIDE.items()]
    sections = (
        Section("Rule Name", naming),
        *which,
        Section("Select the users to share with", (_pick("sharedTo", "Share with", sharers),)),
        Section("Select the level of access for the users", tuple(access)),
    )
    values: dict[str, Any] = {"accessLevel": "Read", "criteria": Criteria(), **dict.fromkeys(_BESIDE, "None")}
    if old is not None:
        values |= {**old, "name": old["fullName"], **old.get("accountSettings", {})}
        values |= {one: next(iter(_values(old[one])), "") for one in ("sharedFrom", "sharedTo") if one in old}
        values["criteria"] = of_own(object.name, old.get("criteriaItems", ()), old.get("booleanFilter"))
    title = str(old["label"]) if old else f"New {object.label} Sharing Rule"
    return Form(title, f"{object.label} Sharing Rule", sections, values)


_BESIDE = {
    "contactAccessLevel": "Contact Access",
    "opportunityAccessLevel": "Opportunity Access",
    "caseAccessLevel": "Case Access",
}


def _pick(name: str, label: str, choices: tuple[Choice, ...]) -> Input:
    plain = tuple(Choice(one.value, one.label) for one in choices)
    return Input(name, label, "picklist", True, plain, none=name.startswith("shared"))


def _store(page: SetupVisit, object: SObject, kind: str, old: Tree | None, values: Mapping[str, Any]) -> str:
    org, source = page.org, TYPES[kind].source
    check_name(values["name"], "Rule Name", "name")
    full = f"{object.name}.{values['name']}"
    renamed = old is None or old["fullName"] != values["name"]
    if renamed and any(TYPES[one].source.read(org, full) for one in KINDS):
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "Another sharing rule has this name", ("name",))
    told: dict[str, Any] = {
        "accessLevel": values["accessLevel"],
        "description": values["description"] or None,
        "label": values["label"],
        "sharedTo": _sharer(values["sharedTo"]),
    }
    if object.name == "Account":
        told["accountSettings"] = {name: values[name] for name in _BESIDE}
    if kind == "SharingOwnerRule":
        told["sharedFrom"] = _sharer(values["sharedFrom"])
    else:
        asked: Criteria = values["criteria"]
        told |= {"criteriaItems": stored_own(org, asked), "booleanFilter": asked.logic or None}
        told["includeRecordsOwnedByAll"] = True
    if old is not None and renamed:
        source.delete(org, f"{object.name}.{old['fullName']}")
    source.write(org, full, ordered(kind, told))
    return "/home"
