"""Formula and roll-up summary fields in the New Custom Field wizard."""

from __future__ import annotations

from typing import Any

from salesforce_org.formulas import FormulaError, Use, definitions
from salesforce_org.metadata.definitions import defined
from salesforce_org.metadata.trees import ordered
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section
from salesforce_org.setup.formulas import editor
from salesforce_org.setup.objects.field_types import DETAILS, HELP, NAME, bad, common
from salesforce_org.setup.objects.field_wizard import FieldType, check_new_name, form_step, offer
from salesforce_org.setup.objects.manager import object_of
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.wizard import Draft
from salesforce_org.store import Field, SObject

_RETURNS = (
    Choice("Checkbox", "Checkbox: Calculate a boolean value. Example: TODAY() > CloseDate"),
    Choice("Currency", "Currency: Calculate a dollar or other currency amount. Example: Amount - Cost__c"),
    Choice("Date", "Date: Calculate a date, for example, by adding or subtracting days to other dates."),
    Choice("DateTime", "Date/Time: Calculate a date/time, for example, by adding a number of hours or days."),
    Choice("Number", "Number: Calculate a numeric value. Example: 1.8 * Celsius__c + 32"),
    Choice("Percent", "Percent: Calculate a percent and automatically add the percent sign to the number."),
    Choice("Text", "Text: Create a text string, for example, by concatenating other text fields."),
    Choice("Time", "Time: Calculate a time, for example, by adding a number of hours to another time."),
)
_NUMBERS = ("Currency", "Number", "Percent")
BLANKS = Input(
    "blanks",
    "Blank Field Handling",
    "radio",
    choices=(
        Choice("BlankAsZero", "Treat blank fields as zeroes"),
        Choice("BlankAsBlank", "Treat blank fields as blanks"),
    ),
    help="If your formula references any number, currency, or percent fields, specify what happens to the formula "
    "output when their values are blank.",
)


def _output(page: SetupVisit, draft: Draft) -> Form:
    scales = [Choice(str(number), str(number)) for number in range(19)]
    inputs = (
        *NAME,
        Input("returns", "Formula Return Type", "radio", True, _RETURNS),
        Input(
            "scale",
            "Decimal Places",
            "picklist",
            choices=scales,
            none=False,
            help="Of currencies, numbers and percents. Example: 999.99",
        ),
    )
    return Form("New Custom Field", "Custom Field", (Section("", inputs),), {"scale": "2"})


def _check_output(page: SetupVisit, draft: Draft) -> None:
    check_new_name(page, draft)
    draft["access"] = "read"


def _formula(page: SetupVisit, draft: Draft) -> Form:
    returns = draft["returns"]
    inputs = (
        Input(
            "formula",
            f"{draft['label']} ({returns}) =",
            "formula",
            True,
            editor=editor(page, Use.FIELD, returns),
        ),
        *HELP,
        BLANKS,
    )
    return Form("New Custom Field", "Custom Field", (Section("", inputs),), {"blanks": "BlankAsZero"})


def _formula_tree(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    told = common(draft) | {
        "type": draft["returns"],
        "externalId": False,
        "formula": draft["formula"],
        "formulaTreatBlanksAs": draft["blanks"] or "BlankAsZero",
        "required": None if draft["returns"] == "Checkbox" else False,
    }
    if draft["returns"] in _NUMBERS:
        told |= {"precision": "18", "scale": draft["scale"]}
    if draft["returns"] in ("Text", "Number"):
        told["unique"] = False
    return ordered("CustomField", told)


def _check_formula(page: SetupVisit, draft: Draft) -> None:
    _check_tree(page, draft, _formula_tree(page, draft), "formula")


def _check_tree(page: SetupVisit, draft: Draft, tree: dict[str, Any], input: str) -> None:
    """Make sure that the field could be stored, before the last steps are asked."""
    schema, object, name = page.org.schema, object_of(page).name, f"{draft['name']}__c"
    field = defined(name, tree, schema)
    try:
        definitions.check(schema.with_field(object, field), object, field)
    except FormulaError as problem:
        raise bad(input, problem.message) from None


# Roll-up summaries

_TYPES = (Choice("count", "COUNT"), Choice("sum", "SUM"), Choice("min", "MIN"), Choice("max", "MAX"))
_OPERATIONS = (
    ("equals", "equals"),
    ("notEqual", "not equal to"),
    ("lessThan", "less than"),
    ("greaterThan", "greater than"),
    ("lessOrEqual", "less or equal"),
    ("greaterOrEqual", "greater or equal"),
    ("contains", "contains"),
    ("notContain", "does not contain"),
    ("startsWith", "starts with"),
    ("includes", "includes"),
    ("excludes", "excludes"),
)
_FILTERS = range(1, 6)
_SUMMED = ("int", "double", "currency", "percent", "date", "datetime", "time")


def _details(page: SetupVisit, kind: SObject) -> list[tuple[SObject, Field]]:
    """Return the objects that are details of an object, with the field that leads to it."""
    return [
        pair for pair in page.org.schema.children.get(kind.name, ()) if pair[1].cascade and pair[1].required
    ]


def _has_details(page: SetupVisit, kind: SObject) -> bool:
    return bool(_details(page, kind))


def _calculation(page: SetupVisit, draft: Draft) -> Form:
    kind = object_of(page)
    details = _details(page, kind)
    objects = [Choice(f"{child.name}.{field.name}", child.plural) for child, field in details]
    fields = [
        (one, Choice(f"{child.name}.{one.name}", field_label(one), f"{child.name}.{field.name}"))
        for child, field in details
        for one in sorted(child.fields, key=lambda one: field_label(one).casefold())
        if one.name not in ("Id", "IsDeleted")
    ]
    summed = [choice for one, choice in fields if one.type in _SUMMED]
    filters = [choice for _, choice in fields]
    operations = [Choice(value, label) for value, label in _OPERATIONS]
    rows = [
        one
        for number in _FILTERS
        for one in (
            Input(f"field{number}", f"Filter {number}: Field", "picklist", choices=filters, depends="of"),
            Input(f"operation{number}", "Operator", "picklist", choices=operations),
            Input(f"value{number}", "Value"),
        )
    ]
    ways = (
        Choice("all", "All records should be included in the calculation"),
        Choice("some", "Only records meeting certain criteria should be included in the calculation"),
    )
    return Form(
        "New Custom Field",
        "Custom Field",
        (
            Section(
                f"Select Object to Summarize (Master Object: {kind.label})",
                (Input("of", "Summarized Object", "picklist", True, objects),),
            ),
            Section(
                "Select Roll-Up Type",
                (
                    Input("how", "Roll-Up Type", "radio", True, _TYPES),
                    Input("summed", "Field to Aggregate", "picklist", choices=summed, depends="of"),
                ),
            ),
            Section("Filter Criteria", (Input("records", "Records", "radio", choices=ways),)),
            Section("", tuple(rows), 3),
        ),
        {"records": "all"},
    )


def _summary_tree(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    told = common(draft) | {
        "type": "Summary",
        "externalId": False,
        "summaryForeignKey": draft["of"],
        "summaryOperation": draft["how"],
        "summarizedField": draft["summed"] if draft["how"] != "count" else None,
    }
    if draft["records"] == "some":
        told["summaryFilterItems"] = [
            {
                "field": draft[f"field{number}"],
                "operation": draft[f"operation{number}"],
                "value": draft[f"value{number}"],
            }
            for number in _FILTERS
            if draft[f"field{number}"]
        ]
    return ordered("CustomField", told)


def _check_summary(page: SetupVisit, draft: Draft) -> None:
    if draft["how"] != "count" and not draft["summed"]:
        raise bad("summed", "You must enter a value")
    for number in _FILTERS:
        if draft["records"] == "some" and draft[f"field{number}"] and not draft[f"operation{number}"]:
            raise bad(f"operation{number}", "You must enter a value")
    _check_tree(page, draft, _summary_tree(page, draft), "summed")


offer(
    FieldType(
        "Formula",
        "Formula",
        "A read-only field that derives its value from a formula expression you define. The formula field is updated "
        "when any of the source fields change.",
        (
            form_step("Choose output type", _output, _check_output),
            form_step("Enter formula", _formula, _check_formula),
        ),
        _formula_tree,
    )
)
offer(
    FieldType(
        "Summary",
        "Roll-Up Summary",
        "A read-only field that displays the sum, minimum, or maximum value of a field in a related list or the record "
        "count of all records listed in a related list.",
        (
            form_step("Enter the details", DETAILS, _check_output),
            form_step("Define the summary calculation", _calculation, _check_summary),
        ),
        _summary_tree,
        _has_details,
    )
)
