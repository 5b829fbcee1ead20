"""One folder per simulated application; each declares APPLICATION."""
