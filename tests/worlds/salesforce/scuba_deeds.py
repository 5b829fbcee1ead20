"""What hands do in the pages, done to the org itself: each function does a task as its case says, right or misread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from pytest_cuabench.task.case import Case
from salesforce_org import flexipages
from salesforce_org.list_views import EVERYBODY, Filter, ListView, field_path, save_list_view
from salesforce_org.metadata import components
from salesforce_org.metadata.profiles import Profiles, full_name
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.sharing import MODELS
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.layout import layout_of
from salesforce_org.reports import dashboards, definition, editing, stored
from salesforce_org.reports.types import report_type
from salesforce_org.rules.knowledge import publish_article
from salesforce_org.rules.leads import convert_lead
from salesforce_org.setup.approvals.components import new_process
from salesforce_org.setup.apps.settings import NEW as NEW_APP
from salesforce_org.setup.apps.settings import store as store_app
from salesforce_org.setup.apps.tabs import STYLES
from salesforce_org.setup.apps.tabs import make as make_tab
from salesforce_org.setup.builder.activation import assign_object
from salesforce_org.setup.objects import picklists
from salesforce_org.setup.objects.definition import NEW as NEW_OBJECT
from salesforce_org.setup.objects.definition import make as make_object
from salesforce_org.setup.permissions import access
from salesforce_org.setup.permissions.access import allow_field, set_of_profile
from salesforce_org.setup.sharing import HIERARCHIES
from salesforce_org.store import Org

Said = str | None


def named(org: Org, object: str, name: str) -> str:
    """Return the id of the record that is called so; of several the oldest."""
    return next(row["Id"] for row in org.rows(object) if org.name_of(row["Id"]) == name)


def admin_008(org: Org, case: Case) -> Said:
    """Make a list view with filters; other columns and owners' records may be as the form proposes."""
    filters = tuple(
        Filter(field_path(case["object"], one["field"]), one["operation"], one["value"])
        for one in case["filters"]
    )
    shared = EVERYBODY if case["visibility"].startswith("All") else None
    _list_view(org, case, ("Id",), filters, shared)
    return None


def admin_009(org: Org, case: Case) -> Said:
    """Make a list view with two columns for groups and roles."""
    called = {"group": ("Group", case["groups"]), "role": ("UserRole", case["roles"])}
    shared = {
        kind: [org.one(object, Name=name)["DeveloperName"] for name in names]
        for kind, (object, names) in called.items()
        if names
    }
    columns = tuple(field_path(case["object"], one) for one in case["columns"])
    _list_view(org, case, columns, (), shared)
    return None


def _list_view(
    org: Org,
    case: Case,
    columns: tuple[str, ...],
    filters: tuple[Filter, ...],
    shared: Mapping[str, Any] | None,
) -> None:
    name = case["name"]
    view = ListView(case["object"], name.replace(" ", "_"), name, columns, filters, "Mine", shared=shared)
    save_list_view(org, view)


def admin_007(org: Org, case: Case) -> Said:
    """Make a record page with dynamic forms and a rule on one field, and the org's default of it."""
    layout = layout_of(org.schema[case["object"]])
    tree = flexipages.upgraded(flexipages.record_page(layout), layout)
    left, field = f"{{!Record.{case['by']}}}", f"Record.{case['field']}"
    criteria = [{"leftValue": left, "operator": case["operator"], "rightValue": case["value"]}]
    item = next(one for one in flexipages.walk(tree) if flexipages.inner(one).get("fieldItem") == field)
    rule = {"visibilityRule": {"criteria": criteria}}
    tree = flexipages.changed(tree, flexipages.identifier(item), lambda one: one.update(rule))
    components.replace(org, TYPES[flexipages.KIND], "Page", tree)
    if case.values.get("activate", True):
        assign_object(org, case["object"], "Page", ("Large", "Small"))
    return None
    return None


def _report(org: Org, case: Case) -> Said:
    """Make a report as the builder would store it."""
    type = report_type(org, case["type"])
    assert type is not None
    given, tree = case.values, definition.new(type) | {"name": case["name"]}
    added = [label for label in given.get("add") or [] if label] if isinstance(given.get("add"), list) else []
    keys = [key for key, label in given.get("columns", {}).items() if label in added]
    tree["columns"] += [
        {"field": key} for key in keys + ([given["column"]] if given.get("add") is True else [])
    ]
    for one in tree["columns"]:
        if one["field"] == given.get("column"):
            one["aggregateTypes"] = [_WAYS[given["way"]]]
    for element, key in (
        ("groupingsDown", given.get("group") or given.get("down")),
        ("groupingsAcross", given.get("across")),
    ):
        if key:
            tree[element] = [{"dateGranularity": "Day", "field": key, "sortOrder": "Asc"}]
    items = [_criterion(one) for one in given["filters"]] if "filters" in given else []
    if "related" in given:
        related = type.related(org)[given["related"]]
        tree["crossFilters"] = [
            {
                "criteriaItems": items,
                "operation": given["operation"],
                "primaryTableColumn": type.key,
                "relatedTable": related.name,
                "relatedTableJoinColumn": related.join,
            }
        ]
    elif items:
        tree["filter"] = {"booleanFilter": given.get("logic") or None, "criteriaItems": items}
    if "chart" in given:
        tree["chart"] = {
            "chartType": given["chart"],
            "title": given["title"],
            "legendPosition": given["legend"] or "Right",
            **dict.fromkeys(given["switched_on"], True),
        }
    places = stored.places(org, "Report")
    place = next(one for one in places if one.label == given["folder"])
    stored.save(
        org, "Report", "", place, stored.free_name(org, "Report", given["name"]), editing.settled(tree)
    )
    return None


_WAYS = {"Sum": "Sum", "Average": "Average", "Max": "Maximum", "Min": "Minimum"}
admin_001 = admin_002 = admin_003 = admin_004 = admin_005 = _report


def _criterion(one: Mapping[str, str]) -> dict[str, str]:
    boxes = {"True": "1", "False": "0"}
    return {name: boxes.get(one[name], one[name]) for name in ("column", "operator", "value")}


def admin_006(org: Org, case: Case) -> Said:
    """Make a dashboard with one widget."""
    row = next(org.rows("Report", Name=case["report"]))
    report = definition.read(org, stored.tree_of(org, "Report", row))
    assert report is not None
    source = stored.full_name(org, "Report", row)
    inside = dashboards.component(case["kind"], source, {"header": case["header"]}, report)
    widget = {**dashboards.below([]), "dashboardComponent": inside}
    tree = dashboards.with_components(dashboards.new(org, case["dashboard"], ""), [widget])
    place = next(one for one in stored.places(org, "Dashboard") if one.label == "Service Dashboards")
    stored.save(org, "Dashboard", "", place, stored.free_name(org, "Dashboard", case["dashboard"]), tree)
    return None


def admin_010(org: Org, case: Case) -> Said:
    """Make a chart of a list view; showing it there is the page's doing."""
    chart = org.insert(
        "ListViewChart",
        SobjectType=case["object"],
        DeveloperName="chart",
        MasterLabel=case["name"],
        ChartType=case["type"],
        GroupingField=case["grouping_field"],
        AggregateField=case["aggregate_field"],
        AggregateType=case["aggregate"],
    )
    if any(org.rows("ListViewChartInstance", ListViewChartId=chart)):
        return None
    with org.unchecked():
        org.insert(
            "ListViewChartInstance",
            ListViewChartId=chart,
            Label=case["name"],
            SourceEntity=case["object"],
            ListViewContextId=next(
                row["Id"] for row in org.rows("ListView", SobjectType=case["object"], Name=case["list"])
            ),
        )
    return None


def admin_011(org: Org, case: Case) -> Said:
    """Make a Lightning app."""
    profiles = [full_name(label) for label in case["profiles"]]
    name = case["app"].replace(" ", "_")
    store_app(
        org, {**NEW_APP, "label": case["app"], "name": name, "tabs": case["tabs"], "profiles": profiles}
    )
    return None


def admin_012(org: Org, case: Case) -> Said:
    """Make a tab for one profile."""
    seen = dict.fromkeys(Profiles().names(org), "Hidden")
    seen[full_name(case["profile"])] = case["visibility"].replace(" ", "")
    apps = [case["app_name"], *(name for _, name in case["more_apps"])]
    make_tab(org, case["tab"], {"motif": case["motif"]}, seen, apps)
    return None


def admin_016(org: Org, case: Case) -> Said:
    """Make a custom object, and its tab where the form asks for it."""
    made = _object(org, case["label"], case["plural"], enableReports="Allow Reports" in case["boxes"])
    if case["launch"] in case["boxes"]:
        seen = dict.fromkeys(Profiles().names(org), "DefaultOn")
        motif = next(one.value for one in STYLES if one.label == case["style"])
        make_tab(org, made, {"motif": motif}, seen, list(org.components("CustomApplication")))
    return None


def _object(org: Org, label: str, plural: str, **boxes: bool) -> str:
    names = {"label": label, "plural": plural, "name": label, "record": f"{label} Name"}
    return make_object(org, {**NEW_OBJECT, **names, **boxes}).name


def admin_017(org: Org, case: Case) -> Said:
    """Change two texts."""
    for kind, name, told in (
        ("CustomObject", case["name"], {"description": case["description"]}),
        ("CustomField", case["field_name"], {case["element"]: case["help"]}),
    ):
        source = TYPES[kind].source
        source.write(org, name, ordered(kind, {**(source.read(org, name) or {}), **told}))
    return None


def admin_018(org: Org, case: Case) -> Said:
    """Make a custom object with a lookup."""
    made = _object(org, case["label"], case["plural"])
    told = {
        "deleteConstraint": "SetNull",
        "label": case["to"],
        "referenceTo": case["to"],
        "relationshipLabel": case["plural"],
        "relationshipName": case["plural"],
        "type": "Lookup",
    }
    TYPES["CustomField"].source.write(org, f"{made}.{case['to']}__c", told)
    for label in case["profiles"]:
        parent = set_of_profile(org, named(org, "Profile", label))
        assert parent is not None
        allow_field(org, parent, made, f"{case['to']}__c", True, not case["readonly"])
    return None


def admin_014(org: Org, case: Case) -> Said:
    """Make a matching rule."""
    blank = "MatchBlanks" if case.values.get("blanks") else "NullNotAllowed"
    asked = [(case["field"], case["method"])] + [(case["other_field"], "Exact")] * bool(
        case.values.get("more")
    )
    items = [
        {"blankValueBehavior": blank, "fieldName": name, "matchingMethod": method} for name, method in asked
    ]
    status = "Active" if case.values.get("activate") else "Inactive"
    rule = {"label": case["rule"], "matchingRuleItems": items, "ruleStatus": status}
    TYPES["MatchingRule"].source.write(org, f"{case['object']}.{case['rule'].replace(' ', '_')}", rule)
    return None


def admin_019(org: Org, case: Case) -> Said:
    """Make a permission set with rights on an object and its fields."""
    made = org.insert("PermissionSet", Label=case["label"], Name=case["label"].replace(" ", "_"))
    access.allow(
        org, made, case["object"], [f"Permissions{right.replace(' ', '')}" for right in case["all_rights"]]
    )
    for field in case["readable"]:
        own = field.partition(".")[2]
        access.allow_field(org, made, case["object"], own, True, field in case["editable"])
    return None


def admin_020(org: Org, case: Case) -> Said:
    """Make a permission set group."""
    _group(org, case, case.values.get("permission_sets") or [case["permission_set"]])
    return None


def _group(org: Org, case: Case, sets: list[str]) -> str:
    group = org.insert(
        "PermissionSetGroup", MasterLabel=case["group"], DeveloperName=case["group"].replace(" ", "_")
    )
    for label in sets:
        found = next(row["Id"] for row in org.rows("PermissionSet", Label=label))
        org.insert("PermissionSetGroupComponent", PermissionSetGroupId=group, PermissionSetId=found)
    return group


def admin_021(org: Org, case: Case) -> Said:
    """Mute permissions in a group."""
    muted = {one for one, needed in _NEEDS.items() if {one, *needed} & set(case["rights"])}
    flags = {flag: right in muted for flag, right in _MUTED.items()}
    read = case["access"] == "Read Access"
    fields = [{"field": f"{case['object']}.{case['field']}", "editable": True, "readable": read}]
    if case.values.get("more"):
        fields.append({"field": f"{case['object']}.Other__c", "editable": True, "readable": False})
    tree = {
        "label": "Muting",
        "fieldPermissions": fields,
        "objectPermissions": [{"object": case["object"], **flags}],
    }
    org.put_component("MutingPermissionSet", "Muting", tree)
    org.put_component("PermissionSetGroup", case["name"], {"mutingPermissionSets": ["Muting"]})
    return None


_NEEDS: dict[str, tuple[str, ...]] = {
    "Read": (),
    "Create": ("Read",),
    "Edit": ("Read",),
    "Delete": ("Read", "Edit"),
    "View All Records": ("Read",),
    "Modify All Records": ("Read", "Edit", "Delete", "View All Records"),
    "View All Fields": ("Read",),
}
_MUTED = {
    "allowRead": "Read",
    "allowCreate": "Create",
    "allowEdit": "Edit",
    "allowDelete": "Delete",
    "viewAllRecords": "View All Records",
    "modifyAllRecords": "Modify All Records",
    "viewAllFields": "View All Fields",
}


def admin_022(org: Org, case: Case) -> Said:
    """Assign a permission set group."""
    group = next(row["Id"] for row in org.rows("PermissionSetGroup", MasterLabel=case["group"]))
    user = named(org, "User", case["user"])
    until = "2027-01-01T00:00:00.000+0000" if case.values.get("term") else None
    org.insert("PermissionSetAssignment", PermissionSetGroupId=group, AssigneeId=user, ExpirationDate=until)
    return None


def admin_023(org: Org, case: Case) -> Said:
    """Set the organization-wide defaults of an object."""
    models = {label: value for value, label in MODELS.items()}
    tree = dict(TYPES["CustomObject"].source.read(org, case["object"]) or {})
    tree |= {"sharingModel": models[case["internal"]], "externalSharingModel": models[case["external"]]}
    TYPES["CustomObject"].source.write(org, case["object"], tree)
    if not case.values.get("hierarchies", True):
        kept = org.component("CustomObject", case["object"]) or {}
        org.put_component("CustomObject", case["object"], {**kept, HIERARCHIES: False})
    return None


def admin_025(org: Org, case: Case) -> Said:
    """Freeze a user."""
    login = next(org.rows("UserLogin", UserId=named(org, "User", case["user"])))
    org.update(login["Id"], IsFrozen=True)
    return None


def admin_026(org: Org, case: Case) -> Said:
    """Deactivate a user."""
    org.update(named(org, "User", case["user"]), IsActive=False)
    return None


def admin_028(org: Org, case: Case) -> Said:
    """Make a permission set group and assign it."""
    group = _group(org, case, case["permission_sets"])
    if case["user"]:
        user = named(org, "User", case["user"])
        org.insert("PermissionSetAssignment", PermissionSetGroupId=group, AssigneeId=user)
    return None


def _members(org: Org, group: str, case: Case) -> None:
    kind = "Role" if case.values.get("kind", "Role") == "Role" else "RoleAndSubordinates"
    ids = [named(org, "User", name) for name in case["users"]]
    for name in case["roles"]:
        role = named(org, "UserRole", name)
        ids.append(next(row["Id"] for row in org.rows("Group", Type=kind, RelatedId=role)))
    for id in ids:
        org.insert("GroupMember", GroupId=group, UserOrGroupId=id)


def admin_033(org: Org, case: Case) -> Said:
    """Change password policies."""
    policies = {one["name"]: one["value"] for one in case["policies"]}
    TYPES["Settings"].source.write(org, "Security", {"passwordPolicies": policies})
    return None


def admin_029(org: Org, case: Case) -> Said:
    """Make a formula field that some profiles see."""
    told: dict[str, Any] = {
        "label": case["label"],
        "type": case["returns"],
        "formula": case["formula"],
        "formulaTreatBlanksAs": "BlankAsZero",
    }
    if case["returns"] == "Number":
        told |= {"precision": "18", "scale": "2"}
    TYPES["CustomField"].source.write(org, case["field"], told)
    for label in case["profiles"]:
        parent = set_of_profile(org, named(org, "Profile", label))
        assert parent is not None
        allow_field(org, parent, case["object"], case["field"].partition(".")[2], True, False)
    return None


def admin_030(org: Org, case: Case) -> Said:
    """Make a validation rule."""
    told = {
        "active": case["active"],
        "errorConditionFormula": case["formula"],
        "errorMessage": case["message"],
    }
    TYPES["ValidationRule"].source.write(org, f"{case['object']}.{case['rule']}", told)
    return None


def admin_034(org: Org, case: Case) -> Said:
    """Make a public group."""
    _members(org, org.insert("Group", Name=case["group"], DeveloperName="made", Type="Regular"), case)
    return None


def admin_035(org: Org, case: Case) -> Said:
    """Make and move roles."""
    for entry in case["hierarchy"]:
        parent = named(org, "UserRole", entry["parent"]) if entry["parent"] else None
        if entry["new"]:
            org.insert("UserRole", Name=entry["role"], ParentRoleId=parent)
        else:
            org.update(named(org, "UserRole", entry["role"]), ParentRoleId=parent)
    return None


def admin_031(org: Org, case: Case) -> Said:
    """Change a picklist."""
    kind = org.schema[case["object"]]
    field = kind.field(case["field"])
    assert field is not None
    now = org.picklist(field)
    match case["do"]:
        case "add":
            picklists.add(org, kind.name, field, [case["value"]])
        case "rename":
            old = next(one for one in now if one.value == case["old"])
            new = replace(old, value=case["value"], label=case["value"])
            picklists.change(org, kind.name, field, old.value, new)
        case "reorder":
            moved = sorted(now, key=lambda one: one.value != case["value"])
            picklists.reorder(org, kind.name, field, [one.value for one in moved], case["default"])
    if case["more"]:
        picklists.add(org, kind.name, field, [case["more"]])
    return None


def admin_032(org: Org, case: Case) -> Said:
    """Make a global value set."""
    entries = [{"value": one, "label": one, "default": False} for one in case["values"]]
    tree = {"masterLabel": case["name"], "sorted": case["sorted"], "customValue": entries}
    org.put_component("GlobalValueSet", case["name"], tree)
    return None


def answer(org: Org, case: Case) -> Said:
    """Say the answer."""
    return str(case["answer"])


admin_039 = sales_013 = sales_014 = sales_015 = service_011 = answer


def admin_037(org: Org, case: Case) -> Said:
    """Make a process as the Jump Start Wizard does."""
    name = case["process"].replace(" ", "_")
    step = {
        "allowDelegate": False,
        "assignedApprover": {"approver": [{"type": "adhoc"}]},
        "label": "Step 1",
        "name": "Step_1",
    }
    criteria = {"entryCriteria": {"criteriaItems": _criteria(case["criteria"])}}
    active = {"active": True, "processOrder": "1"} if case.values.get("activate") else {}
    tree = {**new_process(case["process"], approvalStep=[step]), **criteria, **active}
    org.put_component("ApprovalProcess", f"{case['object']}.{name}", tree)
    return None


def admin_038(org: Org, case: Case) -> Said:
    """Add a field update at each end of a process."""
    full = f"{case['object']}.{case['process']}"
    formula = case["kind"] == "formula"
    updates, ends = [], {}
    for name, element, value in (
        ("approval", "finalApprovalActions", "approved"),
        ("rejection", "finalRejectionActions", "rejected"),
    ):
        unique = case[name].replace(" ", "_")
        updates.append(
            {
                "fullName": unique,
                "field": case["field"],
                "formula" if formula else "literalValue": case[value],
                "name": case[name],
                "notifyAssignee": False,
                "operation": "Formula" if formula else "Literal",
                "protected": False,
            }
        )
        ends[element] = {"action": [{"name": unique, "type": "FieldUpdate"}]}
    org.put_component("Workflow", case["object"], {"fieldUpdates": updates})
    org.put_component("ApprovalProcess", full, {**(org.component("ApprovalProcess", full) or {}), **ends})
    return None


def sales_001(org: Org, case: Case) -> Said:
    """Enter an account and its contact."""
    account = org.insert("Account", Name=case["company"])
    phone = {case["phone_field"]: case["phone"]} if case["phone"] else {}
    org.insert(
        "Contact",
        FirstName=case["first_name"],
        LastName=case["last_name"],
        AccountId=account if case.values.get("on_account", True) else None,
        Email=case["email"],
        **phone,
    )
    return None


def sales_002(org: Org, case: Case) -> Said:
    """Enter accounts below others."""
    for branch in case["tree"]:
        parent = org.insert("Account", Name=branch["parent"])
        for name in branch["children"]:
            org.insert("Account", Name=name, ParentId=parent)
    return None


def sales_003(org: Org, case: Case) -> Said:
    """Enter a lead."""
    org.insert(
        "Lead",
        FirstName=case["first_name"],
        LastName=case["last_name"],
        Company=case["company"],
        LeadSource=case["source"],
        Rating=case["rating"],
        Industry=case["industry"],
    )
    return None


def sales_004(org: Org, case: Case) -> Said:
    """Convert a lead."""
    lead = named(org, "Lead", case["lead"])
    row = org.get("Lead", lead)
    assert row is not None
    known = next((one["Id"] for one in org.rows("Account", Name=row["Company"])), None)
    convert_lead(org, lead, known, opportunity_name=case["opportunity"] or None, status="Closed - Converted")
    return None


def sales_005(org: Org, case: Case) -> Said:
    """Add an activity and set the stage."""
    found = named(org, "Opportunity", case["opportunity"])
    org.update(found, StageName=case["stage"])
    _ACTIVITIES[case["activity"]](org, found, {case["field"]: case["text"]}, case)
    return None


def _event(org: Org, what: str, text: dict[str, str], case: Case) -> None:
    start, end = "2026-03-05T10:00:00.000+0000", "2026-03-05T11:00:00.000+0000"
    org.insert("Event", WhatId=what, StartDateTime=start, EndDateTime=end, **text)


def _task(org: Org, what: str, text: dict[str, str], case: Case) -> None:
    org.insert("Task", WhatId=what, TaskSubtype=case["activity"], **text, **_done(org, case))


def _done(org: Org, case: Case) -> dict[str, str]:
    """Return what the composer writes of an activity that is over."""
    if case["activity"] not in ("Call", "Email"):
        return {}
    return {"Status": "Completed", "ActivityDate": org.today().isoformat()}


def _email(org: Org, what: str, text: dict[str, str], case: Case) -> None:
    subject = text["Subject"]
    org.insert("Task", WhatId=what, TaskSubtype="Email", Subject=f"Email: {subject}", **_done(org, case))
    org.insert("EmailMessage", RelatedToId=what, ToAddress=case["recipient"], Subject=subject, Status="3")


_ACTIVITIES = {"Event": _event, "Email": _email, "Call": _task, "Task": _task}


def sales_006(org: Org, case: Case) -> Said:
    """Add a family to the picklist, and products in it."""
    families = org.component("StandardValueSet", "Product2Family")
    assert families is not None
    entry = {"value": case["family"], "label": case["family"], "default": False}
    org.put_component(
        "StandardValueSet",
        "Product2Family",
        {**families, "standardValue": [*families["standardValue"], entry]},
    )
    for product in case["products"]:
        org.insert(
            "Product2",
            Name=product["name"],
            ProductCode=product["code"],
            Description=product["description"],
            Family=case["family"],
        )
    return None


def sales_007(org: Org, case: Case) -> Said:
    """Make price books."""
    product = named(org, "Product2", case["product"])
    for entry in case["books"]:
        book = org.insert("Pricebook2", Name=entry["name"], IsActive=True)
        org.insert(
            "PricebookEntry", Pricebook2Id=book, Product2Id=product, UnitPrice=entry["price"], IsActive=True
        )
    return None


def sales_008(org: Org, case: Case) -> Said:
    """Make a quote with a line."""
    standard = next(row["Id"] for row in org.rows("Pricebook2", IsStandard=True))
    product = named(org, "Product2", case["product"])
    price = next(org.rows("PricebookEntry", Pricebook2Id=standard, Product2Id=product))
    quote = org.insert(
        "Quote",
        Name=case["quote"],
        OpportunityId=named(org, "Opportunity", case["opportunity"]),
        ExpirationDate=case["expires_on"],
        Pricebook2Id=standard,
    )
    org.insert(
        "QuoteLineItem",
        QuoteId=quote,
        PricebookEntryId=price["Id"],
        Product2Id=product,
        Quantity=case["quantity"],
        UnitPrice=price["UnitPrice"],
        Discount=case["discount"],
    )
    return None


def sales_009(org: Org, case: Case) -> Said:
    """Draw up a contract, and an order of it."""
    account = named(org, "Account", case["account"])
    contract = org.insert(
        "Contract", AccountId=account, StartDate=case["starts_on"], ContractTerm=case["term"]
    )
    org.insert("Order", AccountId=account, ContractId=contract, EffectiveDate=case["order_starts_on"])
    return None


def sales_010(org: Org, case: Case) -> Said:
    """Make a sales process with the stages that are left."""
    left = sorted({*case["stages"], *_stages(org)} - {*case["others"]})
    values = [{"fullName": quote(one, safe=" ").replace(".", "%2E"), "default": False} for one in left]
    org.put_component(
        "BusinessProcess", f"Opportunity.{case['process']}", {"isActive": True, "values": values}
    )
    return None


def _stages(org: Org) -> list[str]:
    return [row["ApiName"] for row in org.rows("OpportunityStage")]


def sales_011(org: Org, case: Case) -> Said:
    """Turn territories on, and make a model with its rule."""
    org.put_component("Settings", "Territory2", {"enableTerritoryManagement2": True})
    name = case["model"].replace(" ", "_")
    model = org.insert("Territory2Model", Name=case["model"], DeveloperName=name)
    rule = org.insert(
        "ObjectTerritory2AssignmentRule",
        MasterLabel=case["rule"],
        DeveloperName="rule",
        Territory2ModelId=model,
        ObjectType="Account",
        IsActive=bool(case.values.get("active")),
    )
    for order, one in enumerate(case["criteria"], 1):
        org.insert(
            "ObjectTerritory2AssignmentRuleItem",
            RuleId=rule,
            SortOrder=order,
            Field=one["field"],
            Operation=one["operator"],
            Value=one["value"],
        )
    return None


def sales_012(org: Org, case: Case) -> Said:
    """Plan a campaign with its members."""
    campaign = org.insert(
        "Campaign",
        Name=case["campaign"],
        Type=case["type"],
        StartDate=case["starts_on"],
        BudgetedCost=case["budget"],
        ExpectedRevenue=case["revenue"],
    )
    for name in case["leads"]:
        org.insert("CampaignMember", CampaignId=campaign, LeadId=named(org, "Lead", name))
    return None


def service_001(org: Org, case: Case) -> Said:
    """Set up a queue."""
    queue = org.insert(
        "Group",
        Name=case["queue"],
        DeveloperName=case["queue"].replace(" ", "_"),
        Type="Queue",
        Email=case["email"],
    )
    org.insert("QueueSobject", QueueId=queue, SobjectType=case["object"])
    _members(org, queue, case)
    return None


def service_002(org: Org, case: Case) -> Said:
    """Make a rule with one entry."""
    entry = {
        "assignedTo": case["assignee_name"],
        "assignedToType": case["type"],
        "criteriaItems": _criteria(case["criteria"]),
        **({"booleanFilter": case["logic"]} if case["logic"] else {}),
    }
    rule = {"fullName": case["rule"], "active": bool(case.values.get("active")), "ruleEntry": [entry]}
    org.put_component("AssignmentRules", "Case", {"assignmentRule": [rule]})
    return None


def _criteria(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{"field": one["field"], "operation": one["operator"], "value": one["value"]} for one in rows]


def service_003(org: Org, case: Case) -> Said:
    """Open a case."""
    org.insert(
        "Case",
        ContactId=named(org, "Contact", case["contact"]),
        Subject=case["subject"],
        Status=case["status"],
        Origin=case["origin"],
        Priority=case["priority"],
        Type=case["type"],
        Reason=case["reason"],
    )
    return None


def service_004(org: Org, case: Case) -> Said:
    """Change a case."""
    found = next(row["Id"] for row in org.rows("Case", Subject=case["subject"]))
    org.update(found, Status=case["status"], **case["updates"])
    return None


def service_005(org: Org, case: Case) -> Said:
    """Enter an entitlement."""
    org.insert(
        "Entitlement",
        Name=case["entitlement"],
        AccountId=named(org, "Account", case["account"]),
        Type=case["type"],
        StartDate=case["starts_on"],
        EndDate=case["ends_on"],
    )
    return None


def service_006(org: Org, case: Case) -> Said:
    """Make milestones."""
    for entry in case["milestones"]:
        org.insert("MilestoneType", Name=entry["name"], RecurrenceType=entry["recurrence"])
    return None


def service_007(org: Org, case: Case) -> Said:
    """Make a process with its milestones."""
    object = case["object"]
    milestones = [
        {
            "milestoneName": one["name"],
            "minutesToComplete": str(case["minutes"]),
            "useCriteriaStartTime": False,
            **({"milestoneCriteriaFilterItems": _criteria(one["criteria"])} if one["criteria"] else {}),
        }
        for one in case["milestones"]
    ]
    tree = {
        "SObjectType": object,
        "active": bool(case.values.get("active")),
        "entryStartDateField": f"{object}.CreatedDate",
        "exitCriteriaFilterItems": [{"field": f"{object}.IsClosed", "operation": "equals", "value": "true"}],
        "isVersionDefault": True,
        "milestones": milestones,
        "name": case["process"],
        "versionNumber": "1",
    }
    org.put_component("EntitlementProcess", case["process"].lower().replace(" ", "_"), tree)
    return None


def service_010(org: Org, case: Case) -> Said:
    """Write an article and publish it."""
    article = org.insert(
        "Knowledge__kav",
        Title=case["title"],
        UrlName=case["url"],
        Question__c=f"<p>{case['question']}</p>",
        Answer__c=f"<p>{case['text']}</p>",
    )
    if case.values.get("publish", True):
        publish_article(org, article)
    return None


def service_013(org: Org, case: Case) -> Said:
    """Record an incident with its products."""
    incident = org.insert(
        "Incident",
        Subject=case["subject"],
        Urgency=case["urgency"],
        Impact=case["impact"],
        Priority=case["priority"],
    )
    for entry in case["products"]:
        product = named(org, "Product2", entry["name"])
        org.insert("IncidentRelatedItem", IncidentId=incident, Product2Id=product, ImpactType=entry["impact"])
    return None


def service_014(org: Org, case: Case) -> Said:
    """Plan a change for an incident."""
    incident = next(row["Id"] for row in org.rows("Incident", Subject=case["incident"]))
    change = org.insert(
        "ChangeRequest",
        Subject=case["subject"],
        Description=case["description"],
        Priority=case["priority"],
        Impact=case["impact"],
        RiskLevel=case["risk"],
    )
    if case.values.get("link", True):
        org.insert("ChangeRequestRelatedIssue", ChangeRequestId=change, RelatedIssueId=incident)
    org.update(incident, Status=case["status"])
    return None


def do(org: Org, template: str, case: Case) -> Any:
    """Do a task of a template; return what was answered."""
    return globals()[template](org, case)
