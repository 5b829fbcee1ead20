"""Errors of a desktop, each with its HTTP status; every message is one sentence.

GuestError
├── BadRequest      the request is malformed or names something that does not exist
├── Conflict        the desktop is not in the state that the request needs
├── Missing         a selector matches no node, or several
└── DesktopFailure  the desktop is broken or too slow; the next POST session repairs it
    ├── NotReady    a retry may succeed
    ├── Ended       the application has ended
    └── SealBroken  an agent's code runs inside of an application, which is not believed any more
"""

from __future__ import annotations


class GuestError(Exception):
    """Base of the errors that are reported to the caller."""

    status = 500


class BadRequest(GuestError):
    """The request is malformed; the message says what is allowed."""

    status = 400


class Conflict(GuestError):
    """The desktop is not in the state that the request needs."""

    status = 409


class Missing(GuestError, LookupError):
    """A selector matches no node, or more than one."""

    status = 409


class DesktopFailure(GuestError):
    """A part of the desktop has ended, hangs or does not start; never the caller's mistake."""

    status = 503


class NotReady(DesktopFailure):
    """Something is not there yet, or a busy program does not answer; a retry may succeed."""


class Ended(DesktopFailure):
    """The application has ended, which an agent may do; no retry succeeds before it is opened again."""


class SealBroken(DesktopFailure):
    """Code that is not the application's own runs inside of it, so that its word is the agent's."""
