"""What a formula editor offers. Templates draw it with `formula` of `setup/macros.html`; two addresses answer it."""

from __future__ import annotations

from dataclasses import dataclass

from salesforce_org.formulas import FUNCTIONS, Use
from salesforce_org.formulas.functions import Function

OPERATORS = (
    ("+", "Add"),
    ("-", "Subtract"),
    ("*", "Multiply"),
    ("/", "Divide"),
    ("^", "Exponentiation"),
    ("(", "Open Parenthesis"),
    (")", "Close Parenthesis"),
    ("&", "Concatenate"),
    ("=", "Equal"),
    ("<>", "Not Equal"),
    ("<", "Less Than"),
    (">", "Greater Than"),
    ("<=", "Less Than or Equal"),
    (">=", "Greater Than or Equal"),
    ("&&", "And"),
    ("||", "Or"),
)


@dataclass(frozen=True, slots=True)
class Editor:
    """One formula editor of a page.

    Attributes:
        fields: Where the columns of Insert Field come from; `check` where the formula is checked.
        functions: Those that may be used here, by name.
        button: What the button that checks the formula is called.
    """

    fields: str
    check: str
    functions: tuple[Function, ...]
    button: str = "Check Syntax"
    operators: tuple[tuple[str, str], ...] = OPERATORS

    @property
    def categories(self) -> list[str]:
        """The groups of the functions."""
        return sorted({one.category for one in self.functions})


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of Insert Field: what is inserted, or the `path` of the next column."""

    label: str
    insert: str = ""
    path: str = ""
    kind: str = ""


def functions_for(use: Use) -> tuple[Function, ...]:
    """Return the functions that formulas of a use may have, by name."""
    found = (one for one in FUNCTIONS.values() if not one.uses or use in one.uses)
    return tuple(sorted(found, key=lambda one: one.name))
