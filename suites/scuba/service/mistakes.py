"""Plausible ways to do each task of service wrong, with what they must score."""

from __future__ import annotations

from pytest_cuabench.task import Case

from ..slips import misread, slips_of
from . import solutions

slip = slips_of(solutions)


@slip("service_001", "milestone:object")
def supported_another_object(case: Case) -> Case:
    """The queue is for something else."""
    return misread(case, object="Lead", object_label="Lead")


@slip("service_001", "milestone:members")
def let_one_role_more_in(case: Case) -> Case:
    """Others see the queue as well."""
    return misread(case, roles=[*case["roles"], case["other_role"]])


@slip("service_003", "milestone:contact", 0.85)
def opened_it_for_somebody_else(case: Case) -> Case:
    """Another customer gets the answers."""
    return misread(case, contact=case["other_contact"])


@slip("service_003", "milestone:priority", 0.85)
def gave_another_priority(case: Case) -> Case:
    """The case waits longer or shorter than it should."""
    return misread(case, priority="Low" if case["priority"] != "Low" else "High")


@slip("service_003", "milestone:case", 0.0)
def shortened_the_subject(case: Case) -> Case:
    """Nobody finds the case by its subject."""
    return misread(case, subject=case["subject"][:12])


@slip("service_004", "record_integrity/critical", 0.0)
def changed_another_case(case: Case) -> Case:
    """Another customer's case was changed."""
    return misread(case, subject=case["other_case"])


@slip("service_004", "milestone:status", 0.5)
def closed_it(case: Case) -> Case:
    """The case is gone from everybody's list."""
    return misread(case, status="Closed")


@slip("service_005", "milestone:dates", 0.7)
def counted_the_end_from_today(case: Case) -> Case:
    """The time until the start was taken away from the customer."""
    return misread(case, ends_on=case["ends_from_today"])


@slip("service_005", "milestone:entitlement", 0.0)
def entitled_another_account(case: Case) -> Case:
    """Somebody else gets the support."""
    return misread(case, account=case["other_account"])


@slip("service_006", "milestone:milestone_1")
def confused_the_recurrence(case: Case) -> Case:
    """The first milestone recurs in another way."""
    first, *rest = case["milestones"]
    other = "recursIndependently" if first["recurrence"] != "recursIndependently" else "none"
    return misread(case, milestones=[{**first, "recurrence": other}, *rest])


@slip("service_006", "record_integrity/major", 1.0)
def made_one_milestone_more(case: Case) -> Case:
    """All are there, and one that nobody wanted."""
    return misread(case, milestones=[*case["milestones"], {"name": "follow up", "recurrence": "none"}])


@slip("service_010", "milestone:published", 0.7)
def left_a_draft(case: Case) -> Case:
    """Nobody but the author reads it."""
    return misread(case, publish=False)


@slip("service_010", "milestone:texts", 0.6)
def swapped_question_and_answer(case: Case) -> Case:
    """The answer stands where the question belongs."""
    return misread(case, question=case["text"], text=case["question"])


@slip("service_011", "milestone:answer", 0.0)
def told_another_rule(case: Case) -> Case:
    """The article says otherwise."""
    return misread(case, answer=case["other_answer"])


@slip("service_011", "milestone:answer", 0.0)
def told_nothing(case: Case) -> Case:
    """Polite, and no help at all."""
    return misread(case, answer="We are sorry for the trouble and will look into it.")


@slip("service_013", "milestone:products", 0.5)
def took_the_impact_for_another(case: Case) -> Case:
    """The trouble is called smaller or larger than it is."""
    first, *rest = case["products"]
    other = "Business-Blocking" if first["impact"] != "Business-Blocking" else "Not Business-Blocking"
    return misread(case, products=[{**first, "impact": other}, *rest])


@slip("service_013", "milestone:incident", 0.5)
def gave_another_priority_to_the_incident(case: Case) -> Case:
    """The wrong people are woken up."""
    return misread(case, priority="Critical")


@slip("service_013", "milestone:products", 0.5)
def forgot_the_products(case: Case) -> Case:
    """Nobody knows what is broken."""
    return misread(case, products=[])


@slip("service_014", "milestone:linked", 0.64)
def forgot_the_link(case: Case) -> Case:
    """The change stands alone."""
    return misread(case, link=False)


@slip("service_014", "record_integrity/critical", 0.45)
def took_another_incident(case: Case) -> Case:
    """Another incident was changed."""
    return misread(case, incident=case["other_incident"])
