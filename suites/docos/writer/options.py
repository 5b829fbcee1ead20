"""Options that hold for all documents."""

from __future__ import annotations

from .dialogs import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
