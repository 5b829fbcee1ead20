"""Tables in dialogs whose cells are edited in place: the lines that are being added or changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import ImmutableMultiDict

from salesforce_org.pages import formats, inputs
from salesforce_org.pages.inputs import NotEntered
from salesforce_org.pages.layout import layout_of
from salesforce_org.store import Field, Org, SObject
from salesforce_org.store.errors import OrgError

COMPLETE = "Complete this field."


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a line; `name` is what it is submitted as, `column` what its column is called."""

    name: str
    column: str
    text: str
    checkbox: bool = False
    error: str = ""


@dataclass
class Line:
    """One line.

    Attributes:
        key: Id of what it is made of, or of the record that it is.
        shown: What cannot be edited, the product first.
        texts: What its cells hold, by field name.
    """

    key: str
    shown: tuple[formats.Shown, ...]
    texts: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)


Entered = list[tuple[Line, dict[str, Any]]]


@dataclass
class Grid:
    """Lines of one object.

    Attributes:
        columns: The names of the fields that can be edited.
        shown: What the columns are called that cannot.
        needed: The names of the fields that every line must have.
        problems: What is wrong with the lines as a whole.
    """

    org: Org
    kind: SObject
    columns: tuple[str, ...]
    shown: tuple[str, ...]
    needed: frozenset[str]
    lines: list[Line] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the columns."""
        return tuple(one for name in self.columns if (one := self.kind.field(name)) is not None)

    @property
    def headings(self) -> list[tuple[str, bool]]:
        """What the columns are called, and whether they must be filled."""
        told = [(one, False) for one in self.shown]
        return told + [(self._label(one), one.name in self.needed) for one in self.fields]

    def add(self, key: str, shown: Iterable[formats.Shown], row: Mapping[str, Any]) -> None:
        """Add a line with the values that it begins with."""
        self.lines.append(Line(key, tuple(shown), inputs.texts_of(self.org, self.fields, row)))

    def cells(self, number: int) -> list[Cell]:
        """Return the cells of a line, counted from 1."""
        line = self.lines[number - 1]
        return [
            Cell(
                f"{one.name}:{number}",
                self._label(one),
                line.texts.get(one.name, ""),
                one.type == "boolean",
                line.errors.get(one.name, ""),
            )
            for one in self.fields
        ]

    def submit(self, submitted: ImmutableMultiDict[str, str]) -> Entered:
        """Read what was entered into the lines; what is wrong is noted with them."""
        return [(line, self._read(line, number, submitted)) for number, line in enumerate(self.lines, 1)]

    def write(self, entered: Entered, write: Callable[[Line, dict[str, Any]], object]) -> bool:
        """Write all lines, or none where something is wrong with one of them."""
        if any(line.errors for line in self.lines):
            return False
        at = self.lines[0] if self.lines else None
        try:
            with self.org.transaction():
                for at, values in entered:
                    write(at, values)
        except OrgError as problem:
            assert at is not None
            self._refused(at, problem)
            return False
        return True

    def _refused(self, line: Line, problem: OrgError) -> None:
        for told in problem.all:
            mine = [name for name in told.fields if name in self.columns]
            line.errors |= dict.fromkeys(mine, told.message)
            if not mine:
                self.problems.append(f"{line.shown[0]}: {told.message}")

    def marked(self) -> list[str]:
        """Return the labels of the columns in which something is wrong."""
        return [
            self._label(one) for one in self.fields if any(one.name in line.errors for line in self.lines)
        ]

    def _label(self, one: Field) -> str:
        return layout_of(self.kind).label(one)

    def _read(self, line: Line, number: int, submitted: ImmutableMultiDict[str, str]) -> dict[str, Any]:
        line.texts = {one.name: str(submitted.get(f"{one.name}:{number}", "")) for one in self.fields}
        given: dict[str, Any] = {}
        for one in self.fields:
            try:
                given[one.name] = inputs.read(self.org, one, line.texts)
            except NotEntered as problem:
                line.errors[one.name] = str(problem)
                continue
            if given[one.name] is None and one.name in self.needed:
                line.errors[one.name] = COMPLETE
        return given
