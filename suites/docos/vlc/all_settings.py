"""Settings that VLC has only where all of them are shown."""

from __future__ import annotations

from .player import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
