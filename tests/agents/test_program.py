"""A program may play: it runs in a box, and every way to act leads through the episode loop."""
