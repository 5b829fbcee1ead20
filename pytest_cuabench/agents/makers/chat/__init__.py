"""Models behind any server of chat completions."""
