"""One attempt at an instance: the agent loop, its clocks and deadlines, and judging after a failure."""
