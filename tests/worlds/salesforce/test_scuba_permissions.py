"""What SCUBA asks about permissions can be read in Setup, page by page, and means the same there as in the records."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from shipped import shipped

from pytest_cuabench.task.case import Case
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Task

from .setup_browser import Browser, browser

SETS = "/lightning/setup/PermSets/home"
GROUPS = "/lightning/setup/PermSetGroups/home"
PROFILES = "/lightning/setup/EnhancedProfiles/home"
PLURALS = {"Account": "Accounts", "Case": "Cases", "Opportunity": "Opportunities", "Order": "Orders"}
TASKS = [task for task in shipped("scuba").tasks if task.template == "admin_039"]


def rights(setup: Browser, page: str, owner: str, object: str) -> set[str]:
    """Return what the object settings of a permission set, group or profile show as allowed."""
    setup.go(page).open(owner).open("Object Settings").open(PLURALS[object])
    return {name for name, enabled in setup.rows("Object Permissions") if enabled == "True"}


def grants(setup: Browser, case: Case) -> str:
    """Look at one permission set."""
    return "yes" if case["right"] in rights(setup, SETS, case["options"][0], case["object"]) else "no"


def lacks(setup: Browser, case: Case) -> str:
    """Look at the object's own table of permission sets."""
    setup.go(f"/lightning/setup/ObjectManager/{case['object']}/ObjectAccess/view")
    column = [head.text_content().strip() for head in setup.page.xpath("//table[1]//th[@scope='col']")].index(
        case["right"]
    )
    shown = {row[0]: row[column] for row in setup.rows("Permission Sets")}
    (found,) = (name for name in case["options"] if shown[name] == "False")
    return str(found)


def fewest(setup: Browser, case: Case) -> str:
    """Count what each profile allows."""
    counts = {name: len(rights(setup, PROFILES, name, case["object"])) for name in case["options"]}
    return min(counts, key=lambda name: counts[name])


def which_group(setup: Browser, case: Case) -> str:
    """Look at what each group allows as a whole."""
    allowed = [
        name for name in case["options"] if case["right"] in rights(setup, GROUPS, name, case["object"])
    ]
    assert len(allowed) == 1
    return str(allowed[0])


def which_object(setup: Browser, case: Case) -> str:
    """Look at each object."""
    allowed = [
        name for name in case["options"] if case["right"] in rights(setup, SETS, case["permission_set"], name)
    ]
    assert len(allowed) == 1
    return str(allowed[0])


READ: dict[str, Callable[[Browser, Case], str]] = {
    "grants": grants,
    "lacks": lacks,
    "fewest": fewest,
    "group": which_group,
    "object": which_object,
}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_answers_stand_in_setup(task: Task, seed: int) -> None:
    """What the pages show leads to the answer that counts, without a change in the org."""
    setup = browser(seed)
    case = task.case(
        State(setup.org.collections(), clock=setup.org.now.isoformat(timespec="seconds")), "zero_shot", seed
    )
    assert READ[case["question"]](setup, case) == case["answer"]
    assert not setup.org.journal.writes
