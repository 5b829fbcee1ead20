"""What the TOML files of a suite may say: `suite.toml`, and the `tasks.toml` of each application.

Tasks that differ in their values only are declared once as a template, whose functions build and judge them all:

    [template.new_lead]
    title = "New lead"
    difficulty = "easy"
    wording = ["Create a lead for {name} of {company}."]

    [[task]]
    id = "new_lead_1"
    template = "new_lead"
    values = { name = "Ada Byron", company = "Engines" }
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pytest_cuabench.task import SYNTHETIC

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="lower case letters, digits, _")]
Collection = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_/]*$")]
Words = Annotated[str, Field(min_length=1)]
Wording = Annotated[tuple[Words, ...], Field(min_length=1)]
Difficulty = Literal["easy", "medium", "hard"]
Steps = Annotated[int, Field(ge=1, le=10_000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Dollars = Annotated[float, Field(gt=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Computer(_Strict):
    """Where a suite is played."""

    driver: Identifier
    world: Identifier
    screen: tuple[Annotated[int, Field(ge=320, le=7680)], Annotated[int, Field(ge=240, le=4320)]]


class Budget(_Strict):
    """What one episode may take where its task says nothing else."""

    steps: Steps
    seconds: Seconds
    dollars: Dollars | None = None


class SuiteFile(_Strict):
    """A `suite.toml`.

    Attributes:
        documents: For a variant, the folder with something to read for each task or template: `<its name>.md`.
    """

    name: Identifier
    title: Words
    paper: Words
    applications: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    variants: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    audit_seeds: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1)] = (0, 1, 2)
    environment: Computer
    budget: Budget
    documents: dict[Identifier, Identifier] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _of_variants(self) -> SuiteFile:
        if strangers := sorted(set(self.documents) - set(self.variants)):
            raise ValueError(f"there are documents for {', '.join(strangers)}, which is no variant")
        return self


class TemplateEntry(_Strict):
    """What all tasks of a template have in common; each of them may say otherwise."""

    title: Words
    difficulty: Difficulty
    wording: tuple[Words, ...] = ()
    labels: tuple[Identifier, ...] = ()
    resources: tuple[Collection, ...] = ()


class TaskEntry(_Strict):
    """One task.

    Attributes:
        goals: Patterns of wording for each variant; `wording` has those that are the same for all.
        template: Name of the functions that build and judge it, where that is not its id.
        values: Handed to the builder of a template, and part of the case.
        labels: Names of further markers.
        resources: What of a shared world it changes, so that no two such tasks run together.
    """

    id: Identifier
    title: Words
    difficulty: Difficulty
    goals: dict[Identifier, Wording] = Field(default_factory=dict)
    wording: tuple[Words, ...] = ()
    template: Identifier | None = None
    values: dict[Identifier, Any] = Field(default_factory=dict)
    labels: tuple[Identifier, ...] = ()
    resources: tuple[Collection, ...] = ()
    max_steps: Steps | None = None
    max_seconds: Seconds | None = None
    solved_by_prologue: bool = False

    @model_validator(mode="after")
    def _worded(self) -> TaskEntry:
        if bool(self.goals) == bool(self.wording):
            raise ValueError("a task has either goals, by variant, or one wording for all of them")
        if self.values and not self.template:
            raise ValueError("values are for the functions of a template, and the task names none")
        return self


class ApplicationEntry(_Strict):
    """What is said of an application as a whole."""

    title: Words
    domain: Words
    preamble: str = ""
    harmless: tuple[Collection, ...] = ()
    tier: Identifier = SYNTHETIC


class TasksFile(_Strict):
    """A `tasks.toml`."""

    application: ApplicationEntry
    template: dict[Identifier, TemplateEntry] = Field(default_factory=dict)
    task: Annotated[tuple[TaskEntry, ...], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        """Give the tasks of a template what it says of all of them; what is malformed is refused later."""
        entries, templates = data.get("task"), data.get("template")
        if isinstance(entries, list) and isinstance(templates, dict):
            return {**data, "task": [_filled(entry, templates) for entry in entries]}
        return data

    @model_validator(mode="after")
    def _distinct(self) -> TasksFile:
        ids = [entry.id for entry in self.task]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        if twice:
            raise ValueError(f"task ids must be different, {', '.join(twice)} stands twice")
        return self


def _filled(entry: Any, templates: Mapping[str, Any]) -> Any:
    common = templates.get(str(entry.get("template"))) if isinstance(entry, dict) else None
    return {**common, **entry} if isinstance(common, dict) else entry
