"""Desktops: a machine, the guest beside its screen, and the client that speaks with it."""
