"""Users: who they are and what they are assigned."""
