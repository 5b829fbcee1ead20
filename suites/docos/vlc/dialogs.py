"""What is made in other dialogs of VLC and saved by them: effects, profiles, playlists, broadcasts."""

from __future__ import annotations

from .player import case, changed_the_neighbour, check, left_unsaved, setup, slipped, solve

__all__ = ["case", "changed_the_neighbour", "check", "left_unsaved", "setup", "slipped", "solve"]
