"""Settings on the pages of VLC's simple preferences."""

from __future__ import annotations

from .player import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
