"""Errors that an org reports, and which of them are transient."""

from __future__ import annotations

from pytest_cuabench.errors import EnvironmentFailure

# Transient: nothing was done, and a retry may succeed.
BUSY = frozenset({"REQUEST_LIMIT_EXCEEDED", "UNABLE_TO_LOCK_ROW", "SERVER_UNAVAILABLE"})
# A record that is already gone counts as deleted.
GONE = frozenset({"ENTITY_IS_DELETED", "NOT_FOUND", "INVALID_CROSS_REFERENCE_KEY"})
EXPIRED = frozenset({"INVALID_SESSION_ID", "INVALID_AUTH_HEADER"})


class OrgError(EnvironmentFailure):
    """Raised when the org rejects a call.

    Attributes:
        code: Salesforce's name for the reason, such as `FIELD_INTEGRITY_EXCEPTION`.
    """

    def __init__(self, message: str, code: str = "UNKNOWN_EXCEPTION") -> None:
        super().__init__(message)
        self.code = code
