"""Layouts as a tool may ask for them: one section with the fields that a user fills in."""

from __future__ import annotations

from typing import Any

from salesforce_org.api.describe import MASTER, field
from salesforce_org.store import Org, SObject


def layouts(org: Org, kind: SObject) -> dict[str, Any]:
    """Describe the one layout of an object."""
    items = [
        {
            "editableForNew": one.createable,
            "editableForUpdate": one.updateable,
            "label": one.label,
            "layoutComponents": [
                {
                    "details": field(org, kind, one),
                    "displayLines": 1,
                    "tabOrder": place,
                    "type": "Field",
                    "value": one.name,
                }
            ],
            "placeholder": False,
            "required": one.required,
        }
        for place, one in enumerate((one for one in kind.fields if one.createable), 1)
    ]
    section = {"columns": 1, "heading": "Information", "rows": len(items), "useHeading": True}
    section["layoutRows"] = [{"layoutItems": [item], "numItems": 1} for item in items]
    layout = {
        "id": None,
        "editLayoutSections": [section],
        "detailLayoutSections": [section],
        "relatedLists": [],
    }
    mapping = {"available": True, "layoutId": None, "name": "Master", "recordTypeId": MASTER}
    return {"layouts": [layout], "recordTypeMappings": [mapping], "recordTypeSelectorRequired": [False]}
