"""What is shown, printed and protected of a workbook."""

from __future__ import annotations

from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from .workbook import case, setup

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
