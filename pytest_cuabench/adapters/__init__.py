"""How to ask a player: one module per kind of agent, found by entry points."""
