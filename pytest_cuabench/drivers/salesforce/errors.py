"""Errors that an org reports, and which of them are transient."""

from __future__ import annotations

from pytest_cuabench.errors import EnvironmentFailure

# Transient: nothing was done, and a retry may succeed.
BUSY = frozenset({"REQUEST_LIMIT_EXCEEDED", "UNABLE_TO_LOCK_ROW", "SERVER_UNAVAILABLE"})
LIMIT = "REQUEST_LIMIT_EXCEEDED"
_OF_A_DAY = "TotalRequests"  # in the message of the daily limit; that of concurrent requests passes soon
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


class NoCallsLeft(EnvironmentFailure):
    """Raised when the org has no API calls left for the day, so that no further call can succeed soon."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"the org at {address} has no API calls left ({LIMIT}): it gives them back over 24 hours; "
            "an episode that is open is reverted by the next run"
        )


def is_daily_limit(failure: Exception) -> bool:
    """Whether a call was rejected because the calls of the day are used up."""
    return isinstance(failure, OrgError) and failure.code == LIMIT and _OF_A_DAY in str(failure)
