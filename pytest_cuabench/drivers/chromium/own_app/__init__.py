"""Web applications of the user's own."""
