"""How an object's records are shown: read from `layouts/<Object>.toml`, derived from the schema where there is none.

Sections of a custom object that has a page layout (the metadata type Layout) are those of the layout.

    icon = "standard:opportunity"
    tab = true                                   it has a tab of its own (default)
    labels = { AccountId = "Account Name" }      where the page's label is not the field's
    compact = ["AccountId", "CloseDate"]         highlights panel
    columns = ["Name", "AccountId"]              list views and search results
    title = "Subject"                            the field by which a record's page is called, beside its name
    path = "StageName"
    activity = true                              has activities
    first = "details"                            the tab that is open at first (default: related)
    suggests = { Title = "UrlName" }             fields that fill an empty one with an address made of them
    create = false                               nothing can be made by hand (default true)
    required = ["Origin"]                        fields that the page asks for though the org does not
    list_actions = [{ label = "Import", flow = "import" }]    buttons of lists, `/lightning/o/<Object>/<flow>`
    actions = [{ label = "Convert", flow = "convert", when = "!IsConverted" }]
    fixed = ["PublishStatus"]                    fields that no form lets people enter though the org would
    open = "PublishStatus=Draft"                 which records can be edited and deleted (default: all)

    [[sections]]
    title = "Opportunity Information"
    left = ["Name", "AccountId"]
    right = ["CloseDate", "StageName"]
    wide = ["Description"]

    [[related]]
    name = "Contacts"                            the relationship's name
    columns = ["Name", "Title"]
    label = "New Contact"                        what the button for a new one says (default: New)
    presets = { AccountId = "AccountId" }        fields of a new record, beside the reference, from this record

`Name` stands for salutation, first and last name where an object has these, and `BillingAddress` for all parts of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from salesforce_org.store import Field, SObject
from salesforce_org.store.schema import AUDIT

FOLDER = Path(__file__).with_name("layouts")
SYSTEM = AUDIT | {"Id", "OwnerId", "IsDeleted", "RecordTypeId"}


@dataclass(frozen=True, slots=True)
class Section:
    """Some fields of a record under one title, in two columns and below them over both."""

    title: str
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    wide: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """All of them, in the order of the form."""
        return self.left + self.right + self.wide


@dataclass(frozen=True, slots=True)
class Related:
    """A related list: the relationship, its columns, and the flows that its header offers instead of New.

    Attributes:
        label: What the button for a new record says.
    """

    name: str
    columns: tuple[str, ...] = ()
    title: str = ""
    new: bool = True
    label: str = "New"
    actions: tuple[Action, ...] = ()
    presets: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """A button that starts a flow of its own.

    Attributes:
        flow: Last part of its address, `/lightning/r/<Object>/<id>/<flow>`.
        when: Which records have the button: those with a field that is true, `!Field` that is not, `Field=Value`.
        mass: Whether it is for the rows that are selected in a list.
    """

    label: str
    flow: str
    when: str = ""
    mass: bool = False

    def offered(self, row: Any) -> bool:
        """Whether a record has this button."""
        return holds(self.when, row)


def holds(condition: str, row: Any) -> bool:
    """Whether a record meets a condition as in `Action.when`; an empty one always."""
    name, equals, value = condition.lstrip("!").partition("=")
    met = row.get(name) == value if equals else bool(row.get(name))
    return not condition or met != condition.startswith("!")


@dataclass(frozen=True)
class Layout:
    """How records of one object are shown."""

    object: SObject
    icon: str
    tab: bool
    labels: dict[str, str]
    compact: tuple[str, ...]
    columns: tuple[str, ...]
    title: str
    path: str
    activity: bool
    first: str
    create: bool
    required: frozenset[str]
    suggests: dict[str, str]
    fixed: frozenset[str]
    open: str
    actions: tuple[Action, ...]
    list_actions: tuple[Action, ...]
    sections: tuple[Section, ...]
    related: tuple[Related, ...]

    def label(self, field: Field) -> str:
        """Return what pages call a field."""
        if field.name in self.labels:
            return self.labels[field.name]
        if field.name == "OwnerId":
            return f"{self.object.label} Owner"
        if field.type == "reference" or field.name.endswith("Id"):
            return field.label.removesuffix(" ID")
        return field.label


def layout_of(kind: SObject) -> Layout:
    """Return the layout of an object."""
    return _built(kind.name, kind)


_CACHE: dict[tuple[str, int], tuple[SObject, Layout]] = {}


def _built(name: str, kind: SObject) -> Layout:
    """Cached by identity: an object that an org changes is another object."""
    known = _CACHE.get((name, id(kind)))
    if known is not None and known[0] is kind:
        return known[1]
    made = _read(kind)
    if len(_CACHE) > 4000:
        _CACHE.clear()
    _CACHE[name, id(kind)] = kind, made
    return made


@cache
def _file(name: str) -> dict[str, Any] | None:
    path = FOLDER / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _read(kind: SObject) -> Layout:
    told = dict(_file(kind.name) or _derived(kind))
    sections = tuple(_section(one) for one in told.get("sections", _derived(kind)["sections"]))
    shown = {name for one in sections for name in one.fields}
    added = [one.name for one in kind.fields if one.custom and one.name not in shown]
    if kind.layout is not None:
        sections = tuple(_defined(kind, one) for one in kind.layout.get("layoutSections", ()))
    elif added and kind.name in _known():
        sections = (sections[0], *sections[1:], Section("Additional Information", *_halves(added)))
    if kind.layout is None and kind.field("RecordTypeId") and sections:
        first = sections[0]
        sections = (replace(first, right=(*first.right, "RecordTypeId")), *sections[1:])
    names = (kind.name_field,) if kind.name_field else ()
    return Layout(
        object=kind,
        icon=kind.icon or told.get("icon", "standard:default"),
        tab=told.get("tab", True),
        labels=dict(told.get("labels", {})),
        compact=tuple(one for one in told.get("compact", ()) if _has(kind, one)),
        columns=tuple(one for one in told.get("columns", names) if _has(kind, one)),
        title=told.get("title", ""),
        path=told.get("path", ""),
        activity=told.get("activity", False),
        first=told.get("first", "related"),
        create=told.get("create", True) and kind.createable,
        required=frozenset(told.get("required", ())),
        suggests=dict(told.get("suggests", {})),
        fixed=frozenset(told.get("fixed", ())),
        open=told.get("open", ""),
        actions=tuple(Action(**one) for one in told.get("actions", ())),
        list_actions=tuple(Action(**one) for one in told.get("list_actions", ())),
        sections=sections,
        related=tuple(_related(one) for one in told.get("related", ())),
    )


def _known() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.toml"))


def _has(kind: SObject, path: str) -> bool:
    return kind.field(path) is not None or kind.parent(path.partition(".")[0]) is not None


def _section(told: dict[str, Any]) -> Section:
    return Section(
        told.get("title", ""),
        tuple(told.get("left", ())),
        tuple(told.get("right", ())),
        tuple(told.get("wide", ())),
    )


def _defined(kind: SObject, told: Mapping[str, Any]) -> Section:
    """Return a section of a page layout as metadata has it."""
    columns = [
        tuple(
            str(item["field"]) for item in column.get("layoutItems", ()) if kind.field(item.get("field", ""))
        )
        for column in told.get("layoutColumns", ())
    ]
    left, right = (*columns, (), ())[:2]
    return Section(told.get("label", ""), left, right)


def _related(told: dict[str, Any]) -> Related:
    actions = tuple(Action(**one) for one in told.get("actions", ()))
    return Related(
        told["name"],
        tuple(told.get("columns", ())),
        told.get("title", ""),
        told.get("new", not actions),
        told.get("label", "New"),
        actions,
        tuple(told.get("presets", {}).items()),
    )


def _halves(names: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(names[0::2]), tuple(names[1::2])


def _derived(kind: SObject) -> dict[str, Any]:
    """Return a layout of all fields, for an object without a file."""
    fields = [one.name for one in kind.fields if one.name not in SYSTEM]
    if kind.field("OwnerId"):
        fields.insert(1, "OwnerId")
    names = [kind.name_field] if kind.name_field else []
    left, right = _halves(fields)
    system = {"title": "System Information", "left": ["CreatedById"], "right": ["LastModifiedById"]}
    return {
        "icon": "standard:default",
        "tab": kind.custom,
        "columns": [*names, *[one for one in fields if one not in names][:4]],
        "compact": ["OwnerId", "CreatedDate"],
        "activity": False,
        "sections": [{"title": "Information", "left": left, "right": right}, system],
    }
