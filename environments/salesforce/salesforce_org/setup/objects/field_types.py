"""The plain types of the New Custom Field wizard: what each asks, and the component that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from salesforce_org.formulas import FormulaError, Use
from salesforce_org.formulas.definitions import default_of
from salesforce_org.metadata.definitions import defined
from salesforce_org.metadata.trees import ordered
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section
from salesforce_org.setup.formulas import editor
from salesforce_org.setup.objects.field_wizard import FieldType, check_new_name, form_step, offer
from salesforce_org.setup.wizard import Draft
from salesforce_org.store import DmlError

NAME = (
    Input("label", "Field Label", required=True, length=40, fills="name"),
    Input("name", "Field Name", required=True, length=40),
)
HELP = (
    Input("description", "Description", "textarea", length=1000),
    Input("help", "Help Text", "textarea", length=510),
)
REQUIRED = Input(
    "required", "Required", "checkbox", help="Always require a value in this field in order to save a record"
)
UNIQUE = Input("unique", "Unique", "checkbox", help="Do not allow duplicate values")
EXTERNAL = Input(
    "external",
    "External ID",
    "checkbox",
    help="Set this field as the unique record identifier from an external system",
)
DEFAULT = Input(
    "default",
    "Default Value",
    "formula",
    length=3900,
    help='Use formula syntax: e.g., Text in double quotes: "hello", Number: 25, Percent as decimal: 0.10, '
    "Date expression: Today() + 7.",
)
_LENGTH = Input("length", "Length", required=True, length=6)
_DIGITS = Input(
    "length", "Length", required=True, length=2, help="Number of digits to the left of the decimal point"
)
_SCALE = Input(
    "scale",
    "Decimal Places",
    required=True,
    length=2,
    help="Number of digits to the right of the decimal point",
)
_LINES = Input("lines", "# Visible Lines", required=True, length=2)
_NUMBERS = (_DIGITS, _SCALE)
_KEYS = (REQUIRED, UNIQUE, EXTERNAL, DEFAULT)
# What is asked beside label, name, description and help text: the size above them, the rest below.
_ASKED: Mapping[str, tuple[tuple[Input, ...], tuple[Input, ...]]] = {
    "AutoNumber": (
        (
            Input("format", "Display Format", required=True, help="Example: A-{0000}"),
            Input("start", "Starting Number", required=True, length=10),
        ),
        (EXTERNAL,),
    ),
    "Checkbox": (
        (
            Input(
                "checked",
                "Default Value",
                "radio",
                choices=(Choice("true", "Checked"), Choice("false", "Unchecked")),
            ),
        ),
        (),
    ),
    "Currency": (_NUMBERS, (REQUIRED, DEFAULT)),
    "Date": ((), (REQUIRED, DEFAULT)),
    "DateTime": ((), (REQUIRED, DEFAULT)),
    "Email": ((), _KEYS),
    "Number": (_NUMBERS, _KEYS),
    "Percent": (_NUMBERS, (REQUIRED, DEFAULT)),
    "Phone": ((), (REQUIRED, DEFAULT)),
    "Text": ((_LENGTH,), _KEYS),
    "TextArea": ((), (REQUIRED, DEFAULT)),
    "LongTextArea": ((_LENGTH, _LINES), (DEFAULT,)),
    "Html": ((_LENGTH, _LINES), ()),
    "EncryptedText": ((_LENGTH,), (REQUIRED,)),
    "Time": ((), (REQUIRED, DEFAULT)),
    "Url": ((), (REQUIRED, DEFAULT)),
}
# Types whose fields may have a default.
DEFAULTED = tuple(name for name, (_, more) in _ASKED.items() if DEFAULT in more)
# What stands in the inputs at first, and the least and most that a number among them may be.
_FIRST = {"length": "18", "scale": "0", "start": "1", "checked": "false", "lines": "3"}
_LENGTHS = {
    "Text": (1, 255),
    "LongTextArea": (256, 131_072),
    "Html": (256, 131_072),
    "EncryptedText": (1, 175),
}
_LABELS: Mapping[str, tuple[str, str]] = {
    "AutoNumber": (
        "Auto Number",
        "A system-generated sequence number that uses a display format you define. The number is automatically "
        "incremented for each new record.",
    ),
    "Checkbox": ("Checkbox", "Allows users to select a True (checked) or False (unchecked) value."),
    "Currency": (
        "Currency",
        "Allows users to enter a dollar or other currency amount and automatically formats the field as a currency "
        "amount.",
    ),
    "Date": ("Date", "Allows users to enter a date or pick a date from a popup calendar."),
    "DateTime": (
        "Date/Time",
        "Allows users to enter a date and time, or pick a date from a popup calendar.",
    ),
    "Email": (
        "Email",
        "Allows users to enter an email address, which is validated to ensure proper format.",
    ),
    "Number": ("Number", "Allows users to enter any number. Leading zeros are removed."),
    "Percent": (
        "Percent",
        "Allows users to enter a percentage number, for example, '10' and automatically adds the percent sign.",
    ),
    "Phone": ("Phone", "Allows users to enter any phone number."),
    "Picklist": ("Picklist", "Allows users to select a value from a list you define."),
    "MultiselectPicklist": (
        "Picklist (Multi-Select)",
        "Allows users to select multiple values from a list you define.",
    ),
    "Text": ("Text", "Allows users to enter any combination of letters and numbers."),
    "TextArea": ("Text Area", "Allows users to enter up to 255 characters on separate lines."),
    "LongTextArea": ("Text Area (Long)", "Allows users to enter up to 131,072 characters on separate lines."),
    "Html": (
        "Text Area (Rich)",
        "Allows users to enter formatted text, add images and links. Up to 131,072 characters on separate lines.",
    ),
    "EncryptedText": (
        "Text (Encrypted)",
        "Allows users to enter any combination of letters and numbers and store them in encrypted form.",
    ),
    "Time": ("Time", "Allows users to enter a local time."),
    "Url": ("URL", "Allows users to enter any valid website address."),
}


def details(size: tuple[Input, ...], more: tuple[Input, ...], **first: str) -> Callable[..., Form]:
    """Return the function that builds the form of a field's details.

    Args:
        size: Inputs between label and name.
        more: Inputs below the help text.
        first: What stands in inputs at first.
    """
    inputs = (NAME[0], *size, NAME[1], *HELP, *more)

    def build(page: SetupVisit, draft: Draft) -> Form:
        shown = tuple(
            replace(one, editor=editor(page, Use.DEFAULT, draft["type"])) if one.kind == "formula" else one
            for one in inputs
        )
        return Form("New Custom Field", "Custom Field", (Section("", shown),), _FIRST | first)

    return build


DETAILS = details((), ())


def common(draft: Draft) -> dict[str, Any]:
    """Return the elements that the components of all fields have."""
    return {
        "label": draft["label"],
        "description": draft["description"] or None,
        "inlineHelpText": draft["help"] or None,
        "trackHistory": False,
    }


def _check(page: SetupVisit, draft: Draft) -> None:
    kind = draft["type"]
    if kind in ("Number", "Currency", "Percent"):
        length, scale = _whole(draft, "length", 1, 18), _whole(draft, "scale", 0, 17)
        if length + scale > 18:
            raise bad(
                "length",
                "The sum of the length and decimal places must be an integer less than or equal to 18",
            )
    elif kind in _LENGTHS:
        _whole(draft, "length", *_LENGTHS[kind])
    if kind == "AutoNumber":
        _whole(draft, "start", 0, 999_999_999)
    check_new_name(page, draft)
    if draft.get("default"):
        field = defined(draft["name"], _tree(page, draft), page.org.schema)
        try:
            default_of(page.org.schema, field)
        except FormulaError as problem:
            raise bad("default", problem.message) from None
    draft["access"] = "required" if draft.get("required") else "read" if kind == "AutoNumber" else ""


def _whole(draft: Draft, name: str, least: int, most: int) -> int:
    text = draft[name]
    if not text.isdecimal() or not least <= int(text) <= most:
        raise bad(name, f"Value must be an integer between {least} and {most:,}")
    return int(text)


def bad(name: str, sentence: str) -> DmlError:
    """Return the refusal of what stands in an input."""
    return DmlError("FIELD_INTEGRITY_EXCEPTION", sentence, (name,))


def _tree(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    kind = draft["type"]
    told = common(draft) | {"type": kind, "externalId": bool(draft.get("external"))}
    told |= {"required": bool(draft.get("required")), "defaultValue": draft.get("default") or None}
    if kind in ("Text", "Number", "Email"):
        told["unique"] = bool(draft.get("unique"))
    if kind in _LENGTHS:
        told["length"] = draft["length"]
    if "scale" in draft:
        told |= {"precision": str(int(draft["length"]) + int(draft["scale"])), "scale": draft["scale"]}
    if kind in ("LongTextArea", "Html"):
        told["visibleLines"] = draft["lines"]
    if kind == "Checkbox":
        told |= {"defaultValue": draft["checked"] or "false", "required": None}
    if kind == "AutoNumber":
        told |= {"displayFormat": draft["format"], "startingNumber": draft["start"], "required": None}
    if kind == "EncryptedText":
        told |= {"maskChar": "asterisk", "maskType": "all"}
    return ordered("CustomField", told)


# Picklists

_GLOBAL = "global"


def _picklist(page: SetupVisit, draft: Draft) -> Form:
    ways = (
        Choice(_GLOBAL, "Use global picklist value set"),
        Choice("own", "Enter values, with each value separated by a new line"),
    )
    sets = [
        Choice(name, tree.get("masterLabel", name))
        for name, tree in page.org.components("GlobalValueSet").items()
    ]
    size: tuple[Input, ...] = (
        Input("way", "Values", "radio", True, ways),
        Input("set", "Global Value Set", "picklist", choices=sets),
        Input("values", "Values, one on each line", "textarea", length=20_000),
        Input("sorted", "Display values alphabetically, not in the order entered", "checkbox"),
        Input("first", "Use first value as default value", "checkbox"),
        Input("restricted", "Restrict picklist to the values defined in the value set", "checkbox"),
    )
    if draft["type"] == "MultiselectPicklist":
        size = (*size, _LINES)
    form = details(size, (REQUIRED,), way="own")(page, draft)
    form.values["restricted"] = True
    return form


def _check_picklist(page: SetupVisit, draft: Draft) -> None:
    if draft["way"] == _GLOBAL and not draft["set"]:
        raise bad("set", "You must select a global value set")
    if draft["way"] == "own" and not _entries(draft):
        raise bad("values", "You must enter a value")
    check_new_name(page, draft)
    draft["access"] = "required" if draft["required"] else ""


def _entries(draft: Draft) -> list[str]:
    labels = list(dict.fromkeys(line.strip() for line in draft["values"].splitlines() if line.strip()))
    return sorted(labels, key=str.casefold) if draft["sorted"] else labels


def _picklist_tree(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    values: dict[str, Any] = {"restricted": draft["restricted"]}
    if draft["way"] == _GLOBAL:
        values["valueSetName"] = draft["set"]
    else:
        entries = [
            {"fullName": label, "default": draft["first"] and at == 0, "label": label}
            for at, label in enumerate(_entries(draft))
        ]
        values["valueSetDefinition"] = {"sorted": draft["sorted"], "value": entries}
    told = common(draft) | {"type": draft["type"], "externalId": False, "required": draft["required"]}
    if draft["type"] == "MultiselectPicklist":
        told["visibleLines"] = draft["lines"]
    return ordered("CustomField", told | {"valueSet": values})


for _name, (_label, _help) in _LABELS.items():
    if _name in _ASKED:
        _step = form_step("Enter the details", details(*_ASKED[_name]), _check)
        offer(FieldType(_name, _label, _help, (_step,), _tree))
    else:
        _step = form_step("Enter the details", _picklist, _check_picklist)
        offer(FieldType(_name, _label, _help, (_step,), _picklist_tree))
