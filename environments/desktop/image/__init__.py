"""Builds the images of a desktop, for containers and virtual machines, from Debian packages and without a registry."""
