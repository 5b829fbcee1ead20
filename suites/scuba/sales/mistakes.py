"""Plausible ways to do each task of sales wrong, with what they must score."""

from __future__ import annotations

from pytest_cuabench.task import Case

from ..slips import misread, slips_of
from . import solutions

slip = slips_of(solutions)


@slip("sales_001", "milestone:contact_name", 0.4)
def entered_who_was_mentioned(case: Case) -> Case:
    """The contact is the person who only told of the company."""
    return misread(
        case, contact=case["mentioned"], first_name=case["other_first"], last_name=case["other_last"]
    )


@slip("sales_001", "milestone:contact_on_account", 0.8)
def left_the_contact_without_account(case: Case) -> Case:
    """Nobody sees where the contact belongs."""
    return misread(case, on_account=False)


@slip("sales_002", "milestone:below_1")
def made_all_accounts_equal(case: Case) -> Case:
    """The accounts are there, none below another."""
    names = [name for branch in case["tree"] for name in (branch["parent"], *branch["children"])]
    return misread(case, tree=[{"parent": name, "children": []} for name in names])


@slip("sales_002", "milestone:parent_1")
def shortened_the_first_name(case: Case) -> Case:
    """What stands behind the hyphen is missing."""
    first, *rest = case["tree"]
    short = {**first, "parent": first["parent"].partition(" - ")[0]}
    return misread(case, tree=[short, *rest])


@slip("sales_003", "milestone:rating", 0.818)
def rated_otherwise(case: Case) -> Case:
    """The lead is called warmer or colder than it is."""
    return misread(case, rating=case["other_rating"])


@slip("sales_003", "milestone:industry", 0.909)
def chose_another_industry(case: Case) -> Case:
    """The lead works in another trade now."""
    return misread(case, industry="Energy")


@slip("sales_003", "milestone:company", 0.818)
def abbreviated_the_company(case: Case) -> Case:
    """Nobody finds the company."""
    return misread(case, company=case["company"][:4])


@slip("sales_004", "milestone:opportunity_name", 0.727)
def left_the_proposed_name(case: Case) -> Case:
    """The opportunity has the name that the dialog proposes."""
    return misread(case, opportunity="")


@slip("sales_004", "record_integrity/critical", 0.0)
def converted_somebody_else(case: Case) -> Case:
    """There is no way back for the other lead."""
    return misread(case, lead=case["other_lead"])


@slip("sales_005", "milestone:stage")
def set_another_stage(case: Case) -> Case:
    """The opportunity is further than it is."""
    return misread(case, stage=case["other_stage"])


@slip("sales_005", "record_integrity/critical", 0.0)
def took_another_opportunity(case: Case) -> Case:
    """The stage and the activity are somebody else's."""
    return misread(case, opportunity=case["other_opportunity"])


@slip("sales_005", "milestone:activity")
def took_another_kind(case: Case) -> Case:
    """The text is right, in an activity of another kind."""
    return misread(case, activity="Task" if case["activity"] != "Task" else "Call", field="Subject")


@slip("sales_006", "milestone:product_1")
def forgot_the_first_product(case: Case) -> Case:
    """One product is missing."""
    return misread(case, products=case["products"][1:])


@slip("sales_006", "milestone:descriptions")
def left_the_descriptions_out(case: Case) -> Case:
    """The products say nothing of themselves."""
    return misread(case, products=[{**entry, "description": ""} for entry in case["products"]])


@slip("sales_007", "milestone:price_1", 0.6)
def swapped_the_prices(case: Case) -> Case:
    """The cheap one is the dear one."""
    first, second = case["books"]
    return misread(case, books=[{**first, "price": second["price"]}, {**second, "price": first["price"]}])


@slip("sales_007", "milestone:product_1", 0.2)
def priced_another_product(case: Case) -> Case:
    """The prices are of something else."""
    return misread(case, product=case["other_product"])


@slip("sales_007", "milestone:book_2", 0.5)
def made_one_book_only(case: Case) -> Case:
    """Half of the work is done."""
    return misread(case, books=case["books"][:1])


@slip("sales_008", "milestone:quantity", 0.909)
def quoted_one_more(case: Case) -> Case:
    """The quantity is not the one that was agreed."""
    return misread(case, quantity=case["quantity"] + 1)


@slip("sales_008", "milestone:expiration_date", 0.818)
def let_it_expire_a_day_later(case: Case) -> Case:
    """The count began tomorrow."""
    return misread(case, expires_on=case["next_day"])


@slip("sales_008", "milestone:opportunity")
def quoted_for_another_opportunity(case: Case) -> Case:
    """Somebody else gets the quote."""
    return misread(case, opportunity=case["other_opportunity"])


@slip("sales_009", "milestone:order_start_date", 0.818)
def started_both_at_once(case: Case) -> Case:
    """The order begins with the contract."""
    return misread(case, order_starts_on=case["starts_on"])


@slip("sales_009", "milestone:term", 0.818)
def agreed_on_a_year_more(case: Case) -> Case:
    """The contract binds longer than it should."""
    return misread(case, term=case["term"] + 12)


@slip("sales_009", "milestone:contract", 0.0)
def bound_another_account(case: Case) -> Case:
    """The contract is with somebody else."""
    return misread(case, account=case["other_account"])


@slip("sales_012", "milestone:members", 0.8)
def invited_somebody_else_too(case: Case) -> Case:
    """One lead hears of it who should not."""
    return misread(case, leads=[*case["leads"], case["other_lead"]])


@slip("sales_012", "milestone:expected_revenue", 0.8)
def expected_the_budget(case: Case) -> Case:
    """The revenue is not multiplied."""
    return misread(case, revenue=case["budget"])


@slip("sales_013", "milestone:answer", 0.0)
def judged_otherwise(case: Case) -> Case:
    """Something else stands in the way, or nothing does."""
    return misread(case, answer=case["other_answer"])


@slip("sales_013", "milestone:answer", 0.0)
def named_two_factors(case: Case) -> Case:
    """One word was asked."""
    return misread(case, answer=f"{case['answer']} and {case['other_answer']}")


@slip("sales_014", "milestone:answer", 0.0)
def took_the_stage_for_right(case: Case) -> Case:
    """Right was called wrong, or wrong right."""
    return misread(case, answer=case["other_answer"])


@slip("sales_014", "milestone:answer", 0.0)
def denied_the_right_stage(case: Case) -> Case:
    """The label is there, and said not to be it."""
    return misread(case, answer=f"It is not {case['answer']}.")


@slip("sales_015", "milestone:answer", 0.0)
def heard_something_else(case: Case) -> Case:
    """The call says otherwise, or the unit is missing."""
    return misread(case, answer=case["other_answer"])


@slip("sales_015", "milestone:answer", 0.0)
def was_not_sure(case: Case) -> Case:
    """Two answers are none."""
    return misread(case, answer=f"{case['answer']} or {case['other_answer']}")
