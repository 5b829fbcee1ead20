"""The browser's process."""
