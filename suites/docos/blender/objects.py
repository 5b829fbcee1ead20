"""Objects: what they are made of, and what is on them."""

from __future__ import annotations

from .studio import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
