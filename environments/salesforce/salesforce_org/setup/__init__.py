"""The pages of Setup."""
