"""KAlgebra's tasks over states that are written by hand, made without KAlgebra."""

from __future__ import annotations

import copy
from typing import Any

from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Task
from pytest_cuabench.task.verdict import Verdict

TASKS = {task.id: task for task in shipped("scienceboard").tasks if task.application == "kalgebra"}
CONSTANTS = {"pi": "3.141592653589793", "e": "2.718281828", "euler": "0.5772156649", "i": "0"}
VIEW = {"tab": "Calculator", "resolution": "Normal", "style": "Solid", "grid": True, "aspect": True}

Rows = dict[str, dict[str, dict[str, Any]]]


class Calculator:
    """One task on one seed, with what KAlgebra tells at its beginning and is made to tell at its end."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.task: Task = TASKS[name]
        self.rows: Rows = {
            "variables": {name: {"value": text} for name, text in CONSTANTS.items()},
            "functions2d": {},
            "plot3d": {},
            "view": {"window": dict(VIEW)},
            "console": {},
            "files": {},
        }
        for step in self.task.setup(seed):
            self._prepare(**step)
        self.before = State(copy.deepcopy(self.rows))
        self.case: Case = self.task.case(self.before, "goal", seed)

    def _prepare(self, do: str, **step: str) -> None:
        match do:
            case "write":
                self.rows["files"][step["path"]] = {"text": step["text"]}
            case "plot2d":
                self.plot(step["expression"])
            case "plot3d":
                self.draw(step["expression"])
            case "tab":
                self.view(tab=step["name"])
            case "define" if ":=" in step["text"]:
                self.define(*step["text"].split(":="))

    def define(self, name: str, value: str) -> Calculator:
        """Store a variable."""
        self.rows["variables"][name] = {"value": value}
        return self

    def plot(self, text: str, colour: str = "#00ff80") -> Calculator:
        """Add a curve."""
        key = f"f{len(self.rows['functions2d'])}"
        self.rows["functions2d"][key] = {"expression": text, "shown": True, "colour": colour}
        return self

    def draw(self, text: str) -> Calculator:
        """Draw a surface."""
        self.rows["plot3d"]["surface"] = {"expression": text}
        return self

    def view(self, **settings: Any) -> Calculator:
        """Change settings."""
        self.rows["view"]["window"].update(settings)
        return self

    def say(self, line: str, result: str) -> Calculator:
        """Add a line to the console."""
        self.rows["console"][f"{len(self.rows['console']):03}"] = {"input": line, "output": result}
        return self

    def verdict(self, answer: str | None = None, ending: str = "") -> Verdict:
        """Judge."""
        ending = ending or ("answer" if answer is not None else "success")
        return self.task.judge(Evidence(self.before, State(self.rows), answer, ending), self.case)


def done(name: str, seed: int = 0) -> Calculator:
    """Return a calculator on which a task was done."""
    desk = Calculator(name, seed)
    case = desk.case.values
    if "real" in case:
        desk.define(case["variable"], f"{case['real']}").say(
            case["enter"], f"{case['real']}{case['imaginary']:+d}*i"
        )
    elif "variable" in case:
        desk.define(case["variable"], repr(float(case["value"])))
    if "file" in case:
        desk.define(*desk.rows["files"][case["file"]]["text"].strip().split(":="))
    for text in case.get("curves", ()):
        desk.plot(text)
    if "surface" in case:
        desk.draw(case["surface"])
    if name == "plot_in_tab":
        desk.view(tab="2D Graph")
    if name == "remove_variable":
        del desk.rows["variables"][case["name"]]
    if name == "remove_curve":
        del desk.rows["functions2d"][case["key"]]
    if name == "recolour_curve":
        desk.rows["functions2d"][case["key"]]["colour"] = case["code"]
    if name == "set_resolution":
        desk.view(resolution=case["resolution"])
    if name == "set_surface_style":
        desk.view(style=case["style"])
    return desk


def judged(name: str, desk: Calculator) -> Verdict:
    """Judge with the ending that a task wants."""
    ending = "infeasible" if name == "name_missing_function" else ""
    return desk.verdict(desk.case.values.get("answer"), ending)


def reasons(verdict: Verdict) -> set[str]:
    """Return why a verdict is no success."""
    missed = {f"milestone:{milestone.name}" for milestone in verdict.milestones if not milestone.reached}
    return missed | {violation.reason for violation in verdict.violations}
