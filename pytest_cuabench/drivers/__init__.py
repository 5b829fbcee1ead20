"""How to run a computer: one module per kind, found by entry points."""
