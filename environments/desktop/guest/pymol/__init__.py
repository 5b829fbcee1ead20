"""PyMOL in a desktop: what runs inside the box beside its unmodified window."""
