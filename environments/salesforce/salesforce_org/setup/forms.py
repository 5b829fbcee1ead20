"""Edit forms of Setup: inputs in sections, told as data; what is wrong with them is said beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import HOME, Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.criteria import Criteria, problem
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

MISSING = "You must enter a value"
INVALID = "Invalid Data. Review all error messages below to correct your data."


@dataclass(frozen=True, slots=True)
class Input:
    """One control of a form.

    Attributes:
        name: Under what it is submitted; where it stands for a field, the field's name.
        kind: text, email, number, date, textarea, checkbox, picklist, radio, dual, lookup, criteria, formula or shown
            (text only).
        choices: What a picklist, radio, dual list or lookup offers; the value of a choice is submitted.
        none: Whether a picklist may be empty.
        fills: The input that is given an API name made from this one's text; it may be this one itself.
        after: The input whose text is proposed for this one, with ` Name` behind it.
        confirm: What is asked when a checkbox is cleared, as title and text.
        depends: The picklist whose value must be the kind of what this one offers.
        refresh: Whether another choice of a picklist sends the form as `do=refresh`, so that it asks for other things.
        editor: What the editor of a formula offers, as `formulas.editor` returns it.
        kinds: The search types of a dual list with many kinds of members; `titles` its two lists' headings.
    """

    name: str
    label: str
    kind: str = "text"
    required: bool = False
    choices: Sequence[Choice] = ()
    none: bool = True
    help: str = ""
    length: int = 255
    fills: str = ""
    after: str = ""
    confirm: tuple[str, str] | None = None
    depends: str = ""
    kinds: Sequence[str] = ()
    titles: tuple[str, str] = ("Available", "Selected")
    refresh: bool = False
    editor: Any = None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What is offered, as values and labels."""
        return [(one.value, one.label) for one in self.choices]

    def read(self, page: SetupVisit) -> Any:
        """Return what was submitted."""
        if self.kind == "checkbox":
            return page.field(self.name) != ""
        if self.kind == "dual":
            return page.fields(self.name)
        if self.kind == "criteria":
            parts = (page.fields(f"{self.name}:{part}") for part in ("field", "operator", "value"))
            rows = tuple(row for row in zip(*parts, strict=False) if any(row))
            return Criteria(rows, page.field(f"{self.name}:logic"))
        return page.field(self.name)


@dataclass(frozen=True, slots=True)
class Section:
    """Inputs under a heading, in one or two columns; with more they are lines of a table."""

    title: str
    inputs: tuple[Input, ...]
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Button:
    """A button that sends the form; `value` is what is submitted as `do`."""

    label: str
    value: str


SAVE = Button("Save", "save")
SAVE_AND_NEW = Button("Save & New", "again")
CANCEL = Button("Cancel", "cancel")


@dataclass
class Form:
    """A form with what is in it.

    Attributes:
        title: The heading, as `New Role`; `kind` stands above it.
        errors: What is wrong, by input.
        problem: What is wrong with the whole.
    """

    title: str
    kind: str
    sections: tuple[Section, ...]
    values: dict[str, Any] = field(default_factory=dict)
    buttons: tuple[Button, ...] = (SAVE, CANCEL)
    errors: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    intro: str = ""

    @property
    def inputs(self) -> list[Input]:
        """All inputs in order."""
        return [one for section in self.sections for one in section.inputs if one.kind != "shown"]

    @property
    def given(self) -> dict[str, Any]:
        """What stands in the inputs, and nothing else of the record that filled them."""
        return {one.name: self.values.get(one.name) for one in self.inputs}

    def read(self, page: SetupVisit) -> Form:
        """Take over what was submitted."""
        self.values |= {one.name: one.read(page) for one in self.inputs}
        return self

    def check(self, org: Org) -> bool:
        """Note what required inputs lack, and what was chosen that is not offered; return whether all is well."""
        for one in self.inputs:
            value = self.values.get(one.name)
            if isinstance(value, Criteria) and (wrong := problem(org, value, one.choices)):
                self.errors[one.name] = wrong
            elif one.required and value in ("", None, [], Criteria()):
                self.errors[one.name] = MISSING
            elif one.kind in ("picklist", "radio", "lookup", "dual") and not _offered(one, value):
                self.errors[one.name] = "Choose one of the values that are offered"
        return not self.errors

    def blame(self, error: OrgError) -> None:
        """Say a refusal beside the inputs it is about, or on top."""
        names = {one.name for one in self.inputs}
        blamed = [name for name in error.fields if name in names]
        missing = error.code == "REQUIRED_FIELD_MISSING"
        self.errors |= dict.fromkeys(blamed, MISSING if missing else error.message)
        if not blamed:
            self.problem = error.message

    def show(self, page: SetupVisit, template: str = "setup/form.html", **context: Any) -> Response:
        """Answer with the form."""
        return page.render(template, form=self, **context)


def _offered(one: Input, value: Any) -> bool:
    offered = {choice.value for choice in one.choices}
    given = value if isinstance(value, list) else [value] if value else []
    return offered.issuperset(given)


Write = Callable[[dict[str, Any]], str]
Store = Callable[[SetupVisit, dict[str, Any]], str]
StoreRecord = Callable[[SetupVisit, Record | None, dict[str, Any]], str]


def submit(
    page: SetupVisit,
    form: Form,
    write: Write,
    *,
    back: str = HOME,
    again: str = "",
    template: str = "setup/form.html",
    **context: Any,
) -> Response:
    """Let `write` store what was submitted and go to the inner address it returns, or say what is wrong.

    Args:
        back: Where Cancel leads.
        again: Where Save & New leads.
        template: The page that shows the form once more, with the context.
    """
    do = page.field("do")
    if do == CANCEL.value:
        return page.go(back)
    form.read(page)
    if form.check(page.org):
        try:
            with page.org.transaction():
                after = write(form.given)
        except OrgError as refused:
            form.blame(refused)
        else:
            return page.go(again if do == SAVE_AND_NEW.value and again else after)
    return form.show(page, template, **context)


def put_record(org: Org, object: str, row: Record | None, given: Mapping[str, Any]) -> str:
    """Store a new record, or what was changed about one; return its id."""
    if row is None:
        return org.insert(object, **given)
    org.update(row["Id"], **given)
    return str(row["Id"])


def form_at(
    area: Area,
    path: str,
    ask: Callable[[SetupVisit], Form],
    *,
    back: Callable[[SetupVisit], str] = lambda page: HOME,
    again: str = "",
) -> Callable[[Store], Store]:
    """Serve a form at an inner address; the function stores what is submitted, and returns where to go then.

    Args:
        back: Where Cancel leads.
        again: Where Save & New leads.
    """

    def register(store: Store) -> Store:
        area.get(path)(lambda page: ask(page).show(page))
        area.post(path)(
            lambda page: submit(
                page, ask(page), lambda given: store(page, given), back=back(page), again=again
            )
        )
        return store

    return register


def record_form(
    area: Area,
    find: Callable[[SetupVisit], Record],
    ask: Callable[[SetupVisit, Record | None], Form],
    *,
    back: str = "",
    again: str = "",
) -> Callable[[StoreRecord], StoreRecord]:
    """Serve the form of a new record at `/new` and that of each other at `/{id}/e`, as `form_at` does.

    Args:
        find: Returns the record that the inner address names.
        back: Where Cancel leads, if not to the list or the record.
    """

    def register(store: StoreRecord) -> StoreRecord:
        @form_at(area, "/new", lambda page: ask(page, None), back=lambda page: back or HOME, again=again)
        def create(page: SetupVisit, given: dict[str, Any]) -> str:
            return store(page, None, given)

        @form_at(
            area,
            "/{id}/e",
            lambda page: ask(page, find(page)),
            back=lambda page: back or f"/{page.params['id']}",
            again=again,
        )
        def save(page: SetupVisit, given: dict[str, Any]) -> str:
            return store(page, find(page), given)

        return store

    return register
