"""Settings of the scene, its output, its world and its view layer."""

from __future__ import annotations

from .studio import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
