"""Page Layout Assignment in Object Manager: which layout of an object each profile gives to records of each type."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from starlette.responses import Response

from salesforce_org import record_types
from salesforce_org.metadata.profiles import Profiles, label_of, layout_for, layouts_of
from salesforce_org.metadata.visibility import lay_out
from salesforce_org.record_types import full_name_of
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.objects.manager import MANAGER, address, object_of


@MANAGER.get("/{object}/layouts/assign")
def ask_layouts(page: SetupVisit) -> Response:
    """Show which layout each profile gives to records of each type."""
    kind, org = object_of(page), page.org
    trees = {name: org.component("Profile", name) or {} for name, _ in profiles_named(page)["profiles"]}
    types = [
        (None, "Master"),
        *((full_name_of(row), row["Name"]) for row in record_types.types(org, kind.name)),
    ]
    given = {
        (name, of): layout_for(org, tree, kind.name, of) for name, tree in trees.items() for of, _ in types
    }
    names = [(name, layout_label(name)) for name in layouts_of(org, kind.name)]
    return page.render(
        "setup/layout_assignment.html",
        kind=kind,
        types=types,
        given=given,
        layouts=names,
        **profiles_named(page),
        back=address(kind, "RecordTypes"),
    )


@MANAGER.post("/{object}/layouts/assign")
def save_layouts(page: SetupVisit) -> Response:
    """Store which layout each profile gives to records of each type."""
    kind, org = object_of(page), page.org
    known = layouts_of(org, kind.name)
    if page.field("do") == "save":
        with org.transaction():
            for of in (None, *(full_name_of(row) for row in record_types.types(org, kind.name))):
                for name in Profiles().names(org):
                    if (layout := page.field(f"{name}:{of or ''}")) in known:
                        lay_out(org, name, kind.name, of, layout)
    return page.go(address(kind, "RecordTypes"))


def profiles_named(page: SetupVisit) -> dict[str, Any]:
    """Return the profiles as templates show them: full names and labels."""
    names = sorted(Profiles().names(page.org), key=lambda one: label_of(one).casefold())
    return {"profiles": [(name, label_of(name)) for name in names]}


def layout_label(name: str) -> str:
    """Return what a layout is called, by its full name."""
    return unquote(name.partition("-")[2])
