"""Refusals, with the codes that Salesforce's interfaces give them."""

from __future__ import annotations


class OrgError(Exception):
    """Something the org does not do; `code` is Salesforce's name for the kind.

    Attributes:
        code: Such as `REQUIRED_FIELD_MISSING`.
        message: One sentence for a person.
        fields: Names of the fields it is about.
        others: What else is wrong, where several things are told at once.
    """

    def __init__(self, code: str, message: str, fields: tuple[str, ...] = ()) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.fields = fields
        self.others: list[OrgError] = []

    @property
    def all(self) -> list[OrgError]:
        """It and the others."""
        return [self, *self.others]


class DmlError(OrgError):
    """A write that is refused."""


class NotThere(OrgError):
    """An object or a record that does not exist."""

    def __init__(
        self, message: str = "The requested resource does not exist", code: str = "NOT_FOUND"
    ) -> None:
        super().__init__(code, message)
