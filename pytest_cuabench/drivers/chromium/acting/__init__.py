"""Actions, and what they do in a page."""
