"""The guest: the program beside a desktop that starts it, resets it, acts on it and tells what is true in it."""
