"""How fields are described in Object Manager."""

from __future__ import annotations

from salesforce_org.pages.layout import layout_of
from salesforce_org.store import Field, Org, SObject

_PLAIN = {
    "id": "ID",
    "boolean": "Checkbox",
    "date": "Date",
    "datetime": "Date/Time",
    "time": "Time",
    "email": "Email",
    "phone": "Phone",
    "picklist": "Picklist",
    "multipicklist": "Picklist (Multi-Select)",
    "combobox": "Picklist",
}


def field_label(field: Field, kind: SObject | None = None) -> str:
    """Return what a field is called, on pages of its object if given: a lookup as what it leads to, not as an id."""
    if kind is not None and field.name in layout_of(kind).labels:
        return layout_of(kind).labels[field.name]
    return field.label.removesuffix(" ID") if field.type == "reference" else field.label


def data_type(org: Org, field: Field) -> str:
    """Return a field's type as Object Manager writes it, such as `Lookup(Account)`."""
    if field.computed == "summary":
        child = org.schema.objects.get(field.definition["summaryForeignKey"].partition(".")[0])
        label = child.label if child else ""
        return f"Roll-Up Summary ({field.definition['summaryOperation'].upper()} {label})"
    if field.computed is not None:
        return f"Formula ({_PLAIN.get(field.type, 'Number' if field.type != 'string' else 'Text')})"
    if field.auto is not None:
        return "Auto Number"
    if field.type == "reference":
        labels = ", ".join(org.schema[name].label for name in field.to if name in org.schema.objects)
        return f"{'Master-Detail' if field.cascade and field.required else 'Lookup'}({labels})"
    return _PLAIN.get(field.type) or _sized(field)


def _sized(field: Field) -> str:
    if field.type in ("double", "currency", "percent", "int"):
        word = {"currency": "Currency", "percent": "Percent"}.get(field.type, "Number")
        return f"{word}({field.precision - field.scale}, {field.scale})"
    if field.type == "textarea":
        word = "Rich Text Area" if field.rich else "Text Area" if field.length <= 255 else "Long Text Area"
        return f"{word}({field.length})"
    return f"{'URL' if field.type == 'url' else 'Text'}({field.length})"
