"""Approval processes in Setup: lists and details, the wizards that make them, their steps and their actions."""
