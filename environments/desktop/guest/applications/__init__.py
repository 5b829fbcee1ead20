"""The applications that a desktop can start, each with its own way to be ready and to tell its state."""
