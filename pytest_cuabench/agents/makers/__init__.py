"""Agents that ask a maker's model, each maker in one folder laid out alike."""
