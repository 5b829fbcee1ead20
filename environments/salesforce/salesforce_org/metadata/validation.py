"""Validation rules, whose formulas are checked before they are stored."""

from __future__ import annotations

from dataclasses import dataclass

from salesforce_org.formulas import BOOLEAN, FormulaError, Use, record_formula
from salesforce_org.metadata.errors import missing, unfit
from salesforce_org.metadata.fields import split
from salesforce_org.metadata.records import api_name
from salesforce_org.metadata.sources import Components
from salesforce_org.metadata.trees import Tree
from salesforce_org.store import Org

LONGEST_MESSAGE = 255


@dataclass(frozen=True, slots=True)
class ValidationRules(Components):
    """The validation rules of all objects, as `Object.Rule`."""

    kind: str = "ValidationRule"

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a rule."""
        object, own = split(name)
        if object not in org.schema.objects:
            raise missing("CustomObject", object)
        api_name(own)
        try:
            record_formula(org.schema, object, tree["errorConditionFormula"], Use.VALIDATION, BOOLEAN)
        except FormulaError as problem:
            raise unfit(problem.message, "errorConditionFormula") from None
        if len(tree["errorMessage"]) > LONGEST_MESSAGE:
            raise unfit(f"Error Message: data value too large (max length={LONGEST_MESSAGE})", "errorMessage")
        shown = tree.get("errorDisplayField")
        if shown and org.schema[object].field(shown) is None:
            raise unfit(
                f"In field: errorDisplayField - no CustomField named {object}.{shown} found",
                "errorDisplayField",
            )
        Components.write(self, org, name, tree)
