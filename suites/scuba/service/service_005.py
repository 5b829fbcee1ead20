"""New entitlement."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import dates
from ..toolkit.judging import Findings, exists, holds, judged
from ..toolkit.lightning import PAGE, enter, enter_date, look_up, open_app, open_tab, pick, press, save
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the account, and work out the dates."""
    org = Records(state)
    account = org.one("Account", values["account"])
    starts = dates.after(org.today, values["starts"])
    return {
        "account_id": account["Id"],
        "other_account": shared.other(org, random, "Account", account),
        "starts_on": starts.isoformat(),
        "starts_words": dates.words(values["starts"]),
        "ends_on": dates.after(starts, values["ends"]).isoformat(),
        "ends_words": dates.words(values["ends"]),
        "ends_from_today": dates.after(org.today, values["ends"]).isoformat(),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the entitlement of the account with its type and dates."""
    identity = {"Name": case["entitlement"], "AccountId": case["account_id"]}
    facts = {"Type": case["type"], "StartDate": case["starts_on"], "EndDate": case["ends_on"]}
    row = work.closest("Entitlement", identity, **facts)
    dates = [(row or {}).get(name) for name in ("StartDate", "EndDate")]
    wanted = [case["starts_on"], case["ends_on"]]
    yield exists("entitlement", 0.4, row, f"'{case['entitlement']}' of {case['account']}")
    yield holds("type", 0.3, row, "Type", case["type"])
    yield Milestone("dates", dates == wanted, 0.3, " to ".join(wanted), " to ".join(map(str, dates)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the entitlement with its account and dates."""
    await open_app(pilot, "Service")
    await open_tab(pilot, "Entitlements")
    await press(pilot, "New", PAGE)
    await enter(pilot, "Entitlement Name", case["entitlement"])
    await look_up(pilot, "Account Name", case["account"])
    await pick(pilot, "Type", case["type"])
    await enter_date(pilot, "Start Date", case["starts_on"])
    await enter_date(pilot, "End Date", case["ends_on"])
    await save(pilot)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first entitlement of the name and account."""
    org = Records(evidence.after)
    row = first(org.where("Entitlement", Name=case["entitlement"], AccountId=case["account_id"]))
    dates = [row.get("StartDate"), row.get("EndDate")]
    yield fact("entitlement", 0.4, bool(row))
    yield fact("type", 0.3, row.get("Type") == case["type"])
    yield fact("dates", 0.3, dates == [case["starts_on"], case["ends_on"]])


@slip("milestone:dates", 0.7)
def counted_the_end_from_today(case: Case) -> Case:
    """The time until the start was taken away from the customer."""
    return misread(case, ends_on=case["ends_from_today"])


@slip("milestone:entitlement", 0.0)
def entitled_another_account(case: Case) -> Case:
    """Somebody else gets the support."""
    return misread(case, account=case["other_account"])
