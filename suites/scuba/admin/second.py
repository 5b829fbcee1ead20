"""Second solutions of Admin, written without a look at the checks."""

from __future__ import annotations

import json
import re

from pytest_cuabench import Case, Pilot
from pytest_cuabench.task.action import Scroll

from ..toolkit.lightning import (
    DIALOG,
    HERE,
    PAGE,
    choose,
    choose_far,
    choose_in_menu,
    enter,
    enter_values,
    follow,
    move_over,
    named,
    open_item,
    open_list,
    open_object,
    open_object_manager,
    open_setup,
    open_tab,
    pick,
    point_at,
    press,
    press_first,
    row_of,
)
from ..toolkit.list_views import share_with
from ..toolkit.reading import fill_criteria, found_in, told_in

_QUOTED = r'"([^"]+)"'
_NEXT = "Next"

# Reports and dashboards


async def admin_001(pilot: Pilot, case: Case) -> None:
    """Give the title in the builder first, then the columns from the list of all fields, then the filters."""
    await _start_report(pilot, case)
    words = told_in(r"(?:Its columns include |See that )(.+?)(?:; the others| can be read)", case.goal)
    for column in words.split(" and "):
        if not await pilot.sees(f"{_COLUMNS} >> [title={json.dumps(column)}]"):
            if await pilot.sees(named("button", "Show Fields", PAGE)):
                await press(pilot, "Show Fields", PAGE)
            await pilot.fill("#fields-search", column)
            await pilot.click(f"[aria-label=Fields] >> button:text-is({json.dumps(column)}) >> nth=0")
    await pilot.click(named("tab", "Filters", _PANEL))
    for field, operator, value in _filters(case.goal):
        await _find_field(pilot, "Add filter", field)
        await _fill_filter(pilot, operator, value)
    await _save_report(pilot)


async def admin_002(pilot: Pilot, case: Case) -> None:
    """Add the filters below the cross filter from the last to the first."""
    await _start_report(pilot, case)
    await pilot.click(f"{PAGE} >> role=tab >> text=/^Filters/")
    await choose_in_menu(pilot, "More Filter Options", "Add Cross Filter", _PANEL)
    await pick(pilot, "Secondary Object", case["related_label"], _EDITOR)
    await press(pilot, "Apply", _EDITOR)
    for field, operator, value in reversed(_filters(case.goal)):
        await press(pilot, f"Add {case['related_label']} Filter", _PANEL)
        await pilot.fill("#sub-search", field)
        await pilot.click(f"{_EDITOR} >> button:text-is({json.dumps(field)})")
        await _fill_filter(pilot, operator, value)
    await _save_report(pilot)


async def admin_003(pilot: Pilot, case: Case) -> None:
    """Save the report before its filters, where the page proposes it, once more after them, and move it."""
    await _start_report(pilot, case)
    await press(pilot, "Save", PAGE)
    await enter(pilot, "Report Name", case["name"])
    await press(pilot, "Save")
    await pilot.click(f"{PAGE} >> role=tab >> text=/^Filters/")
    for field, operator, value in _filters(case.goal):
        await _find_field(pilot, "Add filter", field)
        await _fill_filter(pilot, operator, value)
    await choose_in_menu(pilot, "More Filter Options", "Add Filter Logic", _PANEL)
    await pilot.fill("#filter-logic", case["logic"])
    await press(pilot, "Apply", _EDITOR)
    await press(pilot, "Save", f"{PAGE} >> .org-builder__head")
    await press(pilot, "Run", PAGE)
    await choose_in_menu(pilot, "More Actions", "Move")
    await pilot.click(f"{DIALOG} >> [data-folder]:has-text('Public Reports')")
    await press(pilot, "Select Folder")


async def admin_004(pilot: Pilot, case: Case) -> None:
    """Give the chart its title in the end, after its other properties."""
    words = case.values.get("chart_words") or told_in(
        r"(?:with a chart: |to it that has )(.+?)\.(?: Save| What|$)", case.goal
    )
    await _start_report(pilot, case)
    await _find_field(pilot, "Add row group", case["group_label"])
    await press(pilot, "Add Chart", PAGE)
    parts = re.split(r", (?=the |Show )", words)
    for part in sorted(parts, key=lambda one: "title" in one):
        if not await pilot.sees(_CHART):
            await press(pilot, "Chart Properties", PAGE)
        if kind := re.match(r"the (.+?) chart$", part):
            await pilot.click(f"{_CHART} >> label:has(:text-is({json.dumps(kind[1])}))")
        elif title := re.search(_QUOTED, part):
            await pilot.fill(named("textbox", "Chart Title", _CHART), title[1])
        elif "legend" in part:
            await choose(pilot, "Legend Position", "Bottom", _CHART)
        else:
            await pilot.click(f"{_CHART} >> label:has-text({json.dumps(part.removesuffix(' switched on'))})")
    await _save_report(pilot)


async def admin_005(pilot: Pilot, case: Case) -> None:
    """Group by the search of the outline, and summarize in the column's own menu."""
    await _start_report(pilot, case)
    await _find_field(pilot, "Add row group", case["down_label"])
    await _find_field(pilot, "Add column group", case["across_label"])
    column = case["column_label"]
    if not await pilot.sees(f"{_COLUMNS} >> [title={json.dumps(column)}]"):
        await _find_field(pilot, "Add column", column)
    await choose_in_menu(pilot, f"Actions for {column}", case["way"], PAGE)
    await _save_report(pilot)


async def admin_006(pilot: Pilot, case: Case) -> None:
    """Find the report by its words, and give the widget its title before its kind."""
    kind = told_in(r"(?:of the kind|display as) (.+?)(?:,|;)", case.goal)
    await open_item(pilot, "Dashboards")
    await press(pilot, "New Dashboard", PAGE)
    await _select_folder(pilot, "Service Dashboards")
    await enter(pilot, "Name", case["dashboard"])
    await press(pilot, "Create")
    await press(pilot, "+ Widget", PAGE)
    await pilot.click(named("menuitem", "Chart or Table", PAGE))
    await pilot.fill("#source-search", case["report"])
    await pilot.click(f"{DIALOG} >> {named('button', case['report'])}")
    await enter(pilot, "Title", case["header"])
    await pilot.click(f"{DIALOG} >> label:has(:text-is({json.dumps(kind)}))")
    await press(pilot, "Add")
    await press(pilot, "Save", f"{PAGE} >> .org-builder__head")


async def admin_007(pilot: Pilot, case: Case) -> None:
    """Come to the builder from a record, by the gear's Edit Page."""
    found = found_in(
        r"^(?:the field )?(.+?) (equals|is greater than|is less than|is|contains) (.+)", case["condition"]
    )
    field, operator, value = found.groups()
    field = case["field_label"] if field == "its own value" else field
    await open_tab(pilot, case["plural"])
    view = {"Accounts": "All Accounts", "Contacts": "All Contacts", "Leads": "All Open Leads"}
    view |= {"Opportunities": "All Opportunities", "Cases": "All Open Cases"}
    await press(pilot, f"Select a List View: {case['plural']}", PAGE)
    await pilot.click(f"{PAGE} >> role=menuitemradio >> text=/^{view[case['plural']]}/")
    await pilot.click(f"{PAGE} >> tbody >> tr >> nth=0 >> th >> role=link")
    await choose_in_menu(pilot, "Setup", "Edit Page", "")
    if not await pilot.sees("[data-canvas] >> [aria-label='Record Detail']"):
        await pilot.click(named("tab", "Details", "[data-canvas]"))
    await pilot.click("[data-canvas] >> [aria-label='Record Detail'] >> .builder-item__name")
    await press(pilot, "Upgrade Now", "#builder")
    await press(pilot, "Finish")
    await pilot.click(f"[data-canvas] >> .builder-item_field[aria-label={json.dumps(case['field_label'])}]")
    await press(pilot, "Add Filter", "#builder")
    await choose_far(pilot, "Field", field, "#builder")
    words = {"equals": "Equal", "is": "Equal", "is greater than": "Greater Than", "is less than": "Less Than"}
    await choose_far(pilot, "Operator", words.get(operator, "Contains"), "#builder")
    if await pilot.sees("select#filter-value"):
        await choose_far(pilot, "Value", value.title() if value in ("true", "false") else value, "#builder")
    else:
        await pilot.fill("#filter-value", value.replace(",", ""))
    await press(pilot, "Done", "#builder")
    await press(pilot, "Save", "#builder >> [role=toolbar]")
    await press(pilot, "Activate")
    await press(pilot, "Assign as Org Default")


# List views


async def admin_008(pilot: Pilot, case: Case) -> None:
    """Make the view a private one first, filter from the last to the first, and share it in the end."""
    await _new_view(pilot, case)
    if not await pilot.sees(_FILTERS):
        await press(pilot, "Show filters", PAGE)
    words = told_in(r"(?:must hold: |no others: )(.+)\.$", case.goal)
    for field, operator, value in reversed(_filters(words)):
        await press(pilot, "Add Filter", _FILTERS)
        await pick(pilot, "Field", field, _POPOVER)
        await pick(pilot, "Operator", operator, _POPOVER)
        if await pilot.sees(f"{_POPOVER} >> .org-values"):
            await _tick_value(pilot, f"{_POPOVER} >> .org-values", value)
        else:
            await enter(pilot, "Value", value, _POPOVER)
        await press(pilot, "Done", _POPOVER)
    await press(pilot, "Save", _FILTERS)
    await choose_in_menu(pilot, "List View Controls", "Sharing Settings")
    await pilot.click(f"{DIALOG} >> label:has-text('All users can see this list view')")
    await press(pilot, "Save")


async def admin_009(pilot: Pilot, case: Case) -> None:
    """Take away what the view shows besides, add what it lacks, and share it in the end."""
    fields = told_in(r"(?:two columns, |to display are )(.+?)(?:, and no|, nothing)", case.goal).split(
        " and "
    )
    shared = re.findall(
        r"the (role|public group) ([^;]+?)(?: \(without its subordinates\))?(?=;|, and nobody|\. It)",
        case.goal,
    )
    await _new_view(pilot, case)
    await choose_in_menu(pilot, "List View Controls", "Select Fields to Display")
    chosen = named("listbox", "Visible Fields", DIALOG)
    wanted = [f"[role=option]:has(:text-is({json.dumps(field)}))" for field in fields]
    others = f"{chosen} >> [role=option]" + "".join(f":not({one})" for one in wanted) + " >> nth=0"
    while await pilot.sees(others):
        await pilot.click(others)
        await press(pilot, "Move selection to Available Fields")
    for field, one in zip(fields, wanted, strict=True):
        if not await pilot.sees(f"{chosen} >> {one}"):
            await _type_and_move(pilot, field, "Visible Fields")
    await press(pilot, "Save")
    await choose_in_menu(pilot, "List View Controls", "Sharing Settings")
    await pilot.click(f"{DIALOG} >> label:has-text('Share list view with groups of users')")
    for kind, name in reversed(shared):
        await share_with(pilot, f"{kind.title()}s", [name])
    await press(pilot, "Save")


async def admin_010(pilot: Pilot, case: Case) -> None:
    """Enter the name of the chart before its type."""
    await open_list(pilot, case["plural"], case["list"])
    await press(pilot, "Show charts", PAGE)
    if await pilot.sees(f"{PAGE} >> role=button[name='New Chart']"):
        await press(pilot, "New Chart", PAGE)
    else:
        await choose_in_menu(pilot, "Chart Settings", "New Chart")
    await enter(pilot, "Chart Name", case["name"])
    await pick(pilot, "Grouping Field", case["grouping_label"])
    await pick(pilot, "Aggregate Type", case["aggregate_words"])
    await pick(pilot, "Aggregate Field", case["aggregate_label"])
    await pick(pilot, "Chart Type", case["type_words"])
    await press(pilot, "Save")


async def _new_view(pilot: Pilot, case: Case) -> None:
    await open_tab(pilot, case["plural"])
    await choose_in_menu(pilot, "List View Controls", "New")
    await enter(pilot, "List Name", case["name"])
    await pilot.press("Tab")
    await press(pilot, "Save")


_PANEL = f"{PAGE} >> .org-builder__panel"
_EDITOR = "#filter-editor"
_COLUMNS = f"{PAGE} >> ul[aria-label=Columns]"
_CHART = f"{PAGE} >> form[aria-label='Chart Properties']"
_FILTERS = f"{PAGE} >> aside[aria-label=Filters]"
_POPOVER = f"{_FILTERS} >> [role=dialog]"
_OPERATORS = "equals|not equal to|less than|greater than|less or equal|greater or equal|contains|starts with"


def _filters(words: str) -> list[tuple[str, str, str]]:
    """Read field, operator and value of the filters in a sentence."""
    value = r'(?:"([^"]*)"|an empty value|([^;"]+))'
    found = re.findall(rf"(?:^|\d\. |[:;] )([A-Z][^;:.\"]*?) ({_OPERATORS}) {value}(?=[;.]|$)", words)
    return [(field, operator, quoted or plain) for field, operator, quoted, plain in found]


async def _start_report(pilot: Pilot, case: Case) -> None:
    """Start a report of the type, and give it its title in the builder."""
    await open_item(pilot, "Reports")
    await press(pilot, "New Report", PAGE)
    await pilot.fill("#type-search", case["type_label"])
    await pilot.click(f"#report-types >> button:text-is({json.dumps(case['type_label'])})")
    await press(pilot, "Start Report")
    await pilot.fill("#report-title", case["name"])
    await pilot.press("Enter")


async def _find_field(pilot: Pilot, search: str, field: str) -> None:
    await pilot.fill(named("combobox", search, PAGE), field)
    await pilot.click(f"{named('menu', search, PAGE)} >> {named('menuitem', field)} >> nth=0")


async def _fill_filter(pilot: Pilot, operator: str, value: str) -> None:
    if operator != "equals":
        await pick(pilot, "Operator", operator, _EDITOR)
    if await pilot.sees(f"{_EDITOR} >> .org-values"):
        for one in filter(None, value.split(", ")):
            await _tick_value(pilot, f"{_EDITOR} >> .org-values", one)
    elif value:
        await enter(pilot, "Value", value, _EDITOR)
    await press(pilot, "Apply", _EDITOR)


async def _tick_value(pilot: Pilot, values: str, value: str) -> None:
    """Tick a value, and turn the wheel over the list until it is seen."""
    label = f"{values} >> label:has(:text-is({json.dumps(value)}))"
    for _ in range(5):
        seen, place = await pilot.box(values), (await pilot.box(label)).middle
        if seen.y < place.y < seen.y + seen.height:
            break
        notches = round((place.y - seen.middle.y) / 120)
        await pilot.act(Scroll(*seen.middle, dy=notches), thought="Scroll")
    await pilot.click(label)


async def _save_report(pilot: Pilot) -> None:
    await press(pilot, "Save", f"{PAGE} >> .org-builder__head")
    await _select_folder(pilot, "Public Reports")
    await press(pilot, "Save")


async def _select_folder(pilot: Pilot, folder: str) -> None:
    await press(pilot, "Select Folder")
    await pilot.click(f"{DIALOG} >> [data-folder]:has-text({json.dumps(folder)})")
    await press(pilot, "Select Folder")


# Apps, tabs and rules


async def admin_011(pilot: Pilot, case: Case) -> None:
    """Pick items and profiles in the opposite order, each by the words above the list."""
    goal = case.goal
    items = told_in(r"(?:exactly these items: |with )([^.]+?)(?:\. Exactly| as its only navigation)", goal)
    profiles = told_in(r"(?:may access it: |navigation items and )([^.]+?)(?:\.| as its only user)", goal)
    await open_setup(pilot, "App Manager", "App Man")
    await press(pilot, "New Lightning App", HERE)
    await enter(pilot, "App Name", case["app"])
    for _ in range(3):
        await press(pilot, _NEXT)
    await _filter_and_move(pilot, items.split(" and ")[::-1], "Items")
    await press(pilot, _NEXT)
    await _filter_and_move(pilot, profiles.split("; ")[::-1], "Profiles")
    await press(pilot, "Save & Finish")


async def admin_012(pilot: Pilot, case: Case) -> None:
    """Hide the tab for all profiles at once, then show it for one; untick all apps at once, then tick one."""
    await open_setup(pilot, "Tabs", "Tabs")
    await press(pilot, "New", named("region", "Custom Object Tabs"))
    await pilot.fill(named("combobox", "Tab Style", PAGE), case["style"])
    await pilot.press("Tab")
    await choose_far(pilot, "Object", case["object"])
    await press(pilot, _NEXT, HERE)
    await choose(pilot, "Tab visibility of all profiles", "Tab Hidden")
    await pilot.click(named("radio", "Apply a different tab visibility for each profile", PAGE))
    await choose(pilot, case["profile"], "Default On")
    await press(pilot, _NEXT, HERE)
    every = named("checkbox", "Include Tab", PAGE)
    await _tick(pilot, every, True)
    await _tick(pilot, every, False)
    await pilot.click(named("checkbox", f"{case['app']} ({case['app_name']})", PAGE))
    await press(pilot, "Save", HERE)


async def admin_014(pilot: Pilot, case: Case) -> None:
    """Use the second line of the criteria, in place of the first."""
    method = told_in(r"(?:matching method|by the method) (.+?)(?:,|;)", case.goal)
    await open_setup(pilot, "Matching Rules", "Matching")
    await press(pilot, "New Rule", HERE)
    await choose_far(pilot, "Object", case["object_label"])
    await press_first(pilot, _NEXT)
    await choose_far(pilot, "Field 2", case["field_label"])
    await choose_far(pilot, "Matching Method 2", method)
    await enter(pilot, "Rule Name", case["rule"], PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")


# Objects and fields


async def admin_016(pilot: Pilot, case: Case) -> None:
    """Enter the plural before the label, save with the lower button, and take the tab style from its list."""
    await _new_object(pilot, case, case["launch"])
    await press(pilot, "Tab Style Lookup", PAGE)
    await pilot.click(f"{PAGE} >> role=listbox[name='Tab Style'] >> role=option >> nth=3")
    for button in (_NEXT, _NEXT, "Save"):
        await press(pilot, button, HERE)


async def admin_017(pilot: Pilot, case: Case) -> None:
    """Change the field before the object."""
    await open_object(pilot, case["object"], "Fields & Relationships")
    await follow(pilot, case["field"])
    await press(pilot, "Edit", named("region", "Field Information"))
    await enter(pilot, "Help Text", case["help"], PAGE)
    await _press_first(pilot, "Save")
    await follow(pilot, "Details")
    await press(pilot, "Edit", named("region", "Details"))
    await enter(pilot, "Description", case["description"], PAGE)
    await _press_first(pilot, "Save")


async def admin_018(pilot: Pilot, case: Case) -> None:
    """Untick all profiles at once, then tick those that are named, the last first."""
    await _new_object(pilot, case)
    await follow(pilot, "Fields & Relationships")
    await press(pilot, "New", PAGE)
    await pilot.click(named("radio", "Lookup Relationship", PAGE))
    await press(pilot, _NEXT, PAGE)
    await choose_far(pilot, "Related To", case["to"])
    await press(pilot, _NEXT, PAGE)
    await press(pilot, _NEXT, PAGE)
    names = told_in(r"(?:edit it: |Read-Only, for )(.+?)(?:\.|, and for no)", case.goal)
    await _visible_for(pilot, names.split(" and "))
    while not await pilot.sees(named("button", "Save", PAGE)):
        await press(pilot, _NEXT, PAGE)
    await press(pilot, "Save", PAGE)


async def admin_029(pilot: Pilot, case: Case) -> None:
    """Write each formula another way than its sentence says it."""
    formula = {
        "Days to close": "-(TODAY() - CloseDate)",
        "Check country": "IF(Owner.Country = BillingCountry, TRUE, FALSE)",
        "Lead": 'CASE(Status, "Open", TODAY() - DATEVALUE(CreatedDate), NULL)',
        "RevenueInK": 'TEXT(AnnualRevenue * 0.001) & "K"',
        "IsVIP": "NOT(Account.AnnualRevenue <= 1000000)",
    }[case["label"]]
    await open_object(pilot, case["object"], "Fields & Relationships")
    await press(pilot, "New", PAGE)
    await pilot.click(named("radio", "Formula", PAGE))
    await press(pilot, _NEXT, PAGE)
    await pilot.click(f"{PAGE} >> role=radio[name=/^{case['returns']}:/]")
    await enter(pilot, "Field Label", case["label"], PAGE)
    await pilot.press("Tab")
    await press(pilot, _NEXT, PAGE)
    await pilot.fill(f"{PAGE} >> [data-formula] textarea", formula)
    await press(pilot, _NEXT, PAGE)
    names = told_in(r"(?:see the field: |it is Visible for )(.+?)(?:\. The|, and for no)", case.goal)
    if names.startswith("all profiles"):
        await _tick(pilot, named("checkbox", "Visible", PAGE), True)
    else:
        await _visible_for(pilot, names.split(", "))
    await press(pilot, _NEXT, PAGE)
    await press(pilot, "Save", PAGE)


async def admin_030(pilot: Pilot, case: Case) -> None:
    """Write each condition another way than its sentence says it, and check the syntax first."""
    formula = {
        "Account": "NOT(LEN(AccountNumber) = 8)",
        "Contact": 'FIND("@company.com", Email) = 0',
        "Opportunity": "TODAY() > CloseDate",
        "Lead": "AND(NOT(ISBLANK(AnnualRevenue)), NOT(AnnualRevenue > 0))",
        "Asset": 'IF(CONTAINS(Owner.Email, "example.com"), LEN(Description) <= 19, FALSE)',
    }[case["object"]]
    await open_object(pilot, case["object"], "Validation Rules")
    await press(pilot, "New", PAGE)
    await pilot.fill(f"{PAGE} >> [data-formula] textarea", formula)
    await pilot.click(f"{PAGE} >> [data-formula-check]")
    await enter(pilot, "Error Message", case["message"], PAGE)
    await pilot.click(named("radio", "Top of Page", PAGE))
    await enter(pilot, "Rule Name", "Refuse_what_is_wrong", PAGE)
    await _tick(pilot, named("checkbox", "Active", PAGE), True)
    await _press_first(pilot, "Save")


async def admin_031(pilot: Pilot, case: Case) -> None:
    """Move up step by step in place of Top, and set defaults at the value in place of the page Reorder."""
    object, field, value, new = next(
        rest
        for word, *rest in (
            ("Aborted", "Campaign", "Status", "Aborted", ""),
            ("Pending", "Case", "Status", "", "Pending"),
            ("Not Converted", "Lead", "Lead Status", "Closed - Not Converted", "Closed - Incomplete"),
            ("Social Media", "Lead", "Lead Source", "", "Social Media"),
            ("Low", "Case", "Priority", "Low", ""),
        )
        if word in case.goal
    )
    await open_object(pilot, object, "Fields & Relationships")
    await follow(pilot, field)
    values = named("region", f"{field} Picklist Values")
    if not value:
        await press(pilot, "New", values)
        await enter_values(pilot, field, [new])
        return
    await follow(pilot, f"Edit {value}")
    if new:
        await enter(pilot, "API Name", new, PAGE)
        await enter(pilot, "Label", new, PAGE)
        await _press_first(pilot, "Save")
        return
    await pilot.click(named("checkbox", "Default", PAGE))
    await _press_first(pilot, "Save")
    await press(pilot, "Reorder", values)
    await pilot.click(f"{PAGE} >> #order >> option:text-is('{value}')")
    while not await pilot.sees(f"{PAGE} >> #order >> option:first-child:text-is('{value}')"):
        await pilot.click(f"{PAGE} >> [data-dual-up]")
    await press(pilot, "Save", PAGE)


async def admin_032(pilot: Pilot, case: Case) -> None:
    """Enter the name first, then its label, and the values from the keyboard, one line after the other."""
    values = told_in(r"in this order: (.+?)\. T", case.goal).split(", ")
    await open_setup(pilot, "Picklist Value Sets", "Picklist")
    await press(pilot, "New", HERE)
    await pilot.click(named("checkbox", "Display values alphabetically, not in the order entered", PAGE))
    await enter(pilot, "Values", "\n".join(values), PAGE)
    await enter(pilot, "Name", case["name"], PAGE)
    await enter(pilot, "Label", case["name"], PAGE)
    await enter(pilot, "Name", case["name"], PAGE)
    await press_first(pilot, "Save")


# Permissions


async def admin_019(pilot: Pilot, case: Case) -> None:
    """Tick every field at once by the boxes of the columns, then the object's rights."""
    rights = told_in(r"(?:allow exactly |only: )([\w, ]+?)(?:, and give|, no more)", case.goal).split(", ")
    await open_setup(pilot, "Permission Sets", "Permission S")
    await press(pilot, "New", HERE)
    await enter(pilot, "Label", case["label"], PAGE)
    await pilot.press("Tab")
    if await pilot.sees(f"{HERE} >> #in-Name") and "Access" in case["label"]:
        await enter(pilot, "API Name", case["label"].replace(" ", "_") + "_second", PAGE)
    await press_first(pilot, "Save")
    await follow(pilot, "Object Settings", HERE)
    await pilot.fill(named("searchbox", "Find Settings", HERE), case["plural"])
    await pilot.click(f"{HERE} >> {named('link', case['plural'])}")
    await press(pilot, "Edit", HERE)
    for right in rights:
        await _tick(pilot, named("checkbox", right, PAGE), True)
    await pilot.click(f"{PAGE} >> [data-check-all=read]")
    await pilot.click(f"{PAGE} >> [data-check-all=edit]")
    await pilot.click(f"{HERE} >> button:text-is('Save') >> nth=0")


async def admin_020(pilot: Pilot, case: Case) -> None:
    """Find the permission set by the search of the list."""
    await _new_group(pilot, case["group"], [case["permission_set"]])


async def admin_021(pilot: Pilot, case: Case) -> None:
    """Mute the field before the rights of the object."""
    await open_setup(pilot, "Permission Set Groups", "Groups")
    await follow(pilot, case["group"], HERE)
    await follow(pilot, "Muting Permission Set in Group", HERE)
    await press(pilot, "New", HERE)
    await enter(pilot, "Label", f"Muted in {case['group']}", PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")
    if not await pilot.sees(named("link", "Object Settings", HERE)):
        await follow(pilot, f"Muted in {case['group']}", HERE)
    await follow(pilot, "Object Settings", HERE)
    await pilot.fill(named("searchbox", "Find Settings", HERE), case["plural"])
    await pilot.click(f"{HERE} >> {named('link', case['plural'])}")
    await press(pilot, "Edit", HERE)
    await pilot.click(named("checkbox", f"Mute {case['field_label']} {case['access']}", PAGE))
    rights = told_in(rf"(?:permissions|which mutes) ([\w ]+?)(?:, and| on {case['plural']})", case.goal)
    for right in rights.split(" and ")[::-1]:
        await _tick(pilot, named("checkbox", f"Mute {right}", PAGE), True)
    await pilot.click(f"{HERE} >> button:text-is('Save') >> nth=0")


async def admin_022(pilot: Pilot, case: Case) -> None:
    """Assign the group on the user's page, in place of the group's."""
    user = told_in(r"(?:user )?(Foo Bar|Sample User|Sofia Bennett|John Doe)", case.goal)
    group = case.values.get("group") or told_in(r"permission set group (\w+)", case.goal)
    await _assign(pilot, user, group)


async def admin_028(pilot: Pilot, case: Case) -> None:
    """Create the group, then assign it on the user's page."""
    words = told_in(r"(?:exactly the permission sets |: put )(.+?)(?:\.| into it)", case.goal)
    await _new_group(pilot, case["group"], re.findall(_QUOTED, words)[::-1])
    await _assign(pilot, case["user"], case["group"])


async def admin_023(pilot: Pilot, case: Case) -> None:
    """Set the internal access with the keyboard, after the external one where that is no stricter."""
    await open_setup(pilot, "Sharing Settings", "Sharing")
    await press(pilot, "Edit Organization-Wide Defaults", HERE)
    for which in ("external", "internal"):
        label = f"{case['label']} Default {which.title()} Access"
        await choose(pilot, label, case[which])
    await press_first(pilot, "Save")


async def admin_025(pilot: Pilot, case: Case) -> None:
    """Open the user from the view of the active ones, and freeze there."""
    await _open_user(pilot, case["user"])
    await press(pilot, "Freeze", HERE)


async def admin_026(pilot: Pilot, case: Case) -> None:
    """Edit from the user's page, in place of the list."""
    await _open_user(pilot, case["user"])
    await press(pilot, "Edit", named("region", "User Detail"))
    await pilot.click(named("checkbox", "Active", PAGE))
    if await pilot.sees("dialog[open]"):
        await press(pilot, "OK", "dialog[open]")
    await press_first(pilot, "Save")


async def admin_033(pilot: Pilot, case: Case) -> None:
    """Set the policies from the last to the first."""
    goal = case.goal.partition(" Password Policies")[2]
    await open_setup(pilot, "Password Policies", "Password")
    found = re.findall(
        r"(User passwords expire in|Lockout effective period|Password complexity requirement|Minimum password length"
        r"|Maximum invalid login attempts|Enforce password history): (.+?)(?=;|\. All|, and save)",
        goal,
    )
    for field, value in reversed(found):
        if field == "Minimum password length":
            await pilot.fill(f"{HERE} >> #in-minimumPasswordLength", value)
        else:
            await choose_far(pilot, field, value)
    await press_first(pilot, "Save")


async def admin_034(pilot: Pilot, case: Case) -> None:
    """Add the members before the group has a name, the last first."""
    words = case.goal.partition("members")[2]
    members = re.findall(r"the (user|role) ([^;]+?)(?=;|\. Where| \(roles)", words)
    await open_setup(pilot, "Public Groups", "Public")
    await press(pilot, "New", HERE)
    for kind, name in reversed(members):
        await choose(pilot, "Search:", f"{kind.title()}s")
        await enter(pilot, "for:", name, PAGE)
        await press(pilot, "Find", PAGE)
        option = f'option:text-matches("(^|: ){re.escape(name)}$")'
        await pilot.click(f"{named('listbox', 'Available Members', PAGE)} >> {option}")
        await press(pilot, "Add to Selected Members", PAGE)
    await enter(pilot, "Label", case["group"], PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")


async def admin_035(pilot: Pilot, case: Case) -> None:
    """Create every role at the top of the tree, and say in its form to whom it reports."""
    made = next(
        pairs
        for word, pairs in (
            ("CTO", (("CTO", ""), ("VP in R&D", "CTO"))),
            (
                "New York",
                (
                    ("Customer Support, New York", "Customer Support, North America"),
                    ("Customer Service Agent", "Customer Support, New York"),
                ),
            ),
            (
                "Procurement",
                (("Chief Procurement Officer", "CFO"), ("Purchasing Manager", "Chief Procurement Officer")),
            ),
            (
                "create none",
                (("Vice President of Sales", "CEO"), ("Sales Manager", "Vice President of Sales")),
            ),
            (
                "Associate",
                (
                    ("Associate Sales Representative", "SVP, Sales & Marketing"),
                    ("Sales Trainee", "Associate Sales Representative"),
                    ("Sales Intern", "Associate Sales Representative"),
                ),
            ),
        )
        if word in case.goal
    )
    for name, above in made:
        await open_setup(pilot, "Roles", "Roles")
        await press(pilot, "Set Up Roles", HERE)
        if "create none" in case.goal:
            await press(pilot, "Expand All", HERE)
            await follow(pilot, f"Edit {name}", HERE)
        else:
            await pilot.click(f"{HERE} >> .setup-roles__add >> nth=0 >> role=link")
            await enter(pilot, "Label", name, PAGE)
            await pilot.press("Tab")
        if above:
            await pilot.fill(f"{HERE} >> role=combobox[name='This role reports to']", above)
            await pilot.press("Tab")
        await press_first(pilot, "Save")


# Approvals


async def admin_037(pilot: Pilot, case: Case) -> None:
    """Enter the criteria before the name, the last first."""
    await open_setup(pilot, "Approval Processes", "Approval")
    await choose_far(pilot, "Manage Approval Processes For:", case["object_label"])
    await choose_in_menu(pilot, "Create New Approval Process", "Use Jump Start Wizard", HERE)
    await fill_criteria(
        pilot, re.findall(r'((?:[A-Z]\w+ ?)+: [A-Z][\w ]*?) ([a-z][a-z ]+) "([^"]*)"', case.goal)
    )
    await enter(pilot, "Name", case["process"], PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")


async def admin_038(pilot: Pilot, case: Case) -> None:
    """Add the action for the rejection before that for the approval."""
    await open_setup(pilot, "Approval Processes", "Approval")
    await choose_far(pilot, "Manage Approval Processes For:", case["object_label"])
    await follow(pilot, case["process"], HERE)
    for block, name in (("Rejection", case["rejection"]), ("Approval", case["approval"])):
        does = found_in(
            rf'"{re.escape(name)}",? (?:which )?sets the field (.+?) (?:(to) (.+?)|by the formula (.+?))'
            r"(?=\. |$)",
            case.goal,
        )
        field, _, value, formula = does.groups()
        await choose_in_menu(pilot, f"Add New Final {block} Actions", "Field Update", HERE)
        await choose_far(pilot, "Field to Update", field)
        await enter(pilot, "Name", name, PAGE)
        await pilot.press("Tab")
        if formula:
            await pilot.click(named("radio", "Use a formula to set the new value", PAGE))
            await enter(pilot, "Formula", formula, PAGE)
        elif value in ("True", "False"):
            await pilot.click(named("radio", value, PAGE))
        else:
            await pilot.click(named("radio", "A specific value", PAGE))
            await choose_far(pilot, "Specific Value", value)
        await press_first(pilot, "Save")


async def admin_039(pilot: Pilot, case: Case) -> None:
    """Compare permission sets on the object's page Object Access, where one sees them side by side."""
    if "Account Access" in case.goal:
        await open_object(pilot, "Account", "Object Access")
        allowed = await _rights(pilot, "Account Access", "Permission Sets")
        await pilot.answer("yes" if allowed["Delete"] else "no")
    elif "Four permission sets" in case.goal:
        await open_object(pilot, "Case", "Object Access")
        names = told_in(r"access to Case: (.+?)\. Find", case.goal).split(", ")
        found = [name for name in names if not (await _rights(pilot, name, "Permission Sets"))["Edit"]]
        await pilot.answer(found[0])
    elif "profiles" in case.goal:
        await open_object(pilot, "Opportunity", "Object Access")
        names = told_in(r"with Opportunity: (.+?)\. Which", case.goal).split(", ")
        counts = {name: sum((await _rights(pilot, name, "Profiles")).values()) for name in names}
        await pilot.answer(min(names, key=counts.__getitem__))
    elif "groups" in case.goal:
        names = told_in(r"delete accounts: (.+?)\. Look", case.goal).split(", ")
        for name in names:
            await open_setup(pilot, "Permission Set Groups", "Permission Set G")
            await follow(pilot, name, HERE)
            await follow(pilot, "Object Settings", HERE)
            await pilot.click(f"{HERE} >> {named('link', 'Accounts')}")
            if await pilot.sees(f"{row_of('Delete', HERE)} >> {named('img', 'Checked')}"):
                await pilot.answer(name)
    else:
        for object in ("Account", "Order"):
            await open_object(pilot, object, "Object Access")
            if (await _rights(pilot, "Buyer", "Permission Sets"))["Delete"]:
                await pilot.answer(object)


_RIGHTS = ("Read", "Create", "Edit", "Delete", "View All Records", "Modify All Records", "View All Fields")


async def _type_and_move(pilot: Pilot, option: str, side: str) -> None:
    """Go to an option of a long list by typing it, then move it over."""
    left = f"{DIALOG} >> .slds-dueling-list__options:has([data-dual-list=left])"
    await pilot.click(left)  # any option
    await point_at(pilot, option, f"{left} >> [role=option][aria-selected=true]")
    await press(pilot, f"Move selection to {side}")


async def _filter_and_move(pilot: Pilot, options: list[str], kind: str) -> None:
    for option in options:
        await pilot.fill(named("searchbox", f"Filter Available {kind}", DIALOG), option)
        await move_over(pilot, [option], f"Selected {kind}")


async def _rights(pilot: Pilot, name: str, table: str) -> dict[str, bool]:
    """Read a row of the page Object Access."""
    row = row_of(name, named("table", table))
    cells = {
        right: f"{row} >> td >> nth={at} >> {named('img', 'Checked')}" for at, right in enumerate(_RIGHTS)
    }
    return {right: await pilot.sees(cell) for right, cell in cells.items()}


async def _new_object(pilot: Pilot, case: Case, launch: str = "") -> None:
    await open_object_manager(pilot)
    await choose_in_menu(pilot, "Create", "Custom Object")
    await enter(pilot, "Plural Label", case["plural"], PAGE)
    await enter(pilot, "Label", case["label"], PAGE)
    if launch:
        await pilot.click(named("checkbox", launch, PAGE))
    await pilot.click(f"{named('button', 'Save', PAGE)} >> nth={1 if launch else 0}")


async def _press_first(pilot: Pilot, button: str) -> None:
    """Press a button that a form of Object Manager has above and below."""
    await pilot.click(f"{named('button', button, PAGE)} >> nth=0")


async def _tick(pilot: Pilot, box: str, wanted: bool) -> None:
    """Click a box unless it is as wanted."""
    if await pilot.sees(f"{box}[checked]") != wanted:
        await pilot.click(box)


async def _visible_for(pilot: Pilot, profiles: list[str]) -> None:
    """Take the tick of Visible away from all profiles, then give it to some."""
    await _tick(pilot, named("checkbox", "Visible", PAGE), True)
    await _tick(pilot, named("checkbox", "Visible", PAGE), False)
    for name in reversed(profiles):
        await pilot.click(named("checkbox", f"{name} Visible", PAGE))


async def _new_group(pilot: Pilot, group: str, permission_sets: list[str]) -> None:
    await open_setup(pilot, "Permission Set Groups", "Groups")
    await press(pilot, "New Permission Set Group", HERE)
    await enter(pilot, "Label", group, PAGE)
    await pilot.press("Tab")
    await press_first(pilot, "Save")
    await follow(pilot, "Permission Sets in Group", HERE)
    await press(pilot, "Add Permission Set", HERE)
    for name in permission_sets:
        await pilot.fill(f"{HERE} >> [data-filter-rows]", name)
        await pilot.click(f"{row_of(name, HERE)} >> role=checkbox")
    await press(pilot, "Add", HERE)
    await press(pilot, "Done", HERE)


async def _open_user(pilot: Pilot, name: str) -> None:
    """Open a user, whom the list shows with the last name first."""
    first, _, last = name.partition(" ")
    await open_setup(pilot, "Users", "Users")
    await choose(pilot, "View:", "Active Users")
    await follow(pilot, f"{last}, {first}" if last else name, HERE)


async def _assign(pilot: Pilot, user: str, group: str) -> None:
    """Assign a permission set group on the user's page."""
    await _open_user(pilot, user)
    await press(pilot, "Edit Permission Set Group Assignments", HERE)
    await pilot.click(f"{HERE} >> [data-dual-left] >> option:text-is('{group}')")
    await pilot.click(f"{HERE} >> [data-dual-add]")
    await press_first(pilot, "Save")
