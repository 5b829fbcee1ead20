"""Transactions: to repeat and plan them; budgets."""

from __future__ import annotations

from .book import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
