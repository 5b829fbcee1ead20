"""Agents, found by entry points, and their profiles; `models` holds clients of model servers."""
