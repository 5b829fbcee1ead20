"""Sign in at the reading station; the reader of the day has signed nothing yet."""

from __future__ import annotations

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from .reading_room import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]
