"""Simulated clinical web applications, each session an isolated little hospital."""

NAME = "clinic"
VERSION = "0.1.0"
