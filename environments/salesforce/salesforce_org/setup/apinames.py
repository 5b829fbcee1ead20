"""API names: what they may look like, and that each is there only once."""

from __future__ import annotations

import re

from salesforce_org.store import DmlError, Org

_FITS = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")


def claim(
    org: Org, object: str, field: str, name: str, label: str, but: str | None = None, **among: str
) -> None:
    """Make sure that a record may have an API name.

    Args:
        label: What the page calls the name.
        but: The record that has it already, when that is being edited.
        among: What the records have in common among which it must be the only one.

    Raises:
        DmlError: It may not.
    """
    check_name(name, label, field)
    taken = (row for row in org.rows(object, **among) if str(row.get(field)).casefold() == name.casefold())
    if any(row["Id"] != but for row in taken):
        raise DmlError(
            "DUPLICATE_DEVELOPER_NAME",
            f"The {label} {name} is already in use. Choose another one.",
            (field,),
        )


def check_name(name: str, label: str, field: str) -> None:
    """Make sure that a text can be an API name.

    Raises:
        DmlError: It cannot.
    """
    if not _FITS.fullmatch(name):
        raise DmlError(
            "INVALID_FIELD",
            f"The {label} can only contain underscores and alphanumeric characters. It must be unique, begin with a "
            "letter, not include spaces, not end with an underscore, and not contain two consecutive underscores.",
            (field,),
        )
