"""One episode's context: its tabs, requests, clipboard, pending work."""
