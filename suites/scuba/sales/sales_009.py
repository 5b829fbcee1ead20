"""Contract with an order."""

from __future__ import annotations

from datetime import date
from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import dates
from ..toolkit import lightning as hands
from ..toolkit.judging import ASKED, Findings, exists, holds, judged
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
        "order_starts_on": dates.after(starts, values["order_starts"]).isoformat(),
        "next_day": date.fromordinal(starts.toordinal() + 1).isoformat(),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the contract of the account, and its order."""
    facts = {"StartDate": case["starts_on"], "ContractTerm": case["term"]}
    contract = work.closest("Contract", {"AccountId": case["account_id"]}, **facts)
    order = work.closest(
        "Order", {"ContractId": (contract or {}).get("Id", "-")}, EffectiveDate=case["order_starts_on"]
    )
    for row in (contract, order):
        work.claim(row, "Status", AccountId=case["account_id"])
    yield exists("contract", 0.2, contract, f"a new contract of {case['account']}")
    yield holds("start_date", 0.2, contract, "StartDate", case["starts_on"])
    yield holds("term", 0.2, contract, "ContractTerm", case["term"])
    yield exists("order", 0.2, order, "a new order of the contract")
    yield holds("order_start_date", 0.2, order, "EffectiveDate", case["order_starts_on"])
    drafts = [row for row in (contract, order) if row and row.get("Status") == "Draft"]
    yield Milestone("drafts", len(drafts) == 2, ASKED, "both are drafts", f"{len(drafts)} of 2 are drafts")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first contract of the account, and the first order of it."""
    org = Records(evidence.after)
    contract = first(org.where("Contract", AccountId=case["account_id"]))
    order = first(org.where("Order", ContractId=contract["Id"]) if contract else [])
    yield fact("contract", 0.2, bool(contract))
    yield fact("start_date", 0.2, contract.get("StartDate") == case["starts_on"])
    yield fact("term", 0.2, contract.get("ContractTerm") == case["term"])
    yield fact("order", 0.2, bool(order))
    yield fact("order_start_date", 0.2, order.get("EffectiveDate") == case["order_starts_on"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Draw up the contract on the account's page, and the order on the contract's."""
    await hands.open_record(pilot, "Accounts", case["account"])
    await hands.new_related(pilot, "Contracts")
    await hands.enter_date(pilot, "Contract Start Date", case["starts_on"])
    await hands.enter(pilot, "Contract Term (months)", str(case["term"]))
    await hands.save(pilot)
    await hands.open_saved(pilot)
    await hands.new_related(pilot, "Orders")
    await hands.enter_date(pilot, "Order Start Date", case["order_starts_on"])
    await hands.save(pilot)


@slip("milestone:order_start_date", 0.818)
def started_both_at_once(case: Case) -> Case:
    """The order begins with the contract."""
    return misread(case, order_starts_on=case["starts_on"])


@slip("milestone:term", 0.818)
def agreed_on_a_year_more(case: Case) -> Case:
    """The contract binds longer than it should."""
    return misread(case, term=case["term"] + 12)


@slip("milestone:contract", 0.0)
def bound_another_account(case: Case) -> Case:
    """The contract is with somebody else."""
    return misread(case, account=case["other_account"])
