"""The builder's own screen: components at the left, the page in the middle, properties of the selected at the right.

Everything that is done in it is posted to the draft's address with `do`, and the whole screen is drawn anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.responses import Response

from salesforce_org import flexipages
from salesforce_org.metadata.listing import identity
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages import fields
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.shell import Shell
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.builder import draft as drafts
from salesforce_org.setup.builder.draft import Draft
from salesforce_org.store import SObject
from salesforce_org.store.errors import OrgError

HOME = "/visualEditor/appBuilder.app"
LIST = "/lightning/setup/FlexiPageList/home"
BEHAVIORS = (("none", "None"), ("readonly", "Read-Only"), ("required", "Required"))
Deed = Callable[[Visit, Draft], None]


def address(visit: Visit, name: str) -> str:
    """Return where a stored page is built."""
    return f"{HOME}?pageId={identity(visit.org, TYPES[flexipages.KIND], name)}"


def begin(visit: Visit, made: Draft) -> str:
    """Keep a draft with the browser and return its address."""
    assert visit.login is not None
    token = str(1 + sum(key.startswith(HOME) for key in visit.login.drafts))
    visit.login.drafts[f"{HOME}/{token}"] = made
    return f"{HOME}/{token}"


@address_of_page("GET", HOME)
def open_page(visit: Visit) -> Response:
    """Begin to build the page of an id, or the one that shows a record."""
    if record := visit.query.get("recordId"):
        try:
            kind, row = visit.org.record(record)
        except OrgError:
            raise NotHere from None
        name = flexipages.active(visit.org, kind.name, Shell(visit).app.name)
        origin = record_href(kind.name, row["Id"])
        if name is None:
            begun = flexipages.record_page(layout_of(kind))
            made = Draft(drafts.free_name(visit.org, begun["masterLabel"]), begun, False, origin)
            return visit.go(begin(visit, made))
    else:
        origin, wanted = LIST, visit.query.get("pageId", "")
        type = TYPES[flexipages.KIND]
        names = (
            one for one in visit.org.components(flexipages.KIND) if identity(visit.org, type, one) == wanted
        )
        name = next(names, None)
    tree = visit.org.component(flexipages.KIND, name) if name else None
    if name is None or tree is None:
        raise NotHere
    return visit.go(begin(visit, Draft(name, dict(tree), True, origin)))


@address_of_page("GET", HOME + "/{token}")
def show(visit: Visit) -> Response:
    """Show the builder."""
    return _screen(visit, the_draft(visit), "setup/builder/page.html")


@address_of_page("POST", HOME + "/{token}")
def work(visit: Visit) -> Response:
    """Do something to the draft."""
    draft = the_draft(visit)
    draft.problem = ""
    deed = _DEEDS.get(visit.field("do"))
    if deed is None:
        raise NotHere
    deed(visit, draft)
    return _screen(visit, draft, "setup/builder/body.html")


def the_draft(visit: Visit) -> Draft:
    """Return the draft that the address names.

    Raises:
        NotHere: There is none, or no longer.
    """
    assert visit.login is not None
    found = visit.login.drafts.get(f"{HOME}/{visit.params['token']}")
    if not isinstance(found, Draft):
        raise NotHere
    return found


def _screen(visit: Visit, draft: Draft, template: str) -> Response:
    org, search = visit.org, visit.field("search") or visit.query.get("search", "")
    item = draft.item
    one = flexipages.inner(item) if item else {}
    criteria, logic = drafts.rule(draft) if item else ([], "")
    kind = org.schema.get(draft.object) if draft.object else None
    left = visit.field("field")
    context: dict[str, Any] = {
        "draft": draft,
        "here": f"{HOME}/{visit.params['token']}",
        "arrangement": flexipages.template_of(draft.tree),
        "flexi": flexipages,
        "kind": kind,
        "palette": [(name, flexipages.LABELS[name]) for name in _palette(draft)],
        "fields": drafts.offered_fields(org, draft, search) if kind and draft.panel == "fields" else [],
        "search": search,
        "label_of": lambda name: fields.label(draft.layout(org), name) if kind else name,
        "one": one,
        "prop": (lambda name: flexipages.prop(item, name)) if item else (lambda name: ""),
        "behaviors": BEHAVIORS,
        "criteria": [(number, drafts.said(org, draft, each)) for number, each in enumerate(criteria)],
        "logic": logic,
        "any": drafts.any_of(len(criteria)),
        "choices": _choices(visit, kind, left),
        "filter": _filter(visit, draft) if visit.field("do") in ("filter", "field", "done") else None,
        "filter_fields": drafts.filter_fields(org, draft) if kind else [],
        "operators": drafts.operators(kind, left),
        "assigned": flexipages.assigned(org, draft.name) if draft.saved else [],
        "upgradable": kind is not None,
    }
    return visit.render(template, **context)


def _palette(draft: Draft) -> tuple[str, ...]:
    return flexipages.PALETTE if draft.object else (flexipages.TEXT,)


def _filter(visit: Visit, draft: Draft) -> dict[str, str] | None:
    """Return what the open filter form holds; None once it was taken."""
    if visit.field("do") == "done" and not draft.problem:
        return None
    names = ("number", "kind", "field", "operator", "value")
    return {name: visit.field(name) for name in names}


def _choices(visit: Visit, kind: SObject | None, name: str) -> list[tuple[str, str]]:
    """Return the values that a filter on a field, or on the device, can be compared with; none for any text."""
    if visit.field("kind") == "device":
        return [("Large", "Desktop"), ("Small", "Phone")]
    one = kind.field(name) if kind else None
    if one is None:
        return []
    if one.type == "boolean":
        return [("true", "True"), ("false", "False")]
    return (
        [(entry.value, entry.label) for entry in visit.org.picklist(one) if entry.active]
        if one.type == "picklist"
        else []
    )


# What can be done


def _select(visit: Visit, draft: Draft) -> None:
    draft.selected = visit.field("item")
    if draft.item is None:
        draft.selected = ""


def _tab(visit: Visit, draft: Draft) -> None:
    draft.open[visit.field("item")] = visit.field("tab")
    draft.selected = visit.field("item")


def _panel(visit: Visit, draft: Draft) -> None:
    draft.panel = "fields" if visit.field("panel") == "fields" and draft.object else "components"


def _set(visit: Visit, draft: Draft) -> None:
    name, value = visit.field("name"), visit.field("value")
    if draft.item:
        draft.change(lambda one: flexipages.set_prop(one, name, value))
    elif name in ("masterLabel", "description"):
        draft.become(
            {**draft.tree, name: value} if value or name == "masterLabel" else _without(draft.tree, name)
        )
    elif name == "name" and not draft.saved:
        draft.name = value


def _without(tree: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in tree.items() if key != name}


def _add(visit: Visit, draft: Draft) -> None:
    """Put a component or field at a place; without a place below the selected item, or at the end of the page."""
    what, name = visit.field("what"), visit.field("name")
    region, at = _place(visit, draft, what)
    tree: dict[str, Any] = draft.tree
    if what == "field" and name in dict(drafts.offered_fields(visit.org, draft)):
        item = flexipages.field_item(name)
        item["fieldInstance"]["identifier"] = flexipages.unused(tree, flexipages.identifier(item))
    elif what == "component" and name == flexipages.SECTION:
        tree, item = flexipages.with_section(tree, "Section", [(), ()])
    elif what == "component" and name in _palette(draft):
        item = flexipages.component(name, flexipages.unused(tree, name.replace(":", "_")))
    else:
        raise NotHere
    if not region:
        draft.problem = "Fields go into field sections: add a Field Section first, or upgrade Record Detail."
        return
    draft.become(flexipages.add(tree, region, item, at))
    draft.selected = flexipages.identifier(item)


def _place(visit: Visit, draft: Draft, what: str) -> tuple[str, int | None]:
    region, at = visit.field("region"), visit.field("at")
    bodies = _column_bodies(draft)
    if region:
        return (region if (region in bodies) == (what == "field") else ""), int(
            at
        ) if at.isdecimal() else None
    if draft.item:
        here, number = flexipages.place(draft.tree, draft.selected)
        if (here in bodies) == (what == "field"):
            return here, number + 1
    if what == "field":
        return next(iter(bodies), ""), None
    regions = flexipages.template_of(draft.tree).regions
    return ("main" if "main" in regions else regions[0]), None


def _column_bodies(draft: Draft) -> list[str]:
    """Return the facets that hold fields."""
    columns = (
        one
        for one in flexipages.walk(draft.tree)
        if flexipages.inner(one).get("componentName") == flexipages.COLUMN
    )
    return [flexipages.facets(one)["body"] for one in columns]


def _remove(visit: Visit, draft: Draft) -> None:
    wanted = visit.field("item") or draft.selected
    if flexipages.find(draft.tree, wanted):
        draft.become(flexipages.remove(draft.tree, wanted))


def _move(visit: Visit, draft: Draft) -> None:
    item = flexipages.find(draft.tree, visit.field("item"))
    if item is None:
        return
    region, at = _place(visit, draft, "field" if "fieldInstance" in item else "component")
    without = flexipages.remove(draft.tree, visit.field("item"))  # a component cannot be put into itself
    if region in {one["name"] for one in without["flexiPageRegions"]}:
        draft.become(
            flexipages.move(draft.tree, visit.field("item"), region, at if at is not None else 10**6)
        )
        draft.selected = visit.field("item")


def _step(visit: Visit, draft: Draft) -> None:
    """Move the selected item by one place among its neighbours."""
    if draft.item is None:
        return
    region, at = flexipages.place(draft.tree, draft.selected)
    there = at - 1 if visit.field("way") == "up" else at + 2
    if 0 <= there <= len(flexipages.items(draft.tree, region)):
        draft.become(flexipages.move(draft.tree, draft.selected, region, there))


def _upgrade(visit: Visit, draft: Draft) -> None:
    draft.become(flexipages.upgraded(draft.tree, draft.layout(visit.org)))


def _done(visit: Visit, draft: Draft) -> None:
    """Take a filter into the rule of the selected item."""
    criteria, logic = drafts.rule(draft)
    field, operator, value = visit.field("field"), visit.field("operator"), visit.field("value")
    device = visit.field("kind") == "device"
    kind = visit.org.schema.get(draft.object)
    one = None if device else kind.field(field) if kind else None
    offered = dict(drafts.operators(kind, "" if device else field))
    if not device and one is None:
        draft.problem = "Select a field."
    elif operator not in offered:
        draft.problem = "Select an operator."
    elif not value:
        draft.problem = "Enter a value."
    elif not device and one is not None and (problem := _unfit(one.type, value)):
        draft.problem = problem
    else:
        left = flexipages.FORM_FACTOR if device else f"{{!Record.{field}}}"
        made = {"leftValue": left, "operator": operator, "rightValue": value}
        number = visit.field("number")
        if number.isdecimal() and int(number) < len(criteria):
            criteria[int(number)] = made
        else:
            was_any = bool(logic) and logic == drafts.any_of(len(criteria))
            criteria.append(made)
            logic = drafts.any_of(len(criteria)) if was_any else ""
        drafts.set_rule(draft, criteria, logic)


def _unfit(type: str, value: str) -> str:
    if type in ("int", "double", "currency", "percent") and not _is_number(value):
        return "Enter a number."
    if type == "boolean" and value not in ("true", "false"):
        return "Select True or False."
    return ""


def _is_number(text: str) -> bool:
    plain = text.removeprefix("-").replace(".", "", 1)
    return plain.isascii() and plain.isdigit()


def _forget(visit: Visit, draft: Draft) -> None:
    criteria, logic = drafts.rule(draft)
    number = visit.field("number")
    if number.isdecimal() and int(number) < len(criteria):
        was_any = bool(logic) and logic == drafts.any_of(len(criteria))
        del criteria[int(number)]
        drafts.set_rule(
            draft, criteria, drafts.any_of(len(criteria)) if was_any and len(criteria) > 1 else ""
        )


def _combine(visit: Visit, draft: Draft) -> None:
    criteria, _ = drafts.rule(draft)
    way, logic = visit.field("way"), visit.field("logic")
    if way == "any":
        logic = drafts.any_of(len(criteria))
    elif way != "logic":
        logic = ""
    else:
        logic = logic or " AND ".join(str(number) for number in range(1, len(criteria) + 1))
    try:
        if logic:
            parsed(logic, len(criteria))
    except LogicError as problem:
        draft.problem = str(problem)
    else:
        drafts.set_rule(draft, criteria, logic)


_DEEDS: dict[str, Deed] = {
    "select": _select,
    "tab": _tab,
    "panel": _panel,
    "set": _set,
    "add": _add,
    "remove": _remove,
    "move": _move,
    "step": _step,
    "upgrade": _upgrade,
    "done": _done,
    "forget": _forget,
    "combine": _combine,
    "undo": lambda visit, draft: draft.undo(),
    "redo": lambda visit, draft: draft.redo(),
    **dict.fromkeys(("filter", "field", "search", "cancel"), lambda visit, draft: None),
}
