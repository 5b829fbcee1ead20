"""Preferences of the user, which GnuCash saves as soon as they are set."""

from __future__ import annotations

from .book import case, changed_the_neighbour, check, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "setup", "slipped", "solve"]
