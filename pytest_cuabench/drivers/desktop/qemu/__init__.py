"""Desktops in virtual machines."""
