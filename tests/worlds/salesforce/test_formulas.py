"""The formula language: text and tree, functions and operators, Salesforce's sentences, and exact values."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.formulas import FUNCTIONS, EvaluationError, FormulaError, Scope, Use, record_formula
from salesforce_org.formulas.parser import parse
from salesforce_org.formulas.tree import LEVELS, Binary, Call, Expression, Literal, Name, Unary, unparse
from salesforce_org.formulas.values import text_of
from salesforce_org.store import Org

from .seeded_org import seeded

ID = "001000000000001"
# One documented behaviour of each function: a formula whose text is the second part.
EXAMPLES = {
    "ABS": ("ABS(-1.5)", "1.5"),
    "ACOS": ("ROUND(ACOS(-1) - PI(), 10)", "0"),
    "ADDMONTHS": ("ADDMONTHS(DATE(2023, 2, 28), 1)", "2023-03-31"),
    "AND": ("AND(1 = 1, TRUE, 2 < 1)", "False"),
    "ASCII": ('ASCII("A")', "65"),
    "ASIN": ("ROUND(ASIN(1) * 2 - PI(), 10)", "0"),
    "ATAN": ("ROUND(ATAN(1) * 4 - PI(), 10)", "0"),
    "ATAN2": ("ROUND(ATAN2(1, -1) * 4 / PI(), 6)", "3"),
    "BEGINS": ('BEGINS("Salesforce", "sales")', "False"),
    "BLANKVALUE": ('BLANKVALUE("", "Undesignated")', "Undesignated"),
    "BR": ('"a" & BR() & "b"', "a<br>b"),
    "CASE": ('CASE(2, 1, "January", 2, "February", "None")', "February"),
    "CASESAFEID": (f'CASESAFEID("{ID}")', "001000000000001AAA"),
    "CEILING": ("CEILING(-2.5)", "-3"),
    "CHR": ("CHR(65)", "A"),
    "CONTAINS": ('CONTAINS("abc", "")', "True"),
    "COS": ("COS(0)", "1"),
    "CURRENCYRATE": ('CURRENCYRATE("USD")', "1"),
    "DATE": ("DATE(2024, 2, 29)", "2024-02-29"),
    "DATETIMEVALUE": ('DATETIMEVALUE("2005-11-15 17:00:00")', "2005-11-15 17:00:00Z"),
    "DATEVALUE": ('DATEVALUE("2005-11-15")', "2005-11-15"),
    "DAY": ("DAY(DATE(2026, 3, 17))", "17"),
    "DAYOFYEAR": ("DAYOFYEAR(DATE(2024, 12, 31))", "366"),
    "DISTANCE": (
        'ROUND(DISTANCE(GEOLOCATION(37.775, -122.418), GEOLOCATION(37.7749, -122.418), "km"), 2)',
        "0.01",
    ),
    "EXP": ("EXP(0)", "1"),
    "FIND": ('FIND("b", "abcb", 3)', "4"),
    "FLOOR": ("FLOOR(-2.5)", "-2"),
    "FORMATDURATION": ("FORMATDURATION(90061, TRUE)", "1:01:01:01"),
    "FROMUNIXTIME": ("FROMUNIXTIME(1132074000)", "2005-11-15 17:00:00Z"),
    "GEOLOCATION": ('DISTANCE(GEOLOCATION(0, 0), GEOLOCATION(0, 0), "mi")', "0"),
    "GETSESSIONID": ("ISBLANK(GETSESSIONID())", "True"),
    "HOUR": ('HOUR(TIMEVALUE("17:30:45.125"))', "17"),
    "HTMLENCODE": ('HTMLENCODE("<b>")', "&lt;b&gt;"),
    "HYPERLINK": (
        'HYPERLINK("/x", "Click & go")',
        '<a href="/x" target="_blank">Click &amp; go</a>',
    ),
    "IF": ('IF(1 > 2, "yes", "no")', "no"),
    "IMAGE": (
        'IMAGE("/a.png", "A", 10, 20)',
        '<img src="/a.png" alt="A" style="height:10px; width:20px;" border="0"/>',
    ),
    "IMAGEPROXYURL": ('IMAGEPROXYURL("https://x")', "https://x"),
    "INCLUDES": ('INCLUDES(Regions__c, "North")', "True"),
    "INITCAP": ('INITCAP("hELLO wORLD")', "Hello World"),
    "ISBLANK": ("ISBLANK(NULL)", "True"),
    "ISCHANGED": ("ISCHANGED(Name)", "True"),
    "ISCLONE": ("ISCLONE()", "False"),
    "ISNEW": ("ISNEW()", "False"),
    "ISNULL": ('ISNULL("")', "False"),
    "ISNUMBER": ('ISNUMBER("12.5")', "True"),
    "ISOWEEK": ("ISOWEEK(DATE(2021, 1, 3))", "53"),
    "ISOYEAR": ("ISOYEAR(DATE(2021, 1, 3))", "2020"),
    "ISPICKVAL": ('ISPICKVAL(Industry, "Technology")', "True"),
    "JSENCODE": ('JSENCODE("it\'s")', "it\\'s"),
    "JSINHTMLENCODE": ('JSINHTMLENCODE("<")', "&lt;"),
    "JUNCTIONIDLIST": ('JUNCTIONIDLIST("a", "b")', "a;b"),
    "LEFT": ('LEFT("ABCDEF", 3)', "ABC"),
    "LEN": ('LEN("")', "0"),
    "LINKTO": (f'LINKTO("Acme", "Account", "{ID}")', f'<a href="/{ID}">Acme</a>'),
    "LN": ("LN(1)", "0"),
    "LOG": ("LOG(1000)", "3"),
    "LOWER": ('LOWER("ABC")', "abc"),
    "LPAD": ("LPAD('my_company.com', 15, 'z')", "zmy_company.com"),
    "MAX": ("MAX(1, 5, 3)", "5"),
    "MCEILING": ("MCEILING(-2.5)", "-2"),
    "MFLOOR": ("MFLOOR(-2.5)", "-3"),
    "MID": ('MID("ABCDEF", 2, 3)', "BCD"),
    "MILLISECOND": ('MILLISECOND(TIMEVALUE("17:30:45.125"))', "125"),
    "MIN": ("MIN(4, 2)", "2"),
    "MINUTE": ('MINUTE(TIMEVALUE("17:30:45.125"))', "30"),
    "MOD": ("MOD(123, 100)", "23"),
    "MONTH": ("MONTH(DATE(2026, 3, 17))", "3"),
    "NOT": ("NOT(FALSE)", "True"),
    "NOW": ("NOW() - NOW()", "0"),
    "NULLVALUE": ("NULLVALUE(NumberOfEmployees, 7)", "7"),
    "OR": ("OR(1 = 2, 2 = 2)", "True"),
    "PI": ("ROUND(PI(), 5)", "3.14159"),
    "PICKLISTCOUNT": ("PICKLISTCOUNT(Regions__c)", "2"),
    "PRIORVALUE": ("PRIORVALUE(Name)", "Before"),
    "REGEX": ('REGEX("123-45-6789", "[0-9]{3}-[0-9]{2}-[0-9]{4}")', "True"),
    "REQUIRESCRIPT": ('REQUIRESCRIPT("/x.js")', '<script src="/x.js"></script>'),
    "REVERSE": ('REVERSE("abc")', "cba"),
    "RIGHT": ('RIGHT("ABCDEF", 2)', "EF"),
    "ROUND": ("ROUND(-1.5, 0)", "-2"),
    "RPAD": ("RPAD('Name', 6, 'z')", "Namezz"),
    "SECOND": ('SECOND(TIMEVALUE("17:30:45.125"))', "45"),
    "SIN": ("SIN(0)", "0"),
    "SQRT": ("SQRT(16)", "4"),
    "SUBSTITUTE": ('SUBSTITUTE("Coupon", "Coup", "Butt")', "Button"),
    "TAN": ("TAN(0)", "0"),
    "TEXT": ("TEXT(Industry)", "Technology"),
    "TIMENOW": ("TIMENOW() - TIMENOW()", "0"),
    "TIMEVALUE": ('TIMEVALUE("17:30:45.125")', "17:30:45.125Z"),
    "TODAY": ("TODAY() - TODAY()", "0"),
    "TRIM": ('TRIM("  a b ")', "a b"),
    "TRUNC": ("TRUNC(-8.99, 1)", "-8.9"),
    "UNIXTIMESTAMP": ('UNIXTIMESTAMP(DATETIMEVALUE("2005-11-15 17:00:00"))', "1132074000"),
    "UPPER": ('UPPER("abc")', "ABC"),
    "URLENCODE": ('URLENCODE("a b&c")', "a+b%26c"),
    "URLFOR": (f'URLFOR("Account", "{ID}")', f"/{ID}"),
    "VALUE": ('VALUE("12.50") * 2', "25"),
    "VLOOKUP": (
        "VLOOKUP($ObjectType.Profile.Fields.Name, $ObjectType.Profile.Fields.Name, 'standard user')",
        "Standard User",
    ),
    "WEEKDAY": ("WEEKDAY(DATE(2026, 3, 1))", "1"),
    "YEAR": ("YEAR(DATE(2026, 3, 1))", "2026"),
}
OPERATORS = {
    "+": ("1.1 + 2.2", "3.3"),
    "+ of texts": ('"a" + "b"', "ab"),
    "+ of dates": ("DATE(2026, 2, 28) + 1", "2026-03-01"),
    "-": ("DATE(2026, 3, 1) - DATE(2026, 2, 1)", "28"),
    "*": ("0.1 * 0.1", "0.01"),
    "/": ("1 / 8", "0.125"),
    "^": ("2 ^ 10", "1024"),
    "&": ('"a" & NULL & "b"', "ab"),
    "=": ('"a" = "A"', "False"),
    "==": ("1.0 == 1", "True"),
    "<>": ("1 <> 1", "False"),
    "!=": ("1 != 2", "True"),
    "<": ("DATE(2026, 1, 1) < DATE(2026, 1, 2)", "True"),
    ">": ("2 > 3", "False"),
    "<=": ("NULL <= 0", "False"),
    ">=": ("3 >= 3", "True"),
    "&&": ("TRUE && 1 = 2", "False"),
    "||": ("FALSE || 1 = 1", "True"),
    "!": ("!TRUE", "False"),
    "unary -": ("-2 ^ 2", "4"),
    "()": ("(1 + 2) * 3", "9"),
}
RECORD = {
    "Id": "001000000000001AAA",
    "Name": "After",
    "Industry": "Technology",
    "Regions__c": "North;South",
    "NumberOfEmployees": None,
    "AnnualRevenue": None,
}


@cache
def world() -> Org:
    """An org for formulas about accounts."""
    from salesforce_org.metadata.registry import TYPES

    org = seeded()
    values = {
        "valueSetDefinition": {"value": [{"fullName": one, "default": False} for one in ("North", "South")]}
    }
    tree = {"label": "Regions", "type": "MultiselectPicklist", "valueSet": values, "visibleLines": "4"}
    if org.schema["Account"].field("Regions__c") is None:
        TYPES["CustomField"].source.write(org, "Account.Regions__c", tree)
    return org


def value(text: str, use: Use = Use.VALIDATION) -> Any:
    """Evaluate a formula for an account that is being renamed."""
    org = world()
    scope = Scope(org, org.schema["Account"], RECORD, {**RECORD, "Name": "Before"})
    return record_formula(org.schema, "Account", text, use).evaluate(scope)


@pytest.mark.parametrize(
    "function", sorted(name for name, one in FUNCTIONS.items() if Use.SUMMARY not in one.uses)
)
def test_each_function(function: str) -> None:
    """Each function of records does what its documentation says."""
    text, expected = EXAMPLES[function]
    use = next(iter(FUNCTIONS[function].uses & {Use.LINK}), Use.VALIDATION)
    if function in ("REGEX", "VLOOKUP"):
        use = Use.VALIDATION
    assert function in text or function in ("GEOLOCATION",)
    assert text_of(value(text, use)) == expected


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator(operator: str) -> None:
    """Each operator does what its documentation says."""
    text, expected = OPERATORS[operator]
    assert text_of(value(text)) == expected


def test_there_are_enough() -> None:
    """There are at least 120 functions and operators."""
    operators = {name for name in OPERATORS if " of " not in name}
    assert len(FUNCTIONS) + len(operators) >= 120


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "You must enter a value"),
        ("LEN(Nme)", "Field Nme does not exist. Check spelling."),
        ("Owner.Nme", "Field Owner.Nme does not exist. Check spelling."),
        ("FOO(1)", "Unknown function FOO. Check spelling."),
        ("LEN(Name", "Syntax error. Missing ')'"),
        ("LEN(Name))", "Syntax error. Extra ')'"),
        ("1 + * 2", "Syntax error. Found '*'"),
        ("1 +", "Syntax error"),
        ('"abc', "Syntax error. Missing closing quotation mark"),
        ("LEN(Name, 2)", "Incorrect number of parameters for function 'LEN()'. Expected 1, received 2"),
        ("IF(TRUE)", "Incorrect number of parameters for function 'IF()'. Expected 3, received 1"),
        ("CASE(1, 2, 3)", "Incorrect number of parameters for function 'CASE()'. Expected 4, received 3"),
        (
            'AND("a", TRUE)',
            "Incorrect parameter type for function 'AND()'. Expected Boolean, received Text",
        ),
        (
            'IF(TRUE, 1, "a")',
            "Incorrect parameter type for function 'IF()'. Expected Number, received Text",
        ),
        (
            "Name & AnnualRevenue",
            "Incorrect parameter type for operator '&'. Expected Text, received Number",
        ),
        (
            "CreatedDate > TODAY()",
            "Incorrect parameter type for operator '>'. Expected DateTime, received Date",
        ),
        (
            'Industry = "Technology"',
            "Field Industry is a picklist field. Picklist fields are only supported in certain functions.",
        ),
        (
            "Regions__c",
            "Field Regions__c is a multi-select picklist field. Multi-select picklist fields are only supported in "
            "certain functions.",
        ),
        ("ISNEW()", "Function ISNEW may not be used in this type of formula"),
        (
            "LEN(Description)",
            'You referenced an unsupported field type called "Long Text Area" using the following field: Description',
        ),
        ("x" * 3901, "Formula is too long (3,901 characters). Maximum length is 3,900 characters."),
        ("(" * 90 + "1" + ")" * 90, "Syntax error. The formula has too many levels"),
        ("&".join(["Name"] * 300), "Syntax error. The formula has too many levels"),
    ],
)
def test_what_is_wrong_is_told_as_salesforce_does(text: str, sentence: str) -> None:
    """A formula that is none, or uses what is not there, is refused with Salesforce's sentence."""
    with pytest.raises(FormulaError) as refused:
        record_formula(world().schema, "Account", text, Use.FIELD)
    assert refused.value.message == sentence


def test_the_type_of_the_result() -> None:
    """A condition must be true or false."""
    with pytest.raises(FormulaError, match=r"data type \(Number\), incompatible with .* \(true or false\)"):
        record_formula(world().schema, "Account", "LEN(Name)", Use.VALIDATION, "Boolean")


@pytest.mark.parametrize(
    "text", ["1 / 0", "10 ^ 100", "SQRT(-1)", "DATE(2026, 2, 30)", 'VALUE("x")', "CHR(-1)"]
)
def test_without_a_value(text: str) -> None:
    """What cannot be computed has no value; nothing else happens."""
    with pytest.raises(EvaluationError):
        value(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AnnualRevenue + 1", None),
        ("AnnualRevenue <= 0", False),
        ("ISBLANK(AnnualRevenue)", True),
        ('Site & "x"', "x"),
        ("Parent.Name", ""),
        ("Parent.AnnualRevenue > 1", False),
        ("$User.IsActive", True),
        ("$Profile.Name", "System Administrator"),
        ("$Permission.Nobody_Has_It", False),
        ("$Api.Partner_Server_URL_620", "/services/Soap/u/62.0"),
    ],
)
def test_blanks_and_globals(text: str, expected: object) -> None:
    """Blank is no number and no text, parents that are not there are blank, and globals are those of the user."""
    assert value(text) == expected


numbers = st.decimals(0, 10_000, places=3).map(lambda number: number.normalize() + 0)
texts = st.text("ab \"'\\\nß€", max_size=8)
names = st.sampled_from([("Name",), ("Owner", "Email"), ("$User", "Id"), ("Owner:User", "Email")]).map(Name)
leaves: st.SearchStrategy[Expression] = (
    st.builds(Literal, numbers | texts | st.booleans() | st.none()) | names
)
OPERATOR = st.sampled_from([one for level in LEVELS for one in level])
expressions: st.SearchStrategy[Expression] = st.recursive(
    leaves,
    lambda inner: (
        st.builds(Binary, OPERATOR, inner, inner)
        | st.builds(Unary, st.sampled_from("-+!"), inner)
        | st.builds(Call, st.sampled_from(["IF", "LEN", "TODAY"]), st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=12,
)


@given(expressions)
@settings(max_examples=150)
def test_text_and_tree_are_one(tree: Expression) -> None:
    """A tree written as text is read as the same tree."""
    assert parse(unparse(tree)) == tree


@given(st.text(st.sampled_from("ab1.,()\"'+-&|=<>!$: /*"), max_size=30))
@settings(max_examples=150)
def test_any_text(text: str) -> None:
    """Whatever a text is made of, it is a formula or refused."""
    try:
        tree = parse(text)
    except FormulaError:
        return
    assert parse(unparse(tree)) == tree


def exact(tree: Expression, sign: int = -1) -> Fraction:
    """Return the value of an arithmetic expression, computed with fractions; with 1 its size without cancelling."""
    if isinstance(tree, Literal):
        return Fraction(tree.value)  # type: ignore[arg-type]
    if isinstance(tree, Unary):
        return sign * exact(tree.operand, sign)
    assert isinstance(tree, Binary)
    left, right = exact(tree.left, sign), exact(tree.right, sign)
    if tree.operator == "/":
        return left / right
    return left * right if tree.operator == "*" else left + (right if tree.operator == "+" else sign * right)


arithmetic: st.SearchStrategy[Expression] = st.recursive(
    st.builds(Literal, st.decimals(1, 1000, places=2)),
    lambda inner: (
        st.builds(Binary, st.sampled_from("+-*"), inner, inner)
        | st.builds(Binary, st.just("/"), inner, st.builds(Literal, st.integers(1, 64).map(Decimal)))
        | st.builds(Unary, st.just("-"), inner)
    ),
    max_leaves=6,
)


@given(arithmetic)
@settings(max_examples=150)
def test_arithmetic_is_exact(tree: Expression) -> None:
    """Sums, products and quotients are those of exact fractions, to 18 digits of the largest number among them."""
    assert abs(Fraction(value(unparse(tree))) - exact(tree)) <= exact(tree, 1) * Fraction(1, 10**18)


@given(texts, texts, st.integers(-2, 10), st.integers(-2, 10))
@settings(max_examples=100)
def test_texts_as_python_has_them(one: str, two: str, start: int, length: int) -> None:
    """Functions of texts give what Python's own give."""
    a, b = unparse(Literal(one)), unparse(Literal(two))
    assert value(f"{a} & {b}") == one + two
    assert value(f"LEN({a})") == len(one)
    assert value(f"CONTAINS({a}, {b})") == (two in one)
    assert value(f"BEGINS({a}, {b})") == one.startswith(two)
    assert value(f"FIND({b}, {a})") == (one.find(two) + 1 if one and two else 0)
    assert value(f"UPPER({a})") == one.upper()
    assert value(f"LEFT({a}, {length})") == one[: max(length, 0)]
    assert value(f"RIGHT({a}, {length})") == (one[-length:] if length > 0 else "")
    assert value(f"MID({a}, {start}, {length})") == one[max(start - 1, 0) :][: max(length, 0)]
    assert value(f'SUBSTITUTE({a}, {b}, "z")') == (one.replace(two, "z") if two else one)
