"""The formula editor of Setup: what it offers about an object, and how it checks and looks up names.

A form has it as an `Input` of kind `formula` whose `editor` is made by `editor`; two addresses answer its script.
"""

from __future__ import annotations

from starlette.responses import Response

from salesforce_org.formulas import FormulaError, Use, record_formula
from salesforce_org.formulas.values import TEXT, TEXTS, type_of
from salesforce_org.metadata.definitions import TYPES
from salesforce_org.pages.formulas import Editor, Entry, functions_for
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.objects.manager import MANAGER, object_of
from salesforce_org.store import Field, SObject

_GLOBALS = {"$User": "User", "$Profile": "Profile", "$UserRole": "UserRole", "$Organization": "Organization"}
_PLAIN = {"$System": ("OriginDateTime",), "$Api": ("Partner_Server_URL_620", "Enterprise_Server_URL_620")}
_OWN = "."


def editor(page: SetupVisit, use: Use, type: str = "") -> Editor:
    """Return an editor of formulas about the object of the address.

    Args:
        type: The type that the formula's value must have, as metadata calls types of fields.
    """
    base = f"/{object_of(page).name}/formula"
    return Editor(
        page.link(f"{base}/fields", use=use.name),
        page.link(f"{base}/check", use=use.name, type=type),
        functions_for(use),
    )


def expected(type: str) -> tuple[str, ...]:
    """Return the types that the value of a formula may have for a type of field; none are all."""
    if not type:
        return ()
    kind = type_of(Field("", "", TYPES[type]))
    return (TEXT,) if kind in TEXTS else (kind,)


@MANAGER.post("/{object}/formula/check")
def check(page: SetupVisit) -> Response:
    """Say whether the formula that was sent is one."""
    use, text = Use[page.query.get("use", "FIELD")], page.field("formula")
    object = "" if use == Use.DEFAULT else object_of(page).name
    try:
        found = record_formula(page.org.schema, object, text, use, *expected(page.query.get("type", "")))
    except FormulaError as problem:
        return page.render("setup/formula_checked.html", problem=problem.message)
    return page.render("setup/formula_checked.html", problem="", size=len(found.text))


@MANAGER.get("/{object}/formula/fields")
def fields(page: SetupVisit) -> Response:
    """Show a column of Insert Field: what can be inserted behind a path."""
    kind, path = object_of(page), page.query.get("path", "")
    own = page.query.get("use") != Use.DEFAULT.name
    return page.render("setup/formula_fields.html", entries=_entries(page, kind, path, own))


def _entries(page: SetupVisit, kind: SObject, path: str, own: bool) -> list[Entry]:
    schema = page.org.schema
    if not path:
        roots = [Entry(f"{kind.label} >", path=_OWN)] if own else []
        return [
            *roots,
            *(Entry(f"{name} >", path=name) for name in sorted({*_GLOBALS, *_PLAIN, "$Permission"})),
        ]
    first, *more = path.split(".") if path != _OWN else ("",)
    if first in _PLAIN:
        return [Entry(name, f"{first}.{name}") for name in _PLAIN[first]]
    if first == "$Permission":
        names = sorted(str(row["DeveloperName"]) for row in page.org.rows("CustomPermission"))
        return [Entry(name, f"{first}.{name}") for name in names]
    found: SObject | None = schema.objects.get(_GLOBALS[first]) if first in _GLOBALS else kind
    for relationship in more if first in _GLOBALS else [one for one in (first, *more) if one]:
        name, _, target = relationship.partition(":")
        reference = found.parent(name) if found else None
        found = schema.objects.get(target or reference.to[0]) if reference else None
    return _of_object(found, "" if path == _OWN else f"{path}.") if found else []


def _of_object(kind: SObject, prefix: str) -> list[Entry]:
    entries = []
    for one in kind.fields:
        if one.relationship:
            for target in one.to:
                name = one.relationship if len(one.to) == 1 else f"{one.relationship}:{target}"
                label = one.label.removesuffix(" ID") + (f" ({target})" if len(one.to) > 1 else "")
                entries.append(Entry(f"{label} >", path=f"{prefix}{name}"))
        if one.name != "IsDeleted":
            entries.append(Entry(one.label, f"{prefix}{one.name}", kind=type_of(one)))
    return sorted(entries, key=lambda one: one.label.casefold())
