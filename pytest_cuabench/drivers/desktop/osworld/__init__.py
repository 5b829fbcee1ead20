"""Machines that run OSWorld's server."""
