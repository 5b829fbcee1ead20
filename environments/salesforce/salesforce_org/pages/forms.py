"""A record's form: its sections, what was typed, what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from salesforce_org.duplicates import Found
from salesforce_org.pages import fields, formats, inputs
from salesforce_org.pages.inputs import Input, NotEntered
from salesforce_org.pages.layout import Layout, Section
from salesforce_org.record_types import FIELD
from salesforce_org.store import Field, Org
from salesforce_org.store.errors import OrgError

COMPLETE = "Complete this field."
Submitted = ImmutableMultiDict[str, str]


@dataclass(frozen=True, slots=True)
class FormSection:
    """A section with its inputs; rows are pairs, of which one may be missing."""

    title: str
    rows: tuple[tuple[Input | None, Input | None], ...]
    wide: tuple[Input, ...]


@dataclass
class Form:
    """A record being made or changed.

    Attributes:
        row: The record, or the values that a new one begins with.
        texts: What the inputs show.
        errors: Sentences by field name; those of no field are in `problems`.
        extra: Fields that are given but stand in no section.
    """

    org: Org
    layout: Layout
    row: Mapping[str, Any]
    new: bool
    texts: dict[str, str] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    extra: tuple[str, ...] = ()
    duplicates: Found | None = None

    def __post_init__(self) -> None:
        if not self.texts:
            self.texts = inputs.texts_of(self.org, (*self.fields(), *self._extras()), self.row)

    @property
    def kind(self) -> str:
        """The object's name."""
        return self.layout.object.name

    def fields(self) -> tuple[Field, ...]:
        """Return the fields that the form can change."""
        names = [name for section in self.layout.sections for name in section.fields]
        found = [one for name in names for one in fields.parts(self.layout.object, name)]
        return tuple({one.name: one for one in found if self.open(one)}.values())

    def open(self, one: Field) -> bool:
        """Whether people may enter a field."""
        may = one.createable if self.new else one.updateable
        return may and one.stored and one.name not in ("OwnerId", FIELD) and one.name not in self.layout.fixed

    def required(self, one: Field) -> bool:
        """Whether the page asks for a field."""
        return (one.required and one.type != "boolean") or one.name in self.layout.required

    def sections(self) -> list[FormSection]:
        """Return the sections of the form; a new record's has none with nothing to enter."""
        return [made for one in self.layout.sections if (made := self._section(one)) is not None]

    def hidden(self) -> list[Input]:
        """Return what is given beside the form."""
        return [Input(one.name, "", "hidden", self.texts.get(one.name, "")) for one in self._extras()]

    def marked(self) -> list[str]:
        """Return the labels of the fields that are wrong."""
        return [fields.label(self.layout, name) for name in self.errors]

    def submit(self, submitted: Submitted) -> dict[str, Any]:
        """Read what was typed; what is wrong is noted in `errors`."""
        names = (*self.fields(), *self._extras())
        self.texts = {key: ";".join(submitted.getlist(key)) for key in submitted}
        given: dict[str, Any] = {}
        for one in names:
            try:
                given[one.name] = inputs.read(self.org, one, self.texts)
            except NotEntered as problem:
                self.errors[one.name] = str(problem)
                continue
            if self.required(one) and given[one.name] is None:
                self.errors[one.name] = COMPLETE
        return given

    def refused(self, problem: OrgError) -> None:
        """Note why the org did not take the record."""
        shown = {one.name for one in self.fields()}
        for told in problem.all:
            mine = [name for name in told.fields if name in shown]
            for name in mine:
                self.errors[name] = COMPLETE if told.code == "REQUIRED_FIELD_MISSING" else told.message
            if not mine:
                self.problems.append(told.message)

    def _extras(self) -> tuple[Field, ...]:
        known = {one.name for one in self.fields()}
        found = (self.layout.object.field(name) for name in self.extra)
        return tuple(one for one in found if one and one.name not in known and self._may_have(one))

    def _may_have(self, one: Field) -> bool:
        return one.stored and (one.createable if self.new else one.updateable)

    def _section(self, section: Section) -> FormSection | None:
        left, right = self._inputs(section.left), self._inputs(section.right)
        wide = self._inputs(section.wide)
        if self.new and not any(one.kind != "output" for one in (*left, *right, *wide)):
            return None
        length = max(len(left), len(right))
        rows = tuple((_at(left, number), _at(right, number)) for number in range(length))
        return FormSection(section.title, rows, tuple(wide))

    def _inputs(self, names: Iterable[str]) -> list[Input]:
        return [made for name in names if (made := self._input(name)) is not None]

    def _input(self, name: str) -> Input | None:
        kind = self.layout.object
        found = fields.parts(kind, name)
        open_ones = [one for one in found if self.open(one)]
        if not open_ones:
            return self._output(name)
        made = tuple(
            inputs.of_field(
                self.org,
                self.layout,
                one,
                self.texts,
                self.errors.get(one.name, ""),
                self.required(one),
                self.row,
            )
            for one in open_ones
        )
        if fields.person(kind, name) or fields.address(kind, name):
            return Input(
                name, fields.label(self.layout, name), "group", parts=made, address=fields.address(kind, name)
            )
        return made[0]

    def _output(self, name: str) -> Input | None:
        """What cannot be entered is shown: in a new record only who will own it."""
        kind = self.layout.object
        label = fields.label(self.layout, name)
        if self.new and name == "OwnerId" and self.org.user_id:
            return Input(name, label, "output", shown=formats.link(self.org, self.org.user_id))
        if self.new or not (fields.parts(kind, name)):
            return None
        return Input(name, label, "output", shown=fields.shown(self.org, kind, self.row, name))


def _at(found: list[Input], number: int) -> Input | None:
    return found[number] if number < len(found) else None
