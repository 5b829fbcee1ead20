"""A Lightning page while it is being built: nothing of it is in the org until it is saved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from salesforce_org import flexipages
from salesforce_org.metadata import components
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages import fields
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.setup.apinames import check_name
from salesforce_org.store import DmlError, Field, Org, SObject
from salesforce_org.store.org import Tree

Rule = list[dict[str, str]]
OPERATORS = {
    "boolean": ("EQUAL", "NE"),
    "number": ("EQUAL", "NE", "GT", "GE", "LT", "LE"),
    "text": ("EQUAL", "NE", "CONTAINS"),
}
_NUMBERS = ("int", "double", "currency", "percent", "date", "datetime")


@dataclass
class Draft:
    """What the builder holds.

    Attributes:
        name: The page's API name once it was saved, else the one it is going to have.
        saved: Whether the org has the page.
        selected: The identifier of the selected item; empty for the page itself.
        open: The open tab of each set of tabs.
        panel: What the left panel offers: components or fields.
        before, after: The trees for undo and redo.
        origin: Where Back leads.
    """

    name: str
    tree: dict[str, Any]
    saved: bool
    origin: str
    selected: str = ""
    panel: str = "components"
    problem: str = ""
    dirty: bool = False
    open: dict[str, str] = field(default_factory=dict)
    before: list[dict[str, Any]] = field(default_factory=list)
    after: list[dict[str, Any]] = field(default_factory=list)

    @property
    def object(self) -> str:
        """The object whose records the page shows; empty for app and home pages."""
        return str(self.tree.get("sobjectType") or "")

    @property
    def item(self) -> Tree | None:
        """The selected item."""
        return flexipages.find(self.tree, self.selected) if self.selected else None

    def become(self, tree: dict[str, Any]) -> None:
        """Take a changed page, so that the change can be undone."""
        if tree != self.tree:
            self.before.append(self.tree)
            self.after.clear()
            self.tree, self.dirty = tree, True
        if self.item is None:
            self.selected = ""

    def change(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Change the selected component or field."""
        self.become(flexipages.changed(self.tree, self.selected, change))

    def undo(self) -> None:
        """Go back by one change."""
        self._step(self.before, self.after)

    def redo(self) -> None:
        """Do again what was undone."""
        self._step(self.after, self.before)

    def _step(self, source: list[dict[str, Any]], target: list[dict[str, Any]]) -> None:
        if source:
            target.append(self.tree)
            self.tree, self.dirty = source.pop(), True
            self.selected = self.selected if self.item else ""

    def layout(self, org: Org) -> Layout:
        """Return the layout of the object whose records the page shows."""
        return layout_of(org.schema[self.object])

    def save(self, org: Org) -> None:
        """Store the page.

        Raises:
            OrgError: Its label or name will not do.
        """
        label = str(self.tree.get("masterLabel") or "").strip()
        if not label:
            raise DmlError("REQUIRED_FIELD_MISSING", "Enter a label for the page.", ("masterLabel",))
        if not self.saved:
            check_name(self.name, "Developer Name", "fullName")
            if org.component(flexipages.KIND, self.name) is not None:
                raise DmlError(
                    "DUPLICATE_DEVELOPER_NAME", f"The developer name {self.name} is taken.", ("fullName",)
                )
        with org.transaction():
            components.replace(org, TYPES[flexipages.KIND], self.name, self.tree)
        self.saved, self.dirty = True, False


def free_name(org: Org, label: str) -> str:
    """Return an API name for a label that no page has."""
    plain = (
        "_".join("".join(one if one.isascii() and one.isalnum() else " " for one in label).split()) or "Page"
    )
    plain = plain if plain[0].isalpha() else f"X{plain}"
    taken = {name.casefold() for name in org.components(flexipages.KIND)}
    names = (plain if number == 0 else f"{plain}{number}" for number in range(1000))
    return next(name for name in names if name.casefold() not in taken)


# The rule that says when a component or field is shown


def rule(draft: Draft) -> tuple[Rule, str]:
    """Return the criteria of the selected item, and how they are combined: all, any or logic."""
    told = flexipages.inner(draft.item or {}).get("visibilityRule") or {}
    criteria = [dict(one) for one in told.get("criteria") or ()]
    logic = str(told.get("booleanFilter") or "")
    return criteria, logic


def set_rule(draft: Draft, criteria: Rule, logic: str) -> None:
    """Give the selected item another rule; without criteria it is always shown."""

    def change(one: dict[str, Any]) -> None:
        one.pop("visibilityRule", None)
        if criteria:
            one["visibilityRule"] = {**({"booleanFilter": logic} if logic else {}), "criteria": criteria}

    draft.change(change)


def any_of(count: int) -> str:
    """Return the logic by which any of some criteria is enough."""
    return " OR ".join(map(str, range(1, count + 1)))


def operators(kind: SObject | None, left: str) -> list[tuple[str, str]]:
    """Return what a field can be compared by, as pairs of name and label."""
    one = kind.field(left) if kind else None
    names = OPERATORS["text" if one is None else _class(one)]
    if one is None:
        names = ("EQUAL", "NE")
    return [(name, flexipages.OPERATORS[name]) for name in names]


def _class(one: Field) -> str:
    return "boolean" if one.type == "boolean" else "number" if one.type in _NUMBERS else "text"


def offered_fields(org: Org, draft: Draft, search: str = "") -> list[tuple[str, str]]:
    """Return the fields that can be put on the page, by label, as pairs of name and label."""
    layout = draft.layout(org)
    compound = {name for section in layout.sections for name in section.fields if "." not in name}
    names = {
        one.name for one in layout.object.fields if one.name not in ("IsDeleted", "SystemModstamp")
    } | compound
    told = sorted(((name, fields.label(layout, name)) for name in names), key=lambda one: one[1].casefold())
    return [one for one in told if search.casefold() in one[1].casefold()]


def filter_fields(org: Org, draft: Draft) -> list[tuple[str, str]]:
    """Return the fields that a rule can look at, by label."""
    layout = draft.layout(org)
    found = (one for one in layout.object.fields if one.type not in ("textarea", "base64"))
    return sorted(
        ((one.name, fields.label(layout, one.name)) for one in found), key=lambda one: one[1].casefold()
    )


def said(org: Org, draft: Draft, one: dict[str, str]) -> str:
    """Return one criterion in words."""
    left, operator, right = one["leftValue"], one["operator"], one.get("rightValue", "")
    if left == flexipages.FORM_FACTOR:
        name = "Form Factor"
    else:
        plain = left.removeprefix("{!Record.").removesuffix("}")
        name = fields.label(draft.layout(org), plain) if draft.object else plain
    return f"{name} {flexipages.OPERATORS.get(operator, operator)} {right}"
