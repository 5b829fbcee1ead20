"""How SCUBA's checks compare formulas: by what they compute, as the org itself computes them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.formulas import EvaluationError, FormulaError, Scope, Use, record_formula
from salesforce_org.store import Org

from .scuba_trials import SUITE, seeded

TASKS = {task.id: task for task in SUITE.tasks if task.template in ("admin_029", "admin_030")}
_SUITE = vars(TASKS["admin_030_001"].functions.wrong[0].solution)["reading"].__module__.partition(".admin")[0]
FORMULAS: Any = import_module(f"{_SUITE}.toolkit.formulas")
# Other formulas by the task: those that mean the same, and those that do not.
SAME = {
    "admin_029_001": ("closedate-today()", "DATEVALUE(TEXT(CloseDate)) - TODAY()", "(CloseDate) - (TODAY())"),
    "admin_029_002": ("Owner.Country == BillingCountry", "IF(BillingCountry <> Owner.Country, FALSE, TRUE)"),
    "admin_029_003": (
        'CASE(Status, "Open", TODAY() - DATEVALUE(CreatedDate), NULL)',
        'IF(NOT(ISPICKVAL(Status, "Open")), NULL, TODAY() - DATEVALUE(CreatedDate))',
    ),
    "admin_029_004": ("TEXT(AnnualRevenue / 1000) + 'K'", "TEXT(AnnualRevenue * 0.001) & 'K'"),
    "admin_029_005": ("1000000 < Account.AnnualRevenue", "IF(Account.AnnualRevenue > 10^6, TRUE, FALSE)"),
    "admin_030_001": ("LEN(AccountNumber) != 8", "NOT(LEN(AccountNumber) = 8)"),
    "admin_030_002": ('!CONTAINS(Email, "@company.com")', 'FIND("@company.com", Email) = 0'),
    "admin_030_003": ("TODAY() > CloseDate", "CloseDate - TODAY() < 0"),
    "admin_030_004": ("0 >= AnnualRevenue", "AND(NOT(ISBLANK(AnnualRevenue)), AnnualRevenue <= 0)"),
    "admin_030_005": ('AND(CONTAINS(Owner.Email, "example.com"), LEN(Description) < 20)',),
}
OTHER = {
    "admin_029_001": ("CloseDate - NOW()", "ABS(CloseDate - TODAY())", "TODAY()"),
    "admin_029_002": ("BillingCountry = $User.Country", "BillingCountry <> Owner.Country", "TRUE"),
    "admin_029_003": ("TODAY() - DATEVALUE(CreatedDate)", 'IF(ISPICKVAL(Status, "Open"), 1, NULL)'),
    "admin_029_004": ('TEXT(ROUND(AnnualRevenue / 1000, 0)) & "K"', 'TEXT(AnnualRevenue) & "K"'),
    "admin_029_005": ("Account.AnnualRevenue > 100000", "AnnualRevenue > 1000000"),
    "admin_030_001": ("LEN(AccountNumber) = 8", "LEN(AccountNumber) > 8", 'REGEX(AccountNumber, ".{8}")'),
    "admin_030_002": ('NOT(CONTAINS(Email, "company.com"))', 'NOT(BEGINS(Email, "@company.com"))'),
    "admin_030_003": ("CloseDate < TODAY() - 1", "CloseDate > TODAY()"),
    "admin_030_004": ("AnnualRevenue = 0", "NOT(AnnualRevenue > 0)"),
    "admin_030_005": ("LEN(Description) < 20", 'CONTAINS(Owner.Email, "example.com")'),
}


def alike(id: str, formula: str) -> bool:
    """Whether the check of a task takes a formula for the one asked for."""
    values = TASKS[id].values
    samples = FORMULAS.records(values["samples"])
    return bool(FORMULAS.alike(values["formula"], formula, samples, zero=id.startswith("admin_029")))


@pytest.mark.parametrize("id", TASKS)
def test_formulas_that_mean_the_same(id: str) -> None:
    """Another spelling of a formula is right, in whatever case and with whatever spaces."""
    formula = TASKS[id].values["formula"]
    for one in (*SAME[id], formula, f" ( {formula} ) ", formula.lower() if '"' not in formula else formula):
        assert alike(id, one), one


@pytest.mark.parametrize("id", TASKS)
def test_formulas_that_mean_something_else(id: str) -> None:
    """A formula that is different for some record is wrong, and so is what is no formula."""
    for one in (*OTHER[id], TASKS[id].values["mistake"], "", "(", '"', "LEN("):
        assert not alike(id, one), one


@cache
def org() -> Org:
    """An org whose accounts are looked at."""
    return seeded(0)


PARTS = st.sampled_from(["Name", "Site", '""', '"ab"', '"a\'b"'])
NUMBERS = st.sampled_from(["AnnualRevenue", "NumberOfEmployees", "LEN(Name)", "2", "0.5", "NULL"])
TESTS = st.one_of(
    st.builds("{} {} {}".format, NUMBERS, st.sampled_from(["<", ">", "<=", ">=", "=", "<>"]), NUMBERS),
    st.builds("{}({}, {})".format, st.sampled_from(["CONTAINS", "BEGINS"]), PARTS, PARTS),
    st.builds("ISBLANK({})".format, PARTS | NUMBERS),
    st.builds("{} = {}".format, PARTS, PARTS),
)
SUMS = st.builds("({} {} {})".format, NUMBERS, st.sampled_from(["+", "-", "*"]), NUMBERS)
TEXTS = st.one_of(
    PARTS,
    st.builds("{} & {}".format, PARTS, PARTS),
    st.builds("{}({})".format, st.sampled_from(["UPPER", "LOWER", "TRIM"]), PARTS),
    st.builds(
        "{}({}, {})".format, st.sampled_from(["LEFT", "RIGHT"]), PARTS, st.sampled_from(["0", "1", "9"])
    ),
    st.builds("TEXT({})".format, SUMS),
)
WHOLE = st.one_of(
    st.builds("IF({}, {}, {})".format, TESTS, TEXTS, TEXTS),
    st.builds("{}({}, NOT({}))".format, st.sampled_from(["AND", "OR"]), TESTS, TESTS),
    st.builds("{} {} {}".format, TESTS, st.sampled_from(["&&", "||"]), TESTS),
    SUMS,
)


@given(
    WHOLE,
    st.sampled_from(["", "a", "ab b", "B"]),
    st.sampled_from([None, 0, 3, 2.5]),
    st.sampled_from([None, 7]),
)
@settings(max_examples=150, deadline=None)
def test_checks_compute_as_the_org_does(
    text: str, name: str, revenue: float | None, number: int | None
) -> None:
    """Two programs that were written apart give the same value."""
    row = {"Name": name, "Site": "ab", "AnnualRevenue": revenue, "NumberOfEmployees": number}
    sample = {key: "" if value is None and key in ("Name", "Site") else value for key, value in row.items()}
    try:
        formula = record_formula(org().schema, "Account", text, Use.VALIDATION)
        expected = formula.evaluate(Scope(org(), org().schema["Account"], row))
    except (FormulaError, EvaluationError):
        return
    found = FORMULAS._value(text, FORMULAS.records({key: [value] for key, value in sample.items()})[0], False)
    assert found == (None if expected == "" else expected)
