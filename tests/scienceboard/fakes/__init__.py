"""Strict stand-ins for the servers inside an upstream machine: what the real ones would not take, they refuse."""
