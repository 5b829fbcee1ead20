"""What hands do in the pages, done to the org itself: each function does a task as its case says, right or misread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.task.model import Case
from salesforce_org.reports import dashboards, definition, editing, stored
from salesforce_org.reports.types import report_type
from salesforce_org.rules.knowledge import publish_article
from salesforce_org.rules.leads import convert_lead
from salesforce_org.store import Org

Said = str | None


def named(org: Org, object: str, name: str) -> str:
    """Return the id of the record that is called so; of several the oldest."""
    return next(row["Id"] for row in org.rows(object) if org.name_of(row["Id"]) == name)


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


def admin_022(org: Org, case: Case) -> Said:
    """Assign a permission set group."""
    group = next(row["Id"] for row in org.rows("PermissionSetGroup", MasterLabel=case["group"]))
    user = named(org, "User", case["user"])
    until = "2027-01-01T00:00:00.000+0000" if case.values.get("term") else None
    org.insert("PermissionSetAssignment", PermissionSetGroupId=group, AssigneeId=user, ExpirationDate=until)
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


def answer(org: Org, case: Case) -> Said:
    """Say the answer."""
    return str(case["answer"])


admin_039 = sales_013 = sales_014 = sales_015 = service_011 = answer


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
