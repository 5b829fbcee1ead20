"""Dynamic forms: a field of a record page that is shown only under a condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot
from pytest_cuabench.task.kinds import FURTHER, Place, free

from ..toolkit.components import entries, others
from ..toolkit.judging import API_NAME, ASKED, Findings, judged
from ..toolkit.kinds import CHOSEN, FILTERED, place
from ..toolkit.lightning import choose, choose_far, choose_in_menu, named, open_list, press
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Milestones

PAGES = "metadata/FlexiPage"
_UPGRADED = "upgrading the record details makes it, in each org out of its own page"
KEPT = 8  # fields that a page has at least whose record details were upgraded
OPERATORS = {
    "EQUAL": "Equal",
    "GT": "Greater Than",
    "LT": "Less Than",
    "CONTAINS": "Contains",
    "NE": "Not Equal",
}
_ACTIVE, _PAGE = ("content", "formFactor"), {"actionName": "View", "type": "Flexipage"}
_OWN = {"actionName": "View", "type": "Default"}  # Salesforce's own page
_RIGHT = ".builder-right"


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a page of the object with the one rule on the field, and all else that its details had; activate it."""
    page = next(iter(work.made(PAGES, sobjectType=case["object"])), None)
    work.claim(page, "flexiPageRegions", sobjectType=case["object"], type="RecordPage")
    work.free(
        PAGES,
        masterLabel="the task names none",
        template="the task names no template",
        parentFlexiPage="Salesforce's own page",
        fullName=API_NAME,
    )
    name = page["Id"].rpartition("/")[2] if page else ""
    yield Milestone("page", page is not None, 0.2, f"a record page of {case['object']}", name or "none")
    rules = list(_rules(page or {}))
    ours = [rule for item, rule in rules if _field(item) == case["field"]]
    rule = ours[0] if len(ours) == 1 and len(rules) == 1 else {}
    criteria = [] if others(rule, "criteria") else rule.get("criteria") or []
    criteria = [one for one in criteria if not others(one, "leftValue", "operator", "rightValue")]
    at = _leave_open(page or {}, case["field"])
    yield Milestone("rule", len(criteria) == 1, 0.2, f"one filter, on {case['field']}", _said(rules))
    one: Mapping[str, Any] = criteria[0] if len(criteria) == 1 else {}
    for milestone, key, wanted in (
        ("field", "leftValue", f"{{!Record.{case['by']}}}"),
        ("operator", "operator", case["operator"]),
        ("value", "rightValue", case["value"]),
    ):
        kind = FILTERED if milestone == "value" else CHOSEN
        right = bool(one) and kind.same(one.get(key), wanted, (*at, "visibilityRule", "criteria", 0, key))
        yield Milestone(milestone, right, 0.2, f"{key} {wanted}", str(one.get(key)))
    fields = [item for item in _items(page or {}) if _field(item)]
    rest = len(fields) >= KEPT and _usual(page or {}, case["field"])
    yield Milestone("rest", rest, ASKED, f"at least {KEPT} fields, as they were", f"{len(fields)} fields")
    yield _active(work, case, name)


def _active(work: Work, case: Case, page: str) -> Milestone:
    """Whether the page is the org's default, on desktops and phones, and nothing else of the object changed."""

    def asked(old: Any, new: Any) -> bool:
        own = all(one is None or not others(one, "formFactor", **_OWN) for one in (old, new))
        return own or (old is None and new.get("content") == page and not others(new, *_ACTIVE, **_PAGE))

    made = [new for _, new in entries(work, "CustomObject", case["object"], "actionOverrides", asked) if new]
    factors = {str(one.get("formFactor")) for one in made if one.get("content") == page}
    seen = ", ".join(sorted(factors)) or "not active"
    return Milestone(
        "active", bool(page) and factors == {"Large", "Small"}, ASKED, "active for Large, Small", seen
    )


def _items(page: Row | Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for region in page.get("flexiPageRegions") or ():
        for item in region.get("itemInstances") or ():
            yield item.get("fieldInstance") or item.get("componentInstance") or {}


def _leave_open(page: Row | Mapping[str, Any], field: str) -> Place:
    """Declare open what a page has beside the field, and return where the field is."""
    found: Place = (None, "no page")
    for number, region in enumerate(page.get("flexiPageRegions") or ()):
        at = place(page["Id"], "flexiPageRegions", number)
        for name in (*(key for key in region if key != "itemInstances"), FURTHER):
            free((*at, name), _UPGRADED)
        for count, item in enumerate(region.get("itemInstances") or ()):
            each = (*at, "itemInstances", count)
            if _field(item.get("fieldInstance") or {}) == field:
                found = (*each, "fieldInstance")
                free((*found, "identifier"), _UPGRADED)
            else:
                free(each, _UPGRADED)
    return found


def _usual(page: Row | Mapping[str, Any], field: str) -> bool:
    """Whether the field is on the page once, and but for its rule as upgrades make fields."""
    found = [item for item in _items(page) if _field(item) == field]
    plain = [{"name": "uiBehavior", "value": "none"}]
    around = [
        name
        for region in page.get("flexiPageRegions") or ()
        for item in region.get("itemInstances") or ()
        if _field(item.get("fieldInstance") or {}) == field
        for name in others(item, "fieldInstance")
    ]
    return (
        len(found) == 1
        and not around
        and not others(found[0], "fieldItem", "identifier", "visibilityRule", fieldInstanceProperties=plain)
    )


def _rules(page: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    return (
        (item, item["visibilityRule"])
        for item in _items(page)
        if (item.get("visibilityRule") or {}).get("criteria")
    )


def _field(item: Mapping[str, Any]) -> str:
    return str(item.get("fieldItem") or "").removeprefix("Record.")


def _said(rules: list[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> str:
    return ", ".join(f"on {_field(item) or item.get('componentName')}" for item, _ in rules) or "no filter"


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A page of the object; on its field the first filter's parts."""
    pages = [row for row in Records(evidence.after).all(PAGES) if row.get("sobjectType") == case["object"]]
    yield fact("page", 0.2, bool(pages))
    rules = [rule for item, rule in _rules(first(pages)) if _field(item) == case["field"]]
    one = (rules[0].get("criteria") or [{}])[0] if rules else {}
    yield fact("rule", 0.2, bool(rules))
    yield fact("left", 0.2, one.get("leftValue") == f"{{!Record.{case['by']}}}")
    yield fact("operator", 0.2, one.get("operator") == case["operator"])
    yield fact("right", 0.2, one.get("rightValue") == case["value"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Edit the page of any record, upgrade its details, add the filter, save and activate."""
    await open_list(pilot, case["plural"], case["list"])
    await pilot.click("#main >> tbody th a >> nth=0")
    await choose_in_menu(pilot, "Setup", "Edit Page", "")
    if await pilot.sees(named("tab", "Details", ".builder-canvas")):
        await pilot.click(named("tab", "Details", ".builder-canvas"))
    await press(pilot, "Record Detail", ".builder-canvas")
    await press(pilot, "Upgrade Now", _RIGHT)
    await press(pilot, "Finish")
    await press(pilot, case["field_label"], ".builder-canvas")
    await press(pilot, "Add Filter", _RIGHT)
    await choose_far(pilot, "Field", case["by_label"], _RIGHT)
    await choose(pilot, "Operator", OPERATORS[case["operator"]], _RIGHT)
    await _enter_value(pilot, case["value"])
    await press(pilot, "Done", _RIGHT)
    await press(pilot, "Save", ".builder-tools")
    if case.values.get("activate", True):
        await press(pilot, "Activate")
        await press(pilot, "Assign as Org Default")


async def _enter_value(pilot: Pilot, value: str) -> None:
    if await pilot.sees(named("combobox", "Value", _RIGHT)):
        await choose(pilot, "Value", value.capitalize() if value in ("true", "false") else value, _RIGHT)
    else:
        await pilot.fill(named("textbox", "Value", _RIGHT), value)


@slip("milestone:operator")
def compared_the_other_way(case: Case) -> Case:
    """The field is shown exactly when it should be hidden."""
    return misread(case, operator="NE")


@slip("milestone:active")
def left_it_inactive(case: Case) -> Case:
    """The page is saved and shown to nobody."""
    return misread(case, activate=False)


@slip("milestone:rule")
def hid_another_field(case: Case) -> Case:
    """The filter is on a neighbour."""
    return misread(case, field=case["other_field"], field_label=case["other_label"])
