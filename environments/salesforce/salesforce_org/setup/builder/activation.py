"""Saving a page, and saying whom it is shown to: as the org's default for an object, or as that of some apps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from starlette.responses import Response

from salesforce_org import flexipages
from salesforce_org.metadata import components
from salesforce_org.metadata.objects import Objects
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.sources import nameless
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.apps import all_apps
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.builder.draft import Draft
from salesforce_org.setup.builder.pages import HOME, the_draft
from salesforce_org.store import Org
from salesforce_org.store.errors import OrgError

FACTORS = {"Large": "Desktop", "Small": "Phone"}


@address_of_page("POST", HOME + "/{token}/save")
def save(visit: Visit) -> Response:
    """Store the page; one that nobody sees yet can be activated right away."""
    draft = the_draft(visit)
    try:
        draft.save(visit.org)
    except OrgError as refused:
        return _dialog(visit, draft, "problem", problem=refused.message)
    return _dialog(visit, draft, "saved", assigned=flexipages.assigned(visit.org, draft.name))


@address_of_page("GET", HOME + "/{token}/upgrade")
def ask_upgrade(visit: Visit) -> Response:
    """Ask whose fields the new sections get."""
    return _dialog(visit, the_draft(visit), "upgrade")


@address_of_page("GET", HOME + "/{token}/activation")
def ask(visit: Visit) -> Response:
    """Show where the page is active, and where it may be."""
    draft = the_draft(visit)
    if not draft.saved or draft.dirty:
        return _dialog(visit, draft, "problem", problem="Save the page before you activate it.")
    if not draft.object:
        return _dialog(visit, draft, "problem", problem="This page can't be activated in your org.")
    return _activation(visit, draft)


@address_of_page("POST", HOME + "/{token}/activation")
def activate(visit: Visit) -> Response:
    """Assign the page, or take an assignment back."""
    draft = the_draft(visit)
    do, factors = visit.field("do"), visit.field("factors").split()
    if not draft.saved or not set(factors) <= FACTORS.keys():
        raise NotHere
    apps = [str(name) for name in visit.form.getlist("apps")]
    with visit.org.transaction():
        if do == "org":
            assign_object(visit.org, draft.object, draft.name, factors)
        elif do == "apps" and apps:
            for name in {app.name for app in all_apps(visit.org)} & set(apps):
                _assign_app(visit.org, name, draft.object, draft.name, factors)
        elif do == "remove":
            assign_object(visit.org, draft.object, draft.name, (), only=True)
            for app in all_apps(visit.org):
                _assign_app(visit.org, app.name, draft.object, draft.name, (), only=True)
        else:
            return _activation(visit, draft, "Select at least one app." if do == "apps" else "")
    return visit.go(f"{HOME}/{visit.params['token']}", "The page's assignments were saved.")


def _activation(visit: Visit, draft: Draft, problem: str = "") -> Response:
    return _dialog(
        visit,
        draft,
        "activation",
        problem=problem,
        assigned=flexipages.assigned(visit.org, draft.name),
        apps=all_apps(visit.org),
        kind=visit.org.schema[draft.object],
    )


def _dialog(visit: Visit, draft: Draft, which: str, **context: Any) -> Response:
    told = {"problem": "", **context}
    here = f"{HOME}/{visit.params['token']}"
    return visit.render(f"setup/builder/{which}.html", draft=draft, here=here, factors=FACTORS, **told)


def assign_object(org: Org, object: str, page: str, factors: Sequence[str], *, only: bool = False) -> None:
    """Show an object's records on a page, on some form factors; with `only` and none of them nowhere any more."""
    tree = dict(Objects().read(org, object) or {})
    kept = _without(tree.get("actionOverrides"), "", page, factors, only)
    made = [flexipages.override("", page, one) for one in factors]
    gone = {
        one["formFactor"]
        for one in tree.get("actionOverrides", ())
        if one not in kept and "formFactor" in one
    }
    back = [
        {"actionName": "View", "type": "Default", "formFactor": one} for one in sorted(gone - set(factors))
    ]
    told = sorted([*kept, *made, *back], key=lambda one: (one["actionName"], one.get("formFactor", "")))
    Objects().write(org, object, ordered("CustomObject", {**tree, "actionOverrides": told}))


def _assign_app(
    org: Org, app: str, object: str, page: str, factors: Sequence[str], *, only: bool = False
) -> None:
    type = TYPES["CustomApplication"]
    tree = nameless("CustomApplication", components.read(org, type, app) or {})
    kept = _without(tree.get("actionOverrides"), object, page, factors, only)
    tree["actionOverrides"] = [*kept, *(flexipages.override(object, page, one) for one in factors)]
    components.replace(org, type, app, {key: value for key, value in tree.items() if value != []})


def _without(
    found: Iterable[dict[str, Any]] | None, object: str, page: str, factors: Sequence[str], only: bool
) -> list[dict[str, Any]]:
    """Return overrides without those that are replaced: of the same form factors, or all of the page with `only`."""

    def stays(one: dict[str, Any]) -> bool:
        if one.get("actionName") != "View" or one.get("pageOrSobjectType", "") != object:
            return True
        return one.get("content") != page if only else one.get("formFactor") not in set(factors)

    return [one for one in found or () if stays(one)]
