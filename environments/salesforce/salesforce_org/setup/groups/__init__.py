"""Roles, public groups and queues: users taken together."""
