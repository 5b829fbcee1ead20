"""Queries that are refused, told as Salesforce tells them: the place in the text, then the sentence."""

from __future__ import annotations

from salesforce_org.store.errors import OrgError

_AROUND = 40
_NAMES = "Please reference your WSDL or the describe call for the appropriate names."


class SoqlError(OrgError):
    """A query that is refused; `at` is the offset of what is wrong in its text, if it has one."""

    def __init__(self, code: str, message: str, at: int | None = None) -> None:
        super().__init__(code, message)
        self.at = at

    def placed(self, text: str) -> SoqlError:
        """Return the error with the piece of the query that it is about."""
        if self.at is None:
            return self
        lines = text[: self.at].split("\n")
        start = max(self.at - _AROUND, 0)
        piece = text[start : self.at + _AROUND].replace("\n", " ").replace("\t", " ")
        caret = " " * (self.at - start) + "^"
        where = f"ERROR at Row:{len(lines)}:Column:{len(lines[-1]) + 1}"
        return SoqlError(self.code, f"\n{piece}\n{caret}\n{where}\n{self.message}")


def malformed(message: str, at: int | None = None) -> SoqlError:
    """Return the error of a query that is no SOQL."""
    return SoqlError("MALFORMED_QUERY", message, at)


def unexpected(token: str, at: int) -> SoqlError:
    """Return the error of a word that cannot stand where it does."""
    return malformed(f"unexpected token: '{token[:80] or '<EOF>'}'", at)


def no_column(name: str, entity: str, at: int) -> SoqlError:
    """Return the error of a field that an object does not have."""
    return SoqlError(
        "INVALID_FIELD",
        f"No such column '{name[:80]}' on entity '{entity}'. If you are attempting to use a custom field, be "
        f"sure to append the '__c' after the custom field name. {_NAMES}",
        at,
    )


def no_relationship(name: str, part: str, at: int) -> SoqlError:
    """Return the error of a relationship that an object does not have."""
    return SoqlError(
        "INVALID_FIELD",
        f"Didn't understand relationship '{name[:80]}' in {part}. If you are attempting to use a custom "
        f"relationship, be sure to append the '__r' after the custom relationship name. {_NAMES}",
        at,
    )


def no_type(name: str, at: int | None) -> SoqlError:
    """Return the error of an object that there is not."""
    return SoqlError(
        "INVALID_TYPE",
        f"sObject type '{name[:80]}' is not supported. If you are attempting to use a custom object, be sure "
        f"to append the '__c' after the entity name. {_NAMES}",
        at,
    )
