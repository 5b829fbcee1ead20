"""Sign in at the workstation."""

from __future__ import annotations

from ..toolkit.login import check, locked_capitals, signed_out_again, solve
from .scoping import login_values as case

__all__ = ["case", "check", "locked_capitals", "signed_out_again", "solve"]
