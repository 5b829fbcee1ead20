"""Settings of a document: its pages, styles, notes and sections."""

from __future__ import annotations

from .dialogs import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
