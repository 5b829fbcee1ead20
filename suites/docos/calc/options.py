"""How a document is calculated and shown, and settings of LibreOffice Calc for all documents."""

from __future__ import annotations

from ..toolkit.dialogs import changed_the_neighbour, check, left_unsaved, slipped, solve
from .workbook import case, setup

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
