"""Desktops: the machine, the guest server on it, and its client."""
