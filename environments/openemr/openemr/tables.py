"""Which tables of OpenEMR a check may read whole, which only note what is done, and how a row is told.

Every table that is not named in `NOTES` has a journal: whatever is written anywhere is found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

CLINICAL = (
    "patient_data",
    "history_data",
    "employer_data",
    "insurance_data",
    "lists",
    "lists_medication",
    "prescriptions",
    "form_encounter",
    "forms",
    "form_vitals",
    "form_soap",
    "procedure_order",
    "procedure_order_code",
    "procedure_report",
    "procedure_result",
    "procedure_type",
    "procedure_providers",
    "openemr_postcalendar_events",
    "immunizations",
    "pnotes",
    "transactions",
    "issue_encounter",
    "billing",
    "facility",
)
"""Tables that the state holds whole."""

OF_PATIENTS = frozenset(CLINICAL) - {"procedure_type", "procedure_providers", "facility"}
"""Tables that a copy begins without any row in."""

NOTES = frozenset(
    {
        "amc_misc_data",
        "api_log",
        "audit_details",
        "audit_master",
        "automatic_notification",
        "background_services",
        "clinical_rules_log",
        "extended_log",
        "ip_tracking",
        "keys",
        "log",
        "log_comment_encrypt",
        "login_mfa_registrations",
        "onetime_auth",
        "patient_reminders",
        "product_registration",
        "recent_patients",
        "rule_patient_data",
        "sequences",
        "session_tracker",
        "track_events",
        "user_settings",
        "users_secure",
        "uuid_mapping",
        "uuid_registry",
        "version",
    }
)
"""What OpenEMR notes for itself when somebody signs in or looks; it has no journal, and every reset restores it."""

_UNTOLD = frozenset({"uuid", "last_update", "last_updated", "modifydate"})  # OpenEMR sets them by itself
_BINARY = re.compile(r"binary|blob|^bit")
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """A column, by what its declaration says."""

    name: str
    kind: str
    in_key: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table, and the SQL that tells one of its rows."""

    name: str
    columns: tuple[Column, ...]

    def row(self, alias: str = "") -> str:
        """Return an expression for a row as JSON, the same in a query and in a trigger."""
        prefix = f"{alias}." if alias else ""
        told = (column for column in self.columns if column.name not in _UNTOLD)
        pairs = (f"'{column.name}', {_value(column, prefix)}" for column in told)
        return f"JSON_OBJECT({', '.join(pairs)})"

    def key(self, alias: str = "") -> str:
        """Return an expression for a row's key; a table without one has its whole row."""
        prefix = f"{alias}." if alias else ""
        keys = [f"{prefix}`{column.name}`" for column in self.columns if column.in_key]
        return f"CONCAT_WS('-', {', '.join(keys)})" if keys else f"MD5({self.row(alias)})"


def _value(column: Column, prefix: str) -> str:
    value = f"{prefix}`{column.name}`"
    return f"HEX({value})" if _BINARY.search(column.kind) else value


def tables_of(rows: Iterable[tuple[str, str, str, str]]) -> dict[str, Table]:
    """Return the tables that rows of `information_schema.columns` describe: table, column, type, key."""
    found: dict[str, list[Column]] = {}
    for table, column, kind, key in rows:
        if NAME.fullmatch(table) and NAME.fullmatch(column):
            found.setdefault(table, []).append(Column(column, kind, key == "PRI"))
    return {name: Table(name, tuple(columns)) for name, columns in found.items()}
