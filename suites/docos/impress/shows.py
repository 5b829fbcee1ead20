"""How a presentation is shown: which slides, in which order, and what happens by itself."""

from __future__ import annotations

from .dialogs import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
