"""What is wrong with a formula, in Salesforce's sentences."""

from __future__ import annotations

from collections.abc import Iterable

from salesforce_org.store.errors import OrgError


class FormulaError(OrgError):
    """A formula that is refused when it is checked; the message is what Check Syntax says after `Error: `."""

    def __init__(self, message: str) -> None:
        super().__init__("INVALID_FORMULA", message)


class EvaluationError(Exception):
    """A formula that has no value for a record, such as one that divides by zero."""


def syntax(what: str = "") -> FormulaError:
    """Return the refusal of a text that is no formula."""
    return FormulaError(f"Syntax error. {what}" if what else "Syntax error")


def no_field(name: str) -> FormulaError:
    """Return the refusal of a name that nothing has."""
    return FormulaError(f"Field {name} does not exist. Check spelling.")


def wrong_type(of: str, expected: Iterable[str], received: str) -> FormulaError:
    """Return the refusal of an operand or argument; `of` is such as `function 'AND()'`."""
    wanted = ", ".join(expected)
    return FormulaError(f"Incorrect parameter type for {of}. Expected {wanted}, received {received}")


def wrong_number(function: str, expected: int, received: int) -> FormulaError:
    """Return the refusal of a call with too few or too many arguments."""
    return FormulaError(
        f"Incorrect number of parameters for function '{function}()'. Expected {expected}, received {received}"
    )
