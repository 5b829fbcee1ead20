"""The folder of worlds."""
