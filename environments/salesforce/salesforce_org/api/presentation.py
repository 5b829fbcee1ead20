"""What tools ask for to draw a page of their own: tabs, apps, theme, quick actions and rules."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.call import Call, Reply
from salesforce_org.api.layouts import layouts
from salesforce_org.api.objects import object_named
from salesforce_org.api.routing import resource
from salesforce_org.metadata import components, listing
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages import apps
from salesforce_org.pages.layout import layout_of
from salesforce_org.store import Org
from salesforce_org.store.errors import NotThere

_COLOR = "747474"


@resource("GET", "/tabs")
def tabs(call: Call) -> Reply:
    """List the tabs of the app that is open first."""
    return Reply(next(one["tabs"] for one in tab_sets(call.org, call.origin) if one["selected"]))


@resource("GET", "/theme")
def theme(call: Call) -> Reply:
    """Tell icons and colors of all objects that have a tab."""
    kinds = [one for one in call.org.schema.objects.values() if layout_of(one).tab]
    return Reply(
        {"themeItems": [{"name": one.name, **_drawn(layout_of(one).icon, call.origin)} for one in kinds]}
    )


@resource("GET", "/appMenu/AppSwitcher")
@resource("GET", "/appMenu/Salesforce1")
def app_menu(call: Call) -> Reply:
    """List the apps, or for the phone their tabs."""
    if call.path.endswith("AppSwitcher"):
        items = [_menu_item("TabSet", one.name, one.label, one.href) for one in apps.all_apps(call.org)]
    else:
        items = [
            _menu_item("Tab.apexPage", one.name, one.label, one.href) for one in apps.all_items(call.org)
        ]
    return Reply({"appMenuItems": items})


@resource("GET", "/quickActions")
def global_actions(call: Call) -> Reply:
    """List the quick actions that belong to no object."""
    return Reply(_actions(call, ""))


@resource("GET", "/sobjects/{object}/quickActions")
def object_actions(call: Call) -> Reply:
    """List the quick actions of an object and the global ones."""
    kind = object_named(call.org, call.params["object"])
    return Reply([*_actions(call, kind.name), *_actions(call, "")])


@resource("GET", "/quickActions/{name}")
@resource("GET", "/quickActions/{name}/describe")
@resource("GET", "/sobjects/{object}/quickActions/{name}")
@resource("GET", "/sobjects/{object}/quickActions/{name}/describe")
def one_action(call: Call) -> Reply:
    """Describe a quick action."""
    object, name = call.params.get("object", ""), call.params["name"]
    full = name if "." in name or not object else f"{object}.{name}"
    tree = components.read(call.org, TYPES["QuickAction"], full) or components.read(
        call.org, TYPES["QuickAction"], name
    )
    if tree is None:
        raise NotThere
    target = call.org.schema.get(str(tree.get("targetObject") or object))
    told = {
        "name": full,
        "label": tree.get("label") or name,
        "type": tree.get("type"),
        "contextSobjectType": object or None,
    }
    told |= {"targetSobjectType": target.name if target else None, "targetRecordTypeId": None}
    return Reply({**told, "layout": layouts(call.org, target, call.root)["layouts"][0] if target else None})


@resource("GET", "/process/rules")
@resource("GET", "/process/rules/{object}")
def rules(call: Call) -> Reply:
    """List the active workflow rules by object."""
    found = listed_by_object(call.org, "WorkflowRule")
    return Reply(
        {"rules": {name: one for name, one in found.items() if call.params.get("object") in (None, name)}}
    )


def listed_by_object(org: Org, kind: str) -> dict[str, list[dict[str, Any]]]:
    """Return the active components of a type as the process resources list them, by object."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in components.names(org, TYPES[kind]):
        tree = components.read(org, TYPES[kind], name) or {}
        if tree.get("active"):
            object, _, own = name.partition(".")
            told = {"description": tree.get("description"), "id": listing.identity(org, TYPES[kind], name)}
            told |= {
                "name": tree.get("label") or own,
                "object": object,
                "sortOrder": len(found.get(object, ())) + 1,
            }
            found.setdefault(object, []).append(told)
    return found


def tab_sets(org: Org, origin: str) -> list[dict[str, Any]]:
    """Describe the apps and their tabs, the one that is open first selected."""
    known = apps.all_apps(org)
    first = apps.first(known)
    return [
        {
            "description": one.description,
            "label": one.label,
            "logoUrl": f"{origin}/static/icon.svg",
            "namespace": None,
            "selected": one is first,
            "tabSetId": one.name,
            "tabs": [_tab(org, name, origin) for name in one.tabs],
        }
        for one in known
    ]


def _tab(org: Org, name: str, origin: str) -> dict[str, Any]:
    one = apps.tab(org, name)
    return {
        "custom": name.endswith("__c"),
        "label": one.label,
        "name": name,
        "sobjectName": one.object or None,
        "url": f"{origin}{one.href}",
        **_drawn(one.icon, origin),
    }


def _drawn(icon: str, origin: str) -> dict[str, Any]:
    set, _, name = icon.partition(":")
    url = f"{origin}/static/vendor/{set}-sprite.svg#{name}"
    icons = [{"contentType": "image/svg+xml", "height": 0, "theme": "theme4", "url": url, "width": 0}]
    colors = [{"color": _COLOR, "context": "primary", "theme": "theme4"}]
    return {"colors": colors, "iconUrl": url, "icons": icons}


def _menu_item(type: str, name: str, label: str, url: str) -> dict[str, Any]:
    return {
        "type": type,
        "content": None,
        "icons": None,
        "colors": None,
        "label": label,
        "name": name,
        "url": url,
    }


def _actions(call: Call, object: str) -> list[dict[str, Any]]:
    found = []
    for name in components.names(call.org, TYPES["QuickAction"]):
        owner, _, own = name.rpartition(".")
        if owner == object:
            tree = components.read(call.org, TYPES["QuickAction"], name) or {}
            start = f"{call.root}/sobjects/{object}" if object else call.root
            url = f"{start}/quickActions/{own}"
            urls = {
                "quickAction": url,
                "describe": f"{url}/describe",
                "defaultValues": f"{url}/defaultValues",
            }
            found.append(
                {"label": tree.get("label") or own, "name": name, "type": tree.get("type"), "urls": urls}
            )
    return found
