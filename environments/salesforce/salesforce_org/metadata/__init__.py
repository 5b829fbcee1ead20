"""The org's metadata: components of all types, as trees, files and packages."""
