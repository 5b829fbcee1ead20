"""A world program that serves the pages of MiniWoB++, one for each session, and keeps what their rewards say."""

NAME = "miniwob"
VERSION = "1"
