"""Lightning pages (metadata type FlexiPage): what stands on one, who sees it, and which page shows a record.

A page has regions, each a list of items: components and fields. What a component holds, such as the columns of a field
section, are regions of the page, too (facets), named by its properties. Items are found by their identifier.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from salesforce_org.metadata.objects import Objects
from salesforce_org.pages.layout import Layout, Section
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.store import Org, SObject
from salesforce_org.store.org import Tree

KIND = "FlexiPage"
HIGHLIGHTS, PATH = "force:highlightsPanel", "runtime_sales_pathassistant:pathAssistant"
RELATED, ACTIVITIES = "force:relatedListContainer", "runtime_sales_activities:activityPanel"
DETAIL, SECTION, COLUMN = "force:detailPanel", "flexipage:fieldSection", "flexipage:column"
TABS, TAB, TEXT = "flexipage:tabset", "flexipage:tab", "flexipage:richText"
LABELS = {
    "force:accountSummary": "Account",
    ACTIVITIES: "Activities",
    SECTION: "Field Section",
    HIGHLIGHTS: "Highlights Panel",
    PATH: "Path",
    DETAIL: "Record Detail",
    RELATED: "Related Lists",
    TEXT: "Rich Text",
    TABS: "Tabs",
    TAB: "Tab",
    COLUMN: "Column",
}
TAB_TITLES = {
    "Standard.Tab.relatedLists": "Related",
    "Standard.Tab.detail": "Details",
    "Standard.Tab.activity": "Activity",
}
PALETTE = (ACTIVITIES, SECTION, HIGHLIGHTS, PATH, DETAIL, RELATED, TEXT)  # what can be put on a record's page
FACETS = ("tabs", "columns", "body")  # properties that name what a component holds
OPERATORS = {
    "EQUAL": "Equal",
    "NE": "Not Equal",
    "CONTAINS": "Contains",
    "GT": "Greater Than",
    "GE": "Greater Than or Equal",
    "LT": "Less Than",
    "LE": "Less Than or Equal",
}
_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "EQUAL": lambda one, other: one == other,
    "NE": lambda one, other: one != other,
    "GT": lambda one, other: one > other,
    "GE": lambda one, other: one >= other,
    "LT": lambda one, other: one < other,
    "LE": lambda one, other: one <= other,
}
FORM_FACTOR = "{!$Client.FormFactor}"
_NUMBERS = ("int", "double", "currency", "percent")


@dataclass(frozen=True, slots=True)
class Template:
    """An arrangement of regions; `columns` are those that stand side by side below the header."""

    name: str
    label: str
    type: str
    regions: tuple[str, ...]


TEMPLATES = (
    Template(
        "flexipage:recordHomeTemplateDesktop",
        "Header and Right Sidebar",
        "RecordPage",
        ("header", "main", "sidebar"),
    ),
    Template(
        "flexipage:recordHomeLeftSidebarTemplateDesktop",
        "Header and Left Sidebar",
        "RecordPage",
        ("header", "sidebar", "main"),
    ),
    Template("flexipage:recordHomeSingleColTemplateDesktop", "One Region", "RecordPage", ("main",)),
    Template("flexipage:defaultAppHomeTemplate", "One Region", "AppPage", ("main",)),
    Template("home:desktopTemplate", "Standard Home Page", "HomePage", ("top", "bottomLeft", "sidebar")),
)


def template_of(tree: Tree) -> Template:
    """Return the template of a page; one that is not known here shows the page's own regions."""
    name = tree["template"]["name"]
    regions = tuple(one["name"] for one in _regions(tree) if one["type"] == "Region")
    return next(
        (one for one in TEMPLATES if one.name == name),
        Template(name, name, str(tree["type"]), regions or ("main",)),
    )


# What stands where


def items(tree: Tree, region: str) -> list[Tree]:
    """Return the items of a region or facet."""
    return next((list(one.get("itemInstances") or ()) for one in _regions(tree) if one["name"] == region), [])


def inner(item: Tree) -> Tree:
    """Return the component or field of an item."""
    found: Tree = item.get("componentInstance") or item.get("fieldInstance") or {}
    return found


def identifier(item: Tree) -> str:
    """Return by what an item is found."""
    one = inner(item)
    return str(one.get("identifier") or one.get("fieldItem") or one.get("componentName") or "")


def facets(item: Tree) -> dict[str, str]:
    """Return the facets of a component by property."""
    return {one: name for one in FACETS if (name := prop(item, one))}


def prop(item: Tree, name: str) -> str:
    """Return a property of a component or field; empty where it has none."""
    for key in ("componentInstanceProperties", "fieldInstanceProperties"):
        for one in inner(item).get(key) or ():
            if one.get("name") == name:
                return str(one.get("value") or "")
    return ""


def walk(tree: Tree, only: Callable[[Tree], bool] = lambda item: True, within: str = "") -> Iterator[Tree]:
    """Yield the items of one region or all in the order in which they stand.

    What `only` refuses is left out with all that it holds.
    """

    def below(region: str, above: frozenset[str]) -> Iterator[Tree]:
        for item in items(tree, region):
            if only(item):
                yield item
                for facet in facets(item).values():
                    if facet not in above:
                        yield from below(facet, above | {facet})

    for region in _regions(tree):
        if region["type"] == "Region" and within in ("", region["name"]):
            yield from below(region["name"], frozenset({region["name"]}))


def find(tree: Tree, wanted: str) -> Tree | None:
    """Return the item of an identifier."""
    return next((item for item in walk(tree) if identifier(item) == wanted), None)


def _regions(tree: Tree) -> list[dict[str, Any]]:
    return list(tree.get("flexiPageRegions") or ())


# Making and changing pages; each returns another tree


def component(name: str, id: str, **properties: str) -> dict[str, Any]:
    """Return an item that is a component."""
    told = [{"name": key, "value": value} for key, value in properties.items()]
    more = {"componentInstanceProperties": told} if told else {}
    return {"componentInstance": {**more, "componentName": name, "identifier": id}}


def field_item(name: str, behavior: str = "none") -> dict[str, Any]:
    """Return an item that is a field of the page's object."""
    told = [{"name": "uiBehavior", "value": behavior}]
    id = f"Record{name.replace('.', '_')}Field"
    return {
        "fieldInstance": {"fieldInstanceProperties": told, "fieldItem": f"Record.{name}", "identifier": id}
    }


def new_page(label: str, template: Template, object: str = "") -> dict[str, Any]:
    """Return a page with empty regions."""
    regions = [{"name": name, "type": "Region"} for name in template.regions]
    about = {"sobjectType": object} if object else {}
    kind = {"template": {"name": template.name}, "type": template.type}
    return {"flexiPageRegions": regions, "masterLabel": label, **about, **kind}


def record_page(layout: Layout) -> dict[str, Any]:
    """Return the page that Salesforce has for records of an object until somebody makes another."""
    kind = layout.object
    tree = new_page(f"{kind.label} Record Page", TEMPLATES[0], kind.name)
    tree = add(tree, "header", component(HIGHLIGHTS, "force_highlightsPanel"))
    if layout.path:
        tree = add(tree, "header", component(PATH, "runtime_sales_pathassistant_pathAssistant"))
    tabs = [("relatedListsTab", "Standard.Tab.relatedLists", RELATED)] if layout.related else []
    details = ("detailTab", "Standard.Tab.detail", DETAIL)
    tree = _tabset(tree, "main", [*tabs, details] if layout.first == "related" else [details, *tabs])
    if layout.activity:
        tree = _tabset(tree, "sidebar", [("activityTab", "Standard.Tab.activity", ACTIVITIES)])
    return tree


def upgraded(tree: Tree, layout: Layout) -> dict[str, Any]:
    """Return the page with the fields of a layout in field sections, in place of the record's details."""
    detail = next(item for item in walk(tree) if inner(item).get("componentName") == DETAIL)
    region, at = place(tree, identifier(detail))
    tree = remove(tree, identifier(detail))
    for section in layout.sections:
        columns = [[*section.left, *section.wide], list(section.right)]
        tree, made = with_section(
            tree, section.title, [column for column in columns if column or not columns[0]]
        )
        tree, at = add(tree, region, made, at), at + 1
    return tree


def with_section(
    tree: Tree, title: str, columns: Iterable[Iterable[str]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the page with the facets of a new field section, and the section, which stands nowhere yet."""
    id = unused(tree, "flexipage_fieldSection")
    whole = _facet_name(id)
    tree = _with_facet(tree, whole)
    for number, names in enumerate(columns, 1):
        body = _facet_name(f"{id}_column{number}")
        tree = _with_facet(tree, body)
        for name in names:
            if "." not in name:
                made = field_item(name)
                made["fieldInstance"]["identifier"] = unused(tree, made["fieldInstance"]["identifier"])
                tree = add(tree, body, made)
        tree = add(tree, whole, component(COLUMN, f"{id}_column{number}", body=body))
    return tree, component(SECTION, id, columns=whole, label=title, horizontalAlignment="false")


def add(tree: Tree, region: str, item: Tree, at: int | None = None) -> dict[str, Any]:
    """Return the page with an item in a region; without `at` behind all others."""
    found = items(tree, region)
    found.insert(len(found) if at is None else at, item)
    return _with_items(tree, region, found)


def remove(tree: Tree, wanted: str) -> dict[str, Any]:
    """Return the page without an item and all that it holds."""
    item = find(tree, wanted)
    assert item is not None, wanted
    for facet in facets(item).values():
        for one in items(tree, facet):
            tree = remove(tree, identifier(one))
        tree = {**tree, "flexiPageRegions": [one for one in _regions(tree) if one["name"] != facet]}
    region, _ = place(tree, wanted)
    return _with_items(tree, region, [one for one in items(tree, region) if identifier(one) != wanted])


def move(tree: Tree, wanted: str, region: str, at: int) -> dict[str, Any]:
    """Return the page with an item at another place; `at` counts the items that stand there now."""
    item = find(tree, wanted)
    assert item is not None, wanted
    was, place_now = place(tree, wanted)
    tree = _with_items(tree, was, [one for one in items(tree, was) if identifier(one) != wanted])
    return add(tree, region, item, at - (was == region and place_now < at))


def changed(tree: Tree, wanted: str, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return the page with a component or field that a function has changed."""
    region, at = place(tree, wanted)
    found = copy.deepcopy(items(tree, region))
    one: dict[str, Any] = next(iter(dict(found[at]).values()))
    change(one)
    return _with_items(tree, region, found)


def set_prop(one: dict[str, Any], name: str, value: str) -> None:
    """Set a property of a component or field."""
    key = "fieldInstanceProperties" if "fieldItem" in one else "componentInstanceProperties"
    kept = [each for each in one.get(key) or () if each.get("name") != name]
    one[key] = [*kept, {"name": name, "value": value}]


def place(tree: Tree, wanted: str) -> tuple[str, int]:
    """Return the region of an item, and how many stand before it."""
    return next(
        (region["name"], at)
        for region in _regions(tree)
        for at, item in enumerate(region.get("itemInstances") or ())
        if identifier(item) == wanted
    )


def unused(tree: Tree, id: str) -> str:
    """Return an identifier that no item has, made of one that may be taken."""
    taken = {identifier(one) for region in _regions(tree) for one in region.get("itemInstances") or ()}
    taken |= {str(one["name"]) for one in _regions(tree)}
    names = (id if number == 1 else f"{id}{number}" for number in range(1, 1000))
    return next(name for name in names if name not in taken and _facet_name(name) not in taken)


def _tabset(tree: Tree, region: str, tabs: list[tuple[str, str, str]]) -> dict[str, Any]:
    id = unused(tree, "flexipage_tabset")
    whole = _facet_name(id)
    made: dict[str, Any] = _with_facet(tree, whole)
    for name, title, content in tabs:
        body = _facet_name(f"{id}_{name}")
        made = add(_with_facet(made, body), body, component(content, content.replace(":", "_")))
        made = add(made, whole, component(TAB, name, body=body, title=title))
    return add(made, region, component(TABS, id, tabs=whole))


def _facet_name(id: str) -> str:
    return f"Facet-{uuid5(NAMESPACE_URL, id)}"


def _with_facet(tree: Tree, name: str) -> dict[str, Any]:
    return {**tree, "flexiPageRegions": [*_regions(tree), {"name": name, "type": "Facet"}]}


def _with_items(tree: Tree, region: str, found: list[Tree]) -> dict[str, Any]:
    def other(one: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in one.items() if key != "itemInstances"}
        return ({"itemInstances": found} | kept) if found else kept

    return {
        **tree,
        "flexiPageRegions": [other(one) if one["name"] == region else one for one in _regions(tree)],
    }


# Who sees what


def visible(org: Org, kind: SObject, row: Mapping[str, Any], item: Tree) -> bool:
    """Whether a component or field is shown with a record, on a desktop."""
    rule = inner(item).get("visibilityRule") or {}
    tests = [_met(org, kind, row, one) for one in rule.get("criteria") or ()]
    if not tests:
        return True
    try:
        combine = parsed(rule["booleanFilter"], len(tests)) if rule.get("booleanFilter") else None
    except LogicError:
        return False
    return combine(lambda number: tests[number - 1]) if combine else all(tests)


def _met(org: Org, kind: SObject, row: Mapping[str, Any], one: Tree) -> bool:
    left, operator, right = one["leftValue"], one["operator"], str(one.get("rightValue") or "")
    if left == FORM_FACTOR:
        return bool(_COMPARED[operator]("large", right.casefold()))
    field = kind.field(left.removeprefix("{!Record.").removesuffix("}"))
    if field is None:
        return False
    value = org.value(kind, row, field)
    if operator == "CONTAINS":
        return right.casefold() in str(value or "").casefold()
    if field.type == "boolean":
        return bool(_COMPARED[operator](bool(value), right.casefold() == "true"))
    if field.type in _NUMBERS:
        return _numbers(operator, value, right)
    return bool(_COMPARED[operator](str(value or "").casefold(), right.casefold()))


def _numbers(operator: str, value: Any, right: str) -> bool:
    try:
        wanted = Decimal(right.replace(",", "")) if right else None
    except InvalidOperation:
        return False
    if value is None or wanted is None:
        return operator in ("EQUAL", "NE") and ((value is None) == (wanted is None)) == (operator == "EQUAL")
    return bool(_COMPARED[operator](Decimal(str(value)), wanted))


# Which page shows a record


def active(org: Org, object: str, app: str) -> str | None:
    """Return the name of the page that shows an object's records in an app on a desktop; None for Salesforce's own."""
    found = _override(org.component("CustomApplication", app) or {}, object)
    found = found or _override(Objects().read(org, object) or {}, "")
    return found if found and org.component(KIND, found) else None


def assigned(org: Org, page: str) -> list[tuple[str, str]]:
    """Return where a page is active: pairs of an object or app, and the form factor."""
    objects = ((name, Objects().read(org, name)) for name in Objects().names(org))
    found = [(name, tree) for name, tree in (*objects, *org.components("CustomApplication").items()) if tree]
    uses = ((name, one) for name, tree in found for one in _overrides(tree))
    return [(name, str(one.get("formFactor"))) for name, one in uses if one.get("content") == page]


def override(object: str, page: str, factor: str) -> dict[str, Any]:
    """Return the entry that makes a page show records; `object` only where it is an app's."""
    made = {"actionName": "View", "content": page, "formFactor": factor, "skipRecordTypeSelect": False}
    return {**made, "type": "Flexipage", **({"pageOrSobjectType": object} if object else {})}


def _overrides(tree: Tree) -> list[Tree]:
    found = tree.get("actionOverrides") or []
    return [one for one in found if one.get("actionName") == "View" and one.get("type") == "Flexipage"]


def _override(tree: Tree, object: str) -> str | None:
    found = (one for one in _overrides(tree) if one.get("formFactor") == "Large")
    return next((str(one["content"]) for one in found if one.get("pageOrSobjectType", "") == object), None)


@dataclass(frozen=True, slots=True)
class Parts:
    """What a page shows of a record.

    Attributes:
        components: Names of the components.
        sections: The field sections with their visible fields; `behaviors` says which are `required` or `readonly`.
        texts: The rich texts of each region, as HTML that is not cleaned; those of `main` above its other components.
    """

    components: frozenset[str]
    sections: tuple[Section, ...]
    behaviors: Mapping[str, str]
    texts: Mapping[str, tuple[str, ...]]


def shown_parts(org: Org, kind: SObject, row: Mapping[str, Any], page: str) -> Parts:
    """Return what a page shows of a record."""
    tree = org.component(KIND, page) or {}
    found = list(walk(tree, lambda item: visible(org, kind, row, item)))
    names = frozenset(str(inner(item).get("componentName", "")) for item in found)
    behaviors = {_field(item): prop(item, "uiBehavior") for item in found if "fieldInstance" in item}
    return Parts(names, _sections(tree, found), behaviors, _texts(org, kind, row, tree))


def _texts(org: Org, kind: SObject, row: Mapping[str, Any], tree: Tree) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for region in _regions(tree):
        if region["type"] == "Region":
            shown = walk(tree, lambda item: visible(org, kind, row, item), region["name"])
            texts = (
                prop(item, "richTextValue") for item in shown if inner(item).get("componentName") == TEXT
            )
            found[str(region["name"])] = tuple(text for text in texts if text)
    return found


def _sections(tree: Tree, found: list[Tree]) -> tuple[Section, ...]:
    sections = []
    for item in found:
        if inner(item).get("componentName") == SECTION:
            columns = [
                tuple(_field(one) for one in _fields(tree, found, column))
                for column in items(tree, facets(item).get("columns", ""))
                if column in found
            ]
            left, right = (*columns, (), ())[:2] if len(columns) > 1 else ((), ())
            wide = columns[0] if len(columns) == 1 else tuple(name for more in columns[2:] for name in more)
            if left or right or wide:
                sections.append(Section(prop(item, "label"), left, right, wide))
    return tuple(sections)


def _field(item: Tree) -> str:
    return str(inner(item)["fieldItem"]).removeprefix("Record.")


def _fields(tree: Tree, found: list[Tree], column: Tree) -> Iterator[Tree]:
    inside = items(tree, facets(column).get("body", ""))
    return (one for one in inside if "fieldInstance" in one and one in found)
