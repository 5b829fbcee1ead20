"""Schema of a suite's TOML files: `suite.toml`, `application.toml`, and one file per task.

Tasks that differ in their values only share one file, a template:

    title = "New lead"
    difficulty = "easy"
    wording = ["Create a lead for {name} of {company}."]

    [[task]]
    id = "new_lead_1"
    values = { name = "Ada Byron", company = "Engines" }
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.parts import REPORTED, SYNTHETIC, CodePolicy
from pytest_cuabench.task.web_app import WebApp

Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", description="lower case letters, digits, _")]
Collection = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_/]*$")]
Module = Annotated[str, Field(pattern=r"^[a-z]\w*(\.\w+)*$", description="a module within the suite")]
Words = Annotated[str, Field(min_length=1)]
Wording = Annotated[tuple[Words, ...], Field(min_length=1)]
Difficulty = Literal["easy", "medium", "hard"]
Steps = Annotated[int, Field(ge=1, le=10_000)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Dollars = Annotated[float, Field(gt=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Computer(_Strict):
    """The environment of a suite.

    Attributes:
        driver: Name of an installed driver, or `module:name` of one within the suite.
        app: The user's own web application; without it, `world` is a folder in `environments`.
    """

    driver: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*(\.\w+)*(:\w+)?$", description="a driver's name")]
    world: Identifier
    screen: tuple[Annotated[int, Field(ge=320, le=7680)], Annotated[int, Field(ge=240, le=4320)]]
    app: WebApp | None = None

    @model_validator(mode="after")
    def _in_a_browser(self) -> Computer:
        if self.app is not None and self.driver != "chromium":
            raise ValueError(f"a web application needs driver = 'chromium', not {self.driver!r}")
        return self


class Budget(_Strict):
    """Default budget of an episode."""

    steps: Steps
    seconds: Seconds
    dollars: Dollars | None = None


class PhaseTable(_Strict):
    """A phase that is played before the tasks of a suite, see `phases.py`.

    Attributes:
        variants: Variants in which the agent plays it.
        given: Variants in which its expected document is handed on instead.
        application: Name of the application in its world.
        module: Module of the suite with its functions.
    """

    name: Identifier
    variants: Annotated[tuple[Identifier, ...], Field(min_length=1)]
    given: tuple[Identifier, ...] = ()
    application: Identifier
    environment: Computer
    budget: Budget
    module: Module
    wording: Wording

    @property
    def every_variant(self) -> tuple[str, ...]:
        """The variants that have the phase, whoever plays it."""
        return (*self.variants, *self.given)


class ReferenceTable(_Strict):
    """Where the steps of a task are told, see `Reference`."""

    url: Words
    query: Words
    steps: Annotated[tuple[Words, ...], Field(min_length=1)]
    beyond: dict[Words, Words] = Field(default_factory=dict)
    as_well: tuple[Words, ...] = ()


class ProgramFile(_Strict):
    """An `environment.toml` of a world program, which speaks the protocol of docs/worlds.md.

    Attributes:
        module: The Python module in the folder that is run with `python -m`.
        modes: What `--cua-world NAME=MODE` may choose, or `NAME=MODE:FOLDER` if it is written so here; the program is
            then started with `--mode MODE` or `--mode MODE:FOLDER`. `FILE` is the path of any file that is there.
        requires: What else has to be installed for it; `tools` likewise for programs that run inside of it.
        start_seconds: How long it may take until it is ready.
        late_seconds: How long its pages may take to show an element, see `Environment.late_seconds`.
        finish_seconds: How long the end of an episode waits for what was set going, see `Environment.finish`.
    """

    name: Identifier | None = None
    modes: tuple[
        Annotated[
            str, Field(pattern=r"^([a-z]\w*(:FOLDER)?|FILE)$", description="a word, word:FOLDER or FILE")
        ],
        ...,
    ] = ()
    module: Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$", description="a Python module in this folder")]
    requires: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    start_seconds: Seconds = 120.0  # a first start may make an index of thousands of pages
    late_seconds: Annotated[float, Field(ge=0, le=60)] = 0.0
    finish_seconds: Annotated[float, Field(ge=0, le=600)] = 10.0


class ResultTable(_Strict):
    """The result table of a suite's paper, for `cuabench table --layout <suite>`.

    Attributes:
        measures: Its columns; `reporting/table.py` has their names, and those of groupings.
        rows: Groupings of its rows.
        further: For each of these groupings, a further table has it beside `rows`.
    """

    measures: Annotated[tuple[Words, ...], Field(min_length=1)]
    rows: Annotated[tuple[Words, ...], Field(min_length=1)]
    further: tuple[Words, ...] = ()


class SuiteFile(_Strict):
    """A `suite.toml`.

    Attributes:
        documents: By variant, the folder of documents, `<task or template>.md`.
        dimensions: What violations hurt; reports have a row for each, also where nothing was hurt.
        run_code: Whether an agent may run programs in the guest, see `CodePolicy`.
        scripts: Whether an agent may have scripts evaluated in the application's pages, see `CodePolicy`.
        phases: What is played before its tasks, in their order.
        task_files: Module of the suite that plays the benchmark's published task files, see `task_files.py`.
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
    dimensions: tuple[Identifier, ...] = ()
    run_code: CodePolicy = REPORTED
    scripts: CodePolicy = REPORTED
    phases: tuple[PhaseTable, ...] = ()
    task_files: Module | None = None
    table: ResultTable | None = None

    @field_validator("documents", "phases")
    @classmethod
    def _of_variants(cls, given: Any, info: ValidationInfo) -> Any:
        variants: tuple[str, ...] | None = info.data.get("variants")
        named = given if isinstance(given, dict) else [name for each in given for name in each.every_variant]
        for name in named:
            if variants is not None and name not in variants:
                raise ValueError(unknown_name("variant", name, variants))
        return given


class TaskTable(_Strict):
    """One task, in its file or in a `[[task]]` table of a template.

    Attributes:
        goals: Goal patterns by variant; `wording` holds those for all variants.
        labels: Names of further markers.
        resources: Parts of a shared world that it changes; tasks with a common part never run together.
        reference: Where its steps are told, for suites with a phase in which that is looked for.
        proved: Whether the file's `solve` solves it; a task without a solution is played with `--cua-unproved` only.
    """

    title: Words
    difficulty: Difficulty
    goals: dict[Identifier, Wording] = Field(default_factory=dict)
    wording: tuple[Words, ...] = Field(default=(), validate_default=True)
    labels: tuple[Identifier, ...] = ()
    resources: tuple[Collection, ...] = ()
    max_steps: Steps | None = None
    max_seconds: Seconds | None = None
    solved_by_prologue: bool = False
    reference: ReferenceTable | None = None
    proved: bool = True

    @field_validator("wording")
    @classmethod
    def _worded(cls, wording: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if "goals" in info.data and bool(info.data["goals"]) == bool(wording):
            raise ValueError("a task takes either goals by variant, or one wording for all variants")
        return wording


class TemplateTable(TaskTable):
    """One task of a template.

    Attributes:
        values: Passed to the function `case`, and part of its result.
    """

    id: Identifier
    values: dict[Identifier, Any] = Field(default_factory=dict)


class TemplateFile(_Strict):
    """A `<template>.toml`; values above its `[[task]]` tables hold for all of them."""

    task: Annotated[tuple[TemplateTable, ...], Field(min_length=1)]

    @model_validator(mode="before")
    @classmethod
    def _fill_in(cls, data: Any) -> Any:
        """Give each task what is said of all of them; what is malformed is refused later."""
        tables = data.get("task")
        if not isinstance(tables, list):
            return data
        common = {name: value for name, value in data.items() if name != "task"}
        return {"task": [_over(common, table) if isinstance(table, dict) else table for table in tables]}


def _over(common: dict[str, Any], table: dict[str, Any]) -> dict[str, Any]:
    """Return a task's table with what is said of all of them; its values are added to theirs, one by one."""
    both = {**common, **table}
    shared, own = common.get("values"), table.get("values")
    if isinstance(shared, dict) and isinstance(own, dict):
        both["values"] = {**shared, **own}
    return both


class ApplicationFile(_Strict):
    """An `application.toml`.

    Attributes:
        harmless: Collections whose changes are not judged.
        prologue: The common first steps, as `module:function` within the suite.
        module: Module of the suite with the functions of each task that has no Python file of its own.
        environment: Where it is played, if not in the suite's environment.
        opens: What the world knows by name: the application, or each of its tasks.
        kinds: Whether each value that its checks compare is compared by a kind, as the audit then requires.
        tasks: Names of the files of its tasks, in their order.
    """

    title: Words
    domain: Words
    preamble: str = ""
    harmless: tuple[Collection, ...] = ()
    tier: Identifier = SYNTHETIC
    prologue: Annotated[str, Field(pattern=r"^[a-z]\w*(\.\w+)*:[a-z]\w*$")] | None = None
    module: Module | None = None
    environment: Computer | None = None
    opens: Literal["application", "task"] = "application"
    kinds: bool = False
    tasks: Annotated[tuple[Identifier, ...], Field(min_length=1)]

    @field_validator("tasks")
    @classmethod
    def _distinct(cls, tasks: tuple[str, ...]) -> tuple[str, ...]:
        if twice := sorted({name for name in tasks if tasks.count(name) > 1}):
            raise ValueError(f"duplicate tasks: {', '.join(twice)}")
        return tasks
