"""The guest: the server beside a desktop that starts and resets it, performs actions, and reads its state."""

NAME = "desktop"
PROTOCOL = 1
VERSION = "1.0.0"
