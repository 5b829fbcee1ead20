"""The guest: the program beside a desktop that starts it, resets it, acts on it and tells what is true in it."""

NAME = "desktop"
PROTOCOL = 1
VERSION = "1.0.0"
