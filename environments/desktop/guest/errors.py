"""What can go wrong in a desktop, each with the HTTP status that tells it; every message is one sentence.

GuestError
├── BadRequest      the caller's request is malformed or asks for what does not exist
├── NotNow          the request is well-formed, but this desktop is not in the state for it
├── Missing         a selector fits nothing, or several nodes
└── Trouble         the desktop itself is broken or too slow; the next POST session mends it
    └── NotYet      what was asked for may be there, or answer, a moment later
"""

from __future__ import annotations


class GuestError(Exception):
    """Base of all that is told to the caller."""

    status = 500


class BadRequest(GuestError):
    """The request cannot be understood; the sentence says what is allowed."""

    status = 400


class NotNow(GuestError):
    """The desktop is not in the state that the request needs."""

    status = 409


class Missing(GuestError, LookupError):
    """A selector fits nothing, or more than one node."""

    status = 409


class Trouble(GuestError):
    """Something of the desktop has ended, hangs or does not come up; never the fault of who uses it."""

    status = 503


class NotYet(Trouble):
    """What was asked for is not there now, or a busy program does not answer; it may a moment later."""
