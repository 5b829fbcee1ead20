"""Apps and tabs in Setup."""
