"""Decks themselves: filtered ones, and what is studied of a deck today."""

from __future__ import annotations

from .dialogs import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
