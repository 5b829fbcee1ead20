"""TeXstudio's tasks over projects that are written by hand, made without TeXstudio."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from shipped import shipped
from suites.kalgebra_world import CONSTANTS, VIEW

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

MAIN, REFS = "paper/main.tex", "paper/refs.bib"
TASKS = {task.id: task for task in shipped("scienceboard").tasks if task.application == "texstudio"}
BUILT = {"ok": True, "pages": 1, "error": None, "undefined": []}


class Project:
    """One task on one seed, with the files that it begins with."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.task: Task = TASKS[name]
        steps = self.task.setup(seed)
        self.files = {step["path"]: step["text"] for step in steps if step["do"] == "write"}
        own = [step for companion in steps for step in companion.get("setup", ())]
        plotted = [step["expression"] for step in own if step["do"] == "plot2d"]
        self.files |= {step["path"]: step["text"] for step in own if step["do"] == "write"}
        kalgebra = any(step.get("application") == "kalgebra" for step in steps)
        self.beside = _kalgebra(plotted) if kalgebra else {}
        self.before = self.state(self.files)
        self.case: Case = self.task.case(self.before, "goal", seed)

    def state(self, files: Mapping[str, str], build: Mapping[str, Any] = BUILT) -> State:
        """Return what a desktop with these files tells."""
        rows = {
            path: {"size": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest(), "text": text}
            for path, text in files.items()
        }
        return State({"files": rows, "builds": {MAIN: dict(build)}, "editor": {}, **self.beside})

    def done(self) -> dict[str, str]:
        """Return the files with every edit of the task made."""
        files = dict(self.files)
        for edit in self.case.values.get("edits", ()):
            files[MAIN] = files[MAIN].replace(edit["old"], edit["new"])
        if "package" in self.case.values:
            files[MAIN] = self.loading(rf"\usepackage{{{self.case['package']}}}")[MAIN]
        if "entry" in self.case.values and self.task.id == "add_reference":
            files[REFS] += f"\n{self.case['entry']}\n"
        return files

    def loading(self, line: str) -> dict[str, str]:
        """Return the files with a line added to the preamble."""
        text = self.files[MAIN].replace("{inputenc}\n", f"{{inputenc}}\n{line}\n")
        return self.files | {MAIN: text}

    def judge(
        self, files: Mapping[str, str], answer: str | None = None, build: Mapping[str, Any] = BUILT
    ) -> Verdict:
        """Return the judgement over an end with these files."""
        evidence = Evidence(self.before, self.state(files, build), answer, "answer" if answer else "success")
        return self.task.judge(evidence, self.case)


def _kalgebra(plotted: list[str]) -> dict[str, Any]:
    """Return what KAlgebra tells beside TeXstudio, with these curves in it."""
    look = {"shown": True, "colour": "#00ff80"}
    return {
        "variables": {name: {"value": text} for name, text in CONSTANTS.items()},
        "functions2d": {f"f{n}": {"expression": text, **look} for n, text in enumerate(plotted)},
        "plot3d": {},
        "view": {"window": dict(VIEW)},
        "console": {},
    }


def reasons(verdict: Verdict) -> set[str]:
    """Return why a verdict is no success."""
    missed = {f"milestone:{milestone.name}" for milestone in verdict.milestones if not milestone.reached}
    return missed | {violation.reason for violation in verdict.violations}


def answers(project: Project) -> Iterator[str]:
    """Yield right answers of a question, in several forms."""
    value, unit = project.case["value"], project.case.values.get("unit", "HV10")
    yield from (str(value), f"{value} {unit}", f"The answer is {value}.")
