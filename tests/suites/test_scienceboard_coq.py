"""CoqIDE's tasks without CoqIDE: Coq itself judges what the references and the mistakes write."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import Evidence, State
from pytest_cuabench.task.model import Task

TASKS = {task.id: task for task in shipped("scienceboard").tasks if task.application == "coq"}
PROOFS = [name for name, task in TASKS.items() if task.template.endswith("prove")]
CLOSED = "Closed under the global context"


def _begun(task: Task, seed: int) -> tuple[State, list[dict[str, Any]]]:
    steps = [dict(step) for step in task.setup(seed)]
    files = {step["path"]: {"text": step["text"]} for step in steps if step["do"] == "write"}
    proofs = {
        f"{one['path']}/{one['name']}": {"verdict": "unchanged"} for one in steps if one["do"] == "theorem"
    }
    return State({"files": files, "proofs": proofs, "view": {}}), steps


def _case(name: str, seed: int) -> tuple[Case, State, list[dict[str, Any]]]:
    before, steps = _begun(TASKS[name], seed)
    return TASKS[name].case(before, "goal", seed), before, steps


def _coqc(folder: Path, name: str, text: str) -> str | None:
    (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(["coqc", "-q", name], cwd=folder, capture_output=True, text=True)
    return None if done.returncode else done.stdout.strip()


def _judged(folder: Path, text: str, steps: list[dict[str, Any]]) -> str | None:
    (theorem,) = (step for step in steps if step["do"] == "theorem")
    if _coqc(folder, "Submission.v", text) is None:
        return None
    question = f"Require Submission.\n{theorem['given']}\nDefinition judged : {theorem['statement']} := "
    return _coqc(
        folder, "Question.v", f"{question}@Submission.{theorem['name']}.\nPrint Assumptions judged.\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(
    not shutil.which("coqc"), reason="coqc is missing; type: scripts/install-scienceboard coq"
)
@pytest.mark.parametrize("name", PROOFS)
def test_references_are_proofs(name: str, tmp_path: Path) -> None:
    """On several seeds Coq accepts what the reference writes, and not what the mistake writes."""
    for seed in (0, 1, 7):
        case, before, steps = _case(name, seed)
        (text,) = (row["text"] for row in before.collections["files"].values())
        assert text.count(case["was"]) >= 1
        place = (
            case.values.get("text", "@@").index("@@") if "text" in case.values else text.rindex(case["was"])
        )
        good, weak = (text[:place] + case[key] + text[place + len(case["was"]) :] for key in ("now", "weak"))
        assert _judged(tmp_path, good, steps) == CLOSED, (seed, good)
        assert _judged(tmp_path, weak, steps) != CLOSED, (seed, weak)


@pytest.mark.parametrize("name", TASKS)
def test_nothing_done(name: str) -> None:
    """Doing nothing is no success."""
    if name.startswith("display_"):
        pytest.skip("its case is made of CoqIDE's menu")
    case, before, _ = _case(name, 3)
    assert not TASKS[name].judge(Evidence(before, before, None, "success"), case).success


@pytest.mark.parametrize("name", PROOFS)
def test_changed_statement(name: str) -> None:
    """A file whose statement was changed is harm, whatever is proved about it."""
    case, before, _ = _case(name, 2)
    (path,) = before.collections["files"]
    after = State(
        {**before.collections, "files": {path: {"text": "Theorem t : True. Proof. exact I. Qed.\n"}}}
    )
    verdict = TASKS[name].judge(Evidence(before, after, None, "success"), case)
    assert [violation.subject for violation in verdict.violations] == [path]


def test_what_coq_computes() -> None:
    """Expected answers differ with the seed."""
    for name, task in TASKS.items():
        if task.template.endswith("ask"):
            assert len({_case(name, seed)[0]["answer"] for seed in range(8)}) > 2, name
