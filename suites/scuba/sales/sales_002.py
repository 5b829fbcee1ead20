"""Account hierarchy."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.following import Exactly
from ..toolkit.judging import Findings, exists, judged
from ..toolkit.lightning import enter, look_up
from ..toolkit.records import Records, Row, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Say which account is below which."""
    return {"tree_words": "; ".join(_branch(branch) for branch in values["tree"])}


def _branch(branch: Given) -> str:
    below = " and ".join(f'"{name}"' for name in branch["children"])
    return f'"{branch["parent"]}"' + (f", and below it {below}" if below else ", with nothing below it")


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have every account, and those below others below them."""
    share = 1 / sum(1 + 2 * len(branch["children"]) for branch in case["tree"])
    number = 0
    for place, branch in enumerate(case["tree"], 1):
        parent = work.closest("Account", {"Name": Exactly(branch["parent"])}, ParentId=None)
        top = parent if parent and not parent.get("ParentId") else None
        yield exists(f"parent_{place}", share, top, f"'{branch['parent']}' with no parent account")
        for name in branch["children"]:
            number += 1
            child = work.closest("Account", {"Name": Exactly(name)}, ParentId=(parent or {}).get("Id"))
            yield exists(f"child_{number}", share, child, f"an account '{name}'")
            below = bool(parent and child and child.get("ParentId") == parent["Id"])
            seen = work.after.name("Account", child.get("ParentId")) if child else "no such account"
            yield Milestone(
                f"below_{number}", below, share, f"{name} below {branch['parent']}", seen or "no parent"
            )


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Accounts of these names; the last one of several counts."""
    rows = {called(row): row for row in Records(evidence.after).all("Account")}
    share = 1 / sum(1 + 2 * len(branch["children"]) for branch in case["tree"])
    number = 0
    for place, branch in enumerate(case["tree"], 1):
        parent = rows.get(branch["parent"])
        yield fact(f"parent_{place}", share, parent is not None)
        for name in branch["children"]:
            number += 1
            child = rows.get(name)
            yield fact(f"child_{number}", share, child is not None)
            yield fact(f"below_{number}", share, _below(child, parent))


def _below(child: Row | None, parent: Row | None) -> bool:
    return child is not None and parent is not None and child.get("ParentId") == parent["Id"]


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter each upper account, then those below it with their parent."""
    for branch in case["tree"]:
        await _enter_account(pilot, branch["parent"])
        for name in branch["children"]:
            await _enter_account(pilot, name, branch["parent"])


async def _enter_account(pilot: Pilot, name: str, parent: str = "") -> None:
    await shared.new(pilot, "Accounts")
    await enter(pilot, "Account Name", name)
    if parent:
        await look_up(pilot, "Parent Account", parent)
    await shared.save_anyway(pilot)


@slip("milestone:below_1")
def made_all_accounts_equal(case: Case) -> Case:
    """The accounts are there, none below another."""
    names = [name for branch in case["tree"] for name in (branch["parent"], *branch["children"])]
    return misread(case, tree=[{"parent": name, "children": []} for name in names])


@slip("milestone:parent_1")
def shortened_the_first_name(case: Case) -> Case:
    """What stands behind the hyphen or dash is missing."""
    first, *rest = case["tree"]
    short = {**first, "parent": re.split(" [-–] ", first["parent"])[0]}
    return misread(case, tree=[short, *rest])
